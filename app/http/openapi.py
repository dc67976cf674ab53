"""Writes openapi/openapi.json from the app, or with --check says whether it is what the app says."""

import json
import sys
from pathlib import Path

from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings

FILE = Path("openapi/openapi.json")


def text() -> str:
    return json.dumps(create_app(Settings()).openapi(), indent=2) + "\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        FILE.write_text(text())
    elif FILE.read_text() != text():
        sys.exit(f"{FILE} is not what the app says: run make generate")
