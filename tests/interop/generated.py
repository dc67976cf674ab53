"""Generated messages of the live suite: new ones in every run, repeatable with the printed seed."""

import copy
from typing import Any
from unittest import mock

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies import SearchStrategy

from tests.interop.figures import GENERATED

_MADE: dict[tuple[str, str, int, int], list[Any]] = {}
"""Cached messages by protocol, text of the strategy, seed and count: many tests send the same, and drawing takes seconds."""


def generated(protocol: str, messages: SearchStrategy[Any], seed: int, count: int) -> list[Any]:
    """Return this number of messages of a protocol, from a seed."""
    key = protocol, repr(messages), seed, count
    if key not in _MADE:
        _MADE[key] = _drawn(messages, seed, count)
    made = copy.deepcopy(_MADE[key])  # tests change their messages
    GENERATED[protocol] += len(made)
    return made


def _drawn(messages: SearchStrategy[Any], seed: int, count: int) -> list[Any]:
    made: list[Any] = []

    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        phases=[Phase.generate],
        database=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(messages)
    def draw(message: Any) -> None:
        made.append(message)

    # Hypothesis also draws constants of loaded modules, and the tests of one broker load fewer than the whole suite.
    with mock.patch.object(providers, "_get_local_constants", Constants):
        draw()
    assert len(made) >= count, "too few different messages"
    return made
