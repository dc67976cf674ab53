"""Words that only the tables of Pulsar use."""

from mqconvert.converters.words import NOT_MINE, NotMine, transform


@transform("add-beside", gives="int", passes=True)
def add_beside(value: int, beside: int) -> int | NotMine:
    """Add the number that the row reads; a sum of more than 64 bits passes to the next row.

    >>> add_beside(7, 2), add_beside(2**64 - 1, 1) is NOT_MINE
    (9, True)
    """
    return NOT_MINE if value + beside >= 2**64 else value + beside
