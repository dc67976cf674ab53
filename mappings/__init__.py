"""The rule tables: TOML with one row per line. README.md explains every column; this module only opens them.

A member of a file's head shows its kind: `source`, one table; `protocol`, both ways between a protocol and AMQP 1.0;
`shared`, rows that such files include; none of these, an overlay.
"""

import os
import re
from functools import cache
from typing import Any

_HEAD = re.compile(r"""^(source|target|protocol|shared)\s*=\s*(?:"([^"\\\n]*)"|'([^'\n]*)')?""", re.MULTILINE)
"""Matches the members of heads that say what a file is; a member's value too where it is a plain text."""


_OURS = os.path.dirname(__file__)  # noqa: PTH120 - importing pathlib takes longer than reading every file


@cache
def _folder(package: str | None = None) -> Any:
    """Return the folder of a package's files: None for ours, unless it lies in an archive."""
    if package is None and os.path.isdir(_OURS):  # noqa: PTH112 - as for _OURS
        return None
    from importlib.resources import files  # noqa: PLC0415 - takes a tenth of the time of a first conversion

    return files(package or __name__)


@cache
def heads(package: str | None = None) -> dict[str, dict[str, str]]:
    """Return the files of a package (ours, or a plugin's), sorted, with those members of their heads that say what they are.

    >>> heads()["nsq.toml"], heads()["preserve.toml"]
    ({'protocol': 'nsq'}, {})
    """
    folder = _folder(package)
    names = os.listdir(_OURS) if folder is None else [entry.name for entry in folder.iterdir()]  # noqa: PTH208 - as for _OURS
    tables = sorted(name for name in names if name.endswith(".toml"))
    return {name: {found[1]: found[2] or found[3] or "" for found in _HEAD.finditer(read(name, package))} for name in tables}


def table_names(package: str | None = None) -> list[str]:
    """Return the files of the base tables, sorted: ours, or those in a plugin's package.

    >>> "amqp10_to_amqp091.toml" in table_names()
    True
    """
    return [name for name, head in heads(package).items() if head.keys() & {"protocol", "source"}]


def shared_names(package: str | None = None) -> list[str]:
    """Return the files with shared rows, sorted."""
    return [name for name, head in heads(package).items() if "shared" in head]


def overlay_names() -> list[str]:
    """Return the names of the shipped overlays, without `.toml`, sorted."""
    return [name.removesuffix(".toml") for name, head in heads().items() if not head]


def read(name: str, package: str | None = None) -> str:
    """Return the text of a table or overlay file."""
    folder = _folder(package)
    if folder is not None:
        text: str = (folder / name).read_text(encoding="utf-8")
        return text
    with open(os.path.join(_OURS, name), encoding="utf-8") as file:  # noqa: PTH118, PTH123 - as for _OURS
        return file.read()


def sample_messages(package: str | None = None) -> list[dict[str, Any]]:
    """Return the messages of `samples.json` (ours, or a package's), each `{"title", "message"}` in the JSON form of messages.

    >>> sample_messages()[0]["message"]["protocol"]
    'amqp-1.0'
    """
    import json  # noqa: PLC0415 - tables are read without

    try:
        found: list[dict[str, Any]] = json.loads(read("samples.json", package))
    except FileNotFoundError:
        return []
    return found
