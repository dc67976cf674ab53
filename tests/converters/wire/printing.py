"""Classes of fields that no protocol has, and the functions that shapes print for them."""

from dataclasses import dataclass
from struct import error as StructError  # noqa: N812 - its name in printed code
from typing import Any

from mqconvert import DecodeError, EncodeError
from mqconvert.converters.model import primitives
from mqconvert.converters.model.entries import FAILED, within
from mqconvert.converters.model.fields import wire
from mqconvert.converters.model.plain import IntegerType
from mqconvert.converters.model.primitives import Writer
from mqconvert.converters.printed.defining import defined
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.wire.shapes import Shape


@dataclass
class Fields:
    first: int | None = wire("octet")
    second: int | None = wire("octet")
    several: list[int] | None = wire("octets")


class Codec:
    """What the printed functions ask of a codec."""

    @staticmethod
    def write_octets(out: Writer, values: list[int]) -> None:
        for value in values:
            out.write(bytes((3, value)))

    @staticmethod
    def repeated(field: str, at: int) -> DecodeError:
        return DecodeError("repeated", f"{field} at {at}")

    @staticmethod
    def unknown_tag(tag: int, at: int) -> DecodeError:
        return DecodeError("unknown", f"tag {tag} at {at}")

    @staticmethod
    def ends_early(at: int) -> DecodeError:
        return DecodeError("truncated", f"end at {at}")


@dataclass
class Two:
    first: int | None = wire("octet")
    second: int | None = wire("octet")


def functions(shape: Shape) -> dict[str, Any]:
    """Return the functions of a shape: they pass the wall."""
    known = {
        **{name: getattr(primitives, name) for name in primitives.__all__},
        "Any": Any, "DecodeError": DecodeError, "EncodeError": EncodeError, "FAILED": FAILED, "Fields": Fields,
        "IndexError": IndexError, "StructError": StructError, "Two": Two,
        "UNWRITABLE": primitives.UNWRITABLE, "UnicodeError": UnicodeError, "ValueError": ValueError, "codec": Codec,
        "i64": int, "tuple": tuple,
        "types": {"octet": IntegerType("octet", 0, 255)}, "within": within,
    }  # fmt: skip
    made = list(shape.functions())
    return defined(made, Printed(made), known, "shape.toml")
