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

_ROOMS = {
    "account.explain": ("explain", "explained", "explained_json"),
    "account.fidelity": ("fidelity",),
    "account.forecast": ("Forecast",),
    "choices": ("Profile",),
    "columns.column": ("transcode_column",),
    "converting": ("convert",),
    "engine.report": ("LossPolicy", "OnLoss", "Report"),
    "engine.rules": ("Rule", "RuleTable"),
    "engine.summary": ("Summary",),
    "environment": ("Environment", "FRAMES", "PAYLOADS", "Payload"),
    "errors": (
        "ArgumentError",
        "CODES",
        "ClientLibraryError",
        "ConversionError",
        "DecodeError",
        "DeliveryError",
        "EncodeError",
        "InternalError",
        "JobError",
        "LimitError",
        "LossError",
        "MessageError",
        "MqConvertError",
        "NoRouteError",
        "Remedy",
        "RuleTableError",
    ),
    "json": ("json_schema", "message_from_json", "message_to_json"),
    "model.protocol": ("Protocol",),
    "model.values": ("Array", "Decimal091", "Described", "Entry", "TypedValue"),
    "overlays": ("check_rules",),
    "protocols": ("Message", "PROTOCOLS"),
    "protocols.calls": (
        "Located",
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
    "routes": ("Route", "converter", "generated_source", "routes", "rule_tables"),
    "transcoding": ("Transcoded", "transcode"),
}
"""The public names by their modules below converters/, listed here alone. The first use of a name imports its module (PEP 562).

Type checkers read `__init__.pyi`, which `make generate` writes from this list.
"""
_HOME = {name: room for room, names in _ROOMS.items() for name in names}
__all__ = list(_HOME)


def __getattr__(name: str) -> object:
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
