"""The picture of what survives: a matrix of every pair of protocols as SVG, for the pages."""

from collections.abc import Iterable
from html import escape

_CELL, _LEFT, _TOP = 76, 118, 96
_KINDS = {"survives": "#1a7f5a", "changes": "#d8a21b", "rest": "#c04a3a"}
"""Colours that tell apart with any colour vision, in the order of a cell's bars."""
_STYLE = """text{font:13px system-ui,sans-serif;fill:#1f2328}.n{font-size:11px;fill:#57606a}.c{fill:#f6f8fa}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.n{fill:#9da7b3}.c{fill:#21262d}}"""


def matrix(titles: list[str], shares: dict[tuple[str, str], tuple[int, int, int]]) -> str:
    """Return the matrix. `shares` has for each pair how many fields survive, change, and neither.

    >>> "2 of 4 fields of A survive in B" in matrix(["A", "B"], {("A", "B"): (2, 1, 1), ("B", "A"): (1, 0, 0)})
    True
    """
    width, height = _LEFT + _CELL * len(titles) + 8, _TOP + _CELL * len(titles) + 40
    label = 'role="img" aria-label="What survives of each protocol in each other"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {label}><style>{_STYLE}</style>']
    for at, title in enumerate(titles):
        x, y = _LEFT + _CELL * at + _CELL // 2, _TOP + _CELL * at + _CELL // 2
        parts.append(f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(title)}</text>')
        parts.append(f'<text x="{x}" y="{_TOP - 8}" transform="rotate(-35 {x} {_TOP - 8})">{escape(title)}</text>')
    parts += [
        _cell(_LEFT + _CELL * titles.index(target), _TOP + _CELL * titles.index(source), source, target, share)
        for (source, target), share in shares.items()
    ]
    x, y = _LEFT, height - 14
    for colour, words in zip(_KINDS.values(), ("survive", "change", "dropped, lost, refused or by type"), strict=True):
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" rx="2" fill="{colour}"/>')
        parts.append(f'<text x="{x + 18}" y="{y}">{words}</text>')
        x += 110
    return "\n".join([*parts, "</svg>", ""])


def _cell(x: int, y: int, source: str, target: str, share: Iterable[int]) -> str:
    counts = list(share)
    whole, inner = sum(counts), _CELL - 16
    title = f"{counts[0]} of {whole} fields of {source} survive in {target}, {counts[1]} change"
    bars: list[str] = []
    at = 0.0
    for count, colour in zip(counts, _KINDS.values(), strict=True):
        part = inner * count / whole
        bars.append(f'<rect x="{x + 8 + at:.1f}" y="{y + 34}" width="{part:.1f}" height="16" fill="{colour}"/>')
        at += part
    size = _CELL - 4
    return (
        f"<g><title>{escape(title)}</title>"
        f'<rect class="c" x="{x + 2}" y="{y + 2}" width="{size}" height="{size}" rx="5"/>'
        f'<text class="n" x="{x + _CELL // 2}" y="{y + 24}" text-anchor="middle">{counts[0]} of {whole}</text>'
        f"{''.join(bars)}</g>"
    )
