"""The pages of `make site` as files: they convert in Debian's Chromium without a service."""

import functools
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.app.test_browser import ARGUMENTS, CHROMIUM, PATIENCE, PUBLISH, Watched

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no chromium on this machine: scripts/browser"),
    pytest.mark.system,
]
SITE = Path(__file__).parents[2] / "scripts" / "site"


class _Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Suppress the log."""


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[str]:
    """Build the pages below a page of documentation and yield their address on a file server."""
    (tmp_path / "index.html").write_text("<title>Documentation</title>")
    built = subprocess.run([sys.executable, SITE, tmp_path / "site"], check=False, capture_output=True, text=True)
    if built.returncode and not os.environ.get("CI"):
        pytest.skip(f"packages for the browser cannot be fetched: {built.stderr[-200:]}")
    assert built.returncode == 0, built.stderr
    handler = functools.partial(_Files, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/site"
        server.shutdown()


def test_pages_convert_in_the_browser_without_a_service(pages: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        watched = Watched(browser.new_context(viewport={"width": 1400, "height": 900}))
        watched.page.set_default_timeout(PATIENCE)
        page = watched.open(f"{pages}/index.html")
        expect(page.locator(".picture .place").first).to_be_visible()
        expect(page.get_by_role("status")).to_have_count(0)
        page.get_by_label("Message, as").fill(PUBLISH)
        page.get_by_label("Form of the result").get_by_role("button", name="base64").click()
        expect(page.locator("#output")).to_have_text("AFNwwAIBQgBTdaACaGk=")
        page.get_by_label("To", exact=True).select_option("pulsar")  # Pulsar also needs protobuf and its checksum
        expect(page.locator(".picture h3")).to_have_text(["MQTT 5.0", "AMQP 1.0", "Pulsar"])
        page.get_by_role("button", name="Rules", exact=True).click()
        expect(page.locator(".overlay").get_by_label("Overlay in TOML")).to_be_visible()
        page.get_by_role("link", name="Rules").click()
        expect(page.get_by_role("heading", name="Where does a field go?")).to_be_visible()
        page.get_by_role("link", name="Docs").click()
        expect(page).to_have_title("Documentation")
        browser.close()
    assert watched.complaints == []
    assert [url for url in watched.asked if not url.startswith((pages, "data:"))] == [pages.replace("/site", "/index.html")]
