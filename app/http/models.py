"""Models of the requests. The library never sees a model. answers.py has the models of the answers."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt, WithJsonSchema

from mqconvert import PROTOCOLS
from mqconvert.converters.environment import known_frames
from mqconvert.mappings import overlay_names

Member = Literal["wire", "message", "report"]
Members = Annotated[str, Field(pattern="^(wire|message|report)(,(wire|message|report))*$")]
"""Members as the command line's `--fields` takes them: with commas between."""

OnLoss = Literal["report", "fail", "ignore"]
Payload = Literal["body", "envelope"]
PUBLISH = "MAYAAXQAaGk="
"""An MQTT 5.0 PUBLISH to topic t with payload hi, in base64."""

SUBSCRIBE = "ICBWMlNVQiBvcmRlcnMgYXJjaGl2ZQpSRFkgMTAwCg=="
"""What an NSQ client sends to subscribe, in base64."""


class OneOf:
    """In a schema, the names that there are when it is written; the library checks the values."""

    def __init__(self, names: Callable[[], Iterable[str]], **more: Any) -> None:
        self.names, self.more = names, more

    def __get_pydantic_json_schema__(self, _core: Any, _handler: Any) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.names())} | self.more


class OneOfOrNull(OneOf):
    """The same, or null."""

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        return {"anyOf": [super().__get_pydantic_json_schema__(core, handler), {"type": "null"}]}


# The library checks these values; the schema lists them.
_PROFILES = ("documented", *overlay_names())
ProtocolName = Annotated[str, OneOf(lambda: PROTOCOLS)]
Profile = Annotated[str, WithJsonSchema({"type": "string", "enum": list(_PROFILES), "default": "documented"})]
Frame = Annotated[str | None, OneOfOrNull(known_frames)]
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
_NAMED = {"x-ref": "#/components/schemas/Message"}  # pydantic looks for what `$ref` refers to; document.py writes it
_UNNAMED = {"type": "object", "not": {"required": ["protocol"]}}
SomeMessage = Annotated[
    dict[str, Any],
    WithJsonSchema({"anyOf": [_NAMED, _UNNAMED], "description": "`protocol` may be left out: the request names it"}),
]
EITHER: dict[str, Any] = {"oneOf": [{"required": ["wire"]}, {"required": ["message"]}]}
"""One of two members, not both."""


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


_UNSET: Any = Field(None, json_schema_extra=_without_default)
"""The default of an optional member that does not take `null`."""


def _flag(value: Any) -> Any:
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


Flag = Annotated[StrictBool, BeforeValidator(_flag)]
"""`true` or `false` in a query; other spellings are refused."""


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Milliseconds = Annotated[StrictInt, BeforeValidator(_whole)]
"""A number of JSON without a fraction; neither a text nor `true`."""

_LOWER = "options of the codecs, as in `MQCONVERT_OPTIONS`; limits may only be lowered"


_CLOCK = "milliseconds since 1970, where a message needs a time (default: now)"


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Choices(Body):
    """The choices of a conversion, the same for one message and for a batch."""

    source: ProtocolName = Field(alias="from", description="protocol of the message")
    target: ProtocolName = Field(alias="to", description="protocol to convert to")
    profile: Profile = Field("documented", description="which tables")
    address: str | None = Field(None, description="where the message goes: a topic or queue")
    mqtt_exchange: str = Field("amq.topic", description="the exchange behind MQTT topics")
    payload: Payload = Field("body", description="what NSQ and PHPMQ carry: the payload, or the whole message")
    escape: StrictBool = Field(False, description="write addresses that the target cannot have reversibly")
    frame: Frame = Field(None, description="the frame to build where a protocol has several")
    clock: Milliseconds | None = Field(None, description=_CLOCK)
    on_loss: OnLoss = Field("report", description="report a loss, fail at it, or ignore it")


class TablesQuery(Body):
    """The choice of tables; a misspelt parameter is refused."""

    profile: Profile = Field("documented", description="which tables")


class ForecastQuery(TablesQuery):
    """A forecast, as query parameters."""

    back: Flag = Field(False, description="there and back again")


class BatchQuery(Choices):
    """The choices of a batch, as query parameters."""

    escape: Flag = Field(False, description="write addresses that the target cannot have reversibly")
    clock: int | None = Field(None, description=_CLOCK)
    fields: list[Members] = Field(["wire,report"], description="members of each answer: wire, report, message")


_EXAMPLE = {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": PUBLISH}


class ConvertRequest(Choices):
    """One message, as wire bytes in base64 or in its JSON form."""

    model_config = ConfigDict(
        json_schema_extra=EITHER | {"examples": [{"from": "mqtt-5.0", "to": "amqp-1.0", "wire": PUBLISH}]}
    )

    wire: Wire = _UNSET
    message: SomeMessage = _UNSET
    fields: list[Member] = Field(["wire", "message", "report"], description="members of the answer")
    options: Options = Field({}, description=_LOWER)


class ExplainRequest(Choices):
    """One message, as wire bytes in base64 or in its JSON form."""

    model_config = ConfigDict(
        json_schema_extra=EITHER | {"examples": [{"from": "mqtt-5.0", "to": "amqp-0.9.1", "wire": PUBLISH}]}
    )

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
    """Frames in their JSON form, as decoding gives them."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"frames": [{"frame": "RDY", "count": 100}]}]})

    frames: Annotated[list[dict[str, Any]], Field(min_length=1)]


class EncodeRequest(Body):
    """A message in its JSON form, which names its protocol."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": {"protocol": "amqp-1.0", "body": {"data": ["aGk="]}}}]}
    )

    message: Message
    options: Options = Field({}, description=_LOWER)
    clock: Milliseconds | None = Field(None, description=_CLOCK)


class EncodeBatchRequest(Body):
    """Messages of one protocol in their JSON form."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"messages": [{"protocol": "nsq", "topic": "t", "body": "aGk="}] * 2}]}
    )

    messages: Annotated[list[Message], Field(min_length=1)]
    options: Options = Field({}, description=_LOWER)
    clock: Milliseconds | None = Field(None, description=_CLOCK)
