"""What became of the messages: the summary at the end, the metrics on the way, and the words for people."""

import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from mqconvert.app.terminal import note, stated, told
from mqconvert.converters.engine.report import Report
from mqconvert.converters.engine.summary import Summary
from mqconvert.converters.errors import MqConvertError
from mqconvert.converters.model.jsonform import JsonObject

SHOWN = 5
"""Rows and codes that the text names; the JSON form has all."""


class Account:
    """Counts of one move, which tells errors in a form, `text` or `json`. The Window calls it under its lock."""

    def __init__(self, errors: str = "text") -> None:
        self._errors = errors
        self.messages = self.faults = 0
        self.fields = Summary()
        self.refusals: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.connections: Counter[str] = Counter()
        self._noted: set[str] = set()

    def moved(self, report: Report) -> None:
        self.messages += 1
        self.fields += report.summary
        for loss in report.lost:
            self.lost[loss.rule or "no row"] += 1
        for drop in report.dropped:
            self.dropped[drop.rule] += 1

    def refused(self, error: MqConvertError, **where: object) -> None:
        """Count a refused message, and tell the first of each code with its place in a file."""
        self.refusals[error.code] += 1
        if self.refusals[error.code] == 1:
            told(error, f"refused: {placed(where)}{stated(error)}", self._errors, **where)
        if error.code == "internal":  # a defect of ours
            sys.stderr.write("".join(traceback.format_exception(error)))

    def stays(self, error: MqConvertError) -> None:
        """Count a refused message that stays with the source, which ends the move; StopError tells the error."""
        self.kept[error.code] += 1

    def note(self, words: str) -> None:
        """Tell people something, once."""
        if words not in self._noted:
            self._noted.add(words)
            note(words, self._errors)

    def broken(self, words: str, error: MqConvertError, **where: object) -> None:
        """Count an entry of a file that is no message."""
        self.faults += 1
        told(error, f"broken: {words}", self._errors, **where)

    def lost_connection(self, role: str, words: str) -> None:
        self.connections[role] += 1
        self.note(f"{role}: {words}; trying again")

    def as_dict(self) -> JsonObject:
        return {
            "received": self.received,
            "moved": self.messages,
            "summary": self.fields.as_dict(),
            "refused": dict(self.refusals),
            "kept": dict(self.kept),
            "broken_entries": self.faults,
            "lost_by_rule": dict(self.lost),
            "dropped_by_rule": dict(self.dropped),
            "connections_lost": dict(self.connections),
            "notes": sorted(self._noted),
        }

    @property
    def received(self) -> int:
        """Return how many messages came from the source."""
        return self.messages + self.refusals.total() + self.kept.total()

    def __str__(self) -> str:
        total = self.received
        lines = [f"{self.messages:,} of {total:,} message{'' if total == 1 else 's'} moved"]
        if self.refusals:
            lines[0] += f"; {self.refusals.total():,} refused: {_named(self.refusals)}"
        if self.kept:
            lines[0] += f"; {self.kept.total():,} refused, still with the source: {_named(self.kept)}"
        if self.faults:
            lines[0] += f"; {self.faults:,} broken entr{'y' if self.faults == 1 else 'ies'} in files"
        if self.messages:
            lines.append(str(self.fields))
        if self.lost:
            lines.append(f"values lost by row: {_named(self.lost)}")
        if self.dropped:
            lines.append(f"fields dropped by row: {_named(self.dropped)}")
        if self.connections:
            lines.append(f"connections lost: {_named(self.connections)}; some messages may have arrived twice")
        return "\n".join(lines)


def placed(where: Mapping[str, object]) -> str:
    """Return the place of a message in a file, for the beginning of a text; empty for one of a broker.

    >>> placed({"file": "given.jsonl", "line": 3}), placed({"file": "0.qs", "position": 70}), placed({})
    ('given.jsonl: line 3: ', '0.qs: byte 70: ', '')
    """
    units = {"file": "", "line": "line ", "position": "byte "}
    return "".join(f"{units[name]}{value}: " for name, value in where.items())


def _named(counts: Counter[str]) -> str:
    words = [f"{name} {count:,}" for name, count in counts.most_common(SHOWN)]
    return ", ".join([*words, f"{len(counts) - SHOWN} more"] if len(counts) > SHOWN else words)


def serve_metrics(port: int, account: Account, ready: Callable[[], bool], waiting: Callable[[], int]) -> ThreadingHTTPServer:
    """Serve `/metrics`, `/healthz` and `/readyz` on 127.0.0.1, in a thread. Raises OSError for a port that is taken.

    `ready` says whether both ends are up, `waiting` how many messages are in flight.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            pages = {"/metrics": (200, _metrics(account, waiting())), "/healthz": (200, "up\n")}
            pages["/readyz"] = (200, "ready\n") if ready() else (503, "an end is down\n")
            status, text = pages.get(self.path, (404, "/metrics, /healthz, /readyz\n"))
            raw = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *_: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True, name="metrics").start()
    return server


def _metrics(account: Account, waiting: int) -> str:
    """Return the counts in Prometheus' text format 0.0.4; label values are names of ours, without quotes."""
    counted: list[tuple[str, str, dict[str, int]]] = [
        ("mqconvert_move_refused_total", "code", dict(account.refusals)),
        ("mqconvert_move_lost_total", "rule", dict(account.lost)),
        ("mqconvert_move_dropped_total", "rule", dict(account.dropped)),
        ("mqconvert_move_connections_lost_total", "end", dict(account.connections)),
    ]
    lines = ["# TYPE mqconvert_move_moved_total counter", f"mqconvert_move_moved_total {account.messages}"]
    lines += ["# TYPE mqconvert_move_broken_entries_total counter", f"mqconvert_move_broken_entries_total {account.faults}"]
    lines += ["# TYPE mqconvert_move_in_flight gauge", f"mqconvert_move_in_flight {waiting}"]
    for name, label, counts in counted:
        lines.append(f"# TYPE {name} counter")
        lines += [f'{name}{{{label}="{key}"}} {count}' for key, count in counts.items()]
    return "\n".join(lines) + "\n"
