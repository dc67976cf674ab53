"""The heat map is well-formed SVG whose bars add up."""

import re
from importlib.resources import files
from xml.etree import ElementTree as ET

import pytest

from docs.pictures import WORDS, heat_map

SVG = "{http://www.w3.org/2000/svg}"
TITLES = ["A & B", "<C>"]
COUNTS = {("A & B", "<C>"): {"survives": 1, "lost": 2, "dropped": 1}, ("<C>", "A & B"): {"survives": 3}}


@pytest.fixture(scope="module")
def picture() -> ET.Element:
    return ET.fromstring(heat_map(TITLES, COUNTS, 'Fields that "survive"'))


def test_every_pair_has_a_cell_with_its_share(picture: ET.Element) -> None:
    cells = picture.findall(f"{SVG}g")
    assert [cell.findtext(f"{SVG}title") for cell in cells] == [
        "A & B to <C>: 1 of 4 fields survive",
        "<C> to A & B: 3 of 3 fields survive",
    ]
    assert [cell.findtext(f"{SVG}text") for cell in cells] == ["25%", "100%"]


def test_the_bars_of_a_cell_are_in_order_side_by_side_and_as_wide_as_their_shares(picture: ET.Element) -> None:
    cell = picture.findall(f"{SVG}g")[0]
    bars = [bar for bar in cell.findall(f"{SVG}rect") if bar.get("height") == "5"]
    assert [bar.get("class") for bar in bars] == ["survives", "dropped", "lost"]
    starts, widths = ([float(str(bar.get(name))) for bar in bars] for name in ("x", "width"))
    assert widths == pytest.approx([sum(widths) / 4, sum(widths) / 4, sum(widths) / 2], abs=0.1)
    assert starts[1:] == pytest.approx([start + width for start, width in zip(starts, widths, strict=True)][:-1], abs=0.2)


def test_cells_lie_within_the_picture_in_the_row_of_their_source(picture: ET.Element) -> None:
    _, _, width, height = map(float, str(picture.get("viewBox")).split())
    boxes = [cell.findall(f"{SVG}rect")[0] for cell in picture.findall(f"{SVG}g")]
    (x, y), (other_x, other_y) = [(float(str(box.get("x"))), float(str(box.get("y")))) for box in boxes]
    assert x > other_x
    assert y < other_y
    for box in boxes:
        assert float(str(box.get("x"))) + float(str(box.get("width"))) <= width
        assert float(str(box.get("y"))) + float(str(box.get("height"))) <= height


def test_every_outcome_has_a_colour_for_light_and_dark_and_a_legend(picture: ET.Element) -> None:
    style = str(picture.findtext(f"{SVG}style"))
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    for word, (of_light, of_dark) in WORDS.items():
        assert f".{word}{{fill:{of_light}}}" in light
        assert f".{word}{{fill:{of_dark}}}" in dark
    legend = [text.text for text in picture.findall(f"{SVG}text")]
    assert legend[-len(WORDS) :] == [*WORDS]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for pair in WORDS.values() for colour in pair)


def test_the_colours_are_those_of_the_page() -> None:
    style = (files("mqconvert.app.web") / "style.css").read_text()
    assert [pair for pair in WORDS.values() if not all(colour in style for colour in pair)] == []
