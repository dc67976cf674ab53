"""A literal of an overlay is refused or means itself: it never becomes code, whatever it holds and wherever it stands.

The function of a row with a hostile literal has the form of the one with an ordinary literal; only its constants differ.
"""

import ast
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconvert import Conversion, Entry, RuleTableError, convert, generated_source
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.mqtt5 import message as mqtt5

pytestmark = pytest.mark.proof

WAY = ("mqtt-5.0", "amqp-1.0")
CANARY = "__import__('os').abort()"
KNOWN = [
    "{0!r:.1}", "{0}", "'", '"', "'\"", '"""', "{", "}", "\\", "\\'", "\n", " and ", "a and b and b and c", CANARY,
    f"' + {CANARY} + '", f"{{0!r:.1}} + {CANARY} + {{0!r:.1}}", "class",
    "None",
]  # fmt: skip
"""Literals that have been code, or nearly."""

HOSTILE = [
    *KNOWN, "'''", "`", "{}", "{{0}}", "{value}", "{literal}", "{0.__class__}", '\\"', "\\n", "\\x27", "\\N{BULLET}",
    "\r\n", "\t", "\0", "\x1b[2J", "\u0085", "\u2028", "\u202e", "\ufeff", "²", "\U0010ffff", "é", " ", "  ",
    " then ", "not", "and", "True", "lambda: 0", "#", "# x, y.toml:1", "a.toml:12",
    "%s", "%(literal)s", "$0", f'" + {CANARY} + "', f"\\' + {CANARY} + \\'", f"')\n{CANARY}\n('", f'"""\n{CANARY}\n"""',
    "0" * 10_000, "key", "value", "made", "typed.value", "x-", "*", "!", "[k]", "]", "a: b", "content_type: is a",
]  # fmt: skip


def _some(name: str) -> list[str]:
    """Return the known literals and, different ones for each test, a third of the others."""
    return [*KNOWN, *HOSTILE[len(KNOWN) + len(name) % 3 :: 3]]


ORDINARY = ["plain", "a b", "é", "p\U0010ffff", "", "x" * 300]
"""Literals of the classes for which a function has another form: empty, not ASCII, with the last character, long ones."""

TEXTS = st.one_of(
    st.sampled_from(HOSTILE),
    st.lists(st.sampled_from(HOSTILE), min_size=2, max_size=3).map("".join),
    st.text(max_size=40),
    st.text(st.sampled_from("'\"{}\\ 0!r:.1+()and\n"), max_size=30),
)


def _bare(text: str) -> str:
    return text


def _bytes(text: str) -> str:
    return "b" + json.dumps(text)


Quote = Callable[[str], str]
ROWS: dict[str, tuple[str, Quote]] = {
    **{f"when {name}": (f'when = "{name} §"', json.dumps) for name in ("is", "begins", "ends", "contains", "beside-is")},
    **{f"when {name} bare": (f'when = "{name} §"', _bare) for name in ("is", "begins", "ends", "contains", "beside-is")},
    "one-of": ('when = "one-of § other"', json.dumps),
    "one-of last": ('when = "one-of other §"', json.dumps),
    "two conditions": ('when = "utf8 and is §"', json.dumps),
    "the first condition": ('when = "is § and utf8"', json.dumps),
    "beside": ('when = "utf8 and not beside-is §"', json.dumps),
    "not": ('when = "not is §"', json.dumps),
    "constant": ('via = "constant §"', json.dumps),
    "two constants": ('via = "constant \\"x\\" then constant §"', json.dumps),
    "choose": ('via = "whether is a then choose § \\"b\\""', json.dumps),
    "choose last": ('via = "whether is a then choose \\"b\\" §"', json.dumps),
    "replaced": ('via = "replaced a §"', json.dumps),
    "replaced from": ('via = "replaced § a"', json.dumps),
    "replaced twice": ('via = "replaced a b then replaced § c"', json.dumps),
}
REPLACED = 'replace = "content-type", reads = ["response_topic"]'
"""Columns of a row for the content type of MQTT, with § for a literal, and how that is written there."""


def _toml(text: str) -> str:
    """Return a text in TOML's form: JSON writes the same, but for DEL and surrogates."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _overlay(columns: str, literal: str, quote: Quote = json.dumps) -> Overlay:
    column, _, text = columns.partition(" = ")
    value = json.loads(text.replace("§", "\ue000")).replace("\ue000", quote(literal))
    return Overlay("mine.toml", f'["mqtt-5.0 -> amqp-1.0"]\nrules = [\n  {{ {REPLACED}, {column} = {_toml(value)} }},\n]\n')


def _form(overlay: Overlay, source: str = "mqtt-5.0", target: str = "amqp-1.0") -> str:
    """Return the function with all texts and bytes alike."""
    tree = ast.parse(generated_source(source, target, rules=overlay))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            node.value = type(node.value)()
    return ast.dump(tree)


def _refusal(overlay: Overlay, *ways: str) -> RuleTableError | None:
    try:
        generated_source(*(ways or WAY), rules=overlay)
    except RuleTableError as error:
        return error
    return None


def _forms(make: Callable[[str], Overlay], source: str = "mqtt-5.0", target: str = "amqp-1.0") -> Iterator[str]:
    made = map(make, ORDINARY)
    return (_form(overlay, source, target) for overlay in made if _refusal(overlay, source, target) is None)


def _constants(overlay: Overlay, source: str = "mqtt-5.0", target: str = "amqp-1.0") -> set[object]:
    tree = ast.parse(generated_source(source, target, rules=overlay))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}


@cache
def _row_forms(position: str) -> set[str]:
    columns, quote = ROWS[position]
    return set(_forms(lambda literal: _overlay(columns, literal, quote)))


@pytest.mark.parametrize("position", ROWS)
def test_a_literal_of_a_row_stays_a_literal(position: str) -> None:
    columns, quote = ROWS[position]
    forms, taken = _row_forms(position), 0
    literals = _some(position)
    for literal in literals:
        overlay = _overlay(columns, literal, quote)
        if (error := _refusal(overlay)) is not None:
            assert (error.file, error.line, error.rule) == ("mine.toml", 3, "content-type")
            continue
        taken += 1
        assert _form(overlay) in forms, literal
    assert taken >= (3 if quote is _bare else len(literals) - 5), "nearly all of them are ordinary literals"


@settings(max_examples=15)
@given(literal=TEXTS, position=st.sampled_from([name for name, (_, quote) in ROWS.items() if quote is json.dumps]))
def test_any_literal_of_a_row_stays_a_literal(literal: str, position: str) -> None:
    columns, _ = ROWS[position]
    overlay = _overlay(columns, literal)
    error = _refusal(overlay)
    assert _form(overlay) in _row_forms(position) if error is None else (error.file, error.line) == ("mine.toml", 3)


def _converted(overlay: Overlay, content_type: str) -> Conversion:
    return convert(
        mqtt5.Message(topic_name="t", content_type=content_type, response_topic=content_type), "amqp-1.0", rules=overlay
    )


def _content_type(overlay: Overlay, content_type: str) -> Any:
    made: Any = _converted(overlay, content_type).message
    return made.properties and made.properties.content_type


PLAIN = [text for text in HOSTILE if text.isascii() and "\0" not in text and text]
"""The literals that a symbol can hold."""


@pytest.mark.parametrize("literal", PLAIN, ids=range(len(PLAIN)))
def test_a_literal_means_exactly_itself(literal: str) -> None:
    def asked(columns: str, *values: str) -> list[bool]:
        overlay = _overlay(columns, literal)
        return [_content_type(overlay, value) is not None for value in values]

    longer, text = f"{literal}~", literal
    assert asked('when = "is §"', text, longer) == [True, False]
    assert asked('when = "is § and utf8"', text, longer) == [True, False]
    assert asked('when = "beside-is §"', text, longer) == [True, False]
    assert asked('when = "one-of § other"', text, longer, "other") == [True, False, True]
    assert asked('when = "begins §"', text, longer, f"~{text}") == [True, True, False]
    assert asked('when = "ends §"', text, longer, f"~{text}") == [True, False, True]
    assert asked('when = "contains §"', longer, f"~{text}", "~") == [True, True, False]
    assert _content_type(_overlay('via = "constant §"', literal), "x") == literal
    assert _content_type(_overlay('via = "constant \\"x\\" then constant §"', literal), "x") == literal
    assert _content_type(_overlay('via = "whether is a then choose § \\"b\\""', literal), "a") == literal
    if len(literal) <= 4096:  # the growth of one value is bounded
        assert _content_type(_overlay('via = "replaced ~ §"', literal), "<~>") == f"<{literal}>"
        assert _content_type(_overlay('via = "replaced § ~"', literal), f"<{literal}>") == "<~>"


TYPE_ROWS: dict[str, tuple[str, Quote]] = {
    "begins": ("when = 'begins §'", _bytes),
    "ends": ("when = 'ends §'", _bytes),
    "contains": ("when = 'contains §'", _bytes),
    "two": ("when = 'utf8 and begins § and utf8'", _bytes),
    "constant": ("""when = "", via = 'constant §'""", json.dumps),
    "constant if": ("""when = "ascii", via = 'constant §'""", json.dumps),
    "choose": ("""when = "", via = 'whether ascii then choose § "a"'""", json.dumps),
}


def _types(columns: str, literal: str, quote: Quote) -> Overlay:
    head, mark, tail = columns.rpartition(" = '")
    value = tail.removesuffix("'").replace("§", quote(literal))
    row = f'{{ replace = "type-longstr-text", {head}{mark[:-1]}{_toml(value)} }}'
    return Overlay("mine.toml", f'["amqp-0.9.1 -> amqp-1.0"]\nremove = ["type-longstr"]\ntypes = [\n  {row},\n]\n')


@pytest.mark.parametrize("position", TYPE_ROWS)
def test_a_literal_of_a_row_of_types_stays_a_literal(position: str) -> None:
    columns, quote = TYPE_ROWS[position]
    ways = ("amqp-0.9.1", "amqp-1.0")
    forms = set(_forms(lambda literal: _types(columns, literal, quote), *ways))
    for literal in KNOWN:
        overlay = _types(columns, literal, quote)
        if (error := _refusal(overlay, *ways)) is not None:
            assert (error.file, error.line, error.rule) == ("mine.toml", 4, "type-longstr-text")
            continue
        assert _form(overlay, *ways) in forms, literal
        wanted: object = literal.encode() if quote is _bytes else literal
        assert wanted in _constants(overlay, *ways)
        headers = [Entry("k", "longstr", b"value")]
        made: Any = convert(amqp091.Message(amqp091.BasicProperties(headers=headers)), "amqp-1.0", rules=overlay).message
        if "constant" in position or position == "choose":
            assert made.application_properties == [Entry("k", "string", literal)]


def test_an_equal_part_of_a_literal_is_not_dropped() -> None:
    """`begins b"a and b and b and c"` took `a and b and c`, too, when tests were split at their text."""
    overlay = _types("when = 'begins §'", "a and b and b and c", _bytes)
    headers = [Entry("k", "longstr", b"a and b and c"), Entry("l", "longstr", b"a and b and b and c")]
    done: Any = convert(amqp091.Message(amqp091.BasicProperties(headers=headers)), "amqp-1.0", rules=overlay)
    assert done.message.application_properties == [Entry("l", "string", "a and b and b and c")]


PROPERTY = 'before = "user-property", id = "m", from = "user_properties'
OTHER_COLUMNS = {
    "a key": f'{PROPERTY}[§]", to = "properties.subject"',
    "a stem": f'{PROPERTY}[§*]", to = "application_properties[*]", as = "string"',
    "a target": f'{PROPERTY}[k]", to = "application_properties[§]", as = "string"',
    "a template": f'{PROPERTY}[k*]", to = "application_properties[§**]", as = "string"',
    "a constant": 'id = "m", from = "@constant", set = { "properties.subject" = "§" }',
    "a reason": f'{PROPERTY}[k]", lost = "§"',
    "a note": f'{PROPERTY}[k]", note = "§"',
    "an error": f'{PROPERTY}[k]", error = "bad_message", note = "§"',
}


@pytest.mark.parametrize("column", OTHER_COLUMNS)
def test_texts_of_other_columns_stay_literals(column: str) -> None:
    def made(literal: str) -> Overlay:
        row = OTHER_COLUMNS[column].replace("§", _toml(literal)[1:-1])
        return Overlay("mine.toml", f'["mqtt-5.0 -> amqp-1.0"]\nrules = [\n  {{ {row} }},\n]\n')

    forms = set(_forms(made))
    for literal in _some(column):
        if (error := _refusal(made(literal))) is not None:
            assert (error.file, error.line) == ("mine.toml", 3) or literal == "*"  # takes all: later rows are never reached
            continue
        assert _form(made(literal)) in forms, literal


WORDS = [
    *((CONDITIONS, "when", name) for name in CONDITIONS.makers),
    *((TRANSFORMS, "via", name) for name in TRANSFORMS.makers),
]


@pytest.mark.parametrize(("_words", "column", "name"), WORDS, ids=[f"{column} {name}" for _, column, name in WORDS])
def test_every_word_takes_or_refuses_any_literals(_words: Any, column: str, name: str) -> None:
    """Words of every protocol, with one to three literals, as they are and in quotes: no other exception leaves them."""
    for at, literal in enumerate(_some(name)):
        forms = (
            literal,
            json.dumps(literal),
            _bytes(literal),
            f"{literal} {literal}",
            f"1 {json.dumps(literal)}",
            f"int {literal} 1",
        )
        row = f"{REPLACED}, {column} = {_toml(f'{name} {forms[at % len(forms)]}')}"
        overlay = Overlay("mine.toml", f'["mqtt-5.0 -> amqp-1.0"]\nrules = [\n  {{ {row} }},\n]\n')
        if (error := _refusal(overlay)) is not None:
            assert (error.file, error.line, error.rule) == ("mine.toml", 3, "content-type")
            continue
        names = {node.id for node in ast.walk(ast.parse(generated_source(*WAY, rules=overlay))) if isinstance(node, ast.Name)}
        assert not {"__import__", "abort"} & names


@pytest.mark.parametrize("literal", HOSTILE, ids=range(len(HOSTILE)))
def test_titles_and_file_names_stay_texts(literal: str) -> None:
    text = f'title = {_toml(literal)}\n["mqtt-5.0 -> amqp-1.0"]\nremove = ["dup"]\n'
    named = Overlay(literal, text)
    error = _refusal(named)
    assert _form(named) == _form(Overlay("mine.toml", text)) if error is None else "not one line of text" in str(error)


def test_a_chain_of_replacements_cannot_fill_the_memory() -> None:
    for via in (" then ".join(["replaced a aa"] * 45), " then ".join([f"replaced a {'a' * 300}"] * 45)):
        with pytest.raises(RuleTableError, match="times longer"):
            _form(_overlay('via = "§"', via, _bare))


def test_many_replacements_convert() -> None:
    overlay = _overlay('via = "replaced §"', " ".join(["a", "b"] * 2000), _bare)
    assert _content_type(overlay, "aba") == "bbb"
