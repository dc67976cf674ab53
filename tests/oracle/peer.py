"""RabbitMQ's conversion code as a process: `oracle.erl`, which runs in the Debian 13 tree of the live suite.

The compiled module stays in the tree, in a folder named by the hash of its source.
"""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tests.interop.brokers import NoBrokerError
from tests.interop.brokers.rabbitmq import RabbitMQ

SOURCE = Path(__file__).with_name("oracle.erl")
PLUGINS = "usr/lib/rabbitmq/lib/rabbitmq_server-*/plugins"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp", "LC_ALL": "C.UTF-8", "ERL_CRASH_DUMP_BYTES": "0"}


@dataclass(frozen=True, slots=True)
class Question:
    """A message to convert. `parts` is the wire form: for AMQP 0.9.1 property list and payload, else one part."""

    source: str
    target: str
    parts: tuple[bytes, ...]

    def line(self) -> str:
        """Return the line that the oracle reads."""
        return " ".join([self.source, self.target, *(part.hex() or "-" for part in self.parts)])

    def __str__(self) -> str:
        """Return "SOURCE > TARGET: HEX [HEX]" for people; (61)256. stands for 256 bytes 0x61, and - for no bytes.

        >>> str(Question("amqp-0.9.1", "mqtt-5.0", (bytes(2), b"a" * 30)))
        'amqp-0.9.1 > mqtt-5.0: 0000 (61)30.'
        """
        return f"{self.source} > {self.target}: {' '.join(map(_written, self.parts))}"

    @classmethod
    def read(cls, text: str) -> "Question":
        """Return the question that `str` wrote.

        >>> Question.read("amqp-1.0 > mqtt-5.0: 005375b0(00)3.1e(61)30.").parts[0][:9].hex()
        '005375b00000001e61'
        """
        ways, _, words = text.partition(": ")
        source, _, target = ways.partition(" > ")
        whole = [re.sub(r"\((..)\)(\d+)\.", lambda run: run[1] * int(run[2]), word) for word in words.split(" ")]
        return cls(source, target, tuple(b"" if word == "-" else bytes.fromhex(word) for word in whole))


def _written(part: bytes) -> str:
    runs = [(byte, len(list(same))) for byte, same in groupby(part)]
    return "".join(f"({byte:02x}){count}." if count > LONG_RUN else f"{byte:02x}" * count for byte, count in runs) or "-"


LONG_RUN = 20
"""The longest run of equal bytes that is written out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """RabbitMQ's answer: `parts` as in a question, or `error` with stage, class, reason and function."""

    parts: tuple[bytes, ...] = ()
    error: str | None = None

    @classmethod
    def read(cls, line: str) -> "Answer":
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "ok":
            return cls(tuple(b"" if part == "-" else bytes.fromhex(part) for part in rest.split(" ")))
        return cls(error=rest)


class Peer:
    """A running oracle."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Return the answers, in the order of the questions."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        text = "".join(f"{question.line()}\n" for question in questions)
        writer = threading.Thread(target=self._write, args=(text,))  # write while reading: both pipes have a limited size
        writer.start()
        lines = [self._process.stdout.readline() for _ in questions]
        writer.join()
        if "" in lines:
            raise NoBrokerError(f"the oracle ended with status {self._process.wait(10)}")
        return [Answer.read(line) for line in lines]

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text)
        self._process.stdin.flush()


@contextlib.contextmanager
def started() -> Iterator[Peer]:
    """Start an oracle for the `with` block. Raises NoBrokerError with the reason if that is impossible."""
    process = erlang("oracle:start()", SOURCE)
    try:
        yield Peer(process)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()  # the oracle ends with its input
        process.stdout.close()
        process.wait(30)


def erlang(call: str, *sources: Path, flags: Sequence[str] = ()) -> "subprocess.Popen[str]":
    """Start a process of Erlang in the tree that calls `call` and talks by lines; `sources` are modules beside RabbitMQ's.
    Raises NoBrokerError with the reason if that is impossible.
    """
    tree = RabbitMQ.prepare()
    plugins = next(iter(sorted(tree.glob(PLUGINS))))
    beams = [_compiled(source, tree, plugins) for source in sources]
    paths = [f"/{path.relative_to(tree)}" for path in (*beams, *sorted(plugins.glob("*/ebin")))]
    command = ["chroot", str(tree), "erl", "-noinput", "-boot", "start_clean", "-kernel", "logger_level", "error", *flags]
    return subprocess.Popen(
        [*command, "-pa", *paths, "-eval", call],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="ascii",
    )


def _compiled(source: Path, tree: Path, plugins: Path) -> Path:
    """Return the folder with the compiled module; compile the source if this tree does not have it."""
    text = source.read_bytes()
    folder = tree / "var/cache" / f"mqconvert-{source.stem}-{hashlib.sha256(text).hexdigest()[:16]}"
    if folder.exists():
        return folder
    made = Path(tempfile.mkdtemp(prefix="mqconvert-", dir=tree / "var/cache"))
    (made / source.name).write_bytes(text)
    inside = f"/{made.relative_to(tree)}"
    done = subprocess.run(
        ["chroot", str(tree), "erlc", "-o", inside, f"{inside}/{source.name}"],
        env=ENVIRONMENT | {"ERL_LIBS": f"/{plugins.relative_to(tree)}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        shutil.rmtree(made)
        raise NoBrokerError(f"{source.name} does not compile: {done.stdout.strip()[-500:]}")
    with contextlib.suppress(OSError):  # another run may have just created it
        os.rename(made, folder)  # noqa: PTH104
    shutil.rmtree(made, ignore_errors=True)
    return folder
