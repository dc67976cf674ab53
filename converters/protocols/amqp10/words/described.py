"""Words for described values (part 1 section 1.3.3), such as those of Azure Service Bus."""

from functools import partial
from typing import Any

from mqconvert.converters.model.values import Described
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES
from mqconvert.converters.words import NOT_MINE, TRANSFORMS, condition


@condition("described-as", str)
def described_as(name: str, value: Any) -> bool:
    """Match a described value with that descriptor, a symbol or the decimal number of a ulong.

    >>> from mqconvert.converters.model.values import TypedValue
    >>> uri = Described(TypedValue("symbol", "com.microsoft:uri"), TypedValue("string", "http://a"))
    >>> described_as("com.microsoft:uri", uri), described_as("com.microsoft:timespan", uri)
    (True, False)
    """
    return value.__class__ is Described and value.descriptor.type in ("symbol", "ulong") and str(value.descriptor.value) == name


@TRANSFORMS.maker("inside")
def inside(type_: str) -> dict[str, object]:
    """Return the value inside a described value, if it has that type; any other value passes to the next row.

    >>> from mqconvert.converters.model.values import TypedValue
    >>> uri = Described(TypedValue("symbol", "com.microsoft:uri"), TypedValue("string", "http://a"))
    >>> TRANSFORMS["inside string"].function(uri), TRANSFORMS["inside long"].function(uri) is NOT_MINE
    ('http://a', True)
    """
    if type_ not in AMQP10_TYPES:
        raise ValueError(f"it needs one of {', '.join(sorted(AMQP10_TYPES))}")
    return {"function": partial(_inside, type_), "gives": AMQP10_TYPES[type_].kind, "passes": True}


def _inside(type_: str, value: Any) -> Any:
    return value.value.value if value.__class__ is Described and value.value.type == type_ else NOT_MINE
