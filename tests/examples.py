"""The examples of the README, the pages and the docstrings as programs of a user, for mypy and pyright.

`python -m tests.examples`, a step of `make lint`, checks them beside an installed package: py.typed and `__init__.pyi` count,
and the settings of this repository do not. The program `results` states what type checkers know of the results of calls.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from doctest import DocTestFinder
from pathlib import Path

import mqconvert
from mqconvert import clients, messages, plugin

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "examples"
OUTSIDE = ROOT / "docs" / "examples" / "mqconvert-stomp" / "mqconvert_stomp"
"""A package with a protocol of its own, which a page imports."""


def programs() -> dict[str, str]:
    """Return the programs by the name of their module."""
    return {**dict(_of_pages()), **dict(_of_docstrings()), "results": _results()}


def _of_pages() -> Iterator[tuple[str, str]]:
    """Yield the programs of pages: a block that begins with a docstring is a new one, any other continues the one before.

    docs/embedding.md has the programs of docs/examples.
    """
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        parts: list[str] = []
        for block in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
            if block.startswith('"""') or not parts:
                parts.append(block)
            else:
                parts[-1] += f"\n\n{block}"
        yield from ((f"page_{page.stem}_{number}".replace("-", "_"), part) for number, part in enumerate(parts, 1))


def _of_docstrings() -> Iterator[tuple[str, str]]:
    """Yield the examples of the public modules and names, each with the names that it uses without an import."""
    public = {module.__name__: module for module in (mqconvert, clients, messages, plugin)}
    for name, value in {**public, **{name: getattr(mqconvert, name) for name in mqconvert.__all__}}.items():
        for test in DocTestFinder(recurse=False).find(value, name):
            text = "".join(example.source for example in test.examples)
            if text:
                home = name if name in public else mqconvert.__name__
                yield f"docstring_{name.replace('.', '_')}", f"from {home} import *\n{text}"


def _results() -> str:
    """Return a program that states the types of results: by the name of each protocol, and for any other text."""
    lines = [
        "from typing import assert_type",
        "from pathlib import Path",
        "from mqconvert import Conversion, DecodeError, Environment, LossError, LossPolicy, Message, check_rules, transcode",
        "from mqconvert import convert, converter, decode, decode_all, decode_each, message_from_json",
        "from mqconvert import decode_each_frame, decode_frames, frame_from_json",
        f"from mqconvert.messages import {', '.join(name for name in messages.__all__ if name != 'Entry')}",
        "import mqconvert_stomp",
        "def state(data: bytes, message: Message, name: str, mine: Conversion) -> None:",
    ]
    with mqconvert.PROTOCOLS.ours_alone():
        classes = {repr(name): protocol.message for name, protocol in mqconvert.PROTOCOLS.items()}
        with_frames = [name for name in mqconvert.PROTOCOLS if mqconvert.has_frames(name)]
    known = {name: f"{class_.__module__.split('.')[-2]}.Message" for name, class_ in classes.items()}
    for name, class_ in {**known, "name": "Message"}.items():
        lines += [
            f"    assert_type(convert(data, {name}, source=name).message, {class_})",
            f"    assert_type(convert(message, to={name}), Conversion[{class_}])",
            f"    assert_type(converter(name, {name}).convert(message), Conversion[{class_}])",
            f"    assert_type(decode({name}, data, lenient=True), {class_})",
            f"    assert_type(decode_all({name}, data), list[{class_}])",
            f"    assert_type(next(decode_each({name}, data)), {class_} | DecodeError)",
            f"    assert_type(message_from_json({{}}, {name}), {class_})",
            f"    mine = convert(message, {name})",
        ]
    for name in with_frames:
        lines += [
            f"    assert_type(decode_frames('{name}', data), list[{name}.Frame])",
            f"    assert_type(next(decode_each_frame('{name}', data)), {name}.Frame)",
            f"    assert_type(frame_from_json('{name}', {{}}), {name}.Frame)",
        ]
    lines += [
        "    assert_type(message_from_json({}), Message)",
        "    assert_type(mine.message, Message)",
        "    if isinstance(other := decode('stomp', data), mqconvert_stomp.Message):",
        "        assert_type(other.destination, str | None)",
        "    try:",
        "        assert_type(check_rules(Path(name)), list[str])",
        "    except LossError as error:",
        "        assert_type([loss.reason for loss in error.losses], list[str])",
        "        assert_type([drop.note for drop in error.dropped], list[str])",
        "    decode('mqtt-5.0', data).body  # type: ignore[attr-defined]  # a field of another protocol",
        "    convert(message, 'nsq', on_loss=LossPolicy.FAIL, profile='preserve')",
        "    convert(message, 'nsq', on_loss='fails')  # type: ignore[call-overload]  # fail",
        "    transcode(data, 'nsq', source=name, profile=name, on_loss='fails')  # type: ignore[arg-type]  # the same",
        "    converter(name, 'nsq').convert(message, on_loss='fails')  # type: ignore[arg-type]  # the same",
        "    Environment(payload='letter')  # type: ignore[arg-type]  # the same",
    ]
    return "\n".join([*lines, ""])


def install() -> Path:
    """Write the programs, and an environment with the package; return its Python."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.json")
    shutil.copytree(OUTSIDE, FOLDER / "programs" / OUTSIDE.name, ignore=ignored)
    for name, text in programs().items():
        (FOLDER / "programs" / f"{name}.py").write_text(text)
    venv.create(FOLDER / "environment", symlinks=True)
    python = FOLDER / "environment" / "bin" / "python"
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(FOLDER / "environment")}))
    shutil.copytree(ROOT / "mqconvert", packages / "mqconvert", ignore=ignored)  # test_packaging.py compares it with the wheel
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))  # pika, pyspark and others
    return python


def check(python: Path) -> bool:
    """Run both type checkers on the programs, and return whether they found no error."""
    (FOLDER / "programs" / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard"}')  # the default of pyright
    untyped = "--disable-error-code=import-untyped"  # pika and others have no types
    mypy = ["mypy", "--strict", untyped, "--config-file=", "--cache-dir=../../mypy", f"--python-executable={python}", "."]
    pyright = ["basedpyright", "--level", "error", "--pythonpath", str(python)]
    commands = [[sys.executable, "-m", *checker] for checker in (mypy, pyright)]
    done = [subprocess.run(command, cwd=FOLDER / "programs", check=False).returncode for command in commands]
    return done == [0, 0]


if __name__ == "__main__":
    sys.exit(not check(install()))
