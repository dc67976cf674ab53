"""Workers stop lost work, keep to their limits, and leave the event loop free."""

import json
import socket
import time
from contextlib import ExitStack
from functools import partial

from mqconvert import encode_batch
from mqconvert.converters.protocols.nsq import codec as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.app.http.bombs import base64_text, pulsar_bomb
from tests.app.services import SERVICE, WHOLE, WIRE, Client, get, in_flight, service

pytestmark = SERVICE


def _converts(port: int) -> None:
    """Assert that the service converts a message."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(WHOLE)
        assert client.recv(100).startswith(b"HTTP/1.1 200")


def test_work_stops_when_its_client_disconnects(lavish: Client) -> None:
    """The request would take many seconds. The only worker is free again long before."""
    sent = [pulsar.Message(payload=b"", producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")] * 50_000
    body = json.dumps({"protocol": "pulsar", "wire": base64_text(encode_batch(sent))}).encode()
    lines = json.dumps({"wire": json.loads(body)["wire"]}).encode()
    target = b"POST /v1/convert/batch?from=pulsar&to=mqtt-5.0&address=t HTTP/1.1\r\nhost: localhost\r\n"
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", lavish.port), timeout=10) as gone:
            gone.sendall(target + b"content-length: %d\r\n\r\n" % len(lines) + lines)
            in_flight(lavish.port, 2)
    in_flight(lavish.port, 1)
    _converts(lavish.port)


def test_work_on_a_stream_of_frames_stops_when_its_client_disconnects(lavish: Client) -> None:
    body = json.dumps({"wire": base64_text(nsq.compress(b"NOP\n" * 4_000_000, "snappy"))}).encode()
    head = b"POST /v1/frames/nsq/decode HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", lavish.port), timeout=10) as gone:
        gone.sendall(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        in_flight(lavish.port, 2)
    in_flight(lavish.port, 1)
    _converts(lavish.port)


def test_health_responds_while_every_worker_is_busy(lavish: Client) -> None:
    sent = [pulsar.Message(payload=b"", producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")] * 20_000
    line = json.dumps({"wire": base64_text(encode_batch(sent))}).encode() + b"\n"
    target = b"POST /v1/convert/batch?from=pulsar&to=mqtt-5.0&address=t HTTP/1.1\r\nhost: localhost\r\n"
    with ExitStack() as stack:
        for _ in range(3):
            busy = stack.enter_context(socket.create_connection(("127.0.0.1", lavish.port), timeout=30))
            busy.sendall(target + b"content-length: %d\r\n\r\n" % len(line) + line)
        in_flight(lavish.port, 4)
        for path in ("/healthz", "/readyz", "/metrics"):
            assert get(lavish.port, path).startswith(b"HTTP/1.1 200")
        assert b"mqconvert_requests_in_flight 4.0" in get(lavish.port, "/metrics")


def test_work_beyond_the_memory_limit_of_a_worker_is_refused() -> None:
    nulls = b"\x00\x53\x77\xd0" + (500_004).to_bytes(4, "big") + (500_000).to_bytes(4, "big") + b"\x40" * 500_000
    with service(worker_memory=str(64 * 2**20)) as client:
        answer = client.post("/v1/decode", json={"protocol": "amqp-1.0", "wire": base64_text(nulls)})
        assert (answer.status_code, answer.json()["code"]) in ((413, "too_large"), (422, "bad_count"))
        assert client.post("/v1/decode", json={"protocol": "mqtt-5.0", "wire": WIRE}).status_code == 200


def test_work_beyond_the_time_limit_is_refused(impatient: Client) -> None:
    answer = impatient.post("/v1/decode", json={"protocol": "pulsar", "wire": pulsar_bomb(90_000, 8)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert "MQCONVERT_WORK_TIMEOUT" in answer.json()["detail"]
    lines = "\n".join(
        json.dumps({"id": i, "wire": wire}) for i, wire in enumerate([pulsar_bomb(1), pulsar_bomb(90_000, 8), pulsar_bomb(1)])
    )
    params = {"from": "pulsar", "to": "mqtt-5.0", "address": "t"}
    answer = impatient.post("/v1/convert/batch", params=params, content=lines)
    assert [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()] == [None, "too_large", None]


def test_a_request_waiting_for_its_client_takes_no_worker(limited: Client) -> None:
    going_on = b"POST /v1/convert/batch?from=mqtt-5.0&to=amqp-1.0 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n"
    with socket.create_connection(("127.0.0.1", limited.port)) as held:
        held.sendall(going_on)
        asked = partial(limited.post, "/v1/convert", json={"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE})
        for _ in range(200):  # the server works on the first lines before it gives them up
            if asked().status_code == 200:
                break
            time.sleep(0.05)
        assert [asked().status_code for _ in range(5)] == [200] * 5
