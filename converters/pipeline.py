"""decode -> convert -> encode, with their errors, for every interface; compiled by mypyc.

An interface reads messages, and provides the last step (showing a conversion). The Pipeline returns an Answer for each message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from mqconvert.converters.choices import Choices
from mqconvert.converters.environment import Environment, options_set
from mqconvert.converters.errors import DecodeError, LimitError, LossError, MqConvertError, library_error
from mqconvert.converters.protocols.calls import decode_each
from mqconvert.converters.running import Conversion

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message

T = TypeVar("T")


class Answer(Generic[T]):
    """The result for one message: `made` from the last step of a pipeline, or an `error`.

    >>> Answer(made=5).result()
    5
    """

    __slots__ = ("conversion", "error", "made", "message")

    def __init__(
        self,
        message: Any = None,
        conversion: Conversion | None = None,
        made: T | None = None,
        error: MqConvertError | None = None,
    ) -> None:
        self.message = message
        self.conversion = conversion
        self.made = made
        self.error = error

    def result(self) -> T:
        """Return the result, or raise the error."""
        if self.error is not None:
            raise self.error
        made: Any = self.made
        return made  # type: ignore[no-any-return]  # T may be None


class Read(NamedTuple):
    """The messages and invalid members of one value, and the number of its frames without a message (option `stream`)."""

    found: list[Message | DecodeError]
    skipped: int = 0


class Pipeline(Generic[T]):
    """Runs decode -> convert -> encode from one protocol to another. Raises NoRouteError and RuleTableError.

    `write` is the last step: it turns a conversion into the interface's output. `reading` are options of the source's codec;
    `max_batch` limits the messages of one value in every protocol.

    >>> from mqconvert import encode
    >>> from mqconvert.converters.choices import Choices
    >>> way = Pipeline(Choices(), "mqtt-5.0", "mqtt-3.1.1", lambda done: encode(done.message))
    >>> [way.answer(message).made for message in way.read(bytes.fromhex("30050001740068")).found]
    [b'0\\x04\\x00\\x01th']
    """

    __slots__ = ("choices", "convert", "environment", "max_batch", "on_loss", "reading", "source", "target", "write")

    def __init__(
        self,
        choices: Choices,
        source: str,
        target: str,
        write: Callable[[Conversion], T],
        reading: Mapping[str, Any] | None = None,
        max_batch: int | None = None,
    ) -> None:
        self.convert: Callable[[Message, Environment, Any], Conversion] = choices.converter(source, target).convert
        self.choices = choices
        self.environment = choices.environment
        self.on_loss = choices.on_loss
        self.write = write
        self.reading = dict(reading or {})
        self.max_batch = max_batch
        self.source = source
        """The protocol of the incoming messages."""
        self.target = target

    def __reduce__(self) -> tuple[object, ...]:
        return Pipeline, (self.choices, self.source, self.target, self.write, self.reading, self.max_batch)

    def read(self, wire: bytes) -> Read:
        """Return the messages of a value, and the errors of invalid members; raise the error of a value without messages."""
        decoded = decode_each(self.source, wire, **self.reading)
        found = list(decoded) if self.max_batch is None else within(decoded, self.max_batch)
        if len(found) == 1 and isinstance(found[0], DecodeError):
            raise found[0]
        return Read(found, decoded.skipped)

    def answer(self, message: Message | DecodeError, environment: Environment | None = None) -> Answer[T]:
        """Convert one message, in another Environment if one is given, and run the last step on the conversion.

        The answer to the error of an invalid member is that error.
        """
        if isinstance(message, DecodeError):
            return Answer(error=message)
        conversion = None
        try:
            conversion = self.convert(message, environment or self.environment, self.on_loss)
            return Answer(message, conversion, self.write(conversion))
        except LossError as error:
            return Answer(message, error.conversion, error=error)
        except Exception as error:  # noqa: BLE001 - see library_error
            known = library_error(error)
            known.untried(options_set(environment or self.environment))
            return Answer(message, conversion, error=known)


def within(messages: Iterable[T], max_batch: int, field: str = "wire") -> list[T]:
    """Return the messages; LimitError `too_many` as soon as there are more than `max_batch`.

    >>> within(iter("ab"), 2)
    ['a', 'b']
    """
    found = list(islice(messages, max_batch + 1))
    if len(found) > max_batch:
        raise LimitError("too_many", f"more than {max_batch} messages in one value", limit="max_batch", field=field)
    return found
