"""Metrics count conversions, losses, errors and processes."""

import base64
import json
import re
from collections import Counter

from tests.app.services import CONVERT, SERVICE, WIRE, Client, service

pytestmark = SERVICE


def test_metrics_include_the_processes(client: Client) -> None:
    client.post("/v1/decode", json={"protocol": "mqtt-5.0", "wire": WIRE})
    metrics = client.get("/metrics").text
    for name in (
        "process_resident_memory_bytes",
        "process_cpu_seconds_total",
        "mqconvert_workers_resident_memory_bytes",
        "mqconvert_requests_in_flight",
    ):
        assert float(re.findall(rf"^{name} (.*)$", metrics, re.MULTILINE)[0]) > 0
    assert re.search(
        r'^mqconvert_build_info\{modules="(compiled|sources)",python="[0-9.]+",version="[^"]+"\} 1.0$', metrics, re.MULTILINE
    )


def test_metrics_are_right_with_several_workers() -> None:
    with service(workers="3") as client:
        for _ in range(9):
            assert client.post("/v1/convert", content=CONVERT, headers={"content-type": "application/json"}).status_code == 200
        metrics = client.get("/metrics").text
        assert 'mqconvert_conversions_total{source="mqtt-5.0",target="amqp-1.0"} 9.0' in metrics
        assert re.search(r"^mqconvert_workers 4.0$", metrics, re.MULTILINE)


def test_losses_are_counted_for_every_choice_of_members(client: Client) -> None:
    lossy = {"message": {"protocol": "amqp-1.0", "message_annotations": [["y", {"type": "string", "value": "v"}]]}}
    counted = re.compile(r'^mqconvert_losses_total\{rule="none",source="amqp-1.0",target="mqtt-5.0"\} (.*)$', re.MULTILINE)

    def losses() -> float:
        return sum(map(float, counted.findall(client.get("/metrics").text)))

    before = losses()
    params = {"from": "amqp-1.0", "to": "mqtt-5.0", "address": "t", "fields": "wire"}
    answer = client.post("/v1/convert/batch", params=params, content=json.dumps(lossy).encode())
    assert (answer.status_code, set(answer.json())) == (200, {"wire"})
    assert losses() > before


def test_metrics_count_conversions(client: Client) -> None:
    counted = re.compile(r'^mqconvert_conversions_total\{source="mqtt-3.1.1",target="mqtt-5.0"\} (.*)$', re.MULTILINE)

    def conversions() -> float:
        return sum(map(float, counted.findall(client.get("/metrics").text)))

    before = conversions()
    wire = base64.b64encode(b"0\x05\0\x01thi").decode()
    client.post("/v1/convert", json={"from": "mqtt-3.1.1", "to": "mqtt-5.0", "wire": wire})
    assert conversions() == before + 1


def test_errors_of_every_layer_are_counted_by_code(guarded: Client) -> None:
    """The library, the models, the framework, the limits and the lines of a batch each count their errors."""

    def counted() -> Counter[str]:
        found = re.findall(r'^mqconvert_errors_total\{code="(\w+)"\} (.*)$', guarded.get("/metrics").text, re.MULTILINE)
        return Counter({code: int(float(count)) for code, count in found})

    guarded.headers["authorization"] = "Bearer t0ken"
    before = counted()
    del guarded.headers["authorization"]
    assert guarded.get("/v1/protocols").status_code == 401
    guarded.headers["authorization"] = "Bearer t0ken"
    ask = {"from": "mqtt-5.0", "to": "amqp-1.0"}
    assert guarded.post("/v1/convert", json=ask | {"wire": "AAAA"}).json()["code"] == "bad_packet"
    assert guarded.post("/v1/convert", json=ask | {"bogus": 1}).json()["code"] == "bad_request"
    assert guarded.post("/v1/convert").status_code == 415
    assert guarded.post("/v1/convert", content=b"{", headers={"content-type": "application/json"}).status_code == 400
    assert guarded.get("/nothing").status_code == 404
    assert guarded.get("/v1/convert").status_code == 405
    assert guarded.post("/v1/convert", json=ask | {"wire": "A" * 300}).status_code == 413
    body = "\n".join(json.dumps({"wire": wire}) for wire in ("AAAA", WIRE, WIRE))
    guarded.post("/v1/convert/batch", params=ask, content=body.encode())
    assert counted() - before == {
        "unauthorized": 1, "bad_packet": 2, "bad_request": 1, "bad_json": 1, "not_found": 1,
        "method_not_allowed": 1, "too_large": 1, "too_many": 1, "bad_media_type": 1,
    }  # fmt: skip
