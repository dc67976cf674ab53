"""Forms: how the values of a wire type stand in bytes, as the lines that read and write one value.

A form is templates (converters/printed/templates.py). They use these variables:

| name | meaning |
|---|---|
| `data`, `at`, `end` | the bytes, the offset of the field or value, and the offset behind the last byte that it may have |
| `value`, `after` | the value that was read or is written, and the offset behind it |
| `text`, `key`, `raw`, `number`, `whole`, `size`, `value_at` | local names, each of one type (shapes.py) |
| `out` | the Writer (model/primitives.py) |
| `codec` | the protocol's module `codec`, for whatever is no expression: `codec.read_table(data, {at}, end, {depth})` |
| others | the functions of model/primitives.py, errors, and what the layout names |

and these holes, which the shape fills:

| hole | meaning |
|---|---|
| `{at}` | the offset of the value itself: `at`, or behind a code. Write `{at} + 2`: sums of numbers are added up |
| `{field}` | the name of the field, where the shape has fields |
| `{code}`, `{code_byte}` | the code or tag before the value as a number, and as bytes, where the shape has one |
| `{depth}` | how deep the value nests |

Reading checks nothing in advance: bytes that are missing raise IndexError or struct.error, or put `after` behind the end.
Writing checks nothing in advance either: another value must raise one of UNWRITABLE, or EncodeError. The careful printing of
the same layout then names field and fault.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from mqconvert.converters.printed.nodes import Expression, Literal, Name, Operation, Statement, hexadecimal
from mqconvert.converters.printed.templates import Block, code, lines, summed

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
    * `write`: statements that write `value`; none for a form that is read alone;
    * `fits`: a test of `value`. Of the encodings of a type, the first that fits is written; the last needs no test;
    * `takes`: the Python class of values, tested where a value comes with the name of its type, or "fitting": the wire type has
      to find no fault;
    * `careful`: statements that write `value` after `write` has failed. By default the wire type names the fault;
    * `unsound`: a test after `first` for values that are no values of the type. The careful reader then reads again;
    * `refusal`: the exact DecodeError of a value that is `unsound`, whose bytes are all there;
    * `careful_read`: statements that set `value` and `after`, or raise the exact DecodeError. By default `first`, `read` and
      the `refusal`;
    * `many`: whether the field is a list, of which each element stands behind the tag.

    >>> from mqconvert.converters.printed.printer import written
    >>> from mqconvert.converters.printed.templates import template
    >>> form = Form(type="uint", read="read_u32(data, {at})", size=4, write="write_u32(out, value)")
    >>> reading = form.reading(template("at + 1"))
    >>> written(reading.value), written(reading.after)
    ('read_u32(data, at + 1)', 'at + 5')
    """

    type: str
    read: str | Expression = "value"
    size: int | None = None
    first: Block = ()
    write: Block = ()
    fits: str = ""
    takes: str = ""
    careful: Block = ()
    unsound: str = ""
    refusal: str = ""
    careful_read: Block = ()
    many: bool = False

    def reading(self, at: Expression, depth: Expression = TOP) -> Reading:
        """Return how the value at an offset is read, without checks."""
        first, value = lines(self.first, at=at, depth=depth), code(self.read, at=at, depth=depth)
        after = Name("after") if self.size is None else Operation(at, "+", Literal(self.size)) if self.size else at
        return Reading(summed(first), summed(value), summed(after))

    def careful_reading(self, at: Expression, field: str) -> Reading:
        """Return how the value of a field is read so that an error names the fault."""
        holes = {"at": at, "field": Literal(field)}
        if self.careful_read:
            return Reading(summed(lines(self.careful_read, **holes)), Name("value"), Name("after"))
        first, value, after = self.reading(at)
        if not self.refusal:
            return Reading(first, value, after)
        moved = () if after == Name("after") else lines("after = {0}", after)
        refusal = code(self.refusal, **holes)
        refused = lines("if after <= end and {0}: raise {1}", code(self.unsound), summed(refusal))
        return Reading((*first, *moved, *refused), value, Name("after"))

    def fitting(self) -> Expression | None:
        """Return the test of a value that this encoding can hold."""
        return code(self.fits) if self.fits else None

    def fault(self) -> Expression | None:
        """Return the test for a value that must be read carefully."""
        return code(self.unsound) if self.unsound else None

    def writing(self, depth: Expression = TOP, *, code: int = 0, careful: bool = False) -> tuple[Statement, ...]:
        """Return the statements that write a value, behind a code or tag. Careful ones raise an EncodeError without a field."""
        holes = {"depth": depth, "code": hexadecimal(code), "code_byte": Literal(bytes((code,)))}
        if not careful or self.careful:
            return summed(lines(self.careful if careful else self.write, **holes))
        return (*lines("types[{0}].check(value, '')", Literal(self.type)), *self.writing(depth, code=code))


def number(type_: str, kind: str, value: str = "value") -> Form:
    """Return the form of a number; `read_KIND` and `write_KIND` of model/primitives.py have it.

    `value` is the expression of the value to write.

    >>> number("ushort", "u16").size
    2
    """
    read, write = Name(f"read_{kind}"), Name(f"write_{kind}")
    written = lines("{0}(out, {1})", write, code(value))
    return Form(type=type_, read=code("{0}(data, {at})", read), size=int(kind[1:]) // 8, write=written)


def coded(type_: str, kind: str, value: str = "value") -> Form:
    """Return the form of a `number` behind the code of its type.

    >>> coded("ushort", "u16").takes
    'int'
    """
    form = number(type_, kind, value)
    written = lines("out.write({code_byte})\n{0}", lines(form.write))
    return replace(form, takes="float" if kind.startswith("f") else "int", write=written)


SIZE_AT = {1: code("data[{at}]"), 2: code("data[{at}] << 8 | data[{at} + 1]"), 4: code("read_u32(data, {at})")}
"""The size at the offset of a value, by the number of its bytes."""


def sized(type_: str, width: int, **more: Any) -> Form:
    """Return the form of bytes behind their size of `width` bytes; `more` are other attributes, also in place of these.

    >>> sized("binary", 4).size is None
    True
    """
    holes = {"width": Literal(width), "size": SIZE_AT[width]}
    own: dict[str, Any] = {
        "first": lines("after = {at} + {width} + {size}", **holes),
        "read": code("data[{at} + {width} : after]", **holes),
    }
    return Form(type=type_, **(own | more))


FLOAT = Form(
    type="float",
    takes="fitting",
    first="value = read_f32(data, {at})",
    read="value if value == value else float_of_single(data[{at} : {at} + 4])",  # NaN
    size=4,
    write="""
    out.write({code_byte})
    out.write(single_of_float(value))
    """,
)
"""A float of 4 bytes behind the code of its type."""
