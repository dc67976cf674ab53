"""Files as ends: positions, incomplete lines, full disks."""

import json
import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mqconvert import encode
from mqconvert.app.move.files import FileSource, FileTarget, RefusedFile, State, StoreSource, appended, store
from mqconvert.app.move.window import StopError
from mqconvert.converters.clients.ends import DownError
from mqconvert.converters.errors import DecodeError, EncodeError, MqConvertError
from mqconvert.converters.model.base64text import from_base64, to_base64
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.readers import Broken, Format, Record

WAIT = 30


def _until(good: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not good():
        assert time.monotonic() < deadline
        time.sleep(0.001)


class Window:
    """Takes what an end gives, and answers a source at once, unless `hold`."""

    def __init__(self, allowed: int = 10, *, hold: bool = False) -> None:
        self.allowed = self.most = allowed
        self.hold = hold
        self.messages: list[Any] = []
        self.tokens: list[Any] = []
        self.places: list[dict[str, object]] = []
        self.errors: list[tuple[bytes, MqConvertError]] = []
        self.stored: list[int] = []
        self.refusals: list[MqConvertError] = []
        self.notes: list[str] = []
        self.faults: list[str] = []
        self.delays = 0
        self.is_up = threading.Event()

    def opened(self, _source: Any, waiting: int | None = None) -> int:  # noqa: ARG002
        return self.allowed

    def received(self, source: Any, token: Any, message: Any, size: int, **where: object) -> None:
        self.places.append(where)
        assert size > 0
        self.messages.append(message)
        self.tokens.append(token)
        if not self.hold:
            source.settle(token)

    def undecoded(self, source: Any, token: Any, wire: bytes, error: MqConvertError, **where: object) -> None:
        self.places.append(where)
        self.errors.append((wire, error))
        source.settle(token)

    def up(self, _target: Any) -> None:
        self.is_up.set()

    def delayed(self, _target: Any) -> None:
        self.delays += 1

    def confirmed(self, _target: Any, numbers: Any) -> None:
        self.stored += numbers

    def refused(self, _target: Any, _number: int, error: MqConvertError) -> None:
        self.refusals.append(error)

    def note(self, words: str) -> None:
        self.notes.append(words)

    def broken(self, words: str, error: MqConvertError, **_: object) -> None:
        assert error.code in words
        self.faults.append(words)


def _line(payload: bytes) -> str:
    return json.dumps({"wire": to_base64(encode(mqtt5.Message(topic_name="t", payload=payload)))}) + "\n"


def _payloads(window: Window) -> list[bytes]:
    return [message.payload for message in window.messages]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "given.jsonl"
    made.write_text("".join(_line(b"%d" % number) for number in range(5)))
    return made


def test_lines_are_read_in_order_and_bad_ones_are_told(file: Path) -> None:
    several = to_base64(encode(mqtt5.Message(topic_name="t", payload=b"x")) * 2)
    refused = {"wire": to_base64(b"\x30\xff"), "refused": {"code": "x"}}
    more = ["", "no json", json.dumps(refused), json.dumps({"wire": several}), _line(b"last").rstrip()]
    file.write_text(file.read_text() + "\n".join(more))
    window = Window()
    FileSource(str(file), "mqtt-5.0").run(window)
    assert _payloads(window) == [b"0", b"1", b"2", b"3", b"4", b"x", b"x", b"last"]
    assert [(wire.strip(), error.code) for wire, error in window.errors] == [
        (b"no json", "bad_json"),
        (b"\x30\xff", "truncated"),
    ]


def test_a_line_by_hand_needs_no_protocol(file: Path) -> None:
    file.write_text('{"topic_name": "t", "payload": {"text": "by hand"}}\n')
    window = Window()
    FileSource(str(file), "mqtt-5.0").run(window)
    assert (_payloads(window), window.errors) == ([b"by hand"], [])


def test_a_refused_line_without_wire_bytes_is_kept_as_text_and_read_again(tmp_path: Path) -> None:
    given, refused = tmp_path / "given", [tmp_path / "refused", tmp_path / "again"]
    given.write_bytes(b'no json\n{"wire": "!"}\n{"message": 5}\n' + b"\xff\xfe\n" + b'{"wire": "MP8="}\n')
    for source, target in ((given, refused[0]), (refused[0], refused[1])):
        window = Window()
        FileSource(str(source), "mqtt-5.0").run(window)
        file = RefusedFile(str(target), print)
        for wire, error in window.errors:
            file.take(lambda wire=wire: wire, error)  # type: ignore[misc]
        file.close()
    lines = [json.loads(line) for line in refused[0].read_text().splitlines()]
    kept = [line.get("raw", line.get("wire")) for line in lines]
    assert kept == ["no json", '{"wire": "!"}', '{"message": 5}', to_base64(b"\xff\xfe\n"), "MP8="]
    assert [line["refused"]["code"] for line in lines[:3]] == ["bad_json", "bad_base64", "bad_json"]
    again = [json.loads(line) for line in refused[1].read_text().splitlines()]
    assert [line.get("raw", line.get("wire")) for line in again] == kept
    mended = Window()
    refused[0].write_text(json.dumps(lines[0] | {"raw": _line(b"mended")}) + "\n")
    FileSource(str(refused[0]), "mqtt-5.0").run(mended)
    assert _payloads(mended) == [b"mended"]


ENTRIES: list[Record | Broken] = [
    Record("f", 0, "mqtt-5.0", encode(mqtt5.Message(topic_name="t", payload=b"0"))),
    Broken("f", 9, DecodeError("bad_length", "noise", offset=9)),
    Record("f", 20, "nsq", b"of another protocol"),
    Record("f", 30, "mqtt-5.0", b"\x30\xff"),
    Record("f", 40, "mqtt-5.0", encode(mqtt5.Message(topic_name="t", payload=b"1"))),
]


def _store(*entries: Record | Broken, hold: bool = False, allowed: int = 10) -> Window:
    form = Format("mine", ("mqtt-5.0", "nsq"), ("*.mine",), lambda _: iter(entries), ("what to know",))
    window = Window(allowed, hold=hold)
    source = StoreSource(form, __file__, ["mqtt-5.0"])
    if hold:
        thread = threading.Thread(target=source.run, args=(window,))
        thread.start()
        _until(lambda: len(window.messages) == allowed)
        source.close()
        thread.join(WAIT)
        assert not thread.is_alive()
    else:
        source.run(window)
    return window


def test_entries_of_stores_are_given_in_order_and_broken_ones_told() -> None:
    window = _store(*ENTRIES)
    assert _payloads(window) == [b"0", b"1"]
    assert [(wire, error.code) for wire, error in window.errors] == [(b"\x30\xff", "truncated")]
    assert window.notes == []
    assert window.faults == ["f: byte 9: noise [bad_length]"]


def test_the_notes_of_a_format_are_for_messages_that_may_be_settled() -> None:
    settled = Record("f", 0, "mqtt-5.0", encode(mqtt5.Message(topic_name="t")), maybe_settled=True)
    assert _store(settled).notes == ["what to know"]


def test_a_store_gives_no_more_than_is_allowed() -> None:
    assert _payloads(_store(*[ENTRIES[0]] * 9, hold=True, allowed=3)) == [b"0"] * 3


@pytest.mark.parametrize(
    ("settled", "left"),
    [(1, [b"1", b"2", b"3"]), (2, [b"1", b"2", b"3"]), (3, [b"3"]), (4, [])],
)
def test_a_store_goes_on_behind_what_is_settled(settled: int, left: list[bytes], tmp_path: Path) -> None:
    """A compressed batch, whose messages have one position, comes again until all of it is settled."""
    file, kept = tmp_path / "f", str(tmp_path / "state")
    file.write_bytes(bytes(100))
    entries: list[Record | Broken] = [
        Record("f", position, "mqtt-5.0", encode(mqtt5.Message(topic_name="t", payload=b"%d" % number)))
        for number, position in enumerate((0, 10, 10, 20))
    ]
    entries.insert(1, Broken("f", 5, DecodeError("bad_length", "noise", offset=5)))
    form = Format("mine", ("mqtt-5.0",), ("*.mine",), lambda _: iter(entries))
    window = Window(hold=True)
    source = StoreSource(form, str(file), ["mqtt-5.0"], State(kept, str(file)))
    thread = threading.Thread(target=source.run, args=(window,))
    thread.start()
    _until(lambda: len(window.messages) == 4)
    source.settle(window.tokens[settled - 1])
    source.close()
    thread.join(WAIT)
    assert not thread.is_alive()
    again = Window()
    StoreSource(form, str(file), ["mqtt-5.0"], State(kept, str(file))).run(again)
    assert _payloads(again) == left
    assert again.faults == []


@pytest.mark.parametrize("rest", ["", '{"wire": '])
def test_a_source_that_waits_for_a_pipe_ends_when_it_is_closed(tmp_path: Path, rest: str) -> None:
    """What came of a line that is not whole is no message."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    try:
        os.write(writer, f"{_line(b'a')}{_line(b'b')}{rest}".encode())
        window, source = Window(), FileSource(str(pipe), "mqtt-5.0")
        thread = threading.Thread(target=source.run, args=(window,), daemon=True)
        thread.start()
        _until(lambda: len(window.messages) == 2)
        source.close()
        thread.join(WAIT)
        assert not thread.is_alive()
    finally:
        os.close(writer)
    assert (_payloads(window), window.errors) == ([b"a", b"b"], [])


def test_long_lines_are_skipped(file: Path) -> None:
    file.write_text(_line(b"a") + "x" * 200_000 + "\n" + _line(b"b"))
    window = Window()
    FileSource(str(file), "mqtt-5.0", max_line=1000).run(window)
    assert _payloads(window) == [b"a", b"b"]
    assert [error.code for _, error in window.errors] == ["line_too_long"]


def test_a_position_is_kept_behind_what_is_settled(file: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    window = Window(hold=True)
    source = FileSource(str(file), "mqtt-5.0", State(str(state), str(file)))
    thread = threading.Thread(target=source.run, args=(window,))
    thread.start()
    _until(lambda: len(window.tokens) >= 5)
    source.settle(window.tokens[2])
    source.close()
    thread.join(WAIT)
    again = Window()
    FileSource(str(file), "mqtt-5.0", State(str(state), str(file))).run(again)
    assert _payloads(again) == [b"3", b"4"]
    last = Window()
    FileSource(str(file), "mqtt-5.0", State(str(state), str(file))).run(last)
    assert last.messages == []


def test_a_line_with_several_messages_is_settled_with_its_last_one(file: Path, tmp_path: Path) -> None:
    file.write_text(json.dumps({"wire": to_base64(encode(mqtt5.Message(topic_name="t", payload=b"x")) * 2)}) + "\n")
    for settled, left in ((0, 2), (1, 0)):
        state = str(tmp_path / f"state-{settled}")
        window = Window(hold=True)
        source = FileSource(str(file), "mqtt-5.0", State(state, str(file)))
        thread = threading.Thread(target=source.run, args=(window,))
        thread.start()
        _until(partial(_has, window.tokens, 2))
        source.settle(window.tokens[settled])
        source.close()
        thread.join(WAIT)
        again = Window()
        FileSource(str(file), "mqtt-5.0", State(state, str(file))).run(again)
        assert len(again.messages) == left


def _has(tokens: list[Any], number: int) -> bool:
    return len(tokens) >= number


def test_no_more_are_in_flight_than_allowed(file: Path) -> None:
    window = Window(allowed=2, hold=True)
    source = FileSource(str(file), "mqtt-5.0")
    thread = threading.Thread(target=source.run, args=(window,))
    thread.start()
    for given in (2, 4, 5):
        _until(partial(_has, window.tokens, given))
        time.sleep(0.05)
        assert len(window.tokens) == given
        source.settle(window.tokens[-1])
    thread.join(WAIT)
    assert not thread.is_alive()


def test_a_file_that_grows_is_followed(file: Path, tmp_path: Path) -> None:
    window = Window()
    source = FileSource(str(file), "mqtt-5.0", State(str(tmp_path / "state"), str(file)), follow=True)
    thread = threading.Thread(target=source.run, args=(window,))
    thread.start()
    line = _line(b"later")
    with file.open("a") as more:
        more.write(line[:10])
        more.flush()
        _until(lambda: len(window.messages) >= 5)
        more.write(line[10:])
    _until(lambda: len(window.messages) >= 6)
    source.stop()
    thread.join(WAIT)
    assert _payloads(window)[-1] == b"later"
    assert json.loads((tmp_path / "state").read_text())["position"] == file.stat().st_size


@pytest.mark.parametrize("change", [lambda text: text[:50], lambda text: "x" + text[1:]], ids=["shorter", "another"])
def test_the_state_of_another_file_is_refused(file: Path, tmp_path: Path, change: Any) -> None:
    state = State(str(tmp_path / "state"), str(file))
    state.save(file.stat().st_size)
    file.write_text(change(file.read_text()))
    with pytest.raises(OSError, match="belongs to another file"):
        State(str(tmp_path / "state"), str(file))


@pytest.mark.parametrize("text", ["", "[]", '{"position": "x"}', "{"])
def test_a_file_that_is_no_state_is_refused(file: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "state").write_text(text)
    with pytest.raises(OSError, match="was not written by --state"):
        State(str(tmp_path / "state"), str(file))


def test_a_target_appends_and_confirms(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text('{"wire":"AA=="}\n{"wire":"incompl')
    window = Window()
    target = FileTarget(str(path))
    thread = threading.Thread(target=target.run, args=(window,))
    thread.start()
    window.is_up.wait(WAIT)
    bad: Any = mqtt5.Message(topic_name=5)  # type: ignore[arg-type]  # the encoder refuses it
    for number, message in enumerate([mqtt5.Message(topic_name="t"), bad, mqtt5.Message(topic_name="u")]):
        target.send(number, message, ())
    _until(lambda: len(window.stored) + len(window.refusals) >= 3)
    target.close()
    thread.join(WAIT)
    first, *others = path.read_text().splitlines()
    assert first == '{"wire":"AA=="}'
    assert [from_base64(json.loads(line)["wire"]) for line in others] == [
        encode(mqtt5.Message(topic_name="t")),
        encode(mqtt5.Message(topic_name="u")),
    ]
    assert (window.stored, len(window.refusals)) == ([0, 2], 1)
    assert window.notes == [f"{path}: cut an incomplete last line of 16 bytes"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"wire":"AA=="}', '{"wire":"AA=="}\nx\n'),
        ('{"id": 1, "wire": "AA=="}\n{"id": 2, "wire": "AA=="}', '{"id": 1, "wire": "AA=="}\n{"id": 2, "wire": "AA=="}\nx\n'),
        ("{", "x\n"),
        ('{"wire":"AA==","refused":{"code":"bad_topic"}', "x\n"),
        ('a\n{"raw":"not j', "a\nx\n"),
        ("", "x\n"),
    ],
)
def test_only_lines_that_a_kill_leaves_are_cut(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "out"
    path.write_text(before)
    with appended(str(path), print) as file:
        store(file, b"x\n")
    assert path.read_text() == after


@pytest.mark.parametrize("before", ["password: x", '{"important": ', "a\nb", "x" * 100_000])
def test_files_of_others_are_neither_cut_nor_appended_to(tmp_path: Path, before: str) -> None:
    path = tmp_path / "out"
    path.write_text(before)
    with pytest.raises(OSError, match="not a file of JSON lines"):
        RefusedFile(str(path), print)
    with pytest.raises(DownError, match="out: not a file of JSON lines") as down:
        FileTarget(str(path)).run(Window())
    assert down.value.final
    assert path.read_text() == before


@pytest.fixture
def _small_files() -> Iterator[None]:
    """Let files of this process have 4,096 bytes: the next byte fails like that of a full disk."""
    import signal  # noqa: PLC0415 - only this fixture

    before, limits = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    signal.signal(signal.SIGXFSZ, before)


@pytest.mark.usefixtures("_small_files")
def test_a_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with appended(str(path), print) as file:
        store(file, b"x" * 3000 + b"\n")
        with pytest.raises(OSError, match="File too large"):
            store(file, b"y" * 3000 + b"\n")
        store(file, b"z\n")
    assert path.read_bytes() == b"x" * 3000 + b"\nz\n"


@pytest.mark.usefixtures("_small_files")
def test_a_full_disk_ends_the_target(tmp_path: Path) -> None:
    target = FileTarget(str(tmp_path / "out"))
    target.send(0, mqtt5.Message(topic_name="t", payload=b"x" * 5000), ())
    window = Window()
    with pytest.raises(DownError, match="File too large") as down:
        target.run(window)
    assert down.value.final
    assert window.stored == []
    assert (tmp_path / "out").read_bytes() == b""


def test_refused_messages_are_lines_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "refused"
    refused = RefusedFile(str(path), print)
    error = EncodeError("bad_topic", "no", field="topic_name")
    assert not refused.take(lambda: b"\x01", error)
    refused.close()
    assert json.loads(path.read_text()) == {"wire": "AQ==", "refused": error.as_dict()}

    def unwritable() -> bytes:
        raise error

    nowhere = RefusedFile(os.devnull, print)
    with pytest.raises(StopError):
        nowhere.take(unwritable, error)
    nowhere.close()
