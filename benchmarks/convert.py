"""Compare the library with handwritten code and with the client libraries' codecs: the first part of `make bench`."""

from collections.abc import Callable
from functools import partial

import handwritten
import libraries
from measure import Row, fastest
from typical import WIRES

from mqconvert import Conversion, Environment, converter, decode, encode

ADDRESSED = Environment(address="orders/created")  # MQTT sends to a topic


def by_hand() -> list[Row]:
    """Return rows for AMQP 0.9.1 to AMQP 1.0 by the functions of handwritten.py: the same results, without a report."""
    convert = converter("amqp-0.9.1", "amqp-1.0").convert
    message, wire = decode("amqp-0.9.1", WIRES["amqp-0.9.1"]), WIRES["amqp-0.9.1"]
    assert handwritten.convert(message) == convert(message).message
    assert handwritten.convert_bytes(wire) == encode(convert(message).message)
    took = fastest(
        {
            "message": lambda: convert(message),
            "message by hand": lambda: handwritten.convert(message),
            "wire": lambda: encode(convert(decode("amqp-0.9.1", wire)).message),
            "wire by hand": lambda: handwritten.convert_bytes(wire),
        },
        rounds=300,
    )
    return [
        _row("message to message, amqp-0.9.1 to amqp-1.0, with report", "handwritten.convert: same result, same checks, no "
             "report", took["message"], took["message by hand"], "at most 1.3"),
        _row("wire to wire, the same: decode, convert with report, encode", "handwritten.convert_bytes: same bytes, same "
             "checks, no message, no report", took["wire"], took["wire by hand"], "at most 1.6"),
    ]  # fmt: skip


def _row(what: str, against: str, ours: float, theirs: float, wanted: str) -> Row:
    return Row(what, against, f"{ours:.1f} µs to {theirs:.1f} µs", ours / theirs, wanted)


def _ours(source: str, convert: Callable[..., Conversion], wire: bytes) -> bytes:
    return encode(convert(decode(source, wire), ADDRESSED).message)


def by_libraries() -> list[Row]:
    rows = []
    for (source, target), theirs in libraries.DIRECTIONS.items():
        convert = converter(source, target).convert
        wire = WIRES[source]

        took = fastest({"ours": partial(_ours, source, convert, wire), "theirs": partial(theirs, wire)}, rounds=60)
        names = libraries.LIBRARIES
        rows.append(
            Row(
                f"wire to wire, {source} to {target}, with report",
                f"{names[source]} decodes, plain Python glue, {names[target]} encodes; nothing checked",
                f"{took['ours']:.1f} µs to {took['theirs']:.1f} µs",
                took["theirs"] / took["ours"],
                f"at least {8 if source == 'mqtt-5.0' else 2} times as fast",
            )
        )
    return rows


def rows() -> list[Row]:
    return by_hand() + by_libraries()


if __name__ == "__main__":
    for row in rows():
        print(row)
