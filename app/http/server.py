"""Running the service with uvicorn: a shutdown finishes what it has begun."""

import asyncio
import logging
import socket

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from mqconvert import rule_tables
from mqconvert.app.http.models import PUBLISH
from mqconvert.app.http.problems import problem
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings

PATIENCE = 30
"""Seconds that a shutdown waits for requests that have begun."""


def serve(host: str, port: int, settings: Settings | None = None) -> None:
    """Serve until SIGTERM or SIGINT; prints the address and one curl line that works as it stands.

    Raises before it serves: SettingError, RuleTableError for an overlay of MQCONVERT_RULES, OSError for an address that
    cannot be had.
    """
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    chosen = settings or Settings.from_environment()
    rule_tables(rules=chosen.rules)
    app = create_app(chosen)
    with socket.create_server((host, port), family=_family(host, port), backlog=2048) as listening:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}"
        body = f'{{"from": "mqtt-5.0", "to": "amqp-1.0", "wire": "{PUBLISH}"}}'
        print(f"mqconvert at {address}", flush=True)
        print(f"curl -s {address}/v1/convert -H 'content-type: application/json' -d '{body}'", flush=True)
        config = uvicorn.Config(app, http=_Http, log_level="warning", access_log=False, timeout_graceful_shutdown=PATIENCE)
        logging.getLogger("uvicorn.error").addFilter(_in_one_line)
        uvicorn.Server(config).run(sockets=[listening])


class _Http(H11Protocol):
    """uvicorn's own, but that its answer to what is no HTTP is a problem like any other."""

    def send_400_response(self, msg: str) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):  # else an answer has begun, and can only be cut off
            answer = problem(400, "bad_http", msg, headers={"connection": "close"})
            head = h11.Response(status_code=answer.status_code, reason=b"Bad Request", headers=answer.raw_headers)
            headless = self.conn.our_state is h11.SEND_RESPONSE and self.scope["method"] == "HEAD"
            for event in (head, h11.Data(data=b"" if headless else bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        if self.cycle is not None:  # what the application answers has nobody to go to
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


def _in_one_line(record: logging.LogRecord) -> bool:
    """A shutdown that has waited long enough cancels what is left, which is no defect and needs no traceback."""
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        record.msg, record.args, record.exc_info = "a request was cut off: its time was up", (), None
    return True


def _family(host: str, port: int) -> socket.AddressFamily:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except (OSError, UnicodeError) as error:  # UnicodeError: what cannot even be asked for, such as a label of 64 letters
        raise OSError(f"no host {host!r}: {error}") from None
