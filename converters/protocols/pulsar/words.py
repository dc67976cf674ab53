"""Words that only the tables of Pulsar use: ids of messages, members of batches."""

from mqconvert.converters.protocols.pulsar.message import parse_message_id
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, transform


@transform("position", gives="str", loses=True)
def position(value: str) -> str | Loss:
    """Return the text of a message id of Pulsar: ledger, entry, partition and index in decimal, with colons between them.

    >>> position("1:2:-1:-1"), position("x")
    ('1:2:-1:-1', Loss(reason='not a message id of Pulsar'))
    """
    numbers = parse_message_id(value)
    return value if numbers is not None and ":".join(map(str, numbers)) == value else Loss("not a message id of Pulsar")


@transform("member-number", gives="int", passes=True)
def member_number(value: int, own: int | None, index: int | None) -> int | NotMine:
    """Return the sequence id of a batch member without its own: the batch's plus its index.

    >>> member_number(7, None, 2), member_number(7, 5, 2) is NOT_MINE
    (9, True)
    """
    return NOT_MINE if own is not None or index is None or value + index >= 2**64 else value + index
