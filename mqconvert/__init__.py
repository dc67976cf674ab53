"""mqconvert: convert messages between broker protocols from one rule table, with an account of every field.

>>> from mqconvert import convert, encode
>>> done = convert(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0")
>>> done.message.basic.delivery_mode, done.message.payload
(1, b'hi')
>>> [(entry.rule, entry.target) for entry in done.report.applied]
[('qos', 'basic.delivery_mode'), ('payload', 'payload')]
"""

import importlib

import mqconvert.compiled  # noqa: F401 - first: it selects compiled modules or sources

TYPE_CHECKING = False  # for type checkers; importing `typing` would take a fifth of the import time
if TYPE_CHECKING:
    from typing import Any

    from mqconvert.converters.account.explain import explain, explained, explained_json
    from mqconvert.converters.account.fidelity import Forecast, fidelity
    from mqconvert.converters.engine.report import LossPolicy, Report
    from mqconvert.converters.engine.rules import Rule, RuleTable
    from mqconvert.converters.environment import FRAMES, PAYLOADS, Environment
    from mqconvert.converters.errors import (
        CODES,
        ArgumentError,
        ClientLibraryError,
        ConversionError,
        DecodeError,
        EncodeError,
        InternalError,
        JobError,
        LimitError,
        LossError,
        MessageError,
        MqConvertError,
        NoRouteError,
        RuleTableError,
    )
    from mqconvert.converters.json import json_schema, message_from_json, message_to_json
    from mqconvert.converters.model.protocol import Protocol
    from mqconvert.converters.model.values import Array, Decimal091, Described, Entry, TypedValue
    from mqconvert.converters.protocols import PROTOCOLS, Message
    from mqconvert.converters.protocols.calls import (
        decode,
        decode_all,
        decode_each,
        decode_each_frame,
        decode_frames,
        encode,
        encode_batch,
        encode_frame,
        frame_from_json,
        frame_to_json,
        has_frames,
    )
    from mqconvert.converters.protocols.options import check_options, options_for
    from mqconvert.converters.routes import Route, check_rules, convert, converter, generated_source, routes, rule_tables
    from mqconvert.converters.running import Conversion

del TYPE_CHECKING  # not a public name

__all__ = [
    "CODES",
    "FRAMES",
    "PAYLOADS",
    "PROTOCOLS",
    "ArgumentError",
    "Array",
    "ClientLibraryError",
    "Conversion",
    "ConversionError",
    "Decimal091",
    "DecodeError",
    "Described",
    "EncodeError",
    "Entry",
    "Environment",
    "Forecast",
    "InternalError",
    "JobError",
    "LimitError",
    "LossError",
    "LossPolicy",
    "Message",
    "MessageError",
    "MqConvertError",
    "NoRouteError",
    "Protocol",
    "Report",
    "Route",
    "Rule",
    "RuleTable",
    "RuleTableError",
    "TypedValue",
    "check_options",
    "check_rules",
    "convert",
    "converter",
    "decode",
    "decode_all",
    "decode_each",
    "decode_each_frame",
    "decode_frames",
    "encode",
    "encode_batch",
    "encode_frame",
    "explain",
    "explained",
    "explained_json",
    "fidelity",
    "frame_from_json",
    "frame_to_json",
    "generated_source",
    "has_frames",
    "json_schema",
    "message_from_json",
    "message_to_json",
    "options_for",
    "routes",
    "rule_tables",
]

_ROOMS = {
    "account.explain": ("explain", "explained", "explained_json"),
    "account.fidelity": ("Forecast", "fidelity"),
    "engine.report": ("LossPolicy", "Report"),
    "engine.rules": ("Rule", "RuleTable"),
    "environment": ("Environment", "FRAMES", "PAYLOADS"),
    "errors": (
        "ArgumentError",
        "CODES",
        "ClientLibraryError",
        "ConversionError",
        "DecodeError",
        "EncodeError",
        "InternalError",
        "JobError",
        "LimitError",
        "LossError",
        "MessageError",
        "MqConvertError",
        "NoRouteError",
        "RuleTableError",
    ),
    "json": ("json_schema", "message_from_json", "message_to_json"),
    "model.protocol": ("Protocol",),
    "model.values": ("Array", "Decimal091", "Described", "Entry", "TypedValue"),
    "protocols": ("Message", "PROTOCOLS"),
    "protocols.calls": (
        "decode",
        "decode_all",
        "decode_each",
        "decode_each_frame",
        "decode_frames",
        "encode",
        "encode_batch",
        "encode_frame",
        "frame_from_json",
        "frame_to_json",
        "has_frames",
    ),
    "protocols.options": ("check_options", "options_for"),
    "running": ("Conversion",),
    "routes": ("Route", "check_rules", "convert", "converter", "generated_source", "routes", "rule_tables"),
}
"""The public names by their modules below converters/. The first use of a name imports its module (PEP 562)."""
_HOME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> "Any":
    """Import a public name on first access."""
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("mqconvert")
    if name not in _HOME:
        raise AttributeError(f"module 'mqconvert' has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f"mqconvert.converters.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    """Return the public names, with the public modules."""
    return sorted([*__all__, "__version__", "clients", "messages", "plugin"])
