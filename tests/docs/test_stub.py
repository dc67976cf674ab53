"""The stub of the package has the public names, and a signature for each protocol."""

import ast
from collections import Counter
from types import FunctionType

import mqconvert
from docs.stub import PACKAGE, _overloads
from mqconvert import Message, has_frames
from mqconvert.converters.protocols import PROTOCOLS

STUB = ast.parse((PACKAGE / "__init__.pyi").read_text())
FUNCTIONS = Counter(node.name for node in STUB.body if isinstance(node, ast.FunctionDef))


def test_the_stub_exports_the_public_names() -> None:
    imported = {alias.name for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    (listed,) = (node.value for node in STUB.body if isinstance(node, ast.Assign))
    assert sorted(ast.literal_eval(listed)) == sorted(mqconvert.__all__)
    assert set(mqconvert.__all__) <= imported | FUNCTIONS.keys()


def test_a_result_has_a_signature_for_each_protocol_and_one_for_other_names() -> None:
    ours = PROTOCOLS.ours()
    messages = dict.fromkeys(("convert", "converter", "decode_all", "decode_each", "message_from_json"), len(ours) + 1)
    framed = sum(has_frames(protocol.name) for protocol in ours)
    frames = dict.fromkeys(("decode_frames", "decode_each_frame", "frame_from_json"), framed + 1)
    with_spans = {"decode": 2 * (len(ours) + 1)}
    several = {name: count for name, count in FUNCTIONS.items() if count > 1}
    assert messages | frames | with_spans == several


def example(value: int = 1, protocol: str | None = None, *, limit: int = max(1, 2)) -> list[Message]:
    """Return nothing."""
    return [][: value + limit + len(protocol or "")]


def test_the_name_of_a_protocol_is_required_where_it_decides() -> None:
    assert isinstance(example, FunctionType)
    hub, *_, other = _overloads(example, None)
    assert "def example(value: int, protocol: Literal['amqp-1.0'], *, limit: int=...) -> list[amqp10.Message]:" in hub
    assert '"""Return nothing."""' in hub
    assert "def example(value: int=1, protocol: str | None=None, *, limit: int=...) -> list[Message]:" in other
