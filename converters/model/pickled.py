"""Pickling and copying of message dataclasses, compiled or not."""

import copyreg
from typing import Any


def pickled_by_fields(*classes: type) -> None:
    """Pickle and copy the instances of dataclasses by the values of their fields, in order.

    A class compiled by mypyc is complete only after its `__init__`, which pickle does not call by default.

    >>> from pickle import dumps, loads
    >>> from mqconvert.converters.model.values import Entry
    >>> loads(dumps(Entry("k", "int", 1)))
    Entry(key='k', type='int', value=1)
    """
    for class_ in classes:
        copyreg.pickle(class_, _by_fields)


def _by_fields(value: Any) -> tuple[type, tuple[object, ...]]:
    return type(value), tuple(getattr(value, name) for name in value.__dataclass_fields__)
