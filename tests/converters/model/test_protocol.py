"""A protocol knows the wire types of its messages."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from mqconvert import ClientLibraryError, NoRouteError
from mqconvert.converters.model import fields as message_fields
from mqconvert.converters.model.plain import IntegerType
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.wiretypes import wire_types


@dataclass
class Odd:
    """A message class with a field of an unknown wire type."""

    field: int | None = message_fields.wire("u24")


@dataclass
class Holder:
    """A message class with a section that has such a field."""

    section: Odd | None = message_fields.wire("section", of=Odd)


@pytest.mark.parametrize("message", [Odd, Holder])
def test_a_field_of_an_unknown_wire_type_is_refused(message: type[Any]) -> None:
    with pytest.raises(LookupError, match=r"odd: Odd.field has unknown wire type 'u24'"):
        Protocol("odd", "Odd", message, wire_types(IntegerType("uint", 0, 1)), "nowhere")


IMPORT = "mqconvert.converters.model.protocol.import_module"
FUNCTIONS = ("decode", "decode_all", "encode")


def plugin(codec: str, words: str | None = None) -> Protocol:
    return Protocol("one", "One", Whole, wire_types(IntegerType("uint", 0, 1)), codec, words)


def test_a_codec_is_imported_on_first_use_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IMPORT, lambda _name: SimpleNamespace(**dict.fromkeys(FUNCTIONS, print)))
    first, second = plugin("nowhere.first"), plugin("nowhere.second")
    assert first.codec_module() is first.codec_module()
    assert first.codec_module() is not second.codec_module()


def test_words_are_imported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []
    monkeypatch.setattr(IMPORT, imported.append)
    for protocol in (plugin("nowhere.codec", "nowhere.words_once"), plugin("nowhere.codec")):
        protocol.learn_words()
        protocol.learn_words()
    assert imported == ["nowhere.words_once"]


@pytest.mark.parametrize("error", [ModuleNotFoundError("No module named 'x'"), SyntaxError("invalid syntax"), ValueError("v")])
def test_a_module_that_cannot_be_imported_is_an_error_of_the_library(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_name: str) -> None:
        raise error

    monkeypatch.setattr(IMPORT, fail)
    protocol = plugin("nowhere.broken_codec", "nowhere.broken_words")
    for call, module in ((protocol.codec_module, "nowhere.broken_codec"), (protocol.learn_words, "nowhere.broken_words")):
        with pytest.raises(NoRouteError) as refused:
            call()
        assert str(refused.value) == f"protocol 'one': module {module}: {type(error).__name__}: {error}"
        assert refused.value.code == "unknown_protocol"


def test_a_codec_with_a_missing_package_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_name: str) -> None:
        raise ClientLibraryError("pip install it", code="missing_package")

    monkeypatch.setattr(IMPORT, fail)
    with pytest.raises(ClientLibraryError, match=r"^pip install it$"):
        plugin("nowhere.packaged").codec_module()


@pytest.mark.parametrize("missing", FUNCTIONS)
def test_a_codec_without_a_function_is_refused(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IMPORT, lambda _name: SimpleNamespace(**dict.fromkeys(set(FUNCTIONS) - {missing}, print)))
    with pytest.raises(NoRouteError, match=f"^protocol 'one': module nowhere.no_{missing} has no function '{missing}'$"):
        plugin(f"nowhere.no_{missing}").codec_module()


def test_named_types_are_those_of_values_and_of_fields() -> None:
    shape = IntegerType("u24", 0, 2**24 - 1)

    @dataclass
    class Shaped:
        field: int | None = message_fields.wire(shape)

    types = wire_types(IntegerType("uint", 0, 1))
    assert Protocol("shaped", "Shaped", Shaped, types, "nowhere").named == types | {"u24": shape}
    assert "u24" not in types


@dataclass
class Whole:
    """A message class with a field of a known wire type."""

    field: int | None = message_fields.wire("uint")
