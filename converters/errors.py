"""The exceptions of the library.

    MqConvertError
    ├── ArgumentError        an argument of the wrong type; a TypeError, too
    ├── RuleTableError       an invalid table, with file and line; raised on loading only
    ├── NoRouteError         unknown protocol, or no way between the two
    ├── ClientLibraryError   a client library is missing or too old; raised when its adapter is imported
    ├── MessageError         the input is not a message of its protocol
    │   ├── DecodeError      wire bytes or JSON without a valid message; offset and kind
    │   │   └── LimitError   input that exceeds a limit; limit
    │   └── EncodeError      a message that its protocol cannot carry; field
    └── ConversionError      a rule could not be applied; rule and field
        └── LossError        LossPolicy "fail": lists every loss of the message

Every error has a `code` (stable, snake_case) and, where known, `field`, `rule` and `offset`; `as_dict()` is the form
that the command line, HTTP and Spark show.
"""

from collections.abc import Iterable, Sequence
from typing import Any


class MqConvertError(Exception):
    """Base of all errors of this library.

    >>> MqConvertError("no such thing", code="example", field="properties.to").as_dict()
    {'code': 'example', 'message': 'no such thing', 'field': 'properties.to'}
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        field: str | None = None,
        rule: str | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.field = field
        self.rule = rule
        self.offset = offset

    def as_dict(self) -> dict[str, Any]:
        """Return code, message and the other known members, for JSON."""
        known = {"field": self.field, "rule": self.rule, "offset": self.offset}
        return {"code": self.code, "message": self.message} | {k: v for k, v in known.items() if v is not None}

    def __reduce__(self) -> tuple[Any, ...]:
        # Keyword-only arguments do not survive BaseException's own pickling, and Spark workers pickle errors.
        return (_rebuild, (type(self), self.message, self.__dict__))


def _rebuild(kind: type[MqConvertError], message: str, state: dict[str, Any]) -> MqConvertError:
    error = kind.__new__(kind, message)
    error.args = (message,)
    error.__dict__.update(state)
    return error


class ArgumentError(MqConvertError, TypeError):
    """An argument of the wrong type. `code` is `bad_argument`, `field` the argument's name.

    >>> ArgumentError("data", "bytes", str).as_dict()
    {'code': 'bad_argument', 'message': 'data: expected bytes, got str', 'field': 'data'}
    """

    def __init__(self, name: str, expected: str, got: type[Any], hint: str = "") -> None:
        super().__init__(f"{name}: expected {expected}, got {got.__name__}{hint}", code="bad_argument", field=name)


class RuleTableError(MqConvertError):
    """An invalid rule table. `code` is `bad_table`.

    >>> str(RuleTableError("unknown place basic.nothing", file="mine.toml", line=7))
    'mine.toml:7: unknown place basic.nothing'
    """

    def __init__(self, problem: str, *, file: str, line: int | None = None, rule: str | None = None) -> None:
        where = file if line is None else f"{file}:{line}"
        super().__init__(f"{where}: {problem}", code="bad_table", rule=rule)
        self.file = file
        self.line = line
        self.problem = problem


class NoRouteError(MqConvertError):
    """No such protocol or profile (`unknown_protocol`, `unknown_profile`), way, batches or frames (`no_route`, `no_...`).

    >>> NoRouteError("no way from a to b").code
    'no_route'
    """

    def __init__(self, message: str, *, code: str = "no_route") -> None:
        super().__init__(message, code=code)


class ClientLibraryError(MqConvertError, ImportError):
    """A client library that an adapter needs is not installed (`missing_library`) or too old (`old_library`).

    >>> isinstance(ClientLibraryError("pip install pika", code="missing_library"), ImportError)
    True
    """


class MessageError(MqConvertError):
    """The input is not a message of its protocol.

    >>> issubclass(DecodeError, MessageError), issubclass(EncodeError, MessageError)
    (True, True)
    """


class DecodeError(MessageError):
    """Bytes or JSON that cannot be read as a message.

    `code` (also `kind`) names the fault in one word, `offset` its byte.

    >>> DecodeError("truncated", "4 bytes announced, 2 left", offset=7).as_dict()
    {'code': 'truncated', 'message': '4 bytes announced, 2 left', 'offset': 7}
    """

    def __init__(self, kind: str, message: str, *, offset: int | None = None, field: str | None = None) -> None:
        super().__init__(message, code=kind, field=field, offset=offset)

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

    def __init__(self, kind: str, message: str, *, field: str) -> None:
        super().__init__(message, code=kind, field=field)


class ConversionError(MqConvertError):
    """A rule could not be applied to a message.

    >>> ConversionError("values nest too deep", code="nesting").code
    'nesting'
    """


class LossError(ConversionError):
    """Raised under LossPolicy "fail" when a value was lost. `losses` lists them; `conversion` is the result.

    >>> from mqconvert.converters.engine.report import Lost
    >>> str(LossError([Lost("footer[0]", "char", "no row takes it", None, 1)]))
    '1 lost: footer[0]: no row takes it'
    """

    def __init__(self, losses: Sequence[Any], conversion: Any = None) -> None:
        lines = "; ".join(f"{loss.field}: {loss.reason}" for loss in losses)
        super().__init__(f"{len(losses)} lost: {lines}", code="loss", field=losses[0].field, rule=losses[0].rule)
        self.losses = tuple(losses)
        self.conversion = conversion

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {"losses": [loss.as_dict() for loss in self.losses]}


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return a question in brackets with the known name nearest to `given`, or nothing.

    >>> did_you_mean("mqtt5", ["amqp-1.0", "mqtt-5.0"]), did_you_mean("xyz", ["amqp-1.0", "mqtt-5.0"])
    (" (did you mean 'mqtt-5.0'?)", '')
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only errors need it

    names = {name.lower(): name for name in known}
    nearest = get_close_matches(given.lower(), names, n=1, cutoff=0.7)
    return f" (did you mean {names[nearest[0]]!r}?)" if nearest else ""
