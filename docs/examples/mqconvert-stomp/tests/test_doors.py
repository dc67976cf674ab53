"""STOMP in every interface of mqconvert: library, command line, HTTP, schemas, forecasts, Spark."""

import base64
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mqconvert import (
    PROTOCOLS,
    DecodeError,
    Environment,
    convert,
    decode,
    encode,
    fidelity,
    json_schema,
    message_from_json,
    message_to_json,
    routes,
)
from mqconvert_stomp import PROTOCOL
from test_codec import OF_RABBITMQ, SENT

OTHERS = [name for name in PROTOCOLS if name != "stomp"]
CALLER = Environment(address="t", clock=1_700_000_000_000)


def test_every_pair_has_a_way_and_the_hub_is_on_it() -> None:
    assert PROTOCOLS["stomp"] is PROTOCOL
    ways = {(way.source, way.target): way.tables for way in routes()}
    assert len(ways) == len(PROTOCOLS) * (len(PROTOCOLS) - 1)
    assert ways["stomp", "mqtt-5.0"] == ["stomp -> amqp-1.0", "amqp-1.0 -> mqtt-5.0"]


def test_the_forecast_agrees_with_round_trips() -> None:
    lines = {line.field: line for line in fidelity("stomp", "amqp-1.0", back=True).lines()}
    assert (lines["destination"].there, lines["destination"].outcome) == ("survives", "survives")
    assert lines["headers[correlation-id]"].to == "properties.correlation_id"


def test_the_schema_accepts_only_the_json_form() -> None:
    validator = Draft202012Validator(json_schema("stomp"))
    form = json.loads(json.dumps(message_to_json(decode("stomp", OF_RABBITMQ))))
    validator.validate(form)
    assert message_from_json(form) == decode("stomp", OF_RABBITMQ)
    assert not validator.is_valid(form | {"priority": 5})


def test_a_protocol_without_spans_says_so() -> None:
    with pytest.raises(DecodeError) as refused:
        decode("stomp", OF_RABBITMQ, spans=True)
    assert (refused.value.code, refused.value.protocol) == ("no_spans", "stomp")


# ---- command line -------------------------------------------------------------------------------------------------------


def _mqconvert(*arguments: str, given: bytes = b"") -> bytes:
    command = [sys.executable, "-m", "mqconvert.app", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def test_the_command_line_lists_decodes_encodes_and_converts() -> None:
    assert b"\nstomp       STOMP 1.2\n" in _mqconvert("protocols")
    assert b"\nstomp       nsq         stomp -> amqp-1.0, amqp-1.0 -> nsq\n" in _mqconvert("routes")
    form = json.loads(_mqconvert("decode", "stomp", "--format", "json", given=SENT))
    assert (form["protocol"], form["destination"]) == ("stomp", "/queue/a")
    assert decode("stomp", _mqconvert("encode", "stomp", given=json.dumps(form).encode())) == decode("stomp", SENT)
    packet = _mqconvert("convert", "--from", "stomp", "--to", "mqtt-5.0", "--address", "t", given=SENT)
    assert packet == encode(convert(decode("stomp", SENT), "mqtt-5.0", environment=CALLER).message)
    frame = _mqconvert("convert", "--from", "mqtt-5.0", "--to", "stomp", "--address", "/topic/t", given=packet)
    assert decode("stomp", frame) == convert(packet, "stomp", source="mqtt-5.0", environment=Environment("/topic/t")).message
    assert b"properties.to" in _mqconvert("fidelity", "--from", "stomp", "--to", "amqp-1.0")
    assert b'"frame": "ACK"' in _mqconvert("frames", "stomp", given=b"ACK\nid:5\n\n\0")


def test_the_commands_of_the_readme_succeed() -> None:
    page = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    commands = [line for line in page.split("```")[1].splitlines() if line and not line.startswith("pip ")]
    shell = f'set -e -o pipefail; mqconvert() {{ "{sys.executable}" -m mqconvert.app "$@"; }}'
    done = [subprocess.run(["bash", "-c", f"{shell}; {command}"], capture_output=True, check=False) for command in commands]
    assert [(one.returncode, one.stderr) for one in done] == [(0, b"")] * 2
    assert json.loads(done[1].stdout)["message"]["properties"]["to"] == "/queue/a"


# ---- HTTP -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service() -> Iterator[HTTPConnection]:
    """Yield the port of a separate service."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", str(port)]
    settings = {"MQCONVERT_WORKERS": "1", "MQCONVERT_DRAIN_DELAY": "0"}
    process = subprocess.Popen(command, env=os.environ | settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        for _ in range(600):
            try:
                connection.request("GET", "/readyz")
                if connection.getresponse().read() and process.poll() is None:
                    break
            except OSError:
                connection.close()
            time.sleep(0.05)
        yield connection
    finally:
        connection.close()
        process.terminate()
        process.wait(30)


def _ask(service: HTTPConnection, path: str, body: Any = None) -> Any:
    text = None if body is None else json.dumps(body)
    service.request("GET" if body is None else "POST", path, text, {"content-type": "application/json"})
    answer = service.getresponse()
    content = json.loads(answer.read())
    assert answer.status == 200, content
    return content


def test_the_service_lists_and_converts(service: HTTPConnection) -> None:
    assert {"name": "stomp", "title": "STOMP 1.2"} in _ask(service, "/v1/protocols")
    assert _ask(service, "/v1/schemas/stomp") == json_schema("stomp")
    document = _ask(service, "/openapi.json")
    assert {"stomp", "stomp.text"} <= document["components"]["schemas"].keys()
    assert "stomp" in document["components"]["schemas"]["ConvertRequest"]["properties"]["to"]["enum"]
    wire = base64.b64encode(SENT).decode()
    made = _ask(service, "/v1/convert", {"from": "stomp", "to": "amqp-1.0", "wire": wire})
    assert made["message"]["properties"]["to"] == "/queue/a"
    back = _ask(service, "/v1/convert", {"from": "amqp-1.0", "to": "stomp", "message": made["message"]})
    assert decode("stomp", base64.b64decode(back["wire"])) == decode("stomp", SENT)
    frames = _ask(service, "/v1/frames/stomp/decode", {"wire": base64.b64encode(b"ACK\nid:5\n\n\0").decode()})
    assert frames["frames"][0]["frame"] == "ACK"
    assert _ask(service, "/v1/fidelity/stomp/amqp-1.0")
    assert _ask(service, "/v1/rules/amqp-1.0/stomp")


# ---- Spark ----------------------------------------------------------------------------------------------------------------


@pytest.mark.spark
def test_a_frame_of_spark_is_converted() -> None:
    from pyspark.sql import SparkSession  # noqa: PLC0415 - only the Spark test needs it

    from mqconvert.converters.spark import convert_frame, register  # noqa: PLC0415 - only the Spark test needs it

    builder: Any = SparkSession.builder
    options = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false"}
    spark = builder.master("local[1]").appName("stomp").config(map=options).getOrCreate()
    try:
        given = spark.createDataFrame([(1, bytearray(SENT)), (2, bytearray(b"no frame\n"))], "id long, wire binary")
        first, second = sorted(convert_frame(given, source="stomp", target="amqp-1.0").collect(), key=lambda row: row["id"])
        assert decode("amqp-1.0", bytes(first["converted"])) == convert(decode("stomp", SENT), "amqp-1.0").message
        assert second["error"]["code"] == "unknown_command"
        register(spark)
        given.limit(1).createOrReplaceTempView("archive")
        (row,) = spark.sql("SELECT mq_decode(wire, 'stomp') AS said FROM archive").collect()
        assert json.loads(row["said"])["destination"] == "/queue/a"
    finally:
        spark.stop()
