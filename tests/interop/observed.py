"""Answers of two brokers to the examples of docs/differences.toml, recorded in docs/observed.json.

The live suite asks the brokers and compares; `make generate` prints the file into docs/differences.md.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from mqconvert import message_from_json, message_to_json

DOCS = Path(__file__).parents[2] / "docs"
OBSERVED = DOCS / "observed.json"
EXAMPLES: list[dict[str, Any]] = tomllib.loads((DOCS / "differences.toml").read_text())["brokers"]
OF_A_DELIVERY = {
    "packet_identifier": None,
    "header": ("first_acquirer", "delivery_count"),
    "message_annotations": ("x-exchange", "x-routing-key"),
}
"""Fields that a broker sets for each delivery, independent of the conversion."""


def example(number: int) -> Any:
    """Return the message of an example."""
    return message_from_json(json.loads(EXAMPLES[number]["message"]))


def told(message: Any) -> dict[str, Any]:
    """Return the JSON form of a message that a broker delivered, without the fields that differ in every run.

    Times from the broker's clock become words, remaining times are rounded up to a minute, and the address becomes `t`.
    """
    form = message_to_json(message)
    for section, names in OF_A_DELIVERY.items():
        if names is None:
            form.pop(section, None)
            continue
        inner = form.get(section)
        if isinstance(inner, dict):
            form[section] = {name: value for name, value in inner.items() if name not in names}
        elif inner is not None:
            form[section] = [pair for pair in inner if pair[0] not in names]
    properties, header = form.get("properties", {}), form.get("header", {})
    for place, name in ((form, "topic_name"), (properties, "to")):
        if name in place:
            place[name] = "t"
    for name, words in (("creation_time", "(arrival)"), ("absolute_expiry_time", "(arrival and expiry)")):
        if name in properties:
            properties[name] = words
    for place, name, minute in ((form, "message_expiry_interval", 60), (header, "ttl", 60_000)):
        if name in place:
            place[name] = -(-place[name] // minute) * minute
    if "application_properties" in form:
        form["application_properties"].sort()
    return {name: value for name, value in form.items() if value not in ({}, [])}


def known() -> dict[str, Any]:
    """Return the observed versions, and each broker's answers by title: null if it did not deliver the message."""
    return json.loads(OBSERVED.read_text()) if OBSERVED.exists() else {"versions": {}, "answers": {}}


def keep(broker: str, version: str, answers: dict[str, Any]) -> None:
    """Write the answers of a broker into the file, and keep those of the other."""
    kept = known()
    versions = dict(sorted({**kept["versions"], broker: version}.items()))
    titles = {each["title"]: {**kept["answers"].get(each["title"], {}), broker: answers[each["title"]]} for each in EXAMPLES}
    told = _object({title: _object({name: _line(each[name]) for name in sorted(each)}) for title, each in titles.items()})
    OBSERVED.write_text(_object({"versions": _line(versions), "answers": told}) + "\n")


def _object(members: dict[str, str]) -> str:
    """Return a JSON object with one line per member, for readable diffs."""
    return "{\n" + ",\n".join(f"{_line(name)}: {value}" for name, value in members.items()) + "\n}"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
