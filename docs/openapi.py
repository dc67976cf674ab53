"""Write openapi/openapi.json and openapi/schemas/*.json; with --check, compare the committed files with the code."""

import json
import sys
from pathlib import Path

from docs.generated import write_or_check
from mqconvert import PROTOCOLS, json_schema
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings

FOLDER = Path("openapi")


def documents() -> dict[str, str]:
    """Return the files by name: the OpenAPI document, and the JSON Schema of the messages of each of our protocols."""
    with PROTOCOLS.ours_alone():
        made = {"openapi.json": create_app(Settings()).openapi()}
        made |= {f"schemas/{name}.json": json_schema(name) for name in PROTOCOLS}
    return {name: json.dumps(document, indent=2) + "\n" for name, document in made.items()}


if __name__ == "__main__":
    sys.exit(write_or_check(FOLDER, "**/*.json", documents(), sys.argv[1:]))
