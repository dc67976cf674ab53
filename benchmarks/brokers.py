"""Decoding of one message frame with a body of 256 bytes and all checks: one row for each broker codec.

Each new codec needs a line in `WANTED`.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from struct import pack
from typing import Any

from measure import Row, fastest, page

from mqconvert.converters.protocols.nsq import codec as nsq
from mqconvert.converters.protocols.nsq.message import Message as NsqMessage
from mqconvert.converters.protocols.phpmq import codec as phpmq
from mqconvert.converters.protocols.pulsar import codec as pulsar
from mqconvert.converters.protocols.pulsar.message import Message as PulsarMessage
from mqconvert.converters.protocols.rocketmq import codec as rocketmq
from mqconvert.converters.protocols.rocketmq.message import Message as RocketmqMessage

BODY = bytes(range(256))
NSQ_PUB = nsq.encode(NsqMessage(topic="orders", body=BODY))
NSQ = pack(">iiqH16s", len(BODY) + 30, 2, 1_700_000_000_123_456_789, 1, b"0123456789abcdef") + BODY
"""A message frame as bytes, since messages of older commits have no frame."""
PHPMQ_PACKETS = (1, b"orders"), (2, BODY), (3, b"d7e7f68761d34838494b233148b5486c"), (5, b"3600")
PHPMQ = b"H0100304" + b"".join(b"P%02d%029d%b" % (code, len(content), content) for code, content in PHPMQ_PACKETS)
# The message of a current Java producer: every field of the request, and the properties that the producer adds.
ROCKETMQ = rocketmq.encode(
    RocketmqMessage(
        topic="TopicTest",
        body=BODY,
        properties=[
            ("KEYS", "order-1"),
            ("UNIQ_KEY", "C000020213EA30946E0967190D430001"),
            ("WAIT", "true"),
            ("TAGS", "TagA"),
        ],
        queue_id=3,
        born_timestamp=1_700_000_000_123,
        reconsume_times=0,
        producer_group="orders",
        broker_name="broker-a",
    )
)


PULSAR_PLAIN = PulsarMessage(payload=BODY, producer_name="standalone-0-0", sequence_id=3, publish_time=1_700_000_000_123)
PULSAR = pulsar.encode(PULSAR_PLAIN)
PULSAR_KEYED = pulsar.encode(replace(PULSAR_PLAIN, partition_key="k", properties=[("a", "1"), ("b", "two words")]))

FRAME: dict[str, Any] = {field.name: "record" for field in fields(RocketmqMessage) if field.name == "frame"}
"""Messages of older commits have no frame."""
ROCKETMQ_RECORD = rocketmq.encode(
    RocketmqMessage(
        topic="TopicTest",
        body=BODY,
        properties=[("KEYS", "order-1"), ("TAGS", "TagA")],
        queue_id=3,
        born_timestamp=1_700_000_000_123,
        reconsume_times=0,
        queue_offset=7,
        physical_offset=123_456_789_012,
        store_timestamp=1_700_000_000_456,
        **FRAME,
        born_host="192.0.2.10:41234",
        store_host="192.0.2.20:10911",
    )
)
WIRES: dict[str, tuple[str, bytes]] = {
    "nsq, message frame": ("nsq", NSQ),
    "nsq, PUB": ("nsq", NSQ_PUB),
    "phpmq, dispatch": ("phpmq", PHPMQ),
    "rocketmq, SEND_MESSAGE_V2": ("rocketmq", ROCKETMQ),
    "rocketmq, stored record": ("rocketmq", ROCKETMQ_RECORD),
    "pulsar, SEND": ("pulsar", PULSAR),
    "pulsar, SEND with a key and two properties": ("pulsar", PULSAR_KEYED),
}
"""The messages of benchmarks/broker_codecs.py, with their protocols."""

WANTED: dict[str, tuple[Callable[[], object], str]] = {
    "nsq, message frame": (lambda: nsq.decode(NSQ), "400,000"),
    "phpmq, dispatch of 4 packets": (lambda: phpmq.decode(PHPMQ), "200,000"),
    "rocketmq, SEND_MESSAGE with a binary header": (lambda: rocketmq.decode(ROCKETMQ), "80,000"),
    "pulsar, single SEND": (lambda: pulsar.decode(PULSAR), "60,000"),
    "pulsar, the same with a key and two properties": (lambda: pulsar.decode(PULSAR_KEYED), ""),
}
"""The frames, and the wanted decodings per second on a core of the reference machine."""

PROFILE = {
    "rocketmq, SEND_MESSAGE with a binary header": "cProfile: two fifths go into the 13 pairs of the header, which are read "
    "one by one since each length depends on the one before, a seventh into the request's fields, an eighth into the "
    "property string",
}
"""The reason why a codec is slower than its figure."""


def rows() -> list[Row]:
    """Return a row for each codec: decoding, with all checks, a message frame with a body of 256 bytes."""
    took = fastest({name: function for name, (function, _) in WANTED.items()}, rounds=60)
    return [
        Row(
            f"decode {name}",
            PROFILE.get(name, "nothing: a rate of this machine"),
            f"{1e6 / took[name]:,.0f} a second",
            None,
            wanted,
        )
        for name, (_, wanted) in WANTED.items()
    ]


if __name__ == "__main__":
    print(page("Codecs of the brokers", rows()))
