"""The command line: in this process, with streams of its own, and in a new process.

A new process takes 0.3 s of processor time, mostly for imports. Tests start one for what only a process has: an exit status,
signals, a terminal, closed streams, environment variables.
"""

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout

from mqconvert.app.cli import main

COMMAND = [sys.executable, "-m", "mqconvert.app"]
_INTERRUPTED = """import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)
from mqconvert.app.cli import main; sys.exit(main())"""
INTERRUPTED = [sys.executable, "-c", _INTERRUPTED]
"""The command with the default handler of SIGINT, even if the tests run in the background with SIGINT ignored."""


def process(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command in a new process."""
    return subprocess.run([*COMMAND, *arguments], input=data, capture_output=True, check=False)


def run(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command in this process. Its streams are files, as with `<` and `>` in a shell."""
    with ExitStack() as stack:
        given, out, err = (stack.enter_context(_stream(errors)) for errors in ("strict", "strict", "backslashreplace"))
        given.buffer.write(data)
        given.seek(0)
        with _standard_input(given), redirect_stdout(out), redirect_stderr(err):
            try:
                status = main(arguments)
            except SystemExit as ended:
                status = int(ended.code or 0)
        return subprocess.CompletedProcess(arguments, status, _written(out), _written(err))


def _stream(errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(tempfile.TemporaryFile(), encoding="utf-8", errors=errors)


@contextmanager
def _standard_input(given: io.TextIOWrapper) -> Iterator[None]:
    before, sys.stdin = sys.stdin, given
    try:
        yield
    finally:
        sys.stdin = before


def _written(stream: io.TextIOWrapper) -> bytes:
    stream.seek(0)
    return bytes(stream.buffer.read())
