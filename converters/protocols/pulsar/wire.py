"""How a message of Pulsar is written to protobuf: the values of each wire type, and which messages have which of its fields.

A field has the same name in message.py and in pulsar.proto. A new one of MessageMetadata stands in message.py alone, and a form
here if its wire type is new. Printed from this (converters/wire/): the writers, and the reader of a frame's sizes. The codec
reads fields by the same names.
Printing needs no protobuf package; tests compare the names with pulsar.proto.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from typing import Any, Final

from mqconvert.converters.model.fields import names
from mqconvert.converters.printed.nodes import Assign, Attribute, Function, If, Literal, Name, Statement, Statements
from mqconvert.converters.printed.templates import code, line, lines
from mqconvert.converters.protocols.pulsar.message import PROPERTIES, Batch, BrokerEntryMetadata, Message
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Fixed, function

# ---- values of wire types ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtobufForm:
    """The values of a wire type in protobuf.

    * `fault`: the test for an invalid `value`: by default, that the wire type finds a fault;
    * `refused`: whether the protobuf runtime refuses other invalid values: numbers out of bounds, text that is not Unicode. A
      field that is not written needs the wire type for them;
    * `write`: the statement that writes `value` into the protobuf field {0}; by default, an assignment.
    """

    fault: str = ""
    refused: bool = False
    write: str = ""


_NUMBER: Final = ProtobufForm(fault="type(value) is not int", refused=True)
_BYTES: Final = ProtobufForm(fault="type(value) is not bytes")
FORMS: Final[Mapping[str, ProtobufForm]] = {
    "boolean": ProtobufForm(fault="type(value) is not bool"),
    "int": _NUMBER,
    "uint": _NUMBER,
    "long": _NUMBER,
    "ulong": _NUMBER,
    "utf8": ProtobufForm(fault="type(value) is not str", refused=True),
    "binary": _BYTES,
    "payload": _BYTES,
    "topic": ProtobufForm(fault="unicode_fault(value) is not None"),
    "compression": ProtobufForm(),
    "ints": ProtobufForm(write="{0}.extend(value)"),
    "texts": ProtobufForm(write="{0}.extend(value)"),
    "records": ProtobufForm(write="codec.write_keys({0}, value)"),
    PROPERTIES.name: ProtobufForm(fault="codec.pairs_fault(value) is not None", write="codec.write_pairs({0}, value)"),
}
"""How the values of each wire type stand in protobuf. A type without a form is checked alone."""


# ---- fields -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """The fields of a class `of` that the protobuf message `into` has under the same names: `written`.

    It prints `write_NAME(into, given)`, which writes the set fields and returns whether that is all: False with another field
    set, or a `required` one unset. A value that its wire type cannot hold raises one of UNWRITABLE, also in a field that is not
    written. `flags` are fields of `into` that say that a field is set; `checked` is for fields that were checked before.
    """

    name: str
    of: type[Any]
    into: str
    written: Collection[str]
    required: Collection[str] = ()
    flags: Mapping[str, str] | None = None
    checked: bool = False

    def functions(self) -> Iterator[Function]:
        """Yield the writer."""
        words = f"Write the set fields of {self.of.__name__} into {self.into}; return whether that is all."
        body: Statements = [line("complete: bool = True")]
        for field in fields(self.of):
            if not self.checked or field.name in self.written:
                body += self._field(field)
        for flag, name in (self.flags or {}).items():
            is_set = code("{0} is not None", Attribute(Name("given"), name))
            body.append(If(is_set, (Assign(Attribute(Name("into"), flag), Literal(True)),)))
        body.append(line("return complete"))
        yield function(f"write_{self.name}", words, "into given", "bool", body, self.of.__name__)

    def _field(self, field: Field[Any]) -> Iterator[Statement]:
        """Yield the statements of a field."""
        (type_,) = field.metadata["types"]
        form, written = FORMS.get(type_, ProtobufForm()), field.name in self.written
        place, source = Attribute(Name("into"), field.name), Attribute(Name("given"), field.name)
        body: tuple[Statement, ...] = ()
        if type_ != "section" and not self.checked:
            quick = form.fault if written or not form.refused else ""
            fault = code(quick or "PULSAR_TYPES[{type}].fault(value) is not None", type=Literal(type_))
            body = lines("if {0}: raise ValueError", fault)
        if written:
            body += (line(form.write, place) if form.write else Assign(place, Name("value")),)
        elif type_ not in ("topic", "payload"):
            body += lines("complete = False")
        if field.default is not None:
            yield Assign(Name("value"), source)
            yield from (If(code("value != {0}", Literal(field.default)), body),) if type_ == "frame" else body
            return
        yield If(
            code("(value := {0}) is not None", source), body, lines("complete = False") if field.name in self.required else ()
        )


_OTHERS: Final = ("topic", "payload", "unknown", "batch", "message_id", "redelivery_count", "broker_entry_metadata", "frame")
"""The fields of a message that are not in its metadata."""
_WRITTEN: Final = [name for name in names(Message) if name not in _OTHERS]

_SHAPES: Final[Sequence[Any]] = (
    Fixed(name="sizes", layout=">II"),  # of a frame, of its command
    Copied(
        name="metadata",
        of=Message,
        into="MessageMetadata",
        written=_WRITTEN,
        required=("producer_name", "sequence_id", "publish_time"),
    ),
    Copied(
        name="member",
        of=Message,
        into="SingleMessageMetadata",
        written=[name for name in names(Batch) if name in _WRITTEN],
    ),
    Copied(
        name="send",
        of=Message,
        into="CommandSend",
        written=("sequence_id", "txnid_least_bits", "txnid_most_bits", "highest_sequence_id"),
        flags={"is_chunk": "chunk_id", "marker": "marker_type"},
        checked=True,
    ),
    Copied(
        name="entry",
        of=BrokerEntryMetadata,
        into="BrokerEntryMetadata",
        written=[name for name in names(BrokerEntryMetadata) if name not in _OTHERS],
        checked=True,
    ),
)
"""`Copied` is a shape of this protocol alone: no other has protobuf."""

LAYOUT = Layout(
    package="mqconvert.converters.protocols.pulsar",
    types="PULSAR_TYPES",
    uses=("mqconvert.converters.protocols.pulsar.message", "mqconvert.converters.model.plain"),
    shapes=_SHAPES,
)
