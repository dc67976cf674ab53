"""Batches as a worker gets them: every row has its result, in bounded memory."""

from struct import pack
from typing import Any

import pyarrow as pa
import pytest

from mqconvert import encode
from mqconvert.converters.choices import Choices
from mqconvert.converters.columns.arrow import Rows, tallied
from mqconvert.converters.columns.loop import ValueConverter
from mqconvert.converters.protocols.mqtt5.message import Message as Publish
from tests.converters.columns.batches import LOSSY, PUBLISH, convert_batches


def test_an_invalid_message_of_a_value_is_rejected_alone() -> None:
    """The first rejected row of a value keeps the wire, which the rejects need."""
    (batch,) = convert_batches([PUBLISH * 3, PUBLISH * 2 + b"0", PUBLISH, b"0", b"0"])
    made = batch.to_pylist()
    assert [(row["id"], row["index"], row["error"] and row["error"]["code"]) for row in made] == [
        (0, 0, None),
        (0, 1, None),
        (0, 2, None),
        (1, 0, None),
        (1, 1, None),
        (1, 2, "truncated"),
        (2, 0, None),
        (3, None, "truncated"),
        (4, None, "truncated"),
    ]
    broken = PUBLISH * 2 + b"0"
    assert [row["wire"] for row in made] == [PUBLISH * 3, None, None, broken, None, broken, PUBLISH, b"0", b"0"]


def test_each_codec_takes_the_options_that_it_has() -> None:
    """`lenient` is an option of reading AMQP 1.0 and RocketMQ, `max_req_timeout_ms` also one of writing NSQ."""
    wire = bytes.fromhex("005370c00402405204005375a00161")  # a priority of type uint
    cases: list[tuple[dict[str, object], str | None]] = [({}, "wrong_type"), ({"lenient": True}, None)]
    for options, code in cases:
        (batch,) = convert_batches([wire], source="amqp-1.0", target="amqp-0.9.1", options=options)
        assert [row["error"] and row["error"]["code"] for row in batch.to_pylist()] == [code]
    delayed = b"DPUB t 5000000\n\0\0\0\2hi"
    for delays, code in [({}, "invalid_params"), ({"max_req_timeout_ms": 5000000}, None)]:
        (batch,) = convert_batches([delayed], source="nsq", target="nsq", options=delays)
        (row,) = batch.to_pylist()
        assert (row["error"] and row["error"]["code"], row["converted"]) == (code, None if code else delayed)


def test_frames_without_a_message_are_counted_and_a_value_of_them_alone_is_rejected() -> None:
    chosen = ValueConverter(Choices(options=(("stream", True),)), report=True)
    worker = Rows(chosen, "mqtt-5.0", "amqp-1.0", "wire", "binary", 2**20, tally="tally")
    ping = bytes.fromhex("c000")
    wires = pa.array([ping + PUBLISH + ping + PUBLISH, ping * 3, PUBLISH, ping + PUBLISH + b"0"], pa.binary())
    (batch,) = worker.batches([pa.RecordBatch.from_arrays([wires], names=["wire"])])
    made = batch.to_pylist()
    assert [(row["index"], row["error"] and row["error"]["code"]) for row in made] == [
        (0, None), (1, None), (None, "no_message"), (0, None), (0, None), (1, "truncated"),
    ]  # fmt: skip
    assert made[2]["error"]["message"] == "no message among the frames: 3"
    assert tallied([made[-1]["tally"]])["skipped"] == [{"count": 6}]


def test_the_wire_is_kept_once_for_the_rejects_of_a_value() -> None:
    """Repeated for each rejected message, it would grow with the square of the input."""
    members = b"".join(b"\0\0\0\0" if at % 2 else b"\0\0\0\1a" for at in range(1000))
    wire = b"MPUB t\n" + pack(">ii", 4 + len(members), 1000) + members
    for batch_bytes in (1, 2**20):
        made = [row for batch in convert_batches([wire], batch_bytes, source="nsq") for row in batch.to_pylist()]
        assert [row["index"] for row in made] == [*range(1000)]
        assert [row["error"] is None for row in made] == [True, False] * 500
        assert [row["index"] for row in made if row["wire"] is not None] == [0, 1]


def test_a_message_that_does_not_convert_is_rejected_alone() -> None:
    refused = encode(Publish(topic_name="a/b", payload=b"hi"))  # no topic of NSQ
    (batch,) = convert_batches([refused, refused + PUBLISH, refused + PUBLISH[:-1]], target="nsq")
    assert [(row["index"], row["error"] and row["error"]["code"]) for row in batch.to_pylist()] == [
        (None, "bad_topic"), (0, "bad_topic"), (1, None), (0, "bad_topic"), (1, "truncated"),
    ]  # fmt: skip


@pytest.mark.parametrize("failure", [MemoryError(), OSError(28, "No space left on device"), pa.ArrowMemoryError("malloc")])
def test_a_memory_error_rejects_no_row(monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    def fail(*_given: Any) -> Any:
        raise failure

    monkeypatch.setattr("mqconvert.converters.routes.RouteConverter.convert", fail)
    with pytest.raises(type(failure)):
        convert_batches([LOSSY], target="amqp-0.9.1")


@pytest.mark.parametrize("many", [False, True])
def test_reports_count_toward_the_batch_limit(many: bool) -> None:
    """The reports are longer than the messages, with one message per value or all in one value."""
    retained = encode(Publish(topic_name="t", retain=1, payload=b"hi"))
    wires = [retained * 2000] if many else [retained] * 2000
    made = convert_batches(wires, batch_bytes=2**17, size=5000, target="amqp-0.9.1")
    assert sum(batch.num_rows for batch in made) == 2000
    assert max(batch.nbytes for batch in made) < 2 * 2**17


def test_a_tally_takes_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mqconvert.converters.columns.loop.MOST_TALLIED", 0)
    chosen = ValueConverter(Choices(), report=True)
    worker = Rows(chosen, "mqtt-5.0", "amqp-0.9.1", "wire", "binary", 2**20, tally="tally")
    (batch,) = worker.batches([pa.RecordBatch.from_arrays([pa.array([LOSSY, LOSSY, b""], pa.binary())], names=["wire"])])
    told = tallied([batch.column("tally").to_pylist()[-1]])
    assert told["lost"] == [{"rule": None, "type": None, "reason": None, "leg": None, "count": 2}]
    assert [entry["code"] for entry in told["errors"]] == ["truncated"]


def test_an_internal_error_costs_its_row_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(*_given: Any) -> Any:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("mqconvert.converters.routes.RouteConverter.convert", defect)
    (row,) = convert_batches([LOSSY], target="amqp-0.9.1")[0].to_pylist()
    assert (row["wire"], row["error"]["code"], row["error"]["message"]) == (LOSSY, "internal", "ZeroDivisionError: ours")
