"""Lines of a stream, around the limit: a line of exactly the limit is accepted, with and without its newline.

Lines of JSON through several commands, and their errors.
"""

import base64
import json
from io import BytesIO
from typing import Any

import pytest

from mqconvert import decode, message_to_json
from mqconvert.app.lines import TooLong, read_lines
from tests.app.program import run


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        (b"", []),
        (b"abc", [b"abc"]),
        (b"abc\n", [b"abc"]),
        (b"abcd", [TooLong(3)]),
        (b"abcd\n", [TooLong(3)]),
        (b"abcdefghijkl\nabc\nabcd\nab", [TooLong(3), b"abc", TooLong(3), b"ab"]),
        (b"ab\r\n\n\r\nabc", [b"ab", b"", b"", b"abc"]),
    ],
)
def test_read_lines_marks_lines_beyond_the_limit(stream: bytes, lines: list[bytes | TooLong]) -> None:
    assert list(read_lines(BytesIO(stream), 3)) == lines


class _Endless(BytesIO):
    """One line of a gigabyte that is never in memory."""

    left = 2**30
    asked: list[int]

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        self.asked.append(size)
        given, self.left = min(size, self.left), self.left - size
        return b"x" * max(given, 0)


def test_a_line_beyond_the_limit_is_skipped_in_pieces() -> None:
    stream = _Endless()
    stream.asked = []
    assert list(read_lines(stream, 2**24)) == [TooLong(2**24)]
    assert stream.asked[0] == 2**24 + 1
    assert max(stream.asked[1:-1]) <= 2**16


def test_the_default_line_limit_is_64_mebibytes() -> None:
    stream = _Endless()
    stream.asked = []
    assert list(read_lines(stream)) == [TooLong(2**26)]
    assert stream.asked[0] == 2**26 + 1


BATCH = base64.b64encode(b"MPUB t\n\0\0\0\x10\0\0\0\2\0\0\0\2hi\0\0\0\2ho").decode()
"""Two messages of NSQ."""
TO_HUB = ("convert", "--from", "nsq", "--to", "amqp-1.0", "--format", "jsonl")
TO_PULSAR = ("convert", "--from", "amqp-1.0", "--to", "pulsar", "--address", "t", "--format", "jsonl")


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("fields", ["wire,report", "wire", "message,report", "message"])
def test_commands_chain_for_a_line_of_several_messages(fields: str, jobs: str) -> None:
    more = ("--fields", fields, "--jobs", jobs)
    steps = (
        ("decode", "nsq", "--format", "jsonl"),
        (*TO_HUB, *more),
        (*TO_PULSAR, *more),
        ("decode", "pulsar", "--format", "jsonl"),
        ("encode", "pulsar", "--clock", "5", "--format", "jsonl"),
    )
    data = _lines({"id": "a", "wire": BATCH}, {"id": "b", "wire": BATCH})
    for step in steps:
        done = run(*step, data=data)
        assert (done.returncode, done.stderr) == (0, b""), step
        data = done.stdout
        assert [(line["id"], line["index"]) for line in _read(data)] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)], step
    sent = [message_to_json(decode("pulsar", base64.b64decode(line["wire"])))["payload"] for line in _read(data)]
    assert sent == ["aGk=", "aG8="] * 2


def test_a_line_of_several_messages_numbers_them_itself() -> None:
    data = _lines({"id": 1, "index": 7, "wire": BATCH})
    assert [line["index"] for line in _read(run(*TO_HUB, data=data).stdout)] == [0, 1]


@pytest.mark.parametrize(
    ("line", "code", "field"),
    [
        ({"id": 9, "index": 3, "wier": BATCH}, "unknown_field", "wier"),
        ({"id": 9, "index": "3", "wire": BATCH}, "bad_json", "index"),
        ({"id": 9, "protocol": "nsq", "topic": "t", "body": "aGk="}, "unknown_field", "id"),
        ({"id": 9, "protocol": "nsq", "topic": 5}, "unknown_field", "id"),
        ({"id": 9, "wire": BATCH, "message": {}}, "bad_json", None),
        ({"id": 9, "wire": BATCH, "error": {"code": "loss", "message": "words"}}, "bad_json", None),
        ({"id": 9, "message": {}, "error": {"code": "loss", "message": "words"}}, "bad_json", None),
        ({"id": 9, "wire": "!"}, "bad_base64", "wire"),
    ],
)
def test_an_error_line_has_the_id_of_its_line(line: dict[str, Any], code: str, field: str | None) -> None:
    done = run(*TO_HUB, data=_lines(line))
    [answer] = _read(done.stdout)
    assert done.returncode == 1
    assert (answer["id"], answer["error"]["code"], answer["error"].get("field")) == (9, code, field)


def test_an_error_stays_the_same_through_chained_commands() -> None:
    data = run("decode", "nsq", "--format", "jsonl", data=_lines({"id": 1, "wire": "AAAA"}, {"id": 2, "wire": BATCH})).stdout
    [first, *_] = _read(data)
    assert first["error"]["code"] == "truncated"
    for step in (TO_HUB, TO_PULSAR):
        done = run(*step, data=data)
        assert done.returncode == 1
        data = done.stdout
        assert [line["id"] for line in _read(data)] == [1, 2, 2]
        assert _read(data)[0] == first


def test_an_earlier_defect_is_no_defect_of_this_command() -> None:
    line = _lines({"id": 1, "error": {"code": "internal", "message": "KeyError: 'x'", "share": 1e16}})
    done = run(*TO_HUB, data=line)
    counted = b'mqconvert: 1 of 1 line failed; the member "error" says why\n'
    assert (done.returncode, _read(done.stdout), done.stderr) == (1, _read(line), counted)
    assert run(*TO_HUB, "--errors", "json", data=line).stderr == b""
    assert b"1e+16" in done.stdout, "floats are written as by json, also with msgspec"


@pytest.mark.parametrize("error", [None, "truncated", {"code": "truncated"}, {"code": 5, "message": "words"}])
def test_an_earlier_error_has_code_and_message(error: Any) -> None:
    [answer] = _read(run(*TO_HUB, data=_lines({"id": 1, "error": error})).stdout)
    assert (answer["error"]["code"], answer["error"]["field"]) == ("bad_json", "error")


def test_an_error_line_of_one_message_has_its_index() -> None:
    [answer] = _read(run(*TO_HUB, data=_lines({"id": 9, "index": 3, "wire": "!"})).stdout)
    assert (answer["id"], answer["index"]) == (9, 3)


def test_a_message_with_an_id_is_refused_with_the_remedy() -> None:
    [answer] = _read(run(*TO_HUB, data=_lines({"id": 9, "protocol": "nsq", "topic": "t", "body": "aGk="})).stdout)
    assert 'a line with an "id" has its message in "message"' in answer["error"]["message"]


def _lines(*lines: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _read(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


PUBLISH = bytes.fromhex("3006000174006869")
PING = b"\xc0\0"
STREAM = ("--option", "stream=true")


def wire_line(data: bytes, **named: Any) -> bytes:
    return json.dumps(named | {"wire": base64.b64encode(data).decode()}).encode() + b"\n"


def test_a_line_with_an_error_among_its_messages_gives_the_others() -> None:
    done = run(
        "convert", "--from", "mqtt-5.0", "--to", "mqtt-3.1.1", "--format", "jsonl", data=wire_line(PUBLISH * 2 + b"no", id=7)
    )
    made = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["index"], one.get("error", {}).get("code")) for one in made] == [
        (7, 0, None),
        (7, 1, None),
        (7, 2, "bad_packet"),
    ]
    assert made[2]["error"]["offset"] == 2 * len(PUBLISH)
    assert done.returncode == 1


def test_a_stream_of_a_line_tells_its_skipped_frames() -> None:
    given = wire_line(PING + PUBLISH + PING, id="a") + wire_line(PING) + wire_line(PUBLISH)
    done = run("decode", "mqtt-5.0", *STREAM, "--format", "jsonl", data=given)
    made = [json.loads(line) for line in done.stdout.splitlines()]
    assert [sorted(one) for one in made] == [["id", "message"], ["id", "skipped"], ["skipped"], ["message"]]
    assert [one.get("skipped") for one in made] == [None, 2, 1, None]
    again = run("convert", "--from", "mqtt-5.0", "--to", "mqtt-3.1.1", "--format", "jsonl", data=done.stdout)
    assert (len(again.stdout.splitlines()), again.returncode) == (2, 0)


def test_a_stream_of_a_file_tells_its_skipped_frames_and_its_end() -> None:
    done = run("decode", "mqtt-5.0", *STREAM, data=PING + PUBLISH + PING + b"\0")
    assert [json.loads(line)["payload"] for line in done.stdout.splitlines()] == ["aGk="]
    assert b"skipped 2 frames without a message" in done.stderr
    assert b"byte 12: packet type 0 is reserved [bad_packet]" in done.stderr
    assert done.returncode == 1
    one = run("convert", "--from", "mqtt-5.0", "--to", "mqtt-3.1.1", *STREAM, data=PING + PUBLISH)
    assert (one.stdout, one.returncode) == (bytes.fromhex("30050001746869"), 0)
    assert b"skipped 1 frame without" in one.stderr


def test_a_conversion_to_one_message_stops_at_an_error_after_it() -> None:
    done = run("convert", "--from", "mqtt-5.0", "--to", "mqtt-3.1.1", data=PUBLISH + b"\0")
    assert (done.stdout, done.returncode) == (b"", 1)
    assert b"packet type 0" in done.stderr
