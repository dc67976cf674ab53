"""The exceptions of the library, and the list of their codes.

    MqConvertError
    ├── ArgumentError        an argument of the wrong type; a TypeError, too
    ├── RuleTableError       an invalid table, with file and line; raised on loading only
    ├── NoRouteError         unknown protocol, or no way between the two
    ├── ClientLibraryError   a library that an adapter or codec needs is missing or too old
    ├── DeliveryError        a broker refused a message; raised by `mqconvert move` only
    ├── JobError             a Spark job cannot run, or not go on; raised by `mqconvert.app.batch` only
    ├── InternalError        a defect of mqconvert
    ├── MessageError         the input is not a message of its protocol
    │   ├── DecodeError      wire bytes or JSON without a valid message; offset and kind
    │   │   └── LimitError   input that exceeds a limit; limit
    │   └── EncodeError      a message that its protocol cannot carry; field
    └── ConversionError      a rule could not be applied; rule and field
        └── LossError        LossPolicy "fail" or "strict": lists every field that does not arrive

Every error has a `code` (stable, snake_case) and, where known, `field`, `rule`, `offset` and `protocol`; `as_dict()` is the
form that the command line, HTTP and Spark show. `str(error)` is the message with these places, for logs and tracebacks.
Where an option helps, it is the `remedy`, which the command line names as its flag; `hint` is a guess about the input.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

if TYPE_CHECKING:
    from mqconvert.converters.engine.report import Dropped, Lost

QUOTED = 200
"""Characters of a name from outside that an error quotes."""
_LONG = re.compile(rf"""(['"])((?:(?!\1).){{{QUOTED}}})(?:(?!\1).)+\1|(\S{{{QUOTED}}})\S+""", re.DOTALL)


def brief(text: str) -> str:
    """Return the text of an error with long names cut: quoted ones, and those without blanks.

    >>> brief(f"no protocol {'x' * 300!r} here") == f"no protocol '{'x' * 200}...' here"
    True
    """
    if len(text) <= QUOTED:
        return text
    return _LONG.sub(lambda found: f"{found[1]}{found[2]}...{found[1]}" if found[1] else f"{found[3]}...", text)


class Remedy(NamedTuple):
    """An option that avoids an error, with the value to set where only one helps.

    >>> str(Remedy("payload", "envelope")), Remedy("address").as_dict()
    ('the option payload=envelope', {'option': 'address'})
    """

    option: str
    value: str | None = None

    def __str__(self) -> str:
        return f"the option {self.option}" if self.value is None else f"the option {self.option}={self.value}"

    def is_in(self, given: Mapping[str, object]) -> bool:
        """Return whether options, by name, already have the value; without one, whether they have the option.

        >>> Remedy("escape", "true").is_in({"escape": True}), Remedy("clock").is_in({"escape": True})
        (True, False)
        """
        return self.option in given and self.value in (None, str(given[self.option]).lower())

    def as_dict(self) -> dict[str, str]:
        return {"option": self.option} if self.value is None else {"option": self.option, "value": self.value}


T = TypeVar("T", bound="MqConvertError")


class MqConvertError(Exception):
    """Base of all errors of this library. `message` is the `fault`, with the advice to try the `remedy` if there is one.

    >>> MqConvertError("no such thing", code="example", field="properties.to").as_dict()
    {'code': 'example', 'message': 'no such thing', 'field': 'properties.to'}
    >>> MqConvertError("empty body", code="example", remedy=Remedy("payload", "envelope")).message
    'empty body; try the option payload=envelope'
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        field: str | None = None,
        rule: str | None = None,
        offset: int | None = None,
        remedy: Remedy | None = None,
        names_field: bool = False,
    ) -> None:
        self.fault = brief(message)
        self.remedy = remedy
        super().__init__(self.message)
        self.code = code
        self.field = None if field is None else brief(field)
        self.rule = None if rule is None else brief(rule)
        self.offset = offset
        self.names_field = names_field
        """Whether the fault names the field, so that its text needs no other place."""
        self.problem: str | None = None
        """The fault without the place that it begins with, where it begins with one."""
        self.protocol: str | None = None
        """The protocol of the message, where the caller of its codec knows it."""
        self.hint: str | None = None
        """A guess about the input, as a sentence: set by who knows all of the input, and no part of the message."""

    @property
    def message(self) -> str:
        return self.fault + self.advice()

    @property
    def option(self) -> str | None:
        """Return the caller's option whose value a row refuses: its place in the row begins with `@`, as no field does.

        >>> MqConvertError("no topic", code="example", field="@address", rule="address-refused").option
        'address'
        >>> MqConvertError("no such field", code="example", field="@x").option  # a member of a message in JSON
        """
        return self.field[1:] if self.rule is not None and self.field is not None and self.field.startswith("@") else None

    def untried(self, given: Mapping[str, object]) -> None:
        """Take the remedy off if the caller's options, by name, already have it: it did not help.

        >>> error = MqConvertError("too long", code="example", remedy=Remedy("escape", "true"))
        >>> error.untried({"escape": True})
        >>> error.message
        'too long'
        """
        if self.remedy is not None and self.remedy.is_in(given):
            self.drop_remedy()

    def drop_remedy(self) -> None:
        """Take the remedy off."""
        self.remedy = None
        self.args = (self.message,)

    def advice(self, named: Callable[[Remedy], str] = str) -> str:
        """Return what to try, behind a semicolon; empty without a remedy. `named` says the option in a caller's words.

        >>> MqConvertError("empty body", code="example", remedy=Remedy("payload")).advice(lambda remedy: f"--{remedy.option}")
        '; try --payload'
        """
        return "" if self.remedy is None else f"; try {named(self.remedy)}"

    def redacted(self) -> Self:
        """Return the error without its text and hint, which may have values of the message: code, places and remedy stay.

        >>> MqConvertError("no topic: 'secret'", code="example", field="properties.to").redacted().as_dict()
        {'code': 'example', 'message': '(redacted)', 'field': 'properties.to'}
        """
        made: Self = _rebuild(type(self), self.message, self.__dict__)
        made.fault, made.hint = "(redacted)", None
        made.__dict__.pop("__notes__", None)  # such as the bytes around an offset
        made.args = (made.message,)
        return made

    def placed(self) -> str:
        """Return the fault with its protocol and those of its places that it does not name."""
        return self.fault

    def __str__(self) -> str:
        return self.placed() + self.advice()

    def as_dict(self) -> dict[str, Any]:
        """Return code, message and the other known members, for JSON."""
        remedy = None if self.remedy is None else self.remedy.as_dict()
        known = {"field": self.field, "rule": self.rule, "offset": self.offset, "remedy": remedy, "hint": self.hint}
        return {"code": self.code, "message": self.message} | {k: v for k, v in known.items() if v is not None}

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive BaseException's own pickling, and Spark workers pickle errors.
        return (_rebuild, (type(self), self.message, self.__dict__))


def _rebuild(kind: type[T], message: str, state: dict[str, object]) -> T:
    error = kind.__new__(kind, message)
    error.args = (message,)
    error.__dict__.update(state)
    return error


class ArgumentError(MqConvertError, TypeError):
    """An argument of the wrong type, named with its module. `code` is `bad_argument`, `field` the argument's name.

    >>> ArgumentError("data", "bytes", str).as_dict()
    {'code': 'bad_argument', 'message': 'data: expected bytes, got str', 'field': 'data'}
    """

    def __init__(self, name: str, expected: str, got: type, hint: str = "") -> None:
        given = got.__name__ if got.__module__ == "builtins" else f"{got.__module__}.{got.__qualname__}"
        super().__init__(f"{name}: expected {expected}, got {given}{hint}", code="bad_argument", field=name, names_field=True)


class RuleTableError(MqConvertError):
    """An invalid rule table. `code` is `bad_table`; the message is the `problem` behind its `file` and `line`.

    >>> str(RuleTableError("unknown place basic.nothing", file="mine.toml", line=7))
    'mine.toml:7: unknown place basic.nothing'
    """

    def __init__(self, problem: str, *, file: str, line: int | None = None, rule: str | None = None) -> None:
        where = file if line is None else f"{file}:{line}"
        super().__init__(f"{where}: {problem}", code="bad_table", rule=rule)
        self.file = file
        self.line = line
        self.problem: str = problem

    def as_dict(self) -> dict[str, Any]:
        line = {} if self.line is None else {"line": self.line}
        return super().as_dict() | {"file": self.file, **line, "problem": self.problem}


class NoRouteError(MqConvertError):
    """No such protocol or profile (`unknown_protocol`, `unknown_profile`), way, batches or frames (`no_route`, `no_...`).

    >>> NoRouteError("no way from a to b").code
    'no_route'
    """

    def __init__(self, message: str, *, code: str = "no_route") -> None:
        super().__init__(message, code=code)


class ClientLibraryError(MqConvertError, ImportError):
    """A library that an adapter needs is not installed (`missing_library`) or too old (`old_library`), or one that a codec
    needs is not installed (`missing_package`).

    >>> isinstance(ClientLibraryError("pip install pika", code="missing_library"), ImportError)
    True
    """


class DeliveryError(MqConvertError):
    """A broker refused a message for good; `code` says why, and the text has the broker's own words.

    >>> DeliveryError("returned: NO_ROUTE", code="unroutable").code
    'unroutable'
    """


class JobError(MqConvertError):
    """A Spark job cannot run with its input, output, columns or machine, or had to stop; `code` says why.

    >>> JobError("--input archive: there is no such path", code="bad_path").code
    'bad_path'
    """


class InternalError(MqConvertError):
    """A defect of mqconvert, which costs one message or request. `code` is `internal`.

    >>> InternalError("a worker process ended").as_dict()
    {'code': 'internal', 'message': 'a worker process ended'}
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, code="internal")


class MessageError(MqConvertError):
    """The input is not a message of its protocol.

    >>> issubclass(DecodeError, MessageError), issubclass(EncodeError, MessageError)
    (True, True)
    """

    def placed(self) -> str:
        return _placed(self)


class DecodeError(MessageError):
    """Bytes or JSON that cannot be read as a message.

    `code` (also `kind`) names the fault in one word, `offset` its byte.

    >>> DecodeError("truncated", "4 bytes announced, 2 left", offset=7).as_dict()
    {'code': 'truncated', 'message': '4 bytes announced, 2 left', 'offset': 7}
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        offset: int | None = None,
        field: str | None = None,
        remedy: Remedy | None = None,
        names_field: bool = False,
    ) -> None:
        super().__init__(message, code=kind, field=field, offset=offset, remedy=remedy, names_field=names_field)

    @property
    def kind(self) -> str:
        return self.code


class LimitError(DecodeError):
    """Input that exceeds a limit. `limit` names the option that sets it, and `code` is `too_large` or `too_many`.

    >>> LimitError("too_many", "a batch of 3 messages, the limit is 2", limit="max_batch").as_dict()
    {'code': 'too_many', 'message': 'a batch of 3 messages, the limit is 2 (max_batch)'}
    """

    def __init__(self, kind: str, message: str, *, limit: str, offset: int | None = None, field: str | None = None) -> None:
        super().__init__(kind, f"{message} ({limit})", offset=offset, field=field)
        self.limit = limit


class EncodeError(MessageError):
    """A message that its protocol cannot carry; `field` names the place.

    >>> EncodeError("bad_topic", "empty topic", field="topic_name").as_dict()
    {'code': 'bad_topic', 'message': 'empty topic', 'field': 'topic_name'}
    """

    def __init__(self, kind: str, message: str, *, field: str, remedy: Remedy | None = None, names_field: bool = False) -> None:
        super().__init__(message, code=kind, field=field, remedy=remedy, names_field=names_field)


class ConversionError(MqConvertError):
    """A rule could not be applied to a message.

    >>> str(ConversionError("fails", code="row_failed", field="header.ttl", rule="ttl"))
    'fails (field header.ttl, row ttl)'
    """

    def placed(self) -> str:
        return _placed(self)


def _placed(error: MqConvertError) -> str:
    place = f"option {error.option}" if error.option else f"field {error.field}"
    named = [] if not error.field or error.names_field else [place]
    named += [] if not error.rule else [f"row {error.rule}"]
    places = ", ".join([*named, *([] if error.offset is None else [f"byte {error.offset}"])])
    protocol = "" if error.protocol is None else f"{error.protocol}: "
    return f"{protocol}{error.fault}{f' ({places})' if places else ''}"


class LossError(ConversionError):
    """Raised under LossPolicy "fail" for a lost value, under "strict" also for a dropped one.

    `losses` lists the lost ones, `dropped` under "strict" the others; `conversion` is the result. On a route of two tables, the
    text names the table of each.

    >>> from mqconvert.converters.engine.report import Dropped, Lost
    >>> lost, dropped = Lost("footer[0]", "char", "no row takes it", None, 1), Dropped("dup", "dup", "no counterpart", 1)
    >>> str(LossError([lost], dropped=[dropped]))
    '1 lost: footer[0]: no row takes it; 1 dropped: dup: no counterpart'
    """

    def __init__(self, losses: "Sequence[Lost]", conversion: Any = None, dropped: "Sequence[Dropped]" = ()) -> None:
        tables = () if conversion is None else conversion.report.tables

        def told(entry: Any, why: str) -> str:
            return brief(f"{entry.field}{f' ({tables[entry.leg - 1]})' if len(tables) > 1 else ''}: {why}")

        lists = {"lost": [told(loss, loss.reason) for loss in losses], "dropped": [told(drop, drop.note) for drop in dropped]}
        words = "; ".join(f"{len(entries)} {kind}: {'; '.join(entries)}" for kind, entries in lists.items() if entries)
        first = losses[0] if losses else dropped[0]
        super().__init__(words, code="loss", field=first.field, rule=first.rule, names_field=True)
        self.fault = words  # brief() takes what stands between the quotes of two entries for one long name
        self.losses = tuple(losses)
        self.dropped = tuple(dropped)
        self.conversion = conversion

    def placed(self) -> str:
        return self.fault  # it names every field

    def redacted(self) -> Self:
        return self  # with reasons, which have no values

    def as_dict(self) -> dict[str, Any]:
        made = super().as_dict() | {"losses": [loss.as_dict() for loss in self.losses]}
        return made | {"dropped": [drop.as_dict() for drop in self.dropped]} if self.dropped else made


@contextmanager
def redacting(*, wanted: bool) -> Iterator[None]:
    """Raise errors of messages and of their conversion inside without their texts, if `wanted`.

    >>> with redacting(wanted=True):
    ...     raise DecodeError("bad_value", "no such text: secret", offset=4)
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.DecodeError: (redacted) (byte 4)
    """
    try:
        yield
    except (MessageError, ConversionError) as error:
        if not wanted:
            raise
        raise error.redacted() from None


@contextmanager
def of_protocol(name: str) -> Iterator[None]:
    """Name the protocol in errors of messages that are raised inside.

    >>> with of_protocol("nsq"):
    ...     raise EncodeError("bad_topic", "empty topic", field="topic")
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.EncodeError: nsq: empty topic (field topic)
    """
    try:
        yield
    except MessageError as error:
        error.protocol = name
        raise


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return a question in brackets with the known name nearest to `given`, or nothing.

    >>> did_you_mean("mqtt5", ["amqp-1.0", "mqtt-5.0"]), did_you_mean("xyz", ["amqp-1.0", "mqtt-5.0"])
    (" (did you mean 'mqtt-5.0'?)", '')
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only errors need it

    names = {name.lower(): name for name in known}
    nearest = get_close_matches(given.lower(), names, n=1, cutoff=0.7)
    return f" (did you mean {names[nearest[0]]!r}?)" if nearest else ""


def with_article(type_: str) -> str:
    """Return the name of a wire type behind its article; `u` is spoken as in "unsigned".

    >>> with_article("int"), with_article("array"), with_article("uint")
    ('an int', 'an array', 'a uint')
    """
    return f"{'an' if type_[:1] in 'aeio' else 'a'} {type_}"


def library_error(error: Exception) -> MqConvertError:
    """Return an error of the library unchanged, and any other as an InternalError.

    >>> library_error(KeyError("x")).as_dict()
    {'code': 'internal', 'message': "KeyError: 'x'"}
    """
    if isinstance(error, MqConvertError):
        return error
    made = InternalError(f"{type(error).__name__}: {error}")
    made.__cause__ = error
    return made


# ---- the codes ------------------------------------------------------------------------------------------------------

CODES = {
    # Names, tables, routes
    "bad_argument": "argument of the wrong type, named in the message",
    "bad_option": "invalid option value; the message lists the valid ones",
    "bad_table": "invalid rule table; the message begins with its file and line",
    "missing_library": "client library not installed; the message names the package",
    "missing_package": "package of an extra not installed; the message names the extra",
    "no_batches": "the protocol has no batches",
    "no_frames": "mqconvert reads only messages of this protocol, no other frames",
    "no_route": "no tables between the two protocols",
    "old_library": "client library too old",
    "unknown_profile": "unknown profile; the message lists the known ones",
    "unknown_protocol": "unknown, wrong or missing protocol",
    "wrong_message": "message of another protocol than the adapter's",
    # Reading wire bytes
    "bad_base64": "`wire` is not base64 (RFC 4648, with padding)",
    "bad_batch": "inconsistent batch, or a batch where none is allowed",
    "bad_body": "invalid body for its frame or command",
    "bad_channel": "invalid channel name in NSQ",
    "bad_checksum": "checksum mismatch",
    "bad_compression": "invalid compressed bytes",
    "bad_count": "invalid count of elements or fields: too many for the bytes or for the type",
    "bad_flags": "reserved or contradictory flag bits",
    "bad_frame": "frame of the wrong kind, class, method or channel, or without its end byte",
    "bad_header": "invalid header",
    "bad_length": "length that contradicts the content",
    "bad_magic": "wrong magic number at the beginning",
    "bad_number": "invalid number, or a number out of range",
    "bad_packet": "MQTT packet other than PUBLISH",
    "bad_property": "property with a name or value that the protocol cannot carry",
    "bad_protobuf": "invalid protobuf message",
    "bad_symbol": "AMQP 1.0 symbol that is not ASCII",
    "bad_topic": "missing or invalid topic name (the option `address` sets one, `escape` escapes invalid ones reversibly)",
    "bad_utf8": "text that is not UTF-8, or has forbidden characters",
    "bad_varint": "variable byte integer of more than 4 bytes",
    "frame_too_large": "frame larger than the limit",
    "invalid_command": "unknown command in NSQ",
    "invalid_params": "wrong parameters of a command",
    "line_too_long": "line longer than the limit; JSON lines skip it (`--max-line`, MQCONVERT_MAX_LINE)",
    "missing_chunk": "a message of Pulsar lacks a chunk, which the message names",
    "missing_command": "frame without its command",
    "missing_field": "required field is missing",
    "no_spans": "the bytes of fields are not known: the codec has none, or there are other frames beside the message",
    "no_message": "frame without a message",
    "packet_count": "wrong count of packets",
    "repeated_field": "duplicate field",
    "repeated_property": "duplicate property",
    "section_order": "duplicate sections of an AMQP 1.0 message, or sections out of order",
    "several_messages": "more than one message where only one is allowed",
    "trailing_bytes": "bytes after the end of the message",
    "truncated": "truncated: the input ends within a message",
    "unknown_command": "unknown command",
    "unknown_compression": "unknown compression",
    "unknown_frame_type": "unknown frame type",
    "unknown_packet": "unknown packet type",
    "unknown_property": "unknown property",
    "unknown_section": "unknown descriptor of a section of AMQP 1.0",
    "unknown_serialize_type": "unknown serialisation of a header",
    "unsupported_version": "unsupported version of the protocol",
    "wrong_packet": "wrong packet type",
    # Reading JSON, and writing messages
    "bad_json": "invalid JSON, or JSON of another form than expected",
    "bad_message": "not a message object, or a message with an invalid value",
    "bad_value": "invalid value for its wire type",
    "nesting": "values nest too deep (more than 100)",
    "too_large": "larger than a length field or a limit allows; the message names the limit",
    "too_many": "more messages, members of a batch or frames than a limit allows; the message names the limit",
    "unknown_field": "unknown member in JSON",
    "unknown_type": "unknown wire type",
    "wrong_type": "value of the wrong type for its field",
    # Converting
    "loss": "with `on_loss` `fail` a value was lost, with `strict` also dropped; `losses` and `dropped` list all",
    "row_failed": "a row failed on a value that the checks of the table did not cover",
    # Rows of tables that refuse
    "bad_delay": "a row refuses a delay beyond the target's maximum",
    "bad_time": "a row refuses a time beyond the target's range",
    "control_record": "a row refuses a broker's control record, which has no message",
    # Moving between brokers
    "refused_by_target": "the target refused a message for good; the message has its words",
    "unroutable": "no queue of the target takes the message at its address",
    # Frames of Spark, and defects of ours
    "bad_hex": "wire value that is not hexadecimal",
    "column_taken": "the frame already has a column of that name",
    "internal": "defect of mqconvert that fails one row or request; the log has its place",
    "missing_column": "the frame lacks that column",
    "no_wire": "null wire value in a frame",
    "wrong_column_type": "column of the wrong type",
}
"""The error codes of the library and their meanings. Codes are stable from the first release on.

`make generate` writes `docs/errors.md` from this list; a test compares it with the codes in the sources.
"""
