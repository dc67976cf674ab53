"""The wall between the pages of other sites and a service whose requests may bring rules.

A browser sends requests for any page that it shows. It names the page's site in `Origin` (RFC 6454) and `Sec-Fetch-Site` (W3C
Fetch Metadata), and the name by which it found this service in `Host`. A site can let its own name resolve to this machine, so
that its pages have the service's origin (DNS rebinding): only its name in `Host` shows that.
"""

import re
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from mqconvert.app.http.guard import OPEN_PATHS, header
from mqconvert.app.http.metrics import Metrics
from mqconvert.app.http.problems import RefusedError, status_of
from mqconvert.app.http.refusals import shown
from mqconvert.app.http.settings import Settings

ALWAYS = (*OPEN_PATHS, "/metrics")
_HOST = re.compile(r"(?:\[(?P<v6>[^\]]+)\]|(?P<name>[^:\[\]]+))(?::\d*)?")


class Origins:
    """The layer that refuses requests of other sites' pages. The service has it if MQCONVERT_ALLOW_RULES is on."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = None if scope["type"] != "http" or scope["path"] in ALWAYS else refusal(scope, self.settings)
        if refused is None:
            await self.app(scope, receive, send)
        else:
            await self.metrics.problem(status_of(refused), refused.code, refused.message)(scope, receive, send)


def refusal(scope: Scope, settings: Settings) -> RefusedError | None:
    """Return the error for a request that another site's page may have sent; None for any other.

    A request without Host or Origin comes from no current browser's page. Following a link to a page of the service is allowed.

    >>> asked = {"method": "POST", "headers": [(b"host", b"localhost:8000"), (b"origin", b"http://evil.example")]}
    >>> refusal(asked, Settings())
    RefusedError("'http://evil.example' is another site than this service's, and not in MQCONVERT_CORS")
    >>> refusal(asked, Settings(cors=("http://evil.example",)))
    >>> refusal({"method": "GET", "headers": [(b"host", b"evil.example:8000")]}, Settings())
    RefusedError("'evil.example:8000' is not a name of this service (MQCONVERT_HOSTS)")
    """
    host, origin = header(scope, b"host"), header(scope, b"origin")
    if host is not None and not _is_own(host.lower(), settings.hosts):
        return RefusedError(f"{shown(host)} is not a name of this service (MQCONVERT_HOSTS)", code="unknown_host")
    if origin is not None and (origin in settings.cors or "*" in settings.cors):
        return None
    if origin is not None and (host is None or origin.partition("://")[2] != host.lower()):
        words = f"{shown(origin)} is another site than this service's, and not in MQCONVERT_CORS"
        return RefusedError(words, code="cross_origin")
    if header(scope, b"sec-fetch-site") == "cross-site" and not _opens_page(scope):
        return RefusedError("another site's page sent this request (Sec-Fetch-Site: cross-site)", code="cross_origin")
    return None


def _is_own(host: str, names: tuple[str, ...]) -> bool:
    """Return whether a Host is an IP address, `localhost`, or one of the names."""
    parts = _HOST.fullmatch(host)
    if parts is None:
        return False
    name = parts["v6"] or parts["name"]
    if name == "localhost" or name in names:
        return True
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _opens_page(scope: Scope) -> bool:
    """Return whether a browser opens a page in a tab: a link to the service, not a frame."""
    mode, place = header(scope, b"sec-fetch-mode"), header(scope, b"sec-fetch-dest")
    return scope["method"] == "GET" and (mode, place) == ("navigate", "document")
