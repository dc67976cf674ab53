"""All words for rows: CONDITIONS and TRANSFORMS, filled by the modules with words."""

from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.words import CONDITIONS, TRANSFORMS, conditions, expressions, jsontext, literals, phrases, transforms

for _protocol in PROTOCOLS.known():
    _protocol.learn_words()

__all__ = ["CONDITIONS", "TRANSFORMS", "conditions", "expressions", "jsontext", "literals", "phrases", "transforms"]
