"""Generated files are written, compared, and cleared of leftovers."""

from pathlib import Path

import pytest

from docs.generated import write_or_check

MADE = {"a.json": "1\n", "deeper/b.json": "é\n"}


def test_generated_files_pass_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write_or_check(tmp_path, "**/*.json", MADE, ["--check"]) == 1
    assert write_or_check(tmp_path, "**/*.json", MADE, []) == 0
    assert write_or_check(tmp_path, "**/*.json", MADE, ["--check"]) == 0
    assert "a.json" in capsys.readouterr().err


def test_a_changed_file_and_an_extra_file_are_stale(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_or_check(tmp_path, "**/*.json", MADE, [])
    (tmp_path / "a.json").write_text("2\n")
    (tmp_path / "deeper" / "old.json").write_text("")
    (tmp_path / "mine.txt").write_text("stays")
    assert write_or_check(tmp_path, "**/*.json", MADE, ["--check"]) == 1
    assert "a.json" in (said := capsys.readouterr().err)
    assert "old.json" in said
    write_or_check(tmp_path, "**/*.json", MADE, [])
    assert sorted(file.name for file in tmp_path.rglob("*.*")) == ["a.json", "b.json", "mine.txt"]
