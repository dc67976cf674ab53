"""Words with literals: inlined code gives the results of the function, and invalid literals are refused."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mqconvert import Entry, RuleTableError, TypedValue, convert
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.printed.nodes import literal
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.words import NOT_MINE, Partial
from tests.expressions import seen, value_of

NUMBERS = [-(2**64), -1001, -2, -1, 0, 1, 2, 4, 5, 999, 1000, 1001, 2**64]
TEXTS = ["", "a", "b", "a b", "{0}", "'", "abc", "é"]
ASKED: dict[str, tuple[list[Any], list[Any]]] = {
    "at-most 4": (NUMBERS, [-(2**64), -1001, -2, -1, 0, 1, 2, 4]),
    "at-least -1": (NUMBERS, [-1, 0, 1, 2, 4, 5, 999, 1000, 1001, 2**64]),
    "is 4": (NUMBERS, [4]),
    "is a": (TEXTS, ["a"]),
    'is "a b"': (TEXTS, ["a b"]),
    "begins a": (TEXTS, ["a", "a b", "abc"]),
    "one-of a {0} '": (TEXTS, ["a", "{0}", "'"]),
    "ends b": (TEXTS, ["b", "a b"]),
    "contains {0}": (TEXTS, ["{0}"]),
    "beside-is 1": ([0, 1, 2, None, "1"], [1]),
    "beside-is envelope": (["envelope", "body", None], ["envelope"]),
    'beside-is b"a"': ([b"a", b"b", "a", None], [b"a"]),
    'beside-is "a b"': (TEXTS, ["a b"]),
    'contains b"\\u0000"': ([b"a", b"a\0"], [b"a\0"]),
}
MADE: dict[str, tuple[Any, Any]] = {
    "choose 2 1": (True, 2),
    "choose 1 0": (0, 0),
    'choose "a b" "{0}"': (False, "{0}"),
    "whether is 2": (2, True),
    "whether at-least 1": (0, False),
    "scale 1000": (5, 5000),
    "scale 1/1000": (-1, -1),
    "add 1": (5, 6),
    "add -1": (5, 4),
    "constant 3": (None, 3),
    "constant -3": (None, -3),
    "constant true": (None, True),
    "constant false": (None, False),
    'constant ""': (None, ""),
    'constant "a {0} \\u00e9"': (None, "a {0} é"),
    'constant b"\\u0000"': (None, b"\0"),
    "replaced / .": ("a/b/c", "a.b.c"),
    "replaced ' {0} b c": ("a'b", "a{0}c"),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_condition_uses_its_literals(name: str) -> None:
    values, wanted = ASKED[name]
    word = CONDITIONS[name]
    assert [value for value in values if word.function(*seen(word, value))] == wanted
    assert [value for value in values if value_of(word.inline, *seen(word, value))] == wanted


@pytest.mark.parametrize("name", MADE)
def test_a_transform_uses_its_literals(name: str) -> None:
    value, wanted = MADE[name]
    word = TRANSFORMS[name]
    for made in (word.function(value), value_of(word.inline, value)):
        assert (made, type(made)) == (wanted, type(wanted))
    assert word.gives == type(wanted).__name__


def typed(type_: str, value: Any) -> TypedValue:
    return TypedValue(type_, value)


ENCODED = "message/vnd.rabbitmq.amqp"
NULL = amqp10.AmqpValue(typed("null", None))
CALLED: dict[str, tuple[list[tuple[Any, ...]], list[Any]]] = {
    "outside -1": ([(-2, 9), (10, 9), ("9", 9), (-1, 9)], [True, True, False, False]),
    "outside 0 9": ([(-1,), (10,), ("10",), (9,), ("0",), ("x",), (None,), (True,)], [True, True, True, *[False] * 5]),
    "at-least -1 and at-most 4": ([(-2,), (-1,), (4,), (5,)], [False, True, True, False]),
    'begins " a"': ([(" ab",), ("ab",)], [True, False]),
    "joined-by ,": ([(["a", "b"],), ([],), (["a,b"],)], ["a,b", "", NOT_MINE]),
    "split-by ,": ([("a,b",), ("",)], [["a", "b"], [""]]),
    "body-as data": ([(b"a",)], [amqp10.Data([b"a"])]),
    "decoded-body": ([(b"\0Sw@", ENCODED), (b"\0Sw@", None), (b"a", ENCODED)], [NULL, NOT_MINE, NOT_MINE]),
    "body-as value-null": ([(b"",), (b"a",)], [NULL, NOT_MINE]),
    "by-clock time": ([(1500, "long", 1000)], [2500]),
    "by-clock delay 100": ([(1500, "long", 1000)], [NOT_MINE]),
    "by-clock delay 1000": ([(1500, "long", 1000)], [500]),
    "read binary": ([("YQ==",)], [b"a"]),
    "read timestamp": ([("+5",)], [NOT_MINE]),
    "body-as value-string": ([(b"a",), (b"\xff",)], [amqp10.AmqpValue(typed("string", "a")), NOT_MINE]),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLED)
def test_a_word_with_literals_gives_the_expected_answers(name: str) -> None:
    given, wanted = CALLED[name]
    word: Any = CONDITIONS.get(name) or TRANSFORMS[name]
    assert [word.function(*values) for values in given] == wanted


OF_TEXT = (
    "is acme",
    'is "é"',
    "one-of acme é",
    "begins ac",
    "ends me",
    "contains cm",
    "not is acme",
    "whether is acme",
    "whether not ends e",
)


@pytest.mark.parametrize("name", OF_TEXT)
@given(value=st.sampled_from(["acme", "acm", "me", "é", "", "a"]) | st.text(max_size=9))
def test_words_about_text_match_bytes_by_their_utf8(name: str, value: str) -> None:
    word: Any = CONDITIONS.get(name) or TRANSFORMS[name]
    wanted = word.function(value)
    assert value_of(word.inline_for("str"), value) is wanted
    assert word.function(value.encode()) is wanted
    assert value_of(word.inline_for("bytes"), value.encode()) is wanted
    assert word.inline_for(None) is None  # of both: the function is called


@pytest.mark.parametrize("type_", ["", ', type = "longstr"', ', type = "longstr|binary"'])
@pytest.mark.parametrize("when", ["is acme", "one-of acme x", 'is b"acme"', "set and not is other"])
def test_a_row_matches_a_long_string_by_its_text(when: str, type_: str) -> None:
    row = f"""before = "header", id = "a", from = "basic.headers[tenant]"{type_}, when = {when!r}, note = "n\""""
    text = f'["amqp-0.9.1 -> mqtt-5.0"]\nrules = [\n  {{ {row} }},\n]\n'
    for value, found in ((b"acme", True), (b"other", False)):
        properties = amqp091.BasicProperties(headers=[Entry("tenant", "longstr", value)])
        done = convert(amqp091.Message(basic=properties, routing_key="t"), "mqtt-5.0", rules=Overlay("mine.toml", text))
        assert ("a" in [entry.rule for entry in done.report.dropped]) is found


@pytest.mark.parametrize(
    ("when", "entry", "found"),
    [
        ("beside-is acme", Entry("tenant", "longstr", b"acme"), True),
        ("beside-is acme", Entry("tenant", "longstr", b"other"), False),
        ("not beside-is acme", Entry("tenant", "longstr", b"acme"), False),
        ("set and beside-is 5", Entry("tenant", "int", 5), True),
        ("same-beside", Entry("tenant", "longstr", b"text/plain"), True),
        ("same-beside", Entry("tenant", "longstr", b"text/html"), False),
    ],
)
def test_a_row_matches_the_entry_beside_it(when: str, entry: Entry, found: bool) -> None:
    row = f"""before = "content-type", id = "a", from = "basic.content_type", when = {when!r}, note = "n\""""
    text = f'["amqp-0.9.1 -> mqtt-5.0"]\nrules = [\n  {{ {row}, reads = ["basic.headers[tenant]"] }},\n]\n'
    properties = amqp091.BasicProperties(content_type="text/plain", headers=[entry])
    done = convert(amqp091.Message(basic=properties, routing_key="t"), "mqtt-5.0", rules=Overlay("mine.toml", text))
    assert ("a" in [entry.rule for entry in done.report.dropped]) is found


def test_the_payload_beside_a_row_is_matched_by_its_text() -> None:
    word = CONDITIONS["beside-is acme"]
    assert [value_of(word.inline_for("bytes"), None, value) for value in (b"acme", b"other")] == [True, False]
    row = 'before = "content-type", id = "a", from = "basic.content_type", when = "beside-is acme", reads = ["payload"]'
    text = f'["amqp-0.9.1 -> mqtt-5.0"]\nrules = [\n  {{ {row} }},\n]\n'
    properties = amqp091.BasicProperties(content_type="text/plain")
    for payload, found in ((b"acme", True), (b"other", False)):
        message = amqp091.Message(basic=properties, routing_key="t", payload=payload)
        done = convert(message, "mqtt-5.0", rules=Overlay("mine.toml", text))
        assert ("a" in [entry.rule for entry in done.report.dropped]) is found


def test_a_word_that_follows_another_gets_the_kind_of_its_result() -> None:
    word = TRANSFORMS['constant b"acme" then whether is acme then choose 1 2']
    assert (value_of(word.inline, None), word.function(None)) == (1, 1)
    assert TRANSFORMS["octets then whether is acme"].function("acme") is True
    first = TRANSFORMS["whether is acme then choose 1 2"]
    assert [value_of(first.inline_for("bytes"), value) for value in (b"acme", b"a")] == [1, 2]


def test_a_condition_of_text_names_the_types_that_it_is_for() -> None:
    row = 'before = "header", id = "a", from = "basic.headers[k]", when = "begins a"'
    text = f'["amqp-0.9.1 -> mqtt-5.0"]\nrules = [\n  {{ {row} }},\n]\n'
    with pytest.raises(RuleTableError, match=r"it is for values of type longstr, binary; .*: type = \"longstr\|binary\"$"):
        convert(amqp091.Message(), "mqtt-5.0", rules=Overlay("mine.toml", text))


WRONG = {
    'when = "at-most"': "unknown condition 'at-most': '' is not a whole number",
    'when = "at-most 1.5"': "unknown condition 'at-most 1.5': '1.5' is not a whole number",
    'when = "at-least x"': "unknown condition 'at-least x': 'x' is not a whole number",
    'when = "is"': "unknown condition 'is': '' is not a whole number",
    'when = "begins"': "unknown condition 'begins': it needs a text",
    'when = "value-of"': "unknown condition 'value-of': it needs a text",
    'when = "number 1 2 3"': "unknown condition 'number 1 2 3': it needs two whole numbers at most",
    'to = "basic.priority", via = "choose 1"': "unknown transform 'choose 1': it needs two constants",
    "to = 'basic.priority', via = 'choose 1 \"a\"'": "its constants are of two kinds",
    'to = "basic.priority", via = "whether same-beside"': "'same-beside' is not a condition of one value",
    'to = "basic.priority", via = "low-bits x"': "unknown transform 'low-bits x': 'x' is not a whole number",
    'to = "basic.priority", via = "low-bits 0"': "unknown transform 'low-bits 0': it needs a number from 1 to 64",
    'to = "basic.priority", via = "low-bits 100000000000"': "it needs a number from 1 to 64",
    'to = "basic.priority", via = "annotation colour"': "'annotation colour': it needs one of binary, boolean, byte",
    'to = "basic.priority", via = "read list"': "unknown transform 'read list': it needs one of binary, boolean, byte",
    'when = "is 007"': "unknown condition 'is 007': '007' is not a whole number",
    'when = "longer-than  5"': "unknown condition 'longer-than  5': ' 5' is not a whole number",
    'when = "one-of a"': "unknown condition 'one-of a': it needs two names or more",
    'when = "one-of a, b"': "unknown condition 'one-of a, b': its names have one space between them and no comma",
    'when = "one-of a  b"': "unknown condition 'one-of a  b': it needs names with one space between them",
    'when = "outside 1"': 'condition outside 1 looks at 1 more: it needs reads = ["PLACE"], and 0 are read',
    'when = "outside 1 2 3"': "unknown condition 'outside 1 2 3': it needs one or two whole numbers",
    'to = "payload", via = "body-as x"': "unknown transform 'body-as x': it needs one of data, value-null",
    'when = "ends"': "unknown condition 'ends': it needs a text",
    'when = "set 5"': "unknown condition 'set 5': it has no literals",
    "when = 'begins \"x'": "unknown condition 'begins \"x': a double quote without a second one",
    "when = 'begins \"x\" y'": "'\"x\" y' is not a text in double quotes",
    "when = 'is \"text/plain\" and'": "'\"text/plain\" and' is not a text in double quotes",
    "when = 'is \"a and set'": "a double quote without a second one",
    'when = "scale 5"': "unknown condition 'scale 5'",
    'to = "basic.expiration", via = "scale 0"': "unknown transform 'scale 0': it needs a number above 0",
    'to = "basic.expiration", via = "add x"': "unknown transform 'add x': 'x' is not a whole number",
    'to = "basic.expiration", via = "constant"': "unknown transform 'constant': '' is not a whole number",
    "to = 'basic.expiration', via = 'constant \"'": "unknown transform 'constant \"': a double quote without a second one",
    'to = "payload", via = "constant b"': "unknown transform 'constant b': 'b' is not a whole number",
    'to = "basic.expiration", via = "at-most 5"': "unknown transform 'at-most 5'",
    'to = "basic.expiration", via = "constant 5"': "basic.expiration holds shortstr (str), but the row gives int",
    'when = "longer-than 5"': "when = 'longer-than 5' fails for header.ttl of type uint",
}


@pytest.mark.parametrize("row", WRONG)
def test_wrong_literals_are_refused_with_file_and_line(row: str) -> None:
    text = (
        '["amqp-1.0 -> amqp-0.9.1"]\nrules = [\n  { before = "ttl", id = "a", from = "header.ttl", note = "n", '
        + row
        + " },\n]\n"
    )
    with pytest.raises(RuleTableError) as caught:
        convert(amqp10.Message(), "amqp-0.9.1", rules=Overlay("mine.toml", text))
    assert str(caught.value).startswith("mine.toml:3: ")
    assert WRONG[row] in str(caught.value)


@given(value=st.text(max_size=90) | st.binary(max_size=90), most=st.integers(0, 90))
def test_longer_than_counts_the_bytes_of_text(value: str | bytes, most: int) -> None:
    raw = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    word = CONDITIONS[f"longer-than {most}"]
    assume(isinstance(value, bytes) or not any("\ud800" <= character <= "\udfff" for character in value))
    assert word.function(value) is (len(raw) > most)
    assert value_of(word.rare, value) or not word.function(value)


@given(value=st.text(max_size=30) | st.integers(-10, 400_000_000_000).map(str))
def test_number_accepts_decimal_text_within_its_bounds(value: str) -> None:
    for name in ("number", "number 0", "number 0 315360000000", "number -9 9"):
        quick = CONDITIONS[name].quick.get("str", literal(False))
        assert not value_of(quick, value) or CONDITIONS[name].function(value)
    if CONDITIONS["number"].function(value):
        assert str(int(value)).lstrip("-") == (value.lstrip("+-").lstrip("0") or "0")
        assert CONDITIONS["number 0"].function(value) is (int(value) >= 0)
        assert CONDITIONS["number 0 315360000000"].function(value) is (0 <= int(value) <= 315_360_000_000)
    else:
        assert not CONDITIONS["number 0"].function(value)


@pytest.mark.parametrize("value", ["0", "-5", "+5", b"5", "0" * 255])
def test_number_takes_decimal_text_and_bytes(value: str | bytes) -> None:
    assert CONDITIONS["number"].function(value)


@pytest.mark.parametrize("value", ["", "-", "5 ", "٣", b"\xff", "0" * 256, "1_0"])
def test_number_refuses_text_other_than_short_decimals(value: str | bytes) -> None:
    assert not CONDITIONS["number"].function(value)


@pytest.mark.parametrize(("type_", "holds"), [("binary", True), ("string", False)])
def test_value_of_looks_at_the_type_in_the_body(type_: str, *, holds: bool) -> None:
    body = amqp10.AmqpValue(TypedValue(type_, b"" if type_ == "binary" else ""))
    assert CONDITIONS["value-of binary"].function(body) is holds


@given(value=st.integers(-1000, 1000))
def test_low_bits_reports_the_bits_that_it_cuts(value: int) -> None:
    made = TRANSFORMS["low-bits 8"].function(value)
    assert made == (value if 0 <= value < 256 else Partial(value % 256, "more than 8 bits"))


def test_an_or_inside_quotes_is_text() -> None:
    with pytest.raises(ValueError, match="write a row for each"):
        CONDITIONS.known("is a or is b")
    with pytest.raises(ValueError, match=r"in double quotes$"):
        CONDITIONS.known('is "a or b" c')
