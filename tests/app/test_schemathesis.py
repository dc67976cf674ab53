"""schemathesis against the real server over a socket, by its own document: every operation, every check.

Its generator cannot make values of schemas that refer to themselves: of messages it makes those of the protocols that have
none, and its phase of boundary values is left out. test_document.py holds AMQP messages against the document. What a schema
cannot say, such as which base64 is a message, is refused with a code of docs/errors.md.
"""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from mqconvert import CODES
from mqconvert.app.codes import DOOR_CODES
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from tests.app.test_http import service

BATCH = "/v1/convert/batch"
DOCUMENTED = CODES.keys() | DOOR_CODES.keys()


@schemathesis.serializer("application/x-ndjson")
def one_line(_context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def _document() -> dict[str, Any]:
    """The document, in which requests may have messages of fewer protocols."""
    document = create_app(Settings()).openapi()
    schemas = document["components"]["schemas"]
    of_answers = "#/components/schemas/Message"
    for name in ("ConvertRequest", "EncodeRequest", "LineIn"):
        schemas[name] = json.loads(json.dumps(schemas[name]).replace(f'"{of_answers}"', '"#/components/schemas/Asked"'))
    schemas["Asked"] = {"oneOf": [one for one in schemas["Message"]["oneOf"] if "/amqp-" not in one["$ref"]]}
    return document


DOCUMENT = _document()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = [
    (path, method.upper(), mode)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or "parameters" in operation or "requestBody" in operation
]


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with service(workers="2") as made:
        yield made


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_every_answer_is_as_the_document_says(path: str, method: str, mode: GenerationMode, client: httpx.Client) -> None:
    operation = SCHEMA[path][method]
    number = 15 if method == "POST" else 10

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=number, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def ask(case: Any) -> None:
        answer = case.call(base_url=str(client.base_url))
        excluded = [negative_data_rejection] if path == BATCH else []  # a bad line is an error line of a good answer
        case.validate_response(answer, excluded_checks=[positive_data_acceptance, *excluded])
        assert answer.status_code < 500
        if mode is GenerationMode.POSITIVE and answer.status_code >= 400:
            assert answer.json()["code"] in DOCUMENTED - {"bad_request", "internal"}, answer.text

    ask()
