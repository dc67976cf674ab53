"""Packages of the extra `brokers` are imported on first use, and a missing one is named."""

import sys
import zlib

import pytest

from mqconvert import ClientLibraryError
from mqconvert.converters.protocols.packages import package


def test_a_package_is_the_imported_module() -> None:
    assert package("zlib") is zlib
    assert package("os.path") is sys.modules["os.path"]


@pytest.mark.parametrize("name", ["no_such_package", "zlib.no_such_module"])
def test_the_error_for_a_missing_package_names_it_and_the_extra(name: str) -> None:
    with pytest.raises(
        ClientLibraryError, match=rf"^No module named '{name}'.*: pip install 'mqconvert\[brokers\]'$"
    ) as caught:
        package(name)
    assert caught.value.code == "missing_package"
    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)
