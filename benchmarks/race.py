"""Conversions from wire to wire, against RabbitMQ's own code: `make race` writes benchmarks/race.md.

Each of the six directions between AMQP 0.9.1, AMQP 1.0 and MQTT 5.0, on the typical message and on three mixes from the
corpus. The messages are those of commit 76a35e08, kept in race.jsonl. In every round each runner converts the same messages
for about the same time: Erlang, the compiled modules, on other interpreters also if asked, the sources, and the sources of an
older commit. The modules and the sources make each call of CALLS. Then each message is measured alone. Only the ratios count;
both sides share one noisy machine.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, is_dataclass
from os import environ
from pathlib import Path
from typing import Any

from measure import machine

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from mqconvert import Entry, MqConvertError, decode  # noqa: E402 - needs the path above
from mqconvert.converters.protocols.amqp091 import codec as amqp091  # noqa: E402 - as above
from tests.oracle.peer import SOURCE, erlang  # noqa: E402 - as above

BEFORE = "1a3c9b7"
"""The last commit before the compiled modules."""
CALLS = {
    "objects": ("objects, report read", "`decode`, `convert` and `encode`, report read"),
    "transcode": ("transcode, report not read", "`transcode`, report not read"),
    "report": ("transcode, report read", "`transcode`, report read"),
}
"""The calls of runner.py: their names in tables of several calls, and the titles of their own tables."""
MIXES = ("typical", "lossy", "nested", "4 kB")
BODY = (bytes(range(256)) * 16).hex()
"""The body of the messages of 4 kB."""


@dataclass(frozen=True, slots=True)
class Heat:
    """One direction on one kind of message: the wire bytes for mqconvert and the words for race.erl."""

    source: str
    target: str
    kind: str
    wires: tuple[bytes, ...]

    def words(self, *, erlang: bool) -> str:
        return " ".join(map(_parts if erlang and self.source == "amqp-0.9.1" else bytes.hex, self.wires))


def _parts(wire: bytes) -> str:
    """Return a content of AMQP 0.9.1 in the form for race.erl: the property list and the payload."""
    message: Any = decode("amqp-0.9.1", wire)
    return "+".join(part.hex() or "-" for part in (amqp091.encode_properties(message.basic), message.payload))


class Runner:
    """A process that converts messages and prints the processor time."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def spent(self, heat: Heat, repeats: int, *, erlang: bool) -> float | None:
        """Return microseconds of processor time for one message, None if a message fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{repeats} {heat.source} {heat.target} {heat.words(erlang=erlang)}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        return None if answer == "failed" else int(answer) / repeats / len(heat.wires)


@contextmanager
def runners(*, before: bool, interpreters: Sequence[str] = ()) -> Iterator[dict[str, Runner]]:
    """Start Erlang and every available form of mqconvert; yield them by name."""
    with ExitStack() as ends:
        flags = ("+S", "1:1", "+sbwt", "none")
        started = {"RabbitMQ": erlang("race:start()", SOURCE, Path(__file__).with_name("race.erl"), flags=flags)}
        for call in CALLS:
            if (ROOT / "mqconvert" / "compiled.json").exists():
                started[named("compiled", call)] = _python(ROOT, call)
                for interpreter in interpreters:
                    started[named(f"compiled on {_version(interpreter)}", call)] = _python(ROOT, call, interpreter)
            started[named("sources", call)] = _python(ROOT, call, MQCONVERT_PURE="1")
        if before:
            folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
            archive = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
            subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
            started[named(BEFORE, "objects")] = _python(folder, "objects")
        for process in started.values():
            ends.enter_context(process)
        yield {name: Runner(process) for name, process in started.items()}
        for process in started.values():
            assert process.stdin is not None
            process.stdin.close()  # each process ends with its input


def named(form: str, call: str) -> str:
    """Return the name of a runner: the modules, sources or commit that it runs, and its call."""
    return f"{form}, {CALLS[call][0]}"


def _version(interpreter: str) -> str:
    """Return the version of another CPython; its builders and their flags make a difference, too."""
    return subprocess.run([interpreter, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


def _python(root: Path, call: str, interpreter: str = sys.executable, **variables: str) -> "subprocess.Popen[str]":
    command = [interpreter, "-S", str(Path(__file__).with_name("runner.py")), str(root), call]
    site = next(path for path in sys.path if path.endswith("site-packages"))
    return subprocess.Popen(
        command,
        env={**environ, "PYTHONPATH": site, "PYTHONSAFEPATH": "1", **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="ascii",
    )


# ---- the races -----------------------------------------------------------------------------------------------------


def heats() -> Iterator[Heat]:
    """Yield every direction on every kind of message; in race.jsonl, `*` stands for a body of 4 kB."""
    for line in Path(__file__).with_name("race.jsonl").read_text(encoding="ascii").splitlines():
        heat = json.loads(line)
        wires = tuple(bytes.fromhex(wire.replace("*", BODY)) for wire in heat["wires"])
        yield Heat(heat["source"], heat["target"], heat["kind"], wires)


ALONE = 0.05
"""Seconds that a message takes at least when it is measured alone: Erlang's clock counts milliseconds."""
SECTIONS = "x-amqp-1.0-"
"""The beginning of the headers of AMQP 0.9.1 that have sections of AMQP 1.0."""
DEAR = 4
"""A message is dear if it takes more than so many times the median of its heat."""


def alone(heat: Heat, runner: Runner, name: str, share: float) -> list[float]:
    """Return microseconds for each message of the heat, measured alone; all of them take about `share` seconds, or more."""
    taken = []
    for wire in heat.wires:
        one = Heat(heat.source, heat.target, heat.kind, (wire,))
        repeats = _repeats(runner, name, one, 2000, max(ALONE, share / len(heat.wires)))
        taken.append(_spent(runner, name, one, repeats))
    return taken


def dearest(costs: dict[Heat, dict[str, list[float]]]) -> str:
    """Return a table of the median message and the dearest one, by heat and runner; a message's number counts from 0."""
    rows = ["| from | to | messages | runner | mean | median | dearest | its number |", "|---|---|---|---|---|---|---|---|"]
    for heat, taken in costs.items():
        for name, each in taken.items():
            worst = max(each)
            figures = f"{statistics.mean(each):.1f} | {statistics.median(each):.1f} | {worst:.1f} | {each.index(worst)}"
            rows.append(f"| {heat.source} | {heat.target} | {heat.kind} | {name} | {figures} |")
    return "\n".join(rows) + "\n"


def dear(costs: dict[Heat, dict[str, list[float]]], name: str) -> str:
    """Return a table of the messages that take a runner more than DEAR times the median of their heat, with the reason.

    The reason is how many values a message holds, those in lists and maps and in sections within headers included, or that it
    has such sections: `transcode` decodes the message that it wrote, places them there, and encodes it again.
    """
    head = ["from", "to", "messages", "number", name, "times the median", "RabbitMQ", "values", "median of values"]
    head.append("sections in headers")
    rows = [head, ["---"] * len(head)]
    for heat, taken in costs.items():
        median = statistics.median(taken[name])
        held = [values_in(decode(heat.source, wire)) for wire in heat.wires]
        for number, cost in enumerate(taken[name]):
            if cost > DEAR * median:
                figures = f"{cost:.1f}", f"{cost / median:.1f}", f"{taken['RabbitMQ'][number]:.1f}"
                sections = "yes" if SECTIONS.encode() in heat.wires[number] else "no"
                reasons = str(held[number]), f"{statistics.median(held):g}", sections
                rows.append([heat.source, heat.target, heat.kind, str(number), *figures, *reasons])
    none = "" if len(rows) > 2 else f"No message takes more than {DEAR} times the median of its heat.\n"
    return none or "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def values_in(held: Any) -> int:
    """Return the number of values in a message or a value: those of lists, maps, arrays, and encoded sections one by one."""
    if type(held) in (list, tuple):
        return sum(map(values_in, held))
    if isinstance(held, Entry) and str(held.key).startswith(SECTIONS):
        try:
            return values_in(decode("amqp-1.0", held.value))
        except MqConvertError:  # another value of that header
            return 1
    if is_dataclass(held):
        return sum(values_in(getattr(held, field.name)) for field in fields(held) if field.name not in ("type", "of", "key"))
    return held is not None


# ---- the race ------------------------------------------------------------------------------------------------------


def race(heat: Heat, running: dict[str, Runner], rounds: int, share: float) -> dict[str, list[float]]:
    """Return microseconds a message, for each runner in each round; a turn takes `share` seconds."""
    trial = max(1, 2000 // len(heat.wires))
    repeats = {name: _repeats(runner, name, heat, trial, share) for name, runner in running.items()}
    taken: dict[str, list[float]] = {name: [] for name in running}
    for _ in range(rounds):
        for name, runner in running.items():
            taken[name].append(_spent(runner, name, heat, repeats[name]))
    return taken


def _repeats(runner: Runner, name: str, heat: Heat, trial: int, share: float) -> int:
    """Return how often a turn of `share` seconds converts the messages, after a trial of so many times."""
    took = _spent(runner, name, heat, trial)
    return max(1, int(share * 1e6 / max(took, 0.1) / len(heat.wires)))


def _spent(runner: Runner, name: str, heat: Heat, repeats: int) -> float:
    spent = runner.spent(heat, repeats, erlang=name == "RabbitMQ")
    if spent is None:
        raise RuntimeError(f"{name} fails on {heat.kind} messages from {heat.source} to {heat.target}")
    return spent


def table(results: dict[Heat, dict[str, list[float]]], call: str) -> str:
    """Return a table of the runners with this call: a row for each heat."""
    told = f", {CALLS[call][0]}"
    names = [name for name in next(iter(results.values())) if name.endswith(told)]
    forms = [name.removesuffix(told) for name in names]
    head = ["from", "to", "messages", "RabbitMQ", *forms, *(f"RabbitMQ / {form}" for form in forms)]
    rows = [head, ["---"] * len(head)]
    for heat, taken in results.items():
        ratios = [f"{_ratio(taken, 'RabbitMQ', name):.2f}" for name in names]
        rows.append([heat.source, heat.target, heat.kind, *(_told(taken[name]) for name in ("RabbitMQ", *names)), *ratios])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _told(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} ({min(values):.1f} to {max(values):.1f})"


def _ratio(taken: dict[str, list[float]], above: str, below: str) -> float:
    """Return the median of the ratios of the rounds; the turns of a round follow one another."""
    return statistics.median(a / b for a, b in zip(taken[above], taken[below], strict=True))


def summary(results: dict[Heat, dict[str, list[float]]], costs: dict[Heat, dict[str, list[float]]]) -> str:
    """Return a table of the ratios by kind: of the means of all messages, and of the medians of messages measured alone."""
    cells = [name for name in next(iter(results.values())) if name != "RabbitMQ"]
    compared = [(name, "RabbitMQ") for name in cells]
    compared += [(named(form, "transcode"), named(form, "objects")) for form in ("compiled", "sources")]
    compared.append((named("sources", "objects"), named(BEFORE, "objects")))
    compared = [pair for pair in compared if {*pair} <= {"RabbitMQ", *cells}]
    head = "messages", "runner", "times as fast as", "median of the directions", "slowest", "by the median message", "slowest"
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for kind in MIXES:
        of_kind = [heat for heat in results if heat.kind == kind]
        for below, above in compared if of_kind else ():
            means = [_ratio(results[heat], above, below) for heat in of_kind]
            medians = [statistics.median(costs[heat][above]) / statistics.median(costs[heat][below]) for heat in of_kind]
            figures = (f"{statistics.median(ratios):.2f} | {min(ratios):.2f}" for ratios in (means, medians))
            rows.append(f"| {kind} | {below} | {above} | {' | '.join(figures)} |")
    return "\n".join(rows) + "\n"


def sections(results: dict[Heat, dict[str, list[float]]], costs: dict[Heat, dict[str, list[float]]]) -> str:
    """Return all tables, each under its title."""
    parts = {title: table(results, call) for call, (_, title) in CALLS.items()}
    parts |= {"Ratios by kind": summary(results, costs), "Messages measured alone": dearest(costs)}
    form = "compiled" if named("compiled", "objects") in next(iter(costs.values())) else "sources"
    parts |= {f"Dear messages: {named(form, call)}": dear(costs, named(form, call)) for call in ("objects", "transcode")}
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts.items())


INTRODUCTION = """# The race with RabbitMQ

Written by `make race`: wire to wire, microseconds of processor time a message, the median of {rounds} rounds
(lowest to highest). In a round every runner takes its turn; a ratio is the median of the ratios of the rounds. RabbitMQ is
its own conversion code on one scheduler of Erlang, without a broker around it (benchmarks/race.erl); of AMQP 0.9.1 it reads
and writes the property list and the payload, mqconvert the frames around them, too. Each table or row says whether the report
of every message was read; `transcode` makes it when it is read, by a conversion of the message. The last tables are of messages
measured alone: a mean of few is that of its dearest. {machine}

"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Race mqconvert with RabbitMQ's conversion code.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--share", type=float, default=0.2, help="seconds of a turn")
    parser.add_argument("--kind", action="append", choices=MIXES, help="race these messages alone (repeatable)")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="PATH",
        help="another CPython of the same minor version that runs the compiled modules too (repeatable)",
    )
    parser.add_argument("--no-before", action="store_true", help=f"leave out the sources of {BEFORE}")
    parser.add_argument("--no-page", action="store_true", help="print only")
    options = parser.parse_args()
    results: dict[Heat, dict[str, list[float]]] = {}
    costs: dict[Heat, dict[str, list[float]]] = {}
    with runners(before=not options.no_before, interpreters=options.python) as running:
        for heat in heats():
            if heat.kind in (options.kind or MIXES):
                results[heat] = race(heat, running, options.rounds, options.share)
                costs[heat] = {name: alone(heat, runner, name, options.share) for name, runner in running.items()}
                print(heat.source, heat.target, heat.kind, {name: _told(took) for name, took in results[heat].items()})
    text = sections(results, costs)
    print(text)
    if not options.no_page:
        page = INTRODUCTION.format(rounds=options.rounds, machine=machine()) + text
        Path(__file__).with_name("race.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
