"""Real brokers, one file and one class each: a sixth is one more file, and its line in BROKERS.

`python -m tests.interop.brokers prepare [NAME ...]` makes what they need in a cache folder, once; `run NAME` starts one and
prints where it listens until it is interrupted.
"""

from tests.interop.brokers.artemis import Artemis
from tests.interop.brokers.broker import Broker, NoBrokerError
from tests.interop.brokers.mosquitto import Mosquitto
from tests.interop.brokers.nsqd import Nsqd
from tests.interop.brokers.pulsar import Pulsar
from tests.interop.brokers.rabbitmq import RabbitMQ
from tests.interop.brokers.rocketmq import RocketMQ

BROKERS: dict[str, type[Broker]] = {each.name: each for each in (Artemis, Mosquitto, Nsqd, Pulsar, RabbitMQ, RocketMQ)}

__all__ = ["BROKERS", "Artemis", "Broker", "Mosquitto", "NoBrokerError", "Nsqd", "Pulsar", "RabbitMQ", "RocketMQ"]
