"""Options of the codecs: the keyword arguments of their functions, which are text, numbers or booleans.

A name has the same meaning in every codec; the docstrings of the codecs explain it.
`decode` has the options of `decode_all`.
"""

import inspect
import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache
from importlib import import_module
from itertools import product
from types import MappingProxyType
from typing import Any

from mqconvert.converters.errors import DecodeError, MqConvertError, did_you_mean
from mqconvert.converters.protocols import PROTOCOLS, protocol_named

FUNCTIONS = ("decode_all", "encode", "encode_batch", "decode_frames", "encode_frame")
"""The functions of a codec that have options."""

OF_BROKERS = frozenset({"max_req_timeout_ms"})
"""Limits that are settings of the broker and protect nobody else: untrusted callers may raise them."""

NOTHING: Mapping[str, Any] = MappingProxyType({})


@cache
def known_options(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the keyword arguments of a codec's function.

    `**options` stand for the fields of `Settings` in its module, a dataclass, or else for those of `decode_frames`.
    """
    parameters: Iterable[inspect.Parameter] = inspect.signature(function).parameters.values()
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        module = import_module(function.__module__)
        if not hasattr(module, "Settings"):
            return known_options(module.decode_frames)
        known = fields(module.Settings)
        parameters = [inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default) for one in known]
    return {one.name: one.replace(annotation=_kind(one)) for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY}


def _kind(option: inspect.Parameter) -> object:
    """Return the type of an option by its default, since compiled functions lack annotations; None means text."""
    return str | None if option.default is None else type(option.default)


def check(function: Callable[..., Any], options: Mapping[str, object]) -> None:
    """Raise DecodeError `bad_option` for options that a codec's function does not have."""
    if options:
        _check(known_options(function), options)


def _check(known: Mapping[str, inspect.Parameter], options: Mapping[str, object], *, lower_only: bool = False) -> None:
    """Raise DecodeError `bad_option` for an invalid option; with `lower_only`, also for a limit above its default."""
    for name, value in options.items():
        if name not in known:
            words = f"no option {name!r}{did_you_mean(name, known)}; known: {', '.join(known) or 'none'}"
            raise DecodeError("bad_option", words, field=name, names_field=True)
        kind, default = known[name].annotation, known[name].default
        if not isinstance(value, kind) or (value.__class__ is bool and kind is int):
            raise _invalid(name, _KINDS.get(kind, "text"), value)
        most = default if lower_only and name.startswith("max_") and name not in OF_BROKERS else None
        if value.__class__ is int and not 0 <= value <= (value if most is None else most):
            raise _invalid(name, "a number from 0" + ("" if most is None else f" to {most}"), value)


_KINDS = {int: "a whole number", bool: "true or false"}


def _invalid(name: str, expected: str, value: Any) -> DecodeError:
    problem = f"expected {expected}, got {reprlib.repr(value)}"
    error = DecodeError("bad_option", f"{name}: {problem}", field=name, names_field=True)
    error.problem = problem
    return error


def options_for(
    functions: Iterable[tuple[str, str]],
    given: Mapping[str, object],
    chosen: Mapping[str, object] = NOTHING,
    *,
    lower_only: bool = False,
) -> list[dict[str, Any]]:
    """Return the options of `chosen` that each function has, replaced by those of `given`.

    Each option goes to every function that has it. `chosen` may have unknown options, since it serves all protocols.
    DecodeError `bad_option` for an unknown option in `given`, or an invalid value; with `lower_only`, for untrusted callers,
    also for a limit (`max_...`) above that of `chosen` or the default.

    >>> options_for([("pulsar", "decode_all"), ("rocketmq", "encode")], {"max_batch": 10, "max_body": 2**16})
    [{'max_batch': 10}, {'max_body': 65536}]
    >>> options_for([("pulsar", "decode_all"), ("nsq", "encode")], {"max_batch": 5}, {"max_batch": 10}, lower_only=True)
    [{'max_batch': 5}, {}]
    """
    pairs = list(functions)
    if not (given or chosen):
        return [{} for _ in pairs]  # without importing the codecs
    known = [options_known(protocol, function) for protocol, function in pairs]
    everything = {name: option for options in known for name, option in options.items()}
    if given.keys() - everything:  # raises if a missing package hides the option
        for protocol, _ in pairs:
            protocol_named(protocol).codec_module()
    bounds = {name: option.replace(default=chosen.get(name, option.default)) for name, option in everything.items()}
    _check(bounds, given, lower_only=lower_only)
    return [{name: value for name, value in {**chosen, **given}.items() if name in options} for options in known]


def check_options(options: Mapping[str, object]) -> None:
    """Raise DecodeError `bad_option` for an option that no codec has, or an invalid value.

    >>> check_options({"max_frame_size": 2**20})
    >>> check_options({"max_colours": 5})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.DecodeError: no option 'max_colours'; known: ...
    """
    options_for(product(PROTOCOLS, FUNCTIONS), options)


def options_known(protocol: str, function: str) -> dict[str, inspect.Parameter]:
    """Return the options of a codec's function; empty if the codec lacks it, or needs a package that is not installed."""
    try:
        found = getattr(protocol_named(protocol).codec_module(), function, None)
    except MqConvertError as error:
        if error.code != "missing_package":
            raise
        return {}  # decode or encode raises the error
    return {} if found is None else known_options(found)
