"""The registry of formats, and what holds for every reader: files of others read whole, broken ones entry by entry."""

import os
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from mqconvert import ConversionError, decode, encode
from mqconvert.app.move.ends import parse_end
from mqconvert.converters.protocols.amqp091.message import BasicProperties
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.amqp10.message import Data
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.readers import MODULES, Broken, Format, Record, formats, reader
from tests.converters.readers import written

BODIES = [b"one", b"", b"three" * 9, b"\0" * 40, b"five"]
AMQP10 = [encode(amqp10.Message(body=Data([body]))) for body in BODIES]
RECORDS = [encode(rocketmq.Message(topic="t", body=body, frame="record")) for body in BODIES]
SAMPLES: dict[str, tuple[str, bytes]] = {
    "nsqd": ("orders.diskqueue.000000.dat", written.nsqd(*BODIES)),
    "rabbitmq-stream": (
        "00000000000000000000.segment",
        written.segment(
            written.chunk(0, list(map(written.simple, AMQP10[:2]))),
            written.chunk(2, [b"positions"], kind=1),
            written.chunk(2, list(map(written.simple, AMQP10[2:]))),
        ),
    ),
    "rabbitmq-classic": (
        "0.qs",
        written.queue_store(*(written.mc("mc_amqpl", written.amqp091(b"\x10\0\x02", body)) for body in BODIES)),
    ),
    "rabbitmq-get": (
        "get.json",
        b"["
        + b", ".join(b'{"payload": "%s", "exchange": "", "properties": []}' % body.replace(b"\0", b".") for body in BODIES)
        + b"]",
    ),
    "rocketmq-commitlog": ("00000000000000000000", b"".join(RECORDS) + bytes(64)),
}
"""A small file of each format with the messages of BODIES."""
EACH = pytest.mark.parametrize("name", SAMPLES)
HEADERS = {"rabbitmq-classic": 5}
"""Bytes at the beginning of a file without which it is none."""
KEPT = {"nsqd": 3, "rocketmq-commitlog": 3, "rabbitmq-classic": 4}
"""How many messages of BODIES a changed byte leaves at least."""


def entries(name: str, folder: Path, raw: bytes, file: str = "") -> list[Record | Broken]:
    """Return what the reader gives for a file of these bytes."""
    path = folder / (file or SAMPLES[name][0])
    path.write_bytes(raw)
    return list(reader(name).entries(path))


def payload(record: Any) -> bytes:
    message: Any = decode(record.protocol, record.wire)
    if record.protocol == "amqp-1.0":
        return b"".join(message.body.sections)
    return bytes(message.payload if record.protocol == "amqp-0.9.1" else message.body)


def test_every_format_has_a_sample() -> None:
    assert set(SAMPLES) == set(MODULES) == set(formats())


@EACH
def test_messages_are_read_in_order(name: str, tmp_path: Path) -> None:
    found = entries(name, tmp_path, SAMPLES[name][1])
    wanted = [body.replace(b"\0", b".") if name == "rabbitmq-get" else body for body in BODIES]
    assert [payload(record) for record in found] == wanted
    positions = [record.position for record in found]
    assert positions == sorted(set(positions))


@EACH
def test_a_folder_gives_the_messages_of_its_files(name: str, tmp_path: Path) -> None:
    file, raw = SAMPLES[name]
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / file).write_bytes(raw)
    (tmp_path / "other.txt").write_bytes(b"no file of a broker")
    assert len(list(reader(name).entries(tmp_path))) == len(BODIES)
    (tmp_path / "below" / file).unlink()
    with pytest.raises(FileNotFoundError, match=f"there is no file of {name} in"):
        reader(name).files(tmp_path)


@EACH
def test_zeros_and_empty_files_end(name: str, tmp_path: Path) -> None:
    assert all(isinstance(entry, Broken) for entry in entries(name, tmp_path, b""))
    if name != "rabbitmq-get":  # JSON has no blank end
        assert len(entries(name, tmp_path, SAMPLES[name][1] + bytes(1000))) == len(BODIES)


@EACH
def test_a_file_that_is_cut_gives_the_messages_before(name: str, tmp_path: Path) -> None:
    """At every byte: no error but Broken entries, and no message that was not there."""
    raw = SAMPLES[name][1]
    whole = [entry.wire for entry in entries(name, tmp_path, raw) if isinstance(entry, Record)]
    for size in range(len(raw)):
        found = [entry.wire for entry in entries(name, tmp_path, raw[:size]) if isinstance(entry, Record)]
        assert found == whole[: len(found)]


@EACH
def test_a_changed_byte_costs_few_messages(name: str, tmp_path: Path) -> None:
    """At every byte. Each reader goes on behind what is broken, where its format lets it."""
    raw = SAMPLES[name][1]
    for at in range(len(raw)):
        changed = raw[:at] + bytes((raw[at] ^ 0x41,)) + raw[at + 1 :]
        found = entries(name, tmp_path, changed)
        assert all(entry.position <= len(raw) for entry in found)
        beginning = HEADERS.get(name, 0)
        if at >= beginning and name in KEPT:
            assert sum(isinstance(entry, Record) for entry in found) >= KEPT[name]


@EACH
def test_noise_gives_broken_entries(name: str, tmp_path: Path) -> None:
    draw = random.Random(name)
    for size in (1, 7, 100, 5000):
        for found in (draw.randbytes(size), SAMPLES[name][1] + draw.randbytes(size), b"\xff" * size):
            assert all(isinstance(entry, Record | Broken) for entry in entries(name, tmp_path, found))


HUGE = {
    "nsqd": b"\x7f\xff\xff\xff" + bytes(80),
    "rabbitmq-stream": written.segment(written.chunk(0, [written.batch(1, b"", 2**31, 9)])),
    "rabbitmq-classic": written.queue_store(
        b"\x83l\xff\xff\xff\xff" + b"a" * 80, b"\x83t\xff\xff\xff\xff", b"\x83m\xff\xff\xff\xff"
    ),
    "rocketmq-commitlog": b"\x7f\xff\xff\xff" + RECORDS[0][4:],
}


def _compressed(kind: int) -> bytes:
    return written.segment(written.chunk(0, [written.batch(kind, b"abc", 60 * 2**20, 3)], records=3))


HUGE |= {
    "rabbitmq-stream snappy": _compressed(2),
    "rabbitmq-stream lz4": _compressed(3),
    "rabbitmq-stream zstd": _compressed(4),
}


@pytest.mark.parametrize("name", HUGE)
def test_no_announced_size_is_allocated(name: str, tmp_path: Path) -> None:
    form, *_ = name.split()
    entries(form, tmp_path, SAMPLES[form][1])  # imports what it needs
    tracemalloc.start()
    try:
        found = entries(form, tmp_path, HUGE[name])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found
    assert all(isinstance(entry, Broken) for entry in found)
    assert most < 2_000_000


def test_unknown_formats_are_refused_by_name() -> None:
    with pytest.raises(ConversionError, match="unknown format 'rabbitmq-streams'") as failed:
        reader("rabbitmq-streams")
    assert failed.value.code == "bad_option"


class _Entry:
    """An entry point of an installed package."""

    value = "package:FORMAT"

    def __init__(self, name: str, offered: object) -> None:
        self.name = name
        self._offered = offered

    def load(self) -> object:
        if isinstance(self._offered, Exception):
            raise self._offered
        return self._offered


def _installed(monkeypatch: pytest.MonkeyPatch, offered: object) -> None:
    from mqconvert.converters import readers  # noqa: PLC0415 - its registry is replaced

    monkeypatch.setattr(readers, "_others", {})
    monkeypatch.setattr(readers, "_faults", {})
    monkeypatch.setattr(readers, "_complete", readers._complete.__wrapped__)  # as if nothing was looked up yet
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [_Entry("mine", offered)] if "readers" in group else []
    )


def test_packages_offer_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Format("mine", ("nsq",), ("*.mine",), lambda path: iter([Record(str(path), 0, "nsq", path.read_bytes())]))
    _installed(monkeypatch, mine)
    assert reader("mine") is mine
    assert formats()[-1] == "mine"


@pytest.mark.parametrize(
    ("offered", "why"),
    [
        (5, "no Format"),
        (Format("nsqd", (), (), iter), "its name is there already"),  # type: ignore[arg-type]  # it is never called
        (ImportError("no module x"), "no module x"),
    ],
)
def test_invalid_formats_of_packages_are_told(monkeypatch: pytest.MonkeyPatch, offered: object, why: str) -> None:
    _installed(monkeypatch, offered)
    with pytest.raises(ConversionError, match=rf"the entry point 'mine' \(package:FORMAT\): {why}"):
        reader("mine")
    assert reader("nsqd").name == "nsqd"  # nobody else suffers
    assert formats() == (*MODULES, "mine")
    assert parse_end(f"amqp-1.0:{os.devnull}", "source").path == os.devnull


def test_properties_of_the_samples_are_kept(tmp_path: Path) -> None:
    [first, *_] = entries("rabbitmq-classic", tmp_path, SAMPLES["rabbitmq-classic"][1])
    assert isinstance(first, Record)
    message: Any = decode(first.protocol, first.wire)
    assert (message.basic, message.exchange, message.routing_key) == (BasicProperties(delivery_mode=2), "ex", "key")
    assert first.maybe_settled
