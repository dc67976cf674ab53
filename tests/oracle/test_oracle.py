"""The parts of the oracle that need no RabbitMQ: wire forms, comparison, ill-formed values, shrinking, counting.

Recorded answers of the corpus stand in for a running RabbitMQ.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from mqconvert import DecodeError
from tests.corpus import PAIRS, lines
from tests.oracle import crashes, wire
from tests.oracle.compare import Difference, differences
from tests.oracle.deviations import DEVIATIONS, explanation
from tests.oracle.generate import question
from tests.oracle.judge import Case, Refused, conversion, judged
from tests.oracle.peer import Answer, Question
from tests.oracle.shrink import shrunk
from tests.oracle.tally import Tally, bounds
from tests.oracle.wellformed import Gone, source_fault, well_formed
from tests.oracle.wire import MalformedError

SOME = [question(1, number) for number in range(1500)]


# ---- messages -----------------------------------------------------------------------------------------------------------


def test_equal_seeds_give_equal_messages() -> None:
    assert [question(1, number) for number in range(100)] == SOME[:100]
    assert question(2, 0) != SOME[0]


def test_messages_convert_in_all_six_directions() -> None:
    assert len({(each.source, each.target) for each in SOME}) == 6


@pytest.mark.parametrize("asked", SOME[:300], ids=str)
def test_messages_round_trip_through_the_oracle_codec(asked: Question) -> None:
    assert Question.read(str(asked)) == asked
    try:
        wire.view(asked.source, asked.parts)
    except MalformedError:
        return
    if asked.source == "amqp-1.0":
        assert (wire.write_sections(wire.read_sections(asked.parts[0])),) == asked.parts
    elif asked.source == "amqp-0.9.1":
        assert wire.write_basic(wire.read_basic(asked.parts[0])) == asked.parts[0]
    else:
        assert (wire.write_publish(*wire.read_publish(asked.parts[0])),) == asked.parts


@pytest.mark.parametrize(
    ("protocol", "one", "other"),
    [
        ("amqp-1.0", "005375a000", "00800000000000000075b000000000"),  # encodings
        ("amqp-1.0", "005370c0020141005375a000", "005370c0060541404040405375a000".replace("405375", "40005375")),  # nulls
        ("amqp-1.0", "005372c10100005375a000", "005375a000"),  # empty sections
        ("mqtt-5.0", "300a00017406010003000161", "300a00017406030001610100"),  # order of properties
        ("amqp-0.9.1", "200000000000", "0000"),  # no headers
    ],
)
def test_a_view_is_independent_of_the_encoding(protocol: str, one: str, other: str) -> None:
    def parts(text: str) -> tuple[bytes, ...]:
        return (bytes.fromhex(text), b"") if protocol == "amqp-0.9.1" else (bytes.fromhex(text),)

    assert wire.view(protocol, parts(one)) == wire.view(protocol, parts(other))


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_truncated_message_is_malformed(cut: int) -> None:
    with pytest.raises(MalformedError):
        wire.view("amqp-1.0", (bytes.fromhex("005372c10702a302782d5005")[:-cut],))


# ---- comparison ---------------------------------------------------------------------------------------------------------

A, B = (b"a", ("longstr", b"1")), (b"b", ("longstr", b"2"))


def test_equal_views_have_no_difference() -> None:
    assert differences({"basic.headers": [A, B]}, {"basic.headers": [A, B]}) == []


@pytest.mark.parametrize(
    ("theirs", "ours", "found"),
    [
        ([A, B], [A], [(b"b", B[1], None)]),
        ([A], [A, B], [(b"b", None, B[1])]),
        ([A, B], [A, (b"b", ("binary", b"2"))], [(b"b", B[1], ("binary", b"2"))]),
        ([A, A], [A], [(b"a", A[1], None)]),
    ],
)
def test_a_missing_added_or_changed_entry_is_one_difference(theirs: object, ours: object, found: object) -> None:
    made = differences({"basic.headers": theirs}, {"basic.headers": ours})
    assert [(each.key, each.theirs, each.ours) for each in made] == found


def test_another_order_is_a_difference() -> None:
    assert differences({"basic.headers": [A, B]}, {"basic.headers": [B, A]})


def test_sections_in_a_payload_are_compared_place_by_place() -> None:
    one, other = ({"payload": ("sections", {"body": body})} for body in ("x", "y"))
    assert differences(one, other) == [Difference("payload:body", None, "x", "y")]


# ---- ill-formed values --------------------------------------------------------------------------------------------------


def test_the_first_of_equal_keys_is_kept() -> None:
    twin = (b"a", ("longstr", b"other"))
    assert well_formed("amqp-0.9.1", {"basic.headers": [A, B, twin]}) == (
        {"basic.headers": [A, B]},
        [Gone("basic.headers", b"a", "twice")],
    )


def test_only_the_innermost_ill_formed_value_is_removed() -> None:
    table = (b"t", ("table", ((b"a\0", ("void", b"")), (b"b", ("void", b"")))))
    made, gone = well_formed("amqp-0.9.1", {"basic.headers": [table]})
    assert made == {"basic.headers": [(b"t", ("table", ((b"b", ("void", b"")),)))]}
    assert [each.why for each in gone] == ["NUL"]


def test_a_described_value_keeps_all_but_its_ill_formed_parts() -> None:
    one, two = ((("string", b"k"), ("int", number)) for number in (1, 2))
    described = [(("ulong", 7), ("map", pairs)) for pairs in ((one, two), (one,))]
    made, gone = well_formed("amqp-1.0", {"body": [("amqp-value", ("described", described[0]))]})
    assert made == {"body": [("amqp-value", ("described", described[1]))]}
    assert gone == [Gone("body", None, "twice")]


def test_a_message_without_a_body_gets_an_empty_one() -> None:
    assert well_formed("amqp-1.0", {}) == ({"body": [("data", ("binary", b""))]}, [Gone("body", None, "none")])


def test_the_last_of_two_kinds_of_body_is_kept() -> None:
    sequence, data = ("amqp-sequence", ("list", ())), ("data", ("binary", b"x"))
    assert well_formed("amqp-1.0", {"body": [sequence, data]})[0] == {"body": [data]}


def test_the_decoders_refuse_ill_formed_messages_only() -> None:
    disagree = []
    for asked in SOME:
        try:
            conversion(asked)
            refused = False
        except DecodeError:
            refused = True
        if refused is (source_fault(asked) is None):
            disagree.append(str(asked))
    assert disagree == []


@pytest.mark.parametrize(("code", "most"), [("70", 5), ("73", 13)])
def test_a_section_of_too_many_fields_is_ill_formed_if_they_are_null_too(code: str, most: int) -> None:
    """RabbitMQ fails on it, too (amqp10_framing: badarg)."""
    for count, fault in ((most, None), (most + 1, "count"), (most + 2, "count")):
        text = f"amqp-1.0 > mqtt-5.0: 0053{code}c0{count + 1:02x}{count:02x}{'40' * count}005375a0026869"
        asked = Question.read(text)
        assert source_fault(asked) == fault
        if fault is None:
            conversion(asked)
            continue
        with pytest.raises(DecodeError, match=f"{count} fields") as caught:
            conversion(asked)
        refused = explanation(Case(asked), Refused(caught.value.code))
        assert refused is not None
        assert refused.name == "1.0: refused, type"


# ---- crashes ------------------------------------------------------------------------------------------------------------


def test_only_the_values_that_crash_rabbitmq_are_removed() -> None:
    uuid = "98" + "00" * 16
    rest = crashes.rest(Question.read(f"amqp-1.0 > amqp-0.9.1: 005374d10000001e00000004a10161{uuid}a10162a1017a005375a000"))
    assert rest.changes == [crashes.Change("application_properties", b"a", "uuid")]
    view = wire.amqp10_view(rest.question.parts[0])
    assert view["application_properties"] == [(("string", b"b"), ("string", b"z"))]


def test_a_marker_replaces_the_removed_value() -> None:
    bad = b"urn:uuid:" + b"z" * 36
    rest = crashes.rest(Question("amqp-0.9.1", "amqp-1.0", (wire.write_basic([("message_id", bad)]), b"")))
    assert rest.changes == [crashes.Change("basic.message_id", None, "urn")]
    marker = dict(wire.read_basic(rest.question.parts[0]))["message_id"]
    assert rest.unmasked({"properties.message_id": ("string", marker)}) == {"properties.message_id": ("string", bad)}


# ---- cases --------------------------------------------------------------------------------------------------------------


class Recorded:
    """Recorded answers of RabbitMQ, with an error for every other question."""

    def __init__(self, answers: dict[Question, Answer]) -> None:
        self.answers = answers

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        return [self.answers.get(each, Answer(error="not recorded")) for each in questions]


def recorded(pair: str) -> Recorded:
    def parts(message: dict[str, str]) -> tuple[bytes, ...]:
        return tuple(bytes.fromhex(message[name]) for name in ("properties", "body", "wire") if name in message)

    cases = [case for case in lines(pair) if "error" not in case["expected"]]
    return Recorded({Question(c["source"], c["target"], parts(c["input"])): Answer(parts(c["expected"])) for c in cases})


@pytest.mark.parametrize("pair", PAIRS)
def test_known_deviations_explain_the_recorded_answers(pair: str) -> None:
    peer = recorded(pair)
    unknown = []
    for case in judged(peer, list(peer.answers)):
        items = [item for item in case.items if explanation(case, item) is None]
        # There are no recorded answers to second questions.
        unknown += [(str(case.question), item) for item in items if not str(item).endswith("not recorded')")]
    assert unknown == []
    assert len(peer.answers) > 500


def test_an_unexplained_difference_is_found_and_shrunk() -> None:
    peer = recorded("mqtt5_to_amqp10")
    asked, answer = next((each, made) for each, made in peer.answers.items() if b"\xa1\x01v" in made.parts[0])
    peer.answers[asked] = Answer((answer.parts[0].replace(b"\xa1\x01v", b"\xa1\x01w"),))
    (case,) = judged(peer, [asked])
    (item,) = Tally().add(case)
    assert isinstance(item, Difference)
    assert (item.theirs, item.ours) == (("string", b"w"), ("string", b"v"))


def test_an_unreported_omission_is_an_unknown_difference() -> None:
    asked = Question("amqp-0.9.1", "amqp-1.0", (wire.write_basic([("type", b"t")]), b""))
    content_type = (0xD0, [(0x40, b"")] * 6 + [(0xA3, b"\xff")])
    annotations = (0xD1, [(0xA3, b"x-basic-type"), (0xA1, b"t")])
    sections = {0x70: (0xD0, [(0x42, b"")]), 0x72: annotations, 0x73: content_type, 0x75: (0xA0, b"")}
    answer = wire.write_sections((0x00, ((0x53, bytes((code,))), content)) for code, content in sections.items())
    (case,) = judged(Recorded({asked: Answer((answer,))}), [asked])
    assert Tally().add(case) == case.items == [Gone("properties.content_type", None, "not ASCII")]


def test_shrinking_keeps_the_cause() -> None:
    asked = next(each for each in SOME if each.source == "amqp-1.0" and b"x-cc" in each.parts[0] and len(each.parts[0]) > 100)
    small = shrunk(asked, lambda each: b"x-cc" in each.parts[0])
    assert b"x-cc" in small.parts[0]
    assert len(small.parts[0]) < 40


# ---- the list -----------------------------------------------------------------------------------------------------------


def test_records_have_unique_names_and_a_reason() -> None:
    assert len({each.name for each in DEVIATIONS}) == len(DEVIATIONS)
    assert [each.name for each in DEVIATIONS if len(each.reason) < 20 or each.expected < 1] == []


@pytest.mark.parametrize("mean", [0.5, 5, 50, 500])
def test_chance_stays_within_the_bounds_of_records(mean: float) -> None:
    least, most = bounds(mean)
    draw = Random(1)
    for _ in range(200):
        assert least <= sum(draw.random() < mean / 10_000 for _ in range(10_000)) <= most


def test_an_unused_record_is_reported() -> None:
    tally = Tally()
    tally.cases = 100_000
    wrong = tally.complaints()
    assert [line for line in wrong if line.startswith("0.9.1: twice: seen 0 times")] != []


def test_ci_runs_the_oracle() -> None:
    root = Path(__file__).parents[2]
    assert "make test-deep" in (root / ".ci" / "run").read_text()
    recipe = (root / "Makefile").read_text().partition("\ntest-deep:")[2].partition("\n\n")[0]
    assert re.search(r"\$\(MAKE\) .*\boracle .*\bCASES=", recipe)
