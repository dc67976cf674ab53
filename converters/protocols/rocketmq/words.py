"""Words that only the tables of RocketMQ use: its topics, its own names of properties, its property string."""

from typing import Any

from mqconvert.converters.protocols.amqp10.words.textforms import plain_text, text_form
from mqconvert.converters.protocols.rocketmq.message import is_system_name, topic_fault
from mqconvert.converters.words import Loss, NotMine, condition, transform
from mqconvert.converters.words.literals import whole_number
from mqconvert.converters.words.transforms import name_or_escaped

Pairs = list[tuple[str, str]]
_UNFIT = Loss("a property string cannot hold it")


@transform("rocketmq-topic", gives="str", passes=True, fits=("topic",))
def rocketmq_topic(value: str, escape: bool) -> str | NotMine:
    """Return an address that is a valid topic. The option `escape` escapes names that are invalid or would be unescaped.

    >>> from mqconvert.converters.words import NOT_MINE
    >>> rocketmq_topic("a-b", False), rocketmq_topic("a/b", False) is NOT_MINE, rocketmq_topic("a/b.c", True)
    ('a-b', True, 'a_2Fb_2Ec')
    """
    return name_or_escaped(value, escape, topic_fault, (".", "_2E"), ("#", "_23"))


@condition("system-key")
def system_key(_value: object, key: str) -> bool:
    """Match a property with one of RocketMQ's own names; the row reads its `@key`.

    >>> system_key("v", "TAGS"), system_key("v", "colour")
    (True, False)
    """
    return is_system_name(key)


def _holds(text: str) -> bool:
    """Return whether a property string holds a name or a value: a text without its separators that is not empty."""
    return bool(text) and "\x01" not in text and "\x02" not in text


@transform("property-text", gives="str", loses=True)
def property_text(value: str) -> str | Loss:
    """Return a text that a property string can hold: not empty, without \\x01 and \\x02.

    >>> property_text("a"), property_text("")
    ('a', Loss(reason='a property string cannot hold it'))
    """
    return value if _holds(value) else _UNFIT


@transform("property-entry", gives="str", loses=True)
def property_entry(value: object, type_: str, key: Any) -> str | Loss:
    """Return the text of an entry if a property string can hold it and its key; the row reads `@type` and `@key`.

    >>> property_entry(5, "int", "k"), property_entry("a", "string", "")
    ('5', Loss(reason='a property string cannot hold it'))
    """
    made = plain_text(value, type_)
    return made if isinstance(made, Loss) or (_holds(made) and _holds(str(key))) else _UNFIT


@condition("unfit-property")
def unfit_property(value: object, type_: str, key: Any) -> bool:
    """Match an entry that a property string cannot hold; the row reads `@type` and `@key`.

    >>> unfit_property([], "list", "k"), unfit_property("", "string", "k")
    (False, True)
    """
    made = text_form(value, type_)
    return not (isinstance(made, Loss) or (_holds(made) and _holds(str(key))))


@condition("properties-longer-than", whole_number)
def properties_longer_than(most: int, value: Pairs) -> bool:
    """Match properties with a property string of more bytes.

    >>> properties_longer_than(7, [("k", "vvvv")]), properties_longer_than(7, [("k", "vvvvv")])
    (False, True)
    """
    return sum(len(name.encode()) + len(text.encode()) + 2 for name, text in value) > most


@transform("without-bits", whole_number, gives="int")
def without_bits(mask: int, value: int) -> int:
    """Return a number without these bits: `without-bits 0x7F1`."""
    return value & ~mask
