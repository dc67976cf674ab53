"""Words of Pulsar's tables: sequence ids of batch members."""

from typing import Any

import pytest

from mqconvert import convert
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.pulsar.words import add_beside
from mqconvert.converters.words import NOT_MINE


@pytest.mark.parametrize(
    ("value", "beside", "answer"), [(7, 0, 7), (7, 2, 9), (2**64 - 2, 1, 2**64 - 1), (2**64 - 1, 1, NOT_MINE)]
)
def test_a_sum_has_64_bits_or_passes_on(value: int, beside: int, answer: Any) -> None:
    assert add_beside(value, beside) == answer


@pytest.mark.parametrize(
    ("own", "of_batch", "index", "number"),
    [(None, 7, 0, 7), (None, 7, 2, 9), (5, 7, 2, 5), (None, 7, None, None), (None, 2**64 - 1, 1, None), (5, None, 2, 5)],
)
def test_a_member_without_a_sequence_id_counts_from_that_of_its_batch(
    own: int | None, of_batch: int | None, index: int | None, number: int | None
) -> None:
    message = pulsar.Message(
        frame="message", sequence_id=own, batch=pulsar.Batch(sequence_id=of_batch, index=index), payload=b""
    )
    done = convert(message, "amqp-1.0")
    annotations = {entry.key: entry.value for entry in done.message.message_annotations or []}
    assert annotations.get("x-opt-pulsar-sequence-id") == number
    dropped = [(drop.rule, drop.note) for drop in done.report.dropped if drop.field == "batch.sequence_id"]
    assert dropped == (
        [] if (own is None and number is not None) or of_batch is None else [("batch-sequence-id", "of the batch")]
    )
