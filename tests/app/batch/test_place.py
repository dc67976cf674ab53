"""The folder of a run, with a kill before every step on the file system."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqconvert import MqConvertError
from mqconvert.app.batch.place import MANIFEST, Place, refuse_existing
from mqconvert.app.batch.storage import Local


class Killed(BaseException):
    """The process ended here."""


class Ending(Local):
    """The files of a process that is killed before its step number `last`."""

    def __init__(self, last: int) -> None:
        self.left = last

    def _step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed

    def write(self, path: str, text: str) -> None:
        self._step()
        super().write(path, text)

    def make(self, path: str) -> None:
        self._step()
        super().make(path)

    def move(self, path: str, to: str) -> None:
        self._step()
        super().move(path, to)

    def delete(self, path: str) -> None:
        self._step()
        super().delete(path)


def data_set(path: Path, text: str) -> None:
    for status in ("converted", "rejected"):
        (path / f"status={status}").mkdir(parents=True)
        (path / f"status={status}" / "part-0").write_text(text)


def texts(path: Path) -> Iterator[str]:
    return (file.read_text() for file in sorted(path.rglob("part-0")))


def kills(folder: Path, *, rejects: bool, old: bool) -> Iterator[tuple[Path, Path | None, bool]]:
    """Yield output and rejects of runs killed before each step, from the first to the last."""
    for last in range(100):
        here = folder / str(last)
        output, bad = here / "out", here / "bad" if rejects else None
        if old:
            data_set(output, "old")
            if bad is not None:
                (output / "status=rejected").rename(bad)
        here.mkdir(exist_ok=True)
        place = Place(Ending(last), "first", str(output), None if bad is None else str(bad), "status=rejected")
        data_set(Path(place.rows), "new")
        try:
            place.commit(json.dumps({"run": "first"}), overwrite=old)
            place.end()
        except Killed:
            yield output, bad, False
        else:
            yield output, bad, True
            return


@pytest.mark.parametrize("rejects", [False, True])
@pytest.mark.parametrize("old", [False, True])
def test_a_kill_at_any_step_leaves_the_old_or_the_new_output(tmp_path: Path, rejects: bool, old: bool) -> None:
    """The next run recovers: both parts come from one run, and no other file is left."""
    ends: list[bool] = []
    for output, bad, ended in kills(tmp_path, rejects=rejects, old=old):
        ends.append(ended)
        Place(Local(), "second", str(output), None if bad is None else str(bad), "status=rejected").recover()
        parts = [*texts(output), *texts(bad or output)]
        assert parts in (["new"] * len(parts), ["old"] * len(parts) if old else [])
        wanted = {path.name for path in (output, bad) if path is not None}
        assert {path.name for path in output.parent.iterdir()} == (wanted if parts else set())
        if ended:
            assert parts[:1] == ["new"]
            assert json.loads((output / MANIFEST).read_text())["run"] == "first"
    assert ends.count(True) == 1
    assert len(ends) > 5


def test_a_kill_during_recovery_is_recovered(tmp_path: Path) -> None:
    for output, bad, _ in kills(tmp_path, rejects=True, old=True):
        for last in range(20):
            try:
                Place(Ending(last), f"again-{last}", str(output), str(bad), "status=rejected").recover()
                break
            except Killed:
                continue
        assert {path.name for path in output.parent.iterdir()} == {"out", "bad"}
        assert len({*texts(output), *texts(Path(str(bad)))}) == 1


def test_a_run_that_lost_its_lease_publishes_nothing(tmp_path: Path) -> None:
    """Another run took the folder away, so the first run can no longer rename its output."""
    first = Place(Local(), "first", str(tmp_path / "out"), None, "status=rejected")
    data_set(Path(first.rows), "new")
    Place(Local(), "second", str(tmp_path / "out"), None, "status=rejected").recover()
    with pytest.raises(MqConvertError):
        first.commit("{}", overwrite=False)
    first.end()
    assert list(tmp_path.iterdir()) == []


def test_the_manifest_is_copied_last_where_renaming_is_copying(tmp_path: Path) -> None:
    """Readers wait for the manifest, so a copy must not have it before its rows."""
    moved: list[bool] = []

    class Copying(Local):
        atomic = False

        def move(self, path: str, to: str) -> None:
            moved.append(any(Path(path).rglob(MANIFEST)))
            super().move(path, to)

    place = Place(Copying(), "first", str(tmp_path / "out"), str(tmp_path / "bad"), "status=rejected")
    data_set(Path(place.rows), "new")
    place.commit(json.dumps({"run": "first"}), overwrite=False)
    place.end()
    assert moved == [False, False]
    assert all((tmp_path / name / MANIFEST).exists() for name in ("out", "bad"))


def test_paths_are_literal(tmp_path: Path) -> None:
    """An output with brackets in its name is not a pattern that matches another path."""
    (tmp_path / "out1").mkdir()
    refuse_existing(Local(), str(tmp_path / "out[12]"), None, overwrite=False)
    (tmp_path / "out[12]").mkdir()
    with pytest.raises(MqConvertError, match="exists: --overwrite"):
        refuse_existing(Local(), str(tmp_path / "out[12]"), None, overwrite=False)


def test_the_run_of_an_output_with_a_longer_name_is_left_alone(tmp_path: Path) -> None:
    live = Place(Local(), "live", str(tmp_path / "out.2026"), None, "status=rejected")
    data_set(Path(live.rows), "new")
    Place(Local(), "other", str(tmp_path / "out"), None, "status=rejected").recover()
    live.commit('{"run": "live"}', overwrite=False)
    assert [*texts(tmp_path / "out.2026")] == ["new", "new"]
