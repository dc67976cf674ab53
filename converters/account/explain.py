"""Print the notes of a conversion for people, with values and table lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import fields
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Self

from mqconvert.converters.account.folding import columns, cut
from mqconvert.converters.converting import convert
from mqconvert.converters.engine.notes import SECOND_EQUAL_KEY
from mqconvert.converters.engine.report import Accounted, Applied, Dropped, Lost, Report
from mqconvert.converters.engine.values import Values
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment, options_set
from mqconvert.converters.errors import MessageError
from mqconvert.converters.json import message_to_json
from mqconvert.converters.model.bodies import BODY_TYPES, AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.paths import printable
from mqconvert.converters.model.primitives import text_or_none
from mqconvert.converters.model.values import Array, Decimal091, Described, Entry, TypedValue
from mqconvert.converters.overlays import DOCUMENTED, Rules
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.calls import BytesLike, decode, encode
from mqconvert.converters.running import Conversion

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message

_LONGEST = 80


def explain(
    message: Message | BytesLike,
    to: str,
    *,
    source: str | None = None,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    redact: bool = False,
    width: int | None = None,
) -> str:
    """Convert a message and print its summary and the outcome of every field: values, row and line of the table.

    Fields that do not arrive come first, with the reason. `redact` prints types and sizes instead of values. `width` is the
    most characters of a line of fields (default: no limit): longer values are cut, and lines of tables are left out. If the
    result cannot be encoded, the second line says why. Raises the errors of `convert`, and EncodeError for an invalid field.

    >>> print(explain(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0"))
    all 2 fields arrive (1 unchanged, 1 changed)
    mqtt-5.0 -> amqp-0.9.1
      qos         0           ->  basic.delivery_mode  1     mqtt5_to_amqp091.toml:8   qos
      payload     'hi'        ->  payload              'hi'  mqtt5_to_amqp091.toml:21  payload
      topic_name  't'         elsewhere: where it was published, not part of the message  topic
    """
    # `convert` refuses bytes without a source.
    read: Any = decode(source, message) if isinstance(message, BytesLike) and source is not None else message
    conversion = convert(read, to, source=source, profile=profile, rules=rules, environment=environment)
    fault = ""
    try:
        encode(conversion.message)
    except MessageError as error:
        error.untried(options_set(environment))
        why = error.field if redact else error  # its text may have the value
        fault = f"the result cannot be encoded: {why} [{error.code}]"
    return "\n".join(_lines(read, conversion, environment, redact=redact, width=width, fault=fault))


Styled = Callable[[str, str], str]
"""Returns the text of an outcome in its style; see `explained`."""


def explained(
    message: Message,
    conversion: Conversion,
    *,
    redact: bool = False,
    environment: Environment = DEFAULT_ENVIRONMENT,
    width: int | None = None,
    styled: Styled | None = None,
) -> str:
    """Return the `explain` text of an earlier conversion; `environment` is the Environment of that conversion.

    `styled(outcome, text)` returns the text of an outcome with the codes of a terminal for its colour; it has no part in the
    `width`. The outcomes are lost, dropped, applied, implied and elsewhere.

    >>> message = decode("mqtt-3.1.1", bytes.fromhex("3005000174") + b"hi")
    >>> print(explained(message, convert(message, "mqtt-3.1.1")))
    all 3 fields arrive unchanged
    mqtt-3.1.1: the same protocol, nothing changes
    """
    return "\n".join(_lines(message, conversion, environment, redact=redact, width=width, styled=styled))


def _lines(
    message: Message,
    conversion: Conversion,
    environment: Environment,
    *,
    redact: bool,
    width: int | None,
    styled: Styled | None = None,
    fault: str = "",
) -> list[str]:
    report = conversion.report
    lines = _folded(str(report.summary), width)
    if fault:
        lines += _folded(fault, width)
    if not report.tables:
        return [*lines, *_folded(f"{protocol_of(message).name}: the same protocol, nothing changes", width)]
    in_part = frozenset(map(id, report.lost_in_part))
    try:
        for leg, told in enumerate(_told(message, conversion, environment, _Values, redact=redact), 1):
            lines.extend(_folded(report.tables[leg - 1], width))
            in_order = sorted(told, key=lambda one: _FIRST.index(type(one[0])))
            lines.extend(_columns((_row(report, in_part, *one) for one in in_order), width, styled))
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        message_to_json(message)  # raises a more specific error for an invalid field
        raise
    return lines


def explained_json(
    message: Message, conversion: Conversion, *, redact: bool = False, environment: Environment = DEFAULT_ENVIRONMENT
) -> JsonObject:
    """Return the report of a conversion in JSON, each entry with its values as in the JSON form of messages.

    `value` is that of the source, `made` that of the target; `where` is the line of the table. With `redact`, values are texts
    with types and sizes only.

    >>> message = decode("mqtt-5.0", bytes.fromhex("3006000174006869"))
    >>> told = explained_json(message, convert(message, "amqp-0.9.1"))["applied"][0]
    >>> told["from"], told["value"], told["to"], told["made"], told["where"]
    ('qos', 0, 'basic.delivery_mode', 1, 'mqtt5_to_amqp091.toml:8')
    """
    report = conversion.report
    lists: dict[type[Noted], list[JsonObject]] = {Applied: [], Dropped: [], Lost: [], Accounted: []}
    for told in _told(message, conversion, environment, _JsonValues, redact=redact):
        for entry, value, made in told:
            known = entry.as_dict() | {"value": value}
            if isinstance(entry, Applied):
                known |= {"made": made, "where": report.rule(entry.rule, entry.leg).where}
            lists[type(entry)].append(known)
    return report.as_dict() | {kind.__name__.lower(): entries for kind, entries in lists.items()}


Noted = Applied | Dropped | Accounted | Lost
_FIRST: list[type[Noted]] = [Lost, Dropped, Applied, Accounted]
"""The order of outcomes in the text: what does not arrive comes first."""


def _told(
    message: Message, conversion: Conversion, environment: Environment, kind: type[_Values], *, redact: bool
) -> Iterator[list[tuple[Noted, Any, Any]]]:
    """Yield the entries of the report for each table, each with its value and the resulting value."""
    report = conversion.report
    said = {field.name: getattr(environment, field.name) for field in fields(environment)}
    at_hand = (message, *conversion.between, conversion.message)
    messages = [kind(one, redact=redact, caller=dict(said)) for one in at_hand]
    entries: list[Noted] = [*report.applied, *report.dropped, *report.accounted, *report.lost]
    address = environment.address
    for leg in range(1, len(report.tables) + 1):
        messages[leg - 1].caller["address"] = address
        here = [entry for entry in entries if entry.leg == leg]
        yield list(_with_values(here, messages[leg - 1], messages[leg]))
        if environment.address is None and (place := report.address_place(leg)) is not None:
            address = getattr(messages[leg - 1].message, place)


def _with_values(entries: list[Noted], source: _Values, target: _Values) -> Iterator[tuple[Noted, object, object]]:
    source.expect((_field(entry), entry.rule, _is_second(entry)) for entry in entries)
    target.expect((entry.target, entry.rule, False) for entry in entries if isinstance(entry, Applied) and entry.note is None)
    for entry in entries:
        value = source.next(_field(entry), entry.rule, second=_is_second(entry))
        made = target.next(entry.target, entry.rule) if isinstance(entry, Applied) and entry.note is None else None
        yield entry, value, made


_Row = tuple[str, tuple[str, ...]]
"""The outcome of a row, and its cells."""


def _row(report: Report, in_part: Container[int], entry: Noted, value: str, made: Any) -> _Row:
    """Return the row of an entry; `in_part` has those by identity that lose a part of a value."""
    field = _field(entry)
    if isinstance(entry, Applied) and entry.note is not None:
        return "implied", (field, value, f"implied by {_cut(entry.target)}: {entry.note}  {entry.rule}")
    if isinstance(entry, Applied):
        by = entry.rule if entry.type_rule is None else f"{entry.rule}, {entry.type_rule}"
        return "applied", (field, value, f"{_ARROW}  {_cut(entry.target)}", made, report.rule(entry.rule, entry.leg).where, by)
    if isinstance(entry, Lost):
        how = "LOST IN PART" if id(entry) in in_part else "LOST"
        return "lost", (field, value, f"{how}: {entry.reason}{report.wanted(entry)}  {entry.rule or ''}".rstrip())
    word = "dropped" if isinstance(entry, Dropped) else "elsewhere"
    return word, (field, value, f"{word}: {entry.note}  {entry.rule}")


_ARROW = "->"


def _field(entry: Noted) -> str:
    return entry.source if isinstance(entry, Applied) else entry.field


def _is_second(entry: Noted) -> bool:
    return isinstance(entry, Lost) and entry.reason == SECOND_EQUAL_KEY


class _Values(Values):
    """The values of one message by field path.

    Duplicate keys have the same path in a report. The row has the first value, and values lost as duplicates come last.
    If several candidates remain, all are shown.
    """

    def __init__(self, message: Message, *, redact: bool, caller: dict[str, object] | None = None) -> None:
        super().__init__(message)
        self.caller = caller or {}
        self._redact = redact
        self._candidates: dict[str, list[object]] = {}
        self._expected: Counter[tuple[str, str | None, bool]] = Counter()
        self._seen: Counter[tuple[str, str | None, bool]] = Counter()

    def expect(self, entries: Iterable[tuple[str, str | None, bool]]) -> None:
        """Register all entries that will be requested: field, row, and whether the key is a duplicate."""
        for field, rule, second in entries:
            self._expected[field, None if second else rule, second] += 1

    def next(self, field: str, rule: str | None, *, second: bool = False) -> object:
        """Return the value of the next entry of that field and row."""
        asked = (field, None if second else rule, second)
        values, seconds = self.at(field), self._expected[field, None, True]
        at = self._seen[asked] + (len(values) - seconds if second else 0)
        self._seen[asked] += 1
        if len(values) > 1 and not second and self._expected[asked] + seconds != len(values):
            return self._any_of(field, values)
        return self._shown(field, values[min(max(at, 0), len(values) - 1)] if values else None)

    def _any_of(self, _field: str, values: list[object]) -> object:
        return _Shown(_cut(" | ".join(_short(value, redact=self._redact) for value in values[:_LONGEST])))

    def _shown(self, _field: str, value: object) -> object:
        return _short(value, redact=self._redact)

    def at(self, field: str) -> list[object]:
        """Return every value at a path; `@clock` and the like come from the Environment."""
        if field[:1] == "@":
            return [self.caller.get(field[1:])]
        return super().at(field)


class _JsonValues(_Values):
    """Formats values as in the JSON form of messages, or as redacted text."""

    _form: JsonObject | None = None

    def _any_of(self, field: str, values: list[object]) -> object:
        """Return all candidates: one list for all entries of a field, since equal keys may be many."""
        if field not in self._candidates:
            self._candidates[field] = [self._plain(value) for value in values]
        return self._candidates[field]

    def _shown(self, field: str, value: object) -> object:
        if field[:1] == "@" or "[" in field or self._redact:
            return self._plain(value)
        if self._form is None:
            self._form = message_to_json(self.message)
        at: object = self._form
        for name in field.split("."):
            at = at.get(name) if isinstance(at, dict) else None
        return at

    def _plain(self, value: object) -> object:
        if self._redact:
            return _short(value, redact=True)
        form = self.plain_json(value)
        return _short(value, redact=False) if form is None and value is not None else form


class _Shown(str):
    """A value as text; `bare` is the text without the value's type, for narrow columns."""

    __slots__ = ("bare",)
    bare: str

    def __new__(cls, text: str, bare: str | None = None) -> Self:
        made = super().__new__(cls, text)
        made.bare = text if bare is None else bare
        return made


def _columns(rows: Iterable[_Row], width: int | None = None, styled: Styled | None = None) -> Iterator[str]:
    """Align the columns of rows; the text of a row without a target may be longer than its column.

    In a `width`, lines of tables go first, then the ids of rows where paths would be cut beside them. Values are cut before
    paths, and longer texts continue on the next line.
    """
    joined = _joined(rows)
    listed = [tuple(map(_cell, (_cut(row[0]), *row[1:]))) for _, row in joined]
    full = [row for row in listed if len(row) > 3]
    widths = [max((columns(row[at]) for row in (listed if at < 2 else full)), default=0) for at in range(6)]
    widths[1] = max(widths[1], 10)
    if width is not None:
        listed = _fitted(listed, widths, width)
    for (outcome, _), row in zip(joined, listed, strict=True):
        field, value = map(_aligned, row[:2], widths)
        if len(row) > 3:
            told = "  ".join(map(_aligned, row[2:], widths[2:])).rstrip()
            parts = [(told[: len(_ARROW)], told[len(_ARROW) :])]
        else:
            parts = [(line, "") for line in _wrapped(row[2], 6 + columns(field + value), width)]
        shown = [(part if styled is None else styled(outcome, part)) + rest for part, rest in parts]
        yield f"\n{' ' * (6 + columns(field + value))}".join([f"  {field}  {value}  {shown[0]}", *shown[1:]])


def _joined(rows: Iterable[_Row]) -> list[_Row]:
    """Return rows; those that differ in their rule alone are one, such as an entry that a last rule puts again, in order."""
    found: list[tuple[str, tuple[str, ...], list[str]]] = []
    same: dict[tuple[str, ...], list[list[str]]] = {}
    for outcome, (*begin, by) in rows:
        alike = same.setdefault(tuple(begin[:4]), []) if len(begin) > 3 else []
        rules = next((rules for rules in alike if by not in rules), None)
        if rules is None:
            found.append((outcome, tuple(begin), [by]))
            alike.append(found[-1][2])
        else:
            rules.append(by)
    return [(outcome, (*begin, ", ".join(rules))) for outcome, begin, rules in found]


def _cell(text: str) -> str:
    """Return the text of a cell without control characters."""
    return _Shown(printable(text), printable(text.bare)) if isinstance(text, _Shown) else printable(text)


_PATHS, _VALUES, _OUTCOME = 8, 10, 30
"""The least columns of a path, of a value, and of an outcome beside its field."""
_NARROW = 8
"""The least columns of a value where even the least paths leave no more."""


def _fitted(listed: list[tuple[str, ...]], widths: list[int], width: int) -> list[tuple[str, ...]]:
    """Return the rows that fit a width, and narrow their columns."""
    if _line(widths) > width:
        listed = [(*row[:4], *row[5:]) if len(row) > 3 else row for row in listed]
        del widths[4]
    if _line([widths[0], _VALUES, widths[2], _VALUES, widths[4]]) > width:
        listed = [row[:4] for row in listed]
        del widths[4]
    outcome = _OUTCOME if any(len(row) == 3 for row in listed) else 0
    for places, least in (((1, 3), _VALUES), ((0, 2), _PATHS), ((1, 3), _NARROW)):
        while _line(widths) > width or _line([*widths[:2], outcome]) > width:
            at = max((at for at in places if at < 2 or _line(widths) > width), key=widths.__getitem__)
            if widths[at] <= least:
                break
            widths[at] -= 1
    return listed


def _folded(text: str, width: int | None) -> list[str]:
    """Return a line of words as lines of a width."""
    return [text] if width is None or len(text) <= width else wrap(text, max(width, _PATHS))


def _line(widths: list[int]) -> int:
    """Return the width of a line with these columns."""
    return sum(2 + one for one in widths)


def _aligned(cell: str, width: int) -> str:
    """Return a cell as wide as its column: paths keep both ends; values the beginning, and texts and numbers not their type."""
    text = cell.bare if isinstance(cell, _Shown) and columns(cell) > width else str(cell)
    text = cut(text, width, ends=not isinstance(cell, _Shown))
    return text + " " * (width - columns(text))


def _wrapped(text: str, at: int, width: int | None) -> list[str]:
    """Return the lines of a last cell that begins in a column, and continues below itself."""
    if width is None or at + columns(text) <= width:
        return [text.rstrip()]
    return wrap(text, max(width - at, _PATHS), break_on_hyphens=False)


def _cut(text: str) -> str:
    """Cut paths and values to the width of a column, so that one long key does not widen every line."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _short(value: object, *, redact: bool) -> _Shown:
    """Return a value with its type, at most as wide as a column; of bytes that are no text only the number."""
    if isinstance(value, TypedValue):
        return _typed(value.type, value.value, redact=redact)
    if isinstance(value, AmqpValue):
        return _typed(BODY_TYPES[AmqpValue], value.value, redact=redact)
    if isinstance(value, Data) and len(value.sections) == 1 and _text(value.sections[0], redact=redact):
        return _typed(BODY_TYPES[Data], value.sections[0], redact=redact)
    return _Shown(_cut(_plain(value, redact=redact)))


def _typed(type_: str, value: object, *, redact: bool) -> _Shown:
    """Return a value behind its type, which texts and numbers do without in a narrow column."""
    shown = _short(value, redact=redact)
    plain = isinstance(value, TypedValue | bool | int | float | str) or (
        isinstance(value, bytes) and _text(value, redact=redact)
    )
    return _Shown(_cut(f"{type_} {shown}".rstrip()), shown.bare if plain else None)


def _plain(value: Any, *, redact: bool) -> str:
    """Return a value that has no type of its own."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return _text(value, redact=redact) or _counted(len(value), "byte")
    if isinstance(value, Data | AmqpSequence):
        sections = "" if len(value.sections) == 1 else f", {len(value.sections)} sections"
        unit = "byte" if isinstance(value, Data) else "value"
        return f"{BODY_TYPES[type(value)]}{sections}, {_counted(sum(map(len, value.sections)), unit)}"
    if redact:
        return f"({len(value)} characters)" if isinstance(value, str) else "(redacted)"
    return repr(value) if isinstance(value, bool | int | float | str) else _compound(value)


_SHOWN = 40
"""Characters of a text in bytes that are shown."""


def _text(raw: bytes, *, redact: bool) -> str:
    """Return the beginning of a text in bytes; an empty text for other bytes."""
    text = None if redact else text_or_none(raw)
    if not text or not text.isprintable():
        return ""
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}…"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _compound(value: Any) -> str:
    """Return a value with other values inside: `[int 1, int 2]`, `{'k': int 1}` for entries, pairs and records."""
    if isinstance(value, Array):
        return f"of {value.of} {_compound(value.values)}"
    if isinstance(value, Described):
        return f"{_short(value.descriptor, redact=False)} {_short(value.value, redact=False)}"
    if isinstance(value, Decimal091):
        return f"{value.value}e-{value.scale}"
    if not isinstance(value, list):  # a record, such as Pulsar's EncryptionKey
        value = [(name, inner) for name in names(value) if (inner := getattr(value, name)) is not None]
    parts = [_pair(part) if isinstance(part, Entry | tuple) else _short(part, redact=False) for part in value[:_LONGEST]]
    text = ", ".join(parts)
    return f"{{{text}}}" if value and isinstance(value[0], Entry | tuple) else f"[{text}]"


def _pair(pair: Entry | tuple[Any, Any]) -> str:
    key, value = (pair.key, TypedValue(pair.type, pair.value)) if isinstance(pair, Entry) else pair
    return f"{_short(key, redact=False)}: {_short(value, redact=False)}"
