"""What software of others sends to Pulsar, RocketMQ and NSQ, from public bug reports: each case names its source."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqconvert import DecodeError, decode, decode_each, decode_frames, encode, frame_to_json, message_to_json

CASES = Path(__file__).parents[2] / "data" / "peers" / "brokers.jsonl"
with CASES.open(encoding="utf-8") as _file:
    ALL = [json.loads(line) for line in _file]

UNSET = {"payload": "", "body": "", "flag": 0, "sys_flag": 0, "properties": None}
"""Members that the JSON form leaves out at these values."""


def _with(*members: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in ALL if not case.keys().isdisjoint(members)]


@pytest.mark.parametrize("case", _with("messages", "count"))
def test_messages_of_peers_are_read(case: dict[str, Any]) -> None:
    found = list(decode_each(case["protocol"], bytes.fromhex(case["wire"]), **case["options"]))
    assert len(found) == case.get("count", len(case.get("messages", found)))
    for one, stated in zip(found, case.get("messages", found), strict=True):
        if isinstance(stated, dict):
            _same(one, stated)
        else:
            assert not isinstance(one, DecodeError)


def _same(found: Any, stated: dict[str, Any]) -> None:
    if "error" in stated:
        assert (found.code, stated.get("message_has", "") in found.message) == (stated["error"], True)
        return
    form = {**UNSET, **message_to_json(found)}
    included = stated.get("properties_include", [])
    assert [pair for pair in included if pair in form["properties"]] == included
    exact = {name: value for name, value in stated.items() if name != "properties_include"}
    assert {name: form[name] for name in exact} == exact


@pytest.mark.parametrize("case", _with("frames"))
def test_frames_of_peers_are_read(case: dict[str, Any]) -> None:
    wire = bytes.fromhex(case["wire"])
    for frame, stated in zip(decode_frames(case["protocol"], wire, **case["options"]), case["frames"], strict=True):
        form = frame_to_json(case["protocol"], frame)
        assert {name: form[name] for name in stated} == stated


@pytest.mark.parametrize("case", _with("encodes"))
def test_the_options_of_decoding_are_those_of_encoding(case: dict[str, Any]) -> None:
    wire = bytes.fromhex(case["wire"])
    assert encode(decode(case["protocol"], wire, **case["options"]), **case["options"]) == wire
