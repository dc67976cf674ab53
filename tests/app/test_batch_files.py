"""Leases and folders of batch runs: races of real processes, and a kill before every step on the file system."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mqconvert import MqConvertError
from mqconvert.app.batch import lease as leases
from mqconvert.app.batch.lease import Lease
from mqconvert.app.batch.place import MANIFEST, Place, refuse_existing
from mqconvert.app.batch.storage import Local

RACER = """
import os, random, sys
from mqconvert import MqConvertError
from mqconvert.app.batch.lease import Lease
from mqconvert.app.batch.storage import Local
output, name, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(name)
held = 0
for number in range(rounds):
    lease = Lease(Local(), output, f"{name}-{number}")
    try:
        lease.acquire()
    except MqConvertError as error:
        assert error.code == "output_busy", error
        continue
    held += 1
    os.close(os.open(output + ".inside", os.O_CREAT | os.O_EXCL))
    os.unlink(output + ".inside")
    lease.check()
    if random.random() < 0.5:
        lease.release()
    else:  # dies: no heartbeat since 1970
        os.utime(lease._file(lease._number), (0, 0))
print(held)
"""


def test_one_process_at_a_time_holds_a_lease(tmp_path: Path) -> None:
    """Four processes take released and dead leases from one another. No two hold the lease at once."""
    output = str(tmp_path / "out")
    commands = [[sys.executable, "-c", RACER, output, name, "400"] for name in "abcd"]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for command in commands]
    said = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, said
    assert all(int(out) > 0 for out, _ in said)


def test_the_error_for_a_held_lease_names_its_process(tmp_path: Path) -> None:
    output = str(tmp_path / "out")
    Lease(Local(), output, "first").acquire()
    with pytest.raises(MqConvertError, match=rf"written by run first on .*, process {os.getpid()}, started 20") as caught:
        Lease(Local(), output, "second").acquire()
    assert caught.value.code == "output_busy"
    Lease(Local(), str(tmp_path / "out-2"), "third").acquire()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are told apart by /proc")
def test_the_lease_of_an_ended_process_is_free_at_once(tmp_path: Path) -> None:
    output = str(tmp_path / "out")
    code = "import os, sys; from mqconvert.app.batch.lease import Lease; from mqconvert.app.batch.storage import Local"
    subprocess.run([sys.executable, "-c", f"{code}; Lease(Local(), sys.argv[1], 'first').acquire(); os._exit(9)", output])  # noqa: PLW1510 - it exits with 9
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text())["run"] == "first"
    second = Lease(Local(), output, "second")
    second.acquire()
    second.check()
    second.release()
    assert list(tmp_path.iterdir()) == []


def test_a_lease_without_a_heartbeat_is_taken_over(tmp_path: Path) -> None:
    """A first run that resumes later detects the lost lease and does not touch the lease of the second."""
    output = str(tmp_path / "out")
    first, second = Lease(Local(), output, "first"), Lease(Local(), output, "second")
    first.acquire()
    (file,) = tmp_path.iterdir()
    past = file.stat().st_mtime - leases.DEAD
    os.utime(file, (past + 5, past + 5))
    with pytest.raises(MqConvertError, match="written by run first"):
        second.acquire()
    first.beat()
    assert file.stat().st_mtime > past + 5
    os.utime(file, (past - 1, past - 1))
    second.acquire()
    first.beat()
    with pytest.raises(MqConvertError) as caught:
        first.check()
    assert caught.value.code == "lease_lost"
    first.release()
    second.check()


def test_an_empty_lease_holds_until_it_expires(tmp_path: Path) -> None:
    """Its writer was killed between creating and writing it."""
    file = tmp_path / ".out.lease-1"
    file.touch()
    lease = Lease(Local(), str(tmp_path / "out"), "second")
    with pytest.raises(MqConvertError, match="written by another run"):
        lease.acquire()
    os.utime(file, (0, 0))
    lease.acquire()
    assert [path.name for path in tmp_path.iterdir()] == [".out.lease-2"]


def test_the_error_waits_until_a_new_lease_names_its_process(tmp_path: Path) -> None:
    """Between creating and writing a lease, its file is empty."""
    first, second = (Lease(Local(), str(tmp_path / "out"), name) for name in ("first", "second"))
    first.acquire()
    file = tmp_path / ".out.lease-1"
    text = file.read_text()
    file.write_text("")
    with pytest.raises(MqConvertError, match="written by run first on"), written_later(file, text):
        second.acquire()


@contextmanager
def written_later(file: Path, text: str) -> Iterator[None]:
    writer = threading.Timer(0.2, file.write_text, [text])
    writer.start()
    try:
        yield
    finally:
        writer.join()


# ---- kills --------------------------------------------------------------------------------------------------------------


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


def test_every_spelling_of_an_output_path_has_the_same_lease(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    spellings: list[Any] = [tmp_path / "folder" / "out", f"file:{tmp_path}/link/../folder/./out", tmp_path / "link" / "out"]
    assert len({Local().qualified(str(spelling)) for spelling in spellings}) == 1
