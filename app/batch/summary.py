"""The summary of a run, as JSON and as a table."""

import json
from dataclasses import asdict, dataclass, field

import mqconvert
from mqconvert import JobError
from mqconvert.app.batch.options import COLUMN, Job
from mqconvert.app.terminal import counted_lines, with_tables
from mqconvert.converters.model.jsonform import JsonObject


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts from Spark: rows read, rows converted completely, rows rejected or with rejected messages, messages, bytes."""

    read: int = 0
    converted: int = 0
    rejected: int = 0
    rejected_messages: int = 0
    """Rows among the rejects: one for each rejected message."""
    messages: int = 0
    bytes_in: int = 0
    bytes_out: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(one + more for one, more in zip(asdict(self).values(), asdict(other).values(), strict=True)))

    def check(self) -> None:
        """Raise JobError `mismatch` if a row was neither converted nor rejected, or both."""
        if self.read != self.converted + self.rejected:
            words = f"{self.read} rows read, but {self.converted} converted and {self.rejected} rejected"
            raise JobError(f"rows do not add up: {words}", code="mismatch")

    def check_stored(self, converted: int, rejected: int) -> None:
        """Raise JobError `mismatch` if the output has another number of rows than the conversion."""
        if (converted, rejected) != (self.messages, self.rejected_messages):
            made = f"{self.messages} messages and {self.rejected_messages} rejects"
            words = f"{made} were made, but {converted} and {rejected} are stored"
            raise JobError(f"rows do not add up: {words}", code="mismatch")


_RATED = 10
"""Seconds of work from which on a rate says something: before, it is that of the start."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts, tables with their hashes, and values dropped, lost and rejected by rule or code.

    `seconds` is the time of the conversion alone. `output` is a path, or the name of a table.
    """

    run: str
    source: str
    target: str
    profile: str
    clock: int | None
    """Milliseconds since 1970, for targets that need a time; `--clock` with it repeats the run."""
    tables: dict[str, str]
    input: list[str]
    output: str
    output_format: str
    rejects: str | None
    max_reject_share: float | None
    seconds: float
    counts: Counts
    dropped: list[JsonObject] = field(default_factory=list)
    lost: list[JsonObject] = field(default_factory=list)
    errors: list[JsonObject] = field(default_factory=list)
    changed: list[JsonObject] = field(default_factory=list)
    """Columns of JSON lines with values that the output cannot hold as they are."""
    skipped: list[JsonObject] = field(default_factory=list)
    """The frames without a message that the option `stream` skipped."""
    modules: list[JsonObject] = field(default_factory=list)
    """Rows by the modules of the workers, `compiled` or `sources`."""
    fields: mqconvert.Summary = mqconvert.Summary()
    """The fields of all converted messages that arrive, and those that do not; `summary` in JSON."""

    @property
    def rows_a_second(self) -> float:
        return round(self.counts.read / self.seconds, 1) if self.seconds else 0.0

    @property
    def problem(self) -> str | None:
        """Return why the run failed although its output is complete; None if it succeeded."""
        read, rejected, most = self.counts.read, self.counts.rejected, self.max_reject_share
        internal = sum(entry["count"] for entry in self.errors if entry["code"] == "internal")
        if internal:
            return f"{internal} rows met a defect of mqconvert (code internal); they are among the rejects"
        if most is None and read and rejected == read:
            rows = "the only row is" if read == 1 else f"all {read} rows are"
            return f"{rows} rejected; --max-reject-share 1 accepts that"
        if most is not None and rejected > most * read:
            return f"{rejected / read:.2%} of the rows are rejected, and --max-reject-share is {most:g}"
        return None

    def as_json(self) -> str:
        members = asdict(self)
        counts: dict[str, int] = members.pop("counts")
        del members["fields"]
        return (
            json.dumps({"summary": self.fields.as_dict()} | members | counts | {"rows_a_second": self.rows_a_second}, indent=2)
            + "\n"
        )

    def __str__(self) -> str:
        counts = self.counts
        rated = self.seconds >= _RATED and self.rows_a_second >= 1
        rate = f"{self.rows_a_second:,.0f} rows a second, " if rated else ""
        lines = [
            *([str(self.fields)] if counts.messages else []),
            f"{self.source} -> {self.target}, profile {self.profile}, tables {', '.join(map(' '.join, self.tables.items()))}",
            f"read       {counts.read:>15,} rows  {counts.bytes_in:>17,} bytes",
            f"converted  {counts.converted:>15,} rows  {counts.bytes_out:>17,} bytes  {counts.messages:,} messages",
            f"rejected   {counts.rejected:>15,} rows  {counts.rejected_messages:>17,} messages",
            f"{rate}{self.seconds:,.1f} seconds, written to {self.output}",
        ]
        if self.changed:
            names = ", ".join(sorted(entry["column"] for entry in self.changed))
            lines.append(f"columns that change in {self.output_format}: {names} (--output-format jsonl keeps them)")
        counted = {"changed": self.changed, "modules": self.modules, "skipped": self.skipped}
        tables = [] if self.source.startswith(COLUMN) else list(self.tables)
        counted |= {
            "rejected": self.errors,
            "lost": with_tables(self.lost, tables),
            "dropped": with_tables(self.dropped, tables),
        }
        lines += counted_lines(counted)
        return "\n".join(lines)


def summary(
    job: Job, run: str, counts: Counts, seconds: float, fields: list[JsonObject], **by_rule: list[JsonObject]
) -> Summary:
    """Return the summary of a job, with the tables of every possible route of its rows."""
    routes = [job.choices.converter(source, job.target).route for source in job.sources]
    return Summary(
        run=run,
        source=job.source or f"{COLUMN}{job.source_column}",
        target=job.target,
        profile=job.choices.profile,
        clock=job.choices.environment.clock,
        tables={table.name: table.hash for route in routes for table in route.legs},
        input=list(job.input),
        output=str(job.output or job.table),
        output_format=job.output_format,
        rejects=job.rejects,
        max_reject_share=job.max_reject_share,
        seconds=round(seconds, 3),
        counts=counts,
        fields=mqconvert.Summary(**{entry["outcome"]: entry["count"] for entry in fields}),
        **by_rule,
    )
