"""Words for what pydantic refuses, in requests and in queries."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mqconvert.converters.errors import brief, did_you_mean

_EXPECTED = {
    "string_type": "text",
    "string_unicode": "text in Unicode",
    "string_pattern_mismatch": "wire, report or message, or several with commas",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number of at most 4,300 digits",
    "dict_type": "an object",
    "list_type": "an array",
    "too_short": "at least one element",
}
"""What a member takes, by the type of pydantic's error."""
_VALUES = {"string_pattern_mismatch": ("wire", "report", "message"), "bool_type": ("true", "false")}
"""The valid texts of a query parameter, by the type of pydantic's error."""
LONGEST = 40
"""Characters of a text that an error shows, and compares with known ones."""


def refusal(errors: Sequence[Mapping[str, Any]], what: str, known: Iterable[str] = ()) -> tuple[str, str, str | None]:
    """Return the words for the errors of pydantic, the path of the member, and words that begin with it without it.

    `what` is `member` or `parameter`. An unknown member is named before a missing one, which it may be.

    >>> refusal([{"type": "int_type", "loc": ("clock",), "input": "5"}], "member")
    ("clock: expected a whole number, got '5'", 'clock', "expected a whole number, got '5'")
    >>> refusal([{"type": "extra_forbidden", "loc": ("adress",), "input": "5"}], "member", ["address"])
    ("no member 'adress' here (did you mean 'address'?)", 'adress', None)
    """
    error = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    parts = error["loc"] if what == "member" else error["loc"][1:]  # FastAPI's locations begin with "query"
    field = brief("".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix("."))
    if error["type"] == "extra_forbidden":
        return f"no {what} {shown(field)} here{did_you_mean(field[:LONGEST], known)}", field, None
    if error["type"] == "missing":
        return f"{what} {shown(field)} is missing", field, None
    expected = error["ctx"]["expected"] if error["type"] == "literal_error" else _EXPECTED.get(error["type"])
    if expected is None:
        return error["msg"], field, None
    problem = f"expected {expected}, got {shown(error['input'])}{_meant(error, expected)}"
    return f"{field}: {problem}", field, problem


def _meant(error: Mapping[str, Any], expected: str) -> str:
    """Return the question for the valid value nearest to a text, or nothing."""
    known = re.findall(r"'(.+?)'", expected) if error["type"] == "literal_error" else _VALUES.get(error["type"], ())
    texts = error["input"].split(",") if isinstance(error["input"], str) else ()
    return next((did_you_mean(text[:LONGEST], known) for text in texts if text not in known), "")


def shown(value: Any) -> str:
    """Return a value of JSON for an error: the kind of a container, the beginning of a long text.

    >>> shown("5" * 50), shown([]), shown(True)
    ("'5555555555555555555555555555555555555555...'", 'an empty array', 'true')
    """
    if isinstance(value, dict | list):
        return f"an {'' if value else 'empty '}{'object' if isinstance(value, dict) else 'array'}"
    text = value if isinstance(value, str) else json.dumps(value)
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    return repr(text) if isinstance(value, str) else text
