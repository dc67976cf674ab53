"""Messages in the streams of AMQP and MQTT. Our codecs do not read the other frames, which belong to the connection."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.interop.proxy import Change


@dataclass(frozen=True)
class Unit:
    """A frame or packet: its bytes before a message, and the message, empty in most frames."""

    head: bytes
    message: bytes = b""


def mqtt(stream: bytes) -> Iterator[Unit]:
    """Yield every complete packet; only a PUBLISH has a message (MQTT 5.0 section 2.1)."""
    at = 0
    while at + 1 < len(stream):
        size = shift = 0
        start = at + 1
        for octet in stream[start : at + 5]:
            start += 1
            size |= (octet & 0x7F) << shift
            shift += 7
            if octet < 0x80:
                break
        else:
            return
        packet = stream[at : start + size]
        if len(packet) < start + size - at:
            return
        yield Unit(b"", packet) if packet[0] >> 4 == 3 else Unit(packet)
        at += len(packet)


def amqp10(stream: bytes) -> Iterator[Unit]:
    """Yield every complete frame; the message follows the performative of a transfer (AMQP 1.0 part 2 section 2.3)."""
    at = 0
    while len(stream) - at >= 8:
        size = 8 if stream.startswith(b"AMQP", at) else int.from_bytes(stream[at : at + 4], "big")
        frame = stream[at : at + size]
        if len(frame) < size:
            return
        body = frame[4] * 4
        if frame[5] == 0 and frame.startswith((b"\x00\x53\x14\xc0", b"\x00\x53\x14\xd0"), body):
            width = 1 if frame[body + 3] == 0xC0 else 4
            end = body + 4 + width + int.from_bytes(frame[body + 4 : body + 4 + width], "big")
            yield Unit(frame[:end], frame[end:])
        else:
            yield Unit(frame)
        at += size


def amqp091(stream: bytes) -> Iterator[Unit]:
    """Yield every complete frame; the message is a content header and its body frames (AMQP 0.9.1 sections 2.3.5 and 2.3.7)."""
    at, content = 0, b""
    missing = 0
    while len(stream) - at >= 8:
        if stream.startswith(b"AMQP", at):
            size, kind = 8, 0
        else:
            size, kind = 8 + int.from_bytes(stream[at + 3 : at + 7], "big"), stream[at]
        frame = stream[at : at + size]
        if len(frame) < size:
            return
        if kind in (2, 3):
            missing = int.from_bytes(frame[11:19], "big") if kind == 2 else missing - (size - 8)
            content += frame
            if missing == 0:
                yield Unit(b"", content)
                content = b""
        else:
            yield Unit(frame)
        at += size


UNITS: dict[str, Callable[[bytes], Iterator[Unit]]] = {
    "mqtt-5.0": mqtt, "mqtt-3.1.1": mqtt, "amqp-1.0": amqp10, "amqp-0.9.1": amqp091,
}  # fmt: skip


def messages(protocol: str, stream: bytes) -> list[bytes]:
    """Return the bytes of every message in a complete stream."""
    units = list(UNITS[protocol](stream))
    assert sum(len(each.head) + len(each.message) for each in units) == len(stream), "bytes of no frame"
    return [each.message for each in units if each.message]


def replaced(protocol: str, replace: Callable[[bytes], bytes]) -> Change:
    """Return a change for a proxy that replaces every message by the result of `replace`."""

    def change(came: bytes) -> tuple[bytes, int]:
        made, used = [], 0
        for unit in UNITS[protocol](came):
            used += len(unit.head) + len(unit.message)
            head, message = unit.head, unit.message and replace(unit.message)
            if protocol == "amqp-1.0" and message:
                head = (len(head) + len(message)).to_bytes(4, "big") + head[4:]
            made += [head, message]
        return b"".join(made), used

    return change
