"""schemathesis against the real server over a socket, by its own document: every operation, every phase, every check.

The phases are its own: examples (test_http.py asks them, each gets 200), boundary values, random values. The fourth follows
links between operations, of which the document has none. What a schema cannot say, such as which base64 is a message, is
refused with a code of docs/errors.md; a refusal as `bad_request` would say that the schema is wrong.
"""

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.generation.drivers import CoverageGenerator
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.generation.overrides import Override
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from mqconvert import CODES
from mqconvert.app.codes import DOOR_CODES
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from tests.app.services import service

BATCH = "/v1/convert/batch"
ALLOWED = (CODES.keys() | DOOR_CODES.keys()) - {"bad_request", "internal"}
DOCUMENT = create_app(Settings()).openapi()
OPERATIONS = [(path, method.upper()) for path, operations in DOCUMENT["paths"].items() for method in operations]
MODES = [
    (path, method, mode)
    for path, method in OPERATIONS
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or DOCUMENT["paths"][path][method.lower()].keys() & {"parameters", "requestBody"}
]


@schemathesis.serializer("application/x-ndjson")
def one_line(_context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@cache  # its validators take seconds to build
def _whole() -> Any:
    return schemathesis.openapi.from_dict(DOCUMENT)


@cache
def _bounded(*, every: bool) -> Any:
    """The document for boundary values, of which its messages have millions: every combination of values in values.

    `/v1/encode` has messages of every protocol, whose typed values hold no others; the other routes, whose messages are of
    the same schemas, have those of one protocol. Random values are drawn from the document itself, and answers to what takes
    no message are held against it.
    """
    document = copy.deepcopy(DOCUMENT)
    schemas = document["components"]["schemas"]
    for name in [name for name in schemas if name.endswith(".typed")]:
        schemas[name] = {"$ref": f"#/components/schemas/{name}.timestamp"}
    if not every:
        of_answers, asked = '"#/components/schemas/Message"', '"#/components/schemas/nsq"'
        for name in ("ConvertRequest", "ExplainRequest", "EncodeBatchRequest", "LineIn"):
            schemas[name] = json.loads(json.dumps(schemas[name]).replace(of_answers, asked))
    return schemathesis.openapi.from_dict(document)


Ask = Callable[[Any], None]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Sends a case, and lets every check look at the answer."""
    with service(workers="2") as client, requests.Session() as session:
        session.trust_env = False  # else it looks for proxies at every request
        yield partial(_ask, str(client.base_url), session)


def _few(path: str) -> Any:
    """The document with three protocols in a path of two: a forecast takes a third of a second, and there are 64 pairs."""
    document = copy.deepcopy(DOCUMENT)
    ends = [part["schema"] for part in document["paths"][path]["get"].get("parameters", ()) if part["in"] == "path"]
    for schema in ends if len(ends) > 1 else []:
        schema["enum"] = ["amqp-1.0", "mqtt-5.0", "nsq"]
    return schemathesis.openapi.from_dict(document)


def _ask(url: str, session: requests.Session, case: Any) -> None:
    answer = case.call(base_url=url, session=session)
    assert answer.status_code < 500
    refused = answer.status_code >= 400 and answer.json()["code"] in ALLOWED
    excluded = [positive_data_acceptance] if refused else []
    if case.operation.path == BATCH:  # a bad line is an error line of a good answer
        excluded.append(negative_data_rejection)
    case.validate_response(answer, excluded_checks=excluded)


@pytest.mark.parametrize(("path", "method", "mode"), MODES)
def test_answers_to_random_values_are_as_the_document_says(path: str, method: str, mode: GenerationMode, ask: Ask) -> None:
    operation = _whole()[path][method]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=15, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def ask_each(case: Any) -> None:
        ask(case)

    ask_each()


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_responses_to_boundary_values_match_the_document(path: str, method: str, ask: Ask) -> None:
    takes_messages = "requestBody" in DOCUMENT["paths"][path][method.lower()]
    schema = _bounded(every=path == "/v1/encode") if takes_messages else _few(path)
    cases = CoverageGenerator(
        operation=schema[path][method],
        generation_modes=list(GenerationMode),
        generation_config=schema.config.generation_for(operation=schema[path][method], phase="coverage"),
        auth_storage=None,
        override=Override({}, {}, {}, {}),
        feedback=NO_FEEDBACK,
    )
    for case in cases:
        ask(case)
