"""Rows of PHPMQ's message types: their headers and packets are those of the vectors."""

from dataclasses import fields
from typing import Any, get_args

import pytest

from mqconvert.converters.protocols.phpmq.kinds import KINDS, PACKETS, TYPES
from mqconvert.converters.protocols.phpmq.message import Frame
from tests.vectors import vectors

MESSAGES = [pytest.param(vector, id=vector["id"]) for vector in vectors("phpmq") if vector["fields"].get("kind") == "message"]


def test_every_frame_has_a_row_of_its_fields() -> None:
    assert {kind.of for kind in KINDS.values()} == {*get_args(Frame)}
    for kind in KINDS.values():
        packets = [PACKETS[code] for code in kind.packets]
        assert [field.name for field in fields(kind.of) if field.name in packets] == packets


@pytest.mark.parametrize("vector", MESSAGES)
def test_headers_and_packets_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    """The library may send the packets in another order."""
    row, wire = KINDS[vector["fields"]["type_name"]], vector["wire"]
    assert row.code == vector["fields"]["type"]
    assert wire[:8] == row.header
    packets, at = [], 8
    while at < len(wire):
        packets.append(int(wire[at + 1 : at + 3]))
        at += 32 + int(wire[at + 3 : at + 32])
    assert sorted(packets) == sorted(row.packets)
    for code in packets:
        assert PACKETS[code] in vector["fields"]


def test_the_vectors_have_every_message_type() -> None:
    assert {param.values[0]["fields"]["type_name"] for param in MESSAGES} == {*KINDS}  # type: ignore[index]  # a vector


def test_a_field_has_one_type_in_all_frames() -> None:
    """TYPES keeps the last one: codecs read a packet by its type alone."""
    for kind in KINDS.values():
        assert {field.name: field.metadata["types"][0] for field in fields(kind.of)}.items() <= TYPES.items()
