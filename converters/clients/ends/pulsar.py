"""Ends of Pulsar over pulsar-client: a failover subscription, and a producer for each topic.

A producer gives its messages its own name, sequence ids, publish time, compression and schema version. What else a message has,
and pulsar-client cannot send, is refused. The subscription is made if there is none, from the first message that the topic has.

pulsar-client calls back in threads of its own and ends the process at an exception there: callbacks only queue. It connects
again by itself, unseen if that is quick: a subscription then gives again what is not settled, and ids of messages stay valid.
"""

import os
import queue
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from threading import Event, Timer
from typing import Any

from mqconvert.converters.clients import require
from mqconvert.converters.clients.ends import GOODBYE, PATIENCE, Address, DownError, Ends, Where, Window
from mqconvert.converters.clients.ends.loops import InFlight
from mqconvert.converters.clients.pulsar import from_pulsar
from mqconvert.converters.errors import DecodeError, DeliveryError, EncodeError
from mqconvert.converters.protocols.pulsar.message import Message

require("pulsar-client", "pulsar", (3, 13))

import pulsar  # noqa: E402 - after the check of its version

QUEUE = 32
"""Messages that the client fetches ahead: each may have 5 MiB."""
PRODUCERS = 100
"""Producers, one a topic, before the oldest one is closed."""
POLL = 0.05
"""Seconds between looks at what others asked for, while nothing comes."""
GROUPED = 0.15
"""Seconds in which an acknowledgement leaves: pulsar-client collects them for 0.1, and its Python has no other setting."""
_LOST = "the connection was lost"
_FINAL = (
    *(pulsar.AuthenticationError, pulsar.AuthorizationError, pulsar.InvalidTopicName, pulsar.InvalidUrl),
    *(pulsar.TopicNotFound, pulsar.SubscriptionNotFound, pulsar.IncompatibleSchema, pulsar.InvalidConfiguration),
)
"""Errors of a connection, a topic or a subscription that another try would not change."""
_OF_THE_MESSAGE = {
    pulsar.Result.MessageTooBig: "larger than the broker allows",
    pulsar.Result.InvalidMessage: "an invalid message",
    pulsar.Result.IncompatibleSchema: "its topic has another schema",
    pulsar.Result.NotAllowedError: "its topic does not allow it",
    pulsar.Result.TopicTerminated: "its topic is terminated",
}
"""Results of a message that another try would not change."""
_UNSENT = (
    *("encryption_keys", "encryption_algo", "encryption_param", "partition_key_b64_encoded", "null_partition_key"),
    *("marker_type", "txnid_least_bits", "txnid_most_bits", "uuid", "num_chunks_from_msg", "total_chunk_msg_size", "chunk_id"),
    *("compacted_batch_indexes", "schema_id", "unknown"),
)
"""Fields of a message that pulsar-client cannot send."""


class _End:
    """A client with one connection, and the loop in the thread of `run`. Other threads leave their work to it."""

    blocked = False

    def __init__(self, where: Where) -> None:
        self._where = where
        self._client: pulsar.Client | None = None
        self._closing = self._begun = False

    def run(self, window: Window) -> None:
        self._window = window
        try:
            self._client = self._made()
            try:
                if not self._closing:
                    self._work(self._client)
            finally:
                with suppress(pulsar.PulsarException):  # lost, or closed already
                    self._client.close()
        except pulsar.PulsarException as error:
            if not self._closing:
                raise DownError(str(error), final=isinstance(error, _FINAL)) from error

    def close(self) -> None:
        """End the loop. pulsar-client waits in its calls for answers: a broker that does not give them is not waited for."""
        self._closing = True
        if self._client is not None:
            late = Timer(GOODBYE if self._begun else 0, self._client.shutdown)
            late.daemon = True
            late.start()

    def _made(self) -> pulsar.Client:
        where, more = self._where, {}
        if where.tls is not None:
            more = {
                "tls_trust_certs_file_path": where.tls.authorities,
                "tls_validate_hostname": True,
                "tls_certificate_file_path": where.tls.cert,
                "tls_private_key_file_path": where.tls.key or where.tls.cert,
            }
        if where.user is not None:
            more["authentication"] = pulsar.AuthenticationBasic(where.user, where.password)
        elif where.password:
            more["authentication"] = pulsar.AuthenticationToken(where.password)
        url = f"pulsar{'' if where.tls is None else '+ssl'}://{where.host}:{where.port}"
        quiet = pulsar.FileLogger(pulsar.LoggerLevel.Error, os.devnull)  # what it logs, it also raises
        wait = int(PATIENCE)
        return pulsar.Client(url, logger=quiet, operation_timeout_seconds=wait, connection_timeout_ms=1000 * wait, **more)

    def _work(self, client: pulsar.Client) -> None:
        raise NotImplementedError


class _Source(_End):
    """Receives from a subscription. Tokens count messages."""

    def __init__(self, where: Where, keys: Mapping[str, str]) -> None:
        super().__init__(where)
        self._topic, self._subscription = keys["topic"], keys["subscription"]
        self._open: InFlight[Any] = InFlight()
        self._leaving: deque[float] = deque()
        self._settled = self._most = 0
        self._stopped = False
        self._asked = Event()

    def settle(self, token: object) -> None:
        settled: Any = token
        self._settled = settled
        self._asked.set()

    def reject(self, token: object, reason: str) -> None:
        """Do nothing: `--refused reject` is refused for Pulsar."""

    def allow(self, unsettled: int) -> None:
        self._most = unsettled
        self._asked.set()

    def stop(self) -> None:
        self._stopped = True

    def close(self) -> None:
        super().close()
        self._asked.set()

    def _work(self, client: pulsar.Client) -> None:
        consumer = client.subscribe(
            self._topic,
            self._subscription,
            consumer_type=pulsar.ConsumerType.Failover,
            initial_position=pulsar.InitialPosition.Earliest,
            receiver_queue_size=QUEUE,
            batch_index_ack_enabled=True,
        )
        if self._closing:
            return  # `close` may have ended the call above, which does not tell
        self._begun = True
        self._most = self._window.opened(self)
        while not self._closing:
            if self._stopped or self._is_full():
                self._asked.wait(POLL)
                self._asked.clear()
            else:
                self._receive(consumer)
            self._acknowledge(consumer)
            if not consumer.is_connected():
                raise DownError(_LOST)
        self._acknowledge(consumer)
        consumer.close()  # sends the acknowledgements that wait

    def _is_full(self) -> bool:
        """Return whether no more may be unsettled: a kill would also repeat those whose acknowledgement has not left."""
        while self._leaving and self._leaving[0] <= time.monotonic():
            self._leaving.popleft()
        return len(self._open) >= self._most or len(self._open) + len(self._leaving) >= self._window.most

    def _receive(self, consumer: pulsar.Consumer) -> None:
        try:
            given = consumer.receive(timeout_millis=int(1000 * POLL))
        except pulsar.Timeout:
            return
        token = self._open.add(given.message_id())
        try:
            message = from_pulsar(given)
        except EncodeError as error:
            fault = DecodeError(error.code, error.message, field=error.field)
            self._window.undecoded(self, token, given.data(), fault)
            return
        if message.sequence_id is None:
            self._window.note("source: pulsar-client does not tell the sequence ids of messages: they are 0")
        _complete(message)
        self._window.received(self, token, message, len(message.payload) + len(message.topic))

    def _acknowledge(self, consumer: pulsar.Consumer) -> None:
        """Acknowledge what is settled: once for each partition, up to its last message."""
        last: dict[int, Any] = {}
        for position in self._open.up_to(self._settled):
            last[position.partition()] = position
            self._leaving.append(time.monotonic() + GROUPED)
        for position in last.values():
            consumer.acknowledge_cumulative(position)


def _complete(message: Message) -> None:
    """Set the required fields that pulsar-client does not give, or gives as unset for 0 and no text."""
    message.producer_name = message.producer_name or ""
    message.publish_time = message.publish_time or 0
    message.sequence_id = message.sequence_id or 0


class _Target(_End):
    """Publishes one by one; a broker answers each message."""

    def __init__(self, where: Where, address: Address) -> None:
        super().__init__(where)
        self._topic = address[0]
        self._jobs: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._producers: dict[str, pulsar.Producer] = {}

    def send(self, number: int, message: Any, to: Address) -> None:
        self._jobs.put((self._publish, number, message, to[0]))

    def _work(self, client: pulsar.Client) -> None:
        self._connected = client
        if self._topic is not None:
            self._producer(self._topic)  # tells a wrong name or password before anything moves
        if self._closing:
            return  # `close` may have ended the call above, which does not tell
        self._begun = True
        self._window.up(self)
        while not self._closing:
            try:
                job, *arguments = self._jobs.get(timeout=POLL)
            except queue.Empty:
                if not all(producer.is_connected() for producer in self._producers.values()):
                    raise DownError(_LOST) from None
            else:
                job(*arguments)

    def _producer(self, topic: str) -> pulsar.Producer:
        found = self._producers.get(topic)
        if found is None:
            if len(self._producers) >= PRODUCERS:
                oldest = self._producers.pop(next(iter(self._producers)))
                oldest.flush()
                oldest.close()
            most = self._window.most + 1  # more never wait for an answer
            found = self._connected.create_producer(topic, max_pending_messages=most, batching_enabled=False)
            self._producers[topic] = found
        return found

    def _publish(self, number: int, message: Message, to: str | None) -> None:
        topic = message.topic if to is None else to
        try:
            content, made = sendable(message, topic)
            producer = self._producer(topic)
        except EncodeError as error:
            self._window.refused(self, number, error)
        except (pulsar.InvalidTopicName, pulsar.TopicNotFound, pulsar.AuthorizationError) as error:
            self._window.refused(self, number, DeliveryError(f"topic {topic}: {error}", code="refused_by_target"))
        else:
            producer.send_async(content, lambda result, _id: self._jobs.put((self._answered, number, result)), **made)

    def _answered(self, number: int, result: pulsar.Result) -> None:
        if result == pulsar.Result.Ok:
            self._window.confirmed(self, [number])
        elif result in _OF_THE_MESSAGE:
            error = DeliveryError(f"{result.name}: {_OF_THE_MESSAGE[result]}", code="refused_by_target")
            self._window.refused(self, number, error)
        else:
            raise DownError(f"Pulsar: {result.name}")


def sendable(message: Message, topic: str) -> tuple[bytes | None, dict[str, Any]]:
    """Return the content and the arguments of pulsar-client's `send_async`. Raises EncodeError for what it cannot send.

    >>> sendable(Message(payload=b"body", partition_key="k", event_time=5), "t")
    (b'body', {'partition_key': 'k', 'event_timestamp': 5})
    """
    if not topic:
        raise EncodeError("bad_topic", "empty: name a topic for the target, such as ?topic=orders", field="topic")
    for name in _UNSENT:
        value = getattr(message, name)
        if value is not None and value is not False:
            raise EncodeError("bad_value", "pulsar-client cannot send it", field=name)
    made = {
        "properties": _properties(message),
        "partition_key": _text("partition_key", message.partition_key),
        "ordering_key": _text("ordering_key", message.ordering_key),
        "event_timestamp": message.event_time,
        "deliver_at": message.deliver_at_time,
        "replication_clusters": message.replicate_to,
    }
    content = None if message.null_value else message.payload
    return content, {name: value for name, value in made.items() if value is not None}


def _properties(message: Message) -> dict[str, str] | None:
    made = None if message.properties is None else dict(message.properties)
    if made is not None and len(made) < len(message.properties or ()):
        raise EncodeError("bad_value", "pulsar-client cannot send a name twice", field="properties")
    return made


def _text(field: str, value: str | bytes | None) -> str | None:
    try:
        text = value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        raise EncodeError("bad_value", "pulsar-client cannot send bytes that are not UTF-8", field=field) from None
    if text == "":
        raise EncodeError("bad_value", "pulsar-client cannot send an empty one", field=field)
    return text


ENDS = Ends(
    6650,
    6651,
    source_keys=("topic", "subscription"),
    target_keys=("topic",),
    address=lambda keys: (keys.get("topic"),),
    source=_Source,
    target=_Target,
)
