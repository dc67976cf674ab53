"""decode -> convert -> encode, with their errors, for every interface.

An interface provides the first step (reading messages) and the last one (showing a conversion). The Pipeline runs them
around the conversion, and yields one Answer for each message.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Generic, TypeVar

from mqconvert import mappings
from mqconvert.converters.engine.report import LossPolicy
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment, bad_option, option, options_of
from mqconvert.converters.errors import LimitError, LossError, MqConvertError
from mqconvert.converters.protocols import Message, protocol_of
from mqconvert.converters.protocols.calls import decode_all, decode_each
from mqconvert.converters.routes import DOCUMENTED, RouteConverter, Rules, converter, routes
from mqconvert.converters.running import Conversion

T = TypeVar("T")


def profiles() -> tuple[str, ...]:
    """Return the names of the profiles.

    >>> profiles()
    ('documented', 'preserve', 'rabbitmq-4.0', 'rabbitmq-4.3')
    """
    return DOCUMENTED, *mappings.overlay_names()


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a caller: the tables, the Environment, and the policy for losses."""

    profile: str = option(DOCUMENTED, "set of tables", values=profiles)
    rules: tuple[Rules, ...] = option((), "overlay with rows that change the tables", metavar="FILE|NAME")
    environment: Environment = DEFAULT_ENVIRONMENT
    on_loss: str = option(LossPolicy.REPORT.value, "handling of losses: report, fail or ignore", values=tuple(LossPolicy))

    def __post_init__(self) -> None:
        _ON_LOSS.check(self.on_loss)

    def converter(self, source: str, target: str) -> RouteConverter:
        """Return the converter between two protocols. Raises NoRouteError and RuleTableError."""
        return converter(source, target, profile=self.profile, rules=self.rules)


OPTIONS = options_of(Choices)
"""The options of a conversion in every interface."""

_ON_LOSS = OPTIONS[-1]
_ENVIRONMENT = options_of(Environment)


def choices_of(given: Mapping[str, Any], **more: Any) -> Choices:
    """Return the Choices of the given options. Missing options have their defaults; `more` replaces those that are None.

    >>> choices_of({"address": "a/b", "clock": None, "fields": "wire"}, clock=5).environment.clock
    5
    """
    chosen = {one.name: given[one.name] for one in OPTIONS if one.name in given}
    chosen |= {name: value for name, value in more.items() if chosen.get(name) is None}
    own = {one.name: chosen.pop(one.name) for one in _ENVIRONMENT if one.name in chosen}
    if "rules" in chosen:
        chosen["rules"] = tuple(chosen["rules"])
    return Choices(environment=Environment(**own), **chosen)


@dataclass(slots=True)
class Answer(Generic[T]):
    """The result for one message: `made` from the last step, or an `error`."""

    message: Any = None
    conversion: Conversion | None = None
    made: T | None = None
    error: MqConvertError | None = None

    def result(self) -> T:
        """Return the result, or raise the error."""
        if self.error is not None:
            raise self.error
        made: Any = self.made
        return made  # type: ignore[no-any-return]  # T may be None


@dataclass(frozen=True, slots=True)
class Pipeline(Generic[T]):
    """Runs decode -> convert -> encode from one protocol to another.

    `write` is the last step: it turns a conversion into the interface's output. `reading` are options of the source's codec;
    `max_batch` limits the messages of one value in every protocol.

    >>> from mqconvert import encode
    >>> way = Pipeline(Choices().converter("mqtt-5.0", "mqtt-3.1.1"), Choices(), lambda done: encode(done.message))
    >>> [answer.made or answer.error.code for answer in way.answers(lambda: way.messages(bytes.fromhex("30050001740068")))]
    [b'0\\x04\\x00\\x01th']
    >>> [answer.made or answer.error.code for answer in way.answers(lambda: way.messages(b"0"))]
    ['truncated']
    """

    ready: RouteConverter
    choices: Choices
    write: Callable[[Conversion], T]
    reading: Mapping[str, Any] = field(default_factory=dict)
    max_batch: int | None = None

    @property
    def source(self) -> str:
        """Return the protocol of the incoming messages."""
        return self.ready.route.source

    def messages(self, wire: bytes) -> list[Message]:
        """Return the messages of a value, at least one. Raises DecodeError."""
        if self.max_batch is None:
            return decode_all(self.source, wire, **self.reading)
        return within(decode_each(self.source, wire, **self.reading), self.max_batch)

    def answers(self, read: Callable[[], Iterable[Any]]) -> Iterator[Answer[T]]:
        """Yield an answer for each message from `read`. An error while reading is the last answer."""
        try:
            for message in read():
                yield self.answer(message)
        except Exception as error:  # noqa: BLE001 - see fault
            yield Answer(error=fault(error))

    def answer(self, message: Any) -> Answer[T]:
        """Convert one message, and run the last step on the conversion."""
        conversion = None
        try:
            conversion = self.ready.convert(message, self.choices.environment, self.choices.on_loss)
            return Answer(message, conversion, self.write(conversion))
        except LossError as error:
            return Answer(message, error.conversion, error=error)
        except Exception as error:  # noqa: BLE001 - see fault
            return Answer(message, conversion, error=fault(error))


def with_address(message: Message, environment: Environment) -> Message:
    """Return a message with the address of an Environment if it lacks one. Rows of a table to its protocol set it.

    Raises ConversionError for a protocol whose messages have no address, or an address that it refuses.

    >>> from mqconvert.messages import mqtt5
    >>> with_address(mqtt5.Message(payload=b"hi"), Environment(address="a/b")).topic_name
    'a/b'
    """
    protocol = protocol_of(message)
    ways = (converter(way.source, way.target) for way in routes() if way.target == protocol.name and len(way.legs) == 1)
    for way in ways:
        home = way.legs[0].home
        if home is not None:
            there = converter(protocol.name, way.route.source).convert(message).message
            made: Any = way.convert(there, environment).message
            addressed: Message = filled(message, made, home.split("."))
            return addressed
    raise bad_option("address", f"not usable: messages of {protocol.title} have no address")


def filled(held: Any, made: Any, path: list[str]) -> Any:
    """Return `held` with the value of `made` at a path, if `held` has none there.

    >>> from mqconvert.messages import nsq
    >>> filled(nsq.Message(), nsq.Message(topic="t"), ["topic"]).topic
    't'
    """
    name, *inner = path
    mine, new = getattr(held, name), getattr(made, name)
    if inner:
        mine = type(new)() if mine is None else mine
        return replace(held, **{name: filled(mine, new, inner)})
    return held if mine else replace(held, **{name: new})


def fault(error: Exception) -> MqConvertError:
    """Return an error of the library unchanged, and wrap any other as `internal`: a defect costs one message.

    >>> fault(KeyError("x")).as_dict()
    {'code': 'internal', 'message': "KeyError: 'x'"}
    """
    if isinstance(error, MqConvertError):
        return error
    made = MqConvertError(f"{type(error).__name__}: {error}", code="internal")
    made.__cause__ = error
    return made


def within(messages: Iterable[T], max_batch: int | None, field: str = "wire") -> list[T]:
    """Return the messages; LimitError `too_many` as soon as there are more than `max_batch`.

    >>> within(iter("ab"), 2), within("ab", None)
    (['a', 'b'], ['a', 'b'])
    """
    found = list(messages if max_batch is None else islice(messages, max_batch + 1))
    if max_batch is not None and len(found) > max_batch:
        raise LimitError("too_many", f"more than {max_batch} messages in one value", limit="max_batch", field=field)
    return found
