"""Words that only the tables of Pulsar use."""

from mqconvert.converters.words import NOT_MINE, NotMine, transform


@transform("member-number", gives="int", passes=True)
def member_number(value: int, own: int | None, index: int | None) -> int | NotMine:
    """Return the sequence id of a batch member without its own: the batch's plus its index.

    >>> member_number(7, None, 2), member_number(7, 5, 2) is NOT_MINE
    (9, True)
    """
    return NOT_MINE if own is not None or index is None or value + index >= 2**64 else value + index
