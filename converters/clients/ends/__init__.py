"""The contract of ends: what a broker's client offers to move messages from it (Source) and to it (Target).

One module a client library, which alone imports it, has `ENDS`, an object of Ends; `Protocol.ends` names the module. What ends
call is a Window: it belongs to the caller, who owns the threads. Every connection is a new object: an answer from an old one,
or a token of it, is void.
"""

import ssl
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from mqconvert.converters.errors import MqConvertError

PATIENCE = 10.0
"""Seconds in which a connection has to be made (`Window.opened`, `Window.up`), and in which `run` ends after `close`.

The caller closes a connection that is not made in time.
"""
GOODBYE = PATIENCE / 2
"""Seconds in which a broker may answer that the connection is closed, or take the last bytes."""

NO_TLS = "the broker speaks no TLS at this port: name its port for TLS, or leave out +tls"

Address = tuple[str | None, ...]
"""Where a target sends one message, in the order of `Ends.address`; None: where the message itself says."""


class DownError(Exception):
    """Raised by `run` when a connection is lost, or not made.

    `final`: another try will not help (a wrong password, no such queue, an invalid certificate). `by_peer`: the broker closed
    it with an error, perhaps because of one of the messages.
    """

    def __init__(self, words: str, *, final: bool = False, by_peer: bool = False) -> None:
        self.words = " ".join(words.split())  # on one line: RabbitMQ's may be a stack of Erlang
        super().__init__(self.words)
        self.final = final
        self.by_peer = by_peer


def down_by(error: Exception) -> DownError:
    """Return the error of a connection that the operating system or TLS ended: final for an invalid certificate, and no TLS.

    >>> down_by(ConnectionRefusedError(111, "Connection refused")).words, down_by(EOFError()).words
    ('Connection refused', 'the connection was lost')
    """
    if isinstance(error, TimeoutError):
        return DownError("the broker did not answer in time")
    if isinstance(error, ssl.SSLEOFError):
        return DownError("the connection was lost within TLS: does this port speak it?")
    if isinstance(error, ssl.SSLError) and error.reason == "WRONG_VERSION_NUMBER":
        return DownError(NO_TLS, final=True)
    if isinstance(error, ssl.SSLCertVerificationError):
        return DownError(f"the broker's certificate is invalid: {error.verify_message}", final=True)
    words = error.strerror or str(error) if isinstance(error, OSError) else ""
    return DownError(words or "the connection was lost")


class Window(Protocol):
    """The caller's side. Every method may be called from any thread. `most` bounds the messages without an answer."""

    most: int

    def opened(self, source: "Source", waiting: int | None = None) -> int:
        """Note that the source gives messages; return how many it may have unsettled at first.

        `waiting` is the number of messages that wait there, where the source knows it.
        """

    def received(self, source: "Source", token: object, message: Any, size: int, **where: object) -> None:
        """Take a message; `size` are its bytes on the wire, `where` its place in a file."""

    def undecoded(self, source: "Source", token: object, wire: bytes, error: MqConvertError, **where: object) -> None:
        """Take bytes that are not a message of the protocol; `where` is their place in a file."""

    def up(self, target: "Target") -> None:
        """Note that the target takes messages."""

    def confirmed(self, target: "Target", numbers: Iterable[int]) -> None:
        """Note that the target has stored these messages."""

    def refused(self, target: "Target", number: int, error: MqConvertError) -> None:
        """Note that the target refused a message for good."""

    def delayed(self, target: "Target") -> None:
        """Note that the target asked for a message again, later: an answer, but no progress."""

    def note(self, words: str) -> None:
        """Tell people something, once."""

    def broken(self, words: str, error: MqConvertError, **where: object) -> None:
        """Tell people of an entry of a file that is no message, in words or with its place `where`, and count it."""


class Source(Protocol):
    """One connection that gives messages, or a file."""

    def run(self, window: Window) -> None:
        """Give messages, in the calling thread, until `close` or the end of the input; DownError for a lost connection."""

    def settle(self, token: object) -> None:
        """Settle this message and every earlier one; ignored on a lost connection."""

    def reject(self, token: object, reason: str) -> None:
        """Refuse this message for good, where the protocol can (`Ends.rejects`)."""

    def allow(self, unsettled: int) -> None:
        """Have at most this number of messages unsettled from now on."""

    def stop(self) -> None:
        """Give no new messages; `settle` still works."""

    def close(self) -> None:
        """Do what was asked for, and end `run`: at once before the broker has answered, and never after more than PATIENCE."""


class Target(Protocol):
    """One connection that takes messages, or a file."""

    @property
    def blocked(self) -> bool:
        """Return whether no answer is expected: the broker asked for a pause, or whatever there is waits to be sent again."""

    def run(self, window: Window) -> None:
        """Send messages, in the calling thread, until `close`; DownError when the connection is lost."""

    def send(self, number: int, message: Any, to: Address) -> None:
        """Send a message, without blocking."""

    def close(self) -> None:
        """End `run`, as `Source.close` does."""


@dataclass(frozen=True, slots=True)
class Tls:
    """Files in PEM: certificates of authorities (None: the system's), and the client's own certificate and key."""

    ca: str | None = None
    cert: str | None = None
    key: str | None = None

    @property
    def authorities(self) -> str:
        """Return the file or folder of the authorities, for clients that have to be told the system's."""
        system = ssl.get_default_verify_paths()
        return self.ca or system.cafile or system.capath or system.openssl_cafile

    def context(self) -> ssl.SSLContext:
        """Return the context of a client. Raises OSError for files that cannot be read."""
        context = ssl.create_default_context(cafile=self.ca)
        if self.cert is not None:
            context.load_cert_chain(self.cert, self.key)
        return context


@dataclass(frozen=True, slots=True)
class Where:
    """A broker: host, port, the path of its URL without the slash (None: none), TLS, and user with password.

    >>> Where("localhost", 5672, user="me", password="secret")
    Where(host='localhost', port=5672, path=None, tls=None, user='me')
    """

    host: str
    port: int
    path: str | None = None
    tls: Tls | None = None
    user: str | None = None
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of a protocol.

    * `port` and `tls_port`: the usual ones; `has_path`: whether a URL may have a path;
    * `source_keys`: the keys of a source's URL, all required; `target_keys`: those of a target's;
    * `address`: the Address, as texts that may have places (templates.py), from the keys of a target's URL;
    * `source` and `target`: make a connection, from the keys of a source's URL, or the constant part of a target's Address;
    * `rejects`: whether sources can refuse a message for good.
    """

    port: int
    tls_port: int
    source_keys: tuple[str, ...]
    target_keys: tuple[str, ...]
    address: Callable[[Mapping[str, str]], Address]
    source: Callable[[Where, Mapping[str, str]], Source]
    target: Callable[[Where, Address], Target]
    has_path: bool = False
    rejects: bool = False
