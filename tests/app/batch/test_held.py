"""A run holds its outputs, and a run that must fail does so before Spark starts."""

import json
import os
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from mqconvert.app.batch.lease import Lease
from mqconvert.app.batch.storage import Local
from mqconvert.app.cli import main
from tests.app.batch.runs import PAIR, PUBLISH, archive, left, python
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_a_run_without_input_or_free_output_ends_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another run holds the output, it exists, or there is no input. The stand-in Java records calls other than `-version`."""
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    started = tmp_path / "started"
    java.write_text(f'#!/bin/sh\n[ "$1" = -version ] || touch {started}\necho \'openjdk version "17.0.1"\' >&2\n')
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    for name in ("HADOOP_CONF_DIR", "SPARK_CONF_DIR", "SPARK_HOME"):
        monkeypatch.delenv(name, raising=False)
    source, target = archive(tmp_path / "in", [PUBLISH]), tmp_path / "out"
    first = Lease(Local(), str(target), "first")
    first.acquire()
    for stream in ([], ["--stream", "--checkpoint", str(tmp_path / "checkpoint")]):
        assert main(["batch", *PAIR, "--input", str(source), "--output", str(target), *stream]) == 1
        assert "out is being written by run first on" in capsys.readouterr().err
    first.check()
    first.release()
    assert left(tmp_path) == ["in", "java"]
    target.mkdir()
    assert main(["batch", *PAIR, "--input", str(source), "--output", str(target)]) == 2
    assert "out exists: --overwrite replaces it" in capsys.readouterr().err
    (target / "part-0").touch()
    stream = ["--stream", "--checkpoint", str(tmp_path / "checkpoint")]
    (tmp_path / "lake").mkdir()
    assert main(["batch", *PAIR, "--input", str(tmp_path / "lake"), "--output", str(target), *stream]) == 2
    assert "belongs to another stream" in capsys.readouterr().err
    shutil.rmtree(target)
    (tmp_path / "lake").rmdir()
    assert main(["batch", *PAIR, "--input", str(tmp_path / "nothing"), "--output", str(target)]) == 2
    assert "nothing: there is no such path" in capsys.readouterr().err
    main(["batch", *PAIR, "--input", str(tmp_path / "nothing"), "--output", str(target), "--errors", "json"])
    assert json.loads(capsys.readouterr().err)["code"] == "bad_path"
    assert left(tmp_path) == ["in", "java"]
    next_ = python("-m", "mqconvert.app", "batch", *PAIR, "--input", str(source), "--output", str(target))
    assert "Spark did not start" in next_.communicate(timeout=120)[1]
    assert next_.returncode == 2
    assert left(tmp_path) == ["in", "java", "started"]  # the lease is released


def test_a_run_holds_its_lease_while_spark_starts(tmp_path: Path) -> None:
    """When two runs start together, the second does not wait for the Spark of the first."""
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text('#!/bin/sh\necho \'openjdk version "17.0.1"\' >&2\n[ "$1" = -version ] || exec sleep 600\n')
    java.chmod(0o755)
    source, target = archive(tmp_path / "in", [PUBLISH]), tmp_path / "out"
    asked = ["-m", "mqconvert.app", "batch", *PAIR, "--input", str(source), "--output", str(target)]
    runs = [python(*asked, JAVA_HOME=str(tmp_path / "java")) for _ in range(2)]
    deadline = time.monotonic() + 240
    while all(one.poll() is None for one in runs) and time.monotonic() < deadline:
        time.sleep(0.05)
    refused = [one.returncode for one in runs]
    for one in runs:
        with suppress(ProcessLookupError):
            os.killpg(one.pid, signal.SIGKILL)
    said = [one.communicate(timeout=60)[1] for one in runs]
    assert sorted(refused, key=str) == [1, None]
    assert "out is being written by run 20" in said[refused.index(1)]
