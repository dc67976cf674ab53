"""The command `mqconvert move` on files; tests/interop/test_move.py has its brokers."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from mqconvert import convert, decode, encode
from mqconvert.app.cli import main
from mqconvert.converters.model.base64text import from_base64, to_base64
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.converters.readers import written
from tests.interop.brokers.broker import free_ports

MESSAGES = [mqtt5.Message(topic_name=f"t/{number}", payload=b"%d" % number, retain=number % 2) for number in range(100)]


@pytest.fixture
def given(tmp_path: Path) -> Path:
    path = tmp_path / "given"
    path.write_text("".join(json.dumps({"wire": to_base64(encode(message))}) + "\n" for message in MESSAGES))
    return path


def _read(path: Path, protocol: str) -> list[Any]:
    return [decode(protocol, from_base64(json.loads(line)["wire"])) for line in path.read_text().splitlines()]


def test_files_are_converted_as_convert_does(given: Path, tmp_path: Path) -> None:
    report = tmp_path / "report"
    assert main(["move", f"mqtt-5.0:{given}", f"amqp-0.9.1:{tmp_path / 'out'}", "--report", str(report)]) == 0
    assert _read(tmp_path / "out", "amqp-0.9.1") == [convert(message, "amqp-0.9.1").message for message in MESSAGES]
    told = json.loads(report.read_text())
    assert (told["received"], told["moved"], told["refused"]) == (100, 100, {})
    assert told["summary"]["fields"] == told["summary"]["arrive"] + told["dropped_by_rule"]["retain"]


def test_refused_messages_are_moved_once_the_rules_are_mended(given: Path, tmp_path: Path) -> None:
    out, refused = tmp_path / "out", tmp_path / "refused"
    ways = [f"amqp-0.9.1:{out}", "--on-loss", "strict"]
    assert main(["move", f"mqtt-5.0:{given}", *ways, "--refused", str(refused)]) == 1
    assert main(["move", f"mqtt-5.0:{refused}", ways[0]]) == 0
    arrived = [message.payload for message in _read(out, "amqp-0.9.1")]
    assert sorted(arrived) == sorted(message.payload for message in MESSAGES)


def test_a_refused_message_stops_the_move_and_stays(given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = ["--state", str(tmp_path / "state")]
    ways = [f"mqtt-5.0:{given}", f"amqp-1.0:{tmp_path / 'out'}"]
    assert main(["move", *ways, "--on-loss", "strict", *state]) == 1
    said = capsys.readouterr().err
    assert f"{given}: line 2: a message was refused and stays with the source" in said
    assert "(--refused FILE sets it aside and goes on)" in said
    assert len(_read(tmp_path / "out", "amqp-1.0")) < len(MESSAGES)
    assert main(["move", *ways, *state]) == 0
    assert len(_read(tmp_path / "out", "amqp-1.0")) == len(MESSAGES)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--refused", "reject"], "only sources of AMQP"),
        (["--refused", "GIVEN"], "is named twice"),
        (["--rules", "none.toml"], "none.toml"),
        (["--report", "/none/report"], "no folder for /none/report"),
        (["--state", "/none/state"], "--state: /none is no folder that can be written to"),
        (["--profile", "none"], "unknown profile"),
        (["--window", "0"], "not a number from 1"),
    ],
)
def test_wrong_usage_is_one_line(
    given: Path, tmp_path: Path, more: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(given) if word == "GIVEN" else word for word in more]
    try:
        status = main(["move", f"mqtt-5.0:{given}", f"nsq:{tmp_path / 'out'}", *arguments])
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status == 2
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", "mqtt-5.0:/none", f"nsq:{tmp_path / 'out'}"]) == 2
    assert "there is no file /none" in capsys.readouterr().err


def test_a_folder_as_source_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", f"mqtt-5.0:{tmp_path}", f"nsq:{tmp_path / 'out'}"]) == 2
    assert f"source: {tmp_path} is a folder: name a file" in capsys.readouterr().err


def test_errors_json_tells_the_message_that_stops_the_move(
    given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = [f"mqtt-5.0:{given}", f"amqp-1.0:{tmp_path / 'out'}", "--on-loss", "strict"]
    assert main(["move", *ways, "--errors", "json"]) == 1
    told = json.loads(capsys.readouterr().err.splitlines()[0])
    assert (told["file"], told["line"]) == (str(given), 2)
    assert (told["error"]["code"], told["error"]["field"], told["error"]["rule"]) == ("loss", "retain", "retain")
    given.write_text('{"wire": "MQYAAXQAaGk="}\n')
    assert main(["move", *ways, "--refused", "/dev/full", "--errors", "json"]) == 1
    told = json.loads(capsys.readouterr().err.splitlines()[0])
    assert told == {"code": "bad_path", "message": "/dev/full: No space left on device"}


def test_errors_json_tells_broken_entries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "segment").write_bytes(b"no segment")
    main(["move", f"rabbitmq-stream:{tmp_path / 'segment'}", f"amqp-1.0:{tmp_path / 'out'}", "--errors", "json"])
    told = json.loads(capsys.readouterr().err.splitlines()[0])
    assert (told["file"], told["position"], told["error"]["code"]) == (str(tmp_path / "segment"), 0, "bad_magic")


def test_the_first_refusal_of_each_code_names_its_line(given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given.write_text(given.read_text() + "\nno json\n" + '{"wire": "Mf8="}\n')
    out, refused = tmp_path / "out", tmp_path / "refused"
    assert main(["move", f"mqtt-5.0:{given}", f"amqp-0.9.1:{out}", "--on-loss", "strict", "--refused", str(refused)]) == 1
    lines = [line.split(": ", 1)[1] for line in capsys.readouterr().err.splitlines() if ": refused: " in line]
    assert [line.split(": ")[:3] for line in lines] == [["refused", str(given), f"line {number}"] for number in (2, 102, 103)]


def test_a_refusal_names_options_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "given"
    source.write_text(json.dumps({"wire": to_base64(encode(MESSAGES[0]))}) + "\n")
    for more in ([], ["--refused", str(tmp_path / "refused")]):
        assert main(["move", f"mqtt-5.0:{source}", f"nsq:{tmp_path / 'out'}", *more]) == 1
        assert "'t/0' (option address, row address-refused); try --escape [bad_topic]" in capsys.readouterr().err


def test_behind_a_kept_position_a_refusal_names_its_byte(
    given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = [f"mqtt-5.0:{given}", f"amqp-0.9.1:{tmp_path / 'out'}", "--state", str(tmp_path / "state")]
    assert main(["move", *ways]) == 0
    size = given.stat().st_size
    given.write_text(given.read_text() + "no json\n")
    capsys.readouterr()
    assert main(["move", *ways]) == 1
    assert f"mqconvert: {given}: byte {size}: a message was refused" in capsys.readouterr().err


def test_a_refused_entry_of_a_brokers_file_names_its_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = _store(tmp_path / "queue")
    ways = [f"rabbitmq-classic:{store}", f"nsq:{tmp_path / 'out'}", "--refused", "stop"]
    assert main(["move", *ways]) == 1
    assert f"mqconvert: {store / '0.qs'}: byte " in capsys.readouterr().err


def test_wire_bytes_as_a_source_are_refused_with_what_makes_json_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "publish.bin"
    source.write_bytes(encode(MESSAGES[0]))
    assert main(["move", f"mqtt-5.0:{source}", f"nsq:{tmp_path / 'out'}"]) == 2
    told = capsys.readouterr().err
    assert "This looks like MQTT 5.0 or MQTT 3.1.1: `mqconvert decode` makes JSON lines of it." in told
    assert not (tmp_path / "out").exists()


def test_a_parquet_source_is_refused_with_what_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").write_bytes(b"PAR1...")
    assert main(["move", f"mqtt-5.0:{tmp_path / 'a'}", f"nsq:{tmp_path / 'out'}"]) == 2
    assert (
        "is Parquet: move reads JSON lines, and `mqconvert decode FILE --wire-column NAME` makes them of it"
        in capsys.readouterr().err
    )


def test_an_end_that_cannot_be_opened_is_one_line(given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", f"mqtt-5.0:{given}", f"amqp-1.0:{tmp_path / 'none' / 'out'}"]) == 2
    told = capsys.readouterr().err
    assert "No such file or directory" in told
    assert told.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("more", [[], ["--follow"]])
def test_a_full_disk_ends_the_move(given: Path, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state"
    assert main(["move", f"mqtt-5.0:{given}", "amqp-1.0:/dev/full", "--state", str(state), *more]) == 1
    told = capsys.readouterr().err
    assert told.startswith("mqconvert: target: /dev/full: No space left on device")
    assert "0 of 0 messages moved" in told
    assert not state.exists()  # nothing is settled: another run begins at the first message


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_report_that_cannot_be_written_is_told(given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", f"mqtt-5.0:{given}", f"mqtt-5.0:{tmp_path / 'out'}", "--report", "/dev/full"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert (told[0], told[-1]) == ("mqconvert: 100 of 100 messages moved", "mqconvert: /dev/full: No space left on device")


def test_a_port_for_metrics_that_is_taken_is_told(given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["move", f"mqtt-5.0:{given}", f"mqtt-5.0:{tmp_path / 'out'}", "--metrics", str(port)]) == 2
    assert f"--metrics {port}: Address already in use" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"position": 1e999, "digest": ""}', '{"position": true, "digest": "d"}', '{"position": -1, "digest": "d"}'],
)
def test_a_state_that_is_none_is_told(given: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state"
    state.write_text(text)
    assert main(["move", f"mqtt-5.0:{given}", f"mqtt-5.0:{tmp_path / 'out'}", "--state", str(state)]) == 2
    assert capsys.readouterr().err == f"mqconvert: {state} was not written by --state\n"


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("topic=a&client_id=", "client_id must be"),
        ("topic=a/#/b&client_id=c", "topic must be"),
        ("topic=&client_id=c", "topic must be"),
    ],
)
@pytest.mark.parametrize("protocol", ["mqtt-5.0", "mqtt-3.1.1"])
def test_invalid_keys_of_mqtt_are_told_before_anything_connects(
    protocol: str, keys: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["move", f"{protocol}://127.0.0.1:1?{keys}", f"{protocol}:{tmp_path / 'out'}"]) == 2
    [told] = capsys.readouterr().err.splitlines()
    assert told.startswith(f"mqconvert: {words}")


_ON_A_FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
from mqconvert.app.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""The command where no file can have a byte; standard output is a pipe."""


@pytest.mark.parametrize("more", [[], ["--follow"]])
def test_a_position_that_cannot_be_kept_ends_the_move(given: Path, more: list[str], tmp_path: Path) -> None:
    state = tmp_path / "state"
    command = ["move", f"mqtt-5.0:{given}", "amqp-1.0:-", "--state", str(state), *more]
    done = subprocess.run([sys.executable, "-c", _ON_A_FULL_DISK, *command], capture_output=True, text=True, check=False)
    assert (done.returncode, state.exists()) == (1, False)
    assert done.stderr.startswith(f"mqconvert: source: {state}: File too large")
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(set(lines)) > 0  # no second try, which would move them again


def test_a_report_that_is_a_folder_is_told_before_the_move(
    given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["move", f"mqtt-5.0:{given}", f"amqp-1.0:{tmp_path}/out", "--report", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"mqconvert: --report: {tmp_path} is a folder: name a file [bad_option]\n"
    assert not (tmp_path / "out").exists()


def test_from_standard_input_to_standard_output(given: Path) -> None:
    command = [sys.executable, "-m", "mqconvert.app", "move", "mqtt-5.0:-", "amqp-1.0:-"]
    with given.open() as stream:
        done = subprocess.run(command, stdin=stream, capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == len(MESSAGES)


def _moved_then_terminated(source: object, out: Path, *further: str, text: str = "") -> tuple[int, str, dict[str, str]]:
    """Move the 100 messages of a source, end the move by SIGTERM, and return status, text and the pages before it.

    Standard input has `text` and stays open.
    """
    [port] = free_ports(1)
    command = [sys.executable, "-m", "mqconvert.app", "move", f"mqtt-5.0:{source}", f"amqp-0.9.1:{out}", "--metrics", str(port)]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, *further], stdin=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        process.stdin.write(text)
        process.stdin.flush()
        pages: dict[str, str] = {}
        deadline = time.monotonic() + 60
        while "moved_total 100" not in pages.get("metrics", "") and time.monotonic() < deadline:
            time.sleep(0.1)
            try:
                for name in ("metrics", "healthz", "readyz"):
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{name}") as answer:
                        pages[name] = answer.read().decode()
            except OSError:
                continue
        process.send_signal(signal.SIGTERM)
        status = process.wait(60)
        assert process.stderr is not None
        return status, process.stderr.read(), pages


def test_metrics_and_sigterm(given: Path, tmp_path: Path) -> None:
    status, told, pages = _moved_then_terminated(given, tmp_path / "out", "--follow")
    assert (status, "signal" in told) == (0, False)
    assert "100 of 100 messages moved" in told
    assert "mqconvert_move_moved_total 100" in pages["metrics"]
    assert 'mqconvert_move_dropped_total{rule="' in pages["metrics"]
    assert (pages["healthz"], pages["readyz"]) == ("up\n", "ready\n")


def test_a_signal_leaves_a_move_incomplete(given: Path, tmp_path: Path) -> None:
    report = ["--report", str(tmp_path / "report")]
    status, told, _ = _moved_then_terminated("-", tmp_path / "out", "--idle", "60", *report, text=given.read_text())
    assert (status, "100 of 100 messages moved" in told) == (1, True)
    assert json.loads((tmp_path / "report").read_text())["notes"] == ["stopped by a signal: the rest is still at the source"]


def test_messages_come_out_of_a_pipe(given: Path, tmp_path: Path) -> None:
    """As from `<(zcat archive.gz)`."""
    pipe, out = tmp_path / "pipe", tmp_path / "out"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(given.read_bytes(),))
    writer.start()
    assert main(["move", f"mqtt-5.0:{pipe}", f"mqtt-5.0:{out}"]) == 0
    writer.join()
    assert _read(out, "mqtt-5.0") == MESSAGES


def _store(folder: Path) -> Path:
    """Write a store of a classic queue with messages of three protocols, and one that is broken."""
    amqp10_rest = encode(amqp10.Message(body=amqp10.Data([b"10"])))
    terms = [
        written.mc("mc_amqpl", written.amqp091(b"\x10\0\x02", b"091")),
        written.mc("mc_amqp", (written.Atom("v1"), [], amqp10_rest, 0, 16, 117)),
        written.mc("mc_stomp", 5),
        written.mc("mc_mqtt", tuple(map(_mqtt_term, ("mqtt_msg", "false", 0, b"t/a", "false", "undefined", b"mqtt", {}, 0)))),
    ]
    folder.mkdir()
    (folder / "0.qs").write_bytes(written.queue_store(*terms))
    return folder


def _mqtt_term(value: Any) -> Any:
    return written.Atom(value) if isinstance(value, str) else value


def test_files_of_a_broker_are_a_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, out, report = _store(tmp_path / "queue"), tmp_path / "out", tmp_path / "report"
    assert main(["move", f"rabbitmq-classic:{store}", f"amqp-1.0:{out}", "--report", str(report)]) == 1
    assert [b"".join(message.body.sections) for message in _read(out, "amqp-1.0")] == [b"091", b"10", b"mqtt"]
    told = json.loads(report.read_text())
    assert (told["received"], told["moved"], told["broken_entries"]) == (3, 3, 1)
    assert any("after they were consumed" in note for note in told["notes"])
    lines = capsys.readouterr().err
    assert f"broken: {store / '0.qs'}: byte" in lines
    assert "3 of 3 messages moved; 1 broken entry in files" in lines


def test_a_second_run_over_a_brokers_file_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = _store(tmp_path / "queue") / "0.qs", tmp_path / "out"
    ways = f"rabbitmq-classic:{file}", f"amqp-1.0:{out}"
    assert main(["move", *ways, "--state", str(tmp_path / "state")]) == 1
    moved = _read(out, "amqp-1.0")
    assert len(moved) > 0
    capsys.readouterr()
    main(["move", *ways, "--state", str(tmp_path / "state")])
    assert "0 of 0 messages moved" in capsys.readouterr().err
    assert _read(out, "amqp-1.0") == moved


def test_one_protocol_of_a_store_can_be_moved(tmp_path: Path) -> None:
    store, refused = _store(tmp_path / "queue"), str(tmp_path / "refused")
    assert main(["move", f"rabbitmq-classic+mqtt-5.0:{store}", f"mqtt-5.0:{tmp_path / 'out'}", "--refused", refused]) == 1
    assert [message.payload for message in _read(tmp_path / "out", "mqtt-5.0")] == [b"mqtt"]


@pytest.mark.parametrize(
    ("source", "more", "words"),
    [
        ("rabbitmq-classic:QUEUE", ["--refused", "refused"], "move them one by one, as rabbitmq-classic+amqp-0.9.1:PATH"),
        ("rabbitmq-classic+nsq:QUEUE", [], "has messages of amqp-0.9.1, amqp-1.0, mqtt-5.0"),
        ("rabbitmq-stream:QUEUE", [], "there is no file of rabbitmq-stream in"),
        ("rabbitmq-stream:/none", [], "there is no file /none"),
        ("rabbitmq-classic:QUEUE", ["--state", "state"], "--state needs one file"),
        ("rabbitmq-classic:QUEUE", ["--follow"], "to which nothing comes"),
        ("rabbitmq-clasic:QUEUE", [], "known: amqp-1.0, "),
    ],
)
def test_wrong_uses_of_a_store_are_one_line(
    source: str, more: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = _store(tmp_path / "queue")
    assert main(["move", source.replace("QUEUE", str(store)), f"amqp-1.0:{tmp_path / 'out'}", *more]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_stores_are_never_a_target(given: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", f"mqtt-5.0:{given}", "nsqd:out.dat"]) == 2
    assert "nsqd is read, never written" in capsys.readouterr().err
