"""Words for the original properties, listed by an annotation beside those of the message (decisions.md G4a).

The form of RocketMQ is its property string, the form of Pulsar a list of lists. Rows name the form.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.words.properties import CHANGED, Pairs, WayBack, comes_back, unsaid
from mqconvert.converters.words import TRANSFORMS, Partial, condition, transform


@dataclass(frozen=True, slots=True)
class Form:
    """The form in which annotations list properties: their wire type, and the transform's kind for the result of `changed`.

    `read` returns None for any other value. `changed` returns the list without the properties of some names and with others
    after it. `nothing` is the reason for the loss of an empty list.
    """

    type: str
    gives: str
    read: Callable[[Any], Pairs | None]
    changed: Callable[[Any, set[str], Pairs], Any]
    nothing: str | None = None

    def listed(self, beside: Any) -> Pairs | None:
        """Return the properties that an annotation lists; None if it is missing or has another form."""
        return self.read(beside.value) if beside is not None and beside.type == self.type else None


FORMS: dict[str, Form] = {}
"""The forms by their names in rows; the words of a protocol add its own."""


def _form(name: str) -> Form:
    if name not in FORMS:
        raise ValueError(f"unknown form {name!r}; known: {', '.join(FORMS)}")
    return FORMS[name]


@condition("lists", _form)
def lists(form: Form, listed: Any) -> bool:
    """Match an annotation that lists properties in that form."""
    return form.listed(listed) is not None


@condition("listed-as", str, _form)
def listed_as(name: str, form: Form, value: Any, beside: Any) -> bool:
    """Match if the annotation lists a property of that name with the value's text: `listed-as NAME FORM`."""
    return (name, str(value)) in (form.listed(beside) or ())


@transform("as-listed", _form, gives="list")
def as_listed(form: Form, _value: Any, beside: TypedValue | Entry, changed: Any = None) -> Pairs | None:
    """Return the properties that an annotation lists in that form, or the result's own list if the row reads one."""
    return form.read(beside.value if changed is None else changed) or None


@TRANSFORMS.maker("and-said")
def and_said(text: str) -> dict[str, Any]:
    """Return the original properties in that form, followed by the later ones.

    Readers take the last of equal names. `and-said FORM ANNOTATION` names the annotation that lists them.
    """
    known, _, annotation = text.partition(" ")
    form = _form(known)

    def said(_value: Any, beside: TypedValue | Entry, result: Any, way_back: WayBack, again: Callable[[Any], Any]) -> Any:
        pairs = form.read(beside.value) or []
        added, gone = unsaid(pairs, result, annotation, way_back, again)
        whole = form.changed(beside.value, gone, added)
        if added or gone:
            return Partial(whole, CHANGED)
        return Partial(None, form.nothing) if form.nothing and not whole else whole

    return {"function": said, "gives": form.gives, "loses": True}


@TRANSFORMS.maker("unless-back")
def unless_back(text: str) -> dict[str, Any]:
    """Return a transform's result for the properties, unless the table back derives it from the converted message."""
    via = TRANSFORMS.known(text)

    def made(properties: Pairs | None, result: Message, way_back: WayBack) -> Any:
        return None if not properties or comes_back(properties, result, way_back) else via.function(properties)

    return {"function": made, "gives": via.gives}
