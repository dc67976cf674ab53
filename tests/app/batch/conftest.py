"""Runs of tests print no progress."""

import pytest

from mqconvert.app.batch import threads


@pytest.fixture(autouse=True)
def _no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn progress off: on a busy machine a job takes longer than its first line of progress waits."""
    monkeypatch.setattr(threads, "SECONDS", 3600.0)
