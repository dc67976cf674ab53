"""The rule tables: TOML, one row a line. README.md explains every column; this module only opens them."""

from typing import Any

_BETWEEN = "_to_"


def _folder(package: str | None = None) -> Any:
    from importlib.resources import files  # noqa: PLC0415 - costs a fifth of `import mqconvert`, and not every use opens a table

    return files(package or __name__)


def table_names(package: str | None = None) -> list[str]:
    """The files of the base tables, sorted: ours, or those in the package of another protocol.

    >>> "amqp10_to_amqp091.toml" in table_names()
    True
    """
    return sorted(entry.name for entry in _folder(package).iterdir() if _BETWEEN in entry.name)


def overlay_names() -> list[str]:
    """The overlays that come with mqconvert, without their `.toml`, sorted."""
    found = (entry.name for entry in _folder().iterdir())
    return sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml") and _BETWEEN not in name)


def read(name: str, package: str | None = None) -> str:
    """The text of a table or overlay file."""
    text: str = (_folder(package) / name).read_text(encoding="utf-8")
    return text
