"""A service that allows rules refuses requests which other sites' pages may have sent."""

import asyncio
from typing import Any

import pytest

from mqconvert.app.http.origins import refusal
from mqconvert.app.http.settings import Settings
from tests.app.http.inside import REQUEST, in_process

OPEN = Settings(allow_rules=True, cors=("https://a.example",), hosts=("mq.example",))
OVERLAY = 'title = "t"\n'
EVIL = "http://evil.example"


def _told(method: str = "POST", **headers: str) -> str | None:
    """Return the code of the refusal of a request with these headers."""
    made = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    refused = refusal({"method": method, "headers": made}, OPEN)
    return None if refused is None else refused.code


OWN_HOSTS = "localhost LocalHost:8000 127.0.0.1:8000 192.0.2.7 [::1]:8000 [2001:db8::1] mq.example MQ.example:443"
OTHER_HOSTS = """evil.example evil.example:8000 localhost.evil.example mq.example.evil.example 127.0.0.1.evil.example 127.1 :80
    [evil.example] [::1]evil.example localhost:80:80 localhost@evil.example evil.example:80@localhost"""


@pytest.mark.parametrize("host", OWN_HOSTS.split())
def test_own_names_and_addresses_are_known_hosts(host: str) -> None:
    assert _told(host=host) is None


@pytest.mark.parametrize("host", ["", *OTHER_HOSTS.split()])
def test_other_names_are_unknown_hosts(host: str) -> None:
    """DNS rebinding: the page's origin is the service's own, but under the name of the attacker."""
    assert _told(host=host, origin=f"http://{host}", sec_fetch_site="same-origin") == "unknown_host"


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"origin": "http://localhost:8000", "sec_fetch_site": "same-origin"}, None),
        ({"origin": "https://localhost:8000"}, None),  # a proxy with TLS stands before the service
        ({"origin": "https://a.example", "sec_fetch_site": "cross-site"}, None),
        ({"sec_fetch_site": "none"}, None),
        ({}, None),
        ({"origin": EVIL}, "cross_origin"),
        ({"origin": "null"}, "cross_origin"),
        ({"origin": ""}, "cross_origin"),
        ({"origin": "http://localhost:3000"}, "cross_origin"),
        ({"origin": "http://localhost"}, "cross_origin"),
        ({"origin": "https://a.example.evil.example"}, "cross_origin"),
        ({"sec_fetch_site": "cross-site"}, "cross_origin"),
        ({"origin": "http://localhost:8000", "sec_fetch_site": "cross-site"}, "cross_origin"),
    ],
)
def test_requests_of_other_sites_are_refused(headers: dict[str, str], code: str | None) -> None:
    assert _told(host="localhost:8000", **headers) == code


def test_a_link_may_open_a_page_but_not_a_frame() -> None:
    link = {"host": "localhost", "sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    assert _told("GET", **link) is None
    assert _told("POST", **link) == "cross_origin"
    assert _told("GET", **link | {"sec_fetch_dest": "iframe"}) == "cross_origin"
    assert _told("GET", **link | {"sec_fetch_mode": "no-cors"}) == "cross_origin"


def test_a_request_without_a_host_has_no_own_origin() -> None:
    assert _told() is None
    assert _told(origin=EVIL) == "cross_origin"


def test_every_path_but_the_open_ones_is_guarded_where_rules_are_allowed() -> None:
    async def ask(settings: Settings, **headers: str) -> dict[str, Any]:
        async with in_process(settings) as inside:
            made = [
                *[await inside.get(path, headers=headers) for path in ("/healthz", "/readyz", "/metrics", "/", "/v1/routes")],
                await inside.post("/v1/convert", json=REQUEST | {"rules": OVERLAY}, headers=headers),
                await inside.post("/v1/convert/batch", params={"from": "nsq", "to": "nsq"}, content=b"", headers=headers),
            ]
        return {answer.request.url.path: answer.status_code for answer in made}

    allowed = Settings(allow_rules=True)
    always = ("/healthz", "/readyz", "/metrics")
    for headers in (
        {"host": "evil.example"},
        {"host": "localhost", "origin": EVIL},
        {"host": "[::1]", "sec-fetch-site": "cross-site"},
    ):
        statuses = asyncio.run(ask(allowed, **headers))
        assert statuses == {path: 200 if path in always else 403 for path in statuses}
    assert set(asyncio.run(ask(allowed, host="localhost")).values()) == {200}
    others = asyncio.run(ask(Settings(), host="evil.example", origin=EVIL))
    assert others.pop("/v1/convert") == 403  # rules_refused
    assert set(others.values()) == {200}


def test_a_refusal_is_a_problem_and_a_metric() -> None:
    async def ask() -> tuple[dict[str, Any], str]:
        async with in_process(Settings(allow_rules=True, hosts=("inside",))) as inside:
            refused = await inside.post("/v1/convert", json=REQUEST, headers={"origin": EVIL})
            assert refused.headers["content-type"] == "application/problem+json"
            return refused.json(), (await inside.get("/metrics")).text

    told, metrics = asyncio.run(ask())
    assert (told["status"], told["code"]) == (403, "cross_origin")
    assert EVIL in told["detail"]
    assert 'code="cross_origin"} 1.0' in metrics
