"""The log has one JSON object per line."""

import re
import socket
from datetime import datetime

from tests.app.services import SERVICE, Client, get

pytestmark = SERVICE


def test_a_log_line_has_the_time_the_client_and_the_request_id(client: Client) -> None:
    before = client.log.stat().st_size
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        connection.sendall(b"GET /v1/routes HTTP/1.1\r\nhost: x\r\nx-request-id: mine-1\r\nconnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b"\r\nx-request-id: mine-1\r\n" in answer
    given = re.search(rb"\r\nx-request-id: ([0-9a-f]{16})\r\n", get(client.port, "/v1/protocols"))
    lines = client.logged(before)
    told = {line["path"]: line for line in lines}
    assert given is not None
    assert told["/v1/routes"]["id"] == "mine-1"
    assert told["/v1/protocols"]["id"] == given[1].decode()
    assert {line["client"] for line in lines} == {"127.0.0.1"}
    assert all(datetime.fromisoformat(line["time"]).tzinfo is not None for line in lines)


def test_a_proxy_on_the_same_machine_names_its_clients(client: Client) -> None:
    before = client.log.stat().st_size
    client.get("/v1/routes", headers={"x-forwarded-for": "192.0.2.7"})
    client.get("/v1/routes")
    assert [line["client"] for line in client.logged(before)] == ["192.0.2.7", "127.0.0.1"]
