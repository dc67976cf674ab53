"""The command line and the service give the same bytes as the library for cases of the corpus."""

import base64
import json
import subprocess
import sys
from typing import Any

import pytest

from mqconvert import Environment, MqConvertError, convert, decode, encode
from tests.app.services import SERVICE, Client
from tests.corpus import PAIRS, lines, read

pytestmark = SERVICE

CASES = 50
"""Cases of each pair, spread over its file."""


def _wire(case: dict[str, Any]) -> bytes:
    if "wire" in case["input"]:
        return bytes.fromhex(case["input"]["wire"])
    return encode(read(case["source"], case["input"]))


def _spread(pair: str) -> list[dict[str, Any]]:
    cases = list(lines(pair))
    return cases[:: len(cases) // CASES][:CASES]


def _library(case: dict[str, Any], profile: str) -> str:
    answer: dict[str, Any] = {"id": case["id"]}
    try:
        message = decode(case["source"], _wire(case))
        done = convert(message, case["target"], profile=profile, environment=Environment(address="t"))
        answer |= {"wire": base64.b64encode(encode(done.message)).decode(), "report": done.report.as_dict()}
    except MqConvertError as error:
        answer["error"] = error.as_dict()
    return json.dumps(answer, separators=(",", ":"))


@pytest.mark.parametrize("profile", ["documented", "rabbitmq-4.3"])
@pytest.mark.parametrize("pair", PAIRS)
def test_every_interface_gives_the_same_answers(pair: str, profile: str, client: Client) -> None:
    cases = _spread(pair)
    source, target = cases[0]["source"], cases[0]["target"]
    given = "\n".join(json.dumps({"id": case["id"], "wire": base64.b64encode(_wire(case)).decode()}) for case in cases).encode()
    wanted = [_library(case, profile) for case in cases]
    assert sum('"wire"' in line for line in wanted) > CASES // 2

    options = ["--from", source, "--to", target, "--profile", profile, "--address", "t", "--format", "jsonl"]
    done = subprocess.run(
        [sys.executable, "-m", "mqconvert.app", "convert", *options], input=given, capture_output=True, check=False
    )
    assert done.stdout.decode().splitlines() == wanted
    assert done.returncode == int(any('"error"' in line for line in wanted))

    choices = {"from": source, "to": target, "profile": profile, "address": "t"}
    answer = client.post("/v1/convert/batch", params=choices, content=given)
    assert answer.status_code == 200
    assert answer.text.splitlines() == wanted
