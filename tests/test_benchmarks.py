"""The handwritten code that benchmarks/convert.py measures gives the same results as the converter."""

import importlib.util
from pathlib import Path
from typing import Any

from mqconvert import converter, encode
from mqconvert.converters.protocols.amqp091 import message as amqp091
from tests.corpus import lines, read, same_form

FILE = Path(__file__).parents[1] / "benchmarks" / "handwritten.py"


def _handwritten() -> Any:
    spec = importlib.util.spec_from_file_location(FILE.stem, FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _legacy(message: amqp091.Message) -> bool:
    """Return whether it has a header of the old AMQP 1.0 plugin, which the handwritten functions do not support."""
    return any(entry.key.startswith("x-amqp-1.0-") for entry in message.basic.headers or ())


def test_handwritten_converters_give_the_same_results() -> None:
    """Result and bytes are equal for every corpus case of that direction, so the validity checks are equal, too."""
    handwritten = _handwritten()
    convert = converter("amqp-0.9.1", "amqp-1.0").convert
    messages = [read("amqp-0.9.1", case["input"]) for case in lines("amqp091_to_amqp10")]
    ordinary = [message for message in messages if not _legacy(message)]
    assert len(ordinary) > 1000
    for message in ordinary:
        made = convert(message).message
        assert same_form(handwritten.convert(message)) == same_form(made), message
        assert handwritten.convert_bytes(encode(message)) == encode(made), message
