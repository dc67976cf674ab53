"""Write the pages with output of commands, text of files or rows: differences.md, cookbook.md, programs, transcripts ...

With `--check`, name the pages that differ from the committed ones.
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from docs.generated import anchor, write_or_check
from mqconvert import PROTOCOLS, Environment, RuleTable, convert, encode, message_from_json, message_to_json, rule_tables
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.mappings import sample_messages

DOCS = Path(__file__).parent
PAGE, NOW, LATER = "documented", "rabbitmq-4.0", "rabbitmq-4.3"

# ---- differences.md ------------------------------------------------------------------------------------------------------


def differences() -> str:
    """Return the page, from differences.toml."""
    entries = tomllib.loads((DOCS / "differences.toml").read_text())
    _check_cites(entries["differs"])
    parts = [entries["introduction"], "## Where RabbitMQ and its page differ\n"]
    parts += [_differing(entry) for entry in entries["differs"]]
    parts.append(
        "## Messages on which RabbitMQ fails\n\n"
        "Every profile converts the rest of the message and reports the value on which RabbitMQ crashes.\n"
    )
    parts += [_reported(entry) for entry in entries["fails"]]
    parts.append("## Where RabbitMQ's answer is ill-formed\n\nmqconvert writes a well-formed message and reports the rest.\n")
    parts += [_reported(entry) for entry in entries["ill_formed"]]
    parts.append(entries["delivery"])
    parts += _of_brokers(entries["brokers"])
    return "\n".join(parts)


def _of_brokers(entries: list[dict[str, Any]]) -> list[str]:
    """Return the answers of two brokers to the live suite, from observed.json."""
    observed = json.loads((DOCS / "observed.json").read_text())
    if list(observed["answers"]) != [entry["title"] for entry in entries]:
        sys.exit("docs/observed.json has answers to other examples than docs/differences.toml; let the live suite --observe")
    rabbitmq, artemis = (observed["versions"][name] for name in ("rabbitmq", "artemis"))
    head = f"| | {PAGE} | RabbitMQ {rabbitmq} | Artemis {artemis} |\n|---|---|---|---|"
    parts = [
        f"""\
## Where ActiveMQ Artemis and RabbitMQ differ

Artemis {artemis} converts between AMQP 1.0 and MQTT itself, and no profile does as it does. `make interop` sends each message
here through it and through RabbitMQ {rabbitmq}, and compares what a subscriber receives. Addresses, packet identifiers and
fields of one delivery alone are left out.
"""
    ]
    for entry in entries:
        done = convert(_message(entry["message"]), entry["to"], environment=Environment(address="t"))
        answers = [
            message_to_json(done.message),
            *(observed["answers"][entry["title"]][name] for name in ("rabbitmq", "artemis")),
        ]
        columns = [None if answer is None else dict(_flat(answer)) for answer in answers]
        fields = dict.fromkeys(name for column in columns for name in column or ())
        names = [name for name in fields if len({column.get(name) for column in columns if column is not None}) > 1]
        rows = [f"| {name} | {' | '.join(_cell((each or {}).get(name)) for each in columns)} |" for name in names]
        if None in columns:
            rows.append(f"| | {' | '.join('not delivered' if each is None else 'delivered' for each in columns)} |")
        parts.append(_section(entry) + "\n".join([head, *rows, ""]))
    return parts


def _check_cites(entries: list[dict[str, Any]]) -> None:
    """Exit unless differences.toml explains every row that an overlay changes."""
    explained = {cite for entry in entries for cite in entry["cites"]}
    page = {id(rule) for table in rule_tables(PAGE) for rule in (*table.rules, *table.types)}
    cited = {
        number
        for profile in (NOW, LATER)
        for table in rule_tables(profile)
        for rule in (*table.rules, *table.types)
        if id(rule) not in page
        for part in re.findall(r"differences ([^;]+)", rule.cite or "")
        for number in part.split(", ")
    }
    if cited - explained:
        sys.exit(f"docs/differences.toml has no entry for {', '.join(sorted(cited - explained))}")


def _message(text: str) -> Any:
    """Return a message from its JSON; "@256" becomes 256 letters."""
    return message_from_json(json.loads(re.sub(r"@(\d+)", lambda number: "m" * int(number[1]), text)))


def _differing(entry: dict[str, Any]) -> str:
    fields = {}
    for profile in (PAGE, NOW, LATER):
        done = convert(_message(entry["message"]), entry["to"], profile=profile, environment=Environment(address="t"))
        fields[profile] = dict(_flat(message_to_json(done.message)))
        fields[profile] |= {f"lost: {lost.field}": lost.reason for lost in done.report.lost}
    if entry.get("same"):
        return _section(entry).rstrip("\n") + "\n"
    names = [
        name for name in {**fields[PAGE], **fields[NOW], **fields[LATER]} if len({fields[p].get(name) for p in fields}) > 1
    ]
    if not names:
        sys.exit(f"docs/differences.toml: {entry['title']!r} shows no difference")
    columns = {PAGE: PAGE, NOW: NOW, LATER: LATER}
    if all(fields[NOW].get(name) == fields[LATER].get(name) for name in names):
        columns = {PAGE: PAGE, NOW: f"{NOW}, {LATER}"}
    rows = [f"| {name} | {' | '.join(_cell(fields[profile].get(name)) for profile in columns)} |" for name in names]
    head = f"| | {' | '.join(columns.values())} |\n|{'---|' * (len(columns) + 1)}"
    return _section(entry) + "\n".join([head, *rows, ""])


def _reported(entry: dict[str, Any]) -> str:
    done = convert(_message(entry["message"]), entry["to"], profile=NOW, environment=Environment(address="t"))
    lines = [f"{lost.field}: lost, {lost.reason}" for lost in done.report.lost]
    lines += [f"{drop.field}: dropped, {drop.note}" for drop in done.report.dropped]
    made = json.dumps(message_to_json(done.message), ensure_ascii=False)
    return _section(entry) + "\n".join(["```", made, *lines, "```", ""])


def _section(entry: dict[str, Any]) -> str:
    message = re.sub(r"@(\d+)", r"(\1 letters)", entry["message"])
    cites = f" ({', '.join(entry['cites'])})" if entry.get("cites") else ""
    return f"### {entry['title']}\n\n{entry['say']}{cites}\n\n```json\n{message}\n```\n\n"


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the fields one by one; pairs of a map by their key."""
    if isinstance(value, dict) and "type" not in value:
        for name, inner in value.items():
            yield from _flat(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value and all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        for key, inner in value:
            yield from _flat(inner, f'{path}["{key}"]')
    else:
        yield path, json.dumps(value, ensure_ascii=False)


def _cell(value: str | None) -> str:
    if value is None:
        return ""
    return f"`{value if len(value) <= 90 else value[:60] + '...' + value[-20:]}`"


# ---- cookbook.md ---------------------------------------------------------------------------------------------------------


def _environment(columns: int = 80) -> dict[str, str]:
    """Return the environment for commands of a page: mqconvert on the path, fixed locale and width."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return os.environ | {"PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": str(columns)}


_COOKBOOK = 120
"""The width of explanations in the cookbook, which show rows."""


def cookbook() -> str:
    """Return the page from cookbook.toml, with its contents: all commands run in order, in one empty folder."""
    entries = tomllib.loads((DOCS / "cookbook.toml").read_text())
    titles = [entry["title"] for entry in entries["question"]]
    parts = [entries["introduction"], "\n".join(f"* [{title}](#{anchor(title)})" for title in titles)]
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries["question"]:
            parts.append(f"## {entry['title']}\n\n{entry['say']}")
            for step in entry.get("step", ()):
                done = _run(step["run"], folder, _COOKBOOK)
                if done.returncode != step.get("status", 0):
                    sys.exit(f"docs/cookbook.toml: status {done.returncode} of {step['run']}\n{done.stdout}")
                parts.append(f"```bash\n{step['run'].strip()}\n```")
                parts += [f"```text\n{done.stdout.rstrip()}\n```"] if done.stdout.strip() else []
                parts += [step["then"]] if "then" in step else []
    return "\n\n".join(parts) + "\n"


def _run(command: str, folder: str, columns: int = 80) -> "subprocess.CompletedProcess[str]":
    """Run a command of a page, and return its output with errors."""
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=_environment(columns),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


# ---- pages with a terminal -----------------------------------------------------------------------------------------------

TRANSCRIPTS = (
    "../README.md",
    "quickstart.md",
    "tutorial-archive.md",
    "tutorial-consumer.md",
    "tutorial-overlay.md",
    "readers.md",
)
"""Pages with `console` blocks; the text after a command is its real output."""
_COMMAND = re.compile(r"^\$ (.*?<<'END'\n.*?^END|[^\n]*)$", re.MULTILINE | re.DOTALL)


def transcript(name: str) -> str:
    """Return a page with the output of its commands, which run in order in one folder that contains `docs`."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "docs").symlink_to(DOCS.resolve())

        def run(block: re.Match[str]) -> str:
            lines = [line for found in _COMMAND.finditer(block[1]) for line in (found[0], _output(found[1], folder)) if line]
            return "\n".join(["```console", *lines, "```"])

        return re.sub(r"^```console\n(.*?)^```", run, (DOCS / name).read_text(), flags=re.MULTILINE | re.DOTALL)


def _output(command: str, folder: str) -> str:
    done = _run(command, folder)
    if done.returncode not in (0, 1, 2) or "Traceback" in done.stdout:
        sys.exit(f"status {done.returncode} of {command}\n{done.stdout}")
    return done.stdout.rstrip()


# ---- programs ------------------------------------------------------------------------------------------------------------


def with_programs(name: str) -> str:
    """Return a page with the current text of each program that it names."""

    def program(found: re.Match[str]) -> str:
        return f"<!-- {found[1]} -->\n```python\n{(DOCS.parent / found[1]).read_text()}```\n"

    return re.sub(
        r"<!-- (docs/examples/[\w/-]+\.py) -->\n(?:```python\n.*?```\n)?",
        program,
        (DOCS / name).read_text(),
        flags=re.DOTALL,
    )


# ---- choices.md ----------------------------------------------------------------------------------------------------------


def choices() -> str:
    """Return choices.md with the rows that the overlay `preserve` adds or changes, a table for each way."""
    tables = "".join(filter(None, map(_kept_by, rule_tables(PAGE), rule_tables("preserve"))))
    text = (DOCS / "choices.md").read_text()
    return re.sub(r"(?<=<!-- preserve -->\n).*(?=<!-- end -->)", lambda _: tables, text, flags=re.DOTALL)


def _kept_by(page: RuleTable, overlaid: RuleTable) -> str:
    """Return the rows that a table has only in the overlay, those for one field in one line: what they take and make."""
    kept: dict[str, list[str]] = {}
    for rule in overlaid.rules:
        if rule not in page.rules and not rule.columns.get("to", "@").startswith("@"):
            kept.setdefault(rule.columns["from"], []).append(f"`{rule.columns['to']}`")
    lines = [f"| `{field}` | {', '.join(dict.fromkeys(places))} |\n" for field, places in kept.items()]
    title = f"### {PROTOCOLS[page.source].title} to {PROTOCOLS[page.target].title}\n\n| field | becomes |\n|---|---|\n"
    return f"{title}{''.join(lines)}\n" if lines else ""


# ---- words.md ------------------------------------------------------------------------------------------------------------

WORDS = """# Words of rows

Written from their docstrings by `make generate`. A row names a condition in `when` and a transform in `via`. These words have
no literal; [mappings/README.md](../mappings/README.md#words-with-literals) has those with one, and the ways to combine words.

*Reads* is the number of places that the row names in `reads`, besides its own value, and what our rows name there. A transform
may *pass* a value on to the next row, and may *lose* all or part of it, which the report says.
"""


def words() -> str:
    """Return the page of all words without literals."""
    conditions = "".join(f"| {_word(word)} |\n" for _, word in sorted(dict.items(CONDITIONS)))
    transforms = "".join(f"| {_word(word)} | {_answers(word)} |\n" for _, word in sorted(dict.items(TRANSFORMS)))
    return f"""{WORDS}
## Conditions

| word | reads | meaning |
|---|---|---|
{conditions}
## Transforms

| word | reads | meaning | may |
|---|---|---|---|
{transforms}"""


def _word(word: Any) -> str:
    """Return the cells of a word: its name, the number of its reads, its meaning. Exits for a word without one."""
    meaning = (word.function.__doc__ or "").strip().partition("\n")[0]
    if not meaning or meaning.startswith(">>>"):
        sys.exit(f"the docstring of {word.name} does not begin with its meaning")
    most = word.takes - 1
    reads = f"{word.needs - 1} to {most}" if word.needs <= most else str(most or "")
    named = list(_read_by_rows().get(word.name, ()))[:2] or ([] if "PLACE" in word.wants else [", ".join(word.wants)])
    if reads and named:
        reads += f": {' or '.join(f'`{each}`' for each in named)}"
    return f"`{word.name}` | {reads} | {meaning.removesuffix('.')}"


@cache
def _read_by_rows() -> dict[str, dict[str, None]]:
    """Return what the rows of all profiles read for each word."""
    found: dict[str, dict[str, None]] = {}
    for table in (*rule_tables(), *rule_tables("preserve"), *rule_tables("rabbitmq-4.0")):
        for rule in table.all_rules:
            for word in filter(None, (rule.when, rule.via)):
                if rule.reads:
                    found.setdefault(word, {})[", ".join(rule.reads)] = None
    return found


def _answers(word: Any) -> str:
    return ", ".join(answer for answer, given in (("pass", word.passes), ("lose", word.loses)) if given)


# ---- samples -------------------------------------------------------------------------------------------------------------


def samples() -> dict[str, bytes]:
    """Return the first sample message of each protocol as wire bytes, and an archive of a hundred MQTT messages in lines."""
    first: dict[str, Any] = {}
    for sample in sample_messages():
        first.setdefault(sample["message"]["protocol"], message_from_json(sample["message"]))
    lines = []
    for number in range(100):
        message = replace(first["mqtt-5.0"], payload=b'{"celsius":%d.5}' % (60 + number % 17))
        lines.append(json.dumps({"id": number, "wire": base64.b64encode(encode(message)).decode()}))
    made = {f"samples/{name}.bin": encode(message) for name, message in first.items()}
    return made | {"samples/archive.jsonl": "\n".join([*lines, ""]).encode()}


def main(arguments: list[str]) -> int:
    """Write the pages and samples, or compare them; return 1 if they differ."""
    with PROTOCOLS.ours_alone():
        made_of_tables = {"differences.md": differences(), "choices.md": choices()}
    pages: dict[str, str | bytes] = {**made_of_tables, "cookbook.md": cookbook(), "words.md": words()}
    pages |= {name: with_programs(name) for name in ("embedding.md", "protocol.md")}
    pages |= {name: transcript(name) for name in TRANSCRIPTS}
    return write_or_check(DOCS, "samples/*", pages | samples(), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
