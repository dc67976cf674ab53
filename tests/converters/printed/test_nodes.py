"""Trees: their parts, and what the helpers for tests make of them."""

from mqconvert.converters.printed.nodes import If, Junction, Literal, Name, Pass, Return, every, mentions, nodes_in, opposite
from mqconvert.converters.printed.printer import written
from mqconvert.converters.printed.templates import code, filled, named_once, template, uses


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


def test_a_hole_takes_a_tree_and_never_a_text() -> None:
    made = code("{0}.replace({old}, {new})", Name("value"), old=Literal("{0}"), new=Literal("') or ('"))
    assert written(made) == """value.replace('{0}', "') or ('")"""
    assert filled(made, {"0": Name("other")}) is made
    assert uses(template("{0} if type({0}) is bytes else {0}.encode()"), "0") == 3


def test_a_value_is_computed_once_where_it_is_evaluated_first() -> None:
    made = named_once(template("{0} if type({0}) is bytes else {0}.encode()"), "raw", template("typed.value"))
    assert written(made) == "raw if type(raw := typed.value) is bytes else raw.encode()"
    assert every([]) is None
    assert every([Junction("and", (Name("a"), Name("b"))), Name("a")]) == Junction("and", (Name("a"), Name("b")))
