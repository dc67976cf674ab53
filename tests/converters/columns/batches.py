"""Batches of Arrow through the converter of a worker, without Spark."""

import pickle
from typing import Any

import pyarrow as pa

from mqconvert import encode
from mqconvert.converters.choices import Choices
from mqconvert.converters.columns.arrow import Rows
from mqconvert.converters.columns.loop import ValueConverter
from mqconvert.converters.protocols.mqtt5.message import Message as Publish

PUBLISH = bytes.fromhex("3006000174006869")
LOSSY = encode(Publish(topic_name="t", content_type="x" * 300, payload=b"hi"))  # too long for a short string


def convert_batches(wires: list[Any], batch_bytes: int = 2**20, size: int = 100, **choices: Any) -> list[pa.RecordBatch]:
    chosen = ValueConverter(Choices(options=tuple(choices.pop("options", {}).items())), report=choices.pop("report", True))
    source, target = choices.pop("source", "mqtt-5.0"), choices.pop("target", "amqp-1.0")
    worker = Rows(chosen, source, target, "wire", choices.pop("encoding", "binary"), batch_bytes)
    worker = pickle.loads(pickle.dumps(worker))
    parts = [wires[start : start + size] for start in range(0, len(wires), size)]
    type_ = pa.binary() if worker.encoding == "binary" else pa.string()
    batches = [
        pa.RecordBatch.from_arrays([pa.array(range(len(part))), pa.array(part, type_)], names=["id", "wire"]) for part in parts
    ]
    return list(worker.batches(batches))
