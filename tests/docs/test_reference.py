"""The reference pages have every public name, every command and every argument."""

import inspect
import re

import pytest

import mqconvert
from docs.reference import _prose, _signature, api_page, arguments, below, command_line_page
from mqconvert.app import examples
from mqconvert.app.cli import parser
from mqconvert.app.parser import Parser


@pytest.fixture(scope="module")
def commands() -> dict[str, str]:
    """Return the part of each command."""
    parts = re.split(r"^## ", command_line_page(), flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0].removeprefix("mqconvert "): part for part in parts}


def test_every_public_function_class_and_error_is_described_once() -> None:
    told = re.findall(r"^### (\w+)$", api_page(), re.MULTILINE)
    public = [getattr(mqconvert, name) for name in mqconvert.__all__]
    assert sorted(told) == sorted(one.__name__ for one in public if inspect.isclass(one) or inspect.isfunction(one))


def test_a_public_name_without_a_group_stops_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqconvert, "__all__", [*mqconvert.__all__, "new_function"])
    monkeypatch.setattr(mqconvert, "new_function", lambda: None, raising=False)
    with pytest.raises(SystemExit, match=r"docs/reference\.py has no group for new_function$"):
        api_page()


def test_signatures_show_short_names_and_wrap_at_parameters() -> None:
    assert _signature("has_frames", mqconvert.has_frames) == "def has_frames(protocol: str) -> bool"
    assert _signature("convert", mqconvert.convert).splitlines() == [
        "def convert(",
        "    message: Message | bytes | bytearray | memoryview,",
        "    to: str,",
        "    *,",
        "    source: str | None = None,",
        "    profile: str = 'documented',",
        "    rules: str | PathLike[str] | Overlay | Iterable[str | PathLike[str] | Overlay] = (),",
        "    environment: Environment = Environment(),",
        "    on_loss: str = 'report',",
        ") -> Conversion[Message]",
    ]


def test_examples_and_diagrams_of_docstrings_are_fenced() -> None:
    text = "Do it.\n\n    a\n      b\n\n>>> 1 + 1\n2\n\nThe end."
    assert _prose(text) == "Do it.\n\n```text\na\n  b\n```\n\n```pycon\n>>> 1 + 1\n2\n```\n\nThe end.\n"


def test_every_command_has_its_arguments_and_examples(commands: dict[str, str]) -> None:
    assert {"convert", "rules show", "serve"} <= commands.keys()
    assert commands.keys() <= {command.prog.removeprefix("mqconvert ") for command in _all(parser())}
    for command in _all(parser()):
        part = commands.get(command.prog.removeprefix("mqconvert "), "")
        assert bool(part) is not bool(below(command))
        for flags, meaning in arguments(command) if part else ():
            assert f"| {flags} | {meaning} |".replace("|", "") in part.replace("\\|", "").replace("|", ""), flags


def test_the_examples_are_those_of_help(commands: dict[str, str]) -> None:
    for name, part in commands.items():
        for line in examples.COMMANDS[name].splitlines():
            assert line.strip() in part


def _all(of: Parser) -> list[Parser]:
    return [one for command in below(of) for one in (command, *_all(command))]
