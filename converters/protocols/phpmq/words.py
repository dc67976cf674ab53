"""Words that only the tables of PHPMQ use."""

from mqconvert.converters.words import Partial, transform


@transform("ttl-to-seconds", gives="int", loses=True)
def ttl_to_seconds(value: int) -> int | Partial:
    """Return milliseconds as whole seconds, rounded up, at least 1, since 0 means no expiry.

    >>> ttl_to_seconds(2000), ttl_to_seconds(1), ttl_to_seconds(0)
    (2, Partial(value=1, reason='not whole seconds'), Partial(value=1, reason='expires at once'))
    """
    seconds = -(-value // 1000)
    if not value:
        return Partial(1, "expires at once")
    return seconds if seconds * 1000 == value else Partial(seconds, "not whole seconds")
