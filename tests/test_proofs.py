"""Proofs run if their inputs changed since they passed, and in the deep lane; a run that fails records nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs import FILE

CONFTEST = "from tests.proofs import pytest_addoption, pytest_collection_modifyitems, pytest_sessionfinish\n"
TEST = """import pytest
from pathlib import Path

@pytest.mark.proof
@pytest.mark.parametrize("number", [1, 2])
def test_proof(number):
    assert "bad" not in Path("converters/inside/a.py").read_text()
"""
ROOT = Path(__file__).parents[1]


def _ran(folder: Path, *options: str) -> str:
    """Run the tests in a folder, and return the last line of the output."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", *options]
    done = subprocess.run(command, cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[-1].partition(" in ")[0]


@pytest.mark.system
def test_a_proof_runs_again_if_its_inputs_changed_and_always_in_the_deep_lane(tmp_path: Path) -> None:
    source, file = tmp_path / "converters" / "inside" / "a.py", tmp_path / FILE
    for folder in (source.parent, file.parent):
        folder.mkdir(parents=True)
    for name, text in (("conftest.py", CONFTEST), ("test_it.py", TEST), ("pytest.ini", "")):
        (tmp_path / name).write_text(text)
    source.write_text("good = 1\n")
    assert (_ran(tmp_path), file.exists()) == ("2 passed", False)
    assert (_ran(tmp_path, "--record-proofs", "-k", "2"), file.exists()) == ("1 passed, 1 deselected", False)
    other = tmp_path / "test_other.py"
    other.write_text("def test_bad(): assert False\n")
    assert (_ran(tmp_path, "--record-proofs", "-n", "2"), file.exists()) == ("1 failed, 2 passed", False)
    other.unlink()
    assert (_ran(tmp_path, "--record-proofs", "-n", "2"), file.exists()) == ("2 passed", True)
    assert _ran(tmp_path) == "2 deselected"
    assert _ran(tmp_path, "--deep") == "2 passed"
    known = file.read_text()
    source.write_text("bad = 1\n")
    assert (_ran(tmp_path, "--record-proofs"), file.read_text()) == ("2 failed", known)
