"""Protobuf messages of any definition: our errors agree with the verdict of the official runtime."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mqconvert import DecodeError
from mqconvert.converters.protocols.packages import package
from mqconvert.converters.protocols.pulsar import protobufs
from tests.strategies import examples

pb = package("mqconvert.converters.protocols.pulsar.pulsar_pb2")
CLASSES = [pb.MessageMetadata, pb.SingleMessageMetadata, pb.BaseCommand, pb.MessageIdData]
FIELDS = (
    "0a0170", "1000", "1801", "22060a016b120176", "0806", "320408011002", "0b0c", "3a0408011002", "fa3e0178", "0d31323334",
    "093132333435363738", "0a01ff", "2a020102", "1314",
)  # fmt: skip
"""Fields of several wire types, some of them in the definitions; `0a01ff` is invalid UTF-8 if the field is text."""
PIECES = st.sampled_from([bytes.fromhex(field) for field in FIELDS])
NEARLY = st.lists(PIECES | st.binary(max_size=3), max_size=8).map(b"".join)


@examples(200)
@pytest.mark.parametrize("class_", CLASSES, ids=lambda class_: class_.DESCRIPTOR.name)
@given(raw=NEARLY | st.binary(max_size=30))
@example(raw=b"\x10" + b"\xff" * 9 + b"\x01")
@example(raw=b"\x10" + b"\xff" * 9 + b"\x7f")
@example(raw=b"\x10" + b"\xff" * 10 + b"\x01")
@example(raw=b"\xf8\xff\xff\xff\x0f\x01")
@example(raw=b"\xf8\xff\xff\xff\x1f\x01")
@example(raw=b"\xf8\xff\xff\xff\xff\x01\x01")
@example(raw=b"\x90\x80\x80\x00\x01")
@example(raw=b"\x0a\xff\xff\xff\xff\x0f")
@example(raw=b"\x0a\xff\xff\xff\xff\xff\x01")
def test_parse_agrees_with_the_runtime(class_: Any, raw: bytes) -> None:
    found = protobufs.syntax_fault(class_.DESCRIPTOR, b"--" + raw + b"--", 2, 2 + len(raw))
    assert found.offset is not None
    assert 2 <= found.offset <= 2 + len(raw)
    try:
        message = class_.FromString(raw)
    except protobufs.ParseError:
        assert found.kind in ("bad_protobuf", "bad_utf8")
        assert found.message != f"not a {class_.DESCRIPTOR.name}"
    else:
        if found.kind == "bad_utf8":
            return  # the runtime keeps only the last value of a field
        assert not protobufs.has_bad_text(message)
        assert found.message == f"not a {class_.DESCRIPTOR.name}"


def test_missing_fields_are_named_with_their_path() -> None:
    with pytest.raises(DecodeError, match=r"needs send\.producer_id") as caught:
        protobufs.check_required(pb.BaseCommand.FromString(bytes.fromhex("080632021001")), 0)
    assert (caught.value.kind, caught.value.field) == ("missing_field", "send.producer_id")


def test_only_the_codec_checks_required_fields() -> None:
    """So it has no check for the metadata of brokers, whose fields are all optional."""
    assert not any(field.is_required for field in pb.BrokerEntryMetadata.DESCRIPTOR.fields)
    assert protobufs.parse(pb.MessageMetadata, b"", 0, 0) == pb.MessageMetadata()


def test_unknown_enum_values_are_unknown_fields() -> None:
    message = pb.MessageMetadata.FromString(bytes.fromhex("0a017010001801" + "4009"))
    assert protobufs.unknown_bytes(message) == bytes.fromhex("4009")
    assert protobufs.only_unknown(pb.MessageMetadata, bytes.fromhex("4009"))
    assert not protobufs.only_unknown(pb.MessageMetadata, bytes.fromhex("4001"))


def test_the_first_of_many_missing_fields_is_named() -> None:
    raw = bytes.fromhex("0a017010001801") + bytes.fromhex("22060a016b120176") + bytes.fromhex("2200") * 100_000
    with pytest.raises(DecodeError) as caught:
        protobufs.check_required(protobufs.parse(pb.MessageMetadata, raw, 0, len(raw)), 0)
    assert caught.value.message == "MessageMetadata needs properties[1].key"


@pytest.mark.parametrize(
    ("form", "kind", "field"),
    [
        ({"\ud800": 1}, "unknown_field", "c.\ud800"),
        ({"type": "\ud800"}, "bad_value", "c.type"),
        ({"type": 6}, "bad_value", "c.type"),
        ({"type": ["SEND"]}, "bad_value", "c.type"),
    ],
)
def test_from_json_rejects_invalid_names(form: Any, kind: str, field: str) -> None:
    """The runtime raises a SystemError for a name with a lone surrogate."""
    with pytest.raises(DecodeError) as caught:
        protobufs.from_json(pb.BaseCommand, form, "c")
    assert (caught.value.kind, caught.value.field) == (kind, field)
