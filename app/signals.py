"""Handlers of signals while a piece of work lasts."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


@contextmanager
def handled(handler: Callable[[int, FrameType | None], object], *signals: signal.Signals) -> Iterator[None]:
    """Handle signals by a function while the context lasts."""
    before = [signal.signal(each, handler) for each in signals]
    try:
        yield
    finally:
        for each, old in zip(signals, before, strict=True):
            signal.signal(each, old)


def end(number: int, _frame: object) -> NoReturn:
    """End with the status that shells use, so that contexts are left and clean up."""
    raise SystemExit(128 + number)
