"""Forms: how the values of a wire type stand in bytes, as the lines that read and write one value.

A form is constant text of ours, read into nodes (converters/printed/templates.py): `lines` for statements. Its variables:

| name | meaning |
|---|---|
| `data`, `at`, `end` | the bytes, the offset of the field or value, and the offset behind the last byte that it may have |
| `AT` | the offset of the value itself: `at`, or behind a code or tag. Write `AT + 2`: sums of numbers are added up |
| `value`, `after` | local names: the value read, and the offset behind it |
| `text`, `key`, `raw`, `number`, `whole`, `size`, `value_at` | more local names, each of one type (shapes.py) |
| `FIELD` | the name of the field, where the shape has fields |
| `VALUE` | the value to write; `out` is the Writer (model/primitives.py) |
| `CODE`, `TAG` | the code or tag before the value, as a number and as bytes, where the shape has one |
| `DEPTH` | how deep the value nests |
| `codec` | the protocol's module `codec`, for whatever is no expression: `codec.read_table(data, AT, end, DEPTH)` |
| others | the functions of model/primitives.py, errors, and what the layout names |

Reading checks nothing in advance: bytes that are missing raise IndexError or struct.error, or put `after` behind the end.
Writing checks nothing in advance either: another value must raise one of UNWRITABLE, or EncodeError. The careful printing of
the same layout then names field and fault.
"""

from dataclasses import dataclass, replace
from functools import cache
from textwrap import dedent
from typing import Any, NamedTuple

from mqconvert.converters.printed.nodes import Do, Expression, Literal, Name, Operation, Statement
from mqconvert.converters.printed.templates import lines, summed

TOP = Literal(1)
"""The depth of a value that is not inside of another."""


class Reading(NamedTuple):
    """A form's reading at one offset."""

    first: tuple[Statement, ...]
    """The statements before it."""
    value: Expression
    after: Expression
    """The offset behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The values of a wire type in bytes.

    * `type`: the name of the wire type, whose object has bounds and faults (model/wiretypes.py);
    * `first`: statements before the value is read: they set `after`, or read `value, after = codec.read_...(...)`;
    * `read`: the expression of the value; `size`: its bytes if they are fixed, else `first` has set `after`;
    * `write`: statements that write VALUE; none for a form that is read alone;
    * `fits`: a test of VALUE. Of the encodings of a type, the first that fits is written; the last needs no test;
    * `takes`: the Python class of values, tested where a value comes with the name of its type, or "fitting": the wire type has
      to find no fault;
    * `careful`: statements that write VALUE after `write` has failed. By default the wire type names the fault;
    * `unsound`: a test after `first` for values that are no values of the type. The careful reader then reads again;
    * `refusal`: the exact DecodeError of a value that is `unsound`, whose bytes are all there;
    * `careful_read`: statements that set `value` and `after`, or raise the exact DecodeError. By default `first`, `read` and
      the `refusal`;
    * `many`: whether the field is a list, of which each element stands behind the tag.

    >>> from mqconvert.converters.printed.printer import written
    >>> from mqconvert.converters.printed.templates import template
    >>> form = Form(type="uint", read="read_u32(data, AT)", size=4, write="write_u32(out, VALUE)")
    >>> reading = form.reading(template("at + 1"))
    >>> written(reading.value), written(reading.after)
    ('read_u32(data, at + 1)', 'at + 5')
    """

    type: str
    read: str = "value"
    size: int | None = None
    first: str = ""
    write: str = ""
    fits: str = ""
    takes: str = ""
    careful: str = ""
    unsound: str = ""
    refusal: str = ""
    careful_read: str = ""
    many: bool = False

    def reading(self, at: Expression, depth: Expression = TOP) -> Reading:
        """Return how the value at an offset is read, without checks."""
        first = _filled(self.first, AT=at, DEPTH=depth)
        return Reading(first, _expression(self.read, AT=at, DEPTH=depth), self._after(at))

    def careful_reading(self, at: Expression, field: str) -> Reading:
        """Return how the value of a field is read so that an error names the fault."""
        if self.careful_read:
            return Reading(_filled(self.careful_read, AT=at, FIELD=Literal(field)), Name("value"), Name("after"))
        if not self.refusal:
            return self.reading(at)
        first, value, after = self.reading(at)
        moved = () if after == Name("after") else _filled("after = AFTER", AFTER=after)
        refused = _filled(f"if after <= end and ({self.unsound}): raise {self.refusal}", AT=at, FIELD=Literal(field))
        return Reading((*first, *moved, *refused), value, Name("after"))

    def fitting(self, value: Expression) -> Expression | None:
        """Return the test of a value that this encoding can hold."""
        return _expression(self.fits, VALUE=value) if self.fits else None

    def fault(self) -> Expression | None:
        """Return the test for a value that must be read carefully."""
        return _expression(self.unsound) if self.unsound else None

    def _after(self, at: Expression) -> Expression:
        if self.size is None:
            return Name("after")
        return summed(Operation(at, "+", Literal(self.size))) if self.size else at

    def writing(
        self,
        value: Expression,
        depth: Expression = TOP,
        *,
        tag: int = 0,
        careful: bool = False,
    ) -> tuple[Statement, ...]:
        """Return the statements that write a value, behind a code or tag. Careful ones raise an EncodeError without a field."""
        holes = {"VALUE": value, "DEPTH": depth, "CODE": Literal(tag, hexadecimal=True), "TAG": Literal(bytes((tag,)))}
        if not careful:
            return _filled(self.write, **holes)
        return _filled(self.careful or f"types[{self.type!r}].check(VALUE, '')\n{dedent(self.write)}", **holes)


def _expression(text: str, **holes: Expression) -> Expression:
    (statement,) = _filled(text, **holes)
    assert isinstance(statement, Do)
    return statement.value


@cache
def _filled(text: str, **holes: Expression) -> tuple[Statement, ...]:
    """Return the statements of a text with its variables replaced; fields of one type have the same."""
    return summed(lines(text, **holes))


def number(type_: str, kind: str, value: str = "VALUE") -> Form:
    """Return the form of a number; `read_KIND` and `write_KIND` of model/primitives.py have it.

    `value` is the expression of the value to write.

    >>> number("ushort", "u16").size
    2
    """
    size = int(kind[1:]) // 8
    return Form(type=type_, read=f"read_{kind}(data, AT)", size=size, write=f"write_{kind}(out, {value})")


def coded(type_: str, kind: str, value: str = "VALUE") -> Form:
    """Return the form of a `number` behind the code of its type.

    >>> coded("ushort", "u16").write
    'out.write(TAG)\\nwrite_u16(out, VALUE)'
    """
    form = number(type_, kind, value)
    return replace(form, takes="float" if kind.startswith("f") else "int", write=f"out.write(TAG)\n{form.write}")


SIZE_AT = {1: "data[AT]", 2: "(data[AT] << 8 | data[AT + 1])", 4: "read_u32(data, AT)"}
"""The size at the offset of a value, by the number of its bytes."""


def sized(type_: str, width: int, **more: Any) -> Form:
    """Return the form of bytes behind their size of `width` bytes; `more` are other attributes, also in place of these.

    >>> sized("binary", 4).first
    'after = AT + 4 + read_u32(data, AT)'
    """
    own = {"first": f"after = AT + {width} + {SIZE_AT[width]}", "read": f"data[AT + {width} : after]"}
    return Form(type=type_, **(own | more))


FLOAT = Form(
    type="float",
    takes="fitting",
    first="value = read_f32(data, AT)",
    read="value if value == value else float_of_single(data[AT : AT + 4])",  # NaN
    size=4,
    write="out.write(TAG)\nout.write(single_of_float(VALUE))",
)
"""A float of 4 bytes behind the code of its type."""
