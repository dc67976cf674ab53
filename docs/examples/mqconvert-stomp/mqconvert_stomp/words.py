"""Words for the tables of STOMP. Their names begin with `stomp-`, because all protocols share one namespace of words."""

from typing import Any

from mqconvert.plugin import AMQP10_COMPOUND, Loss, Partial, condition, id_text, transform
from mqconvert_stomp.message import FIELDS


@condition("stomp-field")
def is_field(key: Any) -> bool:
    """Return whether a header has a place outside `headers`: a field of a message, or the length of its body.

    >>> is_field("content-type"), is_field("content-length"), is_field("persistent")
    (True, True, False)
    """
    return key in FIELDS or key == "content-length"


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
