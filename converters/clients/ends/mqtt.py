"""Ends of MQTT 5.0 and 3.1.1 over paho-mqtt: a subscription of a session of its own, and publishing with QoS 1.

Both have QoS 1, whatever the conversion says: QoS 0 has no answer, and paho answers QoS 2 before it hands a message over. What
belongs to a connection is not passed on: packet identifier, DUP, topic alias, subscription identifiers.

paho is used in its mode for external loops: all its calls and callbacks are in one asyncio loop, in the thread of `run`. It
reads and writes each part of a packet by itself, so a socket in between does that for many at once.
"""

import asyncio
import ssl
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from mqconvert.converters.clients import require
from mqconvert.converters.clients.ends import GOODBYE, Address, DownError, Ends, Where, Window, down_by
from mqconvert.converters.clients.ends.loops import InFlight, Jobs, pause
from mqconvert.converters.environment import bad_option
from mqconvert.converters.errors import DecodeError, DeliveryError, EncodeError
from mqconvert.converters.model.plain import topic_fault
from mqconvert.converters.protocols.mqtt5 import codec as mqtt5_codec
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt5.codec import encode_properties, varint
from mqconvert.converters.protocols.mqtt311 import codec as mqtt311_codec
from mqconvert.converters.protocols.mqtt311 import message as mqtt311

require("paho-mqtt", "paho", (2, 0))

import paho.mqtt.client as mqtt  # noqa: E402 - after the check of its version
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion  # noqa: E402
from paho.mqtt.packettypes import PacketTypes  # noqa: E402
from paho.mqtt.properties import Properties  # noqa: E402
from paho.mqtt.reasoncodes import ReasonCode  # noqa: E402
from paho.mqtt.subscribeoptions import SubscribeOptions  # noqa: E402

KEEPALIVE = 20
"""Seconds without a packet after which a half-open connection is looked for."""
_NEVER = 0xFFFF_FFFF
"""The expiry of a session that does not expire (MQTT 5.0 section 3.1.2.11.2)."""
_QOS = 0b110
"""The bits of QoS in a fixed header (MQTT 5.0 section 3.3.1.2)."""
_NOBODY = 0x10
"""PUBACK: nobody subscribes (MQTT 5.0 section 3.4.2.1)."""
_OF_THE_MESSAGE = {0x87: "not authorised for the topic", 0x90: "invalid topic name", 0x99: "invalid payload format"}
"""Answers that another try would not change."""
_BAD_LOGIN = {0x86, 0x87, 0x8A, 0x8C}
"""Reason codes of a refused CONNECT; paho translates those of MQTT 3.1.1."""
_CHUNK = 2**16
"""Bytes that are read or written at once."""
_TICK = 1.0
"""Seconds between looks at the clock, for keep-alive."""


class _Socket:
    """A socket that gathers small reads and writes, with the methods that paho needs of one."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._read = b""
        self._at = 0
        self._written = bytearray()

    def recv(self, size: int) -> bytes:
        if self._at >= len(self._read):
            self._read, self._at = self._inner.recv(_CHUNK), 0
        part = self._read[self._at : self._at + size]
        self._at += len(part)
        return part

    def send(self, data: bytes) -> int:
        self._written += data
        return len(data)

    def flush(self, until: float | None = None) -> bool:
        """Write what waits, as far as the socket takes it, or until a time of time.monotonic; return whether that is all.

        Raises OSError.
        """
        sent = 0
        try:
            with memoryview(self._written) as waiting:
                while sent < len(waiting):
                    if until is not None:
                        self._inner.settimeout(max(until - time.monotonic(), 0))
                    sent += self._inner.send(waiting[sent : sent + _CHUNK])
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        finally:
            del self._written[:sent]
        return True

    @property
    def has_data(self) -> bool:
        """Return whether there is data that a selector does not see."""
        return self._at < len(self._read) or (isinstance(self._inner, ssl.SSLSocket) and self._inner.pending() > 0)

    def fileno(self) -> int:
        number: int = self._inner.fileno()
        return number

    def setblocking(self, flag: bool) -> None:
        self._inner.setblocking(flag)

    def close(self) -> None:
        with suppress(OSError):
            self.flush(time.monotonic() + GOODBYE)
        self._inner.close()


class _Client(mqtt.Client):
    """Reads and writes through a _Socket, leaves a PUBLISH as bytes, and reads the usual PUBACK itself.

    Most of paho's time goes into objects for properties, of which that PUBACK has none.
    """

    on_packet: Callable[[bytes, bytes], None]
    """Takes the fixed header of a PUBLISH, and the rest."""

    def _create_socket(self) -> Any:
        return _Socket(super()._create_socket())

    def _handle_publish(self) -> MQTTErrorCode:
        rest = bytes(self._in_packet["packet"])
        self.on_packet(bytes([self._in_packet["command"]]) + varint(len(rest)), rest)
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    def _handle_pubackcomp(self, cmd: Any) -> MQTTErrorCode:
        packet = self._in_packet["packet"]
        if packet[2:] not in _PLAIN:
            return super()._handle_pubackcomp(cmd)
        identifier = packet[0] << 8 | packet[1]
        if identifier not in self._out_messages:
            return MQTTErrorCode.MQTT_ERR_SUCCESS
        return self._do_on_publish(identifier, _SUCCESS, _NO_PROPERTIES)


_PLAIN = (b"", b"\0", b"\0\0")
"""A PUBACK behind its identifier: reason code and properties may be left out (MQTT 5.0 section 3.4.2)."""
_SUCCESS, _NO_PROPERTIES = ReasonCode(PacketTypes.PUBACK), Properties(PacketTypes.PUBACK)  # type: ignore[no-untyped-call]


class _End:
    """A connection. Subclasses have `_begin`, which starts the work."""

    def __init__(self, where: Where, version: MQTTProtocolVersion, client_id: str, *, clean: bool) -> None:
        self._where = where
        self._five = version is MQTTProtocolVersion.MQTTv5
        self._clean = clean
        self._down: DownError | None = None
        self._closing = False
        self._defect: Exception | None = None
        self._answered = False
        self._jobs = Jobs(self._wake)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._socket: Any = None
        self._ended = asyncio.Event()
        more: dict[str, Any] = {} if self._five else {"clean_session": clean}
        self._client = _Client(
            CallbackAPIVersion.VERSION2, client_id, protocol=version, reconnect_on_failure=False, manual_ack=True, **more
        )
        if where.user is not None:
            self._client.username_pw_set(where.user, where.password)
        self._client.on_connect = self._guarded(self._connected)
        self._client.on_disconnect = self._guarded(self._disconnected)

    def run(self, window: Window) -> None:
        self._window = window
        try:
            asyncio.run(self._converse())
        except OSError as error:
            self._lose(down_by(error))
        if self._defect is not None:
            raise self._defect
        if not self._closing:
            raise self._down or DownError("the connection was lost")

    async def _converse(self) -> None:
        if self._where.tls is not None:
            self._client.tls_set_context(self._where.tls.context())
        more: dict[str, Any] = {"clean_start": self._clean, "properties": self._properties()} if self._five else {}
        self._client.connect(self._where.host, self._where.port, KEEPALIVE, **more)
        loop = self._loop = asyncio.get_running_loop()
        self._socket = self._client.socket()
        self._client.on_socket_close = self._forget
        try:
            loop.add_reader(self._socket, self._guarded(self._read))
            self._work()
            while not self._ended.is_set():
                self._client.loop_misc()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), _TICK)
        finally:
            self._jobs.close()
            self._client.disconnect()

    def _forget(self, *_: object) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)

    def _wake(self) -> None:
        """Have the loop do what waits; before it runs, `_converse` does."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._guarded(self._work))

    def _work(self) -> None:
        self._jobs.work()
        self._write()

    def _read(self) -> None:
        while self._client.loop_read() == MQTTErrorCode.MQTT_ERR_SUCCESS and self._socket.has_data:
            pass
        self._taken()
        self._write()

    def _taken(self) -> None:
        """Do what follows from all packets that were read."""

    def _write(self) -> None:
        if self._client.loop_write() != MQTTErrorCode.MQTT_ERR_SUCCESS or self._loop is None:
            return  # closed
        if self._socket.flush():
            self._loop.remove_writer(self._socket)
        else:
            self._loop.add_writer(self._socket, self._guarded(self._write))

    def close(self) -> None:
        self._closing = True
        self._jobs.add(self._ended.set)

    def _properties(self) -> Properties | None:
        """Return the properties of the CONNECT."""
        return None

    def _lose(self, error: DownError) -> None:
        self._down = self._down or error
        self._ended.set()

    def _guarded(self, callback: Callable[..., None]) -> Callable[..., None]:
        """Return a callback whose defects end the connection, whatever paho does with them."""

        def guarded(*arguments: Any) -> None:
            try:
                callback(*arguments)
            except OSError as error:
                self._lose(down_by(error))
            except Exception as defect:  # noqa: BLE001 - told by `run`
                self._defect = defect
                self._lose(DownError(f"{type(defect).__name__}: {defect}", final=True))

        return guarded

    def _connected(self, _client: object, _data: object, flags: Any, reason: Any, properties: Any) -> None:
        self._answered = True
        if reason.is_failure:
            self._lose(DownError(f"the broker refused the connection: {reason}", final=reason.value in _BAD_LOGIN))
            return
        self._begin(flags, properties)

    def _begin(self, flags: Any, properties: Any) -> None:
        raise NotImplementedError

    def _disconnected(self, _client: object, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        words = f"the broker closed the connection: {reason}" if reason.value else "the connection was lost"
        if not self._answered:
            words = f"{words}, before it answered: does this port speak MQTT, without TLS?"
        self._lose(DownError(words, by_peer=reason.value in _FAULTS))


_FAULTS = {0x80, 0x81, 0x82, 0x93, 0x94, 0x95, 0x99, 0x9A, 0x9B}
"""Reason codes of a DISCONNECT for a fault of a packet: malformed, protocol error, too large ...

Brokers also close a connection without a word because of a packet, in MQTT 3.1.1 always; for paho that is 0x80.
"""
_SESSIONS: set[tuple[str, int, str]] = set()
"""Sessions that this process had: host, port, client id."""


class _Source(_End):
    """Subscribes to a topic filter in a session that outlives the connection. Tokens count messages."""

    def __init__(self, where: Where, keys: Mapping[str, str], version: MQTTProtocolVersion) -> None:
        if not keys["client_id"]:
            raise bad_option("client_id", "a text that is not empty: it names the session")
        if not _is_filter(keys["topic"]):
            raise bad_option("topic", "a topic filter: + and # alone between slashes, # at the end")
        super().__init__(where, version, keys["client_id"], clean=False)
        self._session = (where.host, where.port, keys["client_id"])
        self._topic = keys["topic"]
        self._open: InFlight[int] = InFlight()
        self._stopped = False
        self._client.on_subscribe = self._guarded(self._subscribed)
        self._client.on_packet = self._guarded(self._received)
        self._decode = mqtt5_codec.decode if self._five else mqtt311_codec.decode

    def settle(self, token: object) -> None:
        self._jobs.add(self._settle, token)

    def _settle(self, token: int) -> None:
        for identifier in self._open.up_to(token):
            if identifier:
                self._client.ack(identifier, 1)  # in the order of arrival [MQTT-4.6.0-2]

    def reject(self, token: object, reason: str) -> None:
        """Do nothing: `--refused reject` is refused for MQTT."""

    def allow(self, unsettled: int) -> None:
        """Do nothing: Receive Maximum holds for a connection."""

    def stop(self) -> None:
        self._stopped = True

    def _properties(self) -> Properties | None:
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho has no types there
        properties.SessionExpiryInterval = _NEVER
        properties.ReceiveMaximum = min(self._window.most, 65535)
        return properties

    def _begin(self, flags: Any, properties: Any) -> None:  # noqa: ARG002 - see _End
        if not flags.session_present and self._session in _SESSIONS:
            self._window.note("source: the broker lost the session: messages that it had for it are gone")
        _SESSIONS.add(self._session)
        options: dict[str, Any] = {"qos": 1}
        if self._five:
            options = {"options": SubscribeOptions(qos=1, retainAsPublished=True)}
        self._window.opened(self)  # messages of the session may come before the answer to SUBSCRIBE
        self._client.subscribe(self._topic, **options)

    def _subscribed(self, _client: object, _data: object, _mid: object, reasons: list[Any], _properties: object) -> None:
        reason = reasons[0]
        if reason.is_failure:
            self._lose(DownError(f"the broker refused the subscription to {self._topic!r}: {reason}", final=True))
        elif reason.value == 0:
            self._lose(
                DownError(f"the broker grants QoS 0 only for {self._topic!r}: a failure would lose messages", final=True)
            )

    def _received(self, header: bytes, rest: bytes) -> None:
        if self._stopped:
            return  # unanswered, it comes again in the next session
        identifier = 0
        if header[0] & _QOS:
            topic = int.from_bytes(rest[:2], "big")
            identifier = int.from_bytes(rest[2 + topic : 4 + topic], "big")
        else:
            self._window.note("source: messages that were published with QoS 0 may be lost before they arrive here")
        token = self._open.add(identifier)
        packet = header + rest
        try:
            message = self._decode(packet)
        except DecodeError as error:
            self._window.undecoded(self, token, packet, error)
        else:
            self._window.received(self, token, message, len(packet))


def _is_filter(topic: str) -> bool:
    """Return whether a text is a topic filter (MQTT 5.0 section 4.7).

    >>> [_is_filter(topic) for topic in ("a/+/#", "#", "", "a#", "#/a", "a+")]
    [True, True, False, False, False, False]
    """
    levels = topic.split("/")
    alone = all(level in ("+", "#") or not {"+", "#"} & set(level) for level in levels)
    return alone and "#" not in levels[:-1] and 0 < len(topic.encode()) < 2**16 and "\0" not in topic


class _Packed(Properties):
    """Properties of a PUBLISH that are bytes already."""

    def __init__(self, raw: bytes) -> None:
        object.__setattr__(self, "raw", raw)

    def pack(self) -> bytes:
        raw: bytes = object.__getattribute__(self, "raw")
        return raw


class _Sent(NamedTuple):
    """A message on its way to a topic, of the target or its own."""

    number: int
    message: Any
    topic: str | None
    tries: int = 0


class _Target(_End):
    """Publishes with QoS 1, as many messages at a time as the broker allows."""

    def __init__(self, where: Where, address: Address, version: MQTTProtocolVersion) -> None:
        super().__init__(where, version, "", clean=True)
        self._retain = None if address[1] is None else address[1] == "true"
        self._waiting: deque[_Sent] = deque()
        self._most = 0
        self._pending: dict[int, _Sent] = {}
        self._confirmed: list[int] = []
        self._client.max_queued_messages_set(0)
        self._client.max_inflight_messages_set(0)  # paho's own limit does not know the broker's Receive Maximum
        self._client.on_publish = self._guarded(self._published)

    @property
    def blocked(self) -> bool:
        """Return whether everything waits for another try."""
        return not self._pending

    def send(self, number: int, message: Any, to: Address) -> None:
        self._jobs.add(self._send, _Sent(number, message, to[0]))

    def _begin(self, flags: Any, properties: Any) -> None:  # noqa: ARG002 - see _End
        self._most = getattr(properties, "ReceiveMaximum", 65535)
        self._window.up(self)

    def _send(self, sent: _Sent) -> None:
        self._waiting.append(sent)
        self._publish_waiting()

    def _publish_waiting(self) -> None:
        while self._waiting and len(self._pending) < self._most:
            self._publish(self._waiting.popleft())

    def _publish(self, sent: _Sent) -> None:
        try:
            made = self._made(sent.message, sent.message.topic_name if sent.topic is None else sent.topic)
        except EncodeError as error:
            self._window.refused(self, sent.number, error)
            return
        info = self._client.publish(**made)
        if info.rc in (MQTTErrorCode.MQTT_ERR_SUCCESS, MQTTErrorCode.MQTT_ERR_NO_CONN):
            self._pending[info.mid] = sent
        else:
            self._lose(DownError(f"paho does not take a message: {mqtt.error_string(info.rc)}"))

    def _made(self, message: Any, topic: str) -> dict[str, Any]:
        """Return the arguments of paho's `publish`. Raises EncodeError for a message that MQTT cannot carry."""
        fault = topic_fault(topic)
        if fault is not None:
            raise EncodeError("bad_topic", f"{fault}: name a topic for the target, such as ?topic=orders", field="topic_name")
        made = {"topic": topic, "payload": message.payload, "qos": 1}
        made["retain"] = bool(message.retain) if self._retain is None else self._retain
        if self._five:
            made["properties"] = _Packed(encode_properties(_published(message)))
        return made

    def _published(self, _client: object, _data: object, identifier: int, reason: Any, _properties: object) -> None:
        sent = self._pending.pop(identifier)
        retained = bool(sent.message.retain) if self._retain is None else self._retain
        if not reason.is_failure and (reason.value != _NOBODY or retained):
            self._confirmed.append(sent.number)
        elif reason.value == _NOBODY:
            self._refuse(sent, "unroutable", "nobody subscribes to its topic")
        elif reason.value in _OF_THE_MESSAGE:
            self._refuse(sent, "refused_by_target", f"{reason}: {_OF_THE_MESSAGE[reason.value]}")
        else:
            again = sent._replace(tries=sent.tries + 1)
            self._window.delayed(self)
            asyncio.get_running_loop().call_later(pause(again.tries), self._jobs.add, self._send, again)

    def _refuse(self, sent: _Sent, code: str, words: str) -> None:
        self._confirm()
        self._window.refused(self, sent.number, DeliveryError(words, code=code))

    def _confirm(self) -> None:
        numbers, self._confirmed = self._confirmed, []
        self._window.confirmed(self, numbers)

    def _taken(self) -> None:
        if self._confirmed:
            self._confirm()
        self._publish_waiting()


def _published(message: mqtt5.Message) -> mqtt5.Message:
    """Return a message without what holds for the connection that it came over."""
    if message.topic_alias is None and message.subscription_identifiers is None:
        return message
    return replace(message, topic_alias=None, subscription_identifiers=None)


def _address(keys: Mapping[str, str]) -> Address:
    """Return topic, and whether messages are retained as text. Raises ConversionError `bad_option` for another text."""
    if keys.get("retain") not in (None, "true", "false"):
        raise bad_option("retain", "true or false")
    return keys.get("topic"), keys.get("retain")


def ends_of(message: type[mqtt5.Message | mqtt311.Message]) -> Ends:
    """Return the ends of the version with messages of a class."""
    version = MQTTProtocolVersion.MQTTv5 if message is mqtt5.Message else MQTTProtocolVersion.MQTTv311

    return Ends(
        1883,
        8883,
        source_keys=("topic", "client_id"),
        target_keys=("topic", "retain"),
        address=_address,
        source=partial(_Source, version=version),
        target=partial(_Target, version=version),
    )
