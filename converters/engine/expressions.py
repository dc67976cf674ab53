"""Expressions of a generated function for its source: values, keys, field paths and wire types."""

import builtins
import keyword

from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.nodes import ENVIRONMENT, READABLE, Branch, Function, place_and_key, typed_entries
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.source_text import Names
from mqconvert.converters.model.places import BODY, ENTRIES, SECTION, TYPED, Place
from mqconvert.converters.words import Word

_NAMES = (
    "source", "environment", "notes", "taken", "lost", "before", "key", "label", "index", "item", "text", "raw",
    "number", "own", "typed", "value", "type_", "made", "name", "fault", "by", "as_", "took", "seen", "first",
    "sections", "target", "again", "came", "late", "field", "way_back", "inside", "renamed_top", "replace",
    "Notes", "frame",
)  # fmt: skip
"""The other names of a generated function without a prefix; no field of a specification has one of them."""


class Expressions:
    """The expressions of one table."""

    def __init__(self, function: Function, names: Names) -> None:
        self.function, self.names = function, names
        self.from_places, self.to_places = function.from_places, function.to_places
        self.locals = _locals(function)
        self.started = {branch.place.path for branch in function.start}
        self.renamed = {branch.place.path for branch in function.start if branch.via is not None and branch.via.renames}

    def arguments(self, branch: Branch, word: Word, reads: tuple[str, ...]) -> list[str]:
        """Return the value and as many of the row's `reads` as the word accepts."""
        return [self.value(branch.place), *(self.read(branch, read) for read in reads)][: word.takes]

    def read(self, branch: Branch, read: str) -> str:
        """Return the expression of a path in `reads`: a place, an entry by its key (`*`: the row's own), or a READABLE."""
        path, key = place_and_key(read)
        if path == "@as":
            return repr(branch.rule.as_)
        if path == "@key":
            return key_name(branch.place)
        if path == "@type":
            return self.type_text(branch.place)
        if path in READABLE:
            return READABLE[path]
        if path.startswith("@result."):
            path = path.removeprefix("@result.")
            return f"target.{path}" if key is None else f"{by_key(self.to_places[path], f'target.{path}')}.get({key!r})"
        if key is not None:
            return f"index_{path.replace('.', '_')}.get({self.templated(branch.rule, key)})"
        return self.where(path)

    def where(self, path: str) -> str:
        """Return the expression of a place: a field of the source or of a section, the result of a start row, or a
        value of the caller's Environment.
        """
        if path in ENVIRONMENT:
            return f"environment.{path[1:]}"
        place = self.from_places[path]
        if path in self.started:
            return f"from_{place.name}"
        return place.path if place.section else f"source.{place.path}"

    def called(self, branch: Branch) -> str:
        assert branch.via is not None
        return self.names.transformed(branch.via, self.arguments(branch, branch.via, branch.rule.reads), utf8=branch.utf8)

    def key(self, rule: Rule) -> str:
        return self.templated(rule, rule.target_template or "*")

    def templated(self, rule: Rule, template: str) -> str:
        """Return a key with `*` replaced by the text that the `*` of the row's pattern matched.

        `*` alone is the whole key, `**` that matched text.
        """
        if "*" not in template:
            return repr(template)
        stem = rule.source_pattern[:-1] if rule.source_pattern and rule.source_pattern.endswith("*") else ""
        before, _, after = template.partition("**" if "**" in template else "*")
        place = self.from_places[rule.source]
        key = key_name(place)
        if template == "*" or (before == stem and not after):
            return key
        own = f"{key}[{len(stem)}:]" if stem else key
        if template == "**":
            return own
        text = " + ".join(filter(None, (before and repr(before), own, after and repr(after))))
        return f"({text} if type({key}) is str else {key})" if self.may_be_number(rule) else text

    def may_be_number(self, rule: Rule) -> bool:
        """Return whether the keys of a row may be numbers. A ulong key of AMQP 1.0 annotations has no text to match."""
        return self.from_places[rule.source].number_keys and rule.source_pattern in (None, "*")

    def value(self, place: Place) -> str:
        if typed_entries(place):
            return "typed.value"
        if place.kind == ENTRIES:
            return "item" if place.keys is None else "value"
        return "value" if place.kind == TYPED else self.locals[place.path]

    def path(self, place: Place) -> str:
        return f"path({place.path!r}, {self.own(place)})" if place.kind == ENTRIES else repr(place.path)

    def own(self, place: Place) -> str:
        """Return the key of an entry in the message, before any `start` row renames it; None for a field."""
        return "None" if place.kind != ENTRIES else "own" if place.path in self.renamed else key_name(place)

    def type_text(self, place: Place) -> str:
        if place.kind == TYPED or typed_entries(place):
            return "type_"
        if place.kind == BODY:
            return f"BODY_TYPES.get(type({self.value(place)}), 'body')"
        return repr(self.function.types_at(place)[0].name)

    def lost(self, place: Place, reason: str, row: str = "None") -> str:
        return f"notes.lost.append(({self.path(place)}, {self.type_text(place)}, {reason}, {row}))"


def key_name(place: Place) -> str:
    """Return the name of the key of an entry: one for text, one for text or a number, and one for the index in a list.

    >>> from mqconvert.converters.model.places import places
    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> [key_name(places(PROTOCOLS["amqp-1.0"])[path]) for path in ("application_properties", "message_annotations")]
    ['key', 'label']
    """
    return "index" if place.keys is None else "label" if place.number_keys else "key"


def by_key(place: Place, entries: str) -> str:
    """Return the expression of a dict of the values of a map or list of pairs, by key."""
    return f"by_key({entries})" if typed_entries(place) else f"dict({entries} or ())"


def _locals(function: Function) -> dict[str, str]:
    """Return the variable of each field's value in the function: the field's name, or a longer one if that is in use."""
    sections = [path for path, place in function.from_places.items() if place.kind == SECTION]
    known = {*_NAMES, *runtime.NAMES, *dir(builtins), *keyword.kwlist, *sections}
    found: dict[str, str] = {}
    for path in function.groups:
        whole = path.replace(".", "_").lstrip("@")
        name = next(name for name in (path.rpartition(".")[2].lstrip("@"), whole, f"the_{whole}") if name not in known)
        known.add(name)
        found[path] = name
    return found
