"""Loops that a developer writes with the same client libraries: what `benchmarks/move.py` compares `mqconvert move` with.

`python benchmarks/hand.py SOURCE TARGET COUNT AMQP MQTT` moves COUNT messages at least once, with a window, from end to end,
and copies the fields that one thinks of: content type, correlation id, headers, between AMQPs also ids. From AMQP 0.9.1 to AMQP
0.9.1 it hands pika's properties over as they came. Types are those of the libraries.
"""

import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as mqtt
import pika
import proton
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from proton.handlers import MessagingHandler
from proton.reactor import ApplicationEvent, Container, EventInjector

WINDOW = 500
Given = tuple[Any, bytes]
"""What the client library gives for the properties of a message, and its body."""
QUEUE, TARGET, TOPIC, SESSION = "bench-move", "bench-move-to", "bench/move", "bench-move-session"


class Pika:
    """A connection of pika in a thread of its own; work of other threads is done by its loop."""

    def __init__(self, address: str, opened: Callable[[Any], None]) -> None:
        self._todo: deque[Callable[[], None]] = deque()
        self._scheduled = False
        parameters = pika.URLParameters(f"amqp://guest:guest@{address}/%2F")
        self.connection = pika.SelectConnection(parameters, lambda made: made.channel(on_open_callback=opened))
        threading.Thread(target=self.connection.ioloop.start, daemon=True).start()

    def ask(self, work: Callable[[], None]) -> None:
        self._todo.append(work)
        if not self._scheduled:
            self._scheduled = True
            self.connection.ioloop.add_callback_threadsafe(self._work)

    def _work(self) -> None:
        self._scheduled = False
        while self._todo:
            self._todo.popleft()()


class FromAmqp091:
    def __init__(self, amqp: str, _mqtt: str, sink: Callable[[object, Given], None]) -> None:
        self._sink = sink
        self._settled = 0
        self._pika = Pika(amqp, self._opened)

    def _opened(self, channel: Any) -> None:
        self._channel = channel
        channel.basic_qos(prefetch_count=WINDOW, callback=lambda _: channel.basic_consume(QUEUE, self._message))

    def _message(self, _channel: Any, method: Any, properties: Any, body: bytes) -> None:
        self._sink(method.delivery_tag, (properties, body))

    def settle(self, token: Any) -> None:
        self._settled = token
        self._pika.ask(self._acknowledge)

    def _acknowledge(self) -> None:
        if self._settled:
            self._channel.basic_ack(self._settled, multiple=True)
            self._settled = 0


class ToAmqp091:
    def __init__(self, amqp: str, _mqtt: str, confirmed: Callable[[object], None]) -> None:
        self._confirmed = confirmed
        self._pending: dict[int, object] = {}
        self._tag = 0
        self.ready = threading.Event()
        self._pika = Pika(amqp, self._opened)

    def _opened(self, channel: Any) -> None:
        self._channel = channel
        channel.confirm_delivery(self._answered, callback=lambda _: self.ready.set())

    def send(self, token: object, message: Given) -> None:
        self._pika.ask(lambda: self._publish(token, message))

    def _publish(self, token: object, message: Given) -> None:
        self._tag += 1
        self._pending[self._tag] = token
        properties, body = message
        if isinstance(properties, proton.Message):
            headers: Any = (properties.properties or {}).items()  # type: ignore[redundant-expr]  # proton has no types
            properties = pika.BasicProperties(
                delivery_mode=2,
                message_id=properties.id and str(properties.id),  # a uuid
                correlation_id=properties.correlation_id,
                content_type=properties.content_type,
                type=properties.subject,
                headers={key: str(value) if isinstance(value, float) else value for key, value in headers},
            )  # pika refuses to send floats
        self._channel.basic_publish("", TARGET, body, properties, mandatory=True)

    def _answered(self, frame: Any) -> None:
        tag = frame.method.delivery_tag
        for each in [each for each in self._pending if each <= tag] if frame.method.multiple else [tag]:
            self._confirmed(self._pending.pop(each))


class ToMqtt5:
    def __init__(self, _amqp: str, address: str, confirmed: Callable[[object], None]) -> None:
        self._confirmed = confirmed
        self._pending: dict[int, object] = {}
        self._early: set[int] = set()
        self.ready = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.username_pw_set("guest", "guest")
        self._client.max_inflight_messages_set(WINDOW)
        self._client.max_queued_messages_set(0)
        self._client.on_connect = lambda *_: self.ready.set()
        self._client.on_publish = self._answered
        host, port = address.split(":")
        self._client.connect(host, int(port))
        self._client.loop_start()

    def send(self, token: object, message: Given) -> None:
        source, body = message
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho has no types there
        if source.content_type:
            properties.ContentType = source.content_type
        if source.correlation_id:
            properties.CorrelationData = source.correlation_id.encode()
        if source.headers:
            properties.UserProperty = [(key, str(value)) for key, value in source.headers.items()]
        identifier = self._client.publish(TOPIC, body, 1, properties=properties).mid
        self._pending[identifier] = token
        if identifier in self._early:
            self._answered(None, None, identifier, None, None)

    def _answered(self, _client: Any, _data: Any, identifier: int, _reason: Any, _properties: Any) -> None:
        token = self._pending.pop(identifier, None)
        if token is None:
            self._early.add(identifier)  # it may come before `publish` returns
        else:
            self._early.discard(identifier)
            self._confirmed(token)


class FromMqtt5:
    def __init__(self, _amqp: str, address: str, sink: Callable[[object, Given], None]) -> None:
        self._sink = sink
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, SESSION, protocol=mqtt.MQTTv5, manual_ack=True)
        self._client.username_pw_set("guest", "guest")
        self._client.on_message = self._message
        self._client.on_connect = lambda client, *_: client.subscribe(TOPIC, qos=1)
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho has no types there
        properties.ReceiveMaximum, properties.SessionExpiryInterval = WINDOW, 3600
        host, port = address.split(":")
        self._client.connect(host, int(port), clean_start=False, properties=properties)
        self._client.loop_start()

    def _message(self, _client: Any, _data: Any, given: Any) -> None:
        self._sink((given.mid, given.qos), (given.properties, given.payload))

    def settle(self, token: Any) -> None:
        self._client.ack(*token)


class Proton(MessagingHandler):
    """A container of proton in a thread of its own; work of other threads is done by its loop."""

    def __init__(self, address: str, **more: Any) -> None:
        super().__init__(**more)
        self._address = address
        self._todo: deque[Callable[[], object]] = deque()
        self._scheduled = False
        self._injector = EventInjector()
        self._container = Container(self)
        self._container.selectable(self._injector)
        threading.Thread(target=self._container.run, daemon=True).start()

    def connect(self, event: Any) -> Any:
        return event.container.connect(f"amqp://guest:guest@{self._address}", allowed_mechs="PLAIN", reconnect=False)

    def ask(self, work: Callable[[], object]) -> None:
        self._todo.append(work)
        if not self._scheduled:
            self._scheduled = True
            self._injector.trigger(ApplicationEvent("work"))

    def on_work(self, _event: Any) -> None:
        self._scheduled = False
        while self._todo:
            self._todo.popleft()()


class FromAmqp10(Proton):
    def __init__(self, amqp: str, _mqtt: str, sink: Callable[[object, Given], None]) -> None:
        self._sink = sink
        super().__init__(amqp, prefetch=WINDOW, auto_accept=False)

    def on_start(self, event: Any) -> None:
        event.container.create_receiver(self.connect(event), f"/queues/{QUEUE}")

    def on_message(self, event: Any) -> None:
        given = event.message
        self._sink(event.delivery, (given, bytes(given.body)))

    def settle(self, token: Any, state: object = None) -> None:  # noqa: ARG002 - proton's has it
        self.ask(lambda: (token.update(proton.Delivery.ACCEPTED), token.settle()))  # `accept` would call this again


class ToAmqp10(Proton):
    def __init__(self, amqp: str, _mqtt: str, confirmed: Callable[[object], None]) -> None:
        self._confirmed = confirmed
        self._waiting: deque[tuple[object, Given]] = deque()
        self._pending: dict[Any, object] = {}
        self.ready = threading.Event()
        super().__init__(amqp, auto_settle=True)

    def on_start(self, event: Any) -> None:
        self._sender = event.container.create_sender(self.connect(event), f"/queues/{TARGET}")

    def on_sendable(self, _event: Any) -> None:
        self.ready.set()
        self._send()

    def send(self, token: object, message: Given) -> None:
        self._waiting.append((token, message))
        self.ask(self._send)

    def _send(self) -> None:
        while self._waiting and self._sender.credit > 0:
            token, message = self._waiting.popleft()
            source, body = message
            made = proton.Message(
                body,
                inferred=True,
                durable=True,
                content_type=getattr(source, "ContentType", None),
                correlation_id=getattr(source, "CorrelationData", None),
                properties=dict(getattr(source, "UserProperty", ())),
            )
            self._pending[self._sender.send(made).tag] = token

    def on_accepted(self, event: Any) -> None:
        self._confirmed(self._pending.pop(event.delivery.tag))


SOURCES: dict[str, Any] = {"amqp-0.9.1": FromAmqp091, "amqp-1.0": FromAmqp10, "mqtt-5.0": FromMqtt5}
TARGETS: dict[str, Any] = {"amqp-0.9.1": ToAmqp091, "amqp-1.0": ToAmqp10, "mqtt-5.0": ToMqtt5}


def main(source: str, target: str, count: int, *addresses: str) -> None:
    """Move messages until that many are settled."""
    left, done = count, threading.Event()

    def confirmed(token: object) -> None:
        nonlocal left
        given.settle(token)
        left -= 1
        if left <= 0:
            done.set()

    taken = TARGETS[target](*addresses, confirmed)
    taken.ready.wait()
    given = SOURCES[source](*addresses, taken.send)
    done.wait(300)
    threading.Event().wait(0.5)  # the last acknowledgements are sent


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:6])
