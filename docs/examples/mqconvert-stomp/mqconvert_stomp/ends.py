"""STOMP brokers as ends of `mqconvert move`: a subscription, and SEND frames with receipts.

The key is `destination`; without it, messages for a target keep their own. An acknowledgement is cumulative (`ack:client`). The
headers of a connection (`receipt`, `transaction`, `message-id`, `subscription`, `ack`) are not passed on.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any

from mqconvert.plugin import Address, DecodeError, DeliveryError, DownError, EncodeError, Ends, SocketEnd, Where
from mqconvert_stomp.codec import LENGTH, MAX_BODY, decode_frames, encode, encode_frame
from mqconvert_stomp.message import ERROR, MESSAGE, RECEIPT, SEND, Control, Frame, Message

HEARTBEAT = 10_000
"""Milliseconds between the signs of life that a server is asked for."""


class _End(SocketEnd):
    """A connection."""

    silence = 2.5 * HEARTBEAT / 1000
    limit = MAX_BODY

    async def negotiate(self) -> None:
        login = [("accept-version", "1.2"), ("host", self.where.path or "/"), ("heart-beat", f"0,{HEARTBEAT}")]
        if self.where.user is not None:
            login += [("login", self.where.user), ("passcode", self.where.password)]
        self.write(Control("CONNECT", login))
        answer = await self.frame()
        if answer.command != "CONNECTED":
            raise _down(answer, final=True)

    async def read_frame(self) -> Frame:
        """Read a frame: lines up to an empty one, then a body of the length that they say, or up to NUL."""
        line = b"\n"
        while not line.strip():  # a line end alone is a sign of life
            line = await self.reader.readuntil(b"\n")
        raw, size = bytearray(), -1
        while line.strip(b"\r\n"):
            raw += line
            name, _, value = line.strip().partition(b":")
            size = int(value) if name == LENGTH.encode() and value.isdigit() and len(value) < 20 and size < 0 else size
            line = await self.reader.readuntil(b"\n")
        body = await (self.reader.readuntil(b"\0") if size < 0 else self.reader.readexactly(min(size, MAX_BODY) + 1))
        try:
            [frame] = decode_frames(bytes(raw + line + body))
        except DecodeError as error:
            raise DownError(f"no frame of STOMP: {error}", final=True) from error
        return frame

    def write(self, frame: Frame) -> None:
        self.writer.write(encode_frame(frame))


def _header(frame: Frame, name: str) -> str:
    return next((value for key, value in frame.headers or () if key == name), "")


def _down(frame: Frame, *, final: bool = False) -> DownError:
    words = _header(frame, "message") or frame.command
    return DownError(f"{words}: {frame.body.decode('utf-8', 'replace').strip()}"[:500], final=final, by_peer=True)


class _Source(_End):
    """Subscribes to a destination. A token is what acknowledges the message."""

    def __init__(self, where: Where, keys: Mapping[str, str]) -> None:
        super().__init__(where)
        self._destination = keys["destination"]
        self._in_flight: deque[str] = deque()
        self._allowed = 0
        self._opened = self._stopped = False

    def begin(self, settings: object) -> None:  # noqa: ARG002 - STOMP has none
        self._room = asyncio.Event()
        headers = [("id", "0"), ("destination", self._destination), ("ack", "client"), ("receipt", "0")]
        self.write(Control("SUBSCRIBE", [*headers, ("prefetch-count", str(self.window.most))]))  # a header of RabbitMQ

    async def take(self, frame: Frame) -> None:
        if frame.command != RECEIPT and (not isinstance(frame, Message) or frame.ack is None):
            raise _down(frame, final=True)
        if not self._opened:  # now the subscription holds; an error before is final, such as of a missing destination
            self._opened, self._allowed = True, self.window.opened(self)
        if not isinstance(frame, Message) or frame.ack is None:
            return
        while len(self._in_flight) >= self._allowed or self._stopped:  # what is not read waits in the socket
            self._room.clear()
            await self._room.wait()
        self._in_flight.append(frame.ack)
        self.window.received(self, frame.ack, frame, len(frame.body) + 200)

    def settle(self, token: object) -> None:
        self.jobs.add(self._acknowledge, token)

    def _acknowledge(self, token: str) -> None:
        self.write(Control("ACK", [("id", token)]))
        while self._in_flight and self._in_flight.popleft() != token:
            pass
        self._room.set()

    def reject(self, token: object, reason: str) -> None:
        """Do nothing: `--refused reject` is not offered."""

    def allow(self, unsettled: int) -> None:
        self.jobs.add(self._let, unsettled)

    def _let(self, unsettled: int) -> None:
        self._allowed = unsettled
        self._room.set()

    def stop(self) -> None:
        self._stopped = True


class _Target(_End):
    """Sends with receipts, which confirm."""

    def __init__(self, where: Where, _address: Address) -> None:
        super().__init__(where)
        self._pending: set[int] = set()

    def begin(self, settings: object) -> None:  # noqa: ARG002 - STOMP has none
        self.window.up(self)

    def send(self, number: int, message: Any, to: Address) -> None:
        self.jobs.add(self._send, number, message, to[0])

    def _send(self, number: int, message: Message, destination: str | None) -> None:
        to = message.destination if destination is None else destination
        made = Message(SEND, to, message.content_type, str(number), headers=message.headers, body=message.body)
        try:
            raw = encode(made)
        except EncodeError as error:
            self.window.refused(self, number, error)
            return
        self._pending.add(number)
        self.writer.write(raw)

    async def take(self, frame: Frame) -> None:
        receipt = _header(frame, "receipt-id")
        number = int(receipt) if receipt.isdigit() else -1
        if number in self._pending:
            self._pending.discard(number)
            if frame.command == RECEIPT:
                self.window.confirmed(self, [number])
                return
            self.window.refused(self, number, DeliveryError(_down(frame).words, code="refused_by_target"))
            raise DownError(_down(frame).words)  # a server closes the connection after an error
        if frame.command in (ERROR, MESSAGE):
            raise _down(frame)


ENDS = Ends(
    61613,
    61614,
    source_keys=("destination",),
    target_keys=("destination",),
    address=lambda keys: (keys.get("destination"),),
    source=_Source,
    target=_Target,
    has_path=True,
)
