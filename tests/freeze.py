"""Every answer of the codecs, frozen in a file and compared after a change that must not alter any.

    python -m tests.freeze /tmp/freeze            # before the change: writes a file for each protocol
    python -m tests.freeze /tmp/freeze --compare  # after it: exit status 1, and the first differences; --codes ignores texts

An answer is the decoded value with its bytes, or code, offset, field and text of the error. The inputs are the messages of
other software and `--inputs` mutations of them for each codec (tests/fuzz.py), of a fixed seed. Each decoded message is also
encoded with one field replaced by a value that seldom fits it. Both runs may use sources or compiled modules.
"""

import argparse
import gzip
import random
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from mqconvert import PROTOCOLS, MqConvertError
from mqconvert.compiled import digest
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.calls import decode_frames, has_frames
from tests.converters.protocols.test_decoded_bytes import REPAIRS, seeds
from tests.fuzz import mutated

LONGEST = 2000
"""Maximum characters of an answer in the file; of a longer one, its digest follows them."""
ODD: tuple[Any, ...] = (
    -1, 0, 1, 2, 127, 128, 255, 256, 2**15, 2**16, 2**31, -(2**31), 2**32, 2**63, -(2**63) - 1, 2**64, True, 1.5, float("nan"),
    "", "a", "\0", "a/+", "\udcff", "\ud800", "é" * 128, "k" * 255, "k" * 256, "t" * 65536, b"", b"ab", bytes(255), bytes(256),
    bytes(65536), (), [], [1], [None], [("a", "b")], [("a",)], [("a", "\0")], [("a", 1)], {}, object,
    [Entry("k", "long", 1)], [Entry("k", "long", 2**63)], [Entry("k", "no such", 1)], [Entry(5, "bool", True)],
    [Entry("k", "string", "é")], [Entry("\udcff", "longstr", b"x" * 300)], [TypedValue("int", 1)], [TypedValue("array", [5])],
    [Entry("a", "table", [Entry("b", "float", 1e300)])], [Entry("a", "array", [TypedValue("short", 2**15)])],
    TypedValue("string", "a"), TypedValue("ulong", 2**64), TypedValue("uuid", b"1"), TypedValue("binary", bytes(300)),
)  # fmt: skip
"""Values for fields, most of them of another type than theirs."""
_STREAM = {"stream": True}
_OPTIONS: dict[str, dict[str, Any]] = {
    "amqp-1.0": {"lenient": True}, "amqp-0.9.1": _STREAM, "mqtt-5.0": _STREAM, "mqtt-3.1.1": _STREAM,
}  # fmt: skip
"""An option of `decode_all` that reads more."""


def _answer(call: Callable[[], Any]) -> str:
    try:
        made = call()
    except MqConvertError as error:
        return f"{type(error).__name__} {error.code} {error.offset} {error.field}\t{error}"
    return made.hex() if isinstance(made, bytes) else repr(made)


def _sections(message: Any) -> list[Any]:
    """Return a message and the dataclasses in its fields."""
    inner = [getattr(message, each.name) for each in fields(message)]
    return [message, *(each for each in inner if is_dataclass(each) and fields(each))]


def _altered(draw: random.Random, message: Any) -> tuple[str, Any]:
    """Return a copy of a message with one field changed, and what changed."""
    message = deepcopy(message)
    section = draw.choice(_sections(message))
    name = draw.choice(fields(section)).name
    value = draw.choice(ODD)
    setattr(section, name, value)
    return f"{type(section).__name__}.{name} = {value!r:.60}", message


def _answers(protocol: str, draw: random.Random, wire: bytes) -> Iterator[str]:
    """Yield what the codec answers to an input."""
    codec: Any = PROTOCOLS[protocol].codec_module()
    try:
        message = codec.decode(wire)
    except MqConvertError:
        yield f"decode {_answer(lambda: codec.decode(wire))}"
        options = _OPTIONS.get(protocol, {})
        yield f"all, {options} {_answer(lambda: codec.decode_all(wire, **options))}"
        if has_frames(protocol):
            yield f"frames {_answer(lambda: decode_frames(protocol, wire))}"
        return
    yield f"decode {message!r}"
    yield f"encode {_answer(lambda: codec.encode(message))}"
    change, altered = _altered(draw, message)
    yield f"{change}: {_answer(lambda: codec.encode(altered))}"


def lines(protocol: str, inputs: int) -> Iterator[str]:
    """Yield a line for each answer to the messages of other software and to mutated ones."""
    draw, known = random.Random(protocol), seeds(protocol)
    for number in range(len(known) + inputs):
        wire = known[number] if number < len(known) else mutated(draw, draw.choice(known), known)
        if number >= len(known) and draw.randrange(2) and len(wire) >= 4:
            wire = REPAIRS.get(protocol, bytes)(wire)
        for answer in _answers(protocol, random.Random(number), wire):
            text = answer.replace("\n", "\\n").encode("ascii", "backslashreplace").decode()
            end = f"... {digest(text.encode())}" if len(text) > LONGEST else ""
            yield f"{wire.hex():.{LONGEST}} {text:.{LONGEST}}{end}\n"


def _coded(line: str | None) -> str | None:
    """Return a line without the text of its error."""
    return line and line.rstrip("\n").partition("\t")[0] + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Freeze the answers of the codecs, or compare them.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--compare", action="store_true", help="compare with the files of an earlier run")
    parser.add_argument("--codes", action="store_true", help="compare errors by code, offset and field, without their texts")
    parser.add_argument("--inputs", type=int, default=50_000, help="mutated inputs a protocol (50000); the same in both runs")
    parser.add_argument("--protocol", action="append", choices=[*PROTOCOLS], help="this protocol alone (repeatable)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    different = 0
    for protocol in options.protocol or PROTOCOLS:
        file = options.folder / f"{protocol}.txt.gz"
        made = lines(protocol, options.inputs)
        if not options.compare:
            with gzip.open(file, "wt", encoding="ascii", compresslevel=1) as out:
                out.writelines(made)
            continue
        with gzip.open(file, "rt", encoding="ascii") as before:
            both = ((_coded(old), _coded(new)) if options.codes else (old, new) for old, new in zip_longest(before, made))
            pairs = (pair for pair in both if pair[0] != pair[1])
            for old, new in islice(pairs, 5):
                different += 1
                sys.stdout.write(f"{protocol}\n- {old}+ {new}")
        sys.stdout.write(f"{protocol}: compared\n")
        sys.stdout.flush()
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
