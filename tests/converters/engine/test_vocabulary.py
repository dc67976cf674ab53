"""The vocabulary has the words of every protocol."""

import sys

import pytest

from mqconvert import PROTOCOLS
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS


@pytest.mark.parametrize("word", ["nsq-topic", "ttl-to-seconds", "add-beside", "rocketmq-topic", "typed-text", "text-form"])
def test_transforms_of_every_protocol_are_known(word: str) -> None:
    assert TRANSFORMS.known(word).name == word


@pytest.mark.parametrize("word", ["system-key", "fits typed-text", "sections-beside", "beside-is a"])
def test_conditions_of_every_protocol_are_known(word: str) -> None:
    assert CONDITIONS.known(word).name == word


def test_every_module_with_words_is_loaded() -> None:
    modules = {protocol.words for protocol in PROTOCOLS.known() if protocol.words is not None}
    assert len(modules) >= 5
    assert modules <= sys.modules.keys()
