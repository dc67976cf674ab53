"""Values and messages are dataclasses in every respect, also where mypyc compiles their constructors."""

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from mqconvert import PROTOCOLS, Array, Described, Entry, TypedValue
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.fields import names
from mqconvert.messages import amqp091, amqp10

ONE = TypedValue("int", 1)
VALUES: list[Any] = [ONE, Entry("k", "int", 1), Described(ONE, ONE), Array("int", [1], (ONE,))]
BODIES: list[Any] = [Data([b"a"]), AmqpSequence([[ONE]]), AmqpValue(ONE)]
MESSAGES: list[Any] = [protocol.message() for protocol in PROTOCOLS.values()]
SECTIONS: list[Any] = [amqp10.Header(durable=True), amqp10.Properties(to="a"), amqp091.BasicProperties("text/plain")]
EACH = pytest.mark.parametrize(
    "made",
    VALUES + BODIES + SECTIONS + MESSAGES,
    ids=lambda made: f"{type(made).__module__.split('.')[-2]}-{type(made).__name__}",
)


@EACH
def test_every_field_is_set_by_its_own_parameter(made: Any) -> None:
    marks = {name: object() for name in names(type(made))}
    filled = type(made)(**marks)
    assert {name: getattr(filled, name) for name in marks} == marks


@EACH
def test_copies_pickles_and_replacements_have_equal_values_and_reprs(made: Any) -> None:
    for other in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made)), dataclasses.replace(made)):
        assert other == made
        assert repr(other) == repr(made)
    assert not hasattr(made, "__dict__")
    with pytest.raises(AttributeError):
        made.no_such_field = 1


def test_equal_values_have_equal_hashes_and_keys_types_and_values_tell_entries_apart() -> None:
    assert len({Entry("k", "int", 1), Entry("k", "int", 1)}) == 1
    assert len({Entry("k", "int", 1), Entry("j", "int", 1), Entry("k", "uint", 1), Entry("k", "int", 2)}) == 4


def test_messages_do_not_share_default_properties() -> None:
    assert amqp091.Message().basic is not amqp091.Message().basic
    basic = amqp091.BasicProperties()
    assert amqp091.Message(basic).basic is basic
