"""Models of the answers, for the OpenAPI document only. Tests validate real answers against them.

A member with the default None is optional. No member is null.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from mqconvert.app.http.models import BASE64, EITHER, Message, ProtocolName, SomeMessage

Base64 = Annotated[str, WithJsonSchema(BASE64)]
Becomes = Literal["survives", "changes", "dropped", "lost", "refused", "accounted"]


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Way(Answer):
    source: ProtocolName = Field(alias="from")
    target: ProtocolName = Field(alias="to")


class Applied(Answer):
    """A row filled a place of the result; `type_rule` is the row of the type table for its value.

    `from` is a field, `@constant`, or a value of the caller. With `note` the result implies the value.
    """

    source: str = Field(alias="from")
    target: str = Field(alias="to")
    rule: str
    leg: int
    type_rule: str | None = None
    note: str | None = None


class Noted(Answer):
    """A field that was dropped on purpose, or used by the caller's side; `note` gives the reason."""

    rule: str
    field: str
    note: str
    leg: int


class Lost(Answer):
    """A value that no row took, or that the row `rule` could not keep completely; `type` is its wire type."""

    field: str
    type: str
    reason: str
    leg: int
    rule: str | None = None


class Summary(Answer):
    """The numbers of set fields: those that arrive, `unchanged` or `changed`, and those dropped `by_rule` or `lost`.

    Each entry of a map is a field, the body is one. Fields that only the caller's side uses do not count.
    """

    fields: int
    arrive: int
    unchanged: int
    changed: int
    by_rule: int
    lost: int


class Report(Answer):
    """The result for every field that was set; `leg` counts the tables of the route from 1."""

    summary: Summary
    applied: Sequence[Applied]
    dropped: Sequence[Noted]
    lost: Sequence[Lost]
    accounted: Sequence[Noted]
    tables: list[str]
    hash: str


class Remedy(Answer):
    """An option that avoids an error, with the value to set where only one helps."""

    option: str
    value: str | None = None


class Where(Answer):
    """The known place of an error, its remedy, and a guess about the input.

    `losses` if `on_loss` is fail or strict, `dropped` if it is strict. An invalid rule table has its `file` and `line`. If the
    text begins with the place, `problem` is the text behind it.
    """

    code: str
    field: str | None = None
    rule: str | None = None
    offset: int | None = None
    remedy: Remedy | None = None
    hint: str | None = None
    losses: list[Lost] | None = None
    dropped: list[Noted] | None = None
    file: str | None = None
    line: int | None = None
    problem: str | None = None


class LineError(Where):
    """The error of one line of a batch."""

    message: str


class Problem(Where):
    """Problem details (RFC 9457); `docs/errors.md` has every code."""

    type: Literal["about:blank"]
    title: str
    status: int
    detail: str


class Converted(Answer):
    """The requested members."""

    wire: Base64 | None = None
    message: Message | None = None
    report: Report | None = None


class AppliedValue(Applied):
    """With the value of `from`, what became of it in `to` (null if the result implies it), and the line of the row."""

    value: Any
    made: Any
    where: str


class NotedValue(Noted):
    value: Any


class LostValue(Lost):
    value: Any


class ExplainedReport(Report):
    """The report with values, which have the JSON form of messages. With `redact` they are texts with types and sizes."""

    applied: Sequence[AppliedValue]
    dropped: Sequence[NotedValue]
    lost: Sequence[LostValue]
    accounted: Sequence[NotedValue]


class Explained(Answer):
    """`text` shows every field with its value, its row and its outcome, as the command line does; `report` has the values.

    `error` is there if the result cannot be encoded, such as one without an address: it is the error of `/v1/convert`.
    """

    text: str
    report: ExplainedReport
    error: LineError | None = None


class LineIn(Answer):
    """A line of a batch has either `wire` (base64) or `message`; the response repeats its `id`, `index` and `line`.

    A line of an earlier response is valid: its `report` is ignored, its `error` is repeated.
    """

    model_config = ConfigDict(json_schema_extra={"oneOf": [*EITHER["oneOf"], {"required": ["error"]}]})

    id: Any = None
    index: int | None = None
    line: int | None = None
    wire: Base64 | None = None
    message: SomeMessage | None = None
    report: Any = None
    error: Any = None
    skipped: int | None = None


class LineOut(Converted):
    """A line of the response; `index` if the input line had several messages, or an `index`; `line` if it had one."""

    id: Any = None
    index: int | None = None
    line: int | None = None
    error: LineError | None = None
    skipped: int | None = None


class MemberError(LineError):
    """The error of an invalid member, with its place among all members."""

    index: int


class Messages(Answer):
    """The messages; `errors` of invalid members, `skipped` frames without a message (option `stream`), if there are any.

    `spans`, if requested, has the offsets of each place's first byte and of the one behind its last.
    """

    messages: list[Message]
    errors: list[MemberError] | None = None
    skipped: int | None = None
    spans: dict[str, tuple[int, int]] | None = None


class Recognized(Answer):
    """The protocols whose codec reads all or most messages of the bytes from `begin` on.

    `begin` is 0, or the offset behind the headers of a captured frame. If there is no protocol, `broken_off` has those of which
    the bytes may be the beginning of a message.
    """

    protocols: list[ProtocolName]
    begin: int
    broken_off: list[ProtocolName]


class Sample(Answer):
    """A sample message, without `wire` if a package for its codec is not installed."""

    title: str
    message: Message
    wire: Base64 | None = None


class Wire(Answer):
    wire: Base64


class Frames(Answer):
    frames: list[dict[str, Any]]


class Protocol(Answer):
    name: ProtocolName
    title: str


class Route(Way):
    """`options` are the names of the options that may change a conversion, besides profile, rules and loss policy."""

    tables: list[str]
    options: list[str]


class TableName(Way):
    title: str
    hash: str


class Row(BaseModel):
    """File and line of a row, and its columns (see `mappings/README.md`)."""

    id: str
    file: str
    line: int


class Table(TableName):
    cites: list[str]
    start: list[Row]
    rules: list[Row]
    types: list[Row]
    finish: list[Row]


class Outcome(Answer):
    """The outcome of values of one type of a field: `there`, and `outcome` with the way back if requested.

    `to` is where they arrive, and `back_to` where they come back, if that is another field.
    """

    field: str
    type: str
    case: str
    outcome: Becomes
    there: Becomes
    to: str
    as_: str = Field(alias="as")
    rules: list[str]
    type_rules: list[str]
    why: str
    back_to: str
    remedy: Remedy | None = None


class Line(Answer):
    """Equal outcomes of a field: `values` are the types, and the special cases of a type, that have them."""

    field: str
    values: str
    there: Becomes
    outcome: Becomes
    to: str
    rules: str
    why: str
    back_to: str
    remedy: Remedy | None = None


class Forecast(Way):
    back: bool
    outcomes: list[Outcome]
    lines: list[Line]


class Health(Answer):
    status: Literal["ok"]


class Ready(Health):
    tables: int
