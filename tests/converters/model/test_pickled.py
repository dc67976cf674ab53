"""Every class of messages is pickled by its fields: one that mypyc compiles is otherwise empty after a copy."""

import copyreg
import dataclasses
import pickle
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from mqconvert import PROTOCOLS
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq


def _classes_in(class_: Any) -> Iterator[Any]:
    """Yield a dataclass, and those in the annotations of its fields."""
    if dataclasses.is_dataclass(class_):
        yield class_
        hints = [field.type for field in dataclasses.fields(class_)]
    else:
        hints = list(get_args(class_))
    for hint in hints:
        yield from _classes_in(hint)


OWN = [protocol for protocol in PROTOCOLS.values() if protocol.message.__module__.startswith("mqconvert.")]
FRAMES: tuple[Any, ...] = (*get_args(nsq.Frame), *get_args(phpmq.Frame))
CLASSES: set[Any] = {*FRAMES, *(found for protocol in OWN for found in _classes_in(protocol.message))}


@pytest.mark.parametrize("class_", sorted(CLASSES, key=str))
def test_each_class_in_messages_is_pickled_by_its_fields(class_: Any) -> None:
    assert class_ in copyreg.dispatch_table


@dataclasses.dataclass(slots=True)
class Counted:
    """Counts the calls of its `__init__`."""

    first: int
    second: list[int]

    def __post_init__(self) -> None:
        CALLS.append(self.first)


CALLS: list[int] = []
pickled_by_fields(Counted)


def test_a_pickled_value_is_made_anew_by_its_constructor() -> None:
    value = Counted(1, [2])
    CALLS.clear()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert CALLS == [1] * (pickle.HIGHEST_PROTOCOL - 1)
