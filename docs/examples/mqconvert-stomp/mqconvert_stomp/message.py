"""STOMP 1.2: the frames with a message, SEND and MESSAGE, and every other frame.

This module has the dataclasses and their wire types; `wire(...)` names the wire type of a field.
"""

from dataclasses import dataclass, fields
from typing import Any

from mqconvert.plugin import PAYLOAD, EntriesType, TextType, wire, wire_types

SEND, MESSAGE = "SEND", "MESSAGE"
"""The commands of frames that carry a message: client to server, server to client."""
RECEIPT, ERROR = "RECEIPT", "ERROR"

COMMANDS = {
    "CONNECT": "the client opens the connection",
    "STOMP": "the client opens the connection",
    "CONNECTED": "the server accepts the connection",
    "SEND": "the client sends a message to a destination",
    "SUBSCRIBE": "the client asks for the messages of a destination",
    "UNSUBSCRIBE": "the client ends a subscription",
    "ACK": "the client has taken a message",
    "NACK": "the client has not taken a message",
    "BEGIN": "the client begins a transaction",
    "COMMIT": "the client completes a transaction",
    "ABORT": "the client gives a transaction up",
    "DISCONNECT": "the client closes the connection",
    "MESSAGE": "the server delivers a message of a subscription",
    "RECEIPT": "the server has done what the client asked for",
    "ERROR": "the server refuses",
}
"""Every command with its meaning (STOMP 1.2, Augmented BNF)."""


def _message_command_fault(value: Any) -> str | None:
    return None if value.__class__ is str and value in (SEND, MESSAGE) else f"neither {SEND} nor {MESSAGE}"


def _other_command_fault(value: Any) -> str | None:
    known = value.__class__ is str and value in COMMANDS and value not in (SEND, MESSAGE)
    return None if known else "no command of a frame without a message"


_TEXT = TextType("text")
HEADERS = EntriesType("headers", _TEXT, _TEXT)

STOMP_TYPES = wire_types(TextType("command", _message_command_fault, [("", SEND), ("of a server", MESSAGE)]), _TEXT, PAYLOAD)
"""`command` is SEND or MESSAGE, `text` the text of a header."""

FRAME_TYPES = STOMP_TYPES | wire_types(TextType("command", _other_command_fault, [("", "CONNECT")]))
"""The wire types of frames without a message."""


@dataclass(slots=True)
class Message:
    """A SEND or a MESSAGE. The fields are the headers with a meaning in one of the two, by the specification.

    `destination` is None for a message without an address. `headers` are all others in wire order; the first of duplicate names
    counts (STOMP 1.2, Repeated Header Entries). `content-length` exists only on the wire.
    """

    command: str = wire("command", default=SEND)
    destination: str | None = wire("text")
    content_type: str | None = wire("text")
    receipt: str | None = wire("text")
    transaction: str | None = wire("text")
    message_id: str | None = wire("text")
    subscription: str | None = wire("text")
    ack: str | None = wire("text")
    headers: list[tuple[str, str]] | None = wire(HEADERS)
    body: bytes = wire("payload", default=b"")


FIELDS = {
    field.name.replace("_", "-"): field.name for field in fields(Message) if field.name not in ("command", "headers", "body")
}
"""The fields of a message by their headers."""

HEADERS_OF = {
    SEND: {"destination": True, "content_type": False, "receipt": False, "transaction": False},
    MESSAGE: {"destination": True, "content_type": False, "message_id": True, "subscription": True, "ack": False},
}
"""The fields of each command, and whether it needs them (STOMP 1.2, SEND and MESSAGE). All else follows from this table."""

NEEDED = {command: [field for field, needed in known.items() if needed] for command, known in HEADERS_OF.items()}
"""The required fields of each command."""

FRAMES = {
    "send": tuple(field for field in HEADERS_OF[SEND] if field not in HEADERS_OF[MESSAGE]),
    "message": tuple(field for field in HEADERS_OF[MESSAGE] if field not in HEADERS_OF[SEND]),
}
"""The values of `--frame`, each with the fields that it alone has."""


@dataclass(slots=True)
class Control:
    """A frame without a message. Only ERROR has a body (STOMP 1.2, Body)."""

    command: str = wire("command", default="CONNECT")
    headers: list[tuple[str, str]] | None = wire(HEADERS)
    body: bytes = wire("payload", default=b"")


Frame = Message | Control
