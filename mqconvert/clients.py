"""Convert objects of client libraries. Each function imports its library on first use, from the extra of its name.

    from_pika(properties, body, method=None)    to_pika(message)      pip install 'mqconvert[pika]'
    from_proton(message)                        to_proton(message)    pip install 'mqconvert[proton]'
    from_paho(message)                          to_paho(message)      pip install 'mqconvert[paho]'
    from_aiomqtt(message)                       to_paho(message)      pip install 'mqconvert[paho]'
    from_pynsq(message, topic, channel)                               pip install 'mqconvert[pynsq]'
    from_pulsar(message)                                              pip install 'mqconvert[pulsar]'

`docs/embedding.md` has three complete programs.

>>> import pika
>>> from mqconvert import convert
>>> from mqconvert.clients import from_pika, to_paho
>>> properties = pika.BasicProperties(content_type="text/plain", delivery_mode=2, headers={"n": 1})
>>> done = convert(from_pika(properties, b"hi"), to="mqtt-5.0")
>>> done.message.qos, done.message.user_properties
(1, [('n', '1')])
>>> done.message.topic_name = "a/topic"
>>> to_paho(done.message).publish["properties"].ContentType
'text/plain'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mqconvert.converters.model.adapters import ADAPTERS

if TYPE_CHECKING:
    from mqconvert.converters.clients.paho import from_aiomqtt, from_paho, to_paho
    from mqconvert.converters.clients.pika import from_pika, to_pika
    from mqconvert.converters.clients.proton import from_proton, to_proton
    from mqconvert.converters.clients.pulsar import from_pulsar
    from mqconvert.converters.clients.pynsq import from_pynsq

__all__ = [
    "from_aiomqtt",
    "from_paho",
    "from_pika",
    "from_proton",
    "from_pulsar",
    "from_pynsq",
    "to_paho",
    "to_pika",
    "to_proton",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    library = dict(ADAPTERS.values()).get(name, name.removeprefix("to_"))
    return getattr(import_module(f"mqconvert.converters.clients.{library}"), name)
