"""What is said of values that cannot be written, in the codecs whose values carry their type: AMQP 1.0 and AMQP 0.9.1."""

from collections.abc import Container
from typing import Any

from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.values import TypedValue


def within(error: EncodeError, part: str) -> EncodeError:
    """The error with a part of the path before that of its field: paths are put together on the way out."""
    error.field = f"{part}{error.field}"
    return error


def key_path(key: Any) -> str:
    """
    >>> key_path("k"), key_path(TypedValue("symbol", "k"))
    ('["k"]', '["k"]')
    """
    return f'["{key.value if key.__class__ is TypedValue else key}"]'


def no_typed_value(typed: Any, no_type: str) -> EncodeError:
    """Of what is no typed value, or has a type that the protocol does not know, which `no_type` says in its words."""
    if typed.__class__ is TypedValue:
        return EncodeError("unknown_type", f"{no_type} {typed.type!r:.80}", field="")
    return EncodeError("wrong_type", "not a typed value", field="")


def bad_entry(pairs: list[Any], known: Container[str], no_type: str) -> EncodeError:
    """What is wrong with the first entry that is no pair, or has no typed value of a known type.

    >>> bad_entry([("a", TypedValue("int", 1)), ("b", 2)], {"int"}, "no type").field
    '["b"]'
    """
    for index, pair in enumerate(pairs):
        try:
            key, value = pair
        except (TypeError, ValueError):
            return EncodeError("bad_value", "not a pair of key and value", field=f"[{index}]")
        if value.__class__ is not TypedValue or value.type.__class__ is not str or value.type not in known:
            return within(no_typed_value(value, no_type), key_path(key))
    return EncodeError("bad_value", "an entry that cannot be written", field="")
