"""`mqconvert move`: messages from any end to any end, at least once, with an account.

Two threads run the ends and make a new connection when one is lost; the caller's thread waits for the end.
"""

import json
import logging
import os
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from types import FrameType
from typing import Any

from mqconvert import encode
from mqconvert.app.inputs import is_parquet, is_piped, unlike_lines
from mqconvert.app.move.account import Account, placed, serve_metrics
from mqconvert.app.move.ends import End, EndError, parse_end
from mqconvert.app.move.files import STANDARD, FileError, RefusedFile, Reject, State, Stop
from mqconvert.app.move.window import Converted, Refusals, StopError, Window
from mqconvert.app.options import choices_from, now
from mqconvert.app.terminal import CommandError, complain, several, stated, tell, tell_os_error, tell_progress, told
from mqconvert.converters.clients.ends import PATIENCE, Address, DownError, Source, Target
from mqconvert.converters.clients.ends.loops import pause
from mqconvert.converters.environment import addressed

MOVED, SOME_REFUSED, USAGE = 0, 1, 2
CLOCK = 100
"""Milliseconds after which the time for messages without one is asked again."""
LOOK = 0.5
"""Seconds between looks at the clock."""
STEADY = 5.0
"""Seconds after which a connection counts as good, and so does one with progress: the next pause is short again."""
GIVE_UP = 60.0
"""Seconds without a good connection after which a move that does not follow ends."""

_NO_PARQUET = "move reads JSON lines, and `mqconvert decode FILE --wire-column NAME` makes them of it"


_DECODED = "`mqconvert decode` makes JSON lines of it"


def move(chosen: Namespace) -> int:
    """Run the command; the exit status is 0 for all moved, 1 for some refused or left, 2 for wrong usage or no broker."""
    source, target = parse_end(chosen.source, "source"), parse_end(chosen.target, "target")
    _check_files(chosen, source, target)
    if chosen.refused == "reject" and not source.rejects:
        raise EndError("--refused reject: only sources of AMQP can refuse a message; name a file")
    make_target, convert = _converting(chosen, source, target)
    logging.getLogger().addHandler(logging.NullHandler())  # client libraries log what they also report
    with ExitStack() as stack:
        account = Account(chosen.errors)
        state = None if chosen.state is None else State(chosen.state, source.path or STANDARD)
        refusals = _refusals(chosen.refused, account, stack)
        run = _Move(convert, refusals, account, chosen)
        if chosen.metrics is not None:
            server = _metrics(chosen.metrics, account, run)
            stack.callback(server.shutdown)
        status = run.until_done(source.source(state, follow=chosen.follow), make_target, f"{source.shown} -> {target.shown}")
    if status != USAGE or account.received:  # nothing was to be moved
        complain(*str(account).splitlines())
    if chosen.report is not None:
        try:
            Path(chosen.report).write_text(json.dumps(account.as_dict(), indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            tell_os_error(OSError(error.errno, error.strerror, chosen.report), chosen.errors)
            return status or SOME_REFUSED
    return status


def _metrics(port: int, account: Account, run: "_Move") -> ThreadingHTTPServer:
    try:
        return serve_metrics(port, account, run.ready, run.window.in_flight)
    except OSError as error:
        raise EndError(f"--metrics {port}: {error.strerror}") from None


def _check_files(chosen: Namespace, source: End, target: End) -> None:
    """Refuse files that are missing, or named twice."""
    lines = None if source.form is not None or source.path is None or is_piped(source.path) else Path(source.path)
    if lines is not None:
        if lines.is_dir():
            raise EndError(f"source: {lines} is a folder: name a file")
        if not lines.is_file():
            raise EndError(f"source: there is no file {lines}")
        if is_parquet(str(lines)):
            raise EndError(f"source: {lines} is Parquet: {_NO_PARQUET}")
        if hint := unlike_lines(str(lines), _DECODED):
            raise EndError(f"source: {lines}: not JSON lines. {hint}")
    if chosen.state is not None and (source.path in (None, STANDARD) or not Path(source.path or "").is_file()):
        raise EndError("--state needs one file as source: it keeps the position there")
    if chosen.follow and source.form is not None:
        raise EndError(f"--follow: {source.form.name} are files that a broker left, to which nothing comes")
    if len(source.protocols) > 1 and chosen.refused not in ("stop", "reject"):
        one = f"{source.form and source.form.name}+{source.protocol.name}"
        raise EndError(f"--refused FILE: the file has one protocol, the source several: move them one by one, as {one}:PATH")
    state = None if chosen.state is None else Path(chosen.state).absolute().parent
    if state is not None and not (state.is_dir() and os.access(state, os.W_OK)):
        raise EndError(f"--state: {state} is no folder that can be written to")
    if chosen.report is not None and not Path(chosen.report).absolute().parent.is_dir():
        raise EndError(f"--report: there is no folder for {chosen.report}")
    if chosen.report is not None and Path(chosen.report).is_dir():
        raise EndError(f"--report: {chosen.report} is a folder: name a file")
    refused = chosen.refused if chosen.refused not in ("stop", "reject") else None
    named = [path for path in (source.path, target.path, refused, chosen.state, chosen.report) if path not in (None, STANDARD)]
    places = [Path(path).resolve() for path in named]
    twice = next((path for path, place in zip(named, places, strict=True) if places.count(place) > 1), None)
    if twice is not None:
        raise EndError(f"{twice} is named twice: each file needs its own name")


def _refusals(asked: str, account: Account, stack: ExitStack) -> Refusals:
    if asked == "stop":
        return Stop()
    if asked == "reject":
        account.note(
            "refused messages are dead-lettered by the source's broker, or dropped if the queue has no dead-letter exchange"
        )
        return Reject()
    file = RefusedFile(asked, account.note)
    stack.callback(file.close)
    return file


def _converting(chosen: Namespace, source: End, target: End) -> tuple[Callable[[], Target], Callable[[Any], Converted]]:
    """Return what connects to the target, and the conversion of one message. Between equal protocols it changes nothing."""
    choices = choices_from(chosen)
    ways: dict[type, tuple[Callable[..., Any], Callable[[Any], Address]]] = {}
    for protocol in source.protocols:
        make_target, address = target.target(protocol)
        ways[protocol.message] = choices.converter(protocol.name, target.protocol.name).convert, address
    environment, until = choices.environment, 0

    def converted(message: Any) -> Converted:
        nonlocal environment, until
        if chosen.clock is None and now() >= until:
            environment, until = replace(environment, clock=now()), now() + CLOCK
        convert, address = ways[type(message)]
        to = address(message)
        if to and to[0] is not None and to[0] != environment.address and choices.environment.address is None:
            environment = addressed(environment, to[0])
        made = convert(message, environment, choices.on_loss)
        return Converted(made.message, to, made.report)

    return make_target, converted


class _Move:
    """The threads of the two ends, and what ends the move."""

    def __init__(self, convert: Callable[[Any], Converted], refusals: Refusals, account: Account, chosen: Namespace) -> None:
        self._account, self._errors = account, chosen.errors
        self._follow, self._idle, self._timeout = chosen.follow, chosen.idle, chosen.timeout
        self._look = Event()
        self.window = Window(convert, encode, refusals, account, chosen.window, self._look.set)
        self._ending = Event()
        self._source_ended = False
        self._fault: DownError | None = None
        self._never_up = False
        self._interrupted = False
        self._ends: dict[str, tuple[Source | Target, float]] = {}
        self._dropped: dict[str, tuple[Source | Target, str]] = {}
        self._signals = 0
        self._began = self._told = time.monotonic()

    def ready(self) -> bool:
        return self.window.ready()

    def until_done(self, source: Callable[[], Source], target: Callable[[], Target], shown: str) -> int:
        """Run both ends until everything is moved, and return the exit status."""
        before = {kind: signal.signal(kind, self._on_signal) for kind in (signal.SIGTERM, signal.SIGINT)}
        keepers = [
            Thread(target=self._keep, args=("target", target), daemon=True, name="target"),
            Thread(target=self._keep, args=("source", source), daemon=True, name="source"),
        ]
        try:
            for keeper in keepers:
                keeper.start()
            self._wait()
        finally:
            self._ending.set()
            doubtful = self.window.in_doubt()
            if self._told > self._began:
                sys.stderr.write("\n")
            for end, _ in list(self._ends.values()):
                end.close()
            until = time.monotonic() + PATIENCE
            for keeper in keepers:
                keeper.join(max(until - time.monotonic(), 0))
            for kind, handler in before.items():
                signal.signal(kind, handler)
        status = self._status(shown)
        if doubtful:
            words = f"{several(doubtful, 'message')} sent, but not settled: at the source, and perhaps at the target, too"
            self._account.note(words)
        return status

    def _status(self, shown: str) -> int:
        if self._fault is not None:
            tell(CommandError(f"{self._fault.words} ({shown})", code="no_connection"), self._errors)
            return USAGE if self._never_up else SOME_REFUSED
        stopped = self.window.stopped
        if isinstance(stopped, StopError):
            told(stopped.error, f"{placed(stopped.where)}{stopped}: {stated(stopped.error)}", self._errors, **stopped.where)
        elif stopped is not None:
            tell_os_error(stopped, self._errors)
        if stopped is not None or self._interrupted:
            return SOME_REFUSED
        return SOME_REFUSED if self._account.refusals or self._account.faults else MOVED

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        """Ask for no more messages, and end when those in flight are settled; a second signal does not wait for them.

        `_wait` sees it at its next look: setting the Event here could wait for a lock of the interrupted thread itself.
        """
        self._signals += 1

    def _wait(self) -> None:
        """Return when the move is done, or cannot go on."""
        seen, since, asked = (-1, -1), time.monotonic(), False
        answers, answered = (-1, -1), since
        while True:
            self._look.wait(LOOK)
            self._look.clear()
            now, window = time.monotonic(), self.window
            self._tell(now)
            self._drop_late(now)
            if self._fault is not None or self._signals > 1:
                return
            if window.progress != seen or not window.ready():
                seen, since = window.progress, now
            if (window.answers, window.delays) != answers or not window.unanswered():
                answers, answered = (window.answers, window.delays), now
            if now - answered > self._timeout:
                answered = now
                self._drop("target", f"no answer for {self._timeout:g} seconds")
            if asked and now - since > self._timeout:
                return
            if self._signals and not asked:
                asked, since = True, now
                self._interrupt()
                window.stop()
            over = asked or self._source_ended or window.stopped is not None
            over = over or (not self._follow and now - since > self._idle)
            if over and (window.empty or (not window.ready() and (asked or window.stopped is not None))):
                return

    def _interrupt(self) -> None:
        """Note that a signal ends the move early. A move that follows, or whose source has ended, ends as it should."""
        if not self._follow and not self._source_ended:
            self._interrupted = True
            self._account.note("stopped by a signal: the rest is still at the source")

    def _tell(self, now: float) -> None:
        """Tell people at a terminal how far the move is, once a second; a share only where nothing new is waited for."""
        if now - self._told > 1 and sys.stderr.isatty():
            self._told, moved = now, self._account.messages
            share = None if self._follow else self.window.share
            tell_progress(f"{several(moved, 'message')} moved", moved, now - self._began, share)

    def _drop(self, role: str, words: str) -> None:
        """Close a connection, once, for a reason that `_keep` tells."""
        end, _ = self._ends.get(role, (None, 0.0))
        if end is not None and self._dropped.get(role, (None, ""))[0] is not end:
            self._dropped[role] = end, words
            end.close()

    def _drop_late(self, now: float) -> None:
        """Close the connections that are not made in time."""
        for role, (end, began) in list(self._ends.items()):
            if now - began > PATIENCE and not self.window.has(end):
                self._drop(role, f"the broker did not answer within {PATIENCE:g} seconds")

    def _keep(self, role: str, make: Callable[[], Any]) -> None:
        """Run one end, with a new connection whenever one is lost."""
        tries, ever, good = 0, False, time.monotonic()
        while not self._ending.is_set():
            end = make()
            began, before = time.monotonic(), self.window.progress
            self._ends[role] = end, began
            if self._ending.is_set():
                return
            error: DownError | None = None
            try:
                end.run(self.window)
            except DownError as down:
                error = down
            except Exception as defect:  # noqa: BLE001 - a thread must not die unseen
                error = DownError(f"{type(defect).__name__}: {defect}", final=True)
                sys.excepthook(type(defect), defect, defect.__traceback__)
            self._ends.pop(role)
            dropped, words = self._dropped.get(role, (None, ""))
            if dropped is end:
                error = DownError(words)
            up = self.window.down(role, end, error)
            ever = ever or up
            if self._ending.is_set():
                return
            if error is None and role == "source":
                self._source_ended = True
                self._look.set()
                return
            lasted = dropped is not end and time.monotonic() - began > STEADY
            steady = up and (lasted or self.window.progress != before)
            good = time.monotonic() if steady else good
            if error is not None and self._is_fatal(error, up=up, ever=ever, since=good):
                self._fault, self._never_up = DownError(f"{role}: {error.words}"), not ever
                self._look.set()
                return
            if error is not None:
                self._account.lost_connection(role, error.words)
            tries = 1 if steady else tries + 1
            self._ending.wait(pause(tries))

    def _is_fatal(self, error: DownError, *, up: bool, ever: bool, since: float) -> bool:
        """Return whether another try is pointless, or not asked for.

        `up`: this connection was made; `ever`: one was; `since`: the time when one was last good.
        """
        if isinstance(error, FileError):
            return True
        if self._follow:
            return error.final and not ever
        return (error.final and not up) or not ever or time.monotonic() - since > GIVE_UP
