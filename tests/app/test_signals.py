"""Signals are handled while a context lasts."""

import signal

import pytest

from mqconvert.app.signals import end, handled


def test_a_signal_leaves_the_contexts_with_its_status() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended, handled(end, signal.SIGTERM):
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is before
