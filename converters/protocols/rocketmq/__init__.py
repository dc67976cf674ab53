"""RocketMQ: its message, its codec, its words."""

from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols.rocketmq.message import ROCKETMQ_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol("rocketmq", "RocketMQ", Message, ROCKETMQ_TYPES, codec=f"{__name__}.codec", words=f"{__name__}.words")
