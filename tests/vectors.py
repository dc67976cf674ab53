"""The open test vectors of the broker protocols: bytes of real clients and servers, and their content.

`tests/data/vectors/PROTOCOL.jsonl` has one vector per line: `id`, `tags`, `wire` in hex, `fields` (the content, or `error`, the
kind of DecodeError for malformed bytes), `source`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(__file__).parent / "data" / "vectors"


@cache
def vectors(protocol: str) -> list[dict[str, Any]]:
    with (_FOLDER / f"{protocol}.jsonl").open(encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    for vector in found:
        vector["wire"] = bytes.fromhex(vector["wire"])
    return found


def tagged(protocol: str, *tags: str, without: tuple[str, ...] = ()) -> list[Any]:
    """Return the vectors that have all of `tags` and none of `without`, as parameters of a test."""
    return [
        pytest.param(vector, id=vector["id"])
        for vector in vectors(protocol)
        if set(tags) <= set(vector["tags"]) and not set(without) & set(vector["tags"])
    ]
