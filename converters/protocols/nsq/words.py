"""Words that only the tables of NSQ use."""

from mqconvert.converters.protocols.nsq.message import name_fault
from mqconvert.converters.words import NotMine, transform
from mqconvert.converters.words.transforms import name_or_escaped


@transform("nsq-topic", gives="str", passes=True, fits=("name",))
def nsq_topic(value: str, escape: bool) -> str | NotMine:
    """Return an address that is a valid topic. The option `escape` escapes names that are invalid or would be unescaped.

    >>> from mqconvert.converters.words import NOT_MINE
    >>> nsq_topic("a.b", False), nsq_topic("a/b", False) is NOT_MINE, nsq_topic("a/b", True)
    ('a.b', True, 'a_2Fb')
    """
    return name_or_escaped(value, escape, name_fault)
