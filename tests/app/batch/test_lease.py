"""Leases, in races of real processes."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mqconvert import MqConvertError
from mqconvert.app.batch import lease as leases
from mqconvert.app.batch.lease import Lease
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


def test_a_lease_with_a_time_in_the_future_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of its host is a day ahead. A heartbeat shows that it lives; without one, it is taken over."""
    monkeypatch.setattr(leases, "_LOOK", 0.05)
    output = str(tmp_path / "out")
    first, second = Lease(Local(), output, "first"), Lease(Local(), output, "second")
    first.acquire()
    (file,) = tmp_path.iterdir()
    ahead = file.stat().st_mtime + 86400
    os.utime(file, (ahead, ahead))
    beat = threading.Timer(0.3, os.utime, [file, (ahead + leases.BEAT, ahead + leases.BEAT)])
    beat.start()
    with pytest.raises(MqConvertError, match="written by run first"):
        second.acquire()
    beat.join()
    monkeypatch.setattr(leases, "DEAD", 0.5)
    second.acquire()
    second.check()
    assert [path.name for path in tmp_path.iterdir()] == [".out.lease-2"]


def test_a_watched_lease_that_is_released_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "_LOOK", 0.05)
    output = str(tmp_path / "out")
    first, second = Lease(Local(), output, "first"), Lease(Local(), output, "second")
    first.acquire()
    (file,) = tmp_path.iterdir()
    ahead = file.stat().st_mtime + 86400
    os.utime(file, (ahead, ahead))
    release = threading.Timer(0.3, first.release)
    release.start()
    second.acquire()
    release.join()
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
