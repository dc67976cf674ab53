"""What requests may ask: pydantic at the edge only; the library never sees a model. answers.py has the answers' forms."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

Member = Literal["wire", "message", "report"]
Members = Annotated[str, Field(pattern="^(wire|message|report)(,(wire|message|report))*$")]
"""Members as the command line's `--fields` takes them: with commas between."""

OnLoss = Literal["report", "fail", "ignore"]
Payload = Literal["body", "envelope"]
PUBLISH = "MAYAAXQAaGk="
"""An MQTT 5.0 PUBLISH to topic t with payload hi, in base64."""

SUBSCRIBE = "ICBWMlNVQiBvcmRlcnMgYXJjaGl2ZQpSRFkgMTAwCg=="
"""What an NSQ client sends to subscribe, in base64."""


# Checked by what knows them, which stops at the first that is wrong.
Options = Annotated[
    dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": {"type": ["string", "boolean", "integer"]}})
]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Choices(Body):
    """What a conversion may be told: the same for one message and for a batch."""

    source: str = Field(alias="from", description="protocol of the message")
    target: str = Field(alias="to", description="protocol to convert to")
    profile: str = Field("documented", description="documented, rabbitmq-4.0, rabbitmq-4.3 or preserve")
    address: str | None = Field(None, description="where the message goes: a topic or queue")
    mqtt_exchange: str = Field("amq.topic", description="the exchange behind MQTT topics")
    payload: Payload = Field("body", description="what NSQ and PHPMQ carry: the payload, or the whole message")
    escape: bool = Field(False, description="write addresses that the target cannot have reversibly")
    frame: str | None = Field(None, description="the frame to build where a protocol has several")
    clock: int | None = Field(None, description="milliseconds since 1970, where a target needs a time (default: now)")
    on_loss: OnLoss = Field("report", description="what a loss does")


class TablesQuery(Body):
    """Which tables are asked about; a parameter that is misspelt is refused, not answered for the default."""

    profile: str = Field("documented", description="documented, rabbitmq-4.0, rabbitmq-4.3 or preserve")


class ForecastQuery(TablesQuery):
    """A forecast, as query parameters."""

    back: bool = Field(False, description="there and back again")


class BatchQuery(Choices):
    """The choices of a batch, as query parameters."""

    fields: list[Members] = Field(["wire,report"], description="members of each answer: wire, report, message")


class ConvertRequest(Choices):
    """One message, as wire bytes in base64 or in its JSON form."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"from": "mqtt-5.0", "to": "amqp-1.0", "wire": PUBLISH}]})

    wire: str | None = Field(None, description="wire bytes in base64")
    message: dict[str, Any] | None = Field(None, description="the JSON form of the message")
    fields: list[Member] = Field(["wire", "message", "report"], description="members of the answer")


class DecodeRequest(Body):
    """Wire bytes in base64."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"protocol": "mqtt-5.0", "wire": PUBLISH}]})

    protocol: str
    wire: str


class FramesDecodeRequest(Body):
    """Wire bytes in base64; `options` are those of the protocol, which may lower the service's limits."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"wire": SUBSCRIBE}]})

    wire: str
    options: Options = {}


class FramesEncodeRequest(Body):
    """Frames in their JSON form, as decoding gives them."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"frames": [{"frame": "RDY", "count": 100}]}]})

    frames: Annotated[list[dict[str, Any]], Field(min_length=1)]


class EncodeRequest(Body):
    """A message in its JSON form, which names its protocol."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": {"protocol": "amqp-1.0", "body": {"data": ["aGk="]}}}]}
    )

    message: dict[str, Any]
