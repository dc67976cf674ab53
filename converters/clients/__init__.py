"""Objects of client libraries, to and from messages: one module a library, which alone imports it.

This module has the adapters' common parts. All adapters keep one promise: `from_X` returns the message that the library would
send, `to_X` an object from which it would send that message. Tests compare with the library's own encoder. Values that a
library cannot send are losses. A value that the protocol cannot carry raises EncodeError with field and value.
"""

from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import TypeVar

from mqconvert.converters.engine.report import LossPolicy, Lost, OnLoss
from mqconvert.converters.environment import bad_option
from mqconvert.converters.errors import ClientLibraryError, EncodeError, LossError
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.values import Entry, TypedValue


def require(package: str, extra: str, oldest: tuple[int, ...]) -> None:
    """Raise ClientLibraryError if `package` is not installed (`missing_library`) or too old (`old_library`).

    >>> require("pytest", "none", (999,))
    Traceback (most recent call last):
    ...
    mqconvert.converters.errors.ClientLibraryError: pytest ... is too old, mqconvert needs 999 or later: ...
    """
    least = ".".join(map(str, oldest))
    how = f"pip install 'mqconvert[{extra}]'"
    try:
        installed = version(package)
    except PackageNotFoundError:
        raise ClientLibraryError(f"{package} {least} or later is not installed: {how}", code="missing_library") from None
    numbers = tuple(int(part) if part.isdigit() else 0 for part in installed.split(".")[: len(oldest)])
    if numbers < oldest:
        message = f"{package} {installed} is too old, mqconvert needs {least} or later: {how}"
        raise ClientLibraryError(message, code="old_library")


T = TypeVar("T")


class UnsentError(Exception):
    """Raised by a `Maker` for a value that its library cannot express. `Losses` notes it; it never leaves the adapters."""


Maker = Callable[[TypedValue | Entry, str], object]
"""Turns a value into the library's object; the text is the value's place."""


class Losses:
    """Collects the values that an object cannot express; builds maps and lists of the others."""

    __slots__ = ("_lost",)

    def __init__(self) -> None:
        self._lost: list[Lost] = []

    def add(self, field: str, type_: str, reason: str) -> None:
        self._lost.append(Lost(field, type_, reason, None, 1))

    def dict_of(self, entries: Iterable[tuple[object, str, Entry]], make: Maker) -> dict[object, object]:
        """Return a dict of the entries, given as key, place and entry, without lost values; the first of equal keys stays."""
        made: dict[object, object] = {}
        for key, field, typed in entries:
            if key in made:
                self.add(field, typed.type, "a second value under the same key")
                continue
            try:
                made[key] = make(typed, field)
            except UnsentError as reason:
                self.add(field, typed.type, str(reason))
        return made

    def list_of(self, values: Iterable[TypedValue], field: str, make: Maker) -> list[object]:
        """Return the list of the values made by `make`, without lost ones."""
        made: list[object] = []
        for index, typed in enumerate(values):
            inner = path(field, index)
            try:
                made.append(make(typed, inner))
            except UnsentError as reason:
                self.add(inner, typed.type, str(reason))
        return made

    def settled(self, on_loss: OnLoss | LossPolicy) -> tuple[Lost, ...]:
        """Return the losses; LossError under "fail" and "strict", empty under "ignore", `bad_option` for an unknown policy."""
        if on_loss == LossPolicy.REPORT:
            return tuple(self._lost)
        if on_loss not in tuple(LossPolicy):
            raise bad_option("on_loss", f"one of {', '.join(LossPolicy)}")
        if self._lost and on_loss in (LossPolicy.FAIL, LossPolicy.STRICT):
            raise LossError(self._lost)
        return ()


def bad_value(field: str, value: object, fault: str) -> EncodeError:
    """Return the error for a value that the protocol cannot carry: field, value (its first 60 characters) and reason.

    >>> bad_value("basic.priority", 300, "not between 0 and 255").message
    'basic.priority is 300: not between 0 and 255'
    """
    return EncodeError("bad_value", f"{field} is {value!r:.60}: {fault}", field=field, names_field=True)


def valid(value: T, field: str, fault: Callable[[T], str | None]) -> T:
    """Return a value; raise the error for one with a fault.

    >>> from mqconvert.converters.protocols.mqtt5.types import MQTT_TYPES
    >>> valid(5, "topic_alias", MQTT_TYPES["ushort"].fault)
    5
    """
    found = fault(value)
    if found is not None:
        raise bad_value(field, value, found)
    return value


def wrong_message(message: object, protocol: str) -> EncodeError:
    """Return the error for a message of another protocol.

    >>> wrong_message("text", "mqtt-5.0").message
    'a str is not a message of mqtt-5.0: convert it first'
    """
    what = "hand over its .message" if hasattr(message, "message") else "convert it first"
    text = f"a {type(message).__name__} is not a message of {protocol}: {what}"
    return EncodeError("wrong_message", text, field="message", names_field=True)
