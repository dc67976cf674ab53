"""What the compiler writes for our tables is what was looked at and committed."""

import pytest

from tests.snapshots import FOLDER, functions

FUNCTIONS = functions()
COMMITTED = sorted(file.relative_to(FOLDER).as_posix() for file in FOLDER.glob("**/*.txt"))


@pytest.mark.parametrize("name", sorted({*FUNCTIONS, *COMMITTED}))
def test_a_function_is_the_committed_one(name: str) -> None:
    assert FUNCTIONS.get(name, "no such table").splitlines() == (FOLDER / name).read_text(encoding="utf-8").splitlines()
