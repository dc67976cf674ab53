"""Every command has examples in its help, and they run."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from mqconvert.app import examples
from mqconvert.app.cli import main
from tests.app.program import COMMAND

REPOSITORY = Path(__file__).parents[2]

RUN = [
    (name, line.strip())
    for name, text in {"program": examples.PROGRAM, **examples.COMMANDS}.items()
    if name not in ("serve", "batch", "completion", "move", "rules", "rules check")  # other tests run these
    for line in text.splitlines()
    if not line.strip().startswith("#") and "COMMAND" not in line
]


@pytest.mark.parametrize(("name", "line"), RUN)
def test_the_examples_of_help_run(name: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(REPOSITORY / "docs")
    command = line.replace("mqconvert ", f"{shlex.join(COMMAND)} ")
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(REPOSITORY)}, check=False)
    assert done.returncode == 0, name


@pytest.mark.parametrize("name", sorted(examples.COMMANDS))
def test_every_help_has_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*name.split(), "--help"])
    where = " in a checkout" if "docs/" in examples.COMMANDS[name] else ""  # a wheel has no samples
    assert f"examples{where}:\n{examples.COMMANDS[name]}" in capsys.readouterr().out
