"""The input of a command: its protocol where none is named, its forms, and what a terminal is told."""

import base64
import gzip
import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

import mqconvert
from mqconvert import PROTOCOLS
from mqconvert.app.inputs import sample
from mqconvert.app.texts import TEXTS
from mqconvert.converters.protocols import ALIASES
from mqconvert.converters.readers import MODULES
from mqconvert.messages import nsq
from tests.app.program import COMMAND, process, run
from tests.converters.readers import written

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
PUBLISH = bytes.fromhex("3006000174006869")
DUMP = b"00000000: 3006 0001 7400 6869                      0...t.hi\n"
FILES = ", ".join(MODULES)
ANY = sorted(path.stem for path in SAMPLES.glob("*.bin") if path.stem in PROTOCOLS)


def told(*arguments: str, data: bytes = b"") -> tuple[int, str]:
    done = run(*arguments, data=data)
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("protocol", ANY)
def test_the_protocol_of_bytes_is_recognized(protocol: str) -> None:
    data = (SAMPLES / f"{protocol}.bin").read_bytes()
    assert run("decode", data=data).stdout == run("decode", protocol, data=data).stdout != b""


def test_decode_takes_a_file_without_a_protocol(tmp_path: Path) -> None:
    file = tmp_path / "packet"
    file.write_bytes(PUBLISH)
    expected = run("decode", "mqtt-5.0", "--format", "json", str(file)).stdout
    for words in ([str(file)], ["auto", str(file)], ["mqtt", str(file)]):
        assert run("decode", *words, "--format", "json").stdout == expected
        assert run("decode", "--format", "json", *words).stdout == expected
    assert told("decode", "mqt-5.0")[0] == 2
    assert "did you mean 'mqtt-5.0'?" in told("decode", "mqt-5.0")[1]


def test_a_byte_order_mark_is_no_part_of_a_text() -> None:
    form = json.loads(run("decode", "mqtt-5.0", data=PUBLISH).stdout)
    expected = run("convert", "--to", "amqp-1.0", data=PUBLISH).stdout
    for text, more in (
        (json.dumps(form), ()),
        (json.dumps(form), ("--from", "mqtt-5.0")),
        (PUBLISH.hex(), ("--input-format", "hex")),
        (base64.b64encode(PUBLISH).decode(), ("--input-format", "base64")),
        (DUMP.decode(), ("--input-format", "hexdump")),
    ):
        assert run("convert", "--to", "amqp-1.0", *more, data=f"\ufeff{text}\r\n".encode()).stdout == expected
    assert "try --input-format jsonl" in told("convert", "--to", "nsq", data="\ufeff{}\r\n{}".encode())[1]


def test_from_may_be_left_out_for_bytes_json_and_lines() -> None:
    form = json.loads(run("decode", "mqtt-5.0", data=PUBLISH).stdout)
    wire = json.dumps({"wire": base64.b64encode(PUBLISH).decode()}).encode()
    expected = run("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", data=PUBLISH).stdout
    assert run("convert", "--to", "amqp-1.0", data=PUBLISH).stdout == expected
    for data in (json.dumps(form).encode(), json.dumps({"message": form}).encode()):
        assert run("convert", "--to", "amqp-1.0", "--input-format", "json", data=data).stdout == expected
        assert run("explain", "--to", "amqp-1.0", "--format", "jsonl", data=b"\n" + data + b"\n").returncode == 0
    two = run("convert", "--to", "amqp-1.0", "--format", "jsonl", "--fields", "wire", data=b"\n" + wire + b"\n" + wire + b"\n")
    assert [json.loads(line)["wire"] for line in two.stdout.splitlines()] == [base64.b64encode(expected).decode()] * 2


def test_the_protocol_of_a_broker_file_is_that_of_its_format(tmp_path: Path) -> None:
    path = tmp_path / "orders.diskqueue.000000.dat"
    path.write_bytes(written.nsqd(b"hi"))
    done = run("convert", "--to", "mqtt-5.0", "--address", "t", "--input-format", "nsqd", str(path))
    assert done.returncode == 0
    assert done.stdout


GOT = json.dumps([{"payload": "hi", "payload_encoding": "string", "routing_key": "a", "properties": {}}, 5]).encode()
STORED = written.nsqd(b"hi")


@pytest.mark.parametrize(
    ("form", "data", "places"),
    [("rabbitmq-get", GOT, (1, GOT.index(b"5"))), ("nsqd", STORED + b"oops", (0, len(STORED)))],
    ids=("rabbitmq-get", "nsqd"),
)
@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_files_that_a_broker_left_may_come_through_a_pipe(
    name: str, form: str, data: bytes, places: tuple[int, int], tmp_path: Path
) -> None:
    done = process("convert", "--to", "mqtt-5.0", "--address", "t", "--input-format", form, name, data=data)
    good, broken = map(json.loads, done.stdout.splitlines())
    assert (good["id"], broken["id"]) == tuple(f"{name}:{place}" for place in places)
    assert ("wire" in good, "error" in broken, done.returncode) == (True, True, 1)
    out = tmp_path / "moved.jsonl"
    assert process("move", f"{form}:{name}", f"amqp-1.0:{out}", data=data).returncode == 1
    assert len(out.read_bytes().splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "given"),
    [
        (("convert", "--from", "mqtt-5.0", "--to", "nsq", "--format", "jsonl"), "none"),
        (("convert", "--from", "mqtt-5.0", "--to", "nsq", "--format", "jsonl", "--jobs", "2"), "none"),
        (("convert", "--from", "mqtt-5.0", "--to", "nsq", "--format", "jsonl"), "packed"),
        (("convert", "--from", "nsq", "--to", "mqtt-5.0", "--input-format", "nsqd"), "none"),
        (("decode", "nsq", "--format", "jsonl"), "none"),
        (("explain", "--from", "mqtt-5.0", "--to", "nsq", "--format", "jsonl"), "."),
    ],
)
def test_an_input_that_cannot_be_read_leaves_the_output_as_it_is(command: tuple[str, ...], given: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"before")
    (tmp_path / "packed").write_bytes(gzip.compress(b"{}"))
    assert run(*command, str(tmp_path / given), "-o", str(out)).returncode in (1, 2)
    assert out.read_bytes() == b"before"


def test_a_pipe_under_a_name_is_read_once() -> None:
    assert process("decode", "/dev/stdin", data=PUBLISH).stdout == run("decode", data=PUBLISH).stdout != b""


@pytest.mark.parametrize(
    ("data", "form", "hint"),
    [
        (b"hello", "wire", "name it with --from PROTOCOL to see the byte that is invalid or missing"),
        (bytes.fromhex("005370c0090341"), "wire", "name it with --from PROTOCOL to see the byte that is invalid or missing"),
        (
            bytes.fromhex("005370c00b054140"),
            "wire",
            "This begins like AMQP 1.0, but ends at byte 8: --from amqp-1.0 shows where it breaks off.",
        ),
        (b'{"protocol": "nsq"}', "wire", "This looks like JSON: try --input-format json."),
        (b"[{}]", "wire", f"This looks like an array in JSON: --input-format also names files of brokers ({FILES})."),
        (
            b'[{"payload": "a", "payload_encoding": "string"}]',
            "wire",
            "This looks like the JSON of RabbitMQ's management API: try --input-format rabbitmq-get.",
        ),
        (b'{"topic_name": "t"}', "json", 'the JSON has no "protocol": add it, or name it with --from PROTOCOL'),
        (b'{"protocol": "mqtt"}', "json", 'its "protocol" is "mqtt", not one of ' + ", ".join(PROTOCOLS)),
        (b"", "jsonl", "the input is empty"),
        (PUBLISH.hex().encode(), "wire", "This looks like the hex text of MQTT 5.0 or MQTT 3.1.1: try --input-format hex."),
        (DUMP, "wire", "This looks like the hexdump text of MQTT 5.0 or MQTT 3.1.1: try --input-format hexdump."),
    ],
)
def test_unrecognized_input_is_one_line_with_the_guess(data: bytes, form: str, hint: str) -> None:
    status, words = told("convert", "--to", "amqp-1.0", "--input-format", form, "--output-format", "jsonl", data=data)
    assert status == 1
    assert words == f"mqconvert: the protocol of the input is not recognized: {hint} [unknown_protocol]\n"


def test_a_message_in_json_tells_itself_where_its_protocol_is_named() -> None:
    data = b'{"topic_name": "t", "payload": {"text": "hi"}}'
    for command in (("explain",), ("convert", "--output-format", "json")):
        done = run(*command, "--from", "mqtt-5.0", "--to", "amqp-1.0", data=data)
        assert (done.returncode, b"payload" in done.stdout) == (0, True)
    for other in (b"{", b'{"a": 1}\n{"b": 2}'):  # no message in JSON, so that the codec says what is wrong
        status, words = told("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", data=other)
        assert (status, "[bad_packet]" in words) == (1, True)
    status, words = told("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--input-format", "wire", data=data)
    assert (status, "[bad_packet]" in words) == (1, True)


NUL = bytes.fromhex("300d000174072600016b0001006869")
"""A PUBLISH of MQTT 5.0 whose user property has NUL, so that only the codec of MQTT 3.1.1 reads it."""
PROPERTY = NUL.replace(b"\1\0hi", b"\1bhi")


def _lines(*wires: bytes) -> bytes:
    return b"".join(b'{"wire":"%s"}\n' % base64.b64encode(wire) for wire in wires)


@pytest.mark.parametrize("errors", ["text", "json"])
def test_one_packet_of_a_file_does_not_decide_its_protocol(errors: str) -> None:
    done = run("convert", "--to", "amqp-1.0", "--output-format", "jsonl", "--errors", errors, data=PUBLISH + NUL + PUBLISH)
    assert [json.loads(line).get("error", {}).get("code") for line in done.stdout.splitlines()] == [None, "bad_utf8", None]
    words = "taken for mqtt-5.0, could be mqtt-3.1.1 too; --from PROTOCOL chooses another"
    first = done.stderr.decode().splitlines()[0]
    assert first == (f"mqconvert: {words}" if errors == "text" else json.dumps({"note": words}))


@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")])
def test_one_line_does_not_decide_the_protocol_of_all(jobs: tuple[str, ...]) -> None:
    done = run("convert", "--to", "amqp-0.9.1", "--format", "jsonl", *jobs, data=_lines(NUL, PROPERTY))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, answers[0]["error"]["code"]) == (1, "bad_utf8")
    wire = mqconvert.encode(mqconvert.convert(PROPERTY, "amqp-0.9.1", source="mqtt-5.0").message)
    assert base64.b64decode(answers[1]["wire"]) == wire
    words = "taken for mqtt-5.0 by 1 of the first 2 values, could be mqtt-3.1.1 too; --from PROTOCOL chooses another"
    assert done.stderr.decode().splitlines()[0] == f"mqconvert: {words}"


def test_a_line_that_cannot_be_read_is_an_error_line_also_without_a_protocol() -> None:
    data = b'{"wire":"MA0A\n\n' + _lines(mqconvert.encode(nsq.Message(topic="t", body=b"hi")))
    for command in (("convert", "--to", "mqtt-5.0", "--address", "t"), ("decode",)):
        done = run(*command, "--format", "jsonl", data=data)
        assert done.returncode == 1
        assert ["error" in json.loads(line) for line in done.stdout.splitlines()] == [True, False]
        assert done.stderr.startswith(b"mqconvert: taken for nsq by 1 of the first 2 values; ")
    assert told("convert", "--to", "nsq", "--format", "jsonl", data=data.partition(b"\n")[0])[1].endswith("[bad_json]\n")
    long = told("convert", "--to", "nsq", "--format", "jsonl", "--max-line", "5", data=data)
    assert long == (1, "mqconvert: a line of more than 5 bytes [line_too_long]\n")


def test_one_line_says_what_a_message_could_be_too() -> None:
    words = "taken for mqtt-5.0, could be mqtt-3.1.1 too; mqconvert decode PROTOCOL chooses another"
    assert told("decode", data=PUBLISH) == (0, f"mqconvert: {words}\n")
    assert told("decode", "--errors", "json", data=PUBLISH) == (0, json.dumps({"note": words}) + "\n")
    assert told("decode", data=_sample("amqp-1.0")) == (0, "")


def test_a_line_with_an_unknown_member_is_told_as_where_the_protocol_is_named() -> None:
    data = b'{"wires":"MAYAAXQAaGk="}\n'
    [line] = run("decode", "mqtt-5.0", "--format", "jsonl", data=data).stdout.splitlines()
    fault = json.loads(line)["error"]["message"]
    assert fault.startswith("no member 'wires' here: a line has")
    assert told("decode", "--format", "jsonl", data=data) == (1, f"mqconvert: {fault} [unknown_field]\n")


@pytest.mark.parametrize(
    "command",
    [
        ("convert", "--from", "mqtt-5.0", "--to", "nsq", "--format", "jsonl"),
        ("convert", "--from", "mqtt-5.0", "--to", "nsq", "--format", "jsonl", "--jobs", "2"),
        ("explain", "--to", "nsq", "--input-format", "rabbitmq-get"),
        ("decode", "mqtt-5.0", "--format", "jsonl"),
        ("encode", "mqtt-5.0", "--format", "jsonl"),
    ],
    ids=" ".join,
)
def test_an_input_without_messages_is_told(command: tuple[str, ...]) -> None:
    assert told(*command, data=b"\n") == (0, "mqconvert: no message in the input\n")
    assert told(*command, "--errors", "json", data=b"\n") == (0, "")


def test_a_sample_is_bounded() -> None:
    many = iter([b"", b"a"] * 200)
    assert (len(sample(many)), len(list(many))) == (200, 200)
    large = iter([b"a" * 2**23] * 5)
    assert (len(sample(large)), len(list(large))) == (2, 3)


@pytest.mark.parametrize("command", ["convert", "explain"])
def test_json_without_a_protocol_tells_itself(command: str) -> None:
    data = b'\n {"protocol": "amqp-0.9.1", "routing_key": "a", "payload": {"text": "hi"}}'
    named = run(command, "--from", "amqp-0.9.1", "--to", "mqtt-5.0", "--input-format", "json", data=data)
    assert named.returncode == 0
    assert run(command, "--to", "mqtt-5.0", data=data).stdout == named.stdout


@pytest.mark.parametrize("form", TEXTS)
@pytest.mark.parametrize(
    "command", [("decode",), ("explain", "--to", "nsq"), ("convert", "--to", "nsq")], ids=lambda one: one[0]
)
def test_bytes_may_be_text(command: tuple[str, ...], form: str) -> None:
    text = {"hex": PUBLISH.hex(":").encode(), "base64": base64.b64encode(PUBLISH), "hexdump": DUMP}[form]
    done = run(*command, "--input-format", form, data=text)
    assert (done.returncode, done.stdout) == (0, run(*command, data=PUBLISH).stdout)


@pytest.mark.parametrize(("short", "name"), ALIASES.items())
def test_short_names_of_protocols_are_taken(short: str, name: str) -> None:
    assert run("convert", "--from", short, "--to", short, "--output-format", "json", data=_sample(name)).stdout
    assert run("rules", "show", short, "nsq").stdout == run("rules", "show", name, "nsq").stdout


def test_errors_say_how_to_choose(tmp_path: Path) -> None:
    assert told("decode", data=b"hello")[1].endswith("PROTOCOL to see the byte that is invalid or missing [unknown_protocol]\n")
    (tmp_path / "0.rdq").touch()
    classic = ("convert", "--to", "nsq", "--input-format", "rabbitmq-classic", str(tmp_path))
    status, words = told(*classic)
    assert status == 2
    assert words.startswith("mqconvert: the input may be AMQP 0.9.1 or AMQP 1.0 or MQTT 5.0: choose with --from amqp-0.9.1 or ")


def _sample(name: str) -> bytes:
    return (SAMPLES / f"{name}.bin").read_bytes()


def on_terminal(*arguments: str, data: bytes) -> tuple[int, bytes]:
    """Run a command with all streams on a terminal, into which `data` is typed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | {"NO_COLOR": "1"}
    )
    os.close(theirs)
    os.write(ours, data + b"\n\4")
    seen = b""
    try:
        while part := os.read(ours, 2**16):
            seen += part
    except OSError:
        pass  # the other end has closed
    status = process.wait()
    os.close(ours)
    return status, seen


def test_a_terminal_is_told_what_is_awaited_and_gets_no_binary() -> None:
    status, seen = on_terminal("convert", "--to", "amqp-1.0", "--input-format", "hex", data=PUBLISH.hex().encode())
    assert b"mqconvert: waiting for the bytes of a message in hex on standard input; Ctrl-D ends it" in seen
    assert b"mqconvert: the output is binary: redirect it with > FILE or -o FILE, or show it with --output-format json" in seen
    assert status == 2


def test_without_arguments_the_help_is_printed() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == run("--help").stdout


TCP = bytes.fromhex("4500003000004000400600007f0000017f000001 d431075b0000000100000001501801f500000000")


@pytest.mark.parametrize("errors", ["text", "json"])
@pytest.mark.parametrize("command", [("decode", "mqtt-5.0"), ("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0")])
def test_a_dump_of_a_captured_frame_gives_its_message(command: tuple[str, ...], errors: str) -> None:
    expected = run(*command, data=PUBLISH).stdout
    done = run(*command, "--input-format", "hex", "--errors", errors, data=(TCP + PUBLISH).hex().encode())
    words = "left out 40 bytes of headers before the message, from a captured frame"
    assert done.stdout == expected != b""
    assert done.stderr.decode() == (f"mqconvert: {words}\n" if errors == "text" else json.dumps({"note": words}) + "\n")
    assert run(*command, "--input-format", "hex", data=TCP.hex().encode()).returncode == 1
