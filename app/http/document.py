"""The OpenAPI document. The table ROUTES has the request and answer of each route; messages have generated schemas."""

import inspect
import json
from importlib.metadata import version
from typing import Any, Literal, NamedTuple

from fastapi import FastAPI
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from mqconvert import PROTOCOLS, json_schema
from mqconvert.app.http import answers, models
from mqconvert.app.http.guard import OPEN_PATHS
from mqconvert.app.http.models import PUBLISH
from mqconvert.converters.model.jsonform import JsonObject

_JSON, _LINES = "application/json", "application/x-ndjson"

PROBLEMS = {
    400: ("malformed HTTP, or a body that is not JSON", None),
    401: ("the bearer token is missing or wrong", "WWW-Authenticate"),
    403: ("the request brings rules, and the service takes none, or not from this page or under this Host", None),
    404: ("no such protocol, profile, table or way, or a protocol without batches", None),
    408: ("the body did not come in time", None),
    413: ("more bytes, messages, frames, memory or time than a limit of the service allows; `detail` names it", None),
    415: ("a Content-Type or Content-Encoding that the route does not take", None),
    422: ("an invalid request or message, or one that a row refuses", None),
    429: ("more requests, bytes or connections at once than a limit of the service allows", "Retry-After"),
    500: ("a defect of the service, or of a table of its own", None),
    501: ("the protocol needs a package that is not installed here", None),
    503: ("the service is shutting down", None),
}
"""Statuses of problems, with their description and their header."""

_ASKED = (400, 404, 408, 413, 415, 422, 429, 501)
_CONVERTED = (*_ASKED, 403)
_TABLES = (404, 422, 429)


class Documented(NamedTuple):
    """A route: its response with status 200, its problems besides 401 and 500, its tag, and its body."""

    form: Any
    tag: str
    problems: tuple[int, ...] = ()
    media_type: str = _JSON
    asked: Any = None


ROUTES = {
    "/v1/convert": Documented(answers.Converted, "messages", _CONVERTED, asked=models.ConvertRequest),
    "/v1/explain": Documented(answers.Explained, "messages", _CONVERTED, asked=models.ExplainRequest),
    "/v1/decode": Documented(answers.Messages, "messages", _ASKED, asked=models.DecodeRequest),
    "/v1/recognize": Documented(answers.Recognized, "messages", (400, *_ASKED[2:-1]), asked=models.RecognizeRequest),
    "/v1/encode": Documented(answers.Wire, "messages", (400, *_ASKED[2:]), asked=models.EncodeRequest),
    "/v1/encode/batch": Documented(answers.Wire, "messages", _ASKED, asked=models.EncodeBatchRequest),
    "/v1/convert/batch": Documented(answers.LineOut, "messages", _ASKED[1:], _LINES, answers.LineIn),
    "/v1/frames/{protocol}/decode": Documented(answers.Frames, "frames", _ASKED, asked=models.FramesDecodeRequest),
    "/v1/frames/{protocol}/encode": Documented(answers.Wire, "frames", _ASKED, asked=models.FramesEncodeRequest),
    "/v1/protocols": Documented(list[answers.Protocol], "tables", (422, 429)),
    "/v1/routes": Documented(list[answers.Route], "tables", (422, 429)),
    "/v1/rules": Documented(list[answers.TableName], "tables", _TABLES),
    "/v1/rules/{source}/{target}": Documented(answers.Table, "tables", _TABLES),
    "/v1/fidelity/{source}/{target}": Documented(answers.Forecast, "tables", _TABLES),
    "/v1/samples": Documented(list[answers.Sample], "tables", (422, 429)),
    "/v1/samples/{source}/{target}": Documented(dict[str, models.Message], "tables", _TABLES),
    "/v1/schemas/{protocol}": Documented(dict[str, Any], "tables", _TABLES, "application/schema+json"),
    "/healthz": Documented(answers.Health, "operation"),
    "/readyz": Documented(answers.Ready, "operation", (503,)),
    "/metrics": Documented(str, "operation", (), "text/plain"),
}
"""The routes by path; each path has one method."""

_TAGS = {
    "messages": "Convert, decode and encode messages",
    "frames": "Everything a protocol puts on the wire, messages or not",
    "tables": "Protocols, routes and tables; answers have an ETag",
    "operation": "For operators",
}


class Service(FastAPI):
    """The app with the complete OpenAPI document."""

    def openapi(self) -> JsonObject:
        if self.openapi_schema is None:
            document = super().openapi()
            document["info"] |= {"version": version("mqconvert"), "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}}
            document["tags"] = [{"name": name, "description": words} for name, words in _TAGS.items()]
            _complete(document)
        assert self.openapi_schema is not None
        return self.openapi_schema


def _complete(document: JsonObject) -> None:
    asked = {path: one.asked for path, one in ROUTES.items() if one.asked not in (None, answers.LineIn)}
    given, components = _schemas(asked, GenerateJsonSchema)
    forms = {path: one.form for path, one in ROUTES.items()} | {"line": answers.LineIn, "problem": answers.Problem}
    made, more = _schemas(forms, _WithoutNulls)
    document["components"] = {
        "schemas": dict(sorted((components | more | _messages()).items())),
        "responses": {str(status): _problem(*said) for status, said in PROBLEMS.items()},
        "securitySchemes": {
            "bearer": {"type": "http", "scheme": "bearer", "description": "where MQCONVERT_TOKEN is set"},
            "basic": {"type": "http", "scheme": "basic", "description": "the same token as password, as browsers ask for it"},
        },
    }
    document["components"]["responses"]["problem"] = _problem("anything else that HTTP has a status for", None)
    document["security"] = [{}, {"bearer": []}, {"basic": []}]
    for path, operations in document["paths"].items():
        [operation] = operations.values()
        route = ROUTES[path]
        operation["tags"] = [route.tag]
        summary, _, rest = inspect.cleandoc(operation.pop("description")).partition("\n\n")
        operation["summary"] = summary.removesuffix(".")
        if rest:
            operation["description"] = rest
        operation["responses"] = _responses(path, route, made[path])
        if path in OPEN_PATHS:
            operation["security"] = []
        if route.asked is not None:
            operation["requestBody"] = _body(route, given.get(path, made["line"]))


def _schemas(forms: dict[str, Any], generator: type[GenerateJsonSchema]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schema of each form, and the schemas they refer to."""
    mode: Literal["validation"] = "validation"
    inputs = [(name, mode, TypeAdapter(form)) for name, form in forms.items()]
    template = "#/components/schemas/{model}"
    schemas, shared = TypeAdapter.json_schemas(inputs, ref_template=template, schema_generator=generator)
    made = {name: schema for (name, _), schema in schemas.items()}
    found: tuple[Any, Any] = json.loads(json.dumps((made, shared.get("$defs", {}))).replace('"x-ref":', '"$ref":'))
    return found


def _messages() -> JsonObject:
    """Return the schemas of every protocol's messages, their definitions, and `Message` for any of them."""
    made: JsonObject = {
        "Message": {
            "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in PROTOCOLS],
            "discriminator": {"propertyName": "protocol"},
        }
    }
    for name in PROTOCOLS:
        text = json.dumps(json_schema(name)).replace('"#/$defs/', f'"#/components/schemas/{name}.')
        schema = json.loads(text)
        made |= {f"{name}.{part}": of for part, of in schema.pop("$defs").items()}
        made[name] = {key: value for key, value in schema.items() if key not in ("$id", "$schema")}
    return made


def _responses(path: str, route: Documented, schema: JsonObject) -> JsonObject:
    words = "one such object a line" if route.media_type == _LINES else "the answer"
    good: JsonObject = {"description": words, "content": {route.media_type: {"schema": schema}}}
    responses: JsonObject = {"200": good}
    if route.tag == "tables":
        good["headers"] = {"ETag": {"schema": {"type": "string"}}}
        responses["304"] = {"description": "the answer has not changed since the one that If-None-Match names"}
    statuses = sorted({*route.problems, 500} | (set() if path in OPEN_PATHS else {401}))
    names = {str(status): str(status) for status in statuses} | {"default": "problem"}
    return responses | {to: {"$ref": f"#/components/responses/{name}"} for to, name in names.items()}


def _body(route: Documented, schema: JsonObject) -> JsonObject:
    if route.media_type != _LINES:
        return {"content": {_JSON: {"schema": schema}}, "required": True}
    content = {_LINES: {"schema": schema, "example": {"id": 1, "wire": PUBLISH}}}
    return {"description": "one such object a line", "content": content, "required": True}


def _problem(description: str, header: str | None) -> JsonObject:
    schema = {"$ref": "#/components/schemas/Problem"}
    made: JsonObject = {"description": description, "content": {"application/problem+json": {"schema": schema}}}
    return made if header is None else made | {"headers": {header: {"schema": {"type": "string"}}}}


class _WithoutNulls(GenerateJsonSchema):
    """Generates schemas without null and without defaults: unset members are left out."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])
