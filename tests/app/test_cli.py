"""The command line: exit statuses, streams, and the form of every output. program.py says what runs in a new process."""

import base64
import contextlib
import json
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import mqconvert
from mqconvert import decode, encode
from mqconvert.app import lines
from mqconvert.app.cli import main
from mqconvert.compiled import RUNNING
from mqconvert.converters.model.base64text import from_base64
from tests.app.program import COMMAND, process, run
from tests.converters.readers import written

PUBLISH = bytes.fromhex("3006000174006869")


def test_decode_tells_the_bytes_of_each_place() -> None:
    done = run("decode", "mqtt-5.0", "--spans", data=PUBLISH)
    spans = mqconvert.decode("mqtt-5.0", PUBLISH, spans=True).spans
    assert json.loads(done.stdout)["spans"] == {place: list(span) for place, span in spans.items()}
    assert run("decode", "mqtt-5.0", "--spans", "--format", "jsonl", data=PUBLISH).returncode == 2
    assert run("decode", "mqtt-5.0", "--spans", data=PUBLISH[:-1]).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "status"), [(["protocols"], 0), (["decode", "mqtt-5.0"], 1), (["decode", "mqtt-5"], 2)], ids=["0", "1", "2"]
)
def test_a_process_ends_like_a_run_in_this_process(arguments: list[str], status: int) -> None:
    """Status and both streams are the same."""
    done = process(*arguments, data=PUBLISH[:-1])
    here = run(*arguments, data=PUBLISH[:-1])
    assert (done.returncode, done.stdout, done.stderr) == (here.returncode, here.stdout, here.stderr)
    assert here.returncode == status


def test_convert_reads_and_writes_files(tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(PUBLISH)
    done = process("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--explain", "--wide", str(source), "-o", str(target))
    assert (done.returncode, done.stdout) == (0, b"")
    assert target.read_bytes().hex() == "005370c0020142005375a0026869"
    assert b"mqtt5_to_amqp10.toml:" in done.stderr


def test_lines_keep_their_order_with_errors_in_place() -> None:
    wire = base64.b64encode(PUBLISH).decode()
    several = base64.b64encode(PUBLISH * 2).decode()
    given = [{"id": 1, "wire": wire}, {"id": 2, "wire": "!"}, {"id": 3, "wire": several}, {"id": 4}]
    data = b"\n".join(json.dumps(line).encode() for line in given) + b"\n\n[]\n"
    done = run("convert", "--from", "mqtt-5.0", "--to", "amqp-0.9.1", "--format", "jsonl", "--fields", "wire", data=data)
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [(line.get("id"), line.get("index"), line.get("error", {}).get("code")) for line in lines] == [
        (1, None, None),
        (2, None, "bad_base64"),
        (3, 0, None),
        (3, 1, None),
        (4, None, "bad_json"),
        (None, None, "bad_json"),
    ]


def test_a_line_beyond_the_limit_is_an_error_line() -> None:
    data = b"x" * 5000 + b"\n" + json.dumps({"wire": base64.b64encode(PUBLISH).decode()}).encode() + b"\n"
    options = ("--format", "jsonl", "--max-line", "1000", "--fields", "wire")
    done = run("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", *options, data=data)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0]["error"]["code"] == "line_too_long"
    assert "wire" in lines[1]


@pytest.mark.parametrize(
    ("protocol", "wire", "field"),
    [
        ("mqtt-5.0", PUBLISH, "topic_name"),
        ("nsq", b"PUB t\n\0\0\0\2hi", "topic"),
        ("phpmq", b"H0100103P01%029dtP02%029dhiP05%029d0" % (1, 2, 1), "queue"),
    ],
)
def test_decode_and_encode_are_inverse(protocol: str, wire: bytes, field: str) -> None:
    decoded = run("decode", protocol, data=wire)
    assert json.loads(decoded.stdout)[field] == "t"
    assert run("encode", protocol, data=decoded.stdout).stdout == wire


SESSION = b"  V2SUB orders archive\nRDY 100\nPUB orders\n\0\0\0\2hiNOP\n"


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_frames_are_decoded_and_encoded(form: str) -> None:
    shown = run("frames", "nsq", "--format", form, data=SESSION)
    frames = json.loads(shown.stdout) if form == "json" else [json.loads(line) for line in shown.stdout.splitlines()]
    assert [frame["frame"] for frame in frames] == ["magic", "SUB", "RDY", "PUB", "NOP"]
    assert run("frames", "nsq", "--encode", data=shown.stdout).stdout == SESSION


def test_frames_take_options() -> None:
    done = run("frames", "nsq", "--option", "max_rdy_count=99", data=SESSION)
    assert done.returncode == 1
    assert b"[invalid_params]" in done.stderr
    assert run("frames", "nsq", "--option", "max_rdy_count=100", "--option", "direction=C2S", data=SESSION).returncode == 0


_BROKEN = """
from dataclasses import dataclass
from mqconvert.plugin import Protocol, wire

@dataclass(slots=True)
class Message:
    topic: str | None = wire("strnig")

PROTOCOL = Protocol("broken", "Broken", Message, {}, codec=f"{__name__}.codec")
"""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package whose protocol has a misspelt wire type."""
    metadata = tmp_path / "broken_plugin-1.0.dist-info"
    metadata.mkdir()
    (tmp_path / "broken_plugin.py").write_text(_BROKEN)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[mqconvert.protocols]\nbroken = broken_plugin:PROTOCOL\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(mqconvert.PROTOCOLS, "_complete", False)


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["convert", "--help"],
        ["batch", "--help"],
        ["convert", "--from", "mqtt-5.0", "--to", "nsq", "--frame", "message"],
        ["explain", "--from", "mqtt-5.0", "--to", "nsq"],
        ["decode", "mqtt-5.0"],
        ["encode", "mqtt-5.0", "--address", "t"],
        ["frames", "nsq"],
        ["fidelity", "--from", "nsq", "--to", "phpmq"],
        ["rules", "show", "nsq", "amqp-1.0"],
    ],
    ids=" ".join,
)
def test_a_broken_package_costs_no_command_for_other_protocols(arguments: list[str]) -> None:
    given = {"encode": b'{"protocol": "mqtt-5.0", "payload": "aGk="}', "frames": b"NOP\n"}
    done = run(*arguments, data=given.get(arguments[0], PUBLISH))
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    "arguments",
    [
        ["protocols"],
        ["routes"],
        ["rules", "list"],
        ["convert", "--from", "broken", "--to", "nsq"],
        ["batch", "--from", "broken", "--to", "nsq", "--input", "in", "--output", "out"],
        ["serve", "--port", "0"],
    ],
    ids=" ".join,
)
def test_a_broken_package_is_named_in_one_line(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    [line] = done.stderr.decode().splitlines()
    named = "the entry point 'broken' (broken_plugin:PROTOCOL) of package broken-plugin"
    assert line.startswith(f"mqconvert: {named}: LookupError: broken: Message.topic has unknown wire type 'strnig'")


@pytest.mark.usefixtures("broken")
def test_a_broken_package_does_not_hide_the_error_of_an_input() -> None:
    done = run("decode", "nsq", data=b"PUB t")
    assert done.returncode == 1
    assert b"[truncated]" in done.stderr


def test_redact_keeps_content_out() -> None:
    done = run("explain", "--from", "mqtt-5.0", "--to", "amqp-0.9.1", "--redact", data=run_wire())
    assert "hush" not in done.stdout.decode()
    assert "hush" in run("explain", "--from", "mqtt-5.0", "--to", "amqp-0.9.1", data=run_wire()).stdout.decode()


def test_redacted_errors_have_a_place_and_no_content() -> None:
    """One behind a message shows the bytes around it otherwise, and a row that refuses a value has the value."""
    wire = run_wire() + b"hunter2"
    options: tuple[str, ...] = ("explain", "--from", "mqtt-5.0", "--to", "amqp-0.9.1")
    assert b"hunter2" in run(*options, data=wire).stderr
    redacted = run(*options, "--redact", data=wire)
    assert (redacted.returncode, b"hunter2" in redacted.stdout + redacted.stderr) == (1, False)
    assert redacted.stderr == b"mqconvert: index 1: byte %d: (redacted) [bad_packet]\n" % len(run_wire())
    topic = {"protocol": "amqp-1.0", "properties": {"to": "secret/+"}, "body": {"data": ["aGk="]}}
    options = ("explain", "--from", "amqp-1.0", "--to", "nsq", "--input-format", "json")
    assert b"secret" in run(*options, data=json.dumps(topic).encode()).stderr
    refused = run(*options, "--redact", data=json.dumps(topic).encode())
    assert refused.stderr == b"mqconvert: properties.to: (redacted); try --escape [bad_topic]\n"
    unknown = run("explain", "--to", "nsq", "--redact", data=b'{"protocol": "hunter2"}')
    assert (unknown.returncode, unknown.stderr) == (1, b"mqconvert: (redacted) [unknown_protocol]\n")


def test_lines_are_explained_and_redacted() -> None:
    line = json.dumps({"wire": base64.b64encode(run_wire()).decode()}).encode()
    options = ("convert", "--from", "mqtt-5.0", "--to", "amqp-0.9.1", "--format", "jsonl", "--explain")
    assert "hush" in run(*options, data=line).stderr.decode()
    redacted = run(*options, "--redact", data=line).stderr.decode()
    assert "basic.content_type" in redacted
    assert "hush" not in redacted


def run_wire() -> bytes:
    """Convert a PUBLISH with content type `hush`."""
    return bytes.fromhex("300d000174" + "07030004" + b"hush".hex() + "6869")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["protocols"], "amqp-0.9.1"),
        (["routes"], "mqtt-3.1.1  amqp-1.0  "),
        (["rules", "list"], "amqp-1.0 -> mqtt-5.0"),
        (["rules", "show", "mqtt-5.0", "amqp-1.0"], "correlation-data-uuid"),
        (["rules", "source", "mqtt-5.0", "amqp-1.0"], "def mqtt_5_0_to_amqp_1_0"),
        (["rules", "show", "mqtt-5.0", "mqtt-5.0"], "no table: messages of the same protocol remain unchanged"),
        (["rules", "source", "mqtt-5.0", "mqtt-5.0"], "# no table: messages"),
        (["fidelity", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--back"], "message_expiry_interval"),
        (
            ["fidelity", "--from", "mqtt-5.0", "--to", "nsq", "--payload", "envelope"],
            "correlation_data                       changes   -> body",
        ),
        (["--version"], f"mqconvert {mqconvert.__version__}, running {RUNNING}"),
    ],
)
def test_listing_commands_print_their_rows(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 0
    assert words in done.stdout.decode()


@pytest.mark.parametrize("arguments", [["--help"], ["rules", "list"], []])
def test_output_that_cannot_be_written_is_no_success(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"mqconvert: No space left on device\n")


HEAVY = "fastapi pydantic proton pika paho pyspark google.protobuf google_crc32c lz4 cramjam zstandard"


def test_import_is_light() -> None:
    code = f"import sys, mqconvert; print([m for m in {HEAVY!r}.split() if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_progress_is_shown_on_a_terminal_only() -> None:
    """Standard error is a pseudo-terminal, and lines arrive over more than a second."""
    ours, theirs = pty.openpty()
    command = [*COMMAND, "convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--format", "jsonl"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    assert process.stdin is not None
    line = json.dumps({"wire": base64.b64encode(PUBLISH).decode()}).encode() + b"\n"
    seen = b""
    with process.stdin as stream:
        while b" lines" not in seen:  # without a progress line, this test would not end
            stream.write(line * 1024)
            stream.flush()
            if select.select([ours], [], [], 0)[0]:
                seen += os.read(ours, 65536)
    assert process.wait(timeout=60) == 0
    with contextlib.suppress(OSError):  # Linux: EIO once the other side has closed
        while raw := os.read(ours, 65536):
            seen += raw
    os.close(ours)
    assert re.fullmatch(rb"(\r[\d,]+ lines(, [\d,]+ a second)? *)+\r\n", seen), seen


def test_no_progress_in_a_pipe() -> None:
    line = json.dumps({"wire": base64.b64encode(PUBLISH).decode()}).encode() + b"\n"
    done = run("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--format", "jsonl", data=line * 5000)
    assert (done.returncode, done.stderr) == (0, b"")


def test_payload_and_escape_are_options_of_convert(tmp_path: Path) -> None:
    topic = b"\x00\x03a/b"
    data = b"\x30" + bytes([len(topic) + 3]) + topic + b"\x00hi"
    refused = run("convert", "--from", "mqtt-5.0", "--to", "nsq", data=data)
    assert refused.returncode == 1
    assert b"bad_topic" in refused.stderr
    assert b"1 to 64" in refused.stderr
    escaped = run("convert", "--from", "mqtt-5.0", "--to", "nsq", "--escape", data=data)
    assert escaped.stdout == b"PUB a_2Fb\n\x00\x00\x00\x02hi"
    whole = run("convert", "--from", "mqtt-5.0", "--to", "nsq", "--address", "t", "--payload", "envelope", data=data)
    assert whole.stdout.startswith(b"PUB t\n")
    assert whole.stdout[10:18] == b"AMQP\x00\x01\x00\x00"
    (tmp_path / "frame").write_bytes(whole.stdout)
    back = run("convert", "--from", "nsq", "--to", "amqp-1.0", "--payload", "envelope", str(tmp_path / "frame"))
    straight = run("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", data=data)
    assert back.stdout == straight.stdout


def test_the_clock_option_makes_a_run_repeatable_and_defaults_to_now() -> None:
    pair = ("--from", "mqtt-5.0", "--to", "pulsar", "--format", "jsonl", "--fields", "message")
    line = json.dumps({"wire": base64.b64encode(PUBLISH).decode()}).encode()

    def time_of(*options: str) -> int:
        return int(json.loads(run("convert", *pair, *options, data=line).stdout)["message"]["publish_time"])

    assert time_of("--clock", "1700000000000") == 1_700_000_000_000
    assert time_of("--clock", "0") == 0
    before = time.time_ns() // 1_000_000
    assert all(before <= time_of(*options) <= time.time_ns() // 1_000_000 for options in ((), ("--clock", "now")))
    told = run("explain", "--from", "mqtt-5.0", "--to", "pulsar", "--clock", "1700000000000", data=PUBLISH)
    assert b"1700000000000" in told.stdout
    for protocol, time_field in (("pulsar", "publish_time"), ("rocketmq", "born_timestamp")):
        message: dict[str, object] = {"protocol": protocol, "topic": "t", "payload" if protocol == "pulsar" else "body": "aGk="}
        message |= {"producer_name": "p", "sequence_id": 1} if protocol == "pulsar" else {}
        for given, stated in ((message, 5), (message | {time_field: 7}, 7)):
            wire = run("encode", protocol, "--clock", "5", data=json.dumps(given).encode()).stdout
            assert json.loads(run("decode", protocol, data=wire).stdout)[time_field] == stated
        assert run("encode", protocol, data=json.dumps(message).encode()).returncode == 0
    for wrong in ("-1", "soon", "1.5", "9" * 20, "9223372036855"):
        refused = run("convert", *pair, "--clock", wrong, data=line)
        assert refused.returncode == 2
        assert b"is not a number from 0 to 9223372036854;" in refused.stderr


WIRE = base64.b64encode(PUBLISH).decode()
PAIR = ("--from", "mqtt-5.0", "--to", "amqp-1.0")


def test_numbers_outside_json_are_error_lines() -> None:
    lines = [f'{{"id": {number}, "wire": "{WIRE}"}}' for number in ("1", "NaN", "1e999", "-Infinity", "2")]
    done = run("convert", *PAIR, "--format", "jsonl", data="\n".join(lines).encode())
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("error", {}).get("code") for line in found] == [None, "bad_json", "bad_json", "bad_json", None]
    assert done.returncode == 1


def test_an_output_equal_to_the_input_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text(f'{{"wire": "{WIRE}"}}\n')
    options = ("convert", *PAIR, "--format", "jsonl")
    command, name = shlex.join([*COMMAND, *options]), shlex.quote(str(file))
    for ways in (f"{name} -o {name}", f"-o {name} < {name}", f"< {name} >> {name}", f"{name} >> {name}"):
        assert subprocess.run(f"{command} {ways}", shell=True, capture_output=True, check=False).returncode == 2
    assert file.read_text() == f'{{"wire": "{WIRE}"}}\n'


def _orders(protocol: str, name: str, *options: tuple[str, ...]) -> list[list[str]]:
    """Return every order of the arguments with the protocol before the INPUT."""
    orders = [[word for group in order for word in group] for order in permutations([(protocol,), (name,), *options])]
    return [order for order in orders if order.index(protocol) < order.index(name)]


def test_input_is_accepted_at_any_position(tmp_path: Path) -> None:
    """Plain argparse refuses an INPUT after an option."""
    wire, text, frames, out = (str(tmp_path / name) for name in ("wire", "text", "frames", "out"))
    Path(wire).write_bytes(PUBLISH)
    Path(frames).write_bytes(SESSION)
    for order in _orders("mqtt-5.0", wire, ("--format", "json"), ("-o", text)):
        assert main(["decode", *order]) == 0
    assert json.loads(Path(text).read_text())["topic_name"] == "t"
    for order in _orders("mqtt-5.0", text, ("-o", out)):
        assert main(["encode", *order]) == 0
        assert Path(out).read_bytes() == PUBLISH
    for order in (["nsq", "--format", "json", frames, "-o", out], ["nsq", "-o", out, "--format=json", "--", frames]):
        assert main(["frames", *order]) == 0
        assert json.loads(Path(out).read_text())[0]["frame"] == "magic"


def test_output_escapes_invalid_utf8() -> None:
    pairs = [["k\u00e9", {"type": "string", "value": "\u20ac"}]]
    message = {"protocol": "amqp-1.0", "application_properties": pairs}
    command = [*COMMAND, "explain", "--from", "amqp-1.0", "--to", "amqp-0.9.1", "--format", "json"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, input=json.dumps(message).encode(), env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"""application_properties["k\\xe9"]""" in done.stdout
    assert b"""'\\u20ac'""" in done.stdout


def test_failed_conversions_are_explained_too() -> None:
    message = {"protocol": "amqp-1.0", "message_annotations": [["y", {"type": "string", "value": "v"}]]}
    options = ("--from", "amqp-1.0", "--to", "mqtt-5.0", "--address", "t", "--on-loss", "fail", "--explain")
    for form, data in (("json", message), ("jsonl", {"message": message})):
        done = run("convert", *options, "--format", form, data=json.dumps(data).encode())
        assert done.returncode == 1
        assert b'message_annotations["y"]' in done.stderr
        assert b"no row takes it" in done.stderr


def test_explain_tells_that_the_result_cannot_be_encoded() -> None:
    data = b'{"protocol": "amqp-1.0", "body": {"data": ["aGk="]}}'
    told = [run(command, "--to", "mqtt-5.0", data=data) for command in ("convert", "explain")]
    assert [done.returncode for done in told] == [1, 1]
    assert told[0].stderr == told[1].stderr
    assert b"no topic in topic_name; try --address [bad_topic]" in told[1].stderr
    assert told[1].stdout.startswith(b"the only field arrives unchanged\n")


def test_an_invalid_value_of_an_option_is_told_by_the_option() -> None:
    data = b'{"protocol": "amqp-1.0", "body": {"data": ["aGk="]}}'
    refused = run("convert", "--to", "nsq", "--address", "a b", data=data)
    assert (refused.returncode, refused.stdout) == (1, b"")
    assert refused.stderr.startswith(b"mqconvert: --address: a topic of NSQ is 1 to 64 of ")


def test_explain_reads_lines_and_writes_files(tmp_path: Path) -> None:
    target = tmp_path / "explained"
    data = f'{{"wire": "{WIRE}"}}\n{{"wire": "!"}}\n'.encode()
    done = run("explain", *PAIR, "--format", "jsonl", "-o", str(target), data=data)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"bad_base64" in done.stderr
    assert "mqtt5_to_amqp10.toml:" in target.read_text()
    done = run("explain", *PAIR, "--wide", data=PUBLISH)
    assert (done.returncode, done.stdout.decode()) == (0, target.read_text())


def test_explain_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("80", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        shown = run("explain", *PAIR, data=PUBLISH).stdout.decode()
        assert shown == mqconvert.explain(PUBLISH, PAIR[3], source=PAIR[1], width=int(columns)) + "\n"


def test_decoded_messages_are_encoded_again_in_every_format() -> None:
    shown = run("decode", "mqtt-5.0", data=PUBLISH * 2).stdout
    assert run("encode", "mqtt-5.0", data=shown).stdout == PUBLISH * 2
    one = run("decode", "mqtt-5.0", "--format", "json", data=PUBLISH).stdout
    assert run("encode", "mqtt-5.0", "--format", "json", data=one).stdout == PUBLISH
    assert run("decode", "mqtt-5.0", "--format", "json", data=PUBLISH * 2).returncode == 2
    lines = run("decode", "mqtt-5.0", "--format", "jsonl", data=f'{{"id": 7, "wire": "{WIRE}"}}'.encode()).stdout
    assert json.loads(run("encode", "mqtt-5.0", "--format", "jsonl", data=lines).stdout) == {"id": 7, "wire": WIRE}


def test_json_output_has_the_requested_members() -> None:
    given = run("decode", "mqtt-5.0", data=PUBLISH).stdout
    assert set(json.loads(run("convert", *PAIR, "--format", "json", data=given).stdout)) == {"wire", "message", "report"}
    asked = run("convert", *PAIR, "--format", "json", "--fields", "report", data=given)
    assert set(json.loads(asked.stdout)) == {"report"}
    assert run("convert", *PAIR, "--fields", "wire", data=PUBLISH).stdout == run("convert", *PAIR, data=PUBLISH).stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--max-line", "99999999999999999999999"),
        ("--max-line", "0"),
        ("--fields", "wires"),
        ("--format", "wire", "--fields", "report"),
    ],
)
def test_options_out_of_range_are_usage_errors(options: tuple[str, ...]) -> None:
    done = run("convert", *PAIR, "--format", "jsonl", *options)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_failed_message_does_not_stop_the_explanation_of_others() -> None:
    """The topic `a/b` of the second PUBLISH is not a valid name in NSQ."""
    three = PUBLISH + bytes.fromhex("30080003612f62006869") + PUBLISH
    done = run("explain", "--from", "mqtt-5.0", "--to", "nsq", data=three)
    assert (done.returncode, done.stdout.count(b"mqtt-5.0 -> amqp-1.0\n")) == (1, 2)
    assert done.stderr.startswith(b"mqconvert: index 1: ")
    assert done.stderr.endswith(b" [bad_topic]\n")
    done = run("explain", "--from", "mqtt-5.0", "--to", "nsq", "--errors", "json", data=three)
    told = json.loads(done.stderr.removeprefix(b"mqconvert: "))
    assert (told["index"], told["error"]["code"]) == (1, "bad_topic")
    message = {"protocol": "amqp-1.0", "message_annotations": [["y", {"type": "string", "value": "v"}]]}
    options = ("--from", "amqp-1.0", "--to", "mqtt-5.0", "--address", "t", "--on-loss", "fail")
    done = run("explain", *options, "--format", "json", data=json.dumps(message).encode())
    assert done.returncode == 1
    assert b'message_annotations["y"]' in done.stdout
    assert (b"[loss]" in done.stderr, b"Traceback" in done.stderr) == (True, False)


def test_the_invalid_form_of_several_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good, forms = {"protocol": "mqtt-5.0", "topic_name": "t"}, tmp_path / "forms"
    for name, wrong, field in (
        ("encode", [good, good | {"qos": 3}], "[1].qos"),
        ("encode", [good, good, good | {"topic_name": ""}], "[2].topic_name"),
        ("encode", [good, 5], "[1]"),
        ("encode", [good | {"qos": 3}], "qos"),
        ("frames", [{"frame": "NOP"}, {"frame": "RDY", "count": -1}], "[1].count"),
    ):
        forms.write_text("\n".join(map(json.dumps, wrong)))
        assert main([name, *(["nsq", "--encode"] if name == "frames" else ["mqtt-5.0"]), "--errors=json", str(forms)]) == 1
        assert json.loads(capsys.readouterr().err)["field"] == field
    for nothing in ("", "[]", " "):
        forms.write_text(nothing)
        assert main(["frames", "nsq", "--encode", str(forms)]) == 1
        assert "no frame" in capsys.readouterr().err


def test_json_may_begin_with_a_byte_order_mark() -> None:
    message = b'{"protocol": "mqtt-5.0", "topic_name": "t", "payload": "aGk="}'
    for text in (b"\xef\xbb\xbf" + message, message.decode().encode("utf-16")):
        assert run("encode", "mqtt-5.0", data=text).stdout == PUBLISH


def test_commands_chain() -> None:
    """Every command accepts the output of decode as a message: as a line, or as the value of `message` in a line."""
    plain, lines = (
        run("decode", "mqtt-5.0", *form, data=data).stdout
        for form, data in (
            ((), PUBLISH * 2),
            (("--format", "jsonl"), f'{{"wire": "{WIRE}"}}\n'.encode() * 2),
        )
    )
    for given in (plain, lines):
        made = run("convert", *PAIR, "--format", "jsonl", "--fields", "message", data=given)
        assert made.returncode == 0
        assert [json.loads(line)["message"]["protocol"] for line in made.stdout.splitlines()] == ["amqp-1.0"] * 2
        assert run("encode", "mqtt-5.0", data=given).stdout == PUBLISH * 2
        assert run("encode", "amqp-1.0", data=made.stdout).stdout == run("convert", *PAIR, data=PUBLISH).stdout * 2
        back = run("encode", "mqtt-5.0", "--format", "jsonl", data=given)
        assert [json.loads(line) for line in back.stdout.splitlines()] == [{"wire": WIRE}] * 2
    for one in (plain.splitlines()[0], lines.splitlines()[0]):
        assert json.loads(run("convert", *PAIR, "--format", "json", data=one).stdout)["message"]["protocol"] == "amqp-1.0"


def test_a_line_may_be_a_message_whose_protocol_the_command_names() -> None:
    data = b'{"topic_name": "t", "payload": {"text": "hi"}}\n'
    made = json.loads(run("convert", *PAIR, "--format", "jsonl", "--fields", "message", data=data).stdout)
    assert made["message"]["body"] == {"data": ["aGk="]}
    untold = run("decode", "--format", "jsonl", data=data)
    assert (untold.returncode, b'the JSON has no "protocol"' in untold.stderr) == (1, True)


def test_the_error_for_an_invalid_line_describes_a_line() -> None:
    done = run("convert", *PAIR, "--format", "jsonl", data=b'{"topic": "t"}')
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (1, "unknown_field")
    assert b'a line has \\"wire\\" or \\"message\\"' in done.stdout


def test_input_and_output_formats_are_independent(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Every input of one message gives every output."""
    wire, line, form = (tmp_path / name for name in ("wire", "jsonl", "json"))
    wire.write_bytes(PUBLISH)
    line.write_text(f'{{"wire": "{WIRE}"}}\n')
    form.write_text('{"protocol": "mqtt-5.0", "topic_name": "t", "payload": "aGk="}')
    made: dict[str, set[bytes]] = {"wire": set(), "json": set(), "jsonl": set()}
    for file in (wire, line, form):
        for wanted, answers in made.items():
            assert main(["convert", *PAIR, "--input-format", file.name, "--output-format", wanted, str(file)]) == 0
            answers.add(capsysbinary.readouterr().out)
        assert main(["explain", *PAIR, "--input-format", file.name, str(file)]) == 0
        assert b"payload" in capsysbinary.readouterr().out
    assert [len(answers) for answers in made.values()] == [1, 1, 1]
    [shown] = made["json"]
    assert json.loads(shown)["message"]["body"] == {"data": ["aGk="]}
    wire.write_bytes(PUBLISH * 2)
    assert main(["convert", *PAIR, "--output-format", "jsonl", str(wire)]) == 0
    assert [json.loads(answer)["index"] for answer in capsysbinary.readouterr().out.splitlines()] == [0, 1]
    for several in (PUBLISH * 2, b""):
        line.write_text("" if not several else line.read_text() * 2)
        assert main(["convert", *PAIR, "--input-format", "jsonl", "--output-format", "wire", str(line)]) == 2
        assert b"--output-format jsonl" in capsysbinary.readouterr().err


def test_a_closed_standard_error_changes_no_output() -> None:
    line = f'{{"wire": "{WIRE}"}}\n'.encode()
    for arguments, data in ((("--explain",), PUBLISH), (("--explain", "--format", "jsonl"), line), ((), b"")):
        command = shlex.join([*COMMAND, "convert", *PAIR, *arguments])
        done = subprocess.run(f"{command} 2>&-", shell=True, input=data, capture_output=True, check=False)
        told = run("convert", *PAIR, *arguments, data=data)
        assert (done.returncode, done.stdout) == (told.returncode, told.stdout)


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_streams_are_reported(closed: str) -> None:
    done = subprocess.run(
        f'"{sys.executable}" -m mqconvert.app protocols {closed}', shell=True, capture_output=True, check=False
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (2, False)


BATCH = b"MPUB t\n" + bytes.fromhex("00000010 00000002 00000002 6869 00000002 6f6b")


def test_a_batch_is_split_and_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wire, text, out = (tmp_path / name for name in ("wire", "text", "out"))
    wire.write_bytes(BATCH)
    assert main(["decode", "nsq", str(wire), "-o", str(text)]) == 0
    assert len(text.read_text().splitlines()) == 2
    for form in ("wire", "json"):
        assert main(["encode", "nsq", "--batch", "--format", form, str(text), "-o", str(out)]) == 0
        assert out.read_bytes() == BATCH
    assert main(["encode", "nsq", "--batch", "--format", "jsonl", str(text)]) == 2
    assert "--batch" in capsys.readouterr().err
    wire.write_bytes(PUBLISH)
    assert main(["decode", "mqtt-5.0", str(wire), "-o", str(text)]) == 0
    assert main(["encode", "mqtt-5.0", "--batch", str(text)]) == 2
    assert "has no batches" in capsys.readouterr().err


def test_an_internal_error_costs_its_line_and_shows_its_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def defective(message: Any) -> bytes:
        return encode(message) if message.payload == b"hi" else bytes(1 // 0)

    monkeypatch.setattr(lines, "encode", defective)
    given = tmp_path / "given"
    given.write_bytes(PUBLISH + bytes.fromhex("300600017400") + b"no" + PUBLISH)
    assert main(["convert", "--from", "mqtt-5.0", "--to", "mqtt-3.1.1", "--output-format", "jsonl", str(given)]) == 1
    told = capsys.readouterr()
    assert [json.loads(line).get("error", {}).get("code") for line in told.out.splitlines()] == [None, "internal", None]
    assert "in defective" in told.err


def test_every_command_that_reads_or_writes_takes_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wire, lines, out = (str(tmp_path / name) for name in ("wire", "lines", "out"))
    amqp = {"protocol": "amqp-1.0", "body": {"data": ["eHh4eHh4eHg="]}}
    Path(lines).write_text(json.dumps(amqp))
    to_rocketmq = ["--from", "amqp-1.0", "--to", "rocketmq", "--address", "t", "--format", "json", lines, "-o", out]
    assert main(["convert", *to_rocketmq, "--option", "max_body=8"]) == 0
    Path(wire).write_bytes(base64.b64decode(json.loads(Path(out).read_text())["wire"]))
    from_rocketmq = ["--from", "rocketmq", "--to", "amqp-1.0", wire, "-o", out]
    Path(lines).write_text(json.dumps({"wire": base64.b64encode(Path(wire).read_bytes()).decode()}))
    in_lines = ["--from", "rocketmq", "--to", "amqp-1.0", "--format", "jsonl", lines, "-o", out]
    commands = [["decode", "rocketmq", wire, "-o", out], ["convert", *from_rocketmq], ["explain", *from_rocketmq]]
    commands += [["convert", *in_lines], ["decode", "rocketmq", "--format", "jsonl", lines, "-o", out]]
    for command in commands:
        assert main([*command, "--option", "max_frame_size=1000"]) == 0
        assert main([*command, "--option", "max_frame_size=20"]) == 1
        assert b"frame_too_large" in capsys.readouterr().err.encode() + Path(out).read_bytes()
        assert main([*command, "--option", "colour=red"]) == 2
        assert "max_frame_size" in capsys.readouterr().err
    assert main(["decode", "rocketmq", wire, "-o", lines]) == 0
    for command in (["encode", "rocketmq", lines, "-o", out], ["encode", "rocketmq", "--batch", lines, "-o", out]):
        assert main([*command, "--option", "max_body=100"]) == 0
        assert main([*command, "--option", "max_body=7"]) == 1
        assert "too_large" in capsys.readouterr().err


def test_files_of_brokers_are_an_input_format(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Each message is a line, and so is the error of a broken entry; the format of the output is lines by itself."""
    path = tmp_path / "t.diskqueue.000000.dat.bad"
    path.write_bytes(written.nsqd(b"a") + b"junk" + written.nsqd(b"b"))
    assert main(["convert", "--from", "nsq", "--to", "amqp-1.0", "--input-format", "nsqd", str(path)]) == 1
    shown = capfdbinary.readouterr()
    first, broken, last = map(json.loads, shown.out.splitlines())
    assert (first["id"], broken["id"], last["id"]) == (f"{path}:0", f"{path}:31", f"{path}:35")
    assert broken["error"]["code"] == "bad_length"
    assert shown.err.count(b"may be among its messages") == 1
    known = path.rename(tmp_path / "t.diskqueue.000000.dat")
    (tmp_path / "t.diskqueue.meta.dat").write_text("2\n0,0\n0,66\n")
    assert main(["convert", "--from", "nsq", "--to", "amqp-1.0", "--input-format", "nsqd", str(known)]) == 1
    assert b"may be among its messages" not in capfdbinary.readouterr().err
    known.rename(path)
    for line, body in ((first, b"a"), (last, b"b")):
        message: Any = decode("amqp-1.0", from_base64(line["wire"]))
        assert message.body.sections == [body]
    for wrong, words in (
        (["amqp-0.9.1", "nsqd", str(path)], b"nsqd has messages of nsq, not of amqp-0.9.1"),
        (["nsq", "nsqd", "none.dat"], b"there is no file none.dat"),
    ):
        assert main(["convert", "--from", wrong[0], "--to", "amqp-1.0", "--input-format", *wrong[1:]]) == 2
        assert words in capfdbinary.readouterr().err


def test_json_is_an_input_format_too() -> None:
    done = run("convert", *PAIR, "--format", "json", data=PUBLISH)
    assert done.returncode == 1
    assert b"leave out --format json (--output-format json is for the output alone)" in done.stderr


def test_limits_apply_to_decoding_and_encoding_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wire, lines = str(tmp_path / "wire"), str(tmp_path / "lines")
    Path(wire).write_bytes(b"PUB t\n\0\0\0\2hi")
    show, build = ["frames", "nsq", wire, "-o", lines], ["frames", "nsq", "--encode", lines, "-o", wire]
    for command, code in ((show, "bad_message"), (build, "too_large")):
        assert main([*command, "--option", "max_msg_size=2"]) == 0
        assert main([*command, "--option", "max_msg_size=1"]) == 1
        assert code in capsys.readouterr().err
        assert main([*command, "--option", "colour=red"]) == 2
        Path(wire).write_bytes(b"PUB t\n\0\0\0\2hi")
        assert main(show) == 0


RENAMED = b'["mqtt-5.0 -> amqp-0.9.1"]\nrules = [\n  { replace = "correlation-data", to = "basic.headers[c]" },\n]\n'


def test_rules_may_come_through_a_pipe_which_errors_and_reports_name() -> None:
    wrong = process("rules", "check", "/dev/stdin", data=RENAMED.replace(b"to =", b"too ="))
    assert wrong.stderr.decode().startswith("mqconvert: the pipe /dev/stdin:3: ")
    source = ("rules", "source", "mqtt-5.0", "amqp-0.9.1", "--rules", "/dev/stdin")
    assert b"# correlation-data, the pipe /dev/stdin:3" in process(*source, data=RENAMED).stdout
    given = (
        "explain",
        "--to",
        "amqp-0.9.1",
        "--rules",
        "/dev/stdin",
        str(Path(__file__).parents[2] / "docs" / "samples" / "mqtt-5.0.bin"),
    )
    assert process(*given, data=RENAMED).returncode == 0
