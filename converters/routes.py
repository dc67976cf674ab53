"""The routes of tables between protocols, and their converters."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING

from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.report import LossPolicy
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.environment import Environment, bad_option, one_of
from mqconvert.converters.errors import (
    ArgumentError,
    ConversionError,
    EncodeError,
    LossError,
    NoRouteError,
)
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.overlays import (
    DOCUMENTED,
    RULES,
    Pair,
    Rules,
    Tables,
    TableSet,
    listed,
    tables_in_force,
)
from mqconvert.converters.protocols import PROTOCOLS, M_co, full_name, protocol_named, protocol_of
from mqconvert.converters.protocols.calls import encode
from mqconvert.converters.running import Conversion, Runner

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message


@dataclass(frozen=True, slots=True)
class Route:
    """The tables from `source` to `target`, in order; empty for the same protocol.

    >>> print(next(route for route in routes() if route.source == "mqtt-3.1.1"))
    mqtt-3.1.1 -> amqp-1.0: mqtt-3.1.1 -> mqtt-5.0, mqtt-5.0 -> amqp-1.0
    """

    source: str
    target: str
    legs: tuple[RuleTable, ...]

    @property
    def tables(self) -> list[str]:
        return [table.name for table in self.legs]

    @property
    def options(self) -> list[str]:
        """The values of an Environment that may change a conversion: those that rows read, and `frame` for several frames.

        >>> next(route for route in routes() if (route.source, route.target) == ("amqp-0.9.1", "nsq")).options
        ['address', 'payload', 'escape', 'frame', 'clock', 'max_req_timeout_ms']
        """
        read = {name for table in self.legs for rule in table.all_rules for name in (rule.source, *rule.reads)}
        several = len(PROTOCOLS[self.target].frames) > 1
        names = [one.name for one in fields(Environment)]
        return [name for name in names if f"@{name}" in read or (name == "frame" and several)]

    def as_dict(self) -> JsonObject:
        return {"from": self.source, "to": self.target, "tables": self.tables, "options": self.options}

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}: {', '.join(self.tables) or 'the same protocol'}"

    def __repr__(self) -> str:
        return f"<Route {self}>"


class RouteConverter(Runner[M_co]):
    """The compiled route between two protocols: `converter()` returns it, and `convert` calls it.

    Its pickle contains only names; each process compiles it again.
    """

    __slots__ = ("_names", "legs", "route")

    def __init__(self, route: Route, names: tuple[object, ...], tables: TableSet) -> None:
        self.route = route
        self.legs = tuple(map(tables.leg, route.legs))
        onward = [*(leg.addressed for leg in self.legs[:-1]), None]
        super().__init__([(leg.table, leg.function, way) for leg, way in zip(self.legs, onward, strict=False)])
        self._names = names

    def __reduce__(self) -> tuple[object, ...]:
        return (_converter, self._names)

    def __repr__(self) -> str:
        return f"<RouteConverter {self.route}>"

    def _check(self, message: Message) -> None:
        check_protocol(message, self.route.source)

    def _fault(self, message: Message, error: Exception) -> Exception:
        """Return the error for a message of another protocol, or for an invalid value, which the encoder finds.

        Otherwise an envelope could not be written, or a row's word failed on a value that the table's trials did not cover.
        """
        check_protocol(message, self.route.source)
        try:
            encode(message)
        except EncodeError as fault:
            return _invalid(fault)
        if isinstance(error, EncodeError):
            return _invalid(error)
        from mqconvert.converters.engine.compiler import row_of  # noqa: PLC0415 - see Leg

        for leg in self.legs:
            found = row_of(error, leg.table, leg.printed, leg.module)
            if found is not None:
                rule, _ = found
                words = f"{rule.where}: row {rule.id} failed on a value of this message ({type(error).__name__})"
                return ConversionError(words, code="row_failed", field=rule.source, rule=rule.id)
        return error

    def _apply_policy(self, on_loss: str, conversion: Conversion, noted: list[tuple[RuleTable, Notes]]) -> None:
        if on_loss not in tuple(LossPolicy):
            raise bad_option("on_loss", one_of(LossPolicy, on_loss))
        if on_loss == "ignore":
            for _, notes in noted:
                notes.settle()  # some drops depend on losses
                notes.lost.clear()
        elif on_loss == "strict" and not conversion.report.complete():
            raise LossError(conversion.report.lost, conversion, conversion.report.dropped)
        elif any(notes.lost for _, notes in noted):
            raise LossError(conversion.report.lost, conversion)


def _invalid(fault: EncodeError) -> ConversionError:
    """Return the error for a source that is invalid. The options of its encoder are no remedy."""
    return ConversionError(f"not a valid message: {fault.placed()}", code="bad_message", field=fault.field, names_field=True)


def check_protocol(message: Message, source: str) -> None:
    given = protocol_of(message).name
    if given != full_name(source):
        raise NoRouteError(f"a message of {given}, not of {source}", code="unknown_protocol")


def route(source: str, target: str, tables: Tables) -> Route:
    """Return the shortest path over the tables, so that a direct table always wins."""
    protocol_named(source), protocol_named(target)
    ways: list[tuple[Pair, ...]] = [()]
    seen = {source}
    while ways:
        longer: list[tuple[Pair, ...]] = []
        for way in ways:
            at = way[-1][1] if way else source
            if at == target:
                return Route(source, target, tuple(map(tables.__getitem__, way)))
            for start, end in tables:
                if start == at and end not in seen:
                    seen.add(end)
                    longer.append((*way, (start, end)))
        ways = longer
    raise NoRouteError(f"no tables from {source} to {target}")


@lru_cache(maxsize=256)
def _converter(source: str, target: str, profile: str, rules: tuple[Rules, ...]) -> RouteConverter:
    source, target = protocol_named(source).name, protocol_named(target).name  # a plugin's protocol brings its tables
    tables = tables_in_force(profile, rules)
    return RouteConverter(route(source, target, tables), (source, target, profile, rules), tables)


def converter(
    source: str, to: str, *, profile: str = DOCUMENTED, rules: Rules | Iterable[Rules] = ()
) -> RouteConverter[Message]:
    """Return the cached converter from one protocol to another, for loops that convert many messages.

    Raises NoRouteError for an unknown protocol or profile, RuleTableError for overlays with a mistake.

    >>> converter("mqtt-5.0", "amqp-1.0").route.tables
    ['mqtt-5.0 -> amqp-1.0']
    """
    try:
        return _converter(source, to, profile, listed(rules))
    except (AttributeError, NoRouteError, TypeError):
        _check_types(profile, rules, source=source, to=to)
        raise


def _check_types(profile: object, rules: Rules | Iterable[Rules], **protocols: object) -> None:
    """Raise ArgumentError for the first argument of the wrong type."""
    for name, given in protocols.items():
        if not isinstance(given, str):
            raise ArgumentError(name, "the name of a protocol", type(given))
    if not isinstance(profile, str):
        raise ArgumentError("profile", "the name of a profile", type(profile))
    for one in listed(rules):
        if not isinstance(one, RULES):
            raise ArgumentError("rules", "names or paths of overlays", type(one))


def routes() -> list[Route]:
    """Return every connected pair of protocols, in both orders, with the tables between them.

    >>> [route.target for route in routes() if route.source == "amqp-1.0" and len(route.legs) == 1][:2]
    ['amqp-0.9.1', 'mqtt-5.0']
    """
    names = list(PROTOCOLS)
    tables = tables_in_force()
    found = []
    for source, target in permutations(names, 2):
        with suppress(NoRouteError):
            found.append(route(source, target, tables))
    return found


def sources_of(target: str) -> list[str]:
    """Return every protocol that converts to `target`, including itself; NoRouteError for an unknown one.

    >>> "amqp-0.9.1" in sources_of("amqp-1.0")
    True
    """
    target = protocol_named(target).name
    return [target, *(way.source for way in routes() if way.target == target)]


def rule_tables(profile: str = DOCUMENTED, rules: Rules | Iterable[Rules] = ()) -> list[RuleTable]:
    """Return every table in force under a profile and overlays. Raises NoRouteError for an unknown profile, RuleTableError.

    >>> "amqp-1.0 -> mqtt-5.0" in [table.name for table in rule_tables("rabbitmq-4.3")]
    True
    """
    PROTOCOLS.complete()
    try:
        return list(tables_in_force(profile, listed(rules)).values())
    except (AttributeError, NoRouteError, TypeError):
        _check_types(profile, rules)
        raise


def generated_source(source: str, target: str, *, profile: str = DOCUMENTED, rules: Rules | Iterable[Rules] = ()) -> str:
    """Return the Python text of each leg's function. Raises NoRouteError and RuleTableError.

    >>> "def mqtt_5_0_to_amqp_1_0(source" in generated_source("mqtt-5.0", "amqp-1.0")
    True
    """
    return "\n\n".join(leg.printed.text for leg in converter(source, target, profile=profile, rules=rules).legs)
