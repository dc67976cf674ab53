"""The pages of app/web and their files. Answers are compressed once and cached."""

import base64
import gzip
import hashlib
import re
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from mqconvert.app.http.work import COMPRESSIBLE, Reply

PAGES = {
    "/": ("convert", "convert a message", "Convert a message between broker protocols and see the outcome of every field."),
    "/rules": ("rules", "rules", "Every rule of every table, and where each field goes."),
    "/fidelity": ("fidelity", "fidelity", "Which fields survive between each pair of protocols, there and back."),
    "/docs": ("docs", "API", "Every route of the service, to read and to try."),
}
"""For each path: the name of the page's style sheet and script, its title and its description."""
ASSETS = "/web"
"""The URL prefix of the files that pages load."""
_FOLDER = Path(__file__).parents[1] / "web"
_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "mjs": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "woff2": "font/woff2",
}
_INLINE = re.compile(rb"<script(?![^>]* src=)[^>]*>(.*?)</script>", re.DOTALL)
_POLICY = (
    "default-src 'none'; script-src 'self'{hashes}; style-src 'self'; font-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_TRUSTED = "; require-trusted-types-for 'script'"
_SWAGGER = """<link rel="stylesheet" href="web/vendor/swagger-ui.css">
<script src="web/vendor/swagger-ui-bundle.js" defer></script>
"""
"""The additional files of the API page, whose library writes HTML as text."""
_HEADERS = {
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
}


def assets() -> set[str]:
    """Return the files that pages may load, by their paths below ASSETS.

    >>> "vendor/preact.mjs" in assets(), "page.html" in assets(), "__init__.py" in assets()
    (True, False, False)
    """
    found = [file for file in _FOLDER.rglob("*") if file.suffix[1:] in _TYPES and file.suffix != ".html"]
    return {file.relative_to(_FOLDER).as_posix() for file in found}


@cache
def page(path: str, docs: str | None = None) -> Reply:
    """Return the page at a path of PAGES, with its Content-Security-Policy. It links to `docs`, the documentation's address."""
    name, title, description = PAGES[path]
    more = _SWAGGER if name == "docs" else ""
    if docs is not None:
        more += f'<link rel="help" href="{escape(docs.rstrip("/"))}/">\n'
    template = Template((_FOLDER / "page.html").read_text(encoding="utf-8"))
    body = template.substitute(name=name, title=title, description=description, more=more).encode()
    reply = _reply("page.html", body)
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in _INLINE.findall(body))
    policy = _POLICY.format(hashes="".join(f" 'sha256-{digest}'" for digest in digests))  # CSP level 3, section 2.3.1
    reply.headers |= _HEADERS | {"content-security-policy": policy + ("" if name == "docs" else _TRUSTED)}
    return reply


@cache
def asset(name: str) -> Reply:
    """Return a file of `assets`."""
    return _reply(name, (_FOLDER / name).read_bytes())


def _reply(name: str, body: bytes) -> Reply:
    suffix = name.rpartition(".")[2]
    headers = {"etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"'}
    reply = Reply(body, media_type=_TYPES[suffix], headers=headers, size=len(body))
    if len(body) >= COMPRESSIBLE and suffix != "woff2":
        reply.body = gzip.compress(body, 9, mtime=0)
        reply.headers |= {"content-encoding": "gzip", "etag": f"W/{headers['etag']}"}
    return reply
