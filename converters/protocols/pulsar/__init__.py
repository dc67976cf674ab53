"""Pulsar: its message, its codec, its words."""

from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols.pulsar.message import PULSAR_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol("pulsar", "Pulsar", Message, PULSAR_TYPES, codec=f"{__name__}.codec", words=f"{__name__}.words")
