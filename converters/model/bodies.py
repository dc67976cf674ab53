"""The kinds of body that a message of AMQP 1.0 has (part 3 sections 3.2.6 to 3.2.8), which is the hub's and so every table's.

A field of `wire("data", "amqp-sequence", "amqp-value")` holds one of them.
"""

from dataclasses import dataclass

from mqconvert.converters.model.values import TypedValue


@dataclass(init=False, slots=True)
class Data:
    """A body of one or more data sections (section 3.2.6)."""

    sections: list[bytes]

    def __init__(self, sections: list[bytes]) -> None:
        self.sections = sections


@dataclass(init=False, slots=True)
class AmqpSequence:
    """A body of one or more amqp-sequence sections (section 3.2.7)."""

    sections: list[list[TypedValue]]

    def __init__(self, sections: list[list[TypedValue]]) -> None:
        self.sections = sections


@dataclass(init=False, slots=True)
class AmqpValue:
    """A body of one amqp-value section (section 3.2.8)."""

    value: TypedValue

    def __init__(self, value: TypedValue) -> None:
        self.value = value


Body = Data | AmqpSequence | AmqpValue

BODY_CLASSES: dict[str, type[Body]] = {"data": Data, "amqp-sequence": AmqpSequence, "amqp-value": AmqpValue}
BODY_TYPES = {class_: name for name, class_ in BODY_CLASSES.items()}
"""The kinds of body, as rows and forecasts name them."""
