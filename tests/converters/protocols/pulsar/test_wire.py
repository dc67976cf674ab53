"""Pulsar: every field of the protobuf messages has one in the message, and the printed writers refuse invalid values."""

from dataclasses import fields

import pytest

from mqconvert import EncodeError
from mqconvert.converters.protocols.pulsar import codec as pulsar
from mqconvert.converters.protocols.pulsar.message import PULSAR_TYPES, EncryptionKey, Message
from tests.converters.protocols.pulsar.frames import pb, plain
from tests.freeze import ODD

METADATA = (pb.MessageMetadata, pb.SingleMessageMetadata, pb.BrokerEntryMetadata)
FAULTS = {name: type_.fault for name, type_ in PULSAR_TYPES.items()} | {"utf8-pairs": pulsar.pairs_fault}


def test_a_message_has_all_fields_of_metadata_but_those_of_the_frame() -> None:
    others = {field.name for class_ in METADATA for field in class_.DESCRIPTOR.fields if field not in pulsar.READ}
    assert others == {"payload_size", "compacted_out"}


@pytest.mark.parametrize(
    "field", [field for field in fields(Message) if field.metadata["of"] is None], ids=lambda each: each.name
)
def test_encoders_name_the_field_with_an_invalid_value(field: object) -> None:
    name, fault, default = field.name, FAULTS[field.metadata["types"][0]], field.default  # type: ignore[attr-defined]
    for value in (value for value in (*ODD, None) if fault(value) is not None and (value is not None or default is not None)):
        message = plain(**{name: value})
        for path, encode in (("", pulsar.encode), ("[0].", lambda message: pulsar.encode_batch([message]))):
            with pytest.raises(EncodeError) as raised:
                encode(message)
            assert (raised.value.code, raised.value.field) == ("bad_value", path + name)


def test_the_first_invalid_field_is_named_also_behind_keys() -> None:
    key = EncryptionKey("k", "no bytes")  # type: ignore[arg-type]
    for others, field in (({}, "encryption_keys[0].value"), ({"schema_version": 5}, "schema_version")):
        with pytest.raises(EncodeError) as raised:
            pulsar.encode(plain(encryption_keys=[key], **others))
        assert raised.value.field == field
