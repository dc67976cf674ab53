"""Packages of the extra `brokers`, imported when they are first needed, with one line of advice where they are missing."""

from importlib import import_module
from typing import Any

from mqconvert.converters.errors import MissingPackageError


def extra(module: str, what: str) -> Any:
    """The module of that name, which `what` needs; MissingPackageError where it, or a package that it imports, is missing.

    >>> extra("zlib", "zlib").ZLIB_VERSION[:2]
    '1.'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == __name__.partition(".")[0]:
            raise  # a module of our own: a broken installation, which no extra mends
        raise MissingPackageError(what, error.name) from None
