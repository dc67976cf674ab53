"""Words for the tables of STOMP. Their names begin with `stomp-`, because all protocols share one namespace of words."""

from typing import Any

from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND
from mqconvert.converters.protocols.amqp10.words.stated import read_as
from mqconvert.converters.protocols.amqp10.words.textforms import id_text
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, Partial, condition, transform
from mqconvert_stomp.message import FIELDS, MESSAGE, SEND

_ALWAYS = frozenset(
    {
        *FIELDS, "content-length", "amqp-message-id", "amqp-to", "amqp-subject", "amqp-reply-to-group-id", "amqp-body",
        "content-encoding", "correlation-id", "reply-to", "user-id", "app-id", "type",
        "redelivered", "timestamp",
    }
)  # fmt: skip
_READ = {
    "persistent": "boolean", "priority": "ubyte", "expiration": "uint", "expires": "timestamp", "amqp-group-sequence": "uint",
}  # fmt: skip
"""Headers that become fields of AMQP 1.0 if their text is readable as this type."""

OWN = ("x-opt-stomp-", "x-basic-type")
"""Annotations that the tables read; a user's header of such a name stays a property."""


@transform("stomp-read-seconds", gives="int", passes=True)
def read_seconds(value: str) -> int | NotMine:
    """Return RabbitMQ's seconds since 1970 as milliseconds; leave any other text to the next row.

    >>> read_seconds("1700000000"), read_seconds("-1") is read_seconds("soon") is NOT_MINE
    (1700000000000, True)
    """
    plain = value.isascii() and value.isdigit() and len(value) <= 15 and str(int(value)) == value
    return int(value) * 1000 if plain else NOT_MINE


@transform("stomp-seconds", gives="str", passes=True, loses=True)
def seconds(value: int) -> str | Partial | NotMine:
    """Return milliseconds as seconds since 1970; leave times before 1970, or beyond the reader's range, to the next row.

    >>> seconds(2000), seconds(2500), seconds(-1) is NOT_MINE
    ('2', Partial(value='2', reason='a fraction of a second'), True)
    """
    whole, rest = divmod(value, 1000)
    if not 0 <= whole < 10**15:
        return NOT_MINE
    return Partial(str(whole), "a fraction of a second") if rest else str(whole)


@condition("stomp-zero")
def zero(value: Any) -> bool:
    """
    >>> zero("0"), zero("1")
    (True, False)
    """
    return bool(value == "0")


@transform("stomp-expires", gives="str", loses=True)
def expires(value: int) -> str | Loss:
    """Return milliseconds since 1970; 0 is lost.

    >>> expires(5), expires(0).reason
    ('5', '0 says in STOMP that the message never expires')
    """
    return str(value) if value else Loss("0 says in STOMP that the message never expires")


@condition("stomp-reserved")
def reserved(value: Any, key: Any) -> bool:
    """Return whether a property's name and text would have another meaning as a header.

    >>> reserved(5, "priority"), reserved("high", "priority"), reserved("a", "destination"), reserved("a", "k")
    (True, False, True, False)
    """
    if not key or key in _ALWAYS or key.startswith(("amqp-ap.", "amqp-ma.")):
        return True
    if key in _READ:
        return value.__class__ is not str or read_as(_READ[key], value) is not NOT_MINE
    return bool(key.startswith("x-") and key.isascii() and not key.startswith(OWN))


@condition("stomp-annotation")
def annotation(value: Any, key: Any) -> bool:  # noqa: ARG001 - the key decides
    """Return whether an annotation keeps its name: it begins with x-, and these tables do not read it.

    >>> annotation("a", "x-k"), annotation("a", "x-opt-stomp-ack"), annotation("a", "k"), annotation("a", 5)
    (True, False, False, False)
    """
    return key.__class__ is str and key.startswith("x-") and not key.startswith(OWN)


@condition("stomp-of-field")
def of_field(value: Any, key: Any) -> bool:  # noqa: ARG001 - the key decides
    """Return whether a header is a duplicate of a field of the message.

    >>> of_field("a", "destination"), of_field("a", "k")
    (True, False)
    """
    return key in FIELDS or key == "content-length"


@transform("stomp-second", gives="str", loses=True)
def second(value: str) -> Loss:  # noqa: ARG001 - the value is lost
    """
    >>> second("a")
    Loss(reason='of a header that comes again the first one counts')
    """
    return Loss("of a header that comes again the first one counts")


@transform("stomp-text", gives="str", loses=True)
def text(value: Any, type_: str) -> str | Partial | Loss:
    """Return the text of a value. STOMP has no types: simple values return as strings, compound values are lost.

    >>> text("a", "string"), text(5, "int").value, text([], "list").reason
    ('a', '5', 'STOMP has no type list')
    """
    if type_ in AMQP10_COMPOUND:
        return Loss(f"STOMP has no type {type_}")
    made = id_text(value, type_)
    if type_ == "string" or isinstance(made, Loss):
        return made
    return Partial(made, f"its type {type_}: a string comes back")


@transform("stomp-text-of", gives="str", loses=True)
def text_of_entry(value: Any, key: Any, type_: str) -> str | Partial | Loss:  # noqa: ARG001 - the row's condition has the same arguments
    """Return the text of a value, like `text`, for a row that reads an entry.

    >>> text_of_entry(True, "k", "boolean")
    Partial(value='true', reason='its type boolean: a string comes back')
    """
    return text(value, type_)


@condition("stomp-says-message")
def says_message(value: Any, frame: Any, id_: Any, said: Any, subscription: Any) -> bool:
    """Return whether a former MESSAGE can be one again: it has an id and a subscription, and the caller requests no frame.

    >>> says_message("MESSAGE", None, "1", None, TypedValue("string", "0")), says_message("MESSAGE", None, "1", None, None)
    (True, False)
    """
    return bool(value == MESSAGE and frame is None and complete(id_, said, subscription))


def complete(id_: Any, said: Any, subscription: Any) -> bool:
    """Return whether the required values of a MESSAGE exist: a message-id, also by annotation, and a subscription."""
    known = id_ is not None or _is_string(said)
    return known and _is_string(subscription)


def _is_string(typed: TypedValue | Entry | None) -> bool:
    return typed is not None and typed.type == "string"


@condition("stomp-says-send")
def says_send(value: Any, frame: Any) -> bool:
    """
    >>> says_send("SEND", None), says_send("SEND", "message")
    (True, False)
    """
    return bool(value == SEND and frame in (None, "send"))


@condition("stomp-said-as-asked")
def said_as_asked(value: Any, frame: Any) -> bool:
    """Return whether the caller requests the frame of this command.

    >>> said_as_asked("MESSAGE", "message"), said_as_asked("MESSAGE", "send")
    (True, False)
    """
    return bool(value == MESSAGE and frame == "message")


@condition("stomp-message-asked")
def message_asked(value: Any, id_: Any, said: Any, subscription: Any) -> bool:
    """
    >>> message_asked("message", "1", None, TypedValue("string", "0"))
    True
    """
    return value == "message" and complete(id_, said, subscription)


@condition("stomp-message-incomplete")
def message_incomplete(value: Any, id_: Any, said: Any, subscription: Any) -> bool:
    """
    >>> message_incomplete("message", None, None, None)
    True
    """
    return value == "message" and not complete(id_, said, subscription)


@transform("stomp-message-command", gives="str")
def message_command(value: Any) -> str:  # noqa: ARG001 - a constant
    """
    >>> message_command("message")
    'MESSAGE'
    """
    return MESSAGE


@condition("stomp-becomes-message")
def becomes_message(value: Any, type_: Any, frame: Any, command: Any, said: Any, subscription: Any) -> bool:
    """Return whether the id becomes the message-id of a MESSAGE: the target is a MESSAGE without an annotation for it.

    >>> becomes_message("1", "string", "message", None, None, TypedValue("string", "0"))
    True
    """
    asked = frame == "message" or (frame is None and command is not None and command.value == MESSAGE)
    return type_ is not None and asked and not _is_string(said) and complete(value, said, subscription)


@condition("stomp-id-of-delivery")
def id_of_delivery(value: Any, command: Any, id_: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """Return whether the message-id of a MESSAGE is the message's own id: there is no amqp-message-id.

    >>> id_of_delivery("1", "MESSAGE", None), id_of_delivery("T_0@@s@@1", "MESSAGE", "1"), id_of_delivery("1", "SEND", None)
    (True, False, False)
    """
    return command == MESSAGE and id_ is None
