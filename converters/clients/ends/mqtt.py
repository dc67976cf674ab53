"""Ends of MQTT 5.0 and 3.1.1 over paho-mqtt: a subscription of a session of its own, and publishing with QoS 1.

Both have QoS 1, whatever the conversion says: QoS 0 has no answer, and paho answers QoS 2 before it hands a message over. What
belongs to a connection is not passed on: packet identifier, DUP, topic alias, subscription identifiers.

paho runs its own thread for a connection, and calls back with its locks held: no lock of ours is held around its calls but
those that only queue (`ack`).
"""

import queue
import ssl
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from threading import Condition, Event, Lock, Timer
from typing import Any

from mqconvert.converters.clients import require
from mqconvert.converters.clients.ends import Address, DownError, Ends, Where, Window
from mqconvert.converters.clients.ends.loops import pause
from mqconvert.converters.clients.paho import from_paho
from mqconvert.converters.environment import bad_option
from mqconvert.converters.errors import DecodeError, DeliveryError, EncodeError
from mqconvert.converters.model.plain import topic_fault
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt5.codec import encode_properties
from mqconvert.converters.protocols.mqtt311 import message as mqtt311

require("paho-mqtt", "paho", (2, 0))

import paho.mqtt.client as mqtt  # noqa: E402 - after the check of its version
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion  # noqa: E402
from paho.mqtt.packettypes import PacketTypes  # noqa: E402
from paho.mqtt.properties import Properties  # noqa: E402
from paho.mqtt.subscribeoptions import SubscribeOptions  # noqa: E402

KEEPALIVE = 20
"""Seconds without a packet after which a half-open connection is looked for."""
_NEVER = 0xFFFF_FFFF
"""The expiry of a session that does not expire (MQTT 5.0 section 3.1.2.11.2)."""
_NOBODY = 0x10
"""PUBACK: nobody subscribes (MQTT 5.0 section 3.4.2.1)."""
_OF_THE_MESSAGE = {0x87: "not authorised for the topic", 0x90: "invalid topic name", 0x99: "invalid payload format"}
"""Answers that another try would not change."""
_BAD_LOGIN = {0x86, 0x87, 0x8A, 0x8C}
"""Reason codes of a refused CONNECT; paho translates those of MQTT 3.1.1."""
_CLOSED = None


class _End:
    """A connection."""

    def __init__(self, where: Where, version: MQTTProtocolVersion, client_id: str, *, clean: bool) -> None:
        self._where = where
        self._version = version
        self._five = version is MQTTProtocolVersion.MQTTv5
        self._clean = clean
        self._down: DownError | None = None
        self._closing = False
        self._ended = Event()
        self._defect: Exception | None = None
        self.blocked = False
        more: dict[str, Any] = {} if self._five else {"clean_session": clean}
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id, protocol=version, reconnect_on_failure=False, manual_ack=True, **more
        )
        if where.user is not None:
            self._client.username_pw_set(where.user, where.password)
        self._client.on_connect = self._guarded(self._connected)
        self._client.on_disconnect = self._guarded(self._disconnected)

    def run(self, window: Window) -> None:
        self._window = window
        more: dict[str, Any] = {"clean_start": self._clean, "properties": self._properties()} if self._five else {}
        try:
            if self._where.tls is not None:
                self._client.tls_set_context(self._where.tls.context())
            self._client.connect(self._where.host, self._where.port, KEEPALIVE, **more)
        except ssl.SSLCertVerificationError as error:
            raise DownError(f"the broker's certificate is invalid: {error.verify_message}", final=True) from error
        except OSError as error:
            raise DownError(error.strerror or str(error)) from error
        self._client.loop_start()
        try:
            self._work()
        finally:
            self._client.disconnect()
            self._client.loop_stop()
        if self._defect is not None:
            raise self._defect
        if not self._closing:
            raise self._down or DownError("the connection was lost")

    def _work(self) -> None:
        self._ended.wait()

    def close(self) -> None:
        self._closing = True
        self._ended.set()

    def _properties(self) -> Properties | None:
        """Return the properties of the CONNECT."""
        return None

    def _lose(self, error: DownError) -> None:
        self._down = self._down or error
        self._ended.set()

    def _guarded(self, callback: Callable[..., None]) -> Callable[..., None]:
        """Return a callback whose defects end the connection: paho's thread would end without a word."""

        def guarded(*arguments: Any) -> None:
            try:
                callback(*arguments)
            except Exception as defect:  # noqa: BLE001 - told by `run`
                self._defect = defect
                self._lose(DownError(f"{type(defect).__name__}: {defect}", final=True))

        return guarded

    def _connected(self, _client: object, _data: object, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._lose(DownError(f"the broker refused the connection: {reason}", final=reason.value in _BAD_LOGIN))
            return
        self._begin(flags, properties)

    def _begin(self, flags: Any, properties: Any) -> None:
        raise NotImplementedError

    def _disconnected(self, _client: object, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        words = f"the broker closed the connection: {reason}" if reason.value else "the connection was lost"
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
        super().__init__(where, version, keys["client_id"], clean=False)
        self._session = (where.host, where.port, keys["client_id"])
        self._topic = keys["topic"]
        self._open: deque[tuple[int, int]] = deque()
        self._lock = Lock()
        self._count = 0
        self._stopped = False
        self._client.on_subscribe = self._guarded(self._subscribed)
        self._client.on_message = self._guarded(self._received)

    def settle(self, token: object) -> None:
        with self._lock:
            count: Any = token
            while self._open and self._open[0][0] <= count:
                _, identifier = self._open.popleft()
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

    def _received(self, _client: object, _data: object, given: mqtt.MQTTMessage) -> None:
        if self._stopped:
            return  # unanswered, it comes again in the next session
        with self._lock:
            self._count += 1
            token = self._count
            self._open.append((token, given.mid if given.qos else 0))
        if not given.qos:
            self._window.note("source: messages that were published with QoS 0 may be lost before they arrive here")
        try:
            message = from_paho(given)
        except EncodeError as error:
            fault = DecodeError(error.code, error.message, field=error.field)
            self._window.undecoded(self, token, bytes(given.payload), fault)
            return
        self._window.received(self, token, message, len(given.payload) + len(given.topic))


class _Packed(Properties):
    """Properties of a PUBLISH that are bytes already."""

    def __init__(self, raw: bytes) -> None:
        object.__setattr__(self, "raw", raw)

    def pack(self) -> bytes:
        raw: bytes = object.__getattribute__(self, "raw")
        return raw


class _Target(_End):
    """Publishes with QoS 1, in a thread of its own: `send` must not block, and paho's `publish` may."""

    def __init__(self, where: Where, address: Address, version: MQTTProtocolVersion) -> None:
        super().__init__(where, version, "", clean=True)
        self._retain = None if address[1] is None else address[1] == "true"
        self._waiting: queue.SimpleQueue[tuple[int, Any, str | None, int] | None] = queue.SimpleQueue()
        self._lock = Condition()
        self._most = 0
        self._pending: dict[int, tuple[int, Any, str | None, int]] = {}
        self._early: dict[int, Any] = {}
        self._client.max_queued_messages_set(0)
        self._client.max_inflight_messages_set(0)  # paho's own limit does not know the broker's Receive Maximum
        self._client.on_publish = self._guarded(self._published)

    def send(self, number: int, message: Any, to: Address) -> None:
        self._waiting.put((number, message, to[0], 0))

    def close(self) -> None:
        super().close()
        self._wake()

    def _lose(self, error: DownError) -> None:
        super()._lose(error)
        self._wake()

    def _wake(self) -> None:
        self._waiting.put(_CLOSED)
        with self._lock:
            self._lock.notify_all()

    def _begin(self, flags: Any, properties: Any) -> None:  # noqa: ARG002 - see _End
        self._most = getattr(properties, "ReceiveMaximum", 65535)
        self._window.up(self)

    def _work(self) -> None:
        while (job := self._waiting.get()) is not _CLOSED:
            with self._lock:
                self._lock.wait_for(lambda: len(self._pending) < self._most or self._ended.is_set())
            if not self._ended.is_set():
                self._publish(job)

    def _publish(self, job: tuple[int, Any, str | None, int]) -> None:
        number, message, topic, _ = job
        try:
            made = self._made(message, message.topic_name if topic is None else topic)
        except EncodeError as error:
            self._window.refused(self, number, error)
            return
        info = self._client.publish(**made)
        if info.rc not in (MQTTErrorCode.MQTT_ERR_SUCCESS, MQTTErrorCode.MQTT_ERR_NO_CONN):
            self._lose(DownError(f"paho does not take a message: {mqtt.error_string(info.rc)}"))
            return
        with self._lock:
            reason = self._early.pop(info.mid, None)
            if reason is None:
                self._pending[info.mid] = job
        if reason is not None:
            self._answered(job, reason)

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
        """Take the answer to a message, which may come before paho's `publish` has returned its identifier."""
        with self._lock:
            job = self._pending.pop(identifier, None)
            self._lock.notify_all()
            if job is None:
                self._early[identifier] = reason
                return
        self._answered(job, reason)

    def _answered(self, job: tuple[int, Any, str | None, int], reason: Any) -> None:
        number, message, topic, tries = job
        retained = bool(message.retain) if self._retain is None else self._retain
        if not reason.is_failure and (reason.value != _NOBODY or retained):
            self._window.confirmed(self, [number])
        elif reason.value == _NOBODY:
            self._window.refused(self, number, DeliveryError("nobody subscribes to its topic", code="unroutable"))
        elif reason.value in _OF_THE_MESSAGE:
            words = f"{reason}: {_OF_THE_MESSAGE[reason.value]}"
            self._window.refused(self, number, DeliveryError(words, code="refused_by_target"))
        else:
            again = Timer(pause(tries + 1), self._waiting.put, ((number, message, topic, tries + 1),))
            again.daemon = True
            again.start()


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
