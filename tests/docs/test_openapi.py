"""The committed documents equal those of the code."""

from pathlib import Path

from docs.openapi import documents

REPOSITORY = Path(__file__).parents[2]


def test_committed_documents_are_current() -> None:
    folder = REPOSITORY / "openapi"
    assert {file.relative_to(folder).as_posix(): file.read_text() for file in folder.rglob("*.json")} == documents()
