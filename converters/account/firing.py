"""Small messages that fire the rows of a table, to show a row at work."""

from collections.abc import Iterable

from mqconvert.converters.account.fidelity import CALLER, trials_of
from mqconvert.converters.engine.report import Accounted, Applied, Dropped, Lost, Report
from mqconvert.converters.errors import ConversionError
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.overlays import DOCUMENTED, Rules
from mqconvert.converters.routes import converter


def firing(source: str, target: str, *, profile: str = DOCUMENTED, rules: Rules | Iterable[Rules] = ()) -> JsonObject:
    """Return messages of one field that fire rows of the first table between two protocols, by the rows' ids.

    Rows that need several fields, or a value of the caller, are missing. Raises NoRouteError for an unknown
    protocol or profile, RuleTableError for invalid overlays.

    >>> firing("mqtt-5.0", "amqp-1.0")["retain"].retain
    1
    """
    ready = converter(source, target, profile=profile, rules=rules)
    found: dict[str, object] = {}
    for _, _, _, message in trials_of(ready):
        try:
            fired = _rows(ready.convert(message, CALLER).report)
        except ConversionError as error:
            fired = [error.rule]
        for row in fired:
            if row is not None:
                found.setdefault(row, message)
    return found


def _rows(report: Report) -> list[str | None]:
    """Return the ids of the rows of the first table that a report names, in its order."""
    entries: tuple[Applied | Dropped | Lost | Accounted, ...]
    entries = (*report.applied, *report.dropped, *report.lost, *report.accounted)
    rows = [entry.rule for entry in entries if entry.leg == 1]
    return rows + [entry.type_rule for entry in report.applied if entry.leg == 1]
