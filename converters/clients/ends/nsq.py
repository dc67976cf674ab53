"""Ends of NSQ over a socket of our own, with the codec's frames: a subscription to a channel, and publishing one by one.

pynsq, the client library, had its last release in 2021. nsqd answers commands in their order; an `OK` confirms a PUB. What was
in flight on a lost connection comes again after a timeout alone: a short one here, with messages in flight touched meanwhile.
TLS begins after IDENTIFY, on the same port.
"""

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from typing import Any

from mqconvert.converters.clients.ends import Address, DownError, Ends, Where
from mqconvert.converters.clients.ends.loops import InFlight
from mqconvert.converters.clients.ends.sockets import SocketEnd
from mqconvert.converters.errors import DecodeError, DeliveryError, EncodeError
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.nsq.codec import MAX_FRAME, decode_frames, encode, encode_frame

HEARTBEAT = 10.0
"""Seconds between the heartbeats that nsqd is asked for."""
TIMEOUT = 4.0
"""Seconds after which nsqd gives a message again that was neither finished nor touched: less than the usual `--idle`."""
_HEARTBEAT = b"_heartbeat_"
_FINAL = (b"E_BAD_TOPIC", b"E_BAD_CHANNEL", b"E_BAD_BODY", b"E_AUTH", b"E_UNAUTHORIZED", b"E_INVALID")
"""Errors of a connection that another try would not change."""
_OF_THE_MESSAGE = (b"E_BAD_MESSAGE", b"E_BAD_TOPIC", b"E_BAD_BODY", b"E_UNAUTHORIZED")
"""Errors of a PUB that another try would not change."""
_PASSING = (b"E_PUB_FAILED", b"E_DPUB_FAILED")
"""Errors of a PUB that is not at fault, such as a full disk. Of others, the window finds the message."""
_LATE = (b"E_FIN_FAILED", b"E_TOUCH_FAILED")
"""Errors about a message that was given again in the meantime; the connection stays."""


class _End(SocketEnd):
    """A connection."""

    silence = 2.5 * HEARTBEAT
    late_tls = True

    async def negotiate(self) -> dict[str, Any]:
        """Negotiate, and return nsqd's settings."""
        asked = {
            "feature_negotiation": True,
            "user_agent": "mqconvert",
            "heartbeat_interval": int(1000 * HEARTBEAT),
            "msg_timeout": int(1000 * TIMEOUT),
            "tls_v1": self.where.tls is not None,
        }
        self._write(nsq.Magic(), nsq.Identify(json.dumps(asked).encode()))
        try:
            settings = json.loads(await self._answer())
        except (RecursionError, ValueError):
            settings = None
        if not isinstance(settings, dict):
            raise DownError("no nsqd: its answer to IDENTIFY is no JSON object", final=True)
        if self.where.tls is not None:
            if not settings.get("tls_v1"):
                raise DownError("nsqd has no TLS", final=True)
            await self.writer.start_tls(self.where.tls.context(), server_hostname=self.where.host)
            await self._answer()
        if settings.get("auth_required"):
            self._write(nsq.Auth(self.where.password.encode()))
            await self._answer()
        return settings

    async def _answer(self) -> bytes:
        """Return the data of the next response. Raises DownError for an error."""
        frame = await self.frame()
        while isinstance(frame, nsq.Response) and frame.data == _HEARTBEAT:
            self._write(nsq.Nop())
            frame = await self.frame()
        if isinstance(frame, nsq.Response):
            return frame.data
        raise _down(frame)

    async def read_frame(self) -> nsq.Frame:
        head = await self.reader.readexactly(4)
        if int.from_bytes(head) > MAX_FRAME:
            raise DownError("no nsqd: a frame of an impossible size", final=True)
        raw = head + await self.reader.readexactly(int.from_bytes(head))
        try:
            [frame] = decode_frames(raw, direction="S2C")
        except DecodeError as error:
            raise DownError(f"no frame of nsqd: {error}", final=True) from error
        return frame

    async def take(self, frame: nsq.Frame) -> None:
        if isinstance(frame, nsq.Response) and frame.data == _HEARTBEAT:
            self._write(nsq.Nop())
        elif not (isinstance(frame, nsq.Error) and frame.data.startswith(_LATE)):
            self._got(frame)

    def _got(self, frame: nsq.Frame) -> None:
        raise NotImplementedError

    def _write(self, *commands: nsq.Frame) -> None:
        self.writer.write(b"".join(map(encode_frame, commands)))


def _down(frame: nsq.Frame) -> DownError:
    """Return the error of a connection that nsqd refuses."""
    data = frame.data if isinstance(frame, nsq.Error) else b"an unexpected answer"
    return DownError(f"nsqd: {data.decode('utf-8', 'replace')}", final=data.startswith(_FINAL), by_peer=True)


class _Source(_End):
    """Subscribes to a channel. Tokens count messages."""

    def __init__(self, where: Where, keys: Mapping[str, str]) -> None:
        super().__init__(where)
        self._topic, self._channel = keys["topic"], keys["channel"]
        self._in_flight: InFlight[bytes] = InFlight()
        self._most = 0
        self._stopped = False

    def settle(self, token: object) -> None:
        self.jobs.add(self._finish, token)

    def reject(self, token: object, reason: str) -> None:
        """Do nothing: `--refused reject` is refused for NSQ."""

    def allow(self, unsettled: int) -> None:
        self.jobs.add(self._ready, unsettled)

    def stop(self) -> None:
        self._stopped = True
        self.jobs.add(self._ready, 0)

    def begin(self, settings: Mapping[str, Any]) -> None:
        most = settings.get("max_rdy_count")
        self._most = most if type(most) is int else 2500
        try:
            self._write(nsq.Sub(self._topic, self._channel))
        except EncodeError as error:
            raise DownError(f"{error.field}: {error.message}", final=True) from None
        self._touch()
        self._ready(self.window.opened(self))

    def _ready(self, count: int) -> None:
        self._write(nsq.Rdy(0 if self._stopped else min(count, self._most)))

    def _touch(self) -> None:
        """Ask for more time for the messages in flight, again and again."""
        self._write(*map(nsq.Touch, self._in_flight))
        asyncio.get_running_loop().call_later(TIMEOUT / 3, self._touch)

    def _finish(self, token: int) -> None:
        self._write(*map(nsq.Fin, self._in_flight.up_to(token)))

    def _got(self, frame: nsq.Frame) -> None:
        if not isinstance(frame, nsq.Message):
            if isinstance(frame, nsq.Response):
                return  # the OK of SUB
            raise _down(frame)
        token = self._in_flight.add(frame.message_id or b"")
        frame.topic, frame.channel = self._topic, self._channel
        self.window.received(self, token, frame, len(frame.body) + 34)


class _Target(_End):
    """Publishes with PUB, or DPUB for a delayed message; nsqd answers in order."""

    def __init__(self, where: Where, address: Address) -> None:  # noqa: ARG002 - every message has its address
        super().__init__(where)
        self._pending: deque[int] = deque()

    def send(self, number: int, message: Any, to: Address) -> None:
        self.jobs.add(self._publish, number, message, to[0])

    def begin(self, settings: Mapping[str, Any]) -> None:  # noqa: ARG002 - see _End
        self.window.up(self)

    def _publish(self, number: int, message: nsq.Message, topic: str | None) -> None:
        made = nsq.Message(message.topic if topic is None else topic, defer_ms=message.defer_ms, body=message.body)
        try:
            raw = encode(made)
        except EncodeError as error:
            self.window.refused(self, number, error)
            return
        self._pending.append(number)
        self.writer.write(raw)

    def _got(self, frame: nsq.Frame) -> None:
        if isinstance(frame, nsq.Response) and self._pending:
            self.window.confirmed(self, [self._pending.popleft()])
            return
        words = _down(frame).words
        known = isinstance(frame, nsq.Error) and frame.data.startswith(_OF_THE_MESSAGE)
        if known and self._pending:
            self.window.refused(self, self._pending.popleft(), DeliveryError(words, code="refused_by_target"))
        passing = isinstance(frame, nsq.Error) and frame.data.startswith(_PASSING)
        raise DownError(words, by_peer=not known and not passing)  # nsqd closes the connection


ENDS = Ends(
    4150,
    4150,
    source_keys=("topic", "channel"),
    target_keys=("topic",),
    address=lambda keys: (keys.get("topic"),),
    source=_Source,
    target=_Target,
)
