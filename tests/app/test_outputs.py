"""Files that appear only when they are complete."""

from pathlib import Path

import pytest

from mqconvert.app.outputs import replacing


def test_a_file_appears_complete_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with replacing(target) as first, replacing(target) as second:
        first.write(b"first")
        second.write(b"second")
        assert not target.exists()
    assert target.read_bytes() == b"first"
    with pytest.raises(KeyboardInterrupt), replacing(target):
        raise KeyboardInterrupt
    assert [*tmp_path.iterdir()] == [target]
    assert target.read_bytes() == b"first"


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    with replacing(tmp_path / "out"):
        pass
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("name", ["none/out", "file/out", "folder"])
def test_errors_have_the_name_that_was_given(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError) as raised, replacing(tmp_path / name):  # noqa: PT011 - its name is what counts
        pass
    assert raised.value.filename == str(tmp_path / name)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "folder"}
