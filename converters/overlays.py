"""The tables in force: those of the protocols, changed by the overlays of a profile and of users."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache, reduce
from os import PathLike
from typing import TYPE_CHECKING, Any

from mqconvert import mappings
from mqconvert.converters.engine.files import TableFile, parse_file, row_lines
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import HUB, RuleTable
from mqconvert.converters.engine.tables import TABLE_HEADS, load_shared, load_tables, overlay
from mqconvert.converters.environment import Environment, addressed
from mqconvert.converters.errors import ArgumentError, NoRouteError, RuleTableError, did_you_mean
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.shipped import shipped_function

if TYPE_CHECKING:
    from mqconvert.converters.engine.compiler import Compiled
    from mqconvert.converters.printed.printer import Printed

DOCUMENTED = "documented"

Pair = tuple[str, str]
"""The source and the target of a table."""

Tables = Mapping[Pair, RuleTable]


class BaseTables(Tables):
    """The tables of packages (None: ours), each file read when one of its tables is first asked for."""

    def __init__(self, packages: Iterable[str | None]) -> None:
        self._files: dict[Pair, tuple[str, str | None]] = {}
        self._read: dict[Pair, RuleTable] = {}
        for package in packages:
            for name in mappings.table_names(package):
                for pair in self._pairs(name, package):
                    self._files.pop(pair, None)
                    self._files[pair] = name, package

    def _pairs(self, name: str, package: str | None) -> Iterable[Pair]:
        """Return the sources and targets of a file's tables: those in its head, unless it is written in another form."""
        head = mappings.heads(package)[name]
        if protocol := head.get("protocol"):
            return (protocol, HUB), (HUB, protocol)
        if "protocol" not in head and head.get("source") and head.get("target"):
            return ((head["source"], head["target"]),)
        return [(table.source, table.target) for table in _tables_of(name, package)]

    def __getitem__(self, pair: Pair) -> RuleTable:
        if pair not in self._read:
            self._read |= {(table.source, table.target): table for table in _tables_of(*self._files[pair])}
        return self._read[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


@cache
def _base_tables(protocols: tuple[Protocol, ...]) -> BaseTables:
    """Return the shipped tables and those of protocols from other packages."""
    return BaseTables([None, *dict.fromkeys(protocol.tables for protocol in protocols if protocol.tables is not None)])


def _tables_of(name: str, package: str | None) -> tuple[RuleTable, ...]:
    """Return the tables of a package's file; those of a protocol may include the rows that ours share."""
    shared = _shared(None) | _shared(package) if "protocol" in mappings.heads(package)[name] else {}
    return load_tables(mappings.read(name, package), name, shared)


@cache
def _shared(package: str | None) -> dict[str, TableFile]:
    """Return the rows that files of tables may include, by the name of their file."""
    return dict(load_shared(mappings.read(name, package), name) for name in mappings.shared_names(package))


class TableSet(Tables):
    """The tables in force: base tables with those that overlays changed; each is compiled when a route first uses it.

    `compiled` has functions that are there already: those of changed tables, from their trials.
    """

    def __init__(
        self, base: Tables, changed: Mapping[Pair, RuleTable] | None = None, compiled: Mapping[Pair, Compiled] | None = None
    ) -> None:
        self.base = base
        self.changed = changed or {}
        self._compiled = compiled or {}
        self._legs: dict[Pair, Leg] = {}

    def __getitem__(self, pair: Pair) -> RuleTable:
        return self.changed.get(pair) or self.base[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.base)

    def __len__(self) -> int:
        return len(self.base)

    def leg(self, table: RuleTable) -> Leg:
        pair = table.source, table.target
        if pair not in self._legs:
            self._legs[pair] = Leg(table, self._compiled.get(pair))
        return self._legs[pair]


class Leg:
    """One table of a route, compiled."""

    __slots__ = ("_printed", "address_place", "address_target", "function", "module", "table")

    def __init__(self, table: RuleTable, compiled: Compiled | None = None) -> None:
        self.table = table
        self.module: tuple[str, int] = "", 0
        """The file of a shipped function, and the number of lines before its text there."""
        self._printed: Printed | None = None
        shipped = shipped_function(table) if compiled is None else None
        if shipped is not None:
            self.function, self.module = shipped
        else:
            # The engine would take half of the time of a first conversion, and functions of shipped tables do without.
            from mqconvert.converters.engine.compiler import compile_table  # noqa: PLC0415 - see above

            self.function, self._printed = compiled or compile_table(table)
        self.address_place = table.address_place
        filled = (rule.target for rule in table.rules if rule.source == "@address" and rule.target and not rule.more)
        self.address_target = next(filled, None)
        """The field of the target that the caller's address fills."""

    @property
    def printed(self) -> Printed:
        """Return the text of the function; that of a shipped one is made on first access."""
        if self._printed is None:
            from mqconvert.converters.engine.compiler import printed_table  # noqa: PLC0415 - see __init__

            self._printed = printed_table(self.table)
        return self._printed

    def addressed(self, environment: Environment, message: object, made: object) -> Environment:
        """Return the Environment with the message's address. The next table of a route cannot read that field."""
        place = self.address_place
        address = self._around(environment, message, made) if place is None else getattr(message, place)
        return addressed(environment, address) if address else environment

    def _around(self, environment: Environment, message: object, made: object) -> str | None:
        """Return the address of the frame around an envelope, for messages without one (decisions.md G3)."""
        if environment.payload != "envelope" or self.address_target is None or _at(made, self.address_target) is not None:
            return None
        return _at(self.function(message, replace(environment, payload="body"), Notes()), self.address_target)


def _at(message: Any, path: str) -> str | None:
    """Return the text at a path such as `properties.to`; None where its section is missing."""
    found: str | None = reduce(lambda part, name: None if part is None else getattr(part, name), path.split("."), message)
    return found


@dataclass(frozen=True, slots=True)
class Overlay:
    """An overlay file as data: errors show `name`. It serves processes that cannot read the file, such as Spark's workers."""

    name: str
    text: str

    @property
    def rows(self) -> int:
        """Return the number of its rows, without reading them."""
        return len(row_lines(self.text))


Rules = str | PathLike[str] | Overlay
"""A value of `rules=`: the name of a shipped overlay, a file, or an overlay's text."""
RULES = (str, PathLike, Overlay)


def listed(rules: Rules | Iterable[Rules]) -> tuple[Rules, ...]:
    """Return overlays as a tuple. A single overlay becomes a tuple of one, so that a text is not read letter by letter.

    >>> listed("preserve"), listed(["preserve", "mine.toml"])
    (('preserve',), ('preserve', 'mine.toml'))
    """
    if type(rules) is tuple:
        return rules
    if isinstance(rules, RULES):
        return (rules,)
    if not isinstance(rules, Iterable):
        raise ArgumentError("rules", "names or paths of overlays", type(rules))
    return tuple(rules)


def read_overlay(rules: Rules) -> Rules:
    """Read a file into an Overlay; return names of shipped overlays, and Overlays, unchanged."""
    if isinstance(rules, Overlay) or rules in mappings.overlay_names():
        return rules
    from pathlib import Path  # noqa: PLC0415 - takes a twentieth of the time of a first conversion

    place = Path(rules)
    try:
        raw = place.read_bytes()
        # The last part of /dev/fd/63, a pipe, would name nothing.
        return Overlay(place.name if place.is_file() else f"the pipe {place}", raw.decode())
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise RuleTableError(f"cannot be read: {error}", file=str(rules), line=line) from None
    except (OSError, ValueError) as error:
        guess = did_you_mean(str(rules), mappings.overlay_names()) if isinstance(error, FileNotFoundError) else ""
        words = (error.strerror if isinstance(error, OSError) else None) or error
        raise RuleTableError(f"cannot be read: {words}{guess}", file=str(rules)) from None


def _overlay_files(rules: Rules) -> Iterable[TableFile]:
    """Return the files of an overlay, those it extends first."""
    read = read_overlay(rules)
    named = read if isinstance(read, Overlay) else Overlay(f"{read}.toml", mappings.read(f"{read}.toml"))
    parsed = parse_file(named.text, named.name)
    try:
        yield from _overlays(parsed.values.get("extends", DOCUMENTED))
    except NoRouteError as error:
        raise parsed.wrong(f"extends: not a profile: {error}", "extends") from None
    yield parsed


def _overlays(profile: str) -> Iterable[TableFile]:
    """Return the overlay files of a profile, those it extends first."""
    if profile == DOCUMENTED:
        return
    if profile not in mappings.overlay_names():
        known = (DOCUMENTED, *mappings.overlay_names())
        words = f"unknown profile {profile!r}{did_you_mean(profile, known)}; known: {', '.join(known)}"
        raise NoRouteError(words, code="unknown_profile")
    yield from _overlay_files(profile)


def tables_in_force(profile: str = DOCUMENTED, rules: tuple[Rules, ...] = ()) -> TableSet:
    """Return every table with the overlays of the profile and of the user, in that order.

    Tables of plugins are included once one of their protocols was looked up. Overlays of users may name any table.
    """
    if rules:
        PROTOCOLS.complete()
    return _tables(profile, rules, PROTOCOLS.others())


@lru_cache(maxsize=64)
def _tables(profile: str, rules: tuple[Rules, ...], protocols: tuple[Protocol, ...]) -> TableSet:
    """Return our tables with those that known protocols of other packages have."""
    applied: list[str] = []
    base = _base_tables(protocols)

    def changed_by(tables: TableSet, parsed: TableFile) -> TableSet:
        parsed.refuse_if(parsed.text in applied, "the same overlay, applied twice")
        applied.append(parsed.text)
        return TableSet(base, {**tables.changed, **overlay(tables, parsed)})

    tables = shipped = reduce(changed_by, _overlays(profile), TableSet(base))
    for at, name in enumerate(rules):
        tables = reduce(changed_by, _overlay_files(name), tables)
        if set(rules[: at + 1]) <= set(mappings.overlay_names()):
            shipped = tables
    changed = [pair for pair, table in tables.changed.items() if table is not shipped.changed.get(pair)]
    if not changed:
        return tables
    from mqconvert.converters.engine.trials import vouch_for  # noqa: PLC0415 - tests try the shipped tables

    return TableSet(base, tables.changed, {pair: vouch_for(tables[pair], shipped[pair]) for pair in changed})


def check_rules(file: str | PathLike[str], *, profile: str = DOCUMENTED) -> list[str]:
    """Load a file with an overlay or tables, try its rows, and return the names of the tables that it changes or has.

    An overlay is tried over the tables of `profile`. The protocol of a file with tables must be installed. Raises NoRouteError
    for an unknown profile, and RuleTableError with the file, the line, and the mistake.

    >>> check_rules("/no/such/file.toml")
    Traceback (most recent call last):
    mqconvert.converters.errors.RuleTableError: /no/such/file.toml: cannot be read: ...
    """
    PROTOCOLS.complete()
    read = read_overlay(file)
    if isinstance(read, Overlay) and not parse_file(read.text, read.name).values.keys().isdisjoint(TABLE_HEADS):
        return _checked_tables(read)
    before = tables_in_force(profile)
    tables = _tables.__wrapped__(profile, (read,), PROTOCOLS.others())  # bypass the cache: the file may be new, or a pipe
    return [tables[pair].name for pair in tables if pair in tables.changed and tables[pair].hash != before[pair].hash]


def _checked_tables(read: Overlay) -> list[str]:
    """Return the names of the tables in a file, which may include the shared rows of every package."""
    from mqconvert.converters.engine.trials import vouch_for  # noqa: PLC0415 - the engine, as in Leg

    packages = dict.fromkeys((None, *(protocol.tables for protocol in PROTOCOLS.others())))
    shared = {name: file for package in packages for name, file in _shared(package).items()}
    tables = load_tables(read.text, read.name, shared)
    for table in tables:
        vouch_for(table)
    return [table.name for table in tables]
