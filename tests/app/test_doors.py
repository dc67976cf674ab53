"""Every interface gives the same bytes as the library for cases of the corpus, and the same error for truncated frames."""

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mqconvert import Environment, MqConvertError, convert, decode, decode_all, encode, transcode
from mqconvert.app.cli import main
from mqconvert.app.http import work
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import Job, Jobs
from mqconvert.app.lines import convert_line, shown
from mqconvert.converters.choices import Choices
from mqconvert.converters.columns.loop import ValueConverter
from mqconvert.converters.model.values import Entry
from mqconvert.converters.pipeline import Pipeline
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.app.services import SERVICE, Client
from tests.corpus import PAIRS, lines, read
from tests.vectors import vectors

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


EVERY = 12
"""One frame of so many is cut."""
CALLER = Environment(address="t", clock=1)
OF_SERVICE = {"several_messages", "too_many"}
"""Errors of the service alone, which converts one message in a request and has lower limits."""


def _told(error: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(error.get(name) for name in ("code", "offset", "field", "rule"))


def _by_library(protocol: str, wire: bytes) -> Any:
    try:
        return [encode(convert(message, "amqp-1.0", environment=CALLER).message) for message in decode_all(protocol, wire)]
    except MqConvertError as error:
        return _told(error.as_dict())


@pytest.mark.parametrize("protocol", ["nsq", "phpmq", "pulsar", "rocketmq"])
def test_a_truncated_frame_is_the_same_error_in_every_interface(protocol: str) -> None:
    choices = Choices(environment=CALLER)
    pipeline = Pipeline(choices, protocol, "amqp-1.0", lambda done: shown(done, ("wire",)))
    spark, jobs = ValueConverter(choices), Jobs(Settings())
    for vector in vectors(protocol)[::EVERY]:
        wire = vector["wire"]
        for cut in [wire[:end] for end in range(min(len(wire), 300))] + [wire, wire + b"\0"]:
            wanted, text = _by_library(protocol, cut), base64.b64encode(cut).decode()
            answers = [answer for _, answer in convert_line(json.dumps({"wire": text}).encode(), pipeline)]
            failed = [_told(answer.error.as_dict()) for answer in answers if answer.error is not None]
            assert (failed[0] if failed else [base64.b64decode(answer.result()["wire"]) for answer in answers]) == wanted
            rows = spark.answers(cut, protocol, "amqp-1.0")
            refused = [_told(row[3]) for row in rows if row[3]]
            assert (refused[0] if refused else [row[1] for row in rows]) == wanted
            request = {"from": protocol, "to": "amqp-1.0", "wire": text, "address": "t", "clock": 1, "fields": ["wire"]}
            body = json.loads(jobs.perform(Job(work.convert, {"body": json.dumps(request).encode()})).body)
            if body.get("code") not in OF_SERVICE:
                assert (_told(body) if "code" in body else [base64.b64decode(body["wire"])]) == wanted


DELAYED = encode(
    amqp10.Message(
        message_annotations=[Entry("x-opt-delivery-delay", "long", 7_200_000)],
        properties=amqp10.Properties(to="t"),
        body=amqp10.Data([b"a" * 100]),
    )
)


def _doors(target: str, options: dict[str, Any], tmp_path: Path) -> list[Any]:
    """Return the wire bytes of DELAYED in the target, or the code of the error, from each interface with codec options."""
    text = base64.b64encode(DELAYED).decode()
    request = {"from": "amqp-1.0", "to": target, "wire": text, "clock": 1, "fields": ["wire"], "options": options}
    body = json.loads(Jobs(Settings()).perform(Job(work.convert, {"body": json.dumps(request).encode()})).body)
    row = ValueConverter(Choices(environment=CLOCK, options=tuple(options.items()))).answers(DELAYED, "amqp-1.0", target)[0]
    given, made = tmp_path / "given", tmp_path / "made"
    given.write_bytes(DELAYED)
    flags = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
    status = main(["convert", "--from", "amqp-1.0", "--to", target, "--clock", "1", *flags, "-o", str(made), str(given)])
    return [
        body["code"] if "code" in body else base64.b64decode(body["wire"]),
        row[3]["code"] if row[3] else row[1],
        made.read_bytes() if not status else "bad_delay",
    ]


CLOCK = Environment(clock=1)


def test_one_limit_of_delays_reaches_rows_and_codec_in_every_interface(tmp_path: Path) -> None:
    assert _doors("nsq", {}, tmp_path) == ["bad_delay"] * 3
    wire = b"DPUB t 7200000\n" + (100).to_bytes(4, "big") + b"a" * 100
    assert _doors("nsq", {"max_req_timeout_ms": 7_200_000}, tmp_path) == [wire] * 3
    environment = Environment(clock=1, max_req_timeout_ms=7_200_000)
    assert ValueConverter(Choices(environment=environment)).answers(DELAYED, "amqp-1.0", "nsq")[0][1] == wire


@pytest.mark.parametrize(("target", "name"), [("pulsar", "LZ4"), ("rocketmq", "ZSTD")])
def test_the_compression_is_an_option_in_every_interface(tmp_path: Path, target: str, name: str) -> None:
    message = convert(DELAYED, target, source="amqp-1.0", environment=CLOCK).message
    wire = encode(message, compress=name)
    assert len(wire) < len(encode(message))
    assert _doors(target, {"compress": name}, tmp_path) == [wire] * 3


def test_every_interface_takes_short_names_of_protocols(client: Client) -> None:
    """MQTT 5.0 is meant by `mqtt`, and AMQP 1.0 by `amqp1`; answers have the full names."""
    wire = bytes.fromhex("3006000174006869")
    wanted = encode(convert(wire, "amqp-1.0", source="mqtt-5.0").message)
    assert encode(convert(wire, "amqp1", source="mqtt").message) == transcode(wire, "amqp1", source="mqtt").wire == wanted
    assert convert(decode("mqtt", wire), "amqp1", source="mqtt").report.tables == ("mqtt-5.0 -> amqp-1.0",)

    body = {"from": "mqtt", "to": "amqp1", "wire": base64.b64encode(wire).decode()}
    answer = client.post("/v1/convert", json=body).json()
    assert base64.b64decode(answer["wire"]) == wanted
    assert answer["report"]["tables"] == ["mqtt-5.0 -> amqp-1.0"]
    line = json.dumps({"wire": body["wire"]})
    [batch] = client.post("/v1/convert/batch", params={"from": "mqtt", "to": "amqp1"}, content=line).text.splitlines()
    assert base64.b64decode(json.loads(batch)["wire"]) == wanted
    for path in ("/v1/rules", "/v1/fidelity", "/v1/samples"):
        assert client.get(f"{path}/mqtt/amqp1").json() == client.get(f"{path}/mqtt-5.0/amqp-1.0").json()
    assert client.get("/v1/schemas/amqp091").json() == client.get("/v1/schemas/amqp-0.9.1").json()
    with pytest.raises(MqConvertError, match=r"^mqtt-5\.0: "):
        decode("mqtt", b"")
