"""The message classes of mqconvert's own protocols, one module for each, and the entries of their maps.

>>> from mqconvert import convert
>>> from mqconvert.messages import amqp091, mqtt5
>>> done = convert(mqtt5.Message(topic_name="a/b", payload=b"hi"), "amqp-0.9.1")
>>> isinstance(done.message, amqp091.Message), done.message.payload
(True, b'hi')
"""

from mqconvert.converters.model.values import Entry
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq

__all__ = ["Entry", "amqp091", "amqp10", "mqtt5", "mqtt311", "nsq", "phpmq", "pulsar", "rocketmq"]
