"""The job finds a Java that Spark can use, or says which one to install."""

from pathlib import Path

import pytest

from mqconvert.app.batch.java import find_java
from mqconvert.app.cli import main
from tests.app.batch.runs import PAIR
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_missing_or_old_java_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    batch = ["batch", *PAIR, "--input", "/in", "--output", "/out"]
    assert main(batch) == 2
    assert "Spark needs Java 17 or later, and neither JAVA_HOME nor PATH has one: install" in capsys.readouterr().err
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert main(batch) == 2
    assert f"{old} is Java 11" in capsys.readouterr().err


def test_java_is_found_on_the_path_behind_an_old_one(tmp_path: Path) -> None:
    java = find_java()
    (tmp_path / "java").symlink_to(java)
    assert find_java({"JAVA_HOME": "/nowhere", "PATH": str(tmp_path)}) == tmp_path / "java"
