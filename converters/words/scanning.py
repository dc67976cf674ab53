"""Read the text of a `when` or `via`: words with one space between them, and texts in double quotes with any characters.

A text in double quotes begins a word, with `b` before it for bytes, and is written as in JSON. A quote inside of a word is an
ordinary character. All functions take linear time.
"""

import re

_WORD = re.compile(r'b?"(?:[^"\\]|\\.)*+"|[^ ]++', re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
QUOTES = ('"', 'b"')


def split_at(text: str, joint: str) -> list[str]:
    """Return the parts of a text between a joint.

    >>> split_at('is a and is "b and c"', "and"), split_at("is and", "and")
    (['is a', 'is "b and c"'], ['is and'])
    """
    found, start = [], 0
    for word in _WORD.finditer(text):
        at, end = word.span()
        if word[0] == joint and at > start and text[at - 1] == " " == text[end : end + 1]:
            found.append(text[start : at - 1])
            start = end + 1
    return [*found, text[start:]]


def unquoted(text: str) -> list[str]:
    """Return the words of a text without those in double quotes.

    >>> unquoted('not is "not a"')
    ['not', 'is']
    """
    return [word for word in _WORD.findall(text) if not word.startswith(QUOTES)]


def quoted(text: str) -> str:
    """Return the content of a text in double quotes; ValueError for another one."""
    import json  # noqa: PLC0415 - few words have such a text

    try:
        return str(json.loads(text, strict=False))  # line breaks and tabs may stand in it
    except ValueError:
        if _QUOTED.match(text) is None:
            raise ValueError("a double quote without a second one") from None
        raise ValueError(f"{text!r} is not a text in double quotes") from None


def literal_of(text: str) -> str | bytes:
    """Return the content of one literal: a word as it is, or a text in double quotes, as bytes with `b` before it.

    >>> literal_of("it's"), literal_of('"a b"'), literal_of('b"a"')
    ("it's", 'a b', b'a')
    """
    if not text.startswith(QUOTES):
        return text
    if text[0] != "b":
        return quoted(text)
    try:
        return quoted(text[1:]).encode()
    except UnicodeEncodeError:
        raise ValueError(f"{text!r} is not valid UTF-8") from None


def literals(text: str) -> list[str]:
    """Return the contents of several literals with one space between them; ValueError if there are other spaces.

    >>> literals('a "b c" }')
    ['a', 'b c', '}']
    """
    found = []
    for word in words_of(text):
        if word.startswith('b"'):
            raise ValueError(f"{word!r} is bytes, and it needs texts")
        found.append(str(literal_of(word)))
    return found


def words_of(text: str) -> list[str]:
    """Return the words of a text with one space between them; ValueError if there are other spaces."""
    found, at = [], 0
    for word in _WORD.finditer(text):
        if word.start() != at:
            break
        found.append(word[0])
        at = word.end() + 1
    if at != len(text) + 1:
        raise ValueError("it needs names with one space between them")
    return found
