"""RocketMQ: frames and messages of the Java classes and real clients, and bounds on all other input."""

import dataclasses
import json
import subprocess
import sys
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from struct import pack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.errors import DecodeError, EncodeError, LimitError
from mqconvert.converters.protocols.calls import frame_from_json
from mqconvert.converters.protocols.rocketmq import codec as rocketmq
from mqconvert.converters.protocols.rocketmq.codec import SEND_BATCH_MESSAGE
from mqconvert.converters.protocols.rocketmq.codes import LANGUAGES, REQUEST_CODES, RESPONSE_CODES
from mqconvert.converters.protocols.rocketmq.message import MESSAGE_MAGIC_CODE, Frame, Message
from tests.converters.protocols.rocketmq.frames import RECORD, batch_body, in_request, read_or_refused
from tests.refusals import unread, unwritten
from tests.strategies import TEXT, rocketmq_records, rocketmq_sends

CONSUME_MESSAGE_DIRECTLY = 309
VECTORS = Path(__file__).parents[3] / "data" / "vectors" / "rocketmq.jsonl"
with VECTORS.open(encoding="utf-8") as _file:
    ALL = [json.loads(line) for line in _file]
MALFORMED = [vector for vector in ALL if "error" in vector["fields"]]


def _of_kind(*kinds: str) -> list[Any]:
    return [pytest.param(vector, id=vector["id"]) for vector in ALL if vector["fields"].get("kind") in kinds]


def _wire(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["wire"])


# ---- vectors of other writers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", _of_kind("frame"))
def test_frames_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    wire, stated = _wire(vector), vector["fields"]
    [frame] = rocketmq.decode_frames(wire)
    found = {
        "serialize_type": frame.serialize_type,
        "code": frame.code,
        "flag": frame.flag,
        "language": frame.language,
        "opaque": frame.opaque,
        "version": frame.version,
        "remark": frame.remark,
        "extFields": dict(frame.ext_fields or []),
        "response": frame.response,
        "oneway": frame.oneway,
        "body": frame.body.hex(),
        "json_serializeTypeCurrentRPC": frame.serialize_type_current_rpc,
    }
    assert found == found | {name: value for name, value in stated.items() if name in found}
    names = RESPONSE_CODES if frame.response else REQUEST_CODES
    assert names[frame.code].name == stated.get("code_name", names[frame.code].name)
    assert [name for name, _ in frame.ext_fields or []] == list(stated["extFields"])
    again = rocketmq.encode_frame(frame)
    keys = stated.get("json_keys", [])
    if keys == sorted(keys):  # the order of the Java encoder and of ours
        assert again == wire
    assert rocketmq.decode_frames(again) == [frame]
    assert rocketmq.frame_from_json(json.loads(json.dumps(rocketmq.frame_to_json(frame)))) == frame


@pytest.mark.parametrize("vector", _of_kind("frame"))
def test_messages_in_frames_of_the_vectors_are_read(vector: dict[str, Any]) -> None:
    wire, stated = _wire(vector), vector["fields"]
    [frame] = rocketmq.decode_frames(wire)
    if "message" in stated:
        message = rocketmq.decode(wire)
        _same(message, stated["message"])
        assert rocketmq.decode(rocketmq.encode(message)) == message
        [again] = rocketmq.decode_frames(rocketmq.encode(replace(message, request_code=frame.code)))
        if not stated["message"]["sysFlag"] & 1:
            assert sorted(again.ext_fields or []) == sorted(pair for pair in frame.ext_fields or [] if pair[1])
            assert again.body == frame.body
    elif "batch" in stated:
        if vector["id"] == "rmq-batch-5-bin":  # the sixth member's bytes have WAIT, its properties do not
            stated["batch"][5]["properties"] = {"WAIT": "true"}
        messages = rocketmq.decode_all(wire)
        for message, content in zip(messages, stated["batch"], strict=True):
            _same(message, content)
        [again] = rocketmq.decode_frames(rocketmq.encode_batch(messages))
        assert again.body == frame.body
        assert sorted(again.ext_fields or []) == sorted(frame.ext_fields or [])
        assert rocketmq.decode_all(rocketmq.encode_batch(messages)) == messages
    elif "stored_list" in stated or frame.body[4:7] == b"\xda\xa3\x20":
        messages = rocketmq.decode_all(wire)
        for message, content in zip(messages, stated.get("stored_list", messages), strict=True):
            if content is not message:
                _same(message, content)
        again_body = b"".join(map(rocketmq.encode, messages))
        assert rocketmq.decode_all(again_body) == messages
        if len(again_body) == len(frame.body):  # none is compressed
            assert again_body == frame.body
    elif frame.response or frame.code not in (10, 310, 320):
        assert unread(rocketmq.decode, wire)[0] == "no_message"


@pytest.mark.parametrize("vector", _of_kind("stored_message"))
def test_stored_messages_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    wire = _wire(vector)
    message = rocketmq.decode(wire)
    _same(message, vector["fields"])
    again = rocketmq.encode(message)
    assert rocketmq.decode(again) == message
    if not vector["fields"]["sysFlag"] & 1:
        assert again == wire


def _same(message: Message, stated: dict[str, Any]) -> None:
    found = {
        "topic": message.topic,
        "queueId": message.queue_id,
        "flag": message.flag,
        "queueOffset": message.queue_offset,
        "physicalOffset": message.physical_offset,
        "sysFlag": message.sys_flag,
        "bornTimestamp": message.born_timestamp,
        "bornHost": message.born_host and "|".join(message.born_host.replace("[", "").replace("]", "").rsplit(":", 1)),
        "storeTimestamp": message.store_timestamp,
        "storeHost": message.store_host and "|".join(message.store_host.replace("[", "").replace("]", "").rsplit(":", 1)),
        "reconsumeTimes": message.reconsume_times,
        "preparedTransactionOffset": message.prepared_transaction_offset or 0,
        "body": message.body.hex(),
        "properties": dict(message.properties or []),
    }
    wanted = {name: value for name, value in stated.items() if name in found}
    if "sysFlag" in wanted:
        wanted["sysFlag"] &= ~0x7F1
    assert found == found | wanted


@pytest.mark.parametrize("vector", _of_kind("batch_body"))
def test_batch_bodies_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    wire = _wire(vector)
    messages = rocketmq.decode_all(in_request(SEND_BATCH_MESSAGE, wire))
    for message, stated in zip(messages, vector["fields"]["messages"], strict=True):
        _same(message, stated)
    assert batch_body(messages) == wire


@pytest.mark.parametrize("vector", _of_kind("properties_string"))
def test_property_strings_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    text = _wire(vector).decode()
    assert text == vector["fields"]["text"]
    properties, raw = rocketmq.parse_properties(text)
    assert dict(properties or []) == vector["fields"]["properties"]
    assert text == (rocketmq.property_string(properties or []) if raw is None else raw)


@pytest.mark.parametrize("vector", _of_kind("stream"))
def test_streams_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    frames = rocketmq.decode_frames(_wire(vector))
    assert len(frames) == vector["fields"]["frames"]
    assert b"".join(map(rocketmq.encode_frame, frames)) == _wire(vector)
    assert unread(rocketmq.decode, _wire(vector))[0] == "several_messages"


@pytest.mark.parametrize("vector", MALFORMED, ids=[vector["id"] for vector in MALFORMED])
def test_decode_rejects_malformed_vectors(vector: dict[str, Any]) -> None:
    requests = {"stored_message": CONSUME_MESSAGE_DIRECTLY, "batch_body": SEND_BATCH_MESSAGE}
    code = next((requests[tag] for tag in vector["tags"] if tag in requests), None)
    wire = _wire(vector) if code is None else in_request(code, _wire(vector))
    kind, offset, _ = unread(rocketmq.decode_frames if code is None else rocketmq.decode_all, wire)
    assert kind == vector["fields"]["error"]
    assert offset is not None


def test_every_kind_of_vector_has_a_test() -> None:
    kinds = {vector["fields"].get("kind") for vector in ALL if "error" not in vector["fields"]}
    assert kinds <= {"frame", "stored_message", "batch_body", "properties_string", "stream"}


# ---- properties: round trips ----------------------------------------------------------------------------------------


def _frames() -> st.SearchStrategy[Frame]:
    int32, int16 = st.integers(-(2**31), 2**31 - 1), st.integers(-(2**15), 2**15 - 1)
    pairs = st.lists(st.tuples(TEXT, TEXT), max_size=4, unique_by=lambda pair: pair[0])
    common = {
        "flag": int32,
        "opaque": int32,
        "remark": st.none() | TEXT.filter(bool),
        "body": st.binary(max_size=50),
        "language": st.sampled_from(LANGUAGES),
    }
    binary = st.builds(Frame, code=int16, version=int16, ext_fields=pairs, serialize_type=st.just("ROCKETMQ"), **common)
    others = st.dictionaries(
        st.just("x").flatmap(lambda x: TEXT.map(lambda text: x + text)),
        st.recursive(st.booleans() | int32 | TEXT, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner)),
        max_size=2,
    )
    named = st.builds(
        Frame,
        code=int32,
        version=int32,
        ext_fields=st.none() | pairs,
        serialize_type=st.just("JSON"),
        serialize_type_current_rpc=st.none() | TEXT,
        other_members=others,
        **common,
    )
    return binary | named


@given(_frames())
def test_frames_round_trip(frame: Frame) -> None:
    assert rocketmq.decode_frames(rocketmq.encode_frame(frame)) == [frame]
    assert rocketmq.frame_from_json(json.loads(json.dumps(rocketmq.frame_to_json(frame)))) == frame


@given(rocketmq_sends(), st.sampled_from([10, 310]), st.sampled_from(["JSON", "ROCKETMQ"]))
def test_sends_round_trip_with_either_code_and_serialisation(message: Message, code: int, kind: str) -> None:
    if code == 10:
        message.ext_fields = None
    [frame] = rocketmq.decode_frames(rocketmq.encode(replace(message, request_code=code)))
    frame.serialize_type = kind
    assert rocketmq.decode(rocketmq.encode_frame(frame)) == message


@given(rocketmq_sends(), st.lists(rocketmq_sends(), min_size=1, max_size=4), st.none() | st.integers(1, 9))
def test_batches_round_trip(shared: Message, messages: list[Message], flag: int | None) -> None:
    for index, message in enumerate(messages):
        for name in ("topic", "sys_flag", "queue_id", "born_timestamp", "reconsume_times", "producer_group", "default_topic"):
            setattr(message, name, getattr(shared, name))
        for name in ("default_topic_queue_nums", "unit_mode", "max_reconsume_times", "broker_name", "ext_fields"):
            setattr(message, name, getattr(shared, name))
        message.batch_index, message.batch_size, message.batch_flag = index, len(messages), flag
    messages[0].batch_properties = shared.raw_properties
    assert rocketmq.decode_all(rocketmq.encode_batch(messages)) == messages


@given(st.lists(rocketmq_records(), min_size=1, max_size=3))
def test_responses_round_trip(messages: list[Message]) -> None:
    answer = Frame(0, flag=1, body=b"".join(map(rocketmq.encode, messages)))
    assert rocketmq.decode_all(rocketmq.encode_frame(answer)) == messages


@given(st.text(st.sampled_from("\x01\x02ab"), max_size=20))
def test_property_strings_round_trip_as_entries_or_raw(text: str) -> None:
    properties, raw = rocketmq.parse_properties(text)
    assert text == (rocketmq.property_string(properties or []) if raw is None else raw)
    assert (raw is None) == (rocketmq.property_string(properties or []) == text)


@given(st.binary(max_size=120))
def test_random_bytes_are_read_or_refused(data: bytes) -> None:
    read_or_refused(rocketmq.decode_frames, data)
    for code in (CONSUME_MESSAGE_DIRECTLY, SEND_BATCH_MESSAGE):
        read_or_refused(rocketmq.decode_all, in_request(code, data))
    read_or_refused(rocketmq.decode_frames, pack(">I", len(data) + 4) + b"\0" + len(data).to_bytes(3, "big") + data)
    read_or_refused(rocketmq.decode_frames, pack(">I", len(data) + 4) + b"\1" + len(data).to_bytes(3, "big") + data)


@given(st.sampled_from(ALL), st.data())
def test_changed_vectors_are_read_or_refused(vector: dict[str, Any], data: st.DataObject) -> None:
    wire = bytearray(_wire(vector) or b"\0")
    for _ in range(data.draw(st.integers(1, 3))):
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    for read in (rocketmq.decode_frames, rocketmq.decode_all):
        read_or_refused(read, bytes(wire))
    for code in (CONSUME_MESSAGE_DIRECTLY, SEND_BATCH_MESSAGE):
        read_or_refused(rocketmq.decode_all, in_request(code, bytes(wire)))


# ---- bounds ---------------------------------------------------------------------------------------------------------


def _framed(header: bytes, kind: int = 0, body: bytes = b"") -> bytes:
    return pack(">I", 4 + len(header) + len(body)) + bytes((kind,)) + len(header).to_bytes(3, "big") + header + body


HOSTILE = {
    "length-2^32": (b"\xff" * 8, "bad_length"),
    "length-2^31": (b"\x7f" + b"\xff" * 7, "frame_too_large"),
    "remark-2^31": (_framed(bytes(13) + b"\x7f\xff\xff\xff" + bytes(4), 1), "bad_length"),
    "extfields-2^32": (_framed(bytes(17) + b"\xff" * 4, 1), "bad_length"),
    "name-65535": (_framed(bytes(17) + b"\0\1\0\6\xff\xff" + bytes(65540), 1), "bad_length"),
    "value-2^31": (_framed(bytes(17) + b"\0\0\0\7\0\1a\x7f\xff\xff\xff", 1), "bad_length"),
    "language": (_framed(b"\0\1\x0e" + bytes(18), 1), "bad_value"),
    "short": (_framed(bytes(20), 1), "bad_header"),
    "deep-json": (_framed(b'{"a":' + b"[" * 100_000), "bad_header"),
    "infinite-number": (_framed(b'{"code":1,"flag":0,"opaque":0,"a":1e999}'), "bad_header"),
    "deep-closed-json": (_framed(b'{"code":1,"flag":0,"opaque":0,"a":' + b"[" * 150 + b"]" * 150 + b"}"), "bad_header"),
    "long-number": (_framed(b'{"code":' + b"9" * 10_000 + b"}"), "bad_header"),
    "wide-number": (_framed(b'{"code":2147483648,"flag":0,"opaque":0}'), "bad_header"),
    "boolean-code": (_framed(b'{"code":true,"flag":0,"opaque":0}'), "bad_header"),
    "nan": (_framed(b'{"code":NaN,"flag":0,"opaque":0}'), "bad_header"),
    "object-in-extfields": (_framed(b'{"code":1,"extFields":{"a":{}}}'), "bad_header"),
    "extfields-array": (_framed(b'{"code":1,"extFields":["a"]}'), "bad_header"),
    "no-code": (_framed(b'{"flag":0,"opaque":0}'), "missing_field"),
    "null-code": (_framed(b'{"code":null}'), "missing_field"),
    "text-opaque": (_framed(b'{"code":1,"opaque":"1"}'), "bad_header"),
    "remark-number": (_framed(b'{"code":1,"flag":0,"opaque":0,"remark":1}'), "bad_header"),
    "array": (_framed(b"[]"), "bad_header"),
    "nothing": (_framed(b""), "bad_header"),
    "latin-1": (_framed(b'{"remark":"\xe9"}'), "bad_utf8"),
    "half-surrogate": (_framed(b'{"code":1,"flag":0,"opaque":0,"remark":"\\uD800"}'), "bad_utf8"),
}


@pytest.mark.parametrize(("wire", "kind"), HOSTILE.values(), ids=list(HOSTILE))
def test_decode_rejects_hostile_frames(wire: bytes, kind: str) -> None:
    assert unread(rocketmq.decode_frames, wire)[0] == kind


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("0000", "truncated"),
        ("00000017" + "00" * 18, "truncated"),
        ("00000015" + "00" * 18, "bad_length"),
        ("ffffffff" + "00" * 18, "bad_length"),
        ("00000016" + "00" * 12 + "ffffffff" + "0000", "bad_length"),
        ("00000016" + "00" * 12 + "00000001" + "0000", "bad_length"),
        ("00000016" + "00" * 16 + "0001", "bad_length"),
        ("00008016" + "00" * 16 + "8000" + "61" * 0x8000, "bad_length"),
        ("00000017" + "00" * 16 + "0001" + "ff", "bad_utf8"),
        ("", "no_message"),
    ],
)
def test_decode_rejects_hostile_batches(body: str, kind: str) -> None:
    assert unread(rocketmq.decode_all, rocketmq.encode_frame(Frame(320, body=bytes.fromhex(body))))[0] == kind


def test_the_frame_limit_is_a_setting_and_counts_the_length_field() -> None:
    wire = rocketmq.encode_frame(Frame(34, body=bytes(100)))
    assert rocketmq.decode_frames(wire, max_frame_size=len(wire))
    with pytest.raises(DecodeError, match=f"the limit is {len(wire) - 1}"):
        rocketmq.decode_frames(wire, max_frame_size=len(wire) - 1)
    assert unwritten(rocketmq.encode_frame, Frame(34, body=bytes(100)), max_frame_size=len(wire) - 1)[0] == "too_large"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ([("b", "t"), ("e", "one")], "queue_id"),
        ([("b", "t"), ("e", "2147483648")], "queue_id"),
        ([("b", "t"), ("e", "1_0")], "queue_id"),
        ([("b", "t"), ("e", "\u0661")], "queue_id"),
        ([("b", "t"), ("g", "9" * 5000)], "born_timestamp"),
        ([("b", "t"), ("k", "yes")], "unit_mode"),
    ],
)
def test_decode_rejects_invalid_header_fields(fields: list[tuple[str, str]], field: str) -> None:
    with pytest.raises(DecodeError) as caught:
        rocketmq.decode(rocketmq.encode_frame(Frame(310, ext_fields=fields)))
    assert (caught.value.kind, caught.value.field) == ("bad_value", field)


def test_frames_keep_duplicate_names_and_messages_have_the_last_value() -> None:
    fields = [("e", "1"), ("topic", "x"), ("e", "2"), ("b", "t"), ("é", "ü"), ("", "")]
    wire = rocketmq.encode_frame(Frame(310, ext_fields=fields))
    assert rocketmq.decode_frames(wire)[0].ext_fields == fields
    message = rocketmq.decode(wire)
    assert (message.queue_id, message.ext_fields) == (2, [("topic", "x"), ("é", "ü"), ("", "")])


def test_the_first_invalid_header_field_is_named() -> None:
    wire = rocketmq.encode_frame(Frame(310, ext_fields=[("m", "maybe"), ("l", "2147483648"), ("g", "2147483648")]))
    with pytest.raises(DecodeError, match="'2147483648' is not an integer of 32 bits") as caught:
        rocketmq.decode(wire)
    assert (caught.value.kind, caught.value.field) == ("bad_value", "max_reconsume_times")


def test_numbers_are_read_as_java_reads_them() -> None:
    fields = [("b", "t"), ("e", f"+{'0' * 5000}7"), ("g", "-5"), ("h", ""), ("k", "TRUE")]
    message = rocketmq.decode(rocketmq.encode_frame(Frame(310, ext_fields=fields)))
    assert (message.queue_id, message.born_timestamp, message.flag, message.unit_mode) == (7, -5, 0, True)


# ---- examples -------------------------------------------------------------------------------------------------------


def test_a_wrong_checksum_names_both_values() -> None:
    wire = bytearray(rocketmq.encode(RECORD))
    right = zlib.crc32(b"hi") & 0x7FFFFFFF
    wire[8:12] = pack(">I", right ^ 1)
    with pytest.raises(DecodeError, match=f"0x{right ^ 1:08X} is stated, 0x{right:08X} is right") as caught:
        rocketmq.decode(bytes(wire))
    assert (caught.value.kind, caught.value.offset) == ("bad_checksum", 8)


def test_lenient_options_accept_a_checksum_of_0_and_unknown_languages() -> None:
    wire = bytearray(rocketmq.encode(RECORD))
    wire[8:12] = bytes(4)
    assert rocketmq.decode(bytes(wire), lenient=True) == RECORD
    for header, kind, language in (
        (b"\0\1\x63" + bytes(18), 1, 99),
        (b'{"code":1,"flag":0,"opaque":0,"language":"K"}', 0, "K"),
    ):
        wire = bytearray(_framed(header, kind))
        [frame] = rocketmq.decode_frames(bytes(wire), lenient=True)
        assert frame.language == language
        assert rocketmq.decode_frames(rocketmq.encode_frame(frame), lenient=True) == [frame]


def test_json_headers_are_read_as_java_reads_them() -> None:
    header = b'\xef\xbb\xbf{"code":34,"flag":null,"remark":"a\x01b","extFields":{"a":1,"b":true,"c":null,"d":false,"e":-1.50}}'
    [frame] = rocketmq.decode_frames(_framed(header))
    assert (frame.flag, frame.opaque, frame.version, frame.remark) == (0, 0, 0, "a\x01b")
    assert frame.ext_fields == [("a", "1"), ("b", "true"), ("d", "false"), ("e", "-1.5")]
    [again] = rocketmq.decode_frames(rocketmq.encode_frame(frame))
    assert again == frame


def test_lenient_headers_have_names_in_other_capitals() -> None:
    wire = _framed(b'{"Code":34,"FLAG":2,"extfields":{"k":"v"},"Opaque":7,"opaque":8,"Other":1}')
    with pytest.raises(DecodeError, match=r"missing code \('Code' is there: use lenient\)") as caught:
        rocketmq.decode_frames(wire)
    assert caught.value.kind == "missing_field"
    [frame] = rocketmq.decode_frames(wire, lenient=True)
    assert (frame.code, frame.flag, frame.ext_fields, frame.opaque) == (34, 2, [("k", "v")], 8)
    assert frame.other_members == {"Opaque": 7, "Other": 1}


@pytest.mark.parametrize(("code", "names"), [(10, ("ProducerGroup", "Topic", "QueueID")), (310, ("A", "B", "E"))])
def test_lenient_fields_of_send_requests_have_names_in_other_capitals(code: int, names: tuple[str, ...]) -> None:
    fields = json.dumps(dict(zip(names, ("g", "t", 3), strict=True)) | {"X": "v"})
    wire = _framed(f'{{"code":{code},"extFields":{fields}}}'.encode())
    with pytest.raises(DecodeError):
        rocketmq.decode(wire)
    read = rocketmq.decode(wire, lenient=True)
    assert (read.producer_group, read.topic, read.queue_id) == ("g", "t", 3)
    assert read.ext_fields == [("X", "v")]


REPLY = Message(
    topic="T_REPLY_TOPIC",
    body=b"hi",
    properties=[("MSG_TYPE", "reply"), ("CORRELATION_ID", "c")],
    queue_id=0,
    born_timestamp=1,
    reconsume_times=0,
    producer_group="g",
    ext_fields=[("oway", "false")],
)


@pytest.mark.parametrize("kind", ["JSON", "ROCKETMQ"])
@pytest.mark.parametrize(
    "message",
    [
        replace(REPLY, request_code=324, broker_name="b"),
        replace(REPLY, request_code=325, sys_flag=4),
        replace(REPLY, request_code=326, store_timestamp=2, born_host="[2001:db8::1]:3", store_host="192.0.2.1:4"),
        replace(RECORD, request_code=39, ext_fields=[("commitLogOffset", "1"), ("tranStateTableOffset", "2")]),
        replace(RECORD, request_code=309, ext_fields=[("consumerGroup", "g")]),
        replace(RECORD, request_code=309),
    ],
)
def test_requests_with_messages_round_trip_with_their_code(message: Message, kind: str) -> None:
    [frame] = rocketmq.decode_frames(rocketmq.encode(message))
    assert frame.code == message.request_code
    frame.serialize_type = kind
    wire = rocketmq.encode_frame(frame)
    assert rocketmq.decode(wire) == message
    [again] = rocketmq.decode_frames(rocketmq.encode(rocketmq.decode(wire)))
    assert dict(again.ext_fields or ()) == dict(frame.ext_fields or ())


def test_a_pushed_reply_has_the_fields_of_the_java_class() -> None:
    reply = replace(REPLY, request_code=326, store_timestamp=2, born_host="[2001:db8::1]:3", ext_fields=None)
    [frame] = rocketmq.decode_frames(rocketmq.encode(reply))
    values = dict(frame.ext_fields or ())
    assert (values["bornHost"], values["storeHost"], values["storeTimestamp"]) == ("2001:db8:0:0:0:0:0:1:3", "0.0.0.0:0", "2")
    assert "batch" not in values
    frame.ext_fields = [(name, "nowhere:9876" if name == "storeHost" else value) for name, value in frame.ext_fields or ()]
    with pytest.raises(DecodeError, match="'nowhere:9876' is not ip:port") as caught:
        rocketmq.decode(rocketmq.encode_frame(frame))
    assert (caught.value.kind, caught.value.field) == ("bad_value", "store_host")


@pytest.mark.parametrize("size", range(12))
def test_a_response_with_a_short_body_carries_no_message(size: int) -> None:
    assert unread(rocketmq.decode, rocketmq.encode_frame(Frame(0, flag=1, body=bytes(size))))[0] == "no_message"


def test_a_request_for_a_record_without_a_body_carries_no_message() -> None:
    with pytest.raises(DecodeError, match=r"request 309 \(CONSUME_MESSAGE_DIRECTLY\) carries no message"):
        rocketmq.decode(rocketmq.encode_frame(Frame(309)))


def _record(**fields: Any) -> Message:
    return replace(Message(topic="t", frame="record"), **fields)


def _outline(found: Iterable[Message | DecodeError]) -> list[Any]:
    """Return bodies of messages, and kinds and offsets of errors."""
    return [(one.kind, one.offset) if isinstance(one, DecodeError) else one.body for one in found]


def _batch_body(*bodies: bytes) -> bytes:
    members = [Message(topic="t", body=body, flag=len(body), properties=[("n", body.decode())]) for body in bodies]
    return batch_body(members)


def _holding(body: bytes, sys_flag: int = 0xC0) -> bytes:
    """Return a record whose body and sysFlag are these."""
    wire = bytearray(rocketmq.encode(replace(RECORD, body=body)))
    wire[36:40] = pack(">i", sys_flag | 0x20)
    return bytes(wire)


def test_a_batch_in_a_record_is_its_members() -> None:
    wire = _holding(_batch_body(b"a", b"bc", b"d"))
    found = rocketmq.decode_all(rocketmq.encode_frame(Frame(0, flag=1, body=wire + rocketmq.encode(RECORD))))
    assert found[3] == RECORD
    assert found[:3] == [
        replace(RECORD, body=body, flag=len(body), properties=[("n", body.decode())], queue_offset=5 + index)
        for index, body in enumerate((b"a", b"bc", b"d"))
    ]
    assert rocketmq.decode_all(b"".join(map(rocketmq.encode, found))) == found


def test_a_compressed_batch_in_a_record_is_its_members() -> None:
    wire = _holding(zlib.compress(_batch_body(b"a", b"bc")), 0xC1)
    assert [(one.body, one.sys_flag) for one in rocketmq.decode_all(wire)] == [(b"a", 0), (b"bc", 0)]
    broken = _holding(zlib.compress(_batch_body(b"a")[:-1]), 0xC1)
    assert _outline(rocketmq.decode_each(broken + wire)) == [("bad_batch", 100), b"a", b"bc"]


def test_the_queue_offset_of_a_member_wraps_as_in_java() -> None:
    wire = bytearray(_holding(_batch_body(b"a", b"b")))
    wire[20:28] = pack(">q", 2**63 - 1)
    assert [one.queue_offset for one in rocketmq.decode_all(bytes(wire))] == [2**63 - 1, -(2**63)]


def test_a_marked_body_that_is_no_batch_is_the_error_of_its_record() -> None:
    body = bytearray(_batch_body(b"a", b"b", b"c"))
    size = len(body) // 3
    body[size + 16 : size + 20] = pack(">i", -1)
    wire = _holding(b"no batch") + _holding(b"") + rocketmq.encode(RECORD) + _holding(bytes(body))
    start = len(wire) - len(_holding(bytes(body)))
    found = _outline(rocketmq.decode_each(wire))
    first = len(_holding(b"no batch"))
    assert found == [("bad_batch", 100), ("bad_batch", first + 100), b"hi", b"a", ("bad_batch", start + 100 + size + 16), b"c"]
    with pytest.raises(DecodeError, match="member 0 of the batch in the record: a member of the batch ends early"):
        rocketmq.decode_all(wire)
    with pytest.raises(LimitError, match="a batch of more than 2 messages"):
        list(rocketmq.decode_each(_holding(_batch_body(b"a", b"b", b"c")), max_batch=2))


def test_the_limit_of_a_batch_names_the_begin_of_the_member_beyond_it() -> None:
    """Also of an invalid one: nobody has read that member."""
    body = bytearray(_batch_body(b"a", b"b", b"c"))
    last = 2 * len(body) // 3
    body[last + 16 : last + 20] = pack(">i", -1)
    wire = rocketmq.encode_frame(Frame(320, ext_fields=[("b", "t")], body=bytes(body)))
    with pytest.raises(LimitError) as caught:
        list(rocketmq.decode_each(wire, max_batch=2))
    assert caught.value.offset == len(wire) - len(body) + last


def test_an_invalid_record_leaves_the_others() -> None:
    good = rocketmq.encode(RECORD)
    wrong = {
        "bad_checksum": good[:8] + bytes(4) + good[12:],
        "bad_compression": _holding(b"no zlib", 1),
        "bad_length": good[:96] + b"\xff" * 4 + good[100:],
        "bad_magic": good[:4] + bytes(4) + good[8:],
    }
    wire = good + b"".join(record + good for record in wrong.values())
    assert [kind[0] if type(kind) is tuple else kind for kind in _outline(rocketmq.decode_each(wire))] == [
        b"hi", "bad_checksum", b"hi", "bad_compression", b"hi", "bad_length", b"hi", "bad_magic", b"hi",
    ]  # fmt: skip
    misled = good + pack(">i", len(good) + 1) + good[4:] + good
    assert _outline(rocketmq.decode_each(misled)) == [b"hi", ("bad_length", 2 * len(good) - 2)]
    assert _outline(rocketmq.decode_each(good + good[:-1])) == [b"hi", ("truncated", len(good))]


def test_an_invalid_frame_leaves_the_others() -> None:
    good = rocketmq.encode(Message(topic="t", body=b"hi"))
    wrong = rocketmq.encode_frame(Frame(310, ext_fields=[("b", "t"), ("e", "one")]))
    wire = (
        good + _framed(b"no JSON") + wrong + good + rocketmq.encode_frame(Frame(320, ext_fields=[("b", "t")], body=b"no batch"))
    )
    kinds = [kind[0] if type(kind) is tuple else kind for kind in _outline(rocketmq.decode_each(wire + good))]
    assert kinds == [b"hi", "bad_header", "bad_value", b"hi", "truncated", b"hi"]


def test_an_invalid_member_of_a_batch_leaves_the_others() -> None:
    body = bytearray(_batch_body(b"a", b"b", b"c"))
    size = len(body) // 3
    body[2 * size - 2] = 0xFF
    found = list(rocketmq.decode_each(rocketmq.encode_frame(Frame(320, ext_fields=[("b", "t"), ("f", "0")], body=bytes(body)))))
    assert [one.kind if isinstance(one, DecodeError) else (one.batch_index, one.batch_size) for one in found] == [
        (0, 3), "bad_utf8", (2, 3),
    ]  # fmt: skip


def test_decode_all_skips_frames_without_messages() -> None:
    heartbeat, send = rocketmq.encode_frame(Frame(34)), rocketmq.encode(Message(topic="t", body=b"hi"))
    assert [message.body for message in rocketmq.decode_all(heartbeat + send + heartbeat)] == [b"hi"]
    with pytest.raises(DecodeError, match=r"request 34 \(HEART_BEAT\) carries no message"):
        rocketmq.decode(heartbeat)


def test_a_batch_flag_in_the_header_makes_a_batch_as_in_the_broker() -> None:
    members = [Message(topic="t", body=b"1"), Message(topic="t", body=b"2")]
    [batch] = rocketmq.decode_frames(rocketmq.encode_batch(members))
    batch.code = 310
    assert [message.body for message in rocketmq.decode_all(rocketmq.encode_frame(batch))] == [b"1", b"2"]


def test_a_batch_member_is_encoded_as_a_single_message() -> None:
    [first, second] = rocketmq.decode_all(rocketmq.encode_batch([Message(topic="t", body=b"1"), Message(topic="t", body=b"2")]))
    [frame] = rocketmq.decode_frames(rocketmq.encode(second))
    assert (first.batch_index, second.batch_index, second.batch_size) == (0, 1, 2)
    assert (frame.code, frame.body) == (310, b"2")
    [alone] = rocketmq.decode_all(rocketmq.encode_batch([Message(topic="t", body=b"1")]))
    assert rocketmq.decode(rocketmq.encode(alone)) == alone


def test_ipv6_hosts_are_written_as_in_rfc_5952() -> None:
    record = replace(RECORD, store_host="[2001:DB8:0:0:0:0:0:1]:4", born_host="[::ffff:1.2.3.4]:-1")
    found = rocketmq.decode(rocketmq.encode(record))
    assert (found.store_host, found.born_host) == ("[2001:db8::1]:4", "[::ffff:1.2.3.4]:-1")


@pytest.mark.parametrize(
    ("message", "field", "code"),
    [
        (Message(), "topic", "bad_topic"),
        (Message(topic="a/b"), "topic", "bad_topic"),
        (Message(topic="é"), "topic", "bad_topic"),
        (Message(topic="t" * 128), "topic", "bad_topic"),
        (Message(topic="%DLQ%" + "t" * 251), "topic", "bad_topic"),
        (Message(topic="t", body=bytes(rocketmq.MAX_BODY + 1)), "body", "too_large"),
        (Message(topic="t", properties=[("k", "v" * 32765)]), "properties", "too_large"),
        (Message(topic="t", properties=[("", "v")]), 'properties[""]', "bad_property"),
        (Message(topic="t", properties=[("k", "")]), 'properties["k"]', "bad_property"),
        (Message(topic="t", properties=[("k\x01", "v")]), 'properties["k\x01"]', "bad_property"),
        (Message(topic="t", properties=[("k", "v\x02")]), 'properties["k"]', "bad_property"),
        (Message(topic="t", properties=[("k", "\ud800")]), 'properties["k"]', "bad_value"),
        (Message(topic="t", sys_flag=0x401, body=b"x"), "sys_flag", "bad_value"),
        (Message(topic="t", sys_flag=0x10, ext_fields=[]), "sys_flag", "bad_value"),
        (Message(topic="t", queue_id=2**31), "queue_id", "bad_value"),
        (Message(topic="t", born_timestamp=2**63), "born_timestamp", "bad_value"),
        (Message(topic="t", ext_fields=[("b", "u"), ("topic", "v")]), 'ext_fields["topic"]', "bad_value"),
        (Message(topic="t", body="text"), "body", "bad_value"),  # type: ignore[arg-type]  # wrong on purpose
        (Message(topic="t", properties=7), "properties", "bad_value"),  # type: ignore[arg-type]  # wrong on purpose
        (Message(topic="t", properties=["ab"]), "properties[0]", "bad_value"),  # type: ignore[list-item]  # wrong on purpose
        (Message(topic="t", ext_fields=[("k",)]), "ext_fields[0]", "bad_value"),  # type: ignore[list-item]  # wrong on purpose
        (_record(store_host="localhost:1"), "store_host", "bad_value"),
        (_record(store_host="1.2.3.4"), "store_host", "bad_value"),
        (_record(store_host="[::1%lo]:1"), "store_host", "bad_value"),
        (_record(magic=1), "magic", "bad_value"),
        (_record(topic=""), "topic", "bad_topic"),
        (_record(sys_flag=0xC0), "sys_flag", "bad_value"),
        (_record(ext_fields=[]), "ext_fields", "bad_value"),
        (_record(broker_name="b"), "broker_name", "bad_value"),
        (_record(unit_mode=True), "unit_mode", "bad_value"),
        (_record(request_code=310), "request_code", "bad_value"),
        (Message(topic="t", store_timestamp=0), "store_timestamp", "bad_value"),
        (Message(topic="t", magic=MESSAGE_MAGIC_CODE), "magic", "bad_value"),
        (Message(topic="t", request_code=325, store_timestamp=0), "store_timestamp", "bad_value"),
        (Message(topic="t", request_code=39), "request_code", "bad_value"),
        (Message(topic="t", frame="message"), "frame", "bad_value"),
        (Message(topic="t", request_code=11), "request_code", "bad_value"),
        (Message(topic="t", request_code=320), "request_code", "bad_value"),
        (Message(topic="t", request_code=2**31), "request_code", "bad_value"),
        (Message(topic="t", request_code=326, born_host="nowhere"), "born_host", "bad_value"),
        (_record(request_code=39, ext_fields=7), "ext_fields", "bad_value"),
    ],
)
def test_encode_rejects_invalid_messages(message: Message, field: str, code: str) -> None:
    assert unwritten(rocketmq.encode, message) == (code, field)


@pytest.mark.parametrize(
    ("messages", "field"),
    [
        ([], "batch_size"),
        ([Message(topic="t"), Message(topic="u")], "topic"),
        ([Message(topic="t", sys_flag=4), Message(topic="t")], "sys_flag"),
        ([_record()], "frame"),
        ([Message(topic="t", batch_index=1, batch_size=2)], "batch_index"),
    ],
)
def test_encode_batch_rejects_invalid_batches(messages: list[Message], field: str) -> None:
    assert unwritten(rocketmq.encode_batch, messages)[1] == field


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize("frame", ["send", "record"])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("topic", Text("t")),
        ("topic", None),
        ("body", bytearray(b"a")),
        ("flag", True),
        ("queue_id", True),
        ("born_timestamp", 1.0),
        ("properties", {"ab": 1}),
        ("properties", (("a", "b"),)),
        ("properties", ["ab"]),
        ("properties", [("a", Text("b"))]),
        ("properties", [("a", ["b"])]),
        ("producer_group", Text("g")),
        ("broker_name", "\ud800"),
        ("unit_mode", 1),
        ("born_host", Text("192.0.2.1:1")),
        ("batch_size", "1"),
    ],
)
def test_values_that_python_would_write_are_refused_by_their_type(frame: str, field: str, value: Any) -> None:
    message = Message(**{"topic": "t", "frame": frame, field: value})
    code, named = unwritten(rocketmq.encode, message)
    assert (code, (named or "").partition("[")[0]) == ("bad_value", field)


@pytest.mark.parametrize(
    ("frame", "field"),
    [
        (Frame(200_050), "code"),
        (Frame(1, version=40_000), "version"),
        (Frame(2**31, serialize_type="JSON"), "code"),
        (Frame(1, language="KLINGON"), "language"),
        (Frame(1, language=None), "language"),
        (Frame(1, language=256), "language"),
        (Frame(1, serialize_type="XML"), "serialize_type"),
        (Frame(1, remark="\ud800"), "remark"),
        (Frame(1, ext_fields=[("k", "\ud800")]), 'ext_fields["k"]'),
        (Frame(1, ext_fields=[("k" * 2**15, "")]), "ext_fields"),
        (Frame(1, ext_fields=[("k", "1"), ("k", "2")], serialize_type="JSON"), "ext_fields"),
        (Frame(1, ext_fields={"k": "1"}), "ext_fields"),  # type: ignore[arg-type]  # wrong on purpose
        (Frame(1, serialize_type="JSON", other_members=["x"]), "other_members"),  # type: ignore[arg-type]  # wrong on purpose
        (Frame(1, serialize_type="JSON", other_members={"x": object()}), "other_members"),
        (Frame(1, serialize_type="JSON", other_members={"x": float("nan")}), "other_members"),
        (Frame(1, serialize_type="JSON", other_members={"code": 2}), "other_members"),
        (Frame(1, serialize_type="ROCKETMQ", other_members={"x": 2}), "other_members"),
    ],
)
def test_encode_frame_rejects_invalid_fields(frame: Frame, field: str) -> None:
    assert unwritten(rocketmq.encode_frame, frame)[1] == field


def test_codes_above_an_int16_are_encoded_in_the_json_header() -> None:
    [frame] = rocketmq.decode_frames(rocketmq.encode_frame(Frame(200_050, serialize_type="JSON")))
    assert rocketmq.frame_to_json(frame)["code"] == "POP_MESSAGE"


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ([], None),
        ({}, "code"),
        ({"code": "NO_SUCH"}, "code"),
        ({"code": 1.5}, "code"),
        ({"code": 1, "frame": "reply"}, "frame"),
        ({"code": 1, "oneway": 1}, "oneway"),
        ({"code": 1, "boddy": ""}, "boddy"),
        ({"code": 1, "body": "?"}, "body"),
        ({"code": 1, "body": 1}, "body"),
        ({"code": 1, "ext_fields": {"a": 1}}, 'ext_fields["a"]'),
        ({"code": 1, "ext_fields": 5}, "ext_fields"),
        ({"code": 1, "ext_fields": [["a", 1]]}, "ext_fields[0][1]"),
        ({"code": 1, "other_members": []}, "other_members"),
        ({"code": 1, "remark": "\ud800"}, "remark"),
        ({"code": 1, "opaque": 2**31}, "opaque"),
    ],
)
def test_frame_from_json_rejects_invalid_json(value: Any, field: str | None) -> None:
    with pytest.raises(DecodeError) as caught:
        frame_from_json("rocketmq", value)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("at", "raw", "kind", "offset"),
    [
        (0, "ffffffff", "bad_length", 0),
        (0, "00000008", "bad_length", 0),
        (0, "7fffffff", "truncated", 0),
        (36, "00000030", "bad_length", 0),  # the flags announce two IPv6 hosts, but no bytes are left
        (96, "80000000", "bad_length", 96),
        (96, "7fffffff", "bad_length", 96),
        (102, "80", "bad_length", 102),
        (102, "02", "bad_length", 102),
        (104, "0001", "bad_length", 104),
        (104, "8000", "bad_length", 104),
        (103, "ff", "bad_utf8", 103),
    ],
)
def test_decode_rejects_hostile_records(at: int, raw: str, kind: str, offset: int) -> None:
    wire = bytearray(rocketmq.encode(RECORD))
    wire[at : at + len(raw) // 2] = bytes.fromhex(raw)
    assert unread(rocketmq.decode, bytes(wire))[:2] == (kind, offset)


def test_topics_beyond_127_bytes_use_the_second_record_version() -> None:
    for topic, magic in (("t" * 127, "daa320a7"), ("t" * 128, "daa320ab")):
        wire = rocketmq.encode(replace(RECORD, topic=topic))
        assert wire[4:8].hex() == magic
        assert rocketmq.decode(wire) == replace(RECORD, topic=topic)


def test_the_documented_example_is_read() -> None:
    header = {
        "code": 10,
        "extFields": {
            "topic": "Topic_sample",
            "flag": "4",
            "bornTimestamp": "1534853535790",
            "queueId": "1",
            "batch": "false",
            "unitMode": "false",
            "sysFlag": "6",
            "producerGroup": "ProducerGroup_sample",
        },
        "flag": 2,
        "language": "JAVA",
        "opaque": 0,
        "serializeTypeCurrentRPC": "JSON",
        "remark": "Sample remark",
        "version": 0,
    }
    wire = _framed(json.dumps(header, indent=1).encode(), body=b"hi")
    [frame] = rocketmq.decode_frames(wire)
    assert (frame.oneway, frame.remark) == (True, "Sample remark")
    message = rocketmq.decode(wire)
    assert (message.topic, message.flag, message.sys_flag, message.body) == ("Topic_sample", 4, 6, b"hi")


def test_importing_the_codec_imports_no_compressor() -> None:
    code = "import sys, mqconvert.converters.protocols.rocketmq.codec; print({'lz4', 'zstandard'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "set()"


def test_properties_in_lists_are_written_like_tuples() -> None:
    lists: list[Any] = [["a", "b"], ["c", "d"]]
    tuples = [("a", "b"), ("c", "d")]
    assert rocketmq.encode(Message(topic="t", properties=lists)) == rocketmq.encode(Message(topic="t", properties=tuples))


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Message)])
def test_encode_names_every_field_with_a_value_of_the_wrong_type(name: str) -> None:
    message = Message(topic="t")
    setattr(message, name, object())
    with pytest.raises(EncodeError) as caught:
        rocketmq.encode(message)
    assert str(caught.value.field).startswith(name)
