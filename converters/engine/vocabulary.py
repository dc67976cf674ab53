"""All words for rows: CONDITIONS and TRANSFORMS, filled by the modules with words."""

from functools import cache
from importlib import import_module

from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.words import CONDITIONS, TRANSFORMS, conditions, expressions, literals, phrases, transforms


@cache
def learn(protocol: Protocol) -> None:
    """Import the words of a protocol, once."""
    if protocol.words is not None:
        import_module(protocol.words)


for _protocol in PROTOCOLS.known():
    learn(_protocol)

__all__ = ["CONDITIONS", "TRANSFORMS", "conditions", "expressions", "learn", "literals", "phrases", "transforms"]
