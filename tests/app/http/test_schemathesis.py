"""schemathesis against the real server over a socket, with its own document: every operation, phase and check.

The phases are examples (each gets 200, see test_service.py), boundary values and random values. The fourth would follow links
between operations, which the document lacks. Requests that a schema cannot exclude, such as base64 without a message, are
refused with a code of docs/errors.md. A refusal as `bad_request` would mean a wrong schema.
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
from jsonschema import Draft202012Validator
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

pytestmark = pytest.mark.system

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

    `/v1/encode` keeps messages of every protocol, without nested values. Other routes with the same schemas keep messages of
    one protocol. Random values, and responses of routes without messages, use the full document.
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
    """Return a function that sends a case and applies every check to the response."""
    with service(workers="2") as client, requests.Session() as session:
        session.trust_env = False  # otherwise it looks for proxies at every request
        yield partial(_ask, str(client.base_url), session)


def _few(path: str) -> Any:
    """The document with three protocols in a path of two: a forecast takes a third of a second, and there are 64 pairs."""
    document = copy.deepcopy(DOCUMENT)
    ends = [part["schema"] for part in document["paths"][path]["get"].get("parameters", ()) if part["in"] == "path"]
    for schema in ends if len(ends) > 1 else []:
        schema["enum"] = ["amqp-1.0", "mqtt-5.0", "nsq"]
    return schemathesis.openapi.from_dict(document)


@cache
def _validator(path: str) -> Draft202012Validator:
    """Return what checks a body against the whole document: `_bounded` has a part of it, and calls plain values wrong."""
    body = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return Draft202012Validator(body | {"components": DOCUMENT["components"]})


def _is_valid(case: Any) -> bool:
    wrong = case.meta.generation.mode is GenerationMode.NEGATIVE and isinstance(case.body, dict)
    return wrong and _validator(case.operation.path).is_valid(case.body)


def _ask(url: str, session: requests.Session, case: Any) -> None:
    answer = case.call(base_url=url, session=session)
    assert answer.status_code < 500
    refused = answer.status_code >= 400 and answer.json()["code"] in ALLOWED
    excluded = [positive_data_acceptance] if refused else []
    if case.operation.path == BATCH or (answer.status_code < 400 and _is_valid(case)):
        excluded.append(negative_data_rejection)  # bad lines of a batch are error lines of a 200 response
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
