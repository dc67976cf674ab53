"""NSQ: its message, its codec, its words."""

from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols.nsq.message import NSQ_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol("nsq", "NSQ", Message, NSQ_TYPES, codec=f"{__name__}.codec", words=f"{__name__}.words")
