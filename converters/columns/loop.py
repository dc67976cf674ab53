"""Conversion of columns of wire values to columns of results: the loop behind Spark, without Arrow.

Values that have a way from bytes to bytes are read from Arrow's memory and written into it; others are Python objects.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from mqconvert.converters.choices import Choices, with_codecs
from mqconvert.converters.engine.report import Entries
from mqconvert.converters.engine.summary import Summary
from mqconvert.converters.errors import DecodeError, MqConvertError, NoRouteError, library_error
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.native import i64
from mqconvert.converters.pipeline import Pipeline
from mqconvert.converters.protocols.calls import decode, decode_each, encode
from mqconvert.converters.protocols.options import options_for
from mqconvert.converters.running import Conversion
from mqconvert.converters.transcoding import Transcoder

Reported = tuple[list[tuple[object, ...]], list[tuple[object, ...]]] | None
"""The column `report`: drops and losses."""

Row = tuple[int | None, bytes | None, Reported, JsonObject | None]
"""The new columns of one row: index, converted, report, error."""

Tally = Counter[tuple[Any, ...]]
"""Counts by the members of TALLIES."""

MOST_TALLIED = 1000
"""Maximum different entries in a partition; further ones are counted together, with null in each member."""

_MACHINE = (ImportError, MemoryError, OSError)


def present(wire: object) -> Any:
    """Return a wire value. Raises DecodeError `no_wire` for a null."""
    if wire is None:
        raise DecodeError("no_wire", "the wire value is null")
    return wire


def binary(wire: object) -> bytes:
    """Return the bytes of a binary wire value, or raise DecodeError."""
    if type(wire) is bytes:
        return wire
    try:
        return bytes(memoryview(present(wire)))
    except TypeError:
        words = f"the wire value is {type(wire).__name__}, not bytes"
        raise DecodeError("wrong_column_type", words) from None


def _reported(entries: Entries) -> Reported:
    """Return drops and losses, the same object for the same entries; None without any."""
    if not (entries.dropped or entries.lost):
        return None
    if entries.rows is None:
        entries.rows = [_entry(drop) for drop in entries.dropped], [_entry(loss) for loss in entries.lost]
    return entries.rows


class Columns:
    """The new columns of a batch that is being built, and the number of the last value in it."""

    __slots__ = ("converted", "error", "index", "last", "report", "wire")

    def __init__(self) -> None:
        self.wire: list[bool] = []
        """Whether the row keeps the wire: the first row of a value, and its first rejected one."""
        self.index: list[int | None] = []
        self.converted: list[bytes | None] = []
        self.report: list[Reported] = []
        self.error: list[JsonObject | None] = []
        self.last = -1

    def before(self) -> int:
        """Return the number of the last value before these rows; -1 for none."""
        return self.last - self.index.count(0) - self.index.count(None)


def value_at(data: memoryview, offsets: memoryview, at: i64) -> bytes:
    """Return a value of a column in Arrow's layout. IndexError for offsets outside the data."""
    begin, end = offsets[at], offsets[at + 1]
    if not 0 <= begin <= end <= len(data):
        raise IndexError
    return bytes(data[begin:end])


def put_value(data: memoryview, offsets: memoryview, at: i64, value: bytes) -> bool:
    """Write a value of such a column behind those before it, if there is room."""
    begin = offsets[at]
    end = begin + len(value)
    if end > len(data):
        return False
    data[begin:end] = value
    offsets[at + 1] = end
    return True


class Values:
    """A column of bytes in Arrow's layout: one more offset of 32 bits than values, their bytes, and the rows of nulls."""

    __slots__ = ("data", "nulls", "offsets")

    def __init__(self, data: memoryview, offsets: memoryview, nulls: frozenset[int]) -> None:
        self.data = data
        self.offsets = offsets
        self.nulls = nulls


class Room:
    """A column of bytes in that layout that is being written. `resized` returns its data in memory of another size."""

    __slots__ = ("data", "offsets", "resized")

    def __init__(self, data: memoryview, offsets: memoryview, resized: Callable[[int], memoryview]) -> None:
        self.data = data
        self.offsets = offsets
        self.resized = resized

    def grown(self, limit: int) -> bool:
        """Return whether there is more room now, of at most `limit` bytes."""
        size = len(self.data)
        if size >= limit:
            return False
        self.data = self.resized(min(limit, 2 * size))
        return True


class Seen:
    """What is counted beside the rows: summaries, and frames without a message (option `stream`)."""

    __slots__ = ("skipped", "summaries")

    def __init__(self) -> None:
        self.summaries: list[Summary] = []
        self.skipped = 0


class ValueConverter:
    """The work on each value. Workers get it pickled, overlays as text."""

    __slots__ = ("choices", "pipelines", "report", "ways")

    def __init__(self, choices: Choices, report: bool = True) -> None:
        self.choices = choices
        self.report = report
        self.pipelines: dict[tuple[str, str], Pipeline[bytes]] = {}
        """The pipelines that rows have needed so far."""
        self.ways: dict[tuple[str, str], Transcoder] = {}
        """The ways from bytes to bytes of those whose codecs have no options."""

    def __reduce__(self) -> tuple[object, ...]:
        return ValueConverter, (self.choices, self.report)

    def reading(self, source: str) -> dict[str, Any]:
        """Return the options of the codec that decodes."""
        [reading] = options_for([(source, "decode_all")], {}, dict(self.choices.options))
        return reading

    def pipeline(self, source: str | None, target: str | None) -> Pipeline[bytes]:
        if source is None or target is None:  # in this row; the caller's arguments are already checked
            raise NoRouteError("no protocol is named", code="unknown_protocol")
        found = self.pipelines.get((source, target))
        if found is None:
            choices, reading, writing = with_codecs(self.choices, source, target, {}, dict(self.choices.options))
            write = partial(_encoded, writing) if writing else _plainly_encoded
            found = self.pipelines[source, target] = Pipeline(choices, source, target, write, reading)
            if not (reading or writing):
                self.ways[source, target] = Transcoder(source, target, choices.profile, choices.rules)
        return found

    def answers(
        self,
        wire: object,
        source: Any,
        target: Any,
        raw: Callable[[object], bytes] = binary,
        *,
        single: bool = False,
        seen: Seen | None = None,
    ) -> list[Row]:
        """Return the rows of one value: one for each of its messages, converted or rejected, or one rejection without index.

        With `single`, it has one message. `seen` gets the summaries of the reports, unless these are off.
        """
        rows: list[Row] = []
        summaries: list[Summary] = []
        try:
            pipeline = self.pipeline(source, target)
            data = wire if type(wire) is bytes else raw(wire)  # text is in columns of text only
            way = self.ways.get((source, target))
            made = None if way is None or self.complete else way.wire(data, pipeline.environment)
            if made is not None:
                return [(0, made, None, None)]
            reading = pipeline.reading
            decoded = None if single else decode_each(source, data, **reading)
            for index, message in enumerate(decoded or [decode(source, data, **reading)]):
                answer = pipeline.answer(message)
                if answer.error is not None:
                    rows.append((index, None, None, error_members(answer.error)))
                    continue
                reported: Reported = None
                if self.report and answer.conversion is not None:
                    report = answer.conversion.report
                    reported = _reported(report.entries)
                    if seen is not None:
                        summaries.append(report.summary)
                rows.append((index, answer.result(), reported, None))
        except Exception as error:  # noqa: BLE001 - see library_error
            return [(None, None, None, error_members(library_error(error)))]
        if decoded is not None and decoded.skipped:
            if seen is not None:
                seen.skipped += decoded.skipped
            if not rows:  # the row of the value stays
                none = DecodeError("no_message", f"no message among the frames: {decoded.skipped}", offset=0)
                return [(None, None, None, error_members(none))]
        if seen is not None:
            seen.summaries += summaries
        if len(rows) == 1 and rows[0][3] is not None:
            return [(None, None, None, rows[0][3])]
        return rows

    @property
    def complete(self) -> bool:
        """Whether a row without a report, and without the check of a loss, has to be one of which every field arrives."""
        return self.report or self.choices.on_loss != "report"

    def way(self, source: str | None, target: str) -> Transcoder | None:
        """Return the way from bytes to bytes of a pair, if it has one."""
        pipeline = self.pipeline(source, target)
        return self.ways.get((pipeline.source, pipeline.target))

    def promising(self, way: Transcoder, given: Values, target: str) -> bool:
        """Return whether one of the first values needs no report: then most others need none, either."""
        environment = self.pipeline(way.source, target).environment
        for at in range(min(_FIRST, len(given.offsets) - 1)):
            value = b"" if at in given.nulls else value_at(given.data, given.offsets, at)
            if way.wire(value, environment, complete=True) is not None:
                return True
        return False

    def plainly(
        self, way: Transcoder, given: Values, target: str, room: Room, limit: int, *, single: bool = False
    ) -> dict[int, tuple[Reported, JsonObject | None]] | None:
        """Write the result of each value, of one message, into a room; return the reports and errors by row.

        A rejected row has no bytes. None where a value has several messages, unless they are `single`, and where all takes more
        than `limit` bytes.
        """
        environment = self.pipeline(way.source, target).environment
        complete, nulls = self.complete, given.nulls
        others: dict[int, tuple[Reported, JsonObject | None]] = {}
        size = 0
        at: i64 = 0
        count: i64 = len(given.offsets) - 1
        while at < count:
            value = None if nulls and at in nulls else value_at(given.data, given.offsets, at)
            wire = None if value is None else way.wire(value, environment, complete=complete)
            if wire is None:
                rows = self.answers(value, way.source, target, single=single)
                _, wire, report, error = rows[0]
                size += _size(report, error)
                if len(rows) != 1 or size + room.offsets[at] > limit:
                    return None
                others[at] = report, error
                wire = wire or b""
            while not put_value(room.data, room.offsets, at, wire):
                if not room.grown(limit - size):
                    return None
            at += 1
        return others


_FIRST = 16
"""The values of which one has to come without a report."""


def _plainly_encoded(done: Conversion) -> bytes:
    return encode(done.message)


def _encoded(options: Mapping[str, Any], done: Conversion) -> bytes:
    return encode(done.message, **options)


def error_members(error: MqConvertError) -> JsonObject:
    """Return the error struct. A defect of mqconvert rejects one row, with code `internal`, and the job goes on.

    Raises errors of the machine: too little memory, an error of the operating system, a missing package.
    """
    if isinstance(error.__cause__, _MACHINE):
        raise error.__cause__ if error.code == "internal" else error
    return {name: arrow_text(value) if type(value) is str else value for name, value in error.as_dict().items()}


def _entry(members: tuple[object, ...]) -> tuple[object, ...]:
    """Return an entry of a report with the members of Arrow's struct, in their order."""
    return tuple([arrow_text(member) if type(member) is str else member for member in members])


def arrow_text(text: str) -> str:
    """Return text that Arrow accepts: bytes outside UTF-8 (see values.py) as in JSON, `\\udcff`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def columns(
    work: ValueConverter,
    pairs: Iterable[tuple[object, Any]],
    target: str,
    raw: Callable[[object], bytes],
    limit: int,
    beside: Callable[[int | None], int],
    counted: Tally | None,
) -> Iterator[Columns]:
    """Convert pairs of source protocol and wire value; yield columns that take about `limit` bytes in Arrow, or one row.

    `beside` gives the bytes of the other columns in the row of that number, or on average for None. The columns of a row
    repeat for each of its messages, so an average is not enough there.
    """
    average = beside(None)
    made, size = Columns(), 0
    seen = None if counted is None else Seen()
    for number, (source, wire) in enumerate(pairs):
        rows = work.answers(wire, source, target, raw, seen=seen)
        more = average if len(rows) == 1 else beside(number)
        unrejected = True
        for index, converted, report, error in rows:
            keeps = not index or (error is not None and unrejected)
            unrejected = unrejected and error is None
            made.wire.append(keeps)
            made.index.append(index)
            made.converted.append(converted)
            made.report.append(report)
            made.error.append(error)
            size += more + 48
            if converted is not None:
                size += len(converted)
            if report is not None or error is not None:
                size += _size(report, error)
            if keeps:
                size += len(wire or b"")
            if size >= limit:
                made.last = number
                _count(counted, made, seen)
                yield made
                made, size = Columns(), 0
        made.last = number
        rows.clear()  # the next value's rows need the memory
    if made.index:
        _count(counted, made, seen)
        yield made


def _size(report: Reported, error: JsonObject | None) -> int:
    """Return roughly the bytes that a report and an error take in Arrow: their texts, and the offsets of each entry."""
    size = 0
    if report is not None:
        for entries in report:
            for entry in entries:
                size += 32
                for member in entry:
                    if type(member) is str:
                        size += len(member)
    return size if error is None else size + sum([len(text) for text in error.values() if type(text) is str])


def _count(counted: Tally | None, made: Columns, seen: Seen | None) -> None:
    """Count reports and summaries, which rows share, errors, and what else was seen since the last time."""
    if counted is None or seen is None:
        return
    for report, times in _times(made.report):
        if report is not None:
            dropped, lost = report
            for rule, _, note, leg in dropped:
                _add(counted, ("dropped", rule, note, leg), times)
            for _, type_, reason, rule, leg in lost:
                _add(counted, ("lost", rule, type_, reason, leg), times)
    for error in made.error:
        if error is not None:
            counted["errors", error["code"]] += 1
    for summary, times in _times(seen.summaries):
        counted["fields", "unchanged"] += summary.unchanged * times
        counted["fields", "changed"] += summary.changed * times
        counted["fields", "by_rule"] += summary.by_rule * times
        counted["fields", "lost"] += summary.lost * times
    if seen.skipped:
        counted["skipped",] += seen.skipped
    seen.summaries.clear()
    seen.skipped = 0


def _times(objects: list[Any]) -> list[tuple[Any, int]]:
    """Return each object with how many times it is there."""
    times = Counter(map(id, objects))
    return [(each, times[id(each)]) for each in {id(each): each for each in objects}.values()]


def _add(counted: Tally, key: tuple[object, ...], times: int) -> None:
    known = key in counted or len(counted) < MOST_TALLIED
    counted[key if known else (key[0], *[None] * (len(key) - 1))] += times
