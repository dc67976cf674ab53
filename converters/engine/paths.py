"""The paths of fields in reports and errors: apart from the rows, since every loss writes one, and mypyc compiles it."""

LONGEST_KEY = 256
"""Characters of a key that a field path holds whole: all of AMQP 0.9.1's keys are shorter."""


def path(place: str, key: object | None) -> str:
    """Return a field path as reports write it.

    A key may have a mebibyte, and every loss inside its value repeats it: a long key is cut to its two ends and its length.

    >>> path("application_properties", "k"), path("body", 1), path("payload", None)
    ('application_properties["k"]', 'body[1]', 'payload')
    >>> len(path("footer", "k" * 2**20))
    216
    """
    if key is None:
        return place
    if isinstance(key, int):
        return f"{place}[{key}]"
    text = str(key)
    return f'{place}["{text if len(text) <= LONGEST_KEY else _bounded(text)}"]'


def _bounded(key: str) -> str:
    return f"{key[:120]}...({len(key)} characters)...{key[-60:]}"
