"""One interface for the clients of NSQ, Pulsar and RocketMQ: publish messages to a topic, and receive them from it."""

import asyncio
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from mqconvert import Payload
from mqconvert.clients import from_pulsar, from_pynsq
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.interop import nsq_client, pulsar_client, rocketmq_client
from tests.interop.brokers import Broker

NUMBER = "number"
"""The property that identifies a message, in protocols with properties."""
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(str.strip)
PROPERTIES = st.dictionaries(TEXT, TEXT, max_size=4).map(lambda made: list(made.items()))
BODIES = st.binary(min_size=1, max_size=200)


class Client(ABC):
    """A client of `protocol` for one topic."""

    protocol: str
    payload: Payload = "body"
    """The form of AMQP 1.0 messages in NSQ."""
    messages: st.SearchStrategy[Any]
    stamped: frozenset[str]
    """The fields that client and broker set anew for each published message."""
    became: frozenset[str] = frozenset()
    """The fields of AMQP 1.0 that client and broker set anew."""

    added: frozenset[str] = frozenset()
    """Properties of a returning message: those of its first delivery, and proton's field beside a group id."""

    def __init__(self, topic: str) -> None:
        self.topic = topic

    @abstractmethod
    def publish(self, messages: list[Any]) -> None:
        """Publish all messages in order."""

    @abstractmethod
    def take(self, count: int) -> list[Any]:
        """Return this number of unread messages."""

    @abstractmethod
    def key(self, message: Any) -> Any:
        """Return the key that identifies a message."""


class Nsq(Client):
    protocol = "nsq"
    payload = "envelope"
    messages = st.builds(nsq.Message, body=BODIES)
    stamped = frozenset({"timestamp", "attempts", "message_id", "frame"})

    def __init__(self, broker: Broker, topic: str) -> None:
        super().__init__(topic)
        self._port = broker.port["tcp"]

    def publish(self, messages: list[Any]) -> None:
        async def session() -> None:
            async with nsq_client.writer(self._port) as made:
                for each in messages:
                    await nsq_client.publish(made.pub, self.topic, each.body)

        asyncio.run(session())

    def take(self, count: int) -> list[Any]:
        return [from_pynsq(each, self.topic) for each in asyncio.run(nsq_client.take(self._port, self.topic, count))]

    def key(self, message: Any) -> Any:
        return message.body


def _numbered(message: Any) -> Any:
    """Return the number of a message of Pulsar or RocketMQ."""
    return dict(message.properties or [])[NUMBER]


class Pulsar(Client):
    protocol = "pulsar"
    messages = st.builds(
        pulsar.Message,
        payload=BODIES,
        properties=PROPERTIES,
        partition_key=st.none() | TEXT,
        ordering_key=st.none() | TEXT.map(str.encode),
        event_time=st.none() | st.integers(1, 2**62),
    )
    stamped = frozenset({"producer_name", "sequence_id", "publish_time", "message_id", "frame"})
    became = frozenset({"properties.creation_time", "properties.message_id"})
    added = frozenset({"amqp-message-id", "amqp-group-sequence"})

    def __init__(self, client: Any, topic: str) -> None:
        super().__init__(f"persistent://public/default/{topic}")
        self._client = client
        self._consumer = pulsar_client.subscribe(client, self.topic)

    def publish(self, messages: list[Any]) -> None:
        pulsar_client.send(self._client, self.topic, [self._sent(each) for each in messages])

    def _sent(self, each: pulsar.Message) -> pulsar_client.Sent:
        ordering_key = None if each.ordering_key is None else each.ordering_key.decode()
        body = None if each.null_value else each.payload
        return pulsar_client.Sent(
            body, tuple(each.properties or ()), each.partition_key, ordering_key, each.event_time, each.deliver_at_time
        )

    def take(self, count: int) -> list[Any]:
        return list(map(from_pulsar, pulsar_client.take(self._consumer, count)))

    def key(self, message: Any) -> Any:
        return _numbered(message)


class RocketMQ(Client):
    protocol = "rocketmq"
    messages = st.builds(
        rocketmq.Message,
        body=BODIES,
        properties=st.tuples(PROPERTIES, st.none() | TEXT).map(
            lambda made: made[0] if made[1] is None else [*made[0], ("TAGS", made[1])]
        ),
        flag=st.integers(-(2**31), 2**31 - 1),
    )
    stamped = frozenset({
        "queue_id", "born_timestamp", "queue_offset", "physical_offset", "store_timestamp", "prepared_transaction_offset",
        "frame",
    })  # fmt: skip
    became = frozenset({"properties.creation_time", "properties.message_id", "header.delivery_count"})
    added = frozenset({"MIN_OFFSET", "MAX_OFFSET"})

    def __init__(self, client: rocketmq_client.Client, topic: str) -> None:
        super().__init__(topic)
        self._client = client

    def publish(self, messages: list[Any]) -> None:
        for each in messages:
            self._client.send(self.topic, rocketmq_client.Sent(each.body, tuple(each.properties or ()), each.flag))

    def take(self, count: int) -> list[Any]:
        taken = self._client.take(self.topic, count)
        assert len(taken) == count
        return [
            rocketmq.Message(
                each.topic, each.body, list(each.properties.items()), None, each.flag, each.sys_flag & ~0x7F1,
                each.queue_id, each.born_timestamp, each.reconsume_times, queue_offset=each.queue_offset,
                physical_offset=each.physical_offset, store_timestamp=each.store_timestamp, frame="record",
            )
            for each in taken
        ]  # fmt: skip

    def key(self, message: Any) -> Any:
        return _numbered(message)


@contextlib.contextmanager
def client(protocol: str, broker: Any, topic: str) -> Iterator[Client]:
    """Return the client of that protocol."""
    with contextlib.ExitStack() as stack:
        if protocol == "nsq":
            yield Nsq(broker, topic)
        elif protocol == "pulsar":
            made, _ = stack.enter_context(pulsar_client.recorded(broker))
            yield Pulsar(made, topic)
        else:
            plain = rocketmq_client.Client(broker.port["names"])
            stack.callback(plain.close)
            yield RocketMQ(plain, topic)


def now() -> int:
    """Return the current time in milliseconds since 1970."""
    return int(time.time() * 1000)
