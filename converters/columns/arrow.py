"""Conversion of record batches: a column of wire values in, the columns of the results out. For Spark, and for Parquet files.

A row becomes rows with four more columns:

* `index` (int): the message's number in the wire value, from 0; null in the row of a value without a valid message
* `converted` (binary): the wire form in the target protocol; null in a rejected row
* `report` (struct of `dropped` and `lost`, in the names of the JSON form): drops and losses; null if there are none;
  left out by `report=False`
* `error` (struct of code, message, field, rule, offset, remedy): why the row was rejected; null in a converted one

A wire value with several messages becomes one row for each, converted or rejected. Only its first row and its first rejected
row keep the wire column: repeated, it would grow with the square of the input. Every column of the result is nullable.

Only messages are rejected. A failure of the machine (no memory, a full disk, a missing package) is raised.
"""

import binascii
import gc
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mqconvert.compiled import is_compiled
from mqconvert.converters.columns import Encoding
from mqconvert.converters.columns.lines import Line
from mqconvert.converters.columns.loop import Columns, Room, Tally, ValueConverter, Values, binary, columns, present
from mqconvert.converters.errors import ArgumentError, DecodeError, EncodeError, MqConvertError
from mqconvert.converters.model.base64text import from_base64
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.transcoding import Transcoder

READ_ROWS = 1000
"""Wire values read from Arrow at once. They stay in the caches of a processor, which takes a tenth off a row."""

BATCH_BYTES = 16 * 2**20
"""Maximum bytes of converted rows in a batch. A batch that reaches it goes to Spark, and a new one begins."""

_MOST_BYTES = 2**31 - 1
"""Maximum bytes in a column of type `binary`, whose offsets have 32 bits."""

_TEXT, _INT = pa.string(), pa.int32()
_DROPPED = pa.struct({"rule": _TEXT, "field": _TEXT, "note": _TEXT, "leg": _INT})
_LOST = pa.struct({"field": _TEXT, "type": _TEXT, "reason": _TEXT, "rule": _TEXT, "leg": _INT})
REPORT = pa.struct({"dropped": pa.list_(_DROPPED), "lost": pa.list_(_LOST)})
_REMEDY = pa.struct({"option": _TEXT, "value": _TEXT})
ERROR = pa.struct({"code": _TEXT, "message": _TEXT, "field": _TEXT, "rule": _TEXT, "offset": pa.int64(), "remedy": _REMEDY})


def _base64(wire: Any) -> bytes:
    """Decode base64. Line breaks are skipped: MIME writes lines of 76 characters (RFC 2045, section 6.8)."""
    try:
        return from_base64(present(wire))
    except ValueError as error:
        joined = wire.replace("\r", "").replace("\n", "")
        if joined != wire:
            return _base64(joined)
        raise DecodeError("bad_base64", f"the wire value is not base64: {error}") from None


def _hex(wire: object) -> bytes:
    try:
        return binascii.unhexlify(present(wire))
    except ValueError as error:
        raise DecodeError("bad_hex", f"the wire value is not hex: {error}") from None


ENCODINGS: dict[Encoding, Callable[[object], bytes]] = {"binary": binary, "base64": _base64, "hex": _hex}
"""The encodings of a column of wire values, and what returns the bytes of one, or raises DecodeError."""


def is_bytes(type_: pa.DataType) -> bool:
    """Return whether a column of a type has bytes, or nothing."""
    kinds = pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_null
    plain = _of_values(type_)
    return any(kind(plain) for kind in kinds) or str(plain) == "binary_view"  # since PyArrow 16


def is_text(type_: pa.DataType) -> bool:
    """Return whether a column of a type has text."""
    plain = _of_values(type_)
    return pa.types.is_string(plain) or pa.types.is_large_string(plain) or str(plain) == "string_view"


def _of_values(type_: pa.DataType) -> pa.DataType:
    return type_.value_type if pa.types.is_dictionary(type_) else type_


def _at_once(wires: pa.Array) -> int:
    """Return how many values to read at once: fewer where rows share long ones, each of which becomes a copy."""
    if not pa.types.is_dictionary(wires.type) or not len(wires.dictionary):
        return READ_ROWS
    longest = max(len(value.as_py() or "") for value in wires.dictionary)
    return max(1, min(READ_ROWS, BATCH_BYTES // max(1, longest)))


SOURCE = "mqconvert source protocol"
"""The name of an internal column, the last one of a batch."""


def new_columns(*, report: bool) -> list[tuple[str, pa.DataType]]:
    """Return the names and types of the new columns; without reports, there is no column of them."""
    columns = [("index", _INT), ("converted", pa.binary()), ("report", REPORT), ("error", ERROR)]
    return [column for column in columns if report or column[0] != "report"]


def column_path(names: Sequence[str], column: str) -> list[str]:
    """Return the names that lead to a column: one for a column of the frame, more for a field of a struct.

    A column of exactly this name wins; else dots separate the names, and backticks quote one that has dots itself.

    >>> column_path(["msg"], "msg.wire"), column_path(["msg.wire"], "msg.wire"), column_path(["a.b"], "`a.b`.wire")
    (['msg', 'wire'], ['msg.wire'], ['a.b', 'wire'])
    """
    if column in names:
        return [column]
    parts = re.findall(r"`((?:[^`]|``)*)`|([^.]+)", column)
    return [quoted.replace("``", "`") if quoted else plain for quoted, plain in parts] or [column]


def wires_at(batch: pa.RecordBatch, path: Sequence[str]) -> pa.Array:
    """Return the column of a batch, or the field of a struct, at a path from `column_path`."""
    column = batch.column(path[0])
    return pc.struct_field(column, path[1:]) if path[1:] else column


@dataclass(frozen=True, slots=True)
class Rows:
    """The work on each batch of a frame. With `source` None, the last column has the protocol."""

    work: ValueConverter
    source: str | None
    target: str
    wire_column: str
    encoding: Encoding
    batch_bytes: int
    prefix: str = ""
    tally: str | None = None
    names: tuple[str, ...] | None = None
    """The columns, if the batches have others."""
    members: tuple[str, ...] = ()

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches, for `mapInArrow`. With a tally, each batch waits for the next: the last one has the counts."""
        if self.tally is None:
            yield from self.converted(batches, None)
            return
        counted: Tally = Counter()
        held = None
        for batch in self.converted(batches, counted):
            if held is not None:
                yield held.append_column(self.tally, pa.nulls(held.num_rows, _TEXT))
            held = batch
        if held is not None:
            texts = [None] * (held.num_rows - 1) + [tally_text(counted)]
            yield held.append_column(self.tally, pa.array(texts, _TEXT))

    def converted(self, batches: Iterable[pa.RecordBatch], counted: Tally | None) -> Iterator[pa.RecordBatch]:
        """Yield batches limited in bytes, so that long messages, values with many messages and reports fit into Arrow."""
        for batch in batches:
            given = batch if self.names is None else batch.rename_columns(list(self.names))
            if counted is not None:
                counted["modules", "compiled" if is_compiled() else "sources"] += given.num_rows
            with _no_collection():
                way = self._way() if counted is None and self.encoding == "binary" and not self.members else None
                if way is None:
                    yield from self._converted(given, counted)
                    continue
                for at in range(0, given.num_rows, READ_ROWS):
                    part = given.slice(at, READ_ROWS)
                    plain = self._plainly(way, part)
                    yield from self._converted(part, counted) if plain is None else (plain,)

    def _way(self) -> Transcoder | None:
        """Return the way of rows that have wire bytes alone. Errors of the choices are those of each row."""
        with suppress(MqConvertError):
            return None if self.source is None else self.work.way(self.source, self.target)
        return None

    def _plainly(self, way: Transcoder, given: pa.RecordBatch) -> pa.RecordBatch | None:
        """Convert rows of one message each, most of which get wire bytes alone; None for others."""
        wires = wires_at(given, column_path(given.schema.names, self.wire_column))
        if wires.nbytes > self.batch_bytes or pa.types.is_dictionary(wires.type):
            return None
        values = _values(wires)
        if self.work.complete and not self.work.promising(way, values, self.target):
            return None
        made = made_columns(self.work, way, values, self.target, self.batch_bytes)
        if made is None:
            return None
        new = [name for name, _ in new_columns(report=self.work.report)]
        names = [*given.schema.names, *(self.prefix + name for name in new)]
        return pa.RecordBatch.from_arrays([*given.columns, *(made[name] for name in new)], names=names)

    def _converted(self, given: pa.RecordBatch, counted: Tally | None) -> Iterator[pa.RecordBatch]:
        kept = given if self.source is not None else given.drop_columns([SOURCE])
        path = column_path(kept.schema.names, self.wire_column)
        wires = wires_at(kept, path)
        others = max(0, kept.nbytes - wires.nbytes) // max(1, len(wires))
        sources = repeat(self.source) if self.source is not None else given.column(SOURCE).to_pylist()
        rows = _at_once(wires)
        values = chain.from_iterable(wires.slice(at, rows).to_pylist() for at in range(0, len(wires), rows))

        plain = ENCODINGS[self.encoding]
        line = Line(self.members, plain) if self.members else None
        raw = plain if line is None else line.wire

        def beside(row: int | None) -> int:
            if line is not None and row is not None:
                return len(line.rest(wires[row].as_py()))
            size: int = others if row is None else max(0, kept.slice(row, 1).nbytes - wires.slice(row, 1).nbytes)
            return size

        new = new_columns(report=self.work.report)
        names = [*kept.schema.names, *(self.prefix + name for name, _ in new)]
        pairs = zip(sources, values, strict=False)
        for made in columns(self.work, pairs, self.target, raw, self.batch_bytes, beside, counted):
            arrays = [_array(getattr(made, name), type_) for name, type_ in new]
            yield pa.RecordBatch.from_arrays([*_kept(kept, path, made, line), *arrays], names=names)


def _values(wires: pa.Array) -> Values:
    """Return the memory of a column of bytes. Types other than `binary` are copied into one."""
    large = pa.types.is_large_binary(wires.type)
    column = (pa.concat_arrays([wires]) if large else wires).cast(pa.binary())  # the copy of a slice has small offsets
    _, offsets, data = column.buffers()
    nulls = frozenset(pc.indices_nonzero(column.is_null()).to_pylist()) if column.null_count else frozenset()
    return Values(_view(data), _view(offsets.slice(4 * column.offset, 4 * len(column) + 4)).cast("i"), nulls)


def _view(memory: pa.Buffer | None) -> memoryview:
    return memoryview(memory or b"").cast("B")


def made_columns(
    work: ValueConverter, way: Transcoder, values: Values, target: str, limit: int, *, single: bool = False
) -> dict[str, pa.Array] | None:
    """Return the new columns of rows of one message each; None where `plainly` has none."""
    count = len(values.offsets) - 1
    data = pa.allocate_buffer(min(limit, values.offsets[count] - values.offsets[0] + 128 * count), resizable=True)
    offsets = pa.allocate_buffer(4 * count + 4)

    def resized(size: int) -> memoryview:
        data.resize(size)
        return _view(data)

    room = Room(_view(data), _view(offsets).cast("i"), resized)
    room.offsets[0] = 0
    others = work.plainly(way, values, target, room, limit, single=single)
    if others is None:
        return None
    reports, errors = zip(*(others.get(row, _NONE) for row in range(count)), strict=True) if others else ((), ())
    good = pa.array([error is None for error in errors]) if any(errors) else None
    memory = [None if good is None else good.buffers()[1], offsets, data.slice(0, room.offsets[count])]
    made = {
        "index": _constant(0, _INT, count) if good is None else pc.if_else(good, pa.scalar(0, _INT), None),
        "converted": pa.Array.from_buffers(pa.binary(), count, memory),
        "error": _constant(None, ERROR, count) if good is None else pa.array(errors, ERROR),
    }
    if work.report:
        made["report"] = _array(list(reports), REPORT) if any(reports) else _constant(None, REPORT, count)
    return made


_NONE = (None, None)
"""The report and the error of a row that wire bytes alone tell."""


def converted_table(work: ValueConverter, wires: Any, source: str, target: str) -> pa.Table:
    """Return `converted` and `error` of each value of a column, each of one message."""
    if not isinstance(wires, (pa.Array, pa.ChunkedArray)) or not is_bytes(wires.type):
        got = f" of {wires.type}" if isinstance(getattr(wires, "type", None), pa.DataType) else ""
        raise ArgumentError("wires", "a pyarrow.Array or ChunkedArray of bytes", type(wires), got)
    way = work.way(source, target)
    assert way is not None  # only options of codecs have none
    columns = new_columns(report=False)[1:]
    batches = []
    for chunk in wires.chunks if isinstance(wires, pa.ChunkedArray) else [wires]:
        for part in _parts(chunk, _at_once(chunk)):
            made = made_columns(work, way, _values(part), target, _MOST_BYTES, single=True)
            if made is None:
                raise EncodeError("too_large", f"more than {_MOST_BYTES} bytes in a column of type binary", field="converted")
            batches.append(pa.RecordBatch.from_arrays([made[name] for name, _ in columns], names=[name for name, _ in columns]))
    return pa.Table.from_batches(batches, pa.schema(columns))


def _parts(column: pa.Array, rows: int) -> Iterator[pa.Array]:
    """Yield slices of at most so many rows, and less with long values, of which one alone may exceed BATCH_BYTES."""
    for at in range(0, len(column), rows):
        part = column.slice(at, rows)
        if rows > 1 and part.nbytes > BATCH_BYTES:
            yield from _parts(part, max(1, rows // 10))
        else:
            yield part


def _array(values: list[Any], type_: pa.DataType) -> pa.Array:
    """Return values as Arrow; faster where all are equal, as most indexes and errors are, or the same, as most reports are."""
    if values.count(values[0]) == len(values):
        return pa.repeat(pa.scalar(values[0], type_), len(values))
    if type_ is REPORT:
        distinct = {id(value): value for value in values}
        numbers = {key: number for number, key in enumerate(distinct)}
        return pa.array(list(distinct.values()), type_).take(pa.array([numbers[id(value)] for value in values]))
    return pa.array(values, type_)


@lru_cache(maxsize=16)
def _constant(value: object, type_: pa.DataType, count: int) -> pa.Array:
    """Return a column of equal values; most batches have the same number of rows."""
    return pa.repeat(pa.scalar(value, type_), count)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the garbage collector for a batch: it would visit all rows of the batch."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _kept(batch: pa.RecordBatch, path: list[str], made: Columns, line: Line | None) -> list[pa.Array]:
    """Return the frame's own columns with a value for each new row; the wire only where the row keeps it."""
    count = len(made.index)
    row = made.before()
    if made.last - row == count and (line is None or not any(made.error)):
        return list(batch.slice(row + 1, count).columns)
    rows, wires = [], []
    for index, keeps in zip(made.index, made.wire, strict=True):
        row += not index
        rows.append(row)
        wires.append(row if keeps else None)
    take, wires_ = pa.array(rows, pa.int64()), pa.array(wires, pa.int64())
    wire = batch.schema.get_field_index(path[0])
    return [
        line.kept(column, made)
        if line is not None and at == wire
        else _taken(column, take, wires_, path[1:] if at == wire else None)
        for at, column in enumerate(batch.columns)
    ]


def _taken(column: pa.Array, rows: pa.Array, wires: pa.Array, path: list[str] | None) -> pa.Array:
    """Return the values of `rows`, or of `wires` if `path` is that of the wire."""
    if path is None:
        return column.take(rows)
    if not path:
        return column.take(wires)
    at = column.type.get_field_index(path[0])
    parts = [_taken(part, rows, wires, path[1:] if n == at else None) for n, part in enumerate(column.flatten())]
    fields = [part.with_nullable(True) for part in column.type]
    return pa.StructArray.from_arrays(parts, fields=fields, mask=column.is_null().take(rows))


# ---- counts by rule -----------------------------------------------------------------------------------------------------

TALLIES: dict[str, tuple[str, ...]] = {
    "dropped": ("rule", "note", "leg"),
    "lost": ("rule", "type", "reason", "leg"),
    "errors": ("code",),
    "skipped": (),
    "modules": ("modules",),
    "fields": ("outcome",),
}
"""The kinds of counts, and the members of their entries. `skipped` counts frames without a message (option `stream`), `modules`
rows by `compiled` or `sources`, as their worker runs, `fields` the fields of all messages by their number in Summary."""


def tallied_counts(texts: Iterable[str]) -> Tally:
    """Add up texts of `tally_text`."""
    total: Tally = Counter()
    for text in texts:
        for *key, count in json.loads(text):
            total[tuple(key)] += count
    return total


def tally_text(counted: Tally) -> str:
    return json.dumps([[*key, count] for key, count in counted.items()])


def tallied(texts: Iterable[str]) -> dict[str, list[JsonObject]]:
    """Add up the column `tally` of `convert_frame` over all partitions, most frequent entries first.

    >>> tallied(['[["errors", "truncated", 2]]', '[["errors", "truncated", 1], ["dropped", "retain", null, 0, 1]]'])["errors"]
    [{'code': 'truncated', 'count': 3}]
    """
    found: dict[str, list[JsonObject]] = {kind: [] for kind in TALLIES}
    for (kind, *members), count in sorted(tallied_counts(texts).items(), key=lambda item: (-item[1], str(item[0]))):
        found[kind].append(dict(zip(TALLIES[kind], members, strict=True)) | {"count": count})
    return found
