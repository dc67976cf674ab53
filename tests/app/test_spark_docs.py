"""docs/spark.md as users run it: the notebook session, the cluster recipe, and Spark Connect."""

import json
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
import pytest
from pyspark.sql import SparkSession

from mqconvert.compiled import is_compiled
from tests.on_spark import ENVIRONMENT, ON_SPARK

pytestmark = [pytest.mark.system, *ON_SPARK]

ROOT = Path(__file__).parents[2]
PUBLISH = bytes.fromhex("3006000174006869")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "docs" / "spark.md").read_text(), re.DOTALL | re.MULTILINE)


def test_the_notebook_of_the_page_runs(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names: dict[str, Any] = {}
    for block in blocks("python"):
        # Relative paths refer to the folder where Java was started, before this test.
        here = block.replace('parquet("archive")', f"parquet({str(tmp_path / 'archive')!r})")
        exec(compile(here, "docs/spark.md", "exec"), names)
    assert names["spark"] is spark
    kinds = set(map(tuple, names["by_rule"]))
    assert ("dropped", "retain", 100) in kinds
    assert {kind for kind, _, _ in kinds} == {"lost", "dropped"}
    assert (tmp_path / "losses.png").read_bytes().startswith(b"\x89PNG")


def test_spark_connect_runs_frames_sql_and_the_job(tmp_path: Path) -> None:
    """The test runs in a separate process, since a process has only one kind of Spark session."""
    code = """
from pyspark.sql import SparkSession, functions as F
from mqconvert.converters.spark import convert_frame, convert_udf, register
spark = SparkSession.builder.remote("local[1]").config("spark.ui.enabled", "false").getOrCreate()
assert "connect" in type(spark).__module__
wire = bytes.fromhex("3006000174006869")
df = spark.createDataFrame([(0, "mqtt-5.0", wire), (1, "stomp", wire)], "id long, protocol string, wire binary")
rows = convert_frame(df, source=F.col("protocol"), target="amqp-0.9.1").collect()
assert [row.error and row.error.code for row in rows] == [None, "unknown_protocol"], rows
made = df.select(convert_udf("mqtt-5.0", "amqp-0.9.1")("wire").alias("made")).select("made.converted").first()
register(spark)
df.createOrReplaceTempView("archive")
other = spark.sql("SELECT mq_convert(wire, protocol, 'amqp-0.9.1').converted AS converted FROM archive WHERE id = 0").first()
assert rows[0].converted == made.converted == other.converted
from pathlib import Path
import json, sys
from mqconvert import MqConvertError
from mqconvert.app.batch import run
folder = Path(sys.argv[1])
df.select("id", "wire").write.parquet(f"file:{folder}/in")
asked = {"source": "mqtt-5.0", "target": "amqp-0.9.1", "input": f"file:{folder}/in", "max_reject_share": 0.5}
done = run(spark, output=str(folder / "out"), rejects=str(folder / "bad"), **asked)
assert (done.counts.read, done.counts.messages, done.problem) == (2, 2, None), done
assert json.loads((folder / "out" / "_manifest.json").read_text())["run"] == done.run
spark.sql(f"CREATE DATABASE lake LOCATION 'file:{folder}/lake'")
assert run(spark, table="lake.made", **asked).counts == done.counts
assert spark.table("lake.made").where("status = 'converted'").count() == 2
try:
    run(spark, output="s3a://bucket/out", **asked)
except MqConvertError as error:
    assert error.code == "bad_path", error
else:
    raise AssertionError
print("done")
spark.stop()
"""
    out, err, _ = finished([sys.executable, "-c", code, str(tmp_path)], env=os.environ | ENVIRONMENT)
    assert out.strip() == "done", err


def finished(arguments: list[str], **options: Any) -> tuple[str, str, int]:
    """Return output, errors and status of a process; after a timeout, kill it with its children."""
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, stdout=pipe, stderr=pipe, text=True, start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(timeout=400)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return out, err, process.returncode


# ---- a cluster of one master and two workers ----------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """Start a standalone cluster from pip's PySpark, which lacks the scripts for it; stop it after the test."""
    port, page = free_port(), free_port()
    master = f"spark://127.0.0.1:{port}"
    spark_class = Path(pyspark.__file__).parent / "bin" / "spark-class"
    environment = os.environ | ENVIRONMENT | {"SPARK_DAEMON_MEMORY": "256m", "SPARK_LOG_DIR": str(tmp_path)}
    commands = [["master.Master", "--port", str(port), "--webui-port", str(page)]]
    for number in (1, 2):
        folder = tmp_path / f"worker{number}"
        commands.append(
            ["worker.Worker", master, "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", str(folder)]
        )
    processes: list[subprocess.Popen[bytes]] = []
    with (tmp_path / "cluster.log").open("wb") as log:
        for name, *arguments in commands:
            command = [str(spark_class), f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", *arguments]
            processes.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
    try:
        deadline = time.monotonic() + 240
        while alive(page) < 2:
            assert all(process.poll() is None for process in processes), (tmp_path / "cluster.log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.2)
        yield master
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(timeout=60)


def alive(page: int) -> int:
    """Return the number of workers known to the master. A starting master refuses connections, or answers with its page."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{page}/json/", timeout=10) as answer:
            count: int = json.load(answer)["aliveworkers"]
    except (OSError, json.JSONDecodeError):
        return 0
    return count


@pytest.fixture
def bare_python(tmp_path: Path) -> Path:
    """Return an interpreter with our packages but without mqconvert: `.pth` files in a listed folder are not read."""
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    (packages,) = (tmp_path / "bare" / "lib").glob("python3*/site-packages")
    (packages / "ours.pth").write_text(str(Path(pyspark.__file__).parents[1]))
    python = tmp_path / "bare" / "bin" / "python"
    missing = subprocess.run(
        [python, "-c", "import pyspark, mqconvert"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "No module named 'mqconvert'" in missing.stderr
    return python


def wheel_of_compiled_modules(folder: Path) -> None:
    """Write the wheel like `make wheels`."""
    wheels = runpy.run_path(str(ROOT / "scripts" / "speed" / "wheels.py"))
    wheels["write_wheel"].__globals__["DIST"] = folder
    wheels["write_wheel"]()


def test_the_cluster_recipe_runs_with_only_the_zip_on_executors(cluster: str, bare_python: Path, tmp_path: Path) -> None:
    """Two executors get mqconvert only from the zip, by spark-submit and by the command that ships itself."""
    for name in ("app", "converters", "mappings", "mqconvert", "pyproject.toml", "README.md", "LICENSE"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / "tree" / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / "tree" / name)
    (tmp_path / "in").mkdir()
    for number in range(4):
        wires = pa.array([PUBLISH, b"", PUBLISH * 2] * 100, pa.binary())
        more = pa.array([os.urandom(2**11) for _ in wires], pa.binary())  # a smaller input would be one task on one executor
        pq.write_table(pa.table({"wire": wires, "more": more}), tmp_path / "in" / f"{number}.parquet")
    environment = os.environ | ENVIRONMENT
    environment |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYSPARK_PYTHON": str(bare_python),
    }
    environment |= {"MASTER": cluster, "INPUT": str(tmp_path / "in"), "OUTPUT": str(tmp_path / "out")}
    recipe, archives = blocks("sh")
    command = [sys.executable, "-m", "mqconvert.app", "batch", "--master", cluster, "--memory", "512m", "--from", "mqtt-5.0"]
    command += ["--to", "amqp-0.9.1", "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out2")]
    tree = tmp_path / "tree"
    for arguments, folder in ((["sh", "-eu", "-c", recipe], tree), (command, tmp_path), (["sh", "-eu", "-c", archives], tree)):
        if arguments[-1] is archives:  # two wheels where modules are compiled
            environment["OUTPUT"] = str(tmp_path / "out3")
            if is_compiled():
                wheel_of_compiled_modules(tree / "dist")
        out, err, status = finished(arguments, cwd=folder, env=environment)
        assert status == 0, err
        assert "converted              800 rows" in out
    for folder in (tmp_path / "out", tmp_path / "out2", tmp_path / "out3"):
        told = json.loads((folder / "_manifest.json").read_text())
        assert (told["read"], told["converted"], told["rejected"], told["messages"]) == (1200, 800, 400, 1200)
    for number in (1, 2):
        zips = list((tmp_path / f"worker{number}").glob("app-*/*/mqconvert.zip"))
        assert len(zips) == 2, "an executor of each application with a zip ran on each worker"
        (packages,) = (tmp_path / f"worker{number}").glob("app-*/*/packages/mqconvert")
        assert (packages / "compiled.json").exists() == is_compiled()
