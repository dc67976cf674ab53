"""Transforms: those with an inverse round-trip, lossy ones report it, and each gives the declared kind of value."""

import inspect
import re
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, ConversionError, Environment, TypedValue, convert
from mqconvert.converters.engine.vocabulary import TRANSFORMS
from mqconvert.converters.model.values import Entry
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.amqp10.message import AmqpSequence, AmqpValue, Data
from mqconvert.converters.words import NOT_MINE, Loss, Partial, kept
from tests.sources import source_of

CLASSES = {"str": str, "bytes": bytes, "int": int, "bool": bool, "float": float, "list": list}


def via(word: str, value: Any, *reads: Any) -> Any:
    return TRANSFORMS[word].function(value, *reads)


@given(value=st.binary(min_size=16, max_size=16))
def test_uuids_round_trip(value: bytes) -> None:
    assert via("urn-to-uuid", via("uuid-to-urn", value)) == value


URN = "urn:uuid:0F0F0F0F-0000-0000-0000-000000000000"


@pytest.mark.parametrize("wrong", [URN.upper(), URN.replace("-", "0"), URN + "\n", URN[:44] + "g", URN[:44] + "é", ""])
def test_only_whole_uuid_urns_are_uuids(wrong: str) -> None:
    assert via("urn-to-uuid", URN) == via("urn-to-uuid", URN.encode()) == bytes.fromhex("0f0f0f0f" + "0" * 24)
    assert via("urn-to-uuid", wrong) is via("urn-to-uuid", wrong.encode()) is NOT_MINE


@pytest.mark.parametrize("size", range(32, 42))
def test_a_loose_urn_has_36_places_for_hex_and_hyphens(size: int) -> None:
    """RabbitMQ reads `<<"urn:uuid:", 36 bytes>>`; the 16 bytes are those of the first 32 digits."""
    digits = ("0123456789abcdef" * 3)[:size]
    wanted = bytes.fromhex(digits[:32]) if size == 36 else NOT_MINE
    assert via("loose-urn-to-uuid", f"urn:uuid:{digits}") == wanted


@given(value=st.integers(-(2**63), 2**64))
def test_decimals_round_trip(value: int) -> None:
    assert via("from-decimal", via("to-decimal", value)) == value


@given(keys=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=2) | st.integers(0, 9), max_size=20))
def test_entries_are_sorted_by_key_text_before_numbers_and_equal_keys_stay_in_order(keys: list[Any]) -> None:
    entries = [Entry(key, "int", at) for at, key in enumerate(keys)]
    numbers = sorted((entry for entry in entries if isinstance(entry.key, int)), key=lambda entry: entry.key)
    texts = sorted((entry for entry in entries if isinstance(entry.key, str)), key=lambda entry: entry.key.encode())
    assert via("sorted-by-key", entries) == texts + numbers


@given(value=st.text())
def test_text_round_trips(value: str) -> None:
    if not any("\ud800" <= character <= "\udfff" for character in value):
        assert via("text", via("octets", value)) == value


@given(value=st.binary())
def test_invalid_utf8_is_a_loss_and_no_error(value: bytes) -> None:
    made = via("text", value)
    assert made == Loss("not valid UTF-8") if isinstance(made, Loss) else made.encode() == value


@given(value=st.integers(0, 2**32))
def test_whole_seconds_round_trip(value: int) -> None:
    assert via("whole-seconds", via("scale 1000", value)) == value


@given(value=st.integers(-(2**63), 2**63 - 1))
def test_fractions_of_seconds_are_reported(value: int) -> None:
    made = via("whole-seconds", value)
    seconds = made.value if isinstance(made, Partial) else made
    assert isinstance(made, Partial) is (value % 1000 != 0)
    assert 0 <= abs(value) - abs(seconds) * 1000 < 1000


@given(value=st.integers(-(2**63), 2**63 - 1))
def test_times_of_both_kinds_fit_their_types(value: int) -> None:
    made = via("milliseconds-to-unsigned-seconds", value)
    assert 0 <= (made.value if isinstance(made, Partial) else made) < 2**64
    made = via("seconds-to-signed-milliseconds", value % 2**64)
    assert -(2**63) <= (made.value if isinstance(made, Partial) else made) < 2**63


@given(seconds=st.integers(-(2**63) // 1000 + 1, 2**63 // 1000))
def test_seconds_before_and_after_1970_are_exact_in_both_directions(seconds: int) -> None:
    assert via("seconds-to-signed-milliseconds", seconds % 2**64) == seconds * 1000
    assert via("milliseconds-to-unsigned-seconds", seconds * 1000) == seconds % 2**64


@given(value=st.text(st.characters(exclude_characters=".*", exclude_categories=["Cs"])))
def test_topics_without_dots_round_trip(value: str) -> None:
    assert via("replaced . / * +", via("replaced / . + *", value)) == value
    address = via("topic-to-routing-key then key-to-address", value, "amq.topic")
    assert via("exchange-address-to-topic", address, "amq.topic") == value


@given(value=st.text(st.characters(exclude_categories=["Cs"])))
def test_addresses_give_a_topic_or_pass_on(value: str) -> None:
    for word in ("exchange-address-to-topic", "address-to-topic"):
        made = via(word, value, "amq.topic")
        assert made is NOT_MINE or isinstance(made, str)


@example("a%")
@example("a%F")
@given(st.lists(st.sampled_from([*"aF0%/.-\0é?*", "%41", "%c3%A9", "%FF", "%00"])).map("".join))
def test_queue_names_are_decoded_as_urllib_decodes_paths(name: str) -> None:
    """Text that is no segment of a path (RFC 3986 section 3.3) is a loss."""
    legal = re.fullmatch(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*", name)
    made = via("queue-of-address", f"/queues/{name}")
    assert made == unquote(name, errors="surrogateescape") if legal else isinstance(made, Loss)


@given(value=st.binary(max_size=60))
def test_random_bytes_are_sections_or_pass_on(value: bytes) -> None:
    for word in ("amqp-sections", "one-amqp-section"):
        made = via(word, value)
        assert made is NOT_MINE or isinstance(made, Loss) or isinstance(kept(made), amqp10.Message), word


@pytest.mark.parametrize("word", TRANSFORMS)
def test_transforms_give_the_kinds_that_they_declare(word: str) -> None:
    """For every value of its types, a transform gives the declared kind or one of the declared other results."""
    transform = TRANSFORMS[word]
    reads = ["amq.topic"] * (transform.needs - 1)
    signature = inspect.signature(source_of(transform.function))
    wanted = _classes(next(iter(signature.parameters.values())).annotation)
    may_give_nothing = type(None) in _classes(signature.return_annotation)
    tried = [
        value
        for protocol in PROTOCOLS.values()
        for type_ in protocol.named.values()
        for _, value in type_.samples
        if type_.kind != "int" and value.__class__ in wanted
    ]
    for value in tried:
        try:
            made = transform.function(value, *reads)
        except (ValueError, AttributeError, TypeError):
            continue  # rows exclude text that is not a number and other bodies (converters/engine/trials.py)
        if made is NOT_MINE:
            assert transform.passes, (word, value)
        elif made is None and may_give_nothing:
            assert transform.gives != "body", (word, value)
        elif isinstance(made, Loss | Partial):
            assert transform.loses, (word, value)
        elif transform.gives in CLASSES:
            assert made.__class__ is CLASSES[transform.gives], (word, value)
        elif transform.gives == "body":
            assert isinstance(made, Data | AmqpSequence | AmqpValue), (word, value)


def _classes(annotation: Any) -> set[type]:
    return set(getattr(annotation, "__args__", (annotation,)))


@pytest.mark.parametrize("value", [5, "a", None, [1]])
@pytest.mark.parametrize("to", ["mqtt-5.0", "pulsar"])
def test_a_binary_body_without_bytes_is_refused(value: Any, to: str) -> None:
    message = amqp10.Message(properties=amqp10.Properties(creation_time=1), body=AmqpValue(TypedValue("binary", value)))
    with pytest.raises(ConversionError) as caught:
        convert(message, to, environment=Environment(address="t", clock=1))
    assert caught.value.code == "bad_message"


def test_every_transform_is_explained_by_an_example() -> None:
    functions = {word: transform.function for word, transform in TRANSFORMS.items() if transform.inline is None}
    assert [word for word, function in functions.items() if ">>>" not in (source_of(function).__doc__ or "")] == []


@pytest.mark.parametrize(
    ("pairs", "kept"),
    [
        ([], []),
        ([("a", "1"), ("b", "1")], [("a", "1"), ("b", "1")]),
        ([("a", "1"), ("b", "2"), ("a", "3")], [("a", "3"), ("b", "2")]),
    ],
)
def test_the_last_of_equal_names_stays(pairs: list[tuple[str, str]], kept: list[tuple[str, str]]) -> None:
    made = TRANSFORMS["last-of-equal-names"].function(pairs)
    assert made == (pairs if len(kept) == len(pairs) else Partial(kept, "a later value has its name"))
