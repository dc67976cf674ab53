"""The rule tables: TOML, one row a line. README.md explains every column; this module only opens them.

A file is what a member of its head says: `source`, one table; `protocol`, both ways between a protocol and AMQP 1.0; `shared`,
rows that such files include; anything else, an overlay.
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
    """What a file holds.

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
    """The files of the base tables, sorted: ours, or those in the package of another protocol.

    >>> "amqp10_to_amqp091.toml" in table_names()
    True
    """
    return list(_names(package, "table"))


def shared_names(package: str | None = None) -> list[str]:
    """The files of rows that the files of tables include, sorted."""
    return list(_names(package, "shared"))


def overlay_names() -> list[str]:
    """The overlays that come with mqconvert, without their `.toml`, sorted."""
    return [name.removesuffix(".toml") for name in _names(None, "overlay")]


def read(name: str, package: str | None = None) -> str:
    """The text of a table or overlay file."""
    text: str = (_folder(package) / name).read_text(encoding="utf-8")
    return text


def sample_messages(package: str | None = None) -> list[dict[str, Any]]:
    """The messages of `samples.json`, each `{"title", "message"}` with the message in its JSON form: ours, or a package's.

    >>> sample_messages()[0]["message"]["protocol"]
    'amqp-1.0'
    """
    file = _folder(package) / "samples.json"
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    return found
