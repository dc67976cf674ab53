"""Every command of every page: run by a test, parsed by the real parser, or listed here with a reason.

docs/generate.py runs `console` blocks and the cookbook; test_terminal.py runs the examples of docs/command-line.md.
"""

import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqconvert.app.cli import parser
from tests.app.services import running
from tests.test_docs import LISTED, ROOT

_CLUSTER = "tests/app/test_spark_docs.py runs this recipe"
_STOMP = "the tests of the example run its commands (tests/test_outside_protocol.py)"
ELSEWHERE = {
    "docker build": "needs a docker daemon; make check-dockerfile runs the steps of the Dockerfile",
    "docker run": "needs a docker daemon; make check-dockerfile starts the command of the image",
    "MQCONVERT_TOKEN=secret mqconvert serve": "runs until it is stopped; tests/app/http/test_guard.py asks with a token",
    "spark-submit": _CLUSTER,
    "pip wheel": _CLUSTER,
    "cp dist/": _CLUSTER,
    "pip install --quiet --no-deps --target dist/packages": _CLUSTER,
    "(cd dist/packages": _CLUSTER,
    "PYTHONPATH=dist/packages spark-submit": _CLUSTER,
    "export PATH=": "a setting of the shell",
    ".ci/run": "runs this test",
    ".venv/bin/python -m tests.interop.brokers": "needs brokers; make interop uses the same functions",
    ".venv/bin/python -m pytest tests/interop": "needs brokers; make interop runs these tests",
    "pip install mqconvert ./docs/examples/mqconvert-stomp": _STOMP,
    "printf 'SEND": _STOMP,
}
"""The beginnings of commands that this test skips, with the reasons."""
EXTRAS = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])


def _commands(page: Path) -> Iterator[str]:
    text = page.read_text()
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language in ("", "sh") and not block.startswith(("$ ", "{")):  # docs/generate.py runs or makes the others
            lines = re.sub(r"\\\n\s*", "", block).splitlines()
            yield from filter(None, (re.sub(r"(^|\s+)# .*", "", line).strip() for line in lines))
    yield from re.findall(r"`((?:make [a-z]|docker )[^`\n]*)`", text)


COMMANDS = sorted({(name, command) for name in LISTED if name != "docs/command-line.md" for command in _commands(ROOT / name)})


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_commands_of_pages_are_valid(page: str, command: str) -> None:
    words = shlex.split(command)
    if any(command.startswith(beginning) for beginning in ELSEWHERE):
        return
    if words[0] == "mqconvert":
        parser().parse_args(words[1:])
    elif words[0] == "make":
        subprocess.run(["make", "--dry-run", *words[1:]], cwd=ROOT, check=True, capture_output=True)
        assert all(f"$({name.partition('=')[0]})" in (ROOT / "Makefile").read_text() for name in words[2:]), page
    elif words[:2] == ["pip", "install"]:
        path, extras = re.fullmatch(r"([\w./-]+)(?:\[([\w,]+)\])?", words[2]).groups("")  # type: ignore[union-attr]
        assert path in (".", "mqconvert"), page
        assert set(filter(None, extras.split(","))) <= EXTRAS
    else:
        assert words[0] == "curl", f"{page}: neither run nor explained: {command}"


def test_commands_in_reasons_occur_in_the_pages() -> None:
    told = [command for _, command in COMMANDS]
    assert [beginning for beginning in ELSEWHERE if not any(command.startswith(beginning) for command in told)] == []


def test_requests_in_pages_succeed() -> None:
    asked = [command for _, command in COMMANDS if command.startswith("curl")]
    assert asked
    with running() as (_, port):
        for command in asked:
            there = shlex.split(command.replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
            done = subprocess.run([*there, "--fail"], check=True, capture_output=True)
            assert [json.loads(line) for line in done.stdout.splitlines()]  # one line, or JSON lines
