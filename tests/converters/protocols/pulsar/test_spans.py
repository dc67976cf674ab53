"""The bytes of places in messages of Pulsar: fields of unexpected wire types, packed lists, members of batches."""

import pytest

from tests.converters.protocols.pulsar.frames import metadata_bytes, pb, send_frame
from tests.spans import bytes_of


def _found(wire: bytes) -> dict[str, bytes]:
    return bytes_of("pulsar", wire)


@pytest.mark.parametrize("field", [b"\x61" + bytes(8), b"\x65" + bytes(4), b"\x45" + bytes(4), b"\xfd\x01" + bytes(4)])
def test_fields_of_another_wire_type_are_unknown(field: bytes) -> None:
    found = _found(send_frame(metadata_bytes() + field, b"hi"))
    assert found["unknown"] == field
    assert found.keys() == {"producer_name", "sequence_id", "publish_time", "unknown", "payload"}


def test_elements_of_packed_lists() -> None:
    field = b"\xfa\x01\x00" + b"\xfa\x01\x03\x01\x80\x01" + b"\xf8\x01\x03"
    found = _found(send_frame(metadata_bytes() + field, b"hi"))
    assert [found[f"compacted_batch_indexes[{at}]"] for at in range(3)] == [field[3:9], field[3:9], field[9:]]
    assert found["compacted_batch_indexes"] == field


def test_members_of_batches_have_their_own_fields() -> None:
    own = pb.SingleMessageMetadata(payload_size=2, compacted_out=False, event_time=5).SerializeToString()
    found = _found(send_frame(metadata_bytes(num_messages_in_batch=1), len(own).to_bytes(4, "big") + own + b"hi"))
    assert found["event_time"] == b"\x28\x05"
    assert found.keys().isdisjoint({"payload_size", "compacted_out"})


def test_fields_of_a_delivery_are_those_of_a_delivery() -> None:
    extra = pb.BaseCommand(message=pb.CommandMessage(consumer_id=1, message_id=pb.MessageIdData(ledgerId=1, entryId=2)))
    wire = send_frame(metadata_bytes(), b"hi", magic=b"")
    command = wire[8:16] + extra.SerializePartialToString()
    section = wire[16:]
    both = (len(command) + 4 + len(section)).to_bytes(4, "big") + len(command).to_bytes(4, "big") + command + section
    assert "message_id" not in _found(both)
