"""What all adapters have in common: when they are imported, and what they say when they cannot be."""

import subprocess
import sys

import pytest

from mqconvert import clients
from mqconvert.converters.clients import require
from mqconvert.converters.errors import ClientLibraryError


def test_no_client_library_is_imported_before_it_is_used() -> None:
    program = (
        "import sys, mqconvert, mqconvert.clients as clients\n"
        "known = {'pika', 'proton', 'paho'}\n"
        "assert not known & set(sys.modules)\n"
        "clients.from_paho\n"
        "assert known & set(sys.modules) == {'paho'}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", clients.__all__)
def test_every_function_is_there(name: str) -> None:
    assert getattr(clients, name).__name__ == name


def test_nothing_else_is_there() -> None:
    with pytest.raises(AttributeError, match="from_nowhere"):
        _ = clients.from_nowhere


def test_too_old() -> None:
    with pytest.raises(
        ClientLibraryError, match=r"pika [0-9.]+ is too old, mqconvert needs 99\.1 or later: pip install"
    ) as raised:
        require("pika", "pika", (99, 1))
    assert raised.value.code == "old_library"
    assert isinstance(raised.value, ImportError)


def test_missing() -> None:
    with pytest.raises(ClientLibraryError, match=r"no-such-library 1 or later is not installed: pip install") as raised:
        require("no-such-library", "none", (1,))
    assert raised.value.code == "missing_library"
