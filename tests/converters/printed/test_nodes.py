"""Trees: their parts, and what the helpers for tests make of them."""

from mqconvert.converters.printed.nodes import If, Literal, Name, Pass, Return, every, mentions, nodes_in, opposite
from mqconvert.converters.printed.printer import written
from mqconvert.converters.printed.templates import code, template


def test_literals_of_different_types_differ() -> None:
    assert Literal(1) != Literal(True)
    assert Literal("1") != Literal(1)
    assert every([code("{0} == {1}", Name("a"), Literal(1)), code("{0} == {1}", Name("a"), Literal(True))]) is not None


def test_rows_are_comments_and_not_compared() -> None:
    assert If(Name("a"), (Pass(),), (), None) == If(Name("a"), (Pass(),))


def test_every_node_is_found() -> None:
    statement = If(code("f(a, k=b)[c:d]"), (Return(code("[{**e, 1: f}, [g for h in i if j]]")),), (Pass(),))
    assert {node.id for node in nodes_in(statement) if isinstance(node, Name)} == set("fabcdefgij")
    assert mentions([statement], "d")
    assert not mentions([statement], "h")


def test_opposites_are_written_shortly() -> None:
    tests = ["a is None", "a == b", "a in b", "a < b", "a", "a and b", "not a"]
    assert [written(opposite(template(test))) for test in tests] == [
        "a is not None", "a != b", "a not in b", "not a < b", "not a", "not (a and b)", "not not a",
    ]  # fmt: skip
