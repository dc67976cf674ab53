"""The real clients: pika, qpid-proton and paho-mqtt publish messages to a broker and consume them.

Our adapter reads the sent messages from the client's objects. Our codec decodes received messages from their bytes, since
pika's own decoder loses the types of numbers.
"""

import contextlib
import logging
import queue
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import paho.mqtt.client as mqtt
import pika
import proton
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.subscribeoptions import SubscribeOptions
from proton.reactor import Filter
from proton.utils import BlockingConnection

from mqconvert.clients import from_paho, from_pika, from_proton, to_paho, to_pika, to_proton
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp091.codec import decode_properties
from mqconvert.converters.protocols.amqp10 import codec as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from tests.interop.brokers import Broker
from tests.interop.brokers.rabbitmq import RabbitMQ

EXCHANGE = "amq.topic"
"""The exchange for all messages, the only one for MQTT."""
PATIENCE = 20
"""Seconds without a message after which receiving ends."""
logging.getLogger("pika").setLevel(logging.CRITICAL)  # pika logs what it also raises
Keyed = tuple[str, Any]
"""A routing key, which identifies the message, and the message."""


# ---- messages that a client received -----------------------------------------------------------------------------------


@contextlib.contextmanager
def bytes_kept() -> Iterator[None]:
    """Keep the received bytes in the objects of pika and proton, as `raw`, during a `with` block."""
    pika_decode, proton_decode = pika.BasicProperties.decode, proton.Message.decode

    def decode_properties_kept(self: Any, encoded: bytes, offset: int = 0) -> Any:
        self.raw = bytes(encoded[offset:])
        return pika_decode(self, encoded, offset)

    def decode_message_kept(self: Any, data: bytes) -> None:
        self.raw = bytes(data)
        proton_decode(self, data)

    pika.BasicProperties.decode, proton.Message.decode = decode_properties_kept, decode_message_kept  # type: ignore[method-assign]
    try:
        yield
    finally:
        pika.BasicProperties.decode, proton.Message.decode = pika_decode, proton_decode  # type: ignore[method-assign]


# ---- AMQP 0.9.1: pika --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def pika_channel(broker: Broker) -> Iterator[Any]:
    connection = pika.BlockingConnection(pika.URLParameters(broker.amqp_url))
    try:
        yield connection.channel()
    finally:
        if connection.is_open:
            connection.close()


@contextlib.contextmanager
def bound_queue(broker: Broker, name: str, kind: str, binding: str) -> Iterator[None]:
    """Declare a queue of type `kind` for messages with a matching routing key."""
    with pika_channel(broker) as channel:
        channel.queue_declare(name, durable=True, arguments={"x-queue-type": kind})
        channel.queue_bind(name, EXCHANGE, binding)
        try:
            yield
        finally:
            channel.queue_delete(name)


def publish_pika(broker: Broker, messages: Iterable[Keyed]) -> list[Keyed]:
    sent = []
    with pika_channel(broker) as channel:
        channel.confirm_delivery()
        for key, message in messages:
            made = to_pika(message, on_loss="fail")
            channel.basic_publish(EXCHANGE, key, made.body, made.properties, mandatory=True)
            sent.append((key, from_pika(made.properties, made.body)))
    return sent


def consume_pika(broker: Broker, name: str, kind: str, count: int) -> list[Keyed]:
    received = []
    with bytes_kept(), pika_channel(broker) as channel:
        channel.basic_qos(prefetch_count=500)
        arguments = {"x-stream-offset": "first"} if kind == "stream" else None
        for method, properties, body in channel.consume(name, inactivity_timeout=PATIENCE, arguments=arguments):
            if method is None:
                break
            basic = decode_properties(properties.raw)
            received.append((method.routing_key, amqp091.Message(basic, body, method.exchange, method.routing_key)))
            channel.basic_ack(method.delivery_tag)
            if len(received) == count:
                break
        channel.cancel()
    return received


# ---- AMQP 1.0: proton --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def proton_connection(broker: Broker) -> Iterator[BlockingConnection]:
    connection = BlockingConnection(broker.amqp_url, timeout=PATIENCE, allowed_mechs="PLAIN")
    try:
        yield connection
    finally:
        connection.close()


def version(broker: Broker) -> str:
    """Return the version that the broker reports."""
    with proton_connection(broker) as connection:
        assert connection.conn is not None
        return str(connection.conn.remote_properties["version"])


def publish_proton(broker: Broker, messages: Iterable[Keyed]) -> list[Keyed]:
    """Publish each message to its own address `to`: the sender has no target (an anonymous terminus).

    For RabbitMQ the address is an exchange and a routing key, for other brokers the key.
    """
    prefix = f"/exchanges/{EXCHANGE}/" if isinstance(broker, RabbitMQ) else ""
    sent = []
    with proton_connection(broker) as connection:
        sender = connection.create_sender(None)
        for key, message in messages:
            made = to_proton(message, on_loss="ignore").message
            made.address = prefix + key
            sender.send(made)
            sent.append((key, from_proton(made)))
    return sent


def consume_proton(broker: Broker, name: str, kind: str, count: int) -> list[Keyed]:
    received: list[Keyed] = []
    offset = proton.symbol("rabbitmq:stream-offset-spec")
    with bytes_kept(), proton_connection(broker) as connection:
        options = Filter({offset: proton.Described(offset, "first")}) if kind == "stream" else None
        receiver = connection.create_receiver(f"/queues/{name}", credit=count, options=options)
        while len(received) < count:
            try:
                given: Any = receiver.receive(timeout=PATIENCE)
            except proton.Timeout:
                break
            receiver.accept()
            received.append((given.annotations["x-routing-key"], amqp10.decode(given.raw)))
    return received


@contextlib.contextmanager
def proton_subscription(broker: Broker, name: str) -> Iterator[Callable[[int], list[Keyed]]]:
    """Subscribe to keys `name.*`, and yield a function that receives a number of messages."""
    if isinstance(broker, RabbitMQ):
        with bound_queue(broker, name, "classic", f"{name}.#"):
            yield lambda count: consume_proton(broker, name, "classic", count)
        return
    with bytes_kept(), proton_connection(broker) as connection:
        receiver = connection.create_receiver(f"{name}.#", credit=500)

        def take(count: int) -> list[Keyed]:
            taken = []
            for _ in range(count):
                given: Any = receiver.receive(timeout=PATIENCE)
                receiver.accept()
                taken.append((given.address, amqp10.decode(given.raw)))
            return taken

        yield take


def send_proton(broker: Broker, address: str, messages: Iterable[Any]) -> list[Any]:
    """Send the messages to one address."""
    sent = []
    with proton_connection(broker) as connection:
        sender = connection.create_sender(address)
        for message in messages:
            made = to_proton(message, on_loss="ignore").message
            sender.send(made)
            sent.append(from_proton(made))
    return sent


def receive_proton(broker: Broker, address: str, count: int) -> list[Any]:
    """Return this number of messages from one address, in order."""
    received = []
    with bytes_kept(), proton_connection(broker) as connection:
        receiver = connection.create_receiver(address, credit=count)
        for _ in range(count):
            given: Any = receiver.receive(timeout=PATIENCE)
            receiver.accept()
            received.append(amqp10.decode(given.raw))
    return received


# ---- MQTT: paho --------------------------------------------------------------------------------------------------------


_VERSIONS = {mqtt5.Message: MQTTProtocolVersion.MQTTv5, mqtt311.Message: MQTTProtocolVersion.MQTTv311}


@contextlib.contextmanager
def paho_client(broker: Broker, name: str, version: MQTTProtocolVersion = MQTTProtocolVersion.MQTTv5) -> Iterator[mqtt.Client]:
    client = mqtt.Client(CallbackAPIVersion.VERSION2, name, protocol=version)
    client.username_pw_set("guest", "guest")
    connected: queue.Queue[Any] = queue.Queue()
    client.on_connect = lambda _client, _data, _flags, reason, _properties: connected.put(reason)
    client.connect(broker.host, broker.port["mqtt"])
    client.loop_start()
    try:
        reason = connected.get(timeout=PATIENCE)
        assert not reason.is_failure, reason
        yield client
    finally:
        client.disconnect()
        client.loop_stop()


def publish_paho(broker: Broker, messages: Iterable[Keyed]) -> list[Keyed]:
    """Publish all messages with MQTT 5.0, or all with 3.1.1."""
    sent = []
    waiting = list(messages)
    version = _VERSIONS[type(waiting[0][1])]
    with paho_client(broker, "", version) as client:
        for key, message in waiting:
            made = to_paho(message, on_loss="fail")
            info = client.publish(**made.publish)
            info.wait_for_publish(PATIENCE)
            assert info.rc == MQTTErrorCode.MQTT_ERR_SUCCESS, info
            assert info.is_published(), f"the broker did not take {message}"
            sent.append((key, from_paho(made.message)))
    return sent


@contextlib.contextmanager
def paho_subscription(
    broker: Broker, name: str, topic: str, version: MQTTProtocolVersion = MQTTProtocolVersion.MQTTv5
) -> Iterator[Callable[[int], list[Keyed]]]:
    """Subscribe with QoS 1, and yield a function that receives a number of messages."""
    options: dict[str, Any] = {"qos": 1}
    if version == MQTTProtocolVersion.MQTTv5:
        options = {"options": SubscribeOptions(qos=1, retainAsPublished=True)}
    arrived: queue.Queue[mqtt.MQTTMessage] = queue.Queue()
    subscribed: queue.Queue[Any] = queue.Queue()
    with paho_client(broker, name, version) as client:
        client.on_subscribe = lambda _client, _data, _mid, reasons, _properties: subscribed.put(reasons)
        client.on_message = lambda _client, _data, message: arrived.put(message)
        client.subscribe(topic, **options)
        assert not subscribed.get(timeout=PATIENCE)[0].is_failure

        def take(count: int) -> list[Keyed]:
            taken: list[Keyed] = []
            with contextlib.suppress(queue.Empty):
                while len(taken) < count:
                    message = arrived.get(timeout=PATIENCE)
                    taken.append((message.topic.replace("/", "."), from_paho(message)))
            return taken

        yield take
