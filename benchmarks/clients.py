"""Cost of the client library adapters, next to the encoder and decoder of the library for the same object.

`make bench` prints `rows()` with others; `python benchmarks/clients.py` prints only these.
"""

from typing import Any

from measure import Row, fastest, page
from paho.mqtt import properties as paho
from paho.mqtt.packettypes import PacketTypes
from pika import BasicProperties
from proton import Message
from typical import MESSAGES

from mqconvert.clients import from_paho, from_pika, from_proton, to_paho, to_pika, to_proton

Properties: Any = paho.Properties  # Properties has no annotations


def rows() -> list[Row]:
    return [*_pika(), *_proton(), *_paho()]


def _rows(library: str, took: dict[str, float]) -> list[Row]:
    made = []
    for adapter, verb in ((f"from_{library}", "decodes"), (f"to_{library}", "encodes")):
        ours, theirs = took[adapter], took[verb]
        what, against = f"{adapter}, the typical message", f"{library} {verb} it"
        made.append(Row(what, against, f"{ours:.1f} µs to {theirs:.1f} µs", ours / theirs))
    return made


def _pika() -> list[Row]:
    message = MESSAGES["amqp-0.9.1"]
    properties = to_pika(message).properties
    raw = b"".join(properties.encode())
    took = fastest(
        {
            "from_pika": lambda: from_pika(properties, message.payload),
            "to_pika": lambda: to_pika(message),
            "decodes": lambda: BasicProperties().decode(raw),
            "encodes": properties.encode,
        },
        rounds=60,
    )
    return _rows("pika", took)


def _proton() -> list[Row]:
    message = MESSAGES["amqp-1.0"]
    given = to_proton(message).message
    raw = bytes(given.encode())
    received = Message()
    took = fastest(
        {
            "from_proton": lambda: from_proton(given),
            "to_proton": lambda: to_proton(message),
            "decodes": lambda: received.decode(raw),
            "encodes": given.encode,
        },
        rounds=60,
    )
    return _rows("proton", took)


def _paho() -> list[Row]:
    message = MESSAGES["mqtt-5.0"]
    given: Any = to_paho(message).message
    raw = given.properties.pack()
    took = fastest(
        {
            "from_paho": lambda: from_paho(given),
            "to_paho": lambda: to_paho(message),
            "decodes": lambda: Properties(PacketTypes.PUBLISH).unpack(raw),
            "encodes": given.properties.pack,
        },
        rounds=60,
    )
    return _rows("paho", took)


if __name__ == "__main__":
    print(page("Client adapters", rows()))
