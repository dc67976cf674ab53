"""Hooks of MkDocs (mkdocs.yml): pages from outside docs/, and links to other files of the repository."""

import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation

ROOT = Path(__file__).parents[1]
OUTSIDE = {name: name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "mappings/README.md")}
OUTSIDE["README.md"] = "index.md"
"""Pages outside docs/, and their paths in the site."""

WORKBENCH = "docs/service.md#the-workbench"
"""Links to this section lead to the workbench itself, if `make site` adds it."""
TRIED = {"tables": "rules.html", "mappings": "rules.html", "fidelity": "fidelity.html", "fidelity.md": "fidelity.html"}
"""The page of the workbench for pages in a folder, or of a name; by default index.html."""

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]*)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside docs/."""
    for name, uri in OUTSIDE.items():
        files.append(File.generated(config, uri, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_nav(nav: Navigation, **_: Any) -> Navigation:
    """Link the pages that convert in the browser, if `make site` adds them."""
    if "TRY" in os.environ:
        nav.items.insert(1, Link("Try it", "try/index.html"))
    return nav


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point links to the pages of the site; a link to another file becomes its text.

    Raises SystemExit for a link to a file that does not exist.
    """
    uri = page.file.src_uri
    home = {site: name for name, site in OUTSIDE.items()}.get(uri, f"docs/{uri}")

    def moved(found: re.Match[str]) -> str:
        image, text, target, anchor = found[1], found[2], found[3], found[4] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(home), target))
        if not (ROOT / path).exists():
            raise SystemExit(f"{home}: no file {target}")
        if "TRY" in os.environ and f"{path}{anchor}" == WORKBENCH:
            tried = f"try/{TRIED.get(uri.partition('/')[0], 'index.html')}"
            return f'<a href="{posixpath.relpath(tried, posixpath.dirname(uri) or ".")}">{text}</a>'  # MkDocs has no such page
        site = OUTSIDE.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
        if site is None or not (image or site.endswith(".md")) or site.startswith("examples/"):
            return text
        return f"{image}[{text}]({posixpath.relpath(site, posixpath.dirname(uri) or '.')}{anchor})"

    return _LINK.sub(moved, markdown)
