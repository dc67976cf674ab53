"""Third-party packages of extras, imported when they are first needed. A missing one gives a one-line error."""

from importlib import import_module
from typing import Any

from mqconvert.converters.errors import ClientLibraryError


def package(name: str, extra: str = "brokers") -> Any:
    """Return the module of that name; ClientLibraryError `missing_package` names the extra to install.

    >>> package("zlib").__name__
    'zlib'
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ClientLibraryError(f"{error}: pip install 'mqconvert[{extra}]'", code="missing_package") from error
