"""Hypothesis strategies for messages of STOMP with all fields, and for the text of their headers."""

from typing import Any

from hypothesis import strategies as st

from mqconvert_stomp.message import FIELDS, MESSAGE, NEEDED, SEND, Message

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(["a:b\\c\r\n", "", "5", "0", "true"])
BODIES = st.binary(max_size=20) | st.sampled_from([b"a\0b", b"\0", b"\n", b"\r\n\0"])
NAMES = st.one_of(
    TEXT.filter(bool),
    st.sampled_from(["persistent", "priority", "expires", "expiration", "timestamp", "type", "app-id", "user-id", "x-k", "k"]),
)
PAIRS = st.lists(st.tuples(NAMES, TEXT), max_size=5)


def _made(command: str, fields: dict[str, str | None], headers: list[tuple[str, str]], body: bytes) -> Message:
    """Return a message with its required fields; a header with the name of a field comes after that field."""
    fields |= {name: fields[name] or "0" for name in NEEDED[command]}
    kept = [(name, value) for name, value in headers if name not in FIELDS or fields[FIELDS[name]] is not None]
    return Message(command, headers=kept or None, body=body, **fields)


_OPTIONAL: dict[str, Any] = dict.fromkeys(FIELDS.values(), st.none() | TEXT)
MESSAGES = st.builds(
    _made,
    st.sampled_from([SEND, MESSAGE]),
    st.fixed_dictionaries(_OPTIONAL),
    st.lists(st.tuples(NAMES | st.sampled_from([*FIELDS, "content-length"]), TEXT), max_size=5),
    BODIES,
)
