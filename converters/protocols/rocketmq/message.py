"""RocketMQ: one message, whether on its way to a broker or stored by one, and the frame that carries any command.

Defines dataclasses, their wire types and the rules for names. `None` is a field that was not sent. Field names are
those of the Java classes, in Python's spelling.
"""

import re
from dataclasses import dataclass, field, fields
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from operator import itemgetter
from typing import Final

from mqconvert.converters.model.compound import EntriesType
from mqconvert.converters.model.fields import frames, shown, tags, wire
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.model.plain import PAYLOAD, TIMES, TOPICS, BooleanType, IntegerType, TextType, name_type
from mqconvert.converters.model.wiretypes import wire_types

_UTF8 = TextType("utf8")


_PORT = re.compile(r"([+-]?)0*([0-9]{1,19})", re.ASCII)


@lru_cache(1024)  # the same hosts repeat
def parsed_host(text: str) -> tuple[bytes, int] | None:
    """Return the bytes of the address and the port of a host; None for any other text."""
    host, _, digits = text.rpartition(":")
    port = _PORT.fullmatch(digits)
    number = 2**31 if port is None else int(port[1] + port[2])  # without zeros: `int` refuses texts of more than 4,300 digits
    if not -(2**31) <= number < 2**31 or "%" in host:
        return None
    try:
        address = IPv6Address(host[1:-1]) if host.startswith("[") and host.endswith("]") else IPv4Address(host)
    except AddressValueError:
        return None
    return address.packed, number


def host_fault(host: object) -> str | None:
    """Return why a text is not the address and port of a host; None for `ip:port`, with an IPv6 address in brackets.

    >>> host_fault("[::1]:10911"), host_fault("localhost:10911")
    (None, 'not ip:port, an IPv6 address in brackets')
    """
    found = type(host) is str and parsed_host(host) is not None
    return None if found else "not ip:port, an IPv6 address in brackets"


_FRAMES: Final = ("send", "record")
"""The forms of a message, a send request and a stored record."""

DEFAULT_PRODUCER_GROUP: Final = "DEFAULT_PRODUCER"
DEFAULT_TOPIC: Final = "TBW102"
DEFAULT_TOPIC_QUEUE_NUMS: Final = 4
"""What send requests have for unset fields."""

ROCKETMQ_TYPES = wire_types(
    name_type("frame", _FRAMES),
    BooleanType("boolean"),
    IntegerType("int", -(2**31), 2**31 - 1),
    IntegerType("uint", 0, 2**32 - 1),
    IntegerType("long", -(2**63), 2**63 - 1),
    IntegerType("timestamp", -(2**63), 2**63 - 1, samples=TIMES),
    _UTF8,
    TextType("host", host_fault, [("", "192.0.2.1:10911"), ("IPv6", "[2001:db8::1]:10911")]),
    TextType("topic", samples=TOPICS, empty_is_unset=True),
    PAYLOAD,
)
"""Integer, Long, Boolean and String of header fields. `timestamp` is a Long of milliseconds since 1970, `topic`
a String checked by `topic_fault`, `uint` a magic number or a count."""

PROPERTIES = EntriesType("utf8-pairs", _UTF8, _UTF8, once=True)

MESSAGE_MAGIC_CODE: Final = 0xDAA320A7
MESSAGE_MAGIC_CODE_V2: Final = 0xDAA320AB
"""The magic of a stored record whose topic length has two bytes."""

SYS_FLAG_BITS: Final = 0x7F1
"""The bits of sysFlag that belong to the encoding: compression (0x701), IPv6 hosts (0x30), a batch inside a record (0xC0)."""

_NAME = re.compile(r"[a-zA-Z0-9%|_-]*")


@lru_cache(1024)  # the same topics repeat
def topic_fault(topic: str) -> str | None:
    """Return why brokers refuse a topic, or None: letters, digits and `%|-_`, up to 127 (255 for retry and dead-letter topics).

    >>> topic_fault("a/b")
    'a topic holds only letters, digits and % | - _'
    >>> topic_fault("t" * 128)
    '128 characters, a topic has at most 127'
    """
    if not topic:
        return "empty topic"
    if not _NAME.fullmatch(topic):
        return "a topic holds only letters, digits and % | - _"
    most = 255 if topic.startswith(("%RETRY%", "%DLQ%")) else 127
    return None if len(topic) <= most else f"{len(topic)} characters, a topic has at most {most}"


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Message:
    """One message. Its `frame` is its form on the wire:

    * `send`: a request SEND_MESSAGE_V2 (or SEND_MESSAGE); with a `batch_size` the member `batch_index` (from 0) of a
      SEND_BATCH_MESSAGE; with a `request_code` SEND_MESSAGE (10), SEND_REPLY_MESSAGE (324, 325) or PUSH_REPLY_MESSAGE_TO_CLIENT
      (326), which alone of them has `store_timestamp`, `born_host` and `store_host`;
    * `record`: a stored record, as in a response to PULL_MESSAGE; with a `request_code` a CHECK_TRANSACTION_STATE (39) or
      CONSUME_MESSAGE_DIRECTLY (309) with the record as body.

    Times are milliseconds since 1970. `body` is decompressed. `sys_flag` lacks the bits of the encoding (SYS_FLAG_BITS).
    The tag of a field has its names in send requests (see SENT), or its only name in a PUSH_REPLY_MESSAGE_TO_CLIENT.

    >>> Message(topic="t", body=b"hi", properties=[("TAGS", "a")]).queue_id is None
    True
    """

    topic: str = wire("topic", default="", unset="", tag=("b", "topic"))
    body: bytes = wire("payload", default=b"")
    properties: list[tuple[str, str]] | None = wire(PROPERTIES)
    """The entries that the Java reader finds. Of duplicate names, the last value is kept at the first position."""
    raw_properties: str | None = wire("utf8")
    """The property string itself, if `properties` would not restore it: duplicate names, entries that the reader drops,
    no separator at the end. It is then written in place of `properties`."""
    flag: int = wire("int", default=0, unset=0, tag=("h", "flag"))
    """The application's own flag."""
    sys_flag: int = wire("int", default=0, unset=0, tag=("f", "sysFlag"))
    """The bits on the wire: compression, transaction state, address families."""
    queue_id: int | None = wire("int", tag=("e", "queueId"))
    born_timestamp: int | None = wire("timestamp", tag=("g", "bornTimestamp"))
    reconsume_times: int | None = wire("int", tag=("j", "reconsumeTimes"))
    # Fields of send requests; every member of a batch has the request's values.
    producer_group: str | None = wire("utf8", frame="send", tag=("a", "producerGroup"))
    default_topic: str | None = wire("utf8", unset="", frame="send", tag=("c", "defaultTopic"))
    """Unset for TBW102."""
    default_topic_queue_nums: int | None = wire("int", frame="send", tag=("d", "defaultTopicQueueNums"))
    """Unset for 4."""
    unit_mode: bool | None = wire("boolean", unset=False, frame="send", tag=("k", "unitMode"))
    """Unset for false."""
    max_reconsume_times: int | None = wire("int", frame="send", tag=("l", "maxReconsumeTimes"))
    broker_name: str | None = wire("utf8", unset="", frame="send", tag=("n", "bname"))
    ext_fields: list[tuple[str, str]] | None = wire(PROPERTIES)
    """Header fields that send requests do not define; of a request with a record all of them."""
    # Fields of batch members.
    batch_index: int | None = wire("uint", frame="send")
    batch_size: int | None = wire("uint", frame="send")
    batch_properties: str | None = wire("utf8", unset="", frame="send")
    """The batch's own property string, on member 0 only."""
    batch_flag: int | None = wire("int", unset=0, frame="send")
    """The batch's own application flag, on every member; None for 0."""
    # Fields of stored records.
    queue_offset: int | None = wire("long", frame="record")
    physical_offset: int | None = wire("long", frame="record")
    """The offset of the record in the commit log."""
    store_timestamp: int | None = wire("timestamp", frame="record", tag=("storeTimestamp",))
    born_host: str | None = wire("host", frame="record", tag=("bornHost",))
    """`ip:port`, an IPv6 address in brackets."""
    store_host: str | None = wire("host", frame="record", tag=("storeHost",))
    prepared_transaction_offset: int | None = wire("long", unset=0, frame="record")
    """Unset for 0."""
    magic: int | None = wire("uint", frame="record")
    """MESSAGE_MAGIC_CODE_V2, unset if the length of the topic requires it."""
    request_code: int | None = wire("int")
    """Unset for a record on its own, and for SEND_MESSAGE, SEND_MESSAGE_V2 and SEND_BATCH_MESSAGE."""
    frame: str = wire("frame", default="send", unset="send")

    def __repr__(self) -> str:
        return shown(self)


FRAMES: Final = frames(Message, _FRAMES)
"""The forms of a message, each with the fields that it alone has."""

_NO_FIELDS: Final = {"property_string": ("i", "properties"), "batch": ("m", "batch")}
"""The property string of a send request, and whether its body is a batch: they are no fields of a message."""
_TAGS: Final = sorted({**tags(Message), **_NO_FIELDS}.items(), key=itemgetter(1))
SENT: Final[dict[str, tuple[str, str]]] = {field: tag for field, tag in _TAGS if len(tag) == 2}
"""The fields of a send request in the order of the Java class, with both columns of section 6.1's table: their names in
SEND_MESSAGE_V2 and in SEND_MESSAGE."""
PUSHED: Final[dict[str, str]] = {field: tag[0] for field, tag in _TAGS if len(tag) == 1}
"""The further fields of a PUSH_REPLY_MESSAGE_TO_CLIENT, with their names."""

SYSTEM_NAMES = frozenset({
    "KEYS", "TAGS", "UNIQ_KEY", "WAIT", "DELAY", "TIMER_DELAY_SEC", "TIMER_DELAY_MS", "TIMER_DELIVER_MS",
    "TIMER_ENQUEUE_MS", "TIMER_DEQUEUE_MS", "TIMER_OUT_MS", "TIMER_ROLL_TIMES", "TIMER_DEL_UNIQKEY", "TIMER_DELAY_LEVEL",
    "__SHARDINGKEY", "RETRY_TOPIC", "REAL_TOPIC", "REAL_QID", "ORIGIN_MESSAGE_ID", "RECONSUME_TIME",
    "MAX_RECONSUME_TIMES", "DLQ_ORIGIN_TOPIC", "DLQ_ORIGIN_MESSAGE_ID", "TRAN_MSG", "PGROUP", "__transactionId__",
    "TRAN_PREPARED_QUEUE_OFFSET", "TRANSACTION_CHECK_TIMES", "CHECK_IMMUNITY_TIME_IN_SECONDS", "CORRELATION_ID",
    "REPLY_TO_CLIENT", "TTL", "MSG_TYPE", "CLUSTER", "ARRIVE_TIME", "PUSH_REPLY_TIME", "MSG_REGION", "TRACE_ON",
    "TRACE_CONTEXT", "MIN_OFFSET", "MAX_OFFSET", "BUYER_ID", "INSTANCE_ID", "TRANSFER_FLAG", "CORRECTION_FLAG",
    "MQ2_FLAG", "CONSUME_START_TIME", "DUP_INFO", "EXTEND_UNIQ_INFO", "POP_CK", "POP_CK_OFFSET", "1ST_POP_TIME",
    "INNER_NUM", "INNER_BASE", "INNER_MULTI_DISPATCH", "INNER_MULTI_QUEUE_OFFSET", "PROPERTY_FORWARD_QUEUE_ID",
    "REDIRECT", "__BORNHOST", "BORN_TIMESTAMP", "__CRC32#",
})  # fmt: skip
"""Names of RocketMQ's own properties, which clients refuse to users."""


def is_system_name(name: str) -> bool:
    """Return whether a name belongs to RocketMQ itself.

    >>> is_system_name("KEYS"), is_system_name("__RMQ.TRANSIENT.a"), is_system_name("k")
    (True, True, False)
    """
    return name in SYSTEM_NAMES or (name.startswith("__RMQ.TRANSIENT.") and name.isascii())


RESPONSE_TYPE: Final = 1
RPC_ONEWAY: Final = 2
"""The bits of a frame's `flag` with a meaning; the others are unused and kept."""


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Frame:
    """One RemotingCommand: a request or a response with its header and body, any of them.

    `serialize_type` is JSON or ROCKETMQ, the serialisation of the header. `language` is a name of the language table; a lenient
    reader may give another number or text. `ext_fields` are the code's own fields in wire order, None where a JSON header has
    none. Only JSON headers have `serialize_type_current_rpc`, the serialisation that they state, and `other_members`, unknown
    to the protocol.

    >>> Frame(code=34, flag=RPC_ONEWAY).oneway
    True
    """

    code: int
    flag: int = 0
    language: str | int | None = "PYTHON"
    version: int = wire("int", default=0, tag="version")
    opaque: int = wire("int", default=0, tag="opaque")
    remark: str | None = wire("utf8", tag="remark")
    ext_fields: list[tuple[str, str]] | None = wire(PROPERTIES, default_factory=list)
    body: bytes = wire("payload", default=b"")
    serialize_type: str = wire("utf8", default="ROCKETMQ")
    serialize_type_current_rpc: str | None = wire("utf8", tag="serializeTypeCurrentRPC")
    other_members: JsonObject = field(default_factory=dict)

    def __repr__(self) -> str:
        return shown(self)

    @property
    def response(self) -> bool:
        return bool(self.flag & RESPONSE_TYPE)

    @property
    def oneway(self) -> bool:
        return bool(self.flag & RPC_ONEWAY)


HEADER: Final[dict[str, tuple[str, str]]] = {
    "code": ("code", "int"),
    "flag": ("flag", "int"),
    "language": ("language", "utf8"),
    **{each.name: (each.metadata["tag"], each.metadata["types"][0]) for each in fields(Frame) if each.metadata.get("tag")},
}
"""The members of a header in JSON by the fields of a frame: their names there, and their wire types. Besides them it has
extFields."""
FIXED: Final = ">hBhiii"
"""The layout of a binary header before the remark: code, language, version, opaque, flag, size of the remark."""
MEMBER: Final = ">iiiii"
"""The layout of a batch's member before its body: size, magic, checksum (both unused), flag, size of the body."""


pickled_by_fields(Message, Frame)
