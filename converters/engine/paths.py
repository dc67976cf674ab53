"""The paths of fields in reports and errors. mypyc compiles this module, since every loss writes a path."""

LONGEST_KEY = 256
"""Maximum characters of a key in a field path. All keys of AMQP 0.9.1 are shorter."""


def path(place: str, key: object | None) -> str:
    """Return a field path as reports write it.

    A key may have a mebibyte, and every loss inside its value repeats it: a long key is cut to its two ends with its length.

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


def printable(text: str) -> str:
    """Escape line ends and terminal control sequences in the keys of a line.

    >>> printable("a\\nb")
    'a\\\\nb'
    """
    return "".join([character if character.isprintable() else repr(character)[1:-1] for character in text])


def _bounded(key: str) -> str:
    return f"{key[:120]}...({len(key)} characters)...{key[-60:]}"
