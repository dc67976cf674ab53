"""Bytes as text. tests/data/texts.json has the cases, which the page's reader answers alike (test_browser.py)."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqconvert import DecodeError
from mqconvert.app.texts import TEXTS, bytes_in

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "texts.json").read_text())


@pytest.mark.parametrize("case", [case for case in CASES if case["hex"] is not None], ids=lambda case: repr(case["text"])[:40])
def test_text_is_read_as_bytes(case: dict[str, Any]) -> None:
    assert bytes_in(case["text"].encode(), case["form"]).hex() == case["hex"]


@pytest.mark.parametrize("case", [case for case in CASES if case["hex"] is None], ids=lambda case: repr(case["text"])[:40])
def test_invalid_text_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(DecodeError, match=f"not {case['form']}: "):
        bytes_in(case["text"].encode(), case["form"])


@pytest.mark.parametrize("form", TEXTS)
def test_bytes_that_are_no_text_are_refused(form: str) -> None:
    with pytest.raises(DecodeError, match="byte 1 is not text"):
        bytes_in(b"0\xff", form)


@pytest.mark.parametrize(
    ("text", "form", "hint"),
    [
        (b"0000  30 00 0a  0..\n", "hex", "It can be read as hexdump: try --input-format hexdump."),
        (b"char a[] = { 0x30, 0x00 };", "hexdump", "It can be read as hex: try --input-format hex."),
        (b"hello", "hex", None),
    ],
)
def test_hex_and_its_dump_are_told_apart(text: bytes, form: str, hint: str | None) -> None:
    with pytest.raises(DecodeError) as caught:
        bytes_in(text, form)
    assert caught.value.hint == hint


def test_several_messages_in_base64_are_named() -> None:
    with pytest.raises(DecodeError, match="'=' ends a message, and more text follows"):
        bytes_in(b"MAYAAXQAaGk=\nMAYAAXQAaGk=\n", "base64")


def test_a_star_of_a_dump_cannot_take_all_memory() -> None:
    with pytest.raises(DecodeError, match="offset 0xffffffff"):
        bytes_in(b"0000: 30\n*\nffffffff: 30\n", "hexdump")
