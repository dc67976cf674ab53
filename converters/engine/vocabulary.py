"""Every word that a row may name: CONDITIONS and TRANSFORMS, filled by importing the words of all protocols."""

from importlib import import_module

from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.words import shared
from mqconvert.converters.words.conditions import CONDITIONS
from mqconvert.converters.words.transforms import TRANSFORMS

for _protocol in PROTOCOLS.values():
    if _protocol.words is not None:
        import_module(_protocol.words)

__all__ = ["CONDITIONS", "TRANSFORMS", "shared"]
