"""The page at `/` in a real browser: Chromium, driven over the WebDriver protocol (W3C), without a client library.

Skipped where no chromedriver is: `apt-get install chromium chromium-driver` brings it.
"""

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from tests.app.test_operation import running

pytestmark = pytest.mark.skipif(shutil.which("chromedriver") is None, reason="no chromedriver on this machine")

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--window-size=1000,1400"),
)
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The member of an answer that names an element (WebDriver section 11)."""


class Browser:
    """One session: what the page's user does and sees."""

    def __init__(self, driver: httpx.Client, profile: Path) -> None:
        options = {"args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = driver.post("/session", json={"capabilities": {"alwaysMatch": wanted}})
        self.driver, self.path = driver, f"/session/{answer.json()['value']['sessionId']}"

    def ask(self, command: str, body: dict[str, Any]) -> Any:
        answer = self.driver.post(f"{self.path}/{command}", json=body).json()["value"]
        assert not (isinstance(answer, dict) and "error" in answer), answer
        return answer

    def find(self, selector: str) -> str:
        found: str = self.ask("element", {"using": "css selector", "value": selector})[ELEMENT]
        return found

    def text(self, selector: str) -> str:
        shown: str = self.driver.get(f"{self.path}/element/{self.find(selector)}/text").json()["value"]
        return shown

    def poll(self, selector: str, good: Callable[[str], bool]) -> str:
        for _ in range(200):
            if good(text := self.text(selector)):
                return text
            time.sleep(0.05)
        pytest.fail(f"{selector} says {text!r}")

    def complaints(self) -> list[str]:
        """What the browser's console says of errors: scripts, refused styles, missing files."""
        entries = self.ask("se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE" and "favicon" not in entry["message"]]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as driver:
            for _ in range(200):
                try:
                    driver.get("/status")
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            made = Browser(driver, tmp_path_factory.mktemp("profile"))
            yield made
            driver.delete(made.path)
    finally:
        process.terminate()
        process.wait(timeout=30)


def test_the_page_converts_its_example_and_shows_the_report(browser: Browser) -> None:
    with running() as (_, port):
        browser.ask("url", {"url": f"http://127.0.0.1:{port}/"})
        browser.poll("#source", lambda text: "MQTT 5.0" in text)
        assert "AMQP 1.0" in browser.text("#target")
        browser.ask(f"element/{browser.find('form button')}/click", {})
        shown = browser.poll("#answer", lambda text: "Tables: mqtt-5.0 -> amqp-1.0" in text)
        assert "AFNwwAIBQgBTdaACaGk=" in shown
        assert [row.split()[:3] for row in browser.text("#answer .applied").splitlines()] == [
            ["rule", "from", "to"], ["qos", "qos", "header.durable"], ["payload", "payload", "body"],
        ]  # fmt: skip
        given = browser.find("#given")
        browser.ask(f"element/{given}/clear", {})
        browser.ask(f"element/{given}/value", {"text": "!"})
        browser.ask(f"element/{browser.find('form button')}/click", {})
        assert "base64" in browser.poll("#answer", lambda text: "bad_base64" in text)
        assert [words for words in browser.complaints() if "422" not in words] == []


def test_the_interface_is_shown_whole_without_anything_from_elsewhere(browser: Browser) -> None:
    """With a token, too, which the browser is given as the password of an address (and keeps)."""
    with running(token="t0ken") as (_, port):
        browser.ask("url", {"url": f"http://anyone:t0ken@127.0.0.1:{port}/docs"})
        browser.ask("url", {"url": f"http://127.0.0.1:{port}/docs"})
        shown = browser.poll("main", lambda text: "GET /metrics" in text)
        document = create_app(Settings()).openapi()
        for path, methods in document["paths"].items():
            for method in methods:
                assert f"{method.upper()} {path}" in shown
        for name, schema in document["components"]["schemas"].items():
            assert name in shown
            assert all(member in shown for member in schema["properties"])
        assert '{"from":"mqtt-5.0","to":"amqp-1.0","wire":"MAYAAXQAaGk="}' in shown
        browser.ask("url", {"url": f"http://127.0.0.1:{port}/"})
        browser.ask(f"element/{browser.find('form button')}/click", {})
        browser.poll("#answer", lambda text: "Tables: mqtt-5.0 -> amqp-1.0" in text)
        assert [words for words in browser.complaints() if "credentials" not in words and "422" not in words] == []
