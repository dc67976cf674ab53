"""The registry of protocols, PROTOCOLS, which every other part reads. A protocol is one folder here.

The folder of a protocol is imported when its name is first asked for, since a conversion needs two. Protocols of other packages
are found by the entry point group `mqconvert.protocols`, whose entries name a Protocol. They are looked up for an unknown name
or for the whole list, never on import.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from mqconvert.converters.errors import ArgumentError, NoRouteError, did_you_mean
from mqconvert.converters.model.adapters import adapter_of
from mqconvert.converters.model.protocol import OtherMessage, Protocol

if TYPE_CHECKING:
    import typing_extensions  # type checkers bring it; the default of a TypeVar needs Python 3.13

    from mqconvert.converters.protocols import amqp091, amqp10, mqtt5, mqtt311, nsq, phpmq, pulsar, rocketmq

    Message = (
        amqp10.Message | amqp091.Message | mqtt5.Message | mqtt311.Message
        | nsq.Message | phpmq.Message | rocketmq.Message | pulsar.Message | OtherMessage
    )  # fmt: skip
    M_co = typing_extensions.TypeVar("M_co", bound=Message, covariant=True, default=Message)
else:
    M_co = TypeVar("M_co", covariant=True)
"""The class of a message, such as that in a Conversion. Without an argument, it is any message."""

FOLDERS = {
    "amqp-1.0": "amqp10",
    "amqp-0.9.1": "amqp091",
    "mqtt-5.0": "mqtt5",
    "mqtt-3.1.1": "mqtt311",
    "nsq": "nsq",
    "phpmq": "phpmq",
    "rocketmq": "rocketmq",
    "pulsar": "pulsar",
}
"""Our protocols, and the folders here whose PROTOCOL they are."""

ALIASES = {"mqtt": "mqtt-5.0", "amqp091": "amqp-0.9.1", "amqp1": "amqp-1.0"}
"""Short names of protocols. Arguments may have them (`full_name`), tables and messages do not."""

ENTRY_POINTS = "mqconvert.protocols"


def __getattr__(name: str) -> Any:
    """Make `Message`, the union of all classes of messages, on first access: it needs every protocol."""
    if name != "Message":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made: Any = OtherMessage
    for protocol in reversed(PROTOCOLS.ours()):
        made = protocol.message | made
    globals()[name] = made
    return made


class Registry(Mapping[str, Protocol]):
    """Protocols by name: ours first, then those of other packages, sorted by entry point.

    `folders` are ours: the names of their packages below this one.
    """

    def __init__(self, folders: Mapping[str, str]) -> None:
        self._folders = folders
        self._others: dict[str, Protocol] = {}
        self._by_class: dict[type, Protocol] = {}
        self._complete = False

    def ours(self) -> tuple[Protocol, ...]:
        """Return our own protocols."""
        return tuple(map(self._ours, self._folders))

    def others(self) -> tuple[Protocol, ...]:
        """Return the protocols of other packages that were looked up so far."""
        return tuple(self._others.values())

    def known(self) -> tuple[Protocol, ...]:
        """Return our protocols, and those of other packages that were looked up so far."""
        return self.ours() + self.others()

    def is_known(self, name: object) -> bool:
        """Return whether a protocol of that name is ours or was looked up so far."""
        return name in self._folders or name in self._others

    def _ours(self, name: str) -> Protocol:
        protocol: Protocol = import_module(f"{__name__}.{self._folders[name]}").PROTOCOL
        self._by_class[protocol.message] = protocol
        return protocol

    def complete(self) -> None:
        """Add the protocols of installed packages; NoRouteError names a package with an invalid entry point."""
        if self._complete:
            return
        from importlib.metadata import entry_points  # noqa: PLC0415 - takes longer than the rest of `import mqconvert`

        self._complete = True  # a package that asks for the list during its import gets the protocols found so far
        try:
            found = [_offered(entry) for entry in sorted(entry_points(group=ENTRY_POINTS), key=attrgetter("name"))]
            for entry, protocol in found:
                if self.is_known(protocol.name) or self._known_class(protocol.message) is not None:
                    raise _refused(entry, f"{protocol.name} or its message class is there already")
                self._others[protocol.name] = self._by_class[protocol.message] = protocol
        except NoRouteError:
            self._complete = False
            raise

    @contextmanager
    def ours_alone(self) -> Iterator[None]:
        """Hide the protocols of installed packages, so that the committed documents do not depend on them.

        >>> with PROTOCOLS.ours_alone():
        ...     len(PROTOCOLS)
        8
        """
        before = self._others, self._by_class, self._complete
        self._others, self._by_class, self._complete = {}, {}, True
        try:
            yield
        finally:
            self._others, self._by_class, self._complete = before

    def of_class(self, message_class: type) -> Protocol | None:
        """Return the protocol with messages of this class, or None."""
        found = self._known_class(message_class)
        if found is None:
            self.complete()
            found = self._by_class.get(message_class)
        return found

    def _known_class(self, message_class: type) -> Protocol | None:
        """Return the known protocol with messages of this class. One of ours has its folder imported, as it has a class."""
        if message_class not in self._by_class:
            for name, folder in self._folders.items():
                if f"{__name__}.{folder}" in sys.modules:
                    self._ours(name)
        return self._by_class.get(message_class)

    def __getitem__(self, name: str) -> Protocol:
        if name in self._folders:
            return self._ours(name)
        if name not in self._others:
            self.complete()
        return self._others[name]

    def __contains__(self, name: object) -> bool:
        if not self.is_known(name):
            self.complete()
        return self.is_known(name)

    def __iter__(self) -> Iterator[str]:
        self.complete()
        return iter([*self._folders, *self._others])

    def __len__(self) -> int:
        self.complete()
        return len(self._folders) + len(self._others)

    def __repr__(self) -> str:
        return f"Registry({', '.join(self)})"


def _offered(entry: Any) -> tuple[object, Protocol]:
    """Return an entry point with its protocol."""
    try:
        protocol = entry.load()
    except Exception as error:  # the import of a package may raise anything
        raise _refused(entry, f"{type(error).__name__}: {error}") from error
    if not isinstance(protocol, Protocol):
        raise _refused(entry, "no Protocol")
    return entry, protocol


def _refused(entry: Any, why: str) -> NoRouteError:
    package = "" if entry.dist is None else f" of package {entry.dist.name}"
    return NoRouteError(f"the entry point {entry.name!r} ({entry.value}){package}: {why}", code="unknown_protocol")


PROTOCOLS = Registry(FOLDERS)


def full_name(name: Any) -> Any:
    """Return the name of a protocol for its short one, and anything else unchanged.

    >>> full_name("mqtt"), full_name("nsq")
    ('mqtt-5.0', 'nsq')
    """
    return ALIASES.get(name, name) if isinstance(name, str) else name


def protocol_named(name: str) -> Protocol:
    """Return the protocol of that name, or short name. Raises ArgumentError or NoRouteError `unknown_protocol`.

    >>> protocol_named("amqp-1.0").title, protocol_named("amqp1").title
    ('AMQP 1.0', 'AMQP 1.0')
    """
    try:
        return PROTOCOLS[full_name(name)]
    except (KeyError, TypeError):
        if not isinstance(name, str):
            raise ArgumentError("protocol", "the name of a protocol", type(name)) from None
        meant = did_you_mean(name, PROTOCOLS) or did_you_mean(name, ALIASES)
        words = f"unknown protocol {name!r}{meant}; known: {', '.join(PROTOCOLS)}"
        raise NoRouteError(words, code="unknown_protocol") from None


def protocol_of(message: Message) -> Protocol:
    """Return the protocol of a message. Raises ArgumentError for an object of any other class."""
    return protocol_of_class(type(message))


def _how_to_get_one(given: type) -> str:
    if (adapter := adapter_of(given)) is not None:
        return f": mqconvert.clients.{adapter} makes one"
    if hasattr(given, "message"):
        return ": pass its .message"
    return ": message_from_json reads one" if given is dict else ""


def protocol_of_class(message_class: type) -> Protocol:
    """Return the protocol with messages of that class. Raises ArgumentError for other classes.

    >>> from mqconvert.messages import mqtt5
    >>> protocol_of_class(mqtt5.Message).name
    'mqtt-5.0'
    """
    found = PROTOCOLS.of_class(message_class)
    if found is None:
        raise ArgumentError("message", "a message", message_class, _how_to_get_one(message_class))
    return found
