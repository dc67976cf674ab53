"""Output on a terminal: errors with bytes and guesses, color, tables, completion, and examples that run."""

import base64
import contextlib
import gzip
import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mqconvert import EncodeError
from mqconvert.app.cli import main
from mqconvert.app.terminal import tell
from tests.app.program import COMMAND, run

REPOSITORY = Path(__file__).parents[2]
SAMPLES = REPOSITORY / "docs" / "samples"
PUBLISH = bytes.fromhex("3006000174006869")


def errors(*arguments: str, data: bytes = b"") -> str:
    return run(*arguments, data=data).stderr.decode()


def on_terminal(*arguments: str, **environment: str) -> str:
    """Return the output of a command on a terminal, standard error included."""
    ours, theirs = pty.openpty()
    given = {"PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": "80"} | environment
    process = subprocess.Popen([*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=given)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 2**16):
            seen += part
    except OSError:
        pass  # the other end has closed
    process.wait()
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


def test_a_decoding_error_shows_its_bytes_and_the_recognized_protocol() -> None:
    assert errors("decode", "amqp-1.0", data=PUBLISH) == (
        "mqconvert: byte 0: 0x30 where a section is due [unknown_section]\n"
        "  30 06 00 01 74 00 68 69  |0...t.hi|\n"
        "  ^^\n"
        "  This looks like MQTT 5.0 or MQTT 3.1.1: try mqconvert decode mqtt-5.0.\n"
    )


@pytest.mark.parametrize(
    ("data", "remedy"),
    [(PUBLISH, "mqconvert decode mqtt-5.0"), ((SAMPLES / "phpmq.bin").read_bytes(), "mqconvert frames phpmq")],
)
def test_frames_recommends_decode_for_protocols_without_frames(data: bytes, remedy: str) -> None:
    assert errors("frames", "nsq", data=data).endswith(f": try {remedy}.\n")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (PUBLISH.hex().encode(), "the hex text of MQTT 5.0 or MQTT 3.1.1: try --input-format hex."),
        (base64.b64encode(PUBLISH), "the base64 text of MQTT 5.0 or MQTT 3.1.1: try --input-format base64."),
        (b'{"protocol": "amqp-1.0", ', "JSON: try --input-format json."),  # a whole one is read
        (b'{"wire": ""}\n{"wire": ""}\n', "JSON: try --input-format jsonl."),
        ((SAMPLES / "pulsar.bin").read_bytes(), "Pulsar: try --from pulsar."),
    ],
)
def test_other_input_is_recognized(data: bytes, words: str) -> None:
    assert f"  This looks like {words}\n" in errors("convert", "--from", "amqp-1.0", "--to", "nsq", data=data)


LEAVE_OUT = "leave out --format jsonl (--output-format jsonl is for the output alone)."


@pytest.mark.parametrize(
    ("arguments", "data", "words"),
    [
        (("decode", "mqtt-5.0", "--format", "jsonl"), PUBLISH, "MQTT 5.0 or MQTT 3.1.1: leave out --format jsonl."),
        (("decode", "--format", "jsonl"), PUBLISH, "MQTT 5.0 or MQTT 3.1.1: leave out --format jsonl."),
        (("convert", "--to", "nsq", "--format", "jsonl"), PUBLISH, f"MQTT 5.0 or MQTT 3.1.1: {LEAVE_OUT}"),
        (
            ("explain", "--to", "nsq", "--input-format", "json"),
            PUBLISH,
            "MQTT 5.0 or MQTT 3.1.1: leave out --input-format json.",
        ),
        (("encode", "mqtt-5.0"), PUBLISH, "MQTT 5.0 or MQTT 3.1.1: mqconvert decode makes it JSON."),
        (("encode", "mqtt-5.0", "--format", "jsonl"), PUBLISH, "MQTT 5.0 or MQTT 3.1.1: mqconvert decode makes it JSON."),
        (("frames", "nsq", "--encode"), (SAMPLES / "nsq.bin").read_bytes(), "NSQ: leave out --encode."),
        (
            ("decode", "--format", "jsonl"),
            PUBLISH.hex().encode(),
            "the hex text of MQTT 5.0 or MQTT 3.1.1: leave out --format jsonl; such text needs --input-format hex.",
        ),
        (("convert", "--to", "nsq"), b'{"wire": ""}\r\n{"wire": ""}\r\n', "JSON lines: try --input-format jsonl."),
        (("decode", "nsq"), b'{"wire": ""}\n', "JSON: try --format jsonl."),
        (("decode", "nsq"), b'{"protocol": "nsq"}\n', "JSON: encode makes it bytes."),
        (("frames", "nsq"), b'{"frame": "NOP"}\n', "JSON: --encode makes it bytes."),
    ],
)
def test_bytes_and_json_in_place_of_each_other_are_told_with_the_remedy(
    arguments: tuple[str, ...], data: bytes, words: str
) -> None:
    done = run(*arguments, data=data)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().endswith(f"  This looks like {words}\n")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (gzip.compress(PUBLISH, mtime=0), "gzip: unpack it first, with gzip -dc."),
        (bytes.fromhex("28b52ffd") + PUBLISH, "zstd: unpack it first, with zstd -dc."),
        (bytes.fromhex("0a0d0d0a") + PUBLISH, "a capture file: copy the bytes of one message, "),
    ],
    ids=["gzip", "zstd", "pcapng"],
)
@pytest.mark.parametrize(
    "more", [(), ("--from", "mqtt-5.0"), ("--format", "json"), ("--from", "mqtt-5.0", "--format", "jsonl")]
)
def test_files_of_other_formats_are_told(data: bytes, words: str, more: tuple[str, ...]) -> None:
    done = run("convert", "--to", "nsq", *more, data=data)
    assert f"This looks like {words}" in done.stderr.decode()
    assert done.stdout == b""


def test_explanations_of_several_messages_are_told_apart() -> None:
    arguments = ("explain", "--from", "mqtt-5.0", "--to", "amqp-0.9.1")
    heads = [line for line in run(*arguments, data=PUBLISH * 2).stdout.decode().splitlines() if line.endswith(":")]
    assert heads == ["index 0:", "index 1:"]
    assert run(*arguments, data=PUBLISH).stdout.startswith(b"all 2 fields arrive")
    line = json.dumps({"id": "a", "wire": base64.b64encode(PUBLISH).decode()}).encode()
    assert run(*arguments, "--format", "jsonl", data=line).stdout.startswith(b"id a:\nall 2 fields arrive")


def test_binary_of_no_protocol_is_told_where_json_is_expected() -> None:
    told = errors("convert", "--from", "nsq", "--to", "amqp-1.0", "--format", "json", data=b"\xff\0\xff")
    assert told.splitlines()[1].startswith("  This is no text: leave out --format json ")


def test_a_broken_first_line_does_not_end_the_others() -> None:
    line = json.dumps({"wire": base64.b64encode(PUBLISH).decode()}).encode()
    done = run("decode", "mqtt-5.0", "--format", "jsonl", data=b"header\n" + line + b"\n")
    assert [json.loads(one).keys() for one in done.stdout.splitlines()] == [{"line", "error"}, {"message"}]


def test_bytes_of_no_protocol_get_no_guess() -> None:
    told = errors("frames", "nsq", data=b"NOP\nhello\n")
    assert "byte 4: " in told
    assert "looks like" not in told


def test_the_marker_is_below_the_byte_of_a_long_input() -> None:
    first, second = errors("decode", "mqtt-5.0", data=PUBLISH * 4 + b"\x70\x00" + PUBLISH * 2).splitlines()[1:3]
    assert first.index(" 70 ") + 1 == second.index("^^")
    assert first.startswith("  ... ")
    assert " ...  |" in first


def test_errors_json_prints_the_error_object() -> None:
    told = json.loads(errors("decode", "amqp-1.0", "--errors", "json", data=PUBLISH))
    assert (told["offset"], told["hint"]) == (0, "This looks like MQTT 5.0 or MQTT 3.1.1: try mqconvert decode mqtt-5.0.")


def test_hex_in_a_line_is_told_below_a_refusal_and_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, hint = tmp_path / "lines", "This looks like hex, and wire is base64."
    lines.write_text('{"wire": "3006000174006869"}\n')
    jsonl = ("--input-format", "jsonl", "--output-format", "jsonl")
    assert main(["convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", *jsonl, str(lines)]) == 1
    told = json.loads(capsys.readouterr().out)["error"]
    assert (told["message"], told["hint"]) == ("packet type 13 is not a PUBLISH", hint)
    assert main(["move", f"mqtt-5.0:{lines}", f"amqp-1.0:{tmp_path / 'out'}"]) == 1
    assert f"packet type 13 is not a PUBLISH (byte 0) [bad_packet]\n  {hint}\n" in capsys.readouterr().err


def test_errors_json_is_for_errors_of_the_operating_system_too() -> None:
    for arguments in (("decode", "nsq", "/no/such/file"), ("encode", "nsq", "/"), ("rules", "check", "/no/such/file")):
        told = json.loads(errors(*arguments, "--errors", "json"))
        assert told["code"] in ("bad_path", "bad_table"), told
        assert arguments[2] in told["message"]
    assert errors("decode", "nsq", "/no/such/file") == "mqconvert: /no/such/file: No such file or directory\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("convert", "--frm", "nsq", "--errors", "json"), "unknown option --frm (did you mean '--from'?)"),
        (("convert", "--errors=json", "--from", "nsq"), "the following arguments are required: --to"),
        (("decode", "mqt", "--errors", "text", "--errors", "json", "nofile"), "argument PROTOCOL: invalid choice: 'mqt'"),
        (
            ("convert", "--to", "nsq", "--jobs", "2", "--errors", "json", str(SAMPLES / "mqtt-5.0.bin")),
            "--jobs divides lines among processes",
        ),
        (("batch", "--errors", "json", "--from", "nsq"), "the following arguments are required: --to"),
        (("move", "--errors", "json", "a", "b", "c"), "unrecognized arguments: c"),
    ],
)
def test_errors_json_is_for_wrong_usage_too(arguments: tuple[str, ...], words: str) -> None:
    told = json.loads(errors(*arguments))
    assert told["code"] == "bad_usage"
    assert told["message"].startswith(words)


def test_color_is_used_only_on_terminals_that_allow_it() -> None:
    sample = str(SAMPLES / "mqtt-5.0.bin")
    arguments = ("explain", "--from", "mqtt-5.0", "--to", "amqp-0.9.1", sample)
    shown = on_terminal(*arguments)
    assert "\x1b[32m->" in shown
    assert "\x1b[33mdropped" in shown
    plain = on_terminal(*arguments, NO_COLOR="1")
    assert plain == on_terminal(*arguments, TERM="dumb") == re.sub(r"\x1b\[\d*m", "", shown)
    assert subprocess.run([*COMMAND, *arguments], capture_output=True, check=True, text=True).stdout == plain
    assert "\x1b[31mmqconvert:" in on_terminal("decode", "amqp-1.0", sample)


SHOW = ("rules", "show", "amqp-1.0", "amqp-0.9.1")


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_rules_fit_the_terminal_with_every_word(columns: int) -> None:
    shown = on_terminal(*SHOW, NO_COLOR="1", COLUMNS=str(columns))
    assert max(map(len, shown.splitlines())) <= columns
    row = next(line for line in re.split(r"\n  (?! )", shown) if line.startswith("durable "))
    assert " ".join(row.split()) == (
        "durable from header.durable type boolean to basic.delivery_mode via choose 2 1 note 2 = durable, 1 = transient"
    )


def test_rules_are_one_table_in_a_pipe_and_where_a_terminal_has_room() -> None:
    piped = subprocess.run([*COMMAND, *SHOW], capture_output=True, check=True, text=True).stdout
    assert on_terminal(*SHOW, NO_COLOR="1", COLUMNS="300") == on_terminal(*SHOW, "--wide", NO_COLOR="1") == piped
    assert piped.splitlines()[3].split()[:4] == ["id", "from", "type", "when"]


def test_the_last_column_of_a_table_goes_on_below_itself() -> None:
    shown = on_terminal("routes", NO_COLOR="1", COLUMNS="60").splitlines()
    at = next(at for at, line in enumerate(shown) if line.startswith("amqp-1.0    mqtt-3.1.1"))
    assert shown[at : at + 2] == ["amqp-1.0    mqtt-3.1.1  amqp-1.0 -> mqtt-5.0, mqtt-5.0 ->", f"{'':24}mqtt-3.1.1"]
    assert max(map(len, shown)) <= 60


def test_a_long_word_of_the_last_column_keeps_both_ends() -> None:
    shown = on_terminal("rules", "list", NO_COLOR="1", COLUMNS="70").splitlines()
    assert shown[1].endswith("  amqp091_to_amqp10.toml")
    shown = on_terminal("rules", "list", NO_COLOR="1", COLUMNS="66").splitlines()
    assert (len(shown[1]), shown[1][-4:], shown[1].count("…")) == (66, "toml", 1)


def test_rules_check_reports_an_empty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("")
    assert main(["rules", "check", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: empty, changes no table\n"
    file.write_text('title = "a"\n["mqtt-5.0 -> amqp-1.0"]\nremove = ["retain"]\n')
    assert main(["rules", "check", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: good, for mqtt-5.0 -> amqp-1.0\n"
    row = '{ id = "a", from = "topic_nam", to = "properties.to" },'
    file.write_text(f'["mqtt-5.0 -> amqp-1.0"]\nrules = [\n{row}\n]\n')
    assert main(["rules", "check", str(file)]) == 2
    assert "unknown place 'topic_nam' of mqtt-5.0 (did you mean 'topic_name'?)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("protocol", "field"),
    [("mqtt-5.0", "topic_name"), ("mqtt-3.1.1", "topic_name"), ("nsq", "topic"), ("phpmq", "queue"), ("rocketmq", "topic")],
)
def test_encode_fills_the_address_that_a_message_lacks(
    protocol: str, field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, wire = tmp_path / "given", str(tmp_path / "wire")
    content = {"nsq": {"body": "aGk="}, "rocketmq": {"body": "aGk="}, "phpmq": {"content": "aGk="}}.get(protocol, {})
    for own in ({}, {field: "mine"}):
        given.write_text(json.dumps({"protocol": protocol, **content, **own}))
        assert main(["encode", protocol, "--address", "orders", "-o", wire, str(given)]) == 0
        assert main(["decode", protocol, wire]) == 0
        assert json.loads(capsys.readouterr().out)[field] == own.get(field, "orders")
    given.write_text(json.dumps({"message": {"protocol": protocol, **content}}) + "\n")
    assert main(["encode", protocol, "--address", "orders", "--format", "jsonl", str(given)]) == 0
    assert b"orders" in base64.b64decode(json.loads(capsys.readouterr().out)["wire"])


def test_encode_refuses_an_invalid_address(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_text('{"protocol": "amqp-0.9.1"}')
    assert main(["encode", "amqp-0.9.1", "--address", "orders", str(given)]) == 2
    assert "messages of AMQP 0.9.1 have no address" in capsys.readouterr().err
    given.write_text('{"protocol": "nsq", "body": "aGk="}')
    assert main(["encode", "nsq", "--address", "a/b", str(given)]) == 1
    assert "bad_topic" in capsys.readouterr().err
    assert main(["encode", "nsq", "--address", "a/b", "--escape", str(given)]) == 0
    assert capsys.readouterr().out.startswith("PUB a_2Fb\n")


def test_an_error_names_its_option_as_a_flag_and_leaves_values_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text(json.dumps({"protocol": "mqtt-5.0", "topic_name": "the option escape=", "payload": "aGk="}))
    assert main(["convert", "--from", "mqtt-5.0", "--to", "nsq", "--input-format", "json", str(given)]) == 1
    assert capsys.readouterr().err.endswith(": 'the option escape='; try --escape [bad_topic]\n")
    assert main(["fidelity", "--from", "mqtt-5.0", "--to", "nsq"]) == 0
    assert ": 'a/b'; try --escape)" in capsys.readouterr().out


def test_explain_gives_json_with_values(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wire = tmp_path / "wire"
    wire.write_bytes(PUBLISH * 2)
    pair = ("--from", "mqtt-5.0", "--to", "amqp-1.0")
    assert main(["explain", *pair, "--output-format", "jsonl", str(wire)]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["index"], second["index"]) == (0, 1)
    made = {entry["from"]: entry["made"] for entry in first["report"]["applied"]}
    assert made["payload"] == {"data": ["aGk="]}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_shell_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "mqconvert" in capsys.readouterr().out


def test_bash_completes_commands_and_protocols(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    (tmp_path / "mqconvert").symlink_to(Path(sys.executable).parent / "mqconvert")

    def completed(line: str) -> list[str]:
        script = f"""source <(mqconvert completion bash)
COMP_LINE={shlex.quote(line)}; COMP_POINT={len(line)}; COMP_WORDS=({line} ""); COMP_CWORD=2; COMP_TYPE=9
_python_argcomplete mqconvert; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
        environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        done = subprocess.run([bash, "-c", script], env=environment, capture_output=True, text=True, check=True)
        return [word.strip() for word in done.stdout.splitlines()]

    assert completed("mqconvert conv") == ["convert"]
    assert completed("mqconvert convert --from mqtt") == ["mqtt-5.0", "mqtt-3.1.1"]


def test_a_move_at_a_terminal_tells_how_far_it_is() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "move", "mqtt-5.0:-", "mqtt-5.0:/dev/null"], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, b'{"wire": "MAYAAXQAaGk="}\n')
    seen = b""
    while b"\r1 message moved " not in seen:
        seen += os.read(ours, 2**16)
    os.write(ours, b"\4")
    with contextlib.suppress(OSError):  # the other end has closed
        while part := os.read(ours, 2**16):
            seen += part
    os.close(ours)
    assert process.wait() == 0
    assert b" 1 of 1 message moved" in seen.rpartition(b"\r1 message moved ")[2]


@pytest.mark.parametrize(
    "arguments",
    [
        ("convert", "--to", "nsq"),
        ("convert", "--from", "rocketmq", "--to", "nsq"),
        ("explain", "--to", "nsq"),
        ("decode",),
        *(("decode", protocol) for protocol in ("amqp-1.0", "amqp-0.9.1", "mqtt-5.0", "rocketmq")),
    ],
)
def test_an_empty_input_is_told_as_one(arguments: tuple[str, ...]) -> None:
    assert "the input is empty" in errors(*arguments, data=b"").lower()


@pytest.mark.parametrize("arguments", [("convert", "--to", "nsq"), ("explain", "--to", "nsq"), ("decode",)])
def test_empty_lines_tell_no_protocol(arguments: tuple[str, ...]) -> None:
    assert "the input is empty" in errors(*arguments, "--format", "jsonl", data=b"\n\n")


@pytest.mark.parametrize(
    ("text", "words"), [(b"", "not JSON: the text is empty"), (b'{"a":' * 100_000, "not JSON: nested too deep")]
)
def test_json_that_is_none_is_told_in_words(text: bytes, words: str) -> None:
    assert words in errors("convert", "--from", "nsq", "--to", "nsq", "--format", "json", data=text)
    assert "recursion" not in errors("encode", "nsq", data=text)


def test_parquet_on_standard_input_is_told() -> None:
    told = errors("convert", "--from", "nsq", "--to", "mqtt-5.0", data=b"PAR1....PAR1")
    assert "This looks like Parquet: convert, explain and decode read it from a file, named as INPUT." in told
    assert "looks like Parquet" in errors("convert", "--to", "mqtt-5.0", data=b"PAR1....PAR1")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_told_without_its_number() -> None:
    command = [sys.executable, "-m", "mqconvert.app", "protocols"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "mqconvert: No space left on device\n")


@pytest.mark.parametrize("ip", ["0800 4500003000004000400600007f0000017f000001", "86dd 60000000001c0640" + "00" * 32])
def test_a_captured_frame_is_told_with_the_place_of_its_message(ip: str) -> None:
    frame = bytes.fromhex("00" * 12 + ip + "d431075b0000000100000001501801f500000000") + PUBLISH
    for arguments in (("decode", "mqtt-5.0"), ("convert", "--to", "nsq")):
        told = errors(*arguments, data=frame)
        begin = len(frame) - len(PUBLISH)
        assert f"captured frame: its message, MQTT 5.0 or MQTT 3.1.1, begins at byte {begin};" in told
    assert "captured" not in errors("decode", "mqtt-5.0", data=frame[:30])


def test_a_forecast_fits_a_terminal_and_is_a_line_for_each_outcome_in_a_pipe() -> None:
    command = ("fidelity", "--from", "amqp-0.9.1", "--to", "mqtt-5.0", "--back")
    whole, told = run(*command).stdout.decode(), on_terminal(*command)
    assert max(map(len, told.splitlines())) <= 80 < max(map(len, whole.splitlines()))
    assert sorted("".join(told.split())) == sorted("".join(whole.split()))


def test_an_error_names_its_field_once_and_always(capsys: pytest.CaptureFixture[str]) -> None:
    tell(EncodeError("bad_topic", "empty: name a topic", field="topic"))
    tell(EncodeError("bad_topic", "topic: expected text", field="topic", names_field=True))
    assert capsys.readouterr().err.splitlines() == [
        "mqconvert: topic: empty: name a topic [bad_topic]",
        "mqconvert: topic: expected text [bad_topic]",
    ]
