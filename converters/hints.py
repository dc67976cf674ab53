"""Suggestions for misspelt names."""

from collections.abc import Iterable


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return a question in brackets with the known name nearest to `given`, or nothing.

    >>> did_you_mean("mqtt5", ["amqp-1.0", "mqtt-5.0"]), did_you_mean("xyz", ["amqp-1.0", "mqtt-5.0"])
    (" (did you mean 'mqtt-5.0'?)", '')
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only errors need it

    names = {name.lower(): name for name in known}
    nearest = get_close_matches(given.lower(), names, n=1)
    return f" (did you mean {names[nearest[0]]!r}?)" if nearest else ""
