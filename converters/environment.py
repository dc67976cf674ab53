"""What belongs to the caller of a conversion and not to the message: one object, which every row may read."""

from dataclasses import dataclass, fields
from operator import attrgetter

from mqconvert.converters.errors import ConversionError
from mqconvert.converters.model.plain import unicode_fault
from mqconvert.converters.protocols import PROTOCOLS

PAYLOADS = ("body", "envelope")
"""What NSQ and PHPMQ may carry; see Environment."""

FRAMES = tuple(dict.fromkeys(frame for protocol in PROTOCOLS.known() for frame in protocol.frames))
"""The frames that rows of mqconvert's own tables know, where a protocol has several; see Environment."""


def known_frames() -> list[str]:
    """The frames of every protocol, those of installed packages too.

    >>> known_frames()[:2]
    ['send', 'message']
    """
    return list(dict.fromkeys(frame for protocol in PROTOCOLS.values() for frame in protocol.frames))


_LATEST = (2**63 - 1) // 10**6
"""The last millisecond that NSQ's nanoseconds can say, in the year 2262."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What belongs to the caller and not to the message.

    * `address`: where the message goes (a topic or queue); without one it is taken from the source, where that has one.
    * `mqtt_exchange`: the exchange that RabbitMQ's MQTT plugin publishes to, for reply addresses.
    * `payload`: what NSQ and PHPMQ, which have no properties, carry: the payload alone (`body`), or the whole message in the
      encoding of AMQP 1.0 (`envelope`).
    * `escape`: write an address that is not legal in the target reversibly, instead of refusing it; and read it back.
    * `frame`: the frame to build where a protocol has several: `send` (of all four brokers), `message` (NSQ, Pulsar), `record`
      (RocketMQ), `dispatch` or `003` (PHPMQ); by default what the message says of itself, and else the one that sends.
    * `clock`: the current time in milliseconds since 1970, for targets that need a time where the message states none; None:
      such a message is refused (`missing_field`).
    * `producer`, `sequence_id`: who sends, for RocketMQ's and Pulsar's fields of that name, where the message has none.

    Texts are those that UTF-8 can write; `clock` is at most 9,223,372,036,854 and `sequence_id` 2^64-1. ConversionError
    `bad_option` names the one that is not so.

    >>> from mqconvert import convert
    >>> from mqconvert.converters.protocols.amqp091.message import Message
    >>> convert(Message(payload=b"hi"), "mqtt-5.0", environment=Environment(address="a/b")).message.topic_name
    'a/b'
    >>> Environment(payload="letter")
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.ConversionError: payload is one of body, envelope
    >>> Environment(address="\\ud800")
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.ConversionError: address is not valid UTF-8
    """

    address: str | None = None
    mqtt_exchange: str = "amq.topic"
    payload: str = "body"
    escape: bool = False
    frame: str | None = None
    clock: int | None = None
    producer: str = "mqconvert"
    sequence_id: int = 0

    def __post_init__(self) -> None:
        if self.payload not in PAYLOADS:
            raise bad_option("payload", f"one of {', '.join(PAYLOADS)}")
        if self.frame is not None and self.frame not in FRAMES and self.frame not in (known := known_frames()):
            raise bad_option("frame", f"one of {', '.join(known)}")
        if self.escape.__class__ is not bool:
            raise bad_option("escape", "true or false")
        for name, text in (("address", self.address), ("mqtt_exchange", self.mqtt_exchange), ("producer", self.producer)):
            fault = None if text is None and name == "address" else unicode_fault(text)
            if fault is not None:
                raise bad_option(name, fault)
        for name, number, most in (("clock", self.clock, _LATEST), ("sequence_id", self.sequence_id, 2**64 - 1)):
            if number is None and name == "clock":
                continue
            if number.__class__ is not int or not 0 <= number <= most:
                raise bad_option(name, f"a number from 0 to {most}")


def bad_option(name: str, words: str) -> ConversionError:
    """The error of an option that a caller gave."""
    return ConversionError(f"{name} is {words}", code="bad_option", field=name)


class _Addressed(Environment):
    """With an address that a message came with, unchecked: a routing key of AMQP 0.9.1 may be no UTF-8, and whether that is
    an address is for the rows of the next table.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        pass


_but_address = attrgetter(*(field.name for field in fields(Environment)[1:]))
"""Every option of an Environment but the first, in their order."""


def addressed(environment: Environment, address: str) -> Environment:
    """The environment with another address, and every other option as it is.

    >>> addressed(Environment(producer="me"), "a/b").producer
    'me'
    """
    return _Addressed(address, *_but_address(environment))


DEFAULT_ENVIRONMENT = Environment()
