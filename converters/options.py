"""Options of the codecs: keyword arguments of their functions, which are texts, numbers or booleans, by their signatures.

One name means one thing in every codec that has it; what each does stands in the docstring of the codec's function.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.messages import protocol_named


def known_options(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The keyword arguments of a codec's function."""
    parameters = inspect.signature(function).parameters.values()
    return {parameter.name: parameter for parameter in parameters if parameter.kind is inspect.Parameter.KEYWORD_ONLY}


def check(known: Mapping[str, inspect.Parameter], options: Mapping[str, Any], *, lower_only: bool = False) -> None:
    """DecodeError `bad_option` for an option that is not among those known, or for a value that is none of its."""
    for name, value in options.items():
        if name not in known:
            raise DecodeError("bad_option", f"no option {name!r}; known: {', '.join(known) or 'none'}", field=name)
        kind, default = known[name].annotation, known[name].default
        if not isinstance(value, kind) or (value.__class__ is bool and kind is int):
            raise DecodeError("bad_option", f"not of type {getattr(kind, '__name__', kind)}", field=name)
        if value.__class__ is int and not 0 <= value <= (default if lower_only else value):
            raise DecodeError("bad_option", f"not between 0 and {default}" if lower_only else "below 0", field=name)


def options_for(
    source: str | None, target: str | None, options: Mapping[str, str | int | bool]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options that reading messages of `source` takes, and those that writing messages of `target` takes.

    Each goes to whichever has it, to both where both have it; DecodeError `bad_option` for one that neither has, or for a
    value that it cannot have. For those who decode and encode with what was chosen for both.

    >>> options_for("pulsar", "rocketmq", {"max_frame_size": 2**20, "max_body": 2**16})
    ({'max_frame_size': 1048576}, {'max_body': 65536})
    """
    if not options:
        return {}, {}  # and the codecs are not imported
    reading = {} if source is None else known_options(protocol_named(source).codec_module().decode_all)
    writing = {} if target is None else known_options(protocol_named(target).codec_module().encode)
    check(reading | writing, options)
    taken = [{name: value for name, value in options.items() if name in known} for known in (reading, writing)]
    return taken[0], taken[1]
