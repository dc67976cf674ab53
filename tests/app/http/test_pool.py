"""Workers stop lost work, keep to their limits, and leave the event loop free."""

import json
import os
import re
import signal
import socket
import time
from contextlib import ExitStack
from functools import partial

from mqconvert import encode_batch
from mqconvert.app.http.process import processor_seconds
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.app.http.bombs import base64_text, pulsar_bomb
from tests.app.services import HEAD, SERVICE, WHOLE, WIRE, Client, get, in_flight, poll, running, service, workers_of
from tests.converters.protocols.nsq.streams import compress

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
    body = json.dumps({"wire": base64_text(compress(b"NOP\n" * 4_000_000, "snappy"))}).encode()
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


def test_the_next_requests_do_not_notice_that_idle_workers_were_killed() -> None:
    """The system does so when memory runs out. The service learns of it before or after it sends a job."""
    with running(workers="2") as (process, port):
        for pause in (0, 1):
            workers = workers_of(process.pid)
            assert workers
            for worker in workers:
                os.kill(worker, signal.SIGKILL)
            time.sleep(pause)
            for path in ("/v1/routes", "/v1/schemas/nsq", "/v1/rules"):
                _converts(port)
                assert get(port, path).startswith(b"HTTP/1.1 200")


def test_a_job_that_its_worker_had_not_read_is_run_again() -> None:
    with running() as (process, port), socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        workers = workers_of(process.pid)
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)
        client.sendall(WHOLE)
        in_flight(port, 2)
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        assert client.recv(100).startswith(b"HTTP/1.1 200")


def test_a_job_that_had_begun_fails_with_its_worker() -> None:
    """It may be the job that ends workers."""
    body = json.dumps({"protocol": "pulsar", "wire": pulsar_bomb(90_000, 8)}).encode()
    options = f"max_decompressed={2**30}"
    with (
        running(options=options, max_batch="1000000", max_answer=str(2**30)) as (process, port),
        socket.create_connection(("127.0.0.1", port), timeout=20) as client,
    ):
        idle = {worker: processor_seconds(worker) for worker in workers_of(process.pid)}
        client.sendall(HEAD.replace(b"convert", b"decode") + b"content-length: %d\r\n\r\n" % len(body) + body)
        poll(lambda: any(processor_seconds(worker) > before + 0.5 for worker, before in idle.items()))
        for worker in idle:
            os.kill(worker, signal.SIGKILL)
        assert client.recv(100).startswith(b"HTTP/1.1 500")


def test_long_jobs_of_a_client_do_not_delay_short_ones() -> None:
    """Neither those of another client nor its own. Each explanation of thousands of properties takes about a second."""
    named = [[f"k{number}", {"type": "string", "value": "v"}] for number in range(12_000)]
    message = {"protocol": "amqp-1.0", "application_properties": named, "body": {"data": []}}
    body = json.dumps({"from": "amqp-1.0", "to": "mqtt-5.0", "address": "t", "message": message}).encode()
    request = HEAD.replace(b"convert", b"explain") + b"content-length: %d\r\n\r\n" % len(body) + body
    with running(workers="2") as (_, port), ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)).sendall(request)
        in_flight(port, 9)
        for address in ("127.0.0.1", "127.0.0.2"):
            short = stack.enter_context(socket.create_connection(("127.0.0.1", port), 20, (address, 0)))
            short.sendall(WHOLE)
            assert short.recv(100).startswith(b"HTTP/1.1 200")
        waiting = re.search(rb"mqconvert_requests_in_flight (\d+)", get(port, "/metrics"))
        assert waiting is not None
        assert int(waiting[1]) > 5


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
