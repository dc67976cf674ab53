"""Third-party packages of the extra `brokers`: imported where a codec first needs one, and missed in one line."""

from importlib import import_module
from typing import Any

from mqconvert.converters.errors import MqConvertError


def package(name: str) -> Any:
    """The module of that name; MqConvertError `missing_package` says what to install.

    >>> package("zlib").__name__
    'zlib'
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MqConvertError(f"{error}: pip install 'mqconvert[brokers]'", code="missing_package") from error
