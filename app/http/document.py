"""The OpenAPI document: FastAPI finds out what is asked; what each route answers is the table ANSWERS."""

from importlib.metadata import version
from typing import Any, Literal, NamedTuple

from fastapi import FastAPI
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from mqconvert.app.http import answers
from mqconvert.app.http.guard import OPEN_PATHS
from mqconvert.app.http.models import PUBLISH

_JSON, _LINES = "application/json", "application/x-ndjson"

PROBLEMS = {
    401: ("the bearer token is missing or wrong", "WWW-Authenticate"),
    404: ("no such protocol, profile, table or way", None),
    413: ("the body is larger than MQCONVERT_MAX_BODY", None),
    422: ("the request or the message is not what it should be, or a row refuses it", None),
    429: ("more requests at once than MQCONVERT_CONCURRENCY", "Retry-After"),
    500: ("a defect of the service, or of a table of its own", None),
    501: ("the protocol needs a package that is not installed here", None),
}
"""Statuses that are problems: what each says, and a header that comes with it."""

_ASKED = (404, 413, 422, 501)


class Answered(NamedTuple):
    """What a route answers with status 200, and the problems it may be beside 401, 429 and 500."""

    form: Any
    problems: tuple[int, ...] = ()
    media_type: str = _JSON


ANSWERS = {
    "/v1/convert": Answered(answers.Converted, _ASKED),
    "/v1/decode": Answered(answers.Messages, _ASKED),
    "/v1/encode": Answered(answers.Wire, (413, 422, 501)),
    "/v1/frames/{protocol}/decode": Answered(answers.Frames, _ASKED),
    "/v1/frames/{protocol}/encode": Answered(answers.Wire, _ASKED),
    "/v1/convert/batch": Answered(answers.LineOut, (404, 422), _LINES),
    "/v1/protocols": Answered(list[answers.ProtocolName]),
    "/v1/routes": Answered(list[answers.Route]),
    "/v1/rules": Answered(list[answers.TableName], (404, 422)),
    "/v1/rules/{source}/{target}": Answered(answers.Table, (404, 422)),
    "/v1/fidelity/{source}/{target}": Answered(answers.Forecast, (404, 422)),
    "/v1/schemas/{protocol}": Answered(dict[str, Any], (404,), "application/schema+json"),
    "/healthz": Answered(answers.Health),
    "/readyz": Answered(answers.Ready),
    "/metrics": Answered(str, (), "text/plain"),
}
"""By path: each has one method."""


class Documented(FastAPI):
    """An app whose document says what is answered, too."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            document = super().openapi()
            document["info"]["version"] = version("mqconvert")
            _complete(document)
        assert self.openapi_schema is not None
        return self.openapi_schema


def _complete(document: dict[str, Any]) -> None:
    forms = {path: answered.form for path, answered in ANSWERS.items()} | {"in": answers.LineIn, "problem": answers.Problem}
    mode: Literal["validation"] = "validation"
    schemas, shared = TypeAdapter.json_schemas(
        [(path, mode, TypeAdapter(form)) for path, form in forms.items()],
        ref_template="#/components/schemas/{model}",
        schema_generator=_WithoutNulls,
    )
    components = document["components"]
    for unused in ("HTTPValidationError", "ValidationError"):
        del components["schemas"][unused]
    components["schemas"] |= shared["$defs"]
    components["responses"] = {str(status): _problem(*said) for status, said in PROBLEMS.items()}
    components["responses"]["problem"] = _problem("anything else that HTTP has a status for", None)
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "asked for where MQCONVERT_TOKEN is set"},
        "basic": {"type": "http", "scheme": "basic", "description": "the same token as password, as browsers ask for it"},
    }
    document["security"] = [{}, {"bearer": []}, {"basic": []}]
    for path, operations in document["paths"].items():
        [operation] = operations.values()
        answered = ANSWERS[path]
        said = "one such object a line" if answered.media_type == _LINES else "the answer"
        responses = {"200": {"description": said, "content": {answered.media_type: {"schema": schemas[path, mode]}}}}
        statuses = {*answered.problems, 500} | (set() if path in OPEN_PATHS else {401, 429})
        names = {str(status): str(status) for status in sorted(statuses)} | {"default": "problem"}
        operation["responses"] = responses | {to: {"$ref": f"#/components/responses/{name}"} for to, name in names.items()}
        if path in OPEN_PATHS:
            operation["security"] = []
    document["paths"]["/v1/convert/batch"]["post"]["requestBody"] = {
        "description": "one such object a line",
        "content": {_LINES: {"schema": schemas["in", mode], "example": {"id": 1, "wire": PUBLISH}}},
        "required": True,
    }


def _problem(description: str, header: str | None) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    made: dict[str, Any] = {"description": description, "content": {"application/problem+json": {"schema": schema}}}
    return made if header is None else made | {"headers": {header: {"schema": {"type": "string"}}}}


class _WithoutNulls(GenerateJsonSchema):
    """What is not there is left out: no member is null, and none has a default."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])
