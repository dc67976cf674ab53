"""Bodies of AMQP 1.0: the JSON form of each kind, and the rows that see it."""

from typing import Any

import pytest

from mqconvert import PROTOCOLS, DecodeError, TypedValue
from mqconvert.converters.model.bodies import BODIES, BODY_TYPES, AmqpSequence, AmqpValue, Body, Data

TYPES = PROTOCOLS["amqp-1.0"].types
ONE = {"type": "uint", "value": 1}
FORMS: list[tuple[Body, Any]] = [
    (Data([b"a", b""]), {"data": ["YQ==", ""]}),
    (AmqpSequence([[TypedValue("uint", 1)], []]), {"sequence": [[ONE], []]}),
    (AmqpValue(TypedValue("list", [TypedValue("uint", 1)])), {"value": {"type": "list", "value": [ONE]}}),
]


@pytest.mark.parametrize(("body", "form"), FORMS)
@pytest.mark.parametrize("type_", BODIES, ids=lambda type_: str(type_.name))
def test_every_kind_reads_and_writes_the_forms_of_all(type_: Any, body: Body, form: Any) -> None:
    assert type_.write(body, TYPES) == form
    assert type_.read(form, "body", 0, TYPES) == body


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ([], "body"),
        ({}, "body"),
        ({"data": [], "value": ONE}, "body"),
        ({"payload": []}, "body"),
        ({"data": "YQ=="}, "body"),
        ({"data": ["YQ==", 1]}, "body[1]"),
        ({"sequence": [ONE]}, "body[0]"),
        ({"sequence": [[], [ONE, {"type": "nothing", "value": 5}]]}, "body[1][1]"),
        ({"value": {"type": "uint", "value": "a"}}, "body"),
    ],
)
def test_other_forms_are_refused_with_their_place(form: Any, field: str) -> None:
    with pytest.raises(DecodeError) as caught:
        BODIES[0].read(form, "body", 0, TYPES)
    assert caught.value.field == field


def test_each_class_is_a_body_of_one_kind() -> None:
    assert {Data: "data", AmqpSequence: "amqp-sequence", AmqpValue: "amqp-value"} == BODY_TYPES
    bodies = [body for body, _ in FORMS]
    for type_ in BODIES:
        assert [type_.fault(body) is None for body in bodies] == [type(body) is type_.of_class for body in bodies]
