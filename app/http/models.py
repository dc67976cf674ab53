"""Models of the requests. The library never sees a model. answers.py has the models of the answers."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt, WithJsonSchema
from pydantic import create_model as model_of

from mqconvert import PROTOCOLS
from mqconvert.converters.choices import OPTIONS
from mqconvert.converters.environment import Option
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.protocols import full_name

Member = Literal["wire", "message", "report"]
Members = Annotated[str, Field(pattern="^(wire|message|report)(,(wire|message|report))*$")]
"""Members separated by commas, as in the command line's `--fields`."""

PUBLISH = "MAYAAXQAaGk="
"""An MQTT 5.0 PUBLISH to topic t with payload hi, in base64."""

SUBSCRIBE = "ICBWMlNVQiBvcmRlcnMgYXJjaGl2ZQpSRFkgMTAwCg=="
"""The bytes of an NSQ client that subscribes, in base64."""


class OneOf:
    """Lists the currently known names in a schema, and null if it is `optional`; the library checks the values."""

    def __init__(self, names: Callable[[], Iterable[str]], *, optional: bool = False, **more: object) -> None:
        self.names, self.optional, self.more = names, optional, more

    def __get_pydantic_json_schema__(self, _core: object, _handler: object) -> JsonObject:
        named = {"type": "string", "enum": list(self.names())} | self.more
        return {"anyOf": [named, {"type": "null"}]} if self.optional else named


ProtocolName = Annotated[str, AfterValidator(full_name), OneOf(lambda: PROTOCOLS)]
Options = Annotated[
    dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": {"type": ["string", "boolean", "integer"]}})
]
BASE64 = {
    "type": "string",
    "contentEncoding": "base64",
    "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
}
Wire = Annotated[str, WithJsonSchema(BASE64 | {"description": "wire bytes in base64"})]
Message = Annotated[dict[str, Any], WithJsonSchema({"x-ref": "#/components/schemas/Message"})]
_NAMED = {"x-ref": "#/components/schemas/Message"}  # pydantic resolves `$ref`; document.py writes its target
_UNNAMED = {"type": "object", "not": {"required": ["protocol"]}}
SomeMessage = Annotated[
    dict[str, Any],
    WithJsonSchema({"anyOf": [_NAMED, _UNNAMED], "description": "`protocol` may be left out: the request names it"}),
]
EITHER: JsonObject = {"oneOf": [{"required": ["wire"]}, {"required": ["message"]}]}
"""Exactly one of two members."""


def _without_default(schema: JsonObject) -> None:
    del schema["default"]


_UNSET: Any = Field(None, json_schema_extra=_without_default)
"""The default of an optional member that does not take `null`."""


def _flag(value: object) -> Any:
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


Flag = Annotated[StrictBool, BeforeValidator(_flag)]
"""`true` or `false` in a query; other spellings are refused."""


def _whole(value: object) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[StrictInt, BeforeValidator(_whole)]
"""A JSON number without a fraction; text and `true` are refused."""

_LOWER = "options of the codecs by name, such as `lenient`; limits may only be lowered"
_BODY: dict[Any, Any] = {str: str, bool: StrictBool, int: Whole}
_QUERY: dict[Any, Any] = {str: str, bool: Flag, int: int}
"""The types of members and of query parameters, by the kind of an option."""

M = TypeVar("M", bound=BaseModel)


def _member(one: Option, types: dict[Any, Any]) -> tuple[Any, Any]:
    """Return the type of a declared option, and its default with its description."""
    words = one.words if one.unset is None else f"{one.words} (default: {one.unset})"
    if one.kind is tuple:
        words = f"{words}: its TOML text, where the service takes any (`MQCONVERT_ALLOW_RULES`)"
        return str | None, Field(None, description=words)
    if callable(one.values):  # the library checks these values: plugins may add names
        shown = OneOf(one.values, optional=True) if one.optional else OneOf(one.values, default=one.default)
        made: Any = Annotated[str | None if one.optional else str, shown]
    else:
        made = types[one.kind] if one.values is None else Literal[one.values]
        made = made | None if one.optional else made
    return made, Field(one.default, description=words)


def with_options(*names: str, types: dict[Any, Any] = _BODY) -> Callable[[type[M]], type[M]]:
    """Return a decorator that adds declared options to a model: the named ones, or all."""
    members: dict[str, Any] = {one.name: _member(one, types) for one in OPTIONS if not names or one.name in names}

    def added(model: type[M]) -> type[M]:
        return model_of(model.__name__, __base__=model, __module__=model.__module__, __doc__=model.__doc__, **members)

    return added


class Body(BaseModel):
    """A request. `vars` gives all its members by name, with the declared options."""

    model_config = ConfigDict(extra="forbid")


def members(model: type[BaseModel]) -> list[str]:
    """Return the names of a request's members.

    >>> members(RecognizeRequest)
    ['wire']
    """
    return [member.alias or name for name, member in model.model_fields.items()]


class Ends(Body):
    """The two ends of a conversion."""

    source: ProtocolName = Field(alias="from", description="protocol of the message")
    target: ProtocolName = Field(alias="to", description="protocol to convert to")


@with_options("profile")
class TablesQuery(Body):
    """The choice of tables; a misspelt parameter is refused."""


@with_options("payload")
class ForecastQuery(TablesQuery):
    """The choices of a forecast, as query parameters."""

    back: Flag = Field(False, description="there and back again")


@with_options(*(one.name for one in OPTIONS if one.kind is not tuple), types=_QUERY)
class BatchQuery(Ends):
    """The choices of a batch, as query parameters, which any page can send without asking: rules are not among them."""

    fields: list[Members] = Field(["wire,report"], description="members of each answer: wire, report, message")
    options: list[str] = Field([], description=f"{_LOWER}; each as NAME=VALUE")


LISTS = frozenset({"fields", "options"})
"""The query parameters that may be given several times."""


def _example(target: str) -> ConfigDict:
    return ConfigDict(json_schema_extra=EITHER | {"examples": [{"from": "mqtt-5.0", "to": target, "wire": PUBLISH}]})


@with_options()
class ConvertRequest(Ends):
    """One message, as wire bytes in base64 or in its JSON form."""

    model_config = _example("amqp-1.0")

    wire: Wire = _UNSET
    message: SomeMessage = _UNSET
    fields: list[Member] = Field(["wire", "message", "report"], description="members of the answer")
    options: Options = Field({}, description=_LOWER)


@with_options()
class ExplainRequest(Ends):
    """One message, as wire bytes in base64 or in its JSON form."""

    model_config = _example("amqp-0.9.1")

    wire: Wire = _UNSET
    message: SomeMessage = _UNSET
    redact: StrictBool = Field(False, description="show types and sizes instead of values")
    options: Options = Field({}, description=_LOWER)


class DecodeRequest(Body):
    """Wire bytes in base64."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"protocol": "mqtt-5.0", "wire": PUBLISH}]})

    protocol: ProtocolName
    wire: Wire
    options: Options = Field({}, description=_LOWER)
    spans: StrictBool = Field(False, description="the bytes of each place, too; for one message, without options but limits")


class RecognizeRequest(Body):
    """Wire bytes in base64, of an unknown protocol."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"wire": PUBLISH}]})

    wire: Wire


class FramesDecodeRequest(Body):
    """Wire bytes in base64."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"wire": SUBSCRIBE}]})

    wire: Wire
    options: Options = Field({}, description=_LOWER)


class FramesEncodeRequest(Body):
    """Frames in the JSON form of /v1/frames/decode."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"frames": [{"frame": "RDY", "count": 100}]}]})

    frames: Annotated[list[dict[str, Any]], Field(min_length=1)]
    options: Options = Field({}, description=_LOWER)


@with_options("clock")
class EncodeRequest(Body):
    """A message in its JSON form with its protocol."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": {"protocol": "amqp-1.0", "body": {"data": ["aGk="]}}}]}
    )

    message: Message
    options: Options = Field({}, description=_LOWER)


@with_options("clock")
class EncodeBatchRequest(Body):
    """Messages of one protocol in their JSON form."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"messages": [{"protocol": "nsq", "topic": "t", "body": "aGk="}] * 2}]}
    )

    messages: Annotated[list[Message], Field(min_length=1)]
    options: Options = Field({}, description=_LOWER)
