"""MQTT 3.1.1: one PUBLISH packet (section 3.3), which has no properties."""

from dataclasses import dataclass

from mqconvert.converters.model.fields import shown, wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Message:
    """A PUBLISH; `packet_identifier` exactly when `qos` is 1 or 2."""

    dup: int = wire("bit", default=0, unset=0)
    qos: int = wire("bits", default=0)
    retain: int = wire("bit", default=0, unset=0)
    topic_name: str = wire("topic", default="", unset="")
    packet_identifier: int | None = wire("ushort")
    payload: bytes = wire("payload", default=b"")

    def __repr__(self) -> str:
        return shown(self)


pickled_by_fields(Message)
