"""The comparison of RabbitMQ's and the library's answer to a message: a case, with an item for every difference."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from mqconvert import Conversion, DecodeError, Environment, Report, encode, transcode
from mqconvert.converters.routes import RouteConverter, converter
from tests.corpus import read
from tests.oracle import crashes, wire
from tests.oracle.compare import Difference, differences
from tests.oracle.crashes import Change
from tests.oracle.peer import Answer, Question
from tests.oracle.wellformed import Gone, source_fault, well_formed
from tests.oracle.wire import MalformedError, View
from tests.validity import faults, parts_of

PROFILE = "rabbitmq-4.0"


@dataclass(frozen=True, slots=True)
class Refused:
    """The library's decoder refuses the source."""

    code: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault that no record may explain: an ill-formed result, an unexpected exception, an unreadable answer."""

    what: str


Item = Difference | Gone | Change | Refused | Failure


@dataclass(slots=True)
class Case:
    """A message, both answers as views, and the items in which they differ (`items`; empty for equal answers)."""

    question: Question
    error: str | None = None
    theirs: View | None = None
    ours: View | None = None
    report: Report | None = None
    items: list[Item] = field(default_factory=list)

    def source(self) -> View:
        """Return the source as a view, empty for an unreadable source."""
        try:
            return wire.view(self.question.source, self.question.parts)
        except MalformedError:
            return {}

    def told(self, place: str, key: bytes | int | None = None) -> bool:
        """Return whether the report has a loss or drop for a place of the source (and the key there)."""
        assert self.report is not None
        path = place
        if isinstance(key, int):
            path = f"{place}[{key}]"
        elif key is not None:
            text = key.decode("utf-8", "surrogateescape")
            path = f'{place}["{text}"]' if len(text) < LONG_KEY else f'{place}["{text[:100]}'
        fields = [*(line.field for line in self.report.lost), *(line.field for line in self.report.dropped)]
        return any(field.startswith(path) for field in fields)


LONG_KEY = 200
"""The length from which reports abbreviate keys, in characters."""


class Asked(Protocol):
    """Anything that answers questions, such as a `Peer`."""

    def ask(self, questions: Sequence[Question]) -> list[Answer]: ...


@cache
def _converter(source: str, target: str) -> tuple[RouteConverter, Environment]:
    return converter(source, target, profile=PROFILE), Environment(address="t" if target == "mqtt-5.0" else None)


def conversion(question: Question) -> Conversion:
    """Return the library's conversion, to whose bytes `transcode` comes, too. Raises DecodeError."""
    names = ("properties", "body") if question.source == "amqp-0.9.1" else ("wire",)
    message = read(question.source, dict(zip(names, (part.hex() for part in question.parts), strict=True)))
    convert, environment = _converter(question.source, question.target)
    made = convert.convert(message, environment)
    choices: Any = {"source": question.source, "profile": PROFILE, "environment": environment}
    assert transcode(encode(message), question.target, **choices).wire == encode(made.message), question
    return made


def judged(peer: Asked, questions: Sequence[Question]) -> list[Case]:
    """Return a case for each question. If RabbitMQ fails, ask again without the values that cause it."""
    cases = [_answered(question) for question in questions]
    again: list[tuple[Case, crashes.Rest]] = []
    for case, answer in zip(cases, peer.ask(questions), strict=True):
        case.error = answer.error
        if case.ours is None:
            continue
        rest = _rest(case, crashes.tolerated if answer.error is None else crashes.rest)
        if rest is not None:
            again.append((case, rest))
        elif answer.error is None:
            _compare(case, answer.parts)
    last = []
    for (case, rest), answer in zip(again, peer.ask([rest.question for _, rest in again]), strict=True):
        if answer.error is None:
            _compare(case, answer.parts, rest)
        elif case.error is None and (whole := _rest(case, crashes.rest)) is not None:
            last.append((case, whole))
        else:
            case.items.append(_hopeless(answer))
    for (case, rest), answer in zip(last, peer.ask([rest.question for _, rest in last]), strict=True):
        if answer.error is None:
            _compare(case, answer.parts, rest)
        else:
            case.items.append(_hopeless(answer))
    return cases


def _hopeless(answer: Answer) -> Failure:
    return Failure(f"RabbitMQ fails on what is left, too: {answer.error}")


def _answered(question: Question) -> Case:
    case = Case(question)
    try:
        made = conversion(question)
        case.ours = wire.view(question.target, parts_of(made.message))
        case.report = made.report
    except DecodeError as error:
        case.items.append(Refused(error.code))
        return case
    except Exception as error:  # noqa: BLE001 - any exception is a finding
        case.items.append(Failure(f"{type(error).__name__}: {error}"))
        return case
    case.items += [
        Failure(f"ill-formed: {fault}") for fault in faults(made.message) if fault != "a packet identifier against the QoS"
    ]
    if question.target == "amqp-1.0" and "body" not in case.ours:
        case.items.append(Failure("no body"))
    if (fault := source_fault(question)) is not None:
        case.items.append(Failure(f"a source that is ill-formed ({fault}) is taken"))
    return case


def _rest(case: Case, rest: Callable[[Question], crashes.Rest | None]) -> crashes.Rest | None:
    try:
        return rest(case.question)
    except MalformedError:
        return None  # the case already lists an accepted ill-formed source


def _compare(case: Case, parts: tuple[bytes, ...], rest: crashes.Rest | None = None) -> None:
    assert case.ours is not None
    try:
        theirs = wire.view(case.question.target, parts)
    except MalformedError:
        case.items.append(Failure("an answer that cannot be read"))
        return
    case.theirs = theirs if rest is None else rest.unmasked(theirs)
    theirs, gone = well_formed(case.question.target, case.theirs)
    ours = dict(case.ours)
    for view in (theirs, ours):
        view.pop("topic_name", None)  # both sides leave the topic to the caller
    case.items += [*(rest.changes if rest else ()), *gone, *differences(theirs, ours)]
