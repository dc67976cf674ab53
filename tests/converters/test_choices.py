"""The choices of a caller: the options of the library, and the bounds of their values."""

from dataclasses import fields
from typing import Any, get_args

import pytest

from mqconvert import ConversionError, Environment, LossPolicy, OnLoss, Profile, encode
from mqconvert.converters.choices import OPTIONS, Choices, choices_of, profiles, with_address
from mqconvert.converters.environment import Option, options_of
from mqconvert.messages import amqp091, amqp10, mqtt5, nsq, phpmq, pulsar, rocketmq


def test_the_options_are_those_of_the_library() -> None:
    names = [field.name for field in fields(Environment)]
    assert [one.name for one in OPTIONS] == ["profile", "rules", *names, "on_loss"]
    assert choices_of({}) == Choices()
    assert choices_of({one.name: one.default for one in OPTIONS}) == Choices()
    given = {"profile": profiles()[-1], "rules": ["preserve"], "address": "t", "clock": 0, "on_loss": "fail"}
    expected = Choices(profiles()[-1], ("preserve",), Environment(address="t", clock=0), "fail")
    assert choices_of(given, clock=7) == expected
    assert choices_of({}, clock=7).environment.clock == 7


def test_type_checkers_know_the_names_of_profiles_and_policies() -> None:
    assert get_args(Profile) == profiles()
    assert get_args(OnLoss) == tuple(LossPolicy)


def option(name: str, owner: type[Any]) -> Option:
    return next(one for one in options_of(owner) if one.name == name)


@pytest.mark.parametrize(
    ("one", "good", "bad"),
    [
        (option("clock", Environment), (None, 0, 2**40), (-1, 1.0, "0", True, 2**63)),
        (option("payload", Environment), ("body",), (None, "letter", b"body", ["body"])),
        (option("frame", Environment), (None, "send"), ("", "xx", ["send"])),
        (option("escape", Environment), (True, False), (None, 1, "true")),
        (option("address", Environment), (None, "", "a/b"), (b"a", 5, "\ud800")),
        (option("on_loss", Choices), ("report", "fail", "strict", "ignore"), (None, "Report", 1)),
    ],
    ids=lambda value: value.name if isinstance(value, Option) else "",
)
def test_a_declaration_bounds_its_values(one: Option, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    for value in good:
        one.check(value)
    for value in bad:
        with pytest.raises(ConversionError) as refused:
            one.check(value)
        assert (refused.value.code, refused.value.field) == ("bad_option", one.name)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (mqtt5.Message(), "topic_name"),
        (nsq.Message(body=b"a"), "topic"),
        (phpmq.Message(), "queue"),
        (rocketmq.Message(body=b"a"), "topic"),
        (pulsar.Message(producer_name="p", sequence_id=0, publish_time=1), "topic"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__module__.split(".")[-2],
)
def test_an_address_fills_only_an_unset_field(message: Any, field: str) -> None:
    made = with_address(message, Environment(address="t", clock=1))
    assert getattr(made, field) in ("t", b"t")
    assert encode(made)
    assert with_address(made, Environment(address="u", clock=1)) == made


def test_an_address_fills_a_section_that_is_missing() -> None:
    made: Any = with_address(amqp10.Message(body=amqp10.Data([b"a"])), Environment(address="t"))
    assert (made.properties, made.body) == (amqp10.Properties(to="t"), amqp10.Data([b"a"]))


def test_an_address_is_refused_for_messages_without_one() -> None:
    with pytest.raises(ConversionError, match=r"messages of AMQP 0\.9\.1 have no address"):
        with_address(amqp091.Message(), Environment(address="t"))
