"""Ends of AMQP 0.9.1 over pika: a queue to consume from, exchanges and queues to publish to with confirms (RabbitMQ).

pika reads numbers of headers into Python's types and loses theirs, so properties stay bytes here, which our codec reads and
writes. The places inside pika that this needs are `_read_frame` and `_adapter_emit_data`, and `_on_connection_workflow_done` to
close early; tests/interop and tests/converters/clients/ends prove them.
"""

import ssl
from collections.abc import Callable, Mapping
from typing import Any

from mqconvert.converters.clients import require
from mqconvert.converters.clients.ends import GOODBYE, Address, DownError, Ends, Where, Window, down_by
from mqconvert.converters.clients.ends.loops import Jobs, pause
from mqconvert.converters.environment import bad_option
from mqconvert.converters.errors import DecodeError, DeliveryError, EncodeError
from mqconvert.converters.protocols.amqp091.codec import decode_properties, encode_properties
from mqconvert.converters.protocols.amqp091.message import Message

require("pika", "pika", (1, 3))

import pika  # noqa: E402 - after the check of its version
from pika import exceptions, frame, spec  # noqa: E402

HEARTBEAT = 20
"""Seconds without a byte after which a half-open connection is found."""
_LOGIN = (exceptions.AuthenticationError, exceptions.ProbableAuthenticationError, exceptions.ProbableAccessDeniedError)
_MISSING, _REFUSED, _FORCED = 404, 403, 320
"""Reply codes for what does not exist or is forbidden, and of a broker that stops, whatever the messages are."""
_TOGETHER = 96
"""Frames that are written together: those of 32 small messages."""
_AROUND = 20
"""Bytes of a content header frame around flags and properties."""


class _Properties(pika.BasicProperties):  # type: ignore[misc]  # pika has no types
    """Property flags and properties that stay bytes."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def encode(self) -> list[bytes]:
        return [self.raw]


class _Connection(pika.SelectConnection):  # type: ignore[misc]  # pika has no types
    """Leaves the properties in content headers as bytes, and writes the frames of many messages at once: pika writes each."""

    _gathered: list[bytes] | None = None

    def gather(self, work: Callable[[], None]) -> None:
        """Do some work, then write all its frames."""
        self._gathered = []
        try:
            work()
        finally:
            self._emit()
            self._gathered = None

    def _adapter_emit_data(self, data: bytes) -> None:
        if self._gathered is None:
            super()._adapter_emit_data(data)
            return
        self._gathered.append(data)
        if len(self._gathered) >= _TOGETHER:
            self._emit()

    def _emit(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered:
            super()._adapter_emit_data(b"".join(gathered))

    def _on_connection_workflow_done(self, done: Any) -> None:
        """Take an object where pika has a class: after `close` during the login."""
        super()._on_connection_workflow_done(done() if isinstance(done, type) else done)

    def _read_frame(self) -> tuple[int, Any]:
        data = self._frame_buffer
        if data[:1] != b"\x02":
            found: tuple[int, Any] = super()._read_frame()
            return found
        end = 8 + int.from_bytes(data[3:7], "big")
        if len(data) < max(end, 8):
            return 0, None
        if data[end - 1] != spec.FRAME_END or end < _AROUND + 2:
            raise exceptions.InvalidFrameError("invalid content header")
        properties = _Properties(bytes(data[19 : end - 1]))
        return end, frame.Header(int.from_bytes(data[1:3], "big"), int.from_bytes(data[11:19], "big"), properties)


class _End:
    """A connection with one channel. Subclasses have `_opened`, which begins the work on the channel."""

    def __init__(self, where: Where) -> None:
        self._where = where
        self._jobs = Jobs(self._wake)
        self._down: DownError | None = None
        self._closing = False
        self._channel: Any = None
        self._connection: Any = None
        self._blocked = False

    def run(self, window: Window) -> None:
        self._window = window
        try:
            self._connection = _Connection(
                _parameters(self._where), self._connected, lambda _, error: self._end(error), lambda _, error: self._end(error)
            )
            if self._closing:
                self._goodbye()
            self._connection.ioloop.start()
        except (OSError, exceptions.AMQPError) as error:
            self._down = self._down or _down_by(error)
        finally:
            self._jobs.close()
            if self._connection is not None:
                self._connection.ioloop.close()
        if self._down is not None and not self._closing:
            raise self._down

    def close(self) -> None:
        self._closing = True
        self._jobs.add(self._goodbye)

    def _wake(self) -> None:
        if self._connection is not None:
            self._connection.ioloop.add_callback_threadsafe(self._work)

    def _work(self) -> None:
        if self._connection.is_open or self._closing:
            self._connection.gather(self._jobs.work)

    def _connected(self, connection: Any) -> None:
        connection.add_on_connection_blocked_callback(lambda *_: self._block(on=True))
        connection.add_on_connection_unblocked_callback(lambda *_: self._block(on=False))
        connection.channel(on_open_callback=self._with_channel)
        self._jobs.work()

    def _block(self, *, on: bool) -> None:
        self._blocked = on

    def _with_channel(self, channel: Any) -> None:
        self._channel = channel
        channel.add_on_close_callback(self._channel_closed)
        self._opened(channel)

    def _opened(self, channel: Any) -> None:
        raise NotImplementedError

    def _channel_closed(self, _channel: Any, reason: BaseException) -> None:
        if isinstance(reason, exceptions.ChannelClosedByBroker):
            self._lose(_down_by(reason))

    def _lose(self, error: DownError) -> None:
        """End the connection for a reason of the broker."""
        self._down = self._down or error
        self._goodbye()

    def _goodbye(self) -> None:
        """Close the connection: pika drops one that is not open yet, and a broker that does not answer is not waited for."""
        if not (self._connection.is_closing or self._connection.is_closed):
            self._connection.ioloop.call_later(GOODBYE, self._connection.ioloop.stop)
            self._connection.close()

    def _end(self, error: BaseException) -> None:
        if not (isinstance(error, exceptions.ConnectionClosedByClient) and (self._closing or self._down)):
            self._down = self._down or _down_by(error)
        self._connection.ioloop.stop()


class _Source(_End):
    """Consumes a queue. Tokens are delivery tags."""

    def __init__(self, where: Where, keys: Mapping[str, str]) -> None:
        super().__init__(where)
        self._queue = keys["queue"]
        self._prefetch = 0
        self._stopped = False
        self._consumer: str | None = None

    def settle(self, token: object) -> None:
        self._jobs.add(self._settle, token)

    def reject(self, token: object, reason: str) -> None:  # noqa: ARG002 - AMQP 0.9.1 has no field for it
        self._jobs.add(self._reject, token)

    def allow(self, unsettled: int) -> None:
        self._jobs.add(self._allow, unsettled)

    def stop(self) -> None:
        self._jobs.add(self._stop)

    def _opened(self, channel: Any) -> None:
        channel.add_on_cancel_callback(self._cancelled)
        channel.queue_declare(
            self._queue, passive=True, callback=self._found
        )  # without the queue, the broker closes the channel

    def _found(self, frame: Any) -> None:
        self._prefetch = self._window.opened(self, waiting=frame.method.message_count)
        self._consume()

    def _consume(self, _frame: object = None) -> None:
        """Ask for the messages. A prefetch counts for consumers that begin after it (RabbitMQ)."""
        self._consumer = None
        if self._stopped or not self._channel.is_open:
            return
        self._channel.basic_qos(prefetch_count=self._prefetch)
        self._consumer = self._channel.basic_consume(self._queue, self._received)

    def _cancelled(self, _frame: object) -> None:
        self._lose(DownError(f"the queue {self._queue!r} was deleted", final=True))

    def _received(self, _channel: object, method: Any, properties: _Properties, body: bytes) -> None:
        size = len(properties.raw) + len(body)
        try:
            basic = decode_properties(properties.raw)
        except DecodeError as error:
            self._window.undecoded(self, method.delivery_tag, _content(properties.raw, body), error)
            return
        message = Message(basic, body, method.exchange, method.routing_key)
        self._window.received(self, method.delivery_tag, message, size)

    def _settle(self, tag: int) -> None:
        if self._channel is not None and self._channel.is_open:
            self._channel.basic_ack(tag, multiple=True)

    def _reject(self, tag: int) -> None:
        if self._channel is not None and self._channel.is_open:
            self._channel.basic_reject(tag, requeue=False)

    def _allow(self, unsettled: int) -> None:
        if unsettled != self._prefetch:
            self._prefetch = unsettled
            self._cancel(self._consume)

    def _stop(self) -> None:
        self._stopped = True
        self._cancel(lambda _frame: None)

    def _cancel(self, then: Any) -> None:
        """Ask for no more messages; pika gives back those that are on their way."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None and self._channel.is_open:
            self._channel.basic_cancel(consumer, callback=then)


class _Target(_End):
    """Publishes with confirms, mandatory: the broker returns what it cannot route."""

    def __init__(self, where: Where, address: Address) -> None:
        super().__init__(where)
        self._exchange, self._queue = address
        self._tag = 0
        self._pending: dict[int, _Sent] = {}
        self._waiting: list[_Sent] = []

    @property
    def blocked(self) -> bool:
        """Return whether the broker asked for a pause, or everything waits for another try."""
        return self._blocked or not self._pending

    def send(self, number: int, message: Message, to: Address) -> None:
        self._jobs.add(self._prepare, number, message, to)

    def _opened(self, channel: Any) -> None:
        """Begin once what every message goes to is there: without it, the broker closes the channel."""
        channel.add_on_return_callback(self._returned)
        if self._exchange:
            channel.exchange_declare(self._exchange, passive=True, callback=self._found)
        elif self._exchange is not None and self._queue is not None:
            channel.queue_declare(self._queue, passive=True, callback=self._found)
        else:
            self._found()

    def _found(self, _frame: object = None) -> None:
        if not self._connection.publisher_confirms:
            self._lose(DownError("the broker has no publisher confirms, without which messages may be lost", final=True))
            return
        self._channel.confirm_delivery(self._answered, callback=lambda _: self._window.up(self))

    def _block(self, *, on: bool) -> None:
        super()._block(on=on)
        waiting, self._waiting = self._waiting, []
        for sent in waiting:
            self._publish(sent)

    def _prepare(self, number: int, message: Message, to: Address) -> None:
        exchange = message.exchange if to[0] is None else to[0]
        routing_key = message.routing_key if to[1] is None else to[1]
        try:
            sent = _Sent(number, exchange, routing_key, _fitting(message, self._connection.params.frame_max), message.payload)
        except EncodeError as error:
            self._window.refused(self, number, error)
            return
        self._publish(sent)

    def _publish(self, sent: "_Sent") -> None:
        if not self._channel.is_open:
            return
        if self._blocked:
            self._waiting.append(sent)
            return
        self._tag += 1
        self._pending[self._tag] = sent
        self._channel.basic_publish(sent.exchange, sent.routing_key, sent.body, _Properties(sent.properties), mandatory=True)

    def _returned(self, _channel: object, method: Any, properties: _Properties, body: bytes) -> None:
        """Remember which message came back: its confirm follows. A return has no tag, so the first equal message it is."""
        key = (method.exchange, method.routing_key, body)
        equal = [sent for sent in self._pending.values() if sent.why is None and sent.key == key]
        sent = next((sent for sent in equal if sent.properties == properties.raw), next(iter(equal), None))
        if sent is None:
            self._lose(DownError("the broker returned a message that was not sent", by_peer=True))
            return
        sent.why = f"returned: {method.reply_text} (exchange {method.exchange!r}, routing key {method.routing_key!r})"

    def _answered(self, answer: Any) -> None:
        method = answer.method
        tags = [method.delivery_tag]
        if method.multiple:
            tags = [tag for tag in self._pending if tag <= method.delivery_tag]
        elif method.delivery_tag not in self._pending:
            self._lose(DownError("the broker answered about a message that was not sent, or twice"))
            return
        confirmed: list[int] = []
        for sent in [self._pending.pop(tag) for tag in tags]:
            if isinstance(method, spec.Basic.Nack):
                sent.tries += 1
                sent.why = None
                self._window.delayed(self)
                self._connection.ioloop.call_later(pause(sent.tries), lambda sent=sent: self._publish(sent))
            elif sent.why is None:
                confirmed.append(sent.number)
            else:
                self._window.confirmed(self, confirmed)
                confirmed = []
                self._window.refused(self, sent.number, DeliveryError(sent.why, code="unroutable"))
        self._window.confirmed(self, confirmed)


class _Sent:
    """A message on its way. `why` says that it was returned."""

    __slots__ = ("body", "exchange", "number", "properties", "routing_key", "tries", "why")

    def __init__(self, number: int, exchange: str | None, routing_key: str | None, properties: bytes, body: bytes) -> None:
        self.number = number
        self.exchange = _name(exchange, "exchange")
        self.routing_key = _name(routing_key, "routing_key")
        self.properties = properties
        self.body = body
        self.tries = 0
        self.why: str | None = None

    @property
    def key(self) -> tuple[str, str, bytes]:
        return self.exchange, self.routing_key, self.body


def _fitting(message: Message, frame_max: int) -> bytes:
    """Return the properties of a message. Raises EncodeError for more than a frame takes."""
    properties = encode_properties(message.basic)
    if len(properties) + _AROUND > frame_max:
        raise EncodeError("too_large", f"{len(properties)} bytes of properties; a frame has {frame_max}", field="basic")
    return properties


def _name(value: str | None, field: str) -> str:
    """Return the name of an exchange, or a routing key. Raises EncodeError for none, or one that is too long."""
    if value is None:
        words = "the message names none, and neither does the target: add its key, such as ?queue=orders"
        raise EncodeError("missing_field", words, field=field)
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        raise EncodeError("bad_value", "not valid UTF-8", field=field) from None
    if size > 255:
        raise EncodeError("too_large", f"{size} bytes, more than 255", field=field)
    return value


def _content(properties: bytes, body: bytes) -> bytes:
    """Return the wire form of properties that cannot be read, with their body."""
    header = b"\x00\x3c\x00\x00" + len(body).to_bytes(8, "big") + properties
    parts = [(2, header)] + ([(3, body)] if body else [])
    return b"".join(bytes([kind, 0, 1]) + len(part).to_bytes(4, "big") + part + b"\xce" for kind, part in parts)


def _parameters(where: Where) -> Any:
    user = "guest" if where.user is None else where.user
    password = "guest" if where.user is None and not where.password else where.password
    context = None if where.tls is None else pika.SSLOptions(where.tls.context(), where.host)
    return pika.ConnectionParameters(
        host=where.host,
        port=where.port,
        virtual_host="/" if where.path is None else where.path,
        credentials=pika.PlainCredentials(user, password),
        ssl_options=context,
        heartbeat=HEARTBEAT,
        connection_attempts=1,
        socket_timeout=None,  # the caller has PATIENCE
        stack_timeout=None,
        client_properties={"connection_name": "mqconvert move"},
    )


def _down_by(error: BaseException) -> DownError:
    """Return the error for people; pika wraps the cause of a failed connection several times."""
    inner: list[BaseException] = [error]
    for one in inner:
        more = [*one.args, *getattr(one, "exceptions", ()), getattr(one, "exception", None), one.__cause__]
        inner += [each for each in more if isinstance(each, BaseException) and each not in inner]
    for one in inner:
        if isinstance(one, _LOGIN):
            words = (
                "no such virtual host, or no permission for it" if isinstance(one, _LOGIN[2]) else "user or password is wrong"
            )
            return DownError(f"the broker refused the login: {words}", final=True)
        if isinstance(one, (exceptions.ConnectionClosedByBroker, exceptions.ChannelClosedByBroker)):
            code = one.reply_code
            return DownError(f"{one.reply_text} ({code})", final=code in (_MISSING, _REFUSED), by_peer=code != _FORCED)
        if isinstance(one, (ssl.SSLError, TimeoutError)):
            return down_by(one)
        if isinstance(one, exceptions.StreamLostError):
            return DownError(str(next(iter(one.args), "")) or "the connection was lost")
        if isinstance(one, exceptions.IncompatibleProtocolError):
            return DownError("the broker closed the connection at once: does this port speak AMQP 0.9.1, without TLS?")
    cause = next((one for one in reversed(inner) if isinstance(one, OSError) and one.strerror), inner[-1])
    words = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return DownError(words)


def _address(keys: Mapping[str, str]) -> Address:
    """Return exchange and routing key. Raises ConversionError `bad_option` for a queue beside one of them."""
    if "queue" not in keys:
        return keys.get("exchange"), keys.get("routing_key")
    if len(keys.keys() & {"exchange", "routing_key"}):
        raise bad_option("queue", "alone: a queue is the routing key of the default exchange")
    return "", keys["queue"]


ENDS = Ends(
    5672,
    5671,
    source_keys=("queue",),
    target_keys=("queue", "exchange", "routing_key"),
    address=_address,
    source=_Source,
    target=_Target,
    has_path=True,
    rejects=True,
)
