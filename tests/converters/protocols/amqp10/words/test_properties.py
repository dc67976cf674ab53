"""Text properties: types beside values restore them, and recorded properties give way to those of the message."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import ConversionError, Entry, TypedValue
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.protocols.amqp10.words.properties import comes_back, form_named, unsaid
from mqconvert.converters.protocols.amqp10.words.textforms import id_text, text_form
from mqconvert.converters.words import NOT_MINE, Loss, Partial
from mqconvert.messages import amqp10, pulsar
from tests.strategies import AMQP10_VALUES

LISTED = [TypedValue("list", [TypedValue("string", "k"), TypedValue("string", "v")])]


def via(word: str, *given: Any) -> Any:
    return TRANSFORMS[word].function(*given)


@given(AMQP10_VALUES)
def test_the_type_beside_a_text_restores_its_value(typed: TypedValue) -> None:
    text, beside = text_form(typed.value, typed.type), via("type-beside", typed.value, typed.type)
    if isinstance(text, Loss):
        assert beside is NOT_MINE
        return
    name = None if beside is NOT_MINE else beside
    assert repr(via("typed-text", text, name)) == repr(typed)  # NaN is not equal to itself
    if name is not None:
        assert repr(via("typed-text-stated", text, name)) == repr(typed)
        assert CONDITIONS["types-beside"].function(name, text, "amqp-type.k")


@given(
    st.integers(0, 2**64 - 1).map(lambda number: TypedValue("ulong", number))
    | st.binary(min_size=16, max_size=16).map(lambda raw: TypedValue("uuid", raw))
    | st.binary(max_size=20).map(lambda raw: TypedValue("binary", raw))
    | st.text(max_size=20).map(lambda text: TypedValue("string", text))
)
def test_the_type_beside_an_id_restores_it(typed: TypedValue) -> None:
    beside = None if typed.type == "string" else typed.type
    assert via("typed-id", id_text(typed.value, typed.type), beside) == typed


@pytest.mark.parametrize(
    ("text", "name", "typed", "stated", "id_"),
    [
        ("5", None, TypedValue("string", "5"), NOT_MINE, TypedValue("string", "5")),
        ("5", "ulong", TypedValue("ulong", 5), TypedValue("ulong", 5), TypedValue("ulong", 5)),
        ("5", "int", TypedValue("int", 5), TypedValue("int", 5), NOT_MINE),
        ("x", "int", TypedValue("string", "x"), NOT_MINE, NOT_MINE),
        ("", "null", TypedValue("null", None), TypedValue("null", None), NOT_MINE),
        ("5", "u128", TypedValue("string", "5"), NOT_MINE, NOT_MINE),
    ],
)
def test_text_that_does_not_fit_its_type_stays_text(text: str, name: str | None, typed: Any, stated: Any, id_: Any) -> None:
    assert via("typed-text", text, name) == typed
    assert via("typed-text-stated", text, name) == stated
    assert via("typed-id", text, name) == id_


@pytest.mark.parametrize(
    ("word", "value", "beside", "key", "holds"),
    [
        ("types-beside", "int", "5", "amqp-type.k", True),
        ("types-beside", "int", "x", "amqp-type.k", False),
        ("types-beside", "int", None, "amqp-type.k", False),
        ("types-beside", "string", "5", "amqp-type.k", False),
        ("types-beside", "int", "5", "amqp-type.amqp-type.k", False),
        ("types-beside ID=ulong|uuid", "ulong", "5", "amqp-type.ID", True),
        ("types-beside ID=ulong|uuid", "int", "5", "amqp-type.ID", False),
        ("types-beside ID=ulong|uuid", "int", "5", "amqp-type.k", True),
        ("types-beside TTL=uint", "uint", "5", "amqp-type.TTL", True),
        ("types-beside TTL=uint", "int", "5", "amqp-type.TTL", False),
    ],
)
def test_a_name_is_a_type_if_the_text_beside_it_has_a_value_of_it(
    word: str, value: str, beside: str | None, key: str, *, holds: bool
) -> None:
    assert CONDITIONS[word].function(value, beside, key) is holds


@pytest.mark.parametrize(
    ("value", "type_", "name"),
    [
        ("a", "string", "string"),
        (5, "ulong", "ulong"),
        (b"a", "binary", NOT_MINE),
        (b"URN:UUID:a", "binary", "binary"),
        (bytes(16), "uuid", NOT_MINE),
    ],
)
def test_an_id_of_bytes_needs_its_type_unless_the_bytes_tell_it(value: Any, type_: str, name: Any) -> None:
    assert via("octets-id-type", value, type_) == name


def test_an_id_of_bytes_is_read_in_the_type_beside_it() -> None:
    assert via("typed-octets-id", b"urn:uuid:a", "binary") == TypedValue("binary", b"urn:uuid:a")
    assert via("typed-octets-id", b"a", "string") == TypedValue("string", "a")
    for raw, name in ((b"\xff", "string"), (b"x", "ulong"), (b"5", None), (b"5", "int")):
        assert via("typed-octets-id", raw, name) is NOT_MINE


def test_properties_come_back_in_any_order_but_that_of_application_properties() -> None:
    result = amqp10.Message(application_properties=[])
    ours = [("a", "1"), ("b", "2")]
    assert comes_back(ours, result, lambda _result: pulsar.Message(payload=b"", properties=ours[::-1]))

    entries = [Entry(key, "string", "1") for key in "ab"]
    other = replace(result, application_properties=entries)
    assert not comes_back(ours, other, lambda _result: pulsar.Message(payload=b"", properties=ours[::-1]))
    assert not comes_back(ours, result, lambda _result: pulsar.Message(payload=b"", properties=ours[:1]))


def test_a_way_back_that_fails_restores_nothing() -> None:
    def fails(_result: Any) -> Any:
        raise ConversionError("no topic", code="bad_topic")

    assert not comes_back([], amqp10.Message(), fails)
    made = pulsar.Message(payload=b"", properties=[("k", "v"), ("new", "1")])
    assert unsaid([("k", "v")], made, "x-opt-raw", fails, fails) == (made.properties, {"k"})


def test_recorded_properties_that_say_all_stay_as_they_are() -> None:
    made = pulsar.Message(payload=b"", properties=[("k", "v")])
    listed = [("k", "v"), ("more", "1")]
    hub = amqp10.Message()
    assert unsaid(listed, made, "x-opt-raw", lambda _message: hub, lambda _hub: made) == ([], set())


def test_an_annotation_lists_properties_in_the_form_of_its_protocol() -> None:
    pairs, entries = CONDITIONS["lists pairs"].function, CONDITIONS["lists entries"].function
    assert pairs(TypedValue("list", LISTED)) is True
    assert pairs(TypedValue("string", "k\x01v\x02")) is False
    assert entries(TypedValue("string", "k\x01v\x02")) is True
    assert pairs(TypedValue("map", LISTED)) is pairs(None) is False
    assert CONDITIONS["listed-as k pairs"].function("v", TypedValue("list", LISTED)) is True
    assert CONDITIONS["listed-as k pairs"].function("w", TypedValue("list", LISTED)) is False
    assert via("as-listed pairs", None, TypedValue("list", LISTED)) == [("k", "v")]
    assert via("as-listed pairs", None, TypedValue("list", LISTED), []) is None


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown form 'xml'; known: .*pairs"):
        form_named("xml")


def test_a_list_that_says_nothing_new_is_kept_whole_and_an_empty_one_is_a_loss() -> None:
    made, hub = pulsar.Message(payload=b"", properties=[("k", "v")]), amqp10.Message()
    ways = (lambda _message: hub, lambda _hub: made)
    assert via("with-later-changes pairs x-opt-raw", None, TypedValue("list", LISTED), made, *ways) == [("k", "v")]
    nothing = pulsar.Message(payload=b"", properties=[])
    answer = via("with-later-changes pairs x-opt-raw", None, TypedValue("list", []), nothing, ways[0], lambda _hub: nothing)
    assert answer == Partial(None, "an empty list of properties; the way back gives none")


def test_properties_are_recorded_unless_the_way_back_derives_them() -> None:
    properties = [("k", "v")]
    word = "unless-back pairs-to-lists"
    assert via(word, properties, amqp10.Message(), lambda _result: pulsar.Message(payload=b"", properties=properties)) is None
    assert via(word, properties, amqp10.Message(), lambda _result: pulsar.Message(payload=b"")) == LISTED
    assert via(word, [], amqp10.Message(), lambda _result: pulsar.Message(payload=b"", properties=properties)) is None
