"""Words of the tables between AMQP 1.0 and the brokers: conditions and transforms, as in conditions.py and transforms.py.

One file a broker with what its tables alone use; what more than one uses stands by what it is about: `shared`, `stated`
(annotations of a stated type), `properties` (of text), `bodies`; `textforms` has no words, but what they are made of.
Importing this package registers them all: whoever looks words up does it here.
"""

from mqconvert.converters.conditions import CONDITIONS
from mqconvert.converters.transforms import TRANSFORMS
from mqconvert.converters.words import bodies, nsq, phpmq, properties, pulsar, rocketmq, shared, stated

__all__ = ["CONDITIONS", "TRANSFORMS", "bodies", "nsq", "phpmq", "properties", "pulsar", "rocketmq", "shared", "stated"]
