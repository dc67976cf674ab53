"""Write the generated pages of docs: tables, forecast, errors, options; and what the pages of the service know beforehand.

With --check, compare them with the committed ones.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from docs.generated import anchor, write_or_check
from docs.pictures import heat_map
from docs.reference import api_page, command_line_page
from mqconvert import CODES, PROTOCOLS, Forecast, Route, Rule, RuleTable, fidelity, mappings, routes, rule_tables
from mqconvert.app.batch.options import OPTIONS as JOB
from mqconvert.app.codes import DOOR_CODES
from mqconvert.app.http.problems import STATUS
from mqconvert.app.rows import PROSE, cells, columns_of
from mqconvert.converters.account.forecast import worded
from mqconvert.converters.choices import OPTIONS
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.environment import PAYLOADS, Option, Payload
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.protocols.options import FUNCTIONS, options_known
from mqconvert.converters.words import Words

FOLDER, WEB = Path("docs"), Path("app/web")


def pages() -> dict[str, str]:
    """Return every page by its file name, for our own protocols only."""
    with PROTOCOLS.ours_alone():
        made = {"errors.md": errors_page(), "options.md": options_page()}
        made |= {"api.md": api_page(), "command-line.md": command_line_page()}
        return made | fidelity_pages() | table_pages()


def table_pages() -> dict[str, str]:
    """Return the page of each table."""
    return {f"tables/{table.stem}.md": page(table) for table in rule_tables()}


def page(table: RuleTable) -> str:
    """Return one table as a page: rows in the order of their application, with every column as in the file."""
    title = f"# {PROTOCOLS[table.source].title} to {PROTOCOLS[table.target].title}"
    words = "[mappings/README.md](../../mappings/README.md) explains the columns; `(dropped)` marks a field dropped on purpose."
    words += " The [workbench](../service.md#the-workbench) searches these rows."
    cites = "".join(f"* {_linked(cite)}\n" for cite in table.cites)
    parts = [f"{title}\n\nWritten from `mappings/{table.file}` by `make generate`. {words} Sources:\n\n{cites}"]
    for heading, rules in (
        ("First", table.start),
        ("Fields", table.rules),
        ("Types of values in maps and lists", table.types),
        ("Last", table.finish),
    ):
        if rules:
            rows = [_cells(rule) for rule in rules]
            columns = columns_of(rows)
            parts.append(f"## {heading}\n\n{_table(columns, (tuple(row.get(name, '') for name in columns) for row in rows))}")
    return "\n".join(parts)


def _cells(rule: Rule) -> dict[str, str]:
    """Return the columns of a row for a page."""
    made = {name: text if name in PROSE or text == "(dropped)" else _code(text) for name, text in cells(rule).items()}
    return made | ({"cite": _linked(made["cite"])} if "cite" in made else {})


def _linked(cite: str) -> str:
    """Return a citation with a link for each section of our own pages in it.

    >>> _linked("AMQP 1.0 part 3; decisions A4, G5")
    'AMQP 1.0 part 3; decisions [A4](../decisions.md#a4), [G5](../decisions.md#g5-frames)'
    """
    return re.sub(rf"({'|'.join(_OURS)}) [^;]+", _links, cite)


def _links(found: re.Match[str]) -> str:
    page, anchors = found[1], _anchors(found[1])
    return re.sub(r"[A-G]?\d+(?:\.\d+)?(?= to|,|$| )", lambda one: f"[{one[0]}](../{page}.md#{anchors[one[0]]})", found[0])


_OURS = {"decisions": r"^(\S+)", "differences": r"\(([A-F]\d+(?:, [A-F]\d+)*)\)"}
"""Our pages that rows cite, and the position of section numbers: first in the heading, or in brackets."""


@cache
def _anchors(page: str) -> dict[str, str]:
    """Return the anchors of one of our pages by the numbers of its sections."""
    found: dict[str, str] = {}
    for section in re.split(r"^##+ ", (FOLDER / f"{page}.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        place = anchor(section.partition("\n")[0])
        for numbers in re.findall(_OURS[page], section):
            for number in numbers.split(", "):
                found.setdefault(number, place)
    return found


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |\n"


BAR = "\\|"
"""An escaped bar for cells."""


_FIDELITY = """# What survives a conversion, what is lost, and what comes back

This forecast helps you to plan a move from one protocol to another. `make generate` writes it: small messages with one field
each go through the tables that convert yours, under the profile `documented`. For another profile, or your own rules, run
`mqconvert fidelity --from P --to P --back [--profile ...] [--rules ...] [--payload envelope]`. `--format json` also names the
row that converts each type. The [workbench](service.md#the-workbench) shows the same as a matrix, for every profile.

* **survives**: the same number, bytes or text arrive, in a type of the same range
* **changes**: the value arrives in another type, unit or text, in part, or in another field; `why` names the difference
* **dropped**: a row drops the value on purpose, or another row took its place; `why` has the reason
* **lost**: no row takes the value, or the target cannot hold it
* **refused**: a row refuses the whole message, which does not arrive
* **elsewhere** (`accounted` in JSON): the sender's or receiver's side uses the value, or a message without it means the same

The column *there* shows the outcome in the other protocol. *And back* compares the same field with the original after the way
back: it **survives** if value and type are the same. Types have their specification's names; `string as longstr` names the
source's and the target's type. `[*]` is an entry of a map under any key that no other line names; `[x-*]` is one whose key
begins with `x-`. Names that a protocol reserves may fare differently: see its table. `ordinary` is any value of a type except
those that other lines name. `rows` are ids in `docs/tables`.
"""

_SHORT_WORDS = """The share of fields that survive, from the row to the column:

![Share of the fields of each protocol that survive in each other](images/fidelity-there.svg)

And that are the same after the way back:

![Share of the fields of each protocol that survive in each other and on the way back](images/fidelity-there-and-back.svg)

## In short

The table counts the fields of a message by outcome, for an ordinary value of each type: text, or a number where the rows take
numbers (`expiration`). A map is one field. A field whose types fare differently counts under *depend on the type*.

"""
_SHORT = (
    "from", "to", "fields", "survive", "change", "depend on the type", "dropped or elsewhere", "lost", "refused",
    "come back whole",
)  # fmt: skip
_ENVELOPE_WORDS = """
## Payload body and envelope

By default the payload of NSQ, PHPMQ, RocketMQ and Pulsar is the body of the message; the other fields go where the tables say.
With `--payload envelope` it is the whole message in the encoding of AMQP 1.0 ([decisions](decisions.md#g3-envelope)). It comes
back equal, except lists and maps among application properties, which AMQP 1.0 forbids. The way back needs the same option. From
AMQP 0.9.1 and MQTT, the envelope holds the message that their tables to AMQP 1.0 make. The table counts the fields that come
back whole:

"""
_ENVELOPE = ("from", "to", "fields", "come back whole: body", "envelope")
_OUTCOMES = ("field", "values", "there", "becomes", "and back", "why", "rows")


def fidelity_pages() -> dict[str, str]:
    """Return the forecast of every pair, there and back: a summary, and a page of fields for each source."""
    forecasts = [_forecasts(route.source, route.target) for route in routes()]
    short = f"{_SHORT_WORDS}{_table(_SHORT, map(_counts, forecasts))}"
    made = {"fidelity.md": f"{_FIDELITY}\n{short}{_ENVELOPE_WORDS}{_table(_ENVELOPE, map(_returning, forecasts_to_brokers()))}"}
    for source in dict.fromkeys(forecast.source for forecast in forecasts):
        words = "[the words](../fidelity.md). The [workbench](../service.md#the-workbench) converts such messages."
        head = f"# What survives of {PROTOCOLS[source].title}\n\nWritten by `make generate`; {words}\n"
        made[f"fidelity/{source}.md"] = head + "".join(
            _forecast(forecast) for forecast in forecasts if forecast.source == source
        )
    return made


def forecasts_to_brokers() -> list[Forecast]:
    """Return the forecasts from protocols without an envelope to those with one, whose tables write it last."""
    enveloping = {table.target for table in rule_tables() if any("@payload" in rule.reads for rule in table.finish)}
    ways = [(route.source, route.target) for route in routes()]
    return [_forecasts(source, target) for source, target in ways if target in enveloping and source not in enveloping]


def _returning(forecast: Forecast) -> tuple[str, ...]:
    both = (forecast, _forecasts(forecast.source, forecast.target, "envelope"))
    whole = [str(sum(whole == {"survives"} for _, whole in one.fields().values())) for one in both]
    return PROTOCOLS[forecast.source].title, PROTOCOLS[forecast.target].title, str(len(forecast.fields())), *whole


def forecast_file() -> str:
    """Return `forecast.json`: for each way, the hashes of its tables, and the outcomes of ordinary values.

    An outcome is `[field, there, there and back, to]`; a fifth member marks a special value, which goes elsewhere than
    ordinary ones. The page Fidelity shows it at once for the profile `documented`; if a table in force has another hash, it
    asks the service. One line per way, and one more where an envelope as payload changes an outcome.
    """
    with PROTOCOLS.ours_alone():
        hashes = {table.name: table.hash for table in rule_tables()}
        ways = [json.dumps(way, separators=(",", ":")) for route in routes() for way in _ways(route, hashes)]
    return "[\n" + ",\n".join(ways) + "\n]\n"


def _ways(route: Route, hashes: dict[str, str]) -> list[JsonObject]:
    tables = [hashes[name] for name in route.as_dict()["tables"]]
    way = {"from": route.source, "to": route.target, "hashes": tables}
    body, envelope = (_outcomes(_forecasts(route.source, route.target, payload)) for payload in PAYLOADS)
    return [way | {"outcomes": body}, *([] if envelope == body else [way | {"payload": "envelope", "outcomes": envelope}])]


def _outcomes(forecast: Forecast) -> list[list[Any]]:
    told = dict.fromkeys((one.field, one.there, one.outcome, one.to) for one in forecast.ordinary())
    ends = {(field, to) for field, _, _, to in told}
    fields = {field for field, _ in ends}
    rest = {(one.field, one.to): one for one in forecast.outcomes if one.to and one.field in fields}
    special = [[one.field, one.there, one.outcome, one.to, 1] for end, one in rest.items() if end not in ends]
    return [*map(list, told), *special]


def words_file() -> str:
    """Return `words.json`: conditions and transforms with their meaning; of those with literals, how they are written.

    The page Convert completes them in rows.
    """
    with PROTOCOLS.ours_alone():
        made = {"when": dict(_meanings(CONDITIONS)), "via": dict(_meanings(TRANSFORMS))}
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _meanings(words: Words[Any]) -> Iterable[tuple[str, str]]:
    for name, word in sorted(dict.items(words)):
        yield name, (word.function.__doc__ or "").strip().partition("\n")[0].removesuffix(".")
    first_cells = re.findall(r"^\| (`.*?[^\\]) \|", mappings.read("README.md"), re.MULTILINE)
    forms = [form for cell in first_cells for form in re.findall("`([^`]+)`", cell)]
    written = {form.partition(" ")[0]: form for form in reversed(forms)}
    yield from ((name, written[name]) for name in sorted(words.makers))


@cache
def _forecasts(source: str, target: str, payload: Payload = "body") -> Forecast:
    return fidelity(source, target, back=True, payload=payload)


def pictures() -> dict[str, str]:
    """Return the heat maps of the page Fidelity: which fields survive between each pair, there, and there and back."""
    made = {}
    with PROTOCOLS.ours_alone():
        titles = [protocol.title for protocol in PROTOCOLS.values()]
        for side, words in enumerate(("there", "there and back")):
            counts = {
                (PROTOCOLS[way.source].title, PROTOCOLS[way.target].title): _alike(_forecasts(way.source, way.target), side)
                for way in routes()
            }
            name = f"fidelity-{words.replace(' ', '-')}.svg"
            made[name] = heat_map(titles, counts, f"Fields of each protocol that survive in each other, {words}")
    return made


def _alike(forecast: Forecast, side: int = 0) -> Counter[str]:
    """Return the number of fields by outcome, there (0) or there and back (1); `depends` if the types of a field differ."""
    found = (both[side] for both in forecast.fields().values())
    return Counter(min(words) if len(words) == 1 else "depends" for words in found)


def _counts(forecast: Forecast) -> tuple[str, ...]:
    fields = forecast.fields().values()
    alike = _alike(forecast)
    counts = (
        len(fields),
        alike["survives"],
        alike["changes"],
        alike["depends"],
        alike["dropped"] + alike["accounted"],
        alike["lost"],
        alike["refused"],
        sum(whole == {"survives"} for _, whole in fields),
    )
    titles = f"[{PROTOCOLS[forecast.source].title}](fidelity/{forecast.source}.md)", PROTOCOLS[forecast.target].title
    return *titles, *map(str, counts)


def _forecast(forecast: Forecast) -> str:
    title = f"\n## {PROTOCOLS[forecast.source].title} to {PROTOCOLS[forecast.target].title}, and back\n\n"
    rows = (
        (
            _code(line.field),
            line.values,
            worded(line.there),
            _code(line.to),
            worded(line.outcome) if line.comes_back else "",
            line.reason(),
            _code(line.rules),
        )
        for line in forecast.lines()
    )
    return title + _table(_OUTCOMES, rows)


_ERRORS = """# Errors

Written from `converters/errors.py`, `app/codes.py` and `app/http/problems.py` by `make generate`.

Every error of mqconvert is an `MqConvertError` with a `code`, a message for people, and, where known, the `field` (a path
such as `section.field["key"]`), the `rule` (the id of a row), the `offset` (of a byte) and the `remedy` (an `option` that
avoids it, with its `value` where only one does). A `hint` is a guess about the input. An invalid rule table has its `file`, the
`line`, and the `problem` without them. The library raises an error;
the command line prints it on standard error, or writes it as `{"error": {...}}` in the place of a line; the service answers
with problem details (RFC 9457) of the same members. From the first release on codes are stable; new ones may be added, and
messages may change.
"""


def errors_page() -> str:
    """Return the page of errors: every code with its meaning, and the HTTP status of each class."""
    statuses = ((f"`{kind.__name__}`", (kind.__doc__ or "").partition("\n")[0], str(status)) for kind, status in STATUS.items())
    codes = sorted((CODES | DOOR_CODES).items())
    return (
        f"{_ERRORS}\n## Classes\n\n{_table(('class', 'meaning', 'HTTP status'), statuses)}"
        f"\n## Codes\n\n{_table(('code', 'meaning'), ((f'`{code}`', words) for code, words in codes))}"
    )


_OPTIONS_WORDS = """# Options

Written from their declarations by `make generate`. An option has the same name, default and bounds everywhere: `mqtt_exchange`
is `--mqtt-exchange` on the command line, a member of a request or a parameter of its query over HTTP, and a keyword argument in
Python.

## Of a conversion

`convert`, `explain`, `batch` and `move` take all of them, as do `/v1/convert`, `/v1/explain` and `/v1/convert/batch`. In
Python, `profile`, `rules` and `on_loss` are arguments of `convert`; the others make an `Environment`, whose clock has no
default. A conversion to the same protocol changes nothing and ignores them; `encode --address` sets a missing address.
"""
_CODECS = """
## Of protocols

NAME=VALUE behind `--option`, members of `options` in a request, `options=NAME=VALUE` in the query of a batch,
`MQCONVERT_OPTIONS` for a service, keyword arguments in Python, `options` of the functions for Spark. A request may lower a
limit (`max_...`) and not raise it, except `max_req_timeout_ms`, which is a setting of nsqd.

"""
_JOB = """
## Of a batch job

`mqconvert batch` takes them besides those of a conversion; those of `mqconvert.app.batch.run` have the same names.
[spark.md](spark.md) shows them at work.

"""


def options_page() -> str:
    """Return the page of options: every declared option with its default and its values."""
    return f"{_OPTIONS_WORDS}\n{_options(OPTIONS)}{_CODECS}{_codec_options()}{_JOB}{_options(JOB[len(OPTIONS) :])}"


def _options(options: Iterable[Option]) -> str:
    columns = ("option", "default", "values", "sets")
    return _table(columns, ((_code(one.name), _default(one), _values(one), one.words) for one in options))


def _default(one: Option) -> str:
    if one.default in (None, (), ""):
        return one.unset or "none"
    return _code(json.dumps(one.default) if isinstance(one.default, bool) else str(one.default))


def _values(one: Option) -> str:
    known = one.known()
    if known is not None:
        return ", ".join(map(_code, known))
    if one.kind in (int, float):
        return f"{one.least} to {one.most}" if one.most is not None else f"from {one.least}"
    return {bool: "`true`, `false`", tuple: "several"}.get(one.kind, "text")


def _codec_options() -> str:
    found: dict[tuple[str, str, str], list[str]] = {}
    for protocol in PROTOCOLS:
        for function in FUNCTIONS:
            for name, one in options_known(protocol, function).items():
                values = ", ".join(map(_code, PROTOCOLS[protocol].option_values.get(name, ())))
                kind = {int: "number", bool: "`true`, `false`"}.get(one.annotation, values)
                takers = found.setdefault((name, kind, "none" if one.default is None else _code(json.dumps(one.default))), [])
                if protocol not in takers:
                    takers.append(protocol)
    rows = ((_code(name), default, kind, ", ".join(takers)) for (name, kind, default), takers in sorted(found.items()))
    return _table(("option", "default", "values", "protocols"), rows)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return _row(columns) + _row(("---",) * len(columns)) + "".join(map(_row, rows))


if __name__ == "__main__":
    stale = write_or_check(FOLDER, "*/*.md", pages(), sys.argv[1:])
    stale |= write_or_check(FOLDER / "images", "*.svg", pictures(), sys.argv[1:])
    known = {"forecast.json": forecast_file(), "words.json": words_file()}
    sys.exit(write_or_check(WEB, "*.json", known, sys.argv[1:]) or stale)
