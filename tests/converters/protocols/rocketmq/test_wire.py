"""The layout of a stored record has every field that a record can hold."""

from dataclasses import fields, replace
from typing import Any

import pytest

from mqconvert.converters.protocols.rocketmq import codec as rocketmq
from mqconvert.converters.protocols.rocketmq.message import MESSAGE_MAGIC_CODE_V2, Message
from tests.converters.protocols.rocketmq.frames import RECORD
from tests.refusals import unwritten

NOT_STORED = {
    "producer_group", "default_topic", "default_topic_queue_nums", "unit_mode", "max_reconsume_times", "broker_name",
    "batch_index", "batch_size", "batch_properties", "batch_flag",
}  # fmt: skip
"""The fields that only send requests and their batches have."""
OF_REQUESTS: dict[str, Any] = {"request_code": 309, "ext_fields": [("k", "v")]}
"""The fields of a request around a record, here CONSUME_MESSAGE_DIRECTLY."""
VALUES: dict[str, Any] = {
    "topic": "other", "payload": b"other", "utf8-pairs": [("k", "v")], "utf8": "no entry", "int": 8,
    "uint": MESSAGE_MAGIC_CODE_V2, "long": -(2**63), "timestamp": 2**63 - 1, "host": "198.51.100.7:8", "boolean": True,
}  # fmt: skip
"""A value of each wire type that no field of RECORD has."""
FIELDS = {field.name: field.metadata["types"][0] for field in fields(Message) if field.name != "frame"}


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in NOT_STORED | OF_REQUESTS.keys()])
def test_every_field_of_a_record_is_read_back(name: str) -> None:
    record = replace(RECORD, **{name: VALUES[FIELDS[name]]})
    assert record != RECORD
    assert rocketmq.decode(rocketmq.encode(record)) == record


@pytest.mark.parametrize("name", sorted(NOT_STORED))
def test_other_fields_of_a_record_are_refused(name: str) -> None:
    assert unwritten(rocketmq.encode, replace(RECORD, **{name: VALUES[FIELDS[name]]}))[1] == name


def test_a_request_around_a_record_has_its_own_fields() -> None:
    record = replace(RECORD, **OF_REQUESTS)
    assert rocketmq.decode(rocketmq.encode(record)) == record
    assert unwritten(rocketmq.encode, replace(record, request_code=None))[1] == "ext_fields"
