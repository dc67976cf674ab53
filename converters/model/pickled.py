"""Pickling and copying of the dataclasses of messages: the same whether they are compiled or run interpreted."""

import copyreg
from typing import Any


def pickled_by_fields(*classes: type[Any]) -> None:
    """Pickle and copy the instances of dataclasses by the values of their fields, in order.

    A class that mypyc compiles is whole only when its `__init__` has run, which pickle's own way leaves out.

    >>> from pickle import dumps, loads
    >>> from mqconvert.converters.model.values import Entry
    >>> loads(dumps(Entry("k", "int", 1)))
    Entry(key='k', type='int', value=1)
    """
    for class_ in classes:
        copyreg.pickle(class_, _by_fields)


def _by_fields(value: Any) -> tuple[type[Any], tuple[Any, ...]]:
    return type(value), tuple(getattr(value, name) for name in value.__dataclass_fields__)
