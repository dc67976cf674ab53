"""Words for the tables of STOMP. Their names begin with `stomp-`, because all protocols share one namespace of words."""

from typing import Any

from mqconvert.plugin import AMQP10_COMPOUND, NOT_MINE, Loss, Partial, condition, id_text, read_as, transform
from mqconvert_stomp.message import FIELDS

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

_OWN = ("x-opt-stomp-", "x-basic-type")
"""Annotations that the tables read; a user's header of such a name stays a property."""


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
    return bool(key.startswith("x-") and key.isascii() and not key.startswith(_OWN))


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
    return Partial(made, f"its type {type_}: the way back gives string")
