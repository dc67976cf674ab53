"""The rule tables: TOML with one row per line. README.md explains every column; this module only opens them.

A member of a file's head shows its kind: `source`, one table; `protocol`, both ways between a protocol and AMQP 1.0;
`shared`, rows that such files include; none of these, an overlay.
"""

import json
import re
from functools import cache
from typing import Any

_KINDS = {"source": "table", "protocol": "table", "shared": "shared"}
_HEAD = re.compile(rf"^({'|'.join(_KINDS)})\s*=", re.MULTILINE)


def _folder(package: str | None = None) -> Any:
    from importlib.resources import files  # noqa: PLC0415 - takes a fifth of the time of `import mqconvert`

    return files(package or __name__)


def _kind(text: str) -> str:
    """Return the kind of a file.

    >>> _kind('# ours\\nprotocol = "nsq"'), _kind('title = "Mine"')
    ('table', 'overlay')
    """
    found = _HEAD.search(text)
    return "overlay" if found is None else _KINDS[found.group(1)]


@cache
def _names(package: str | None, kind: str) -> tuple[str, ...]:
    found = (entry.name for entry in _folder(package).iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(name for name in found if _kind(read(name, package)) == kind))


def table_names(package: str | None = None) -> list[str]:
    """Return the files of the base tables, sorted: ours, or those in a plugin's package.

    >>> "amqp10_to_amqp091.toml" in table_names()
    True
    """
    return list(_names(package, "table"))


def shared_names(package: str | None = None) -> list[str]:
    """Return the files with shared rows, sorted."""
    return list(_names(package, "shared"))


def overlay_names() -> list[str]:
    """Return the names of the shipped overlays, without `.toml`, sorted."""
    return [name.removesuffix(".toml") for name in _names(None, "overlay")]


def read(name: str, package: str | None = None) -> str:
    """Return the text of a table or overlay file."""
    text: str = (_folder(package) / name).read_text(encoding="utf-8")
    return text


def sample_messages(package: str | None = None) -> list[dict[str, Any]]:
    """Return the messages of `samples.json` (ours, or a package's), each `{"title", "message"}` in the JSON form of messages.

    >>> sample_messages()[0]["message"]["protocol"]
    'amqp-1.0'
    """
    file = _folder(package) / "samples.json"
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    return found


@cache
def reviewed_functions() -> frozenset[str]:
    """Return the SHA-256 digests of the functions of the shipped tables, whose texts are committed and reviewed.

    `make generate` writes `functions.sha256`, in the form of the program sha256sum.
    """
    return frozenset(line.split(" ", 1)[0] for line in read("functions.sha256").splitlines())
