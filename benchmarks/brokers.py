"""One message frame with a body of 256 octets, decoded with all checks: a row for each broker protocol's codec.

`ROWS` are names and functions that decode once; whoever adds a codec adds a row. `python benchmarks/brokers.py` prints how
often a second each runs on one core: the best of several rounds, since everything else on a machine only slows it down.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from mqconvert.converters.codecs import nsq, phpmq, pulsar, rocketmq
from mqconvert.converters.messages.nsq import Message as NsqMessage
from mqconvert.converters.messages.phpmq import Message as PhpmqMessage
from mqconvert.converters.messages.pulsar import Message as PulsarMessage
from mqconvert.converters.messages.rocketmq import Message as RocketmqMessage

BODY = bytes(range(256))
NSQ = nsq.encode(NsqMessage(timestamp=1_700_000_000_123_456_789, attempts=1, message_id=b"0123456789abcdef", body=BODY))
PHPMQ = phpmq.encode(PhpmqMessage(3, b"orders", BODY, b"d7e7f68761d34838494b233148b5486c", 3600))
# What a Java producer of today sends: every field of the request, and the properties that it adds by itself.
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

ROWS: list[tuple[str, Callable[[], object]]] = [
    ("nsq decode", lambda: nsq.decode(NSQ)),
    ("phpmq decode", lambda: phpmq.decode(PHPMQ)),
    ("rocketmq decode", lambda: rocketmq.decode(ROCKETMQ)),
    ("pulsar decode", lambda: pulsar.decode(PULSAR)),
    ("pulsar decode, with key and properties", lambda: pulsar.decode(PULSAR_KEYED)),
]


def a_second(function: Callable[[], object], *, rounds: int = 7, seconds: float = 0.2) -> float:
    """How often a second `function` runs, the best of `rounds` of about `seconds` each."""
    times = 1
    while _took(function, times) < seconds / 10:
        times *= 2
    times = max(1, int(times * seconds / _took(function, times)))
    return times / min(_took(function, times) for _ in range(rounds))


def _took(function: Callable[[], object], times: int) -> float:
    start = perf_counter()
    for _ in range(times):
        function()
    return perf_counter() - start


if __name__ == "__main__":
    for name, function in ROWS:
        print(f"{name:40} {a_second(function):12,.0f} a second")
