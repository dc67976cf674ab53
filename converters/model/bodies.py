"""The kinds of body of an AMQP 1.0 message (part 3 sections 3.2.6 to 3.2.8).

Every table has them, since AMQP 1.0 is the hub. A field of `wire(*BODIES)` has one of them.
"""

from dataclasses import dataclass
from typing import Any

from mqconvert.converters.model.jsonform import (
    JsonObject,
    Schema,
    array_from_json,
    bytes_from_json,
    bytes_to_json,
    listed,
    one_member,
    ref,
    refuse_json,
)
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.model.wiretypes import SampleValues, WireType, WireTypes, instance, typed_from_json, typed_to_json


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Data:
    """A body of one or more data sections (section 3.2.6)."""

    sections: list[bytes]


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class AmqpSequence:
    """A body of one or more amqp-sequence sections (section 3.2.7)."""

    sections: list[list[TypedValue]]


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class AmqpValue:
    """A body of one amqp-value section (section 3.2.8)."""

    value: TypedValue


Body = Data | AmqpSequence | AmqpValue


_FORMS = 'a body is {"data": [base64]}, {"sequence": [[...]]}, {"value": ...}, or for data {"text": "..."} or {"json": ...}'


class BodyType(WireType):
    """A kind of body, `of_class`. Each reads and writes the JSON forms of all kinds, since a field may have any of them."""

    __slots__ = ()

    def __init__(self, name: str, of_class: type[Body], samples: SampleValues) -> None:
        super().__init__(name, "body", instance(of_class, f"a body of {name}"), samples, in_entries=False)
        self.of_class = of_class

    def write(self, value: Any, types: WireTypes) -> JsonObject:
        if isinstance(value, Data):
            return {"data": [bytes_to_json(section) for section in value.sections]}
        if isinstance(value, AmqpSequence):
            return {"sequence": [[typed_to_json(typed, types) for typed in section] for section in value.sections]}
        return {"value": typed_to_json(value.value, types)}

    def read(self, value: object, at: str, depth: int, types: WireTypes) -> object:
        if not isinstance(value, dict) or len(value) != 1:
            refuse_json("bad_json", _FORMS, at)
        member, content = next(iter(value.items()))
        if member in ("text", "json"):
            return Data([bytes_from_json(value, at)])
        if member == "data":
            return Data([bytes_from_json(part, f"{at}[{index}]") for index, part in enumerate(array_from_json(content, at))])
        if member == "sequence":
            sections = enumerate(array_from_json(content, at))
            return AmqpSequence([_sequence(section, f"{at}[{index}]", types) for index, section in sections])
        if member != "value":
            refuse_json("bad_json", _FORMS, at)
        return AmqpValue(typed_from_json(content, at, depth, types))

    def schema(self, _types: WireTypes) -> Schema:
        own = {"data": listed(ref("binary")), "sequence": listed(listed(ref("typed"))), "value": ref("typed")}
        return one_member(**own, text={"type": "string"}, json={})


def _sequence(value: object, at: str, types: WireTypes) -> list[TypedValue]:
    return [typed_from_json(part, f"{at}[{index}]", 1, types) for index, part in enumerate(array_from_json(value, at))]


_TRUE = TypedValue("boolean", True)

BODIES = (
    BodyType("data", Data, [("one section", Data([b"a"])), ("two sections", Data([b"a", b"b"]))]),
    BodyType("amqp-sequence", AmqpSequence, [("", AmqpSequence([[_TRUE]]))]),
    BodyType(
        "amqp-value",
        AmqpValue,
        [
            ("binary", AmqpValue(TypedValue("binary", b"a"))),
            ("string", AmqpValue(TypedValue("string", "a"))),
            ("other", AmqpValue(_TRUE)),
        ],
    ),
)
"""The wire types of a body; rows and forecasts name its kinds by them."""

BODY_TYPES: dict[type, str] = {body.of_class: body.name for body in BODIES if body.of_class is not None}
"""The name of a body's kind, by its class, for reports."""


pickled_by_fields(Data, AmqpSequence, AmqpValue)
