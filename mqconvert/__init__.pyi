# Written by `make generate` from the names in __init__.py and the signatures of the functions.
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any, Literal, overload

from mqconvert.converters.account.explain import explained, explained_json
from mqconvert.converters.account.forecast import Forecast
from mqconvert.converters.choices import Profile
from mqconvert.converters.engine.report import LossPolicy, OnLoss, Report
from mqconvert.converters.engine.rules import Rule, RuleTable
from mqconvert.converters.engine.summary import Summary
from mqconvert.converters.environment import FRAMES, PAYLOADS, Environment, Payload
from mqconvert.converters.errors import (
    CODES,
    ArgumentError,
    ClientLibraryError,
    ConversionError,
    DecodeError,
    DeliveryError,
    EncodeError,
    InternalError,
    JobError,
    LimitError,
    LossError,
    MessageError,
    MqConvertError,
    NoRouteError,
    Remedy,
    RuleTableError,
)
from mqconvert.converters.json import json_schema, message_to_json
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Array, Decimal091, Described, Entry, TypedValue
from mqconvert.converters.overlays import Rules
from mqconvert.converters.protocols import PROTOCOLS, Message
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.calls import (
    BytesLike,
    Decoded,
    Frame,
    Located,
    encode,
    encode_batch,
    encode_frame,
    frame_to_json,
    has_frames,
)
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.options import check_options, options_for
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.routes import Route, RouteConverter, routes
from mqconvert.converters.running import Conversion
from mqconvert.converters.transcoding import Transcoded

__all__ = [
    "CODES",
    "FRAMES",
    "PAYLOADS",
    "PROTOCOLS",
    "ArgumentError",
    "Array",
    "ClientLibraryError",
    "Conversion",
    "ConversionError",
    "Decimal091",
    "DecodeError",
    "DeliveryError",
    "Described",
    "EncodeError",
    "Entry",
    "Environment",
    "Forecast",
    "InternalError",
    "JobError",
    "LimitError",
    "Located",
    "LossError",
    "LossPolicy",
    "Message",
    "MessageError",
    "MqConvertError",
    "NoRouteError",
    "OnLoss",
    "Payload",
    "Profile",
    "Protocol",
    "Remedy",
    "Report",
    "Route",
    "Rule",
    "RuleTable",
    "RuleTableError",
    "Summary",
    "Transcoded",
    "TypedValue",
    "check_options",
    "check_rules",
    "convert",
    "converter",
    "decode",
    "decode_all",
    "decode_each",
    "decode_each_frame",
    "decode_frames",
    "encode",
    "encode_batch",
    "encode_frame",
    "explain",
    "explained",
    "explained_json",
    "fidelity",
    "frame_from_json",
    "frame_to_json",
    "generated_source",
    "has_frames",
    "json_schema",
    "message_from_json",
    "message_to_json",
    "options_for",
    "routes",
    "rule_tables",
    "transcode",
    "transcode_column",
]
__version__: str

def explain(
    message: Message | BytesLike,
    to: str,
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    redact: bool = False,
    width: int | None = None,
) -> str:
    """Convert a message and print its summary and the outcome of every field: values, row and line of the table.

    Fields that do not arrive come first, with the reason. `redact` prints types and sizes instead of values. `width` is the
    most characters of a line of fields (default: no limit): longer values are cut, and lines of tables are left out. If the
    result cannot be encoded, the second line says why. Raises the errors of `convert`, and EncodeError for an invalid field.

    >>> print(explain(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0"))
    all 2 fields arrive (1 unchanged, 1 changed)
    mqtt-5.0 -> amqp-0.9.1
      qos         0           ->  basic.delivery_mode  1     mqtt5_to_amqp091.toml:8   qos
      payload     'hi'        ->  payload              'hi'  mqtt5_to_amqp091.toml:21  payload
      topic_name  't'         elsewhere: where it was published, not part of the message  topic
    """

def fidelity(
    source: str,
    target: str,
    *,
    back: bool = False,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    payload: Payload = "body",
) -> Forecast:
    """Return the forecast from one protocol to another, with `back` for the round trip; `payload` is that of Environment.

    Raises NoRouteError for an unknown protocol or profile, RuleTableError for overlays with a mistake, ConversionError
    `bad_option` for an unknown `payload`.

    >>> forecast = fidelity("mqtt-5.0", "amqp-1.0")
    >>> [(o.there, o.to, o.as_, o.rules) for o in forecast.outcomes if o.field == "message_expiry_interval" and not o.case]
    [('changes', 'header.ttl', 'uint', ('message-expiry-interval',))]
    """

def transcode_column(
    wires: Any,
    to: str,
    *,
    source: str,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Any:
    """Convert a column of wire values, one message each, and return a `pyarrow.Table` of as many rows.

    `wires` is a `pyarrow.Array` or `ChunkedArray` of bytes. `converted` has what `transcode` makes of each value, null for a
    rejected one; `error` (a struct of `code`, `message`, `field`, `rule`, `offset` and `remedy`) tells why, and is null for all
    others.
    The values are read from Arrow's memory, and the results written into it. Other arguments are those of `transcode`.

    Raises NoRouteError, RuleTableError, ArgumentError for anything but a column of bytes, EncodeError `too_large` for more than
    2 GiB from at most 1000 values, and ClientLibraryError without pyarrow (extra `parquet`).

    >>> import pyarrow as pa
    >>> wires = pa.array([bytes.fromhex("3006000174006869"), b"", None])
    >>> made = transcode_column(wires, "amqp-0.9.1", source="mqtt-5.0")
    >>> made["converted"][0].as_py()[-3:-1], made["converted"].null_count
    (b'hi', 2)
    >>> [error and error["code"] for error in made["error"].to_pylist()]
    [None, 'truncated', 'no_wire']
    """

@overload
def convert(
    message: Message | BytesLike,
    to: Literal["amqp-1.0"],
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[amqp10.Message]:
    """Convert a message, or the wire bytes of one, into another protocol.

    `to` and `source` are names of protocols; only bytes need a `source`. `profile` is documented or the name of a shipped
    overlay (rabbitmq-4.0, rabbitmq-4.3, preserve). `rules` names one or more further overlays, or their files. Each process
    reads a file once. Raises NoRouteError, DecodeError, RuleTableError, ConversionError, ArgumentError for an argument of the
    wrong type, and LossError with every loss for the `on_loss` "fail", with every field that does not arrive for "strict".

    >>> done = convert(bytes.fromhex("3006000174006869"), "amqp-1.0", source="mqtt-5.0")
    >>> done.message.body
    Data(sections=[b'hi'])
    >>> [applied.rule for applied in done.report.applied]
    ['qos', 'payload']
    """

@overload
def convert(
    message: Message | BytesLike,
    to: Literal["amqp-0.9.1"],
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[amqp091.Message]: ...
@overload
def convert(
    message: Message | BytesLike,
    to: Literal["mqtt-5.0"],
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[mqtt5.Message]: ...
@overload
def convert(
    message: Message | BytesLike,
    to: Literal["mqtt-3.1.1"],
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[mqtt311.Message]: ...
@overload
def convert(
    message: Message | BytesLike,
    to: Literal["nsq"],
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[nsq.Message]: ...
@overload
def convert(
    message: Message | BytesLike,
    to: Literal["phpmq"],
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[phpmq.Message]: ...
@overload
def convert(
    message: Message | BytesLike,
    to: Literal["rocketmq"],
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[rocketmq.Message]: ...
@overload
def convert(
    message: Message | BytesLike,
    to: Literal["pulsar"],
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[pulsar.Message]: ...
@overload
def convert(
    message: Message | BytesLike,
    to: str,
    *,
    source: str | None = None,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Conversion[Message]: ...
@overload
def message_from_json(value: object, protocol: Literal["amqp-1.0"]) -> amqp10.Message:
    """Return the message of a JSON form; `protocol` is the default for a form without one.

    DecodeError names kind and field path (`header.ttl`, `application_properties[0][1]`) for JSON of any other form.

    >>> message_from_json({"topic_name": "t", "payload": "aGk="}, "mqtt-5.0").payload
    b'hi'
    """

@overload
def message_from_json(value: object, protocol: Literal["amqp-0.9.1"]) -> amqp091.Message: ...
@overload
def message_from_json(value: object, protocol: Literal["mqtt-5.0"]) -> mqtt5.Message: ...
@overload
def message_from_json(value: object, protocol: Literal["mqtt-3.1.1"]) -> mqtt311.Message: ...
@overload
def message_from_json(value: object, protocol: Literal["nsq"]) -> nsq.Message: ...
@overload
def message_from_json(value: object, protocol: Literal["phpmq"]) -> phpmq.Message: ...
@overload
def message_from_json(value: object, protocol: Literal["rocketmq"]) -> rocketmq.Message: ...
@overload
def message_from_json(value: object, protocol: Literal["pulsar"]) -> pulsar.Message: ...
@overload
def message_from_json(value: object, protocol: str | None = None) -> Message: ...
def check_rules(file: str | PathLike[str], *, profile: Profile | str = ...) -> list[str]:
    """Load a file with an overlay or tables, try its rows, and return the names of the tables that it changes or has.

    An overlay is tried over the tables of `profile`. The protocol of a file with tables must be installed. Raises NoRouteError
    for an unknown profile, and RuleTableError with the file, the line, and the mistake.

    >>> check_rules("/no/such/file.toml")
    Traceback (most recent call last):
    mqconvert.converters.errors.RuleTableError: /no/such/file.toml: cannot be read: ...
    """

@overload
def decode(
    protocol: Literal["amqp-1.0"], data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool
) -> amqp10.Message:
    """Return the one message in `data`. Raises DecodeError for other input, NoRouteError for an unknown protocol.

    `options` are those of the codec's `decode_all`, such as its limits; DecodeError `bad_option` lists the valid ones. With
    `spans` and no options but limits, it returns a Located; DecodeError `no_spans` where other frames stand beside the message.

    >>> decode("mqtt-5.0", bytes.fromhex("3006000174006869")).payload
    b'hi'
    >>> decode("mqtt-5.0", bytes.fromhex("3006000174006869"), spans=True).spans["payload"]
    (6, 8)
    """

@overload
def decode(
    protocol: Literal["amqp-0.9.1"], data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool
) -> amqp091.Message: ...
@overload
def decode(
    protocol: Literal["mqtt-5.0"], data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool
) -> mqtt5.Message: ...
@overload
def decode(
    protocol: Literal["mqtt-3.1.1"], data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool
) -> mqtt311.Message: ...
@overload
def decode(
    protocol: Literal["nsq"], data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool
) -> nsq.Message: ...
@overload
def decode(
    protocol: Literal["phpmq"], data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool
) -> phpmq.Message: ...
@overload
def decode(
    protocol: Literal["rocketmq"], data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool
) -> rocketmq.Message: ...
@overload
def decode(
    protocol: Literal["pulsar"], data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool
) -> pulsar.Message: ...
@overload
def decode(protocol: str, data: BytesLike, *, spans: Literal[False] = False, **options: str | int | bool) -> Message: ...
@overload
def decode(
    protocol: Literal["amqp-1.0"], data: BytesLike, *, spans: Literal[True], **options: str | int | bool
) -> Located[amqp10.Message]: ...
@overload
def decode(
    protocol: Literal["amqp-0.9.1"], data: BytesLike, *, spans: Literal[True], **options: str | int | bool
) -> Located[amqp091.Message]: ...
@overload
def decode(
    protocol: Literal["mqtt-5.0"], data: BytesLike, *, spans: Literal[True], **options: str | int | bool
) -> Located[mqtt5.Message]: ...
@overload
def decode(
    protocol: Literal["mqtt-3.1.1"], data: BytesLike, *, spans: Literal[True], **options: str | int | bool
) -> Located[mqtt311.Message]: ...
@overload
def decode(
    protocol: Literal["nsq"], data: BytesLike, *, spans: Literal[True], **options: str | int | bool
) -> Located[nsq.Message]: ...
@overload
def decode(
    protocol: Literal["phpmq"], data: BytesLike, *, spans: Literal[True], **options: str | int | bool
) -> Located[phpmq.Message]: ...
@overload
def decode(
    protocol: Literal["rocketmq"], data: BytesLike, *, spans: Literal[True], **options: str | int | bool
) -> Located[rocketmq.Message]: ...
@overload
def decode(
    protocol: Literal["pulsar"], data: BytesLike, *, spans: Literal[True], **options: str | int | bool
) -> Located[pulsar.Message]: ...
@overload
def decode(protocol: str, data: BytesLike, *, spans: Literal[True], **options: str | int | bool) -> Located[Message]: ...
@overload
def decode_all(protocol: Literal["amqp-1.0"], data: BytesLike, **options: str | int | bool) -> list[amqp10.Message]:
    """Return every message in `data`, members of batches one by one, at least one; raise the first DecodeError otherwise.

    `options` as for `decode`.

    >>> [message.payload for message in decode_all("mqtt-5.0", bytes.fromhex("3006000174006869") * 2)]
    [b'hi', b'hi']
    >>> decode_all("mqtt-5.0", b"", prefetch=5)
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.DecodeError: mqtt-5.0: no option 'prefetch'; known: stream, max_frames
    """

@overload
def decode_all(protocol: Literal["amqp-0.9.1"], data: BytesLike, **options: str | int | bool) -> list[amqp091.Message]: ...
@overload
def decode_all(protocol: Literal["mqtt-5.0"], data: BytesLike, **options: str | int | bool) -> list[mqtt5.Message]: ...
@overload
def decode_all(protocol: Literal["mqtt-3.1.1"], data: BytesLike, **options: str | int | bool) -> list[mqtt311.Message]: ...
@overload
def decode_all(protocol: Literal["nsq"], data: BytesLike, **options: str | int | bool) -> list[nsq.Message]: ...
@overload
def decode_all(protocol: Literal["phpmq"], data: BytesLike, **options: str | int | bool) -> list[phpmq.Message]: ...
@overload
def decode_all(protocol: Literal["rocketmq"], data: BytesLike, **options: str | int | bool) -> list[rocketmq.Message]: ...
@overload
def decode_all(protocol: Literal["pulsar"], data: BytesLike, **options: str | int | bool) -> list[pulsar.Message]: ...
@overload
def decode_all(protocol: str, data: BytesLike, **options: str | int | bool) -> list[Message]: ...
@overload
def decode_each(protocol: Literal["amqp-1.0"], data: BytesLike, **options: str | int | bool) -> Decoded[amqp10.Message]:
    """Return an iterator over the messages in `data`. An invalid member gives its DecodeError, and the others still follow.

    After an error that hides where the next message begins, or a limit, the iterator ends. A limit applies before the message
    beyond it is decoded. `options` as for `decode`; invalid ones raise at once.

    >>> list(decode_each("mqtt-5.0", bytes.fromhex("3006000174006869") + b"no packet"))
    [mqtt5.Message(topic_name='t', payload=b'hi'), DecodeError('packet type 6 is not a PUBLISH')]
    """

@overload
def decode_each(protocol: Literal["amqp-0.9.1"], data: BytesLike, **options: str | int | bool) -> Decoded[amqp091.Message]: ...
@overload
def decode_each(protocol: Literal["mqtt-5.0"], data: BytesLike, **options: str | int | bool) -> Decoded[mqtt5.Message]: ...
@overload
def decode_each(protocol: Literal["mqtt-3.1.1"], data: BytesLike, **options: str | int | bool) -> Decoded[mqtt311.Message]: ...
@overload
def decode_each(protocol: Literal["nsq"], data: BytesLike, **options: str | int | bool) -> Decoded[nsq.Message]: ...
@overload
def decode_each(protocol: Literal["phpmq"], data: BytesLike, **options: str | int | bool) -> Decoded[phpmq.Message]: ...
@overload
def decode_each(protocol: Literal["rocketmq"], data: BytesLike, **options: str | int | bool) -> Decoded[rocketmq.Message]: ...
@overload
def decode_each(protocol: Literal["pulsar"], data: BytesLike, **options: str | int | bool) -> Decoded[pulsar.Message]: ...
@overload
def decode_each(protocol: str, data: BytesLike, **options: str | int | bool) -> Decoded[Message]: ...
@overload
def decode_each_frame(protocol: Literal["nsq"], data: BytesLike, **options: str | int | bool) -> Iterator[nsq.Frame]:
    """Yield the frames of `decode_frames` one by one. Errors are raised during the iteration.

    >>> next(decode_each_frame("nsq", b"NOP\\nno command\\n"))
    Nop()
    """

@overload
def decode_each_frame(protocol: Literal["phpmq"], data: BytesLike, **options: str | int | bool) -> Iterator[phpmq.Frame]: ...
@overload
def decode_each_frame(
    protocol: Literal["rocketmq"], data: BytesLike, **options: str | int | bool
) -> Iterator[rocketmq.Frame]: ...
@overload
def decode_each_frame(protocol: Literal["pulsar"], data: BytesLike, **options: str | int | bool) -> Iterator[pulsar.Frame]: ...
@overload
def decode_each_frame(protocol: str, data: BytesLike, **options: str | int | bool) -> Iterator[Frame]: ...
@overload
def decode_frames(protocol: Literal["nsq"], data: BytesLike, **options: str | int | bool) -> list[nsq.Frame]:
    """Return every frame in `data`, at least one: commands, responses and messages; DecodeError otherwise.

    `options` are those of the protocol's codec; DecodeError `bad_option` lists the valid ones.

    >>> decode_frames("nsq", b"SUB orders archive\\nRDY 100\\n")
    [Sub(topic='orders', channel='archive'), Rdy(count=100)]
    """

@overload
def decode_frames(protocol: Literal["phpmq"], data: BytesLike, **options: str | int | bool) -> list[phpmq.Frame]: ...
@overload
def decode_frames(protocol: Literal["rocketmq"], data: BytesLike, **options: str | int | bool) -> list[rocketmq.Frame]: ...
@overload
def decode_frames(protocol: Literal["pulsar"], data: BytesLike, **options: str | int | bool) -> list[pulsar.Frame]: ...
@overload
def decode_frames(protocol: str, data: BytesLike, **options: str | int | bool) -> list[Frame]: ...
@overload
def frame_from_json(protocol: Literal["nsq"], value: object) -> nsq.Frame:
    """Return the frame of its JSON form; DecodeError has kind and field for other JSON.

    >>> frame_from_json("nsq", {"frame": "FIN", "message_id": "0123456789abcdef"})
    Fin(message_id=b'0123456789abcdef')
    """

@overload
def frame_from_json(protocol: Literal["phpmq"], value: object) -> phpmq.Frame: ...
@overload
def frame_from_json(protocol: Literal["rocketmq"], value: object) -> rocketmq.Frame: ...
@overload
def frame_from_json(protocol: Literal["pulsar"], value: object) -> pulsar.Frame: ...
@overload
def frame_from_json(protocol: str, value: object) -> Frame: ...
@overload
def converter(
    source: str, to: Literal["amqp-1.0"], *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[amqp10.Message]:
    """Return the cached converter from one protocol to another, for loops that convert many messages.

    Raises NoRouteError for an unknown protocol or profile, RuleTableError for overlays with a mistake.

    >>> converter("mqtt-5.0", "amqp-1.0").route.tables
    ['mqtt-5.0 -> amqp-1.0']
    """

@overload
def converter(
    source: str, to: Literal["amqp-0.9.1"], *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[amqp091.Message]: ...
@overload
def converter(
    source: str, to: Literal["mqtt-5.0"], *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[mqtt5.Message]: ...
@overload
def converter(
    source: str, to: Literal["mqtt-3.1.1"], *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[mqtt311.Message]: ...
@overload
def converter(
    source: str, to: Literal["nsq"], *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[nsq.Message]: ...
@overload
def converter(
    source: str, to: Literal["phpmq"], *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[phpmq.Message]: ...
@overload
def converter(
    source: str, to: Literal["rocketmq"], *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[rocketmq.Message]: ...
@overload
def converter(
    source: str, to: Literal["pulsar"], *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[pulsar.Message]: ...
@overload
def converter(
    source: str, to: str, *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...
) -> RouteConverter[Message]: ...
def generated_source(source: str, target: str, *, profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...) -> str:
    """Return the Python text of each leg's function. Raises NoRouteError and RuleTableError.

    >>> "def mqtt_5_0_to_amqp_1_0(source" in generated_source("mqtt-5.0", "amqp-1.0")
    True
    """

def rule_tables(profile: Profile | str = ..., rules: Rules | Iterable[Rules] = ...) -> list[RuleTable]:
    """Return every table in force under a profile and overlays. Raises NoRouteError for an unknown profile, RuleTableError.

    >>> "amqp-1.0 -> mqtt-5.0" in [table.name for table in rule_tables("rabbitmq-4.3")]
    True
    """

def transcode(
    data: BytesLike,
    to: str,
    *,
    source: str,
    profile: Profile | str = ...,
    rules: Rules | Iterable[Rules] = ...,
    environment: Environment = ...,
    on_loss: OnLoss | LossPolicy = ...,
) -> Transcoded:
    """Convert the wire bytes of one message to those of another protocol: the same as decode, convert and encode, but faster.

    Arguments and errors are those of `convert`, and EncodeError for a result that cannot be written, such as an MQTT packet
    without a topic. A `report` that is never read costs nothing.

    >>> transcode(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0").wire[-3:-1]
    b'hi'
    """
