"""Words that only the tables of NSQ use."""

from typing import Any

from mqconvert.converters.protocols.amqp10.words.textforms import id_octets
from mqconvert.converters.protocols.nsq.message import name_fault
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, transform
from mqconvert.converters.words.transforms import name_or_escaped


@transform("nsq-topic", gives="str", passes=True, fits=("name",))
def nsq_topic(value: str, escape: bool) -> str | NotMine:
    """Return an address that is a valid topic. With `--escape`, names that are invalid or would be unescaped are escaped.

    >>> nsq_topic("a.b", False), nsq_topic("a/b", False) is NOT_MINE, nsq_topic("a/b", True)
    ('a.b', True, 'a_2Fb')
    """
    name = name_or_escaped(value, escape, name_fault)
    return NOT_MINE if name is None else name


@transform("nsq-message-id", gives="bytes", loses=True)
def nsq_message_id(value: Any, type_: str) -> bytes | Loss:
    """Return an id of 16 bytes.

    >>> nsq_message_id("0123456789abcdef", "string"), nsq_message_id("a", "string")
    (b'0123456789abcdef', Loss(reason='not the 16 bytes of an id of NSQ'))
    """
    raw = id_octets(value, type_)
    return raw if len(raw) == 16 else Loss("not the 16 bytes of an id of NSQ")
