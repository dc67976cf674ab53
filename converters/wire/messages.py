"""How a whole message stands in bytes, for functions that read or write one without its objects (engine/fused.py)."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from mqconvert.converters.printed.nodes import Expression, Literal, Statement, Statements
from mqconvert.converters.printed.templates import Block, code, lines, summed
from mqconvert.converters.wire.shapes import Blocks, Given, Places

T = TypeVar("T")


class Fields(Protocol):
    """A shape whose fields can be read into variables, and written from them."""

    def reading(self, into: Places, own: Blocks) -> Sequence[Statement]:
        """Return the statements that read the fields into variables."""

    def writing(self, given: Given) -> Sequence[Statement]:
        """Return the statements that write the fields that are set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """The entries of a map, or of a list of pairs, one by one.

    * `each` writes {key}, {value} and the value's {type} into {out}, a Writer of its own, where a row makes them; `whole` then
      writes the bytes of {value}, a Writer with {count} entries;
    * `read` reads all entries into {place}. Where one loop goes through them, `find` sets {place} to the offset of the map
      instead, `first` goes to its first entry, `more` tests for another one, `next` reads {key}, `type_` and `value`, and
      `last` checks the end;
    * `text`: where all values are texts and `next` only checks them, the offsets of their bytes in `data`. A target writes such
      a text of a type with its statements in `texts`, from {begin} to {end}, without reading it.
    """

    each: Block
    whole: Block
    read: Block = ()
    find: Block = ()
    first: Block = ()
    more: str = ""
    next: Block = ()
    last: Block = ()
    text: tuple[Expression, ...] = ()
    texts: Mapping[str, Block] = field(default_factory=dict)

    def loop(self, place: Expression, key: Expression, body: Sequence[Statement]) -> tuple[Statement, ...]:
        """Return the statements that read the entries one by one, with `body` for each."""
        first, following, last = (lines(each, place=place, key=key) for each in (self.first, self.next, self.last))
        text = "{first}\nwhile {more}:\n    {next}\n    {body}\n{last}"
        return summed(lines(text, first=first, more=code(self.more), next=following, body=body, last=last))


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageLayout:
    """The statements around the shapes of a protocol, which call the same functions of its codec as `decode` and `encode`.

    * `reading` reads the one message in `data` into the variables of its places. It returns None for bytes that are rare or
      invalid: the codec then reads them. `writing` returns the bytes of the values of the places;
    * {NAME} is the variable of a field of the message; {read_NAME} and {write_NAME} are the statements of the shape of a
      section, or of the fields of the message itself, by its name in `shapes`; {write_NAME} of another field has those of
      `parts`, with {value} for its value. An optional section or field without a value is not written;
    * `alone` has the object that rows mostly make of one value, as a template, for places whose `parts` write that value, too;
    * `maps` has the places whose entries can be read or written one by one. {read_NAME} reads one that is no field of a shape.
      `before` are statements before the first entry is written.
    """

    reading: Block
    writing: Block
    shapes: Mapping[str, Fields]
    parts: Mapping[str, Block] = field(default_factory=dict)
    alone: Mapping[str, str] = field(default_factory=dict)
    maps: Mapping[str, Entries] = field(default_factory=dict)
    before: Block = ()

    def read(self, places: Mapping[str, Expression], found: Container[str]) -> tuple[Statement, ...]:
        """Return the statements of `reading`; `places` has the variable of each place by its path.

        Of the maps in `found`, it only keeps the offset.
        """
        maps = {path: lines(each.find if path in found else each.read, place=places[path]) for path, each in self.maps.items()}
        own = {path: each for path, each in maps.items() if each}
        shapes = {name: shape.reading(within(name, places), within(name, own)) for name, shape in self.shapes.items()}
        return lines(self.reading, **places, **{f"read_{name}": each for name, each in {**maps, **shapes}.items()})

    def write(self, places: Mapping[str, Expression], written: Mapping[str, Statements]) -> tuple[Statement, ...]:
        """Return the statements of `writing`; `written` has those of each section and field by its name."""
        return lines(self.writing, **places, **{f"write_{name}": each for name, each in written.items()})

    def entry(self, path: str, out: Expression, key: Expression, type_: Expression, value: Expression) -> tuple[Statement, ...]:
        """Return the statements that write an entry of a map."""
        return lines(self.maps[path].each, out=out, key=key, type=type_, value=value)

    def entry_of_text(
        self, path: str, out: Expression, key: Expression, type_: Expression, text: Sequence[Expression]
    ) -> tuple[Statement, ...]:
        """Return the statements that write an entry whose value is a text between two offsets in `data`; none by default."""
        written = self.maps[path].texts.get(str(type_.value)) if text and isinstance(type_, Literal) else None
        return () if written is None else lines(written, out=out, key=key, **dict(zip(("begin", "end"), text, strict=True)))

    def part(self, name: str, value: Expression) -> tuple[Statement, ...]:
        """Return the statements that write a field of the message that has no shape."""
        return lines(self.parts[name], value=value)


def within(name: str, places: Mapping[str, T]) -> dict[str, T]:
    """Return what a shape's fields have by their names: those of a section, before those of the message itself.

    >>> within("header", {"priority": 1, "header.priority": 2})["priority"]
    2
    """
    section = f"{name}."
    return {**places, **{path.removeprefix(section): each for path, each in places.items() if path.startswith(section)}}
