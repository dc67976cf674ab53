"""Words for the tables of STOMP. Their names begin with `stomp-`, because all protocols share one namespace of words."""

from typing import Any

from mqconvert.plugin import AMQP10_COMPOUND, NOT_MINE, Loss, condition, id_text, transform
from mqconvert_stomp.message import FIELDS


@condition("stomp-field")
def is_field(_value: object, key: Any) -> bool:
    """Match a header that has a place outside `headers`: a field of a message, or the length of its body.

    >>> is_field("v", "content-type"), is_field("v", "content-length"), is_field("v", "persistent")
    (True, True, False)
    """
    return key in FIELDS or key == "content-length"


@transform("stomp-text", gives="str", loses=True)
def text(value: Any, type_: str) -> Any:
    """Return the text of a value. STOMP has no types: compound values are lost.

    >>> text("a", "string"), text(5, "int"), text([], "list")
    ('a', '5', Loss(reason='STOMP has no type list'))
    """
    return Loss(f"STOMP has no type {type_}") if type_ in AMQP10_COMPOUND else id_text(value, type_)


@transform("stomp-message-id", gives="str", passes=True)
def message_id(value: Any, type_: str, frame: str | None) -> Any:
    """Return the text of an id for a MESSAGE; in a SEND it passes to the next row.

    >>> message_id("a", "string", "message"), message_id("a", "string", None) is NOT_MINE
    ('a', True)
    """
    return id_text(value, type_) if frame == "message" else NOT_MINE
