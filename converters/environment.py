"""The options of a caller. Each is declared once, by `option`, as a field of a dataclass.

Checks, arguments of commands, members of requests and the reference page (docs/options.md) come from the declarations.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, Literal, NamedTuple, get_args, get_origin

from mqconvert.converters.errors import ConversionError, Remedy, did_you_mean
from mqconvert.converters.model.plain import unicode_fault
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.limits import MAX_REQ_TIMEOUT

Payload = Literal["body", "envelope"]
"""The kinds of payload for NSQ, PHPMQ, RocketMQ and Pulsar (see Environment)."""
PAYLOADS: tuple[Payload, ...] = get_args(Payload)

FRAMES = ("send", "message", "dispatch", "record")
"""The frames of mqconvert's own protocols (see Environment), which stand here so that an Environment imports none of them."""


def known_frames() -> Iterator[str]:
    """Yield the frames of our protocols, then those of installed packages, which are imported only then.

    >>> next(known_frames())
    'send'
    """
    yield from FRAMES
    yield from dict.fromkeys(frame for protocol in PROTOCOLS.values() for frame in protocol.frames if frame not in FRAMES)


def option(default: object, words: str, *, secret: bool = False, **facts: object) -> Any:
    """Declare an option as a field of a dataclass; the field's annotation is its type. `facts` are further ones of Option.

    The `repr` of the dataclass leaves out a `secret`.
    """
    given = {"default_factory" if callable(default) else "default": default}
    return field(**given, repr=not secret, metadata={"words": words, **facts})  # type: ignore[call-overload]  # one of the two


class Option(NamedTuple):
    """A declared option, as `options_of` gives it. `kind` is str, int, float, bool, or tuple for several texts.

    `words` are its help; `values` lists the valid values; `least` and `most` are the bounds of a number; `unset` is the word
    for None. `metavar` stands for a value in the help of commands; `flag` is its name there if it differs from the field's.
    """

    name: str
    kind: Any
    optional: bool
    default: object
    words: str
    values: Callable[[], Iterable[str]] | tuple[str, ...] | None = None
    least: int = 0
    most: int | None = None
    unset: str | None = None
    metavar: str | None = None
    flag: str | None = None

    def known(self) -> Iterable[str] | None:
        """Return the valid values; None if they are not listed."""
        return self.values() if callable(self.values) else self.values

    def check(self, value: object) -> None:
        """Raise ConversionError `bad_option` for an invalid value."""
        fault = None if value is None and self.optional else self._fault(value)
        if fault is not None:
            raise bad_option(self.name, fault)

    def _fault(self, value: Any) -> str | None:
        known = self.known()
        if known is not None:
            return None if value in known else one_of(self.known() or (), value)
        if self.kind is bool:
            return None if value.__class__ is bool else "true or false"
        if self.kind in (int, float):
            number = value.__class__ is int or value.__class__ is self.kind
            within = number and self.least <= value <= (value if self.most is None else self.most)
            return None if within else f"a number from {self.least}" + ("" if self.most is None else f" to {self.most}")
        return unicode_fault(value)


def one_of(known: Iterable[str], given: object) -> str:
    """Return the words for the valid values, with the one nearest to what was given."""
    names = [*map(str, known)]
    return f"one of {', '.join(names)}{did_you_mean(str(given), names)}"


def options_of(owner: type) -> tuple[Option, ...]:
    """Return the options of a dataclass, also those of fields that are such classes.

    >>> [option.name for option in options_of(Environment)][:2]
    ['address', 'mqtt_exchange']
    """
    found: list[Option] = []
    for one in fields(owner):
        if "words" in one.metadata:
            kinds = get_args(one.type) if type(None) in get_args(one.type) else (one.type,)
            default = one.default if one.default is not MISSING else None
            kind = get_origin(kinds[0]) or kinds[0]
            found.append(Option(one.name, str if kind is Literal else kind, len(kinds) > 1, default, **one.metadata))
        elif isinstance(one.type, type) and hasattr(one.type, "__dataclass_fields__"):
            found += options_of(one.type)
    return tuple(found)


def bad_option(name: str, words: str) -> ConversionError:
    """Return the error for an invalid option."""
    words = f"{name} {'is' if words.startswith('not ') else 'must be'} {words}"
    return ConversionError(words, code="bad_option", field=name, names_field=True)


_LATEST = (2**63 - 1) // 10**6
"""The last millisecond that NSQ's nanoseconds can express, in the year 2262."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The caller's values, which every row may read.

    * `address`: the destination; by default the source's own, if it has one.
    * `mqtt_exchange`: the exchange that RabbitMQ's MQTT plugin publishes to, for reply addresses.
    * `payload`: the payload for NSQ, PHPMQ, RocketMQ and Pulsar: the message's body (`body`), or the whole message in the
    encoding of AMQP 1.0 (`envelope`), which comes back equal.
    * `escape`: escape an address that is invalid in the target, instead of refusing it, and restore it on the way back.
    * `frame`: `send` (of all four brokers, the default), `message` (NSQ, Pulsar), `record` (RocketMQ), `dispatch` (PHPMQ).
    * `clock`: the time for a message without one. Without both, a target that requires a time is refused (`missing_field`).
    * `producer`, `sequence_id`: RocketMQ's and Pulsar's fields of that name, if the message has none.
    * `max_req_timeout_ms`: the longest delay that nsqd accepts, its own setting; the codec has an option of that name.

    ConversionError `bad_option` names an option with an invalid value.

    >>> from mqconvert import convert
    >>> from mqconvert.messages import amqp091
    >>> convert(amqp091.Message(payload=b"hi"), "mqtt-5.0", environment=Environment(address="a/b")).message.topic_name
    'a/b'
    >>> Environment(clock=-1)
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.ConversionError: clock must be a number from 0 to 9223372036854
    >>> Environment(address="\\ud800")
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.ConversionError: address is not valid UTF-8
    """

    address: str | None = option(None, "destination: a topic or queue, needed where the message names none")
    mqtt_exchange: str = option("amq.topic", "exchange of MQTT topics")
    payload: Payload = option(
        "body",
        "payload for NSQ, PHPMQ, RocketMQ and Pulsar: the body, or an envelope with the whole AMQP 1.0 message",
        values=PAYLOADS,
    )
    escape: bool = option(False, "escape addresses that are invalid in the target, reversibly")
    frame: str | None = option(
        None,
        "frame to build, for protocols with several",
        values=known_frames,
        metavar="|".join(FRAMES),  # without those of installed packages, which help would have to import
        unset="send",
    )
    clock: int | None = option(None, "time for targets that need one, in milliseconds since 1970", most=_LATEST, unset="now")
    producer: str = option("mqconvert", "name of the producer for RocketMQ and Pulsar")
    sequence_id: int = option(0, "sequence number of the message at its producer, for Pulsar", most=2**64 - 1)
    max_req_timeout_ms: int = option(
        MAX_REQ_TIMEOUT, "longest delay in milliseconds that nsqd accepts (its --max-req-timeout)", most=2**63 - 1
    )

    def __post_init__(self) -> None:
        for one in _OPTIONS:
            one.check(getattr(self, one.name))


_OPTIONS = options_of(Environment)


class _Unchecked(Environment):
    """An Environment that has the address of a message.

    A routing key of AMQP 0.9.1 may be invalid UTF-8. The rows of the next table decide whether it is an address.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        pass


def options_set(environment: Environment) -> dict[str, object]:
    """Return the options of an Environment that differ from their defaults, by name.

    >>> options_set(Environment(escape=True))
    {'escape': True}
    """
    return {one.name: value for one in _OPTIONS if (value := getattr(environment, one.name)) != one.default}


def with_remedy(environment: Environment, remedy: Remedy | None) -> Environment | None:
    """Return the environment with the option of a remedy; None without a remedy, or if the caller chooses its value.

    >>> with_remedy(Environment(producer="me"), Remedy("escape", "true")).escape, with_remedy(Environment(), Remedy("clock"))
    (True, None)
    """
    if remedy is None or remedy.value is None:
        return None
    kind = next(one.kind for one in _OPTIONS if one.name == remedy.option)
    tried: dict[str, Any] = {remedy.option: remedy.value == "true" if kind is bool else remedy.value}
    return replace(environment, **tried)


_values = attrgetter(*(field.name for field in fields(Environment)))
"""The options of an Environment, in order."""


def addressed(environment: Environment, address: str) -> Environment:
    """Return the environment with another address, and all other options unchanged.

    >>> addressed(Environment(producer="me"), "a/b").producer
    'me'
    """
    return _Unchecked(address, *_values(environment)[1:])


DEFAULT_ENVIRONMENT = Environment()
