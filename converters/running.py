"""Runs the tables of a route on one message: the hot path of every conversion, compiled by mypyc.

`Runner` has only this path. Its one subclass, RouteConverter in routes.py, finds the tables and explains failures.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Generic

from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.report import LossPolicy, OnLoss, Report
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import FAILURES
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment, options_set, with_remedy
from mqconvert.converters.errors import ConversionError
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.protocols import M_co

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message


@mypyc_attr(acyclic=True)
@dataclass(eq=False, repr=False, slots=True)
class Conversion(Generic[M_co]):
    """A converted message and the account of every field. The report is built on first access.

    >>> from mqconvert import convert
    >>> done = convert(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0")
    >>> done.message.payload, done.report.lossless(), [entry.field for entry in done.report.accounted]
    (b'hi', True, ['topic_name'])
    """

    message: M_co
    _legs: list[tuple[RuleTable, Notes]]
    between: tuple[Message, ...]
    """The results of all tables but the last, on a route of several."""
    _source: Message

    def __class_getitem__(cls, message: object) -> GenericAlias:
        """Return the type of conversions to a class of message, also where the compiled class lacks Generic (anyfields.py)."""
        return GenericAlias(cls, message)

    @property
    def report(self) -> Report:
        return Report(self._legs, self._source, self)

    def __repr__(self) -> str:
        return f"Conversion(message={self.message!r}, report={self.report!r})"

    def _repr_html_(self) -> str:
        """Return the account as a table, for notebooks."""
        return self.report._repr_html_()


pickled_by_fields(Conversion)


@mypyc_attr(allow_interpreted_subclasses=True)
class Runner(Generic[M_co]):
    """The steps of a route: a table, its function, and the maker of the next step's environment (None for the last)."""

    __slots__ = ("_steps",)

    def __init__(self, steps: list[tuple[RuleTable, Any, Any]]) -> None:
        self._steps = steps

    def convert(
        self, message: Message, environment: Environment = DEFAULT_ENVIRONMENT, on_loss: OnLoss | LossPolicy = "report"
    ) -> Conversion[M_co]:
        """Convert one message; ConversionError names the row that failed, LossError (policy "fail") every loss."""
        noted: list[tuple[RuleTable, Notes]] = []
        between: tuple[Message, ...] = ()
        made: Any = message
        caller = environment
        try:
            for table, function, addressed in self._steps:
                notes = Notes()
                given = made
                made = function(given, environment, notes)
                noted.append((table, notes))
                if addressed is not None:
                    between = (*between, made)
                    if environment.address is None:
                        environment = addressed(environment, given, made)
        except ConversionError as error:
            error.untried(options_set(caller))
            if self._in_vain(error, message, caller):
                error.drop_remedy()
            raise
        except RecursionError:
            raise ConversionError("values nest too deep", code="nesting") from None
        except FAILURES as error:
            fault = self._fault(message, error)
            if fault is not error:
                fault.__cause__ = error  # compiled code drops the cause of `raise from`
            raise fault from error
        if not noted:
            self._check(message)
        conversion: Conversion[M_co] = Conversion(made, noted, between, message)
        if on_loss != "report":
            self._apply_policy(on_loss, conversion, noted)
        return conversion

    def _in_vain(self, error: ConversionError, message: Message, caller: Environment) -> bool:
        """Return whether the same row refuses the message with the remedy of its error, too."""
        try:
            environment = with_remedy(caller, error.remedy)
            if environment is not None:
                self.convert(message, environment)
        except ConversionError as second:
            return (second.rule, second.field) == (error.rule, error.field)
        return False

    def _check(self, message: Message) -> None:
        """Refuse a message of another protocol."""
        raise NotImplementedError

    def _fault(self, message: Message, error: Exception) -> Exception:
        """Return the error to raise after a function failed."""
        raise NotImplementedError

    def _apply_policy(self, on_loss: Any, conversion: Conversion, noted: list[tuple[RuleTable, Notes]]) -> None:
        """Apply the policy for losses."""
        raise NotImplementedError
