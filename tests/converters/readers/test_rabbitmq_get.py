"""JSON of the management API: its forms, the types of headers, and objects that are no message."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqconvert import decode
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.readers import Broken, Record, reader

GIVEN: dict[str, Any] = {
    "payload_bytes": 5,
    "redelivered": False,
    "exchange": "ex",
    "routing_key": "key",
    "message_count": 0,
    "properties": {"delivery_mode": 2, "content_type": "text/plain", "timestamp": 1_700_000_000},
    "payload": "b\u00f6dy",
    "payload_encoding": "string",
}


def read(tmp_path: Path, text: str) -> list[Record | Broken]:
    path = tmp_path / "got.json"
    path.write_text(text)
    return list(reader("rabbitmq-get").entries(path))


def messages(tmp_path: Path, text: str) -> list[Any]:
    return [decode(entry.protocol, entry.wire) for entry in read(tmp_path, text) if isinstance(entry, Record)]


@pytest.mark.parametrize("form", ["array", "lines", "one"])
def test_arrays_and_lines_are_read(form: str, tmp_path: Path) -> None:
    one = json.dumps(GIVEN)
    found = messages(tmp_path, {"array": json.dumps([GIVEN, GIVEN], indent=1), "lines": f"{one}\n{one}\n", "one": one}[form])
    assert len(found) == (1 if form == "one" else 2)
    for message in found:
        assert (message.payload, message.exchange, message.routing_key) == ("b\u00f6dy".encode(), "ex", "key")
        assert (message.basic.delivery_mode, message.basic.content_type) == (2, "text/plain")
        assert message.basic.timestamp == 1_700_000_000


def test_binary_bodies_and_empty_properties(tmp_path: Path) -> None:
    """RabbitMQ writes an empty array where an object would be empty."""
    [message] = messages(
        tmp_path, json.dumps(GIVEN | {"payload_bytes": 2, "payload": "/wA=", "payload_encoding": "base64", "properties": []})
    )
    assert (message.payload, message.basic.delivery_mode) == (b"\xff\0", None)


@pytest.mark.parametrize(
    ("value", "typed"),
    [
        (None, TypedValue("void", None)),
        (True, TypedValue("bool", True)),
        (-5, TypedValue("signedint", -5)),
        (2**31, TypedValue("long", 2**31)),
        (1.5, TypedValue("double", 1.5)),
        ("x", TypedValue("longstr", b"x")),
        ([1, "a"], TypedValue("array", [TypedValue("signedint", 1), TypedValue("longstr", b"a")])),
        ({"b": False}, TypedValue("table", [Entry("b", "bool", False)])),
    ],
)
def test_headers_have_the_types_of_pika(value: Any, typed: TypedValue, tmp_path: Path) -> None:
    [message] = messages(tmp_path, json.dumps(GIVEN | {"properties": {"headers": {"h": value}}}))
    assert message.basic.headers == [Entry("h", typed.type, typed.value)]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (5, "bad_json"),
        ({"properties": {}}, "bad_json"),
        (GIVEN | {"payload_encoding": "hex"}, "bad_value"),
        (GIVEN | {"payload": "?", "payload_encoding": "base64"}, "bad_value"),
        (GIVEN | {"payload": "\ud800"}, "bad_value"),
        (GIVEN | {"payload_bytes": 100}, "truncated"),
        (GIVEN | {"payload_bytes": 4}, "bad_length"),
        (GIVEN | {"payload_bytes": "5"}, "bad_length"),
        (GIVEN | {"properties": {"colour": 1}}, "unknown_field"),
        (GIVEN | {"properties": {"headers": 5}}, "bad_value"),
        (GIVEN | {"properties": {"priority": "high"}}, "bad_value"),
        (GIVEN | {"properties": {"headers": {"h": 2**70}}}, "bad_value"),
    ],
)
def test_other_objects_are_told_and_the_next_one_is_read(given: Any, code: str, tmp_path: Path) -> None:
    broken, good = read(tmp_path, f"[\n{json.dumps(given)},\n{json.dumps(GIVEN)}]")
    assert isinstance(broken, Broken)
    assert (broken.position, broken.error.code) == (2, code)
    assert isinstance(good, Record)


def test_a_payload_that_the_api_cut_is_told(tmp_path: Path) -> None:
    [broken] = read(tmp_path, json.dumps([GIVEN | {"payload_bytes": 100}]))
    words = "byte 1: 5 of 100 bytes: the API's `truncate` cut the payload; get the message again without it [truncated]"
    assert str(broken) == f"{tmp_path / 'got.json'}: {words}"


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert [entry.position for entry in read(tmp_path, f"\ufeff[{json.dumps(GIVEN)}]")] == [4]
    assert len(messages(tmp_path, f"\ufeff{json.dumps(GIVEN)}")) == 1


@pytest.mark.parametrize("bad", [b'{"payload": oops}', b'{"payload": "\xff"}', b'{"payload', b"oops"])
def test_lines_behind_one_that_is_no_json_are_read(bad: bytes, tmp_path: Path) -> None:
    path = tmp_path / "got.jsonl"
    line = json.dumps(GIVEN, ensure_ascii=False).encode()
    path.write_bytes(b"\n".join([line, bad, line, bad, line]))
    found = list(reader("rabbitmq-get").entries(path))
    told = [(entry.position, entry.error.code) for entry in found if isinstance(entry, Broken)]
    assert told[0] == (len(line) + 1, "bad_json")
    assert [entry.position for entry in found if isinstance(entry, Record)] == [
        0,
        *(number * (len(line) + len(bad) + 2) for number in (1, 2)),
    ]


@pytest.mark.parametrize(("opening", "closing"), [('{"a":', "}"), ("[", "]")])
@pytest.mark.parametrize("levels", [99, 101, 300, 900, 100_000])
def test_headers_that_nest_too_deep_are_told(opening: str, closing: str, levels: int, tmp_path: Path) -> None:
    text = f'{{"payload": "", "properties": {{"headers": {{"a": {opening * levels}1{closing * levels}}}}}}}'
    [entry] = read(tmp_path, text)
    if levels < 100:
        assert isinstance(entry, Record)
        return
    assert isinstance(entry, Broken)
    assert entry.error.code in ("nesting", "bad_json")


def test_text_that_is_no_json_ends_the_file(tmp_path: Path) -> None:
    good, broken = read(tmp_path, f"{json.dumps(GIVEN, ensure_ascii=False)}\n{{oops")
    assert isinstance(good, Record)
    assert isinstance(broken, Broken)
    assert (broken.position, broken.error.code) == (len(json.dumps(GIVEN, ensure_ascii=False).encode()) + 1, "bad_json")


def test_an_array_that_does_not_end_is_told(tmp_path: Path) -> None:
    text = f"[{json.dumps(GIVEN)},\n"
    good, broken = read(tmp_path, text)
    assert isinstance(good, Record)
    assert isinstance(broken, Broken)
    assert (broken.position, broken.error.code) == (len(text), "bad_json")
    assert [type(entry) for entry in read(tmp_path, "[" * 5)] == [Broken]
    assert len(messages(tmp_path, f"[{json.dumps(GIVEN)}]\n[]\n{json.dumps(GIVEN)}")) == len(read(tmp_path, "[]")) + 2


@pytest.mark.parametrize(
    "wrong",
    ['"payload": "b"', '"properties": {"headers": {"k": 1, "k": 2}}', '"properties": {"headers": {"n": NaN}}'],
)
def test_a_key_twice_is_told_and_the_next_message_is_read(wrong: str, tmp_path: Path) -> None:
    broken, record = read(tmp_path, f'[{{"payload": "a", {wrong}}}, {{"payload": "c"}}]')
    assert isinstance(broken, Broken)
    assert (broken.error.code, broken.position) == ("bad_json", 1)
    assert isinstance(record, Record)
    message: Any = decode(record.protocol, record.wire)
    assert message.payload == b"c"
