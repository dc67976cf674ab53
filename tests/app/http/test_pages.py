"""The pages of the service load only their own files."""

import asyncio
import re

import pytest

from tests.app.http.inside import in_process
from tests.app.services import SERVICE, Client, service

pytestmark = SERVICE


def test_pages_have_security_headers(client: Client) -> None:
    for path in ("/", "/docs"):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert client.get("/favicon.ico").status_code == 204


@pytest.mark.parametrize("path", ["/", "/rules", "/fidelity", "/docs"])
def test_pages_have_a_strict_policy_and_load_existing_files(client: Client, path: str) -> None:
    page = client.get(path)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    loaded = re.findall(r'(?:src|href)="(web/[^"]+)"|: "./(web/[^"]+)"', page.text)
    assert len(loaded) > 5
    for name in (one or other for one, other in loaded):
        answer = client.get(f"/{name}")
        assert answer.status_code == 200, name
        assert client.get(f"/{name}", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    assert client.get("/web/__init__.py").status_code == 404
    assert client.get("/web/../service.py").status_code == 404


def test_pages_are_the_same_on_every_request() -> None:
    async def ask() -> list[str]:
        async with in_process() as inside:
            return [(await inside.get(path)).text for path in ("/", "/docs") * 2]

    first, second, *again = asyncio.run(ask())
    assert again == [first, second]
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", first + second)


def test_pages_link_to_the_documentation_of_the_settings(client: Client) -> None:
    """shell.js makes the link of the head a link of the page's head line."""
    assert 'rel="help"' not in client.get("/").text
    with service(docs="https://docs.example/a%22&b") as documented:
        for path in ("/", "/docs"):
            assert '<link rel="help" href="https://docs.example/a%22&amp;b/">' in documented.get(path).text
