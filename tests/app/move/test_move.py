"""The command `mqconvert move` on files; tests/interop/test_move.py has its brokers."""

import json
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from mqconvert import convert, decode, encode
from mqconvert.app.cli import main
from mqconvert.converters.model.base64text import from_base64, to_base64
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
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
    assert "stays with the source" in capsys.readouterr().err
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


def test_from_standard_input_to_standard_output(given: Path) -> None:
    command = [sys.executable, "-m", "mqconvert.app", "move", "mqtt-5.0:-", "amqp-1.0:-"]
    with given.open() as stream:
        done = subprocess.run(command, stdin=stream, capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == len(MESSAGES)


def test_metrics_and_sigterm(given: Path, tmp_path: Path) -> None:
    [port] = free_ports(1)
    ways = [f"mqtt-5.0:{given}", f"amqp-0.9.1:{tmp_path / 'out'}", "--follow", "--metrics", str(port)]
    with subprocess.Popen([sys.executable, "-m", "mqconvert.app", "move", *ways], stderr=subprocess.PIPE, text=True) as process:
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
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert "100 of 100 messages moved" in process.stderr.read()
    assert "mqconvert_move_moved_total 100" in pages["metrics"]
    assert 'mqconvert_move_dropped_total{rule="' in pages["metrics"]
    assert (pages["healthz"], pages["readyz"]) == ("up\n", "ready\n")
