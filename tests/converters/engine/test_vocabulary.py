"""The vocabulary has the words of every protocol, and learns those of others once."""

import sys
from types import ModuleType

import pytest

from mqconvert import PROTOCOLS
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS, learn
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols.mqtt5.message import Message


@pytest.mark.parametrize(
    "word", ["nsq-message-id", "phpmq-message-id", "pairs-to-lists", "rocketmq-escaped", "typed-text", "text-form"]
)
def test_transforms_of_every_protocol_are_known(word: str) -> None:
    assert TRANSFORMS.known(word).name == word


@pytest.mark.parametrize("word", ["legal-nsq-name", "opaque", "native-text", "types-beside a=uint", "in-batch uint"])
def test_conditions_of_every_protocol_are_known(word: str) -> None:
    assert CONDITIONS.known(word).name == word


def test_every_module_with_words_is_loaded() -> None:
    modules = {protocol.words for protocol in PROTOCOLS.known() if protocol.words is not None}
    assert len(modules) >= 5
    assert modules <= sys.modules.keys()


def test_the_words_of_a_protocol_are_imported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []

    def imports(name: str) -> ModuleType:
        imported.append(name)
        return ModuleType(name)

    monkeypatch.setattr("mqconvert.converters.engine.vocabulary.import_module", imports)
    types = PROTOCOLS["mqtt-5.0"].types
    for protocol in (
        Protocol("other", "Other", Message, types, codec="other.codec", words="other.words"),
        Protocol("without", "Without words", Message, types, codec="other.codec"),
    ):
        learn(protocol)
        learn(protocol)
    assert imported == ["other.words"]
