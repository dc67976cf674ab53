"""The heat map of the page Fidelity as SVG, for the pages of docs."""

from collections.abc import Mapping
from html import escape

WORDS = {
    "survives": ("#2268b0", "#6db1f2"),
    "changes": ("#a06a00", "#e9b44c"),
    "depends": ("#4c7a5a", "#8fcaa2"),
    "dropped": ("#666b75", "#9aa1ae"),
    "accounted": ("#7a52a8", "#c2a0ec"),
    "lost": ("#bf3517", "#ff8765"),
    "refused": ("#8c1d3f", "#ff7ea0"),
}
"""The outcomes in the order of a cell's bar, with their light and dark colours (app/web/style.css)."""
_WIDTH, _HEIGHT, _GAP, _LEFT, _TOP = 85, 62, 3, 92, 30
_STYLE = "text{font:600 12px system-ui;fill:#5a5d66;text-anchor:middle}.n{font-size:16px;fill:#1b1d22}.c{fill:#f0f0ec}"
_DARK = "text{fill:#a3a8b4}.n{fill:#e9eaee}.c{fill:#23272f}"


def heat_map(titles: list[str], counts: Mapping[tuple[str, str], Mapping[str, int]], label: str) -> str:
    """Return the matrix. `counts` has the number of fields with each outcome of WORDS, for each pair.

    >>> "A to B: 1 of 4 fields survive" in heat_map(["A", "B"], {("A", "B"): {"survives": 1, "lost": 3}}, "Fields")
    True
    """
    width, height = _LEFT + (_WIDTH + _GAP) * len(titles), _TOP + (_HEIGHT + _GAP) * len(titles) + 30
    light, dark = ("".join(f".{word}{{fill:{pair[at]}}}" for word, pair in WORDS.items()) for at in (0, 1))
    style = f"{_STYLE}{light}@media(prefers-color-scheme:dark){{{_DARK}{dark}}}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">']
    parts.append(f"<style>{style}</style>")
    for at, title in enumerate(titles):
        parts.append(_text(_x(at) + _WIDTH / 2, _TOP - 10, title))
        parts.append(_text(_LEFT - 10, _y(at) + _HEIGHT / 2 + 4, title, 'style="text-anchor:end"'))
    for (source, target), found in counts.items():
        parts.append(_cell(_x(titles.index(target)), _y(titles.index(source)), f"{source} to {target}", found))
    for at, word in enumerate(WORDS):
        x = _LEFT + at * (width - _LEFT) / len(WORDS)
        parts.append(f'<rect class="{word}" x="{x:g}" y="{height - 22}" width="12" height="12" rx="3"/>')
        parts.append(_text(x + 18, height - 12, word, 'style="text-anchor:start"'))
    return "\n".join([*parts, "</svg>", ""])


def _x(column: int) -> int:
    return _LEFT + column * (_WIDTH + _GAP)


def _y(row: int) -> int:
    return _TOP + row * (_HEIGHT + _GAP)


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" {more}>{escape(text)}</text>'


def _cell(x: int, y: int, way: str, counts: Mapping[str, int]) -> str:
    whole, survive = sum(counts.values()), counts.get("survives", 0)
    box = f'x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"'
    bars, at, room = [], x + _WIDTH * 0.16, _WIDTH * 0.68
    for word in WORDS:
        part = room * counts.get(word, 0) / whole
        if part:
            bars.append(f'<rect class="{word}" x="{at:.1f}" y="{y + 40}" width="{part:.1f}" height="5"/>')
        at += part
    return (
        f'<g><title>{escape(way)}: {survive} of {whole} fields survive</title><rect class="c" {box}/>'
        f'<rect class="survives" fill-opacity="{survive / whole * 0.66:.2f}" {box}/>'
        f'<text class="n" x="{x + _WIDTH / 2:g}" y="{y + 30}">{int(100 * survive / whole + 0.5)}%</text>{"".join(bars)}</g>'
    )
