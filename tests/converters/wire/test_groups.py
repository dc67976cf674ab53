"""Shapes of fields print readers and writers that agree, for classes of fields that no protocol has."""

import pytest

from mqconvert import DecodeError, EncodeError
from mqconvert.converters.model.primitives import Writer
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.groups import Flagged, Record, Tagged
from tests.converters.wire.printing import Fields, Two, functions

OCTET = Form(type="octet", read="data[{at}]", size=1, write="out.write(SIZES[value])")
TAGGED = Form(type="octet", read="data[{at}]", size=1, write="out.write({code_byte})\nout.write(SIZES[value])")
OCTETS = Form(type="octets", many=True, read="data[{at}]", size=1, write="codec.write_octets(out, value)")


@pytest.mark.parametrize(
    ("given", "wire", "flags"), [(Two(), b"", 0), (Two(5), b"\5", 2), (Two(None, 6), b"\6", 1), (Two(5, 6), b"\5\6", 3)]
)
def test_flagged_fields_read_as_written(given: Two, wire: bytes, flags: int) -> None:
    made = functions(Flagged(name="two", of=Two, forms={"octet": OCTET}, first_flag=2))
    for name in ("write_two", "write_two_carefully"):
        out = Writer()
        made[name](out, given)
        assert out.getvalue() == bytes((0, flags)) + wire
    read = Two()
    assert made["read_two"](read, wire, 0, len(wire), flags) == len(wire)
    assert read == given


@pytest.mark.parametrize("name", ["write_two", "write_two_carefully"])
def test_writers_name_the_invalid_field(name: str) -> None:
    made = functions(Flagged(name="two", of=Two, forms={"octet": OCTET}, first_flag=2, path="both."))
    with pytest.raises(EncodeError) as failed:
        made[name](Writer(), Two(1, 300))
    assert (failed.value.code, failed.value.field) == ("bad_value", "both.second")


BY_TAG = Tagged(
    name="fields", of=Fields, tags={"several": 3, "second": 2, "first": 1}, forms={"octet": TAGGED, "octets": OCTETS}
)


@pytest.mark.parametrize(
    ("given", "wire"), [(Fields(), b""), (Fields(5, 6), b"\1\5\2\6"), (Fields(None, 6, [7, 8]), b"\2\6\3\7\3\x08")]
)
def test_tagged_fields_are_written_by_tag_and_read_in_any_order(given: Fields, wire: bytes) -> None:
    made = functions(BY_TAG)
    out = Writer()
    made["write_fields"](out, given)
    assert out.getvalue() == wire
    for name in ("read_fields", "read_fields_carefully"):
        read = Fields()
        made[name](read, wire[2:] + wire[:2], 0, len(wire))
        assert read == given


@pytest.mark.parametrize(("wire", "words"), [(b"\1\5\1\5", "first at 2"), (b"\x09\0", "tag 9 at 0"), (b"\1", "end at 1")])
def test_readers_name_the_invalid_field(wire: bytes, words: str) -> None:
    made = functions(BY_TAG)
    with pytest.raises(DecodeError, match=words):
        made["read_fields"](Fields(), wire, 0, len(wire))


SIZED = Form(
    type="octets", first="size = data[{at}]\nafter = {at} + 1 + size", read="list(data[{at} + 1 : after])",
    write="out.write(SIZES[len(value)])\nout.write(bytes(value))",
)  # fmt: skip
MARK = Form(type="octet", size=1, write="out.write(b'=')")


@pytest.mark.parametrize(("given", "wire"), [(Fields(5, 6, []), b"\5\0=\6"), (Fields(5, 6, [7, 8]), b"\5\2\7\x08=\6")])
def test_records_have_fields_one_after_the_other(given: Fields, wire: bytes) -> None:
    """A part that is no field is a constant; behind one of its own size, offsets count from there."""
    parts = {"first": OCTET, "several": SIZED, "mark": MARK, "second": OCTET}
    made = functions(Record(name="record", of=Fields, parts=parts))
    out = Writer()
    made["write_record"](out, given)
    assert out.getvalue() == wire
    read = Fields()
    assert made["read_record"](read, b".." + wire + b".", 2, len(wire) + 2) == len(wire) + 2
    assert read == given


def test_records_take_values_beside_their_fields_and_find_others() -> None:
    parts = {"first": OCTET, "count": Form(type="octet", write="out.write(SIZES[bits])")}
    made = functions(Record(name="record", of=Fields, parts=parts, apart=["several"], write_parameters="bits"))
    out = Writer()
    made["write_record"](out, Fields(5), 9)
    assert (out.getvalue(), "read_record" in made) == (b"\5\x09", False)
    assert [made["has_more_than_record"](each) for each in (Fields(5, several=[]), Fields(second=6))] == [False, True]


def test_records_of_texts_have_an_element_for_each_field() -> None:
    digits = Form(type="octet", size=1, read="int(texts[{at}])", write="texts.append(str(value))")
    made = functions(Record(name="texts", of=Two, source="texts", into="texts", parts={"second": digits, "first": digits}))
    texts: list[str] = []
    made["write_texts"](texts, Two(5, 6))
    read = Two()
    assert (texts, made["read_texts"](read, texts, 0, 2), read) == (["6", "5"], 2, Two(5, 6))
    assert "has_more_than_texts" not in made


def test_records_are_written_as_pieces_of_bytes() -> None:
    digit = Form(type="octet", size=1, read="data[{at}]", write="pieces.append({code_byte} * value)")
    made = functions(Record(name="pieces", of=Two, into="pieces", parts={"second": digit, "first": digit}, spanned=False))
    pieces: list[bytes] = []
    made["write_pieces"](pieces, Two(1, 2))
    read = Two()
    assert (pieces, made["read_pieces"](read, b"\x06\x05", 0, 2), read) == ([b"\0\0", b"\0"], 2, Two(5, 6))
    assert "span_pieces" not in made


def test_records_that_end_early_are_behind_the_end() -> None:
    made = functions(Record(name="record", of=Fields, parts={"first": OCTET, "several": SIZED}))
    assert made["read_record"](Fields(), b"\5\2\7", 0, 3) == 4
    with pytest.raises(IndexError):
        made["read_record"](Fields(), b"\5", 0, 1)
