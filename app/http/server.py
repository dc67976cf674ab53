"""Running the service with uvicorn: a shutdown finishes what it has begun."""

import logging

import uvicorn

from mqconvert.app.http.models import PUBLISH
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings


def serve(host: str, port: int, settings: Settings | None = None) -> None:
    """Serve until SIGTERM or SIGINT; prints the address and one curl line that works as it stands."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    app = create_app(settings)
    body = f'{{"from": "mqtt-5.0", "to": "amqp-1.0", "wire": "{PUBLISH}"}}'
    print(f"mqconvert at http://{host}:{port}", flush=True)
    print(f"curl -s http://{host}:{port}/v1/convert -H 'content-type: application/json' -d '{body}'", flush=True)
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False, timeout_graceful_shutdown=30)
