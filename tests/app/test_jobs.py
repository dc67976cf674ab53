"""`convert --jobs N` as a user runs it: real processes, the output of one process, and no process left at the end."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqconvert.app import jobs
from mqconvert.app.lines import Made
from tests.app.program import INTERRUPTED

PUBLISH = base64.b64encode(bytes.fromhex("3006000174006869")).decode()
CONVERT = ("convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--format", "jsonl")
COMMAND = [sys.executable, "-m", "mqconvert.app", *CONVERT]
SPAWNED = "import multiprocessing as m, sys; m.set_start_method('spawn'); from mqconvert.app.cli import main; sys.exit(main())"


def lines(count: int) -> bytes:
    """Return lines with ids: most are valid, some invalid, empty, or with several messages."""
    several = base64.b64encode(bytes.fromhex("3006000174006869") * 3).decode()
    made = [{"id": at, "wire": "!" if at % 100 == 7 else several if at % 50 == 3 else PUBLISH} for at in range(count)]
    return b"".join(json.dumps(line).encode() + (b"\n\n" if at % 30 == 0 else b"\n") for at, line in enumerate(made))


def run(*more: str, data: bytes = b"", command: list[str] = COMMAND) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*command, *more], input=data, capture_output=True, check=False)


def children(pid: int) -> list[int]:
    """Return the processes that a process started (Linux: proc(5))."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ended(pids: list[int]) -> bool:
    """Return whether all these processes end within a minute."""
    for _ in range(600):
        if not any(Path(f"/proc/{pid}").exists() and "Z" not in _state(pid) for pid in pids):
            return True
        time.sleep(0.1)
    return False


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.fixture
def waiting(tmp_path: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """Start a command with two processes, each with one block, that waits for more lines."""
    command = [*INTERRUPTED, *CONVERT, "--jobs", "2", "-o", str(tmp_path / "out")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(lines(9000))
        process.stdin.flush()
        while len(children(process.pid)) < 2 and process.poll() is None:
            time.sleep(0.05)
        yield process
        process.kill()


def test_jobs_give_the_answers_of_one_process_in_the_same_order() -> None:
    data = lines(8000)
    one, three = run(data=data), run("--jobs", "3", data=data)
    assert three.stdout == one.stdout
    assert (three.returncode, three.stderr) == (one.returncode, one.stderr)
    written, failed = one.stdout.count(b"\n"), one.stdout.count(b'"error":')
    counted = f'mqconvert: {failed} of {written:,} lines failed; the member "error" says why\n'
    assert (one.returncode, one.stderr.decode()) == (1, counted)


def test_errors_have_the_number_of_a_line_without_id() -> None:
    good = b'{"wire":"MAYAAXQAaGk="}\n'
    data = good + b'no\n\n{"id":5,"wire":"AA=="}\n' + good * 9000 + b'{"wire":"AA=="}\n'
    for more in ((), ("--jobs", "2")):
        answers = [json.loads(line) for line in run("--fields", "message", *more, data=data).stdout.splitlines()]
        failed = [
            ({name: answer[name] for name in answer if name != "error"}, answer["error"])
            for answer in answers
            if "error" in answer
        ]
        assert [named for named, _ in failed] == [{"line": 2}, {"id": 5}, {"line": 9005}]
        assert failed[0][1]["message"] == "not JSON: Expecting value: column 1"


def test_jobs_print_the_account_of_every_message_in_order(tmp_path: Path) -> None:
    given = tmp_path / "in.jsonl"
    given.write_bytes(lines(3000))
    outputs = tmp_path / "one", tmp_path / "two"
    one, two = (run("--explain", "--jobs", str(jobs), str(given), "-o", str(out)) for jobs, out in enumerate(outputs, 1))
    assert outputs[1].read_bytes() == outputs[0].read_bytes()
    assert two.stderr == one.stderr
    assert one.stderr.count(b"payload") >= 3000


def test_jobs_start_no_more_processes_than_there_are_blocks() -> None:
    done = run("--jobs", "1000", data=lines(10))
    assert (done.returncode, done.stdout.count(b"\n")) == (1, 12)


def test_jobs_with_an_empty_input_write_no_line() -> None:
    done = run("--jobs", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"mqconvert: no message in the input\n")


def test_jobs_work_where_processes_are_spawned() -> None:
    command = [sys.executable, "-c", SPAWNED, *CONVERT]
    one, two = run(data=lines(3000)), run("--jobs", "2", data=lines(3000), command=command)
    assert (two.stdout, two.stderr) == (one.stdout, one.stderr)


def test_jobs_need_lines() -> None:
    done = run("--jobs", "2", "--output-format", "json", data=b"")
    assert done.returncode == 2
    assert b"--format jsonl" in done.stderr


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
@pytest.mark.parametrize(
    ("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_signal_ends_all_processes(waiting: "subprocess.Popen[bytes]", sent: signal.Signals, status: int) -> None:
    pids = children(waiting.pid)
    waiting.send_signal(sent)
    _, told = waiting.communicate(timeout=60)
    assert (waiting.returncode, told) == (status, b"")
    assert ended(pids)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
def test_a_killed_process_ends_the_command_with_an_error(waiting: "subprocess.Popen[bytes]") -> None:
    pids = children(waiting.pid)
    os.kill(pids[0], signal.SIGKILL)
    _, told = waiting.communicate(lines(6000), timeout=60)
    assert waiting.returncode == 1
    assert b"a process of --jobs ended with exit status -9" in told
    assert ended(pids)


def test_a_closed_pipe_ends_all_processes() -> None:
    process = subprocess.Popen([*COMMAND, "--jobs", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, told = process.communicate(lines(9000), timeout=60)
    assert (process.returncode, told) == (1, b"")


def test_joined_results_have_every_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "HELD", 4)
    made = [Made(b"ab", "1", failed=1), Made(b"cd", "2", failed=1), Made(b"e", "3")]
    joined = list(jobs._joined(made))
    assert [(each.output, each.told) for each in joined] == [(b"abcd", "12"), (b"e", "3")]
    assert [each.failed for each in joined] == [2, 0]
