"""From a key to the picture on the page Convert, in Chromium over the real service: `python -m benchmarks.page`.

A message of 34 fields is changed in one of them, twenty times. Each figure is the time from the end of the wait after a key
until the picture has the new value, and is drawn. It writes benchmarks/page.md. It needs the Chromium of scripts/browser.
"""

import json
import statistics
from pathlib import Path
from urllib.parse import quote

from measure import machine
from playwright.sync_api import sync_playwright

from mqconvert.compiled import RUNNING
from tests.app.services import running
from tests.app.test_browser import ARGUMENTS, CHROMIUM

WAIT = 120
"""Milliseconds that the page waits after a key."""
TURNS = 20
MESSAGE = {
    "protocol": "amqp-0.9.1",
    "basic": {
        "content_type": "application/json",
        "correlation_id": "c",
        "priority": 5,
        "reply_to": "replies",
        "expiration": "60000",
        "message_id": "m",
        "timestamp": 1700000000,
        "type": "t",
        "app_id": "a",
        "headers": [[f"x-header-{number}", {"type": "longstr", "value": "v"}] for number in range(23)],
    },
    "payload": "aGk=",
    "routing_key": "orders",
}
HERE = Path(__file__).parent
TIMED = """async (text) => {
  const input = document.getElementById("input"), key = JSON.parse(text).basic.correlation_id, start = performance.now();
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  const there = () => [...document.querySelectorAll(".place .value")].some((one) => one.textContent.trim() === key);
  while (!there()) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""


def milliseconds() -> list[float]:
    with running() as (_, port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        shown = browser.new_page(viewport={"width": 1440, "height": 900})
        shown.goto(f"http://127.0.0.1:{port}/#from=amqp-0.9.1&to=mqtt-5.0&in={quote(json.dumps(MESSAGE))}")
        shown.locator(".picture .place").first.wait_for()
        times = []
        for turn in range(TURNS + 1):
            changed = MESSAGE | {"basic": {**MESSAGE["basic"], "correlation_id": f"turn-{turn}"}}  # type: ignore[dict-item]
            times.append(shown.evaluate(TIMED, json.dumps(changed)) - WAIT)
        browser.close()
    return times[1:]


def main() -> None:
    times = milliseconds()
    figure = f"median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms of {TURNS} (wanted: a median under 100 ms)"
    how = f"Real time on {machine()}, running {RUNNING}, after the {WAIT} ms that the page waits for more keys."
    text = f"# How quick the page is\n\nWritten by `make bench-page`. {how}\n\nA key to the picture, 34 fields: {figure}.\n"
    print(text)
    (HERE / "page.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
