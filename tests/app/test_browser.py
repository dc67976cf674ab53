"""The pages in Debian's Chromium, over the real service. scripts/browser installs it; in CI its absence is a failure.

Its headless shell shows the same pages, to the pixel, without windows, in half of the processor time.

Pictures of them are kept in docs/images; `make pictures` renews these.
"""

import io
import json
import os
import random
import re
import shutil
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, urlencode
from zlib import DEFLATED, MAX_WBITS, compressobj

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, ViewportSize, expect, sync_playwright

from mqconvert import Summary
from tests.app.services import running
from tests.app.test_texts import CASES

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--font-render-hinting=slight"]
"""The shell would hint fonts fully; Chromium hints them as a desktop does."""
WORKBENCH = ("/", "/rules", "/fidelity")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no chromium on this machine: scripts/browser"),
    pytest.mark.xdist_group("browser"),
]
PATIENCE = 60_000
"""Milliseconds to wait for content of a page: CI machines are slow while other tests run."""
expect.set_options(timeout=PATIENCE)
SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
PUBLISH = "3006000174006869"
"""An MQTT 5.0 PUBLISH to topic t with payload hi, in hex."""


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with running(allow_rules="on") as (_, port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


SIZE: ViewportSize = {"width": 1400, "height": 900}


class Watched:
    """A page with all of its requests and complaints."""

    def __init__(self, context: BrowserContext) -> None:
        context.set_default_timeout(PATIENCE)
        self.page: Page = context.new_page()
        self.asked: list[str] = []
        self.sent: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", self._request)
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _request(self, request: Request) -> None:
        self.asked.append(request.url)
        self.sent.append(request.post_data or "")

    def open(self, url: str) -> Page:
        self.page.goto(url)
        return self.page

    def open_whole(self, url: str) -> Page:
        """Open a page for a test of all that it shows or asks for: half a second has no request."""
        self.page.goto(url, wait_until="networkidle")
        return self.page

    def forget(self, service: str) -> None:
        """Leave the page like a new one, at another address: to open the next one loads everything again."""
        self.page.unroute_all()
        for other in self.page.context.pages:
            if other is not self.page:
                other.close()
        self.page.context.clear_permissions()
        self.page.set_viewport_size(SIZE)
        self.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        self.page.mouse.move(0, 0)
        self.page.goto(f"{service}/healthz")
        self.page.evaluate("localStorage.clear()")
        for kept in (self.asked, self.sent, self.complaints):
            kept.clear()


@pytest.fixture(scope="module")
def _tab(browser: Browser) -> Watched:
    return Watched(browser.new_context(viewport=SIZE))


@pytest.fixture
def watched(_tab: Watched, service: str) -> Iterator[Watched]:
    """Return the page that tests share: a process of its own for each page would take as much time as the page."""
    yield _tab
    _tab.forget(service)


@pytest.fixture
def fresh(browser: Browser) -> Iterator[Watched]:
    """Return a page of a browser that has loaded nothing before."""
    with browser.new_context(viewport=SIZE) as context:
        yield Watched(context)


def _settled(page: Page) -> None:
    expect(page.locator(".picture .place").first).to_be_visible()
    expect(page.locator(".stale")).to_have_count(0)


def _type(page: Page, text: str) -> None:
    page.get_by_label("Message, as").fill(text)


def _overlay(page: Page) -> Locator:
    """Return the editor of overlays, once it has replaced the plain one."""
    return page.locator(".overlay").get_by_label("Overlay in TOML")


@pytest.mark.parametrize("path", WORKBENCH)
def test_page_loads_without_errors_and_requests_only_its_own_service(fresh: Watched, service: str, path: str) -> None:
    _check_load(fresh, service, path)


def _check_load(fresh: Watched, service: str, path: str) -> Page:
    page = fresh.open_whole(service + path)
    expect(page.locator("header.shell nav a[aria-current]")).to_have_count(1)
    assert fresh.complaints == []
    assert [url for url in fresh.asked if not url.startswith((service, "data:"))] == []
    return page


def test_convert_updates_while_the_user_types(watched: Watched, service: str) -> None:
    page = watched.open(service)
    _settled(page)
    _type(page, PUBLISH)
    expect(page.locator("#output")).to_contain_text('"protocol": "amqp-1.0"')
    expect(page.get_by_role("button", name="hex", pressed=True)).to_be_visible()  # the page recognised the form
    _type(page, "MAYAAXQAaGk=")
    expect(page.get_by_label("Form of the source").get_by_role("button", name="base64", pressed=True)).to_be_visible()
    page.get_by_label("Form of the result").get_by_role("button", name="base64").click()
    expect(page.locator("#output")).to_have_text("AFNwwAIBQgBTdaACaGk=")
    assert watched.complaints == []


def test_page_reads_bytes_as_text_like_the_command_line(watched: Watched, service: str) -> None:
    """`hex` of the page takes the lines of a hex dump, too."""
    page = watched.open(service)
    read = """async ([cases, module]) => {
        const { bytesOf, formsOf, toHex } = await import(module);
        const read = (text, form) => { try { return toHex(bytesOf(text, form)).replaceAll(" ", ""); } catch { return null; } };
        return cases.map(({ text, form }) => [read(text, form), formsOf(text).map((seen) => read(text, seen))]);
    }"""
    module = page.evaluate("performance.getEntriesByType('resource').find((one) => /bytes[.]js/.test(one.name)).name")
    for case, (answer, seen) in zip(CASES, page.evaluate(read, [CASES, module]), strict=True):
        assert answer == case["hex"], case
        assert case["hex"] in (None, "") or case["hex"] in seen, case


def test_a_dump_without_text_is_read_as_hex_where_base64_was_read_before(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    _type(page, "MAYAAXQAaGk=")
    expect(page.get_by_label("Form of the source").get_by_role("button", name="base64", pressed=True)).to_be_visible()
    _type(page, "0000   30 06 00 01 74 00 68 69")  # its digits are as many as base64 has characters
    expect(page.get_by_label("Form of the source").get_by_role("button", name="hex", pressed=True)).to_be_visible()
    assert watched.complaints == []


def test_text_of_no_form_is_named_and_an_emptied_box_asks_for_a_message(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    _type(page, "hello this is no message")  # its letters are as many as base64 has, but base64 has no words
    expect(page.get_by_role("alert")).to_contain_text("This text is not JSON, hex, a hex dump or base64.")
    for name in ("Copy", "Download"):  # the result is that of the message before
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    _type(page, "3006")
    expect(page.get_by_text("These bytes are not a message of any protocol here.")).to_be_visible()
    _type(page, "300a000174006869686968")
    expect(page.get_by_text("This begins like MQTT 5.0, but ends within a message.")).to_be_visible()
    _type(page, "0000  02 00 00 00 00 01 02 00 00 00 00 02 08 00 45 00")
    expect(page.get_by_text("copy the message without the headers before it")).to_be_visible()
    _type(page, "")
    expect(page.locator("#source-note")).to_contain_text("Paste hex")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#source-note")).to_contain_text("Paste hex")


def test_options_show_their_defaults_and_the_profile_its_meaning(watched: Watched, service: str) -> None:
    page = watched.open(service)
    _settled(page)
    expect(page.get_by_title("its releases 4.0 and 4.1 (rabbitmq-4.0)")).to_contain_text("Profile")
    page.get_by_role("button", name="Options").click()
    expect(page.get_by_label("on loss")).to_have_value("report")


def test_sample_changes_with_the_protocol(watched: Watched, service: str) -> None:
    page = watched.open(service)
    _settled(page)
    page.get_by_label("From", exact=True).select_option("nsq")
    expect(page.get_by_label("Message, as JSON")).to_have_value(re.compile('"protocol": "nsq"'))
    expect(page.locator(".picture h3").first).to_have_text("NSQ")
    page.get_by_label("Sample").select_option(label="A deferred publish")
    expect(page.locator('.place:has-text("defer_ms")')).to_be_visible()


def test_pasted_bytes_of_another_protocol_are_recognised(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=nsq&to=amqp-1.0")
    _settled(page)
    _type(page, PUBLISH)
    expect(page.get_by_text("This looks like MQTT 5.0.")).to_be_visible()
    page.get_by_role("button", name="Use MQTT 5.0").click()
    expect(page.get_by_label("From", exact=True)).to_have_value("mqtt-5.0")
    expect(page.locator('.place:has-text("topic_name")')).to_be_visible()


def test_link_restores_the_whole_state(watched: Watched, service: str) -> None:
    page = watched.open(service)
    _settled(page)
    _type(page, PUBLISH)
    page.get_by_label("To", exact=True).select_option("amqp-0.9.1")
    page.get_by_label("Profile", exact=True).select_option("rabbitmq-4.0")
    page.get_by_role("button", name="Options").click()
    page.get_by_label("on loss", exact=False).first.select_option("ignore")
    page.keyboard.press("Escape")
    page.get_by_label("Form of the result").get_by_role("button", name="hex").click()
    page.get_by_role("button", name="There and back").click()
    expect(page.locator(".panel.open .lead")).to_contain_text("MQTT 5.0 → AMQP 0.9.1 → MQTT 5.0:")
    expect(page).to_have_url(re.compile("back=1"))
    shown, other = page.locator("#output").text_content() or "", watched.page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#output")).to_have_text(shown)
    expect(other.get_by_label("Message, as hex")).to_have_value(PUBLISH)
    expect(other.get_by_label("Profile", exact=True)).to_have_value("rabbitmq-4.0")
    expect(other.get_by_role("button", name="Options 1")).to_be_visible()
    expect(other.locator(".panel.open .lead")).to_contain_text("MQTT 5.0 → AMQP 0.9.1 → MQTT 5.0:")


def test_long_links_are_compressed_and_very_long_ones_are_files(watched: Watched, service: str, tmp_path: Path) -> None:
    given = {"protocol": "mqtt-5.0", "topic_name": "t", "user_properties": [["k", "v" * 20]] * 60}
    page = watched.open(f"{service}/#in={quote(json.dumps(given))}")
    _settled(page)
    page.get_by_label("Profile", exact=True).select_option("rabbitmq-4.0")
    expect(page).to_have_url(re.compile("#z=[\\w-]+$"))
    assert len(page.url) < 400
    other = watched.page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_label("Profile", exact=True)).to_have_value("rabbitmq-4.0")
    expect(other.get_by_label("Message, as JSON")).to_have_value(json.dumps(given))
    chance = random.Random(1)
    noise = json.dumps({"protocol": "mqtt-5.0", "topic_name": "t", "payload": b64encode(chance.randbytes(20_000)).decode()})
    _type(page, noise)
    expect(page).to_have_url(re.compile("#z=.{20000}"))
    with page.expect_download() as told:
        page.get_by_role("button", name="Copy link").click()
    told.value.save_as(tmp_path / "saved.json")
    other.get_by_label("Open a file").set_input_files(tmp_path / "saved.json")
    expect(other.get_by_label("Message, as JSON")).to_have_value(noise)
    other.goto(f"{service}/#z=AAAA")
    expect(other.get_by_label("Message, as JSON")).to_have_value(re.compile('"topic_name": "temperature"'))  # as without a link
    _settled(other)
    assert watched.complaints == []


def test_ribbon_and_keys_mark_the_fields_on_both_sides(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    page.locator(".ribbon.changed .touch").first.hover(force=True)
    expect(page.locator(".place.lit .name")).to_have_text(["qos", "header.durable"])
    expect(page.locator("#output .line.lit")).to_contain_text("durable")
    expect(page.locator(".inspector")).to_contain_text("mqtt5_to_amqp10.toml")
    page.mouse.move(0, 0)
    page.locator(".place").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".inspector")).to_contain_text("retain")
    expect(page.locator(".inspector")).to_contain_text("dropped")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".place[aria-pressed=true] .name")).to_have_text("header.durable")
    page.keyboard.press("Escape")
    expect(page.locator(".place[aria-pressed=true]")).to_have_count(0)


def test_bytes_and_fields_mark_each_other_on_both_sides(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&form=hex&view=hex&in={PUBLISH}")
    _settled(page)
    page.get_by_label("Form of the source").get_by_role("button", name="bytes").click()
    source, result = page.get_by_label("Source as bytes"), page.get_by_label("Result as hex")
    expect(source.locator(".offset")).to_have_text(["0000"])
    expect(source.locator(".letters")).to_have_text("0···t·hi")
    source.locator(".digits [data-path=payload]").hover()
    expect(source.locator(".digits .lit")).to_have_text("68 69")
    expect(result.locator(".letters .lit").last).to_contain_text("hi")
    expect(page.locator(".place.lit .name")).to_have_text(["payload", "body"])
    page.mouse.move(0, 0)
    expect(source.locator(".lit")).to_have_count(0)
    page.locator(".place .name", has_text="topic_name").click()
    expect(source.locator(".letters .lit")).to_have_text("··t")
    page.get_by_label("Form of the source").get_by_role("button", name="hex").click()
    expect(page.get_by_label("Message, as hex")).to_have_value(PUBLISH)
    assert watched.complaints == []


MANY = {
    "protocol": "amqp-0.9.1",
    "basic": {
        "priority": 4,
        "headers": [[f"x-header-of-a-long-name-number-{n}", {"type": "longstr", "value": "v"}] for n in range(20)]
        + [["nested", {"type": "table", "value": []}]],
    },
    "payload": "aGk=",
    "routing_key": "orders",
}


def test_a_map_of_many_entries_is_one_field_that_opens(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0&in={quote(json.dumps(MANY))}")
    _settled(page)
    headers = page.locator(".place", has_text="headers")
    expect(headers).to_contain_text("20 arrive, 1 does not")
    expect(page.locator(".place", has_text="user_properties")).to_contain_text("20 entries")
    headers.click()
    key = page.locator(".place .name", has_text="-19").first
    expect(key).to_have_text(re.compile(r'^headers\["x-.*….*-19"\]$'))
    page.get_by_role("button", name="fold basic.headers").click()
    expect(headers).to_have_count(1)


def test_a_map_opens_with_its_other_end_and_a_pinned_entry_stays_in_view(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0&in={quote(json.dumps(MANY))}")
    _settled(page)
    page.locator(".place", has_text="headers").click()
    source, target = (page.locator(f'.place[title*="{name}[\\"x-"][title*="-19"]') for name in ("headers", "user_properties"))
    expect(target).to_have_count(1)
    for width in (1400, 500):
        page.set_viewport_size({"width": width, "height": 700})
        source.scroll_into_view_if_needed()
        source.click()
        expect(page.locator(".listing .lit")).to_have_count(1)
        expect(page.locator(".inspector")).to_be_in_viewport()
        box, inspector = source.bounding_box(), page.locator(".inspector").bounding_box()
        assert box is not None
        assert inspector is not None
        assert 50 <= box["y"] <= box["y"] + box["height"] <= inspector["y"]
        source.click()


def test_a_dropped_table_shows_its_values(watched: Watched, service: str) -> None:
    died = [
        ["count", {"type": "long", "value": 3}],
        ["reason", {"type": "longstr", "value": "expired"}],
        ["exchange", {"type": "longstr", "value": ""}],
    ]
    for number, words in (
        (1, '{count: 3, reason: expired, exchange: ""}'),
        (2, '[{count: 3, reason: expired, exchange: ""}, {count: 3'),
    ):
        array = {"type": "array", "value": [{"type": "table", "value": died}] * number}
        message = {"protocol": "amqp-0.9.1", "basic": {"headers": [["x-death", array]]}, "payload": "aGk=", "routing_key": "o"}
        page = watched.open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0&in={quote(json.dumps(message))}")
        _settled(page)
        expect(page.locator(".place", has_text="x-death")).to_contain_text(words)


def test_a_long_key_has_the_width_of_its_box(watched: Watched, service: str) -> None:
    key = "x-header-number-00-of-an-order-of-many-words"
    message = {"protocol": "amqp-0.9.1", "basic": {"headers": {key: "v"}}, "payload": "aGk=", "routing_key": "o"}
    watched.page.set_viewport_size({"width": 900, "height": 900})
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0&in={quote(json.dumps(message))}")
    _settled(page)
    name = page.locator(".place .name", has_text="x-header").first
    free = name.evaluate("one => one.clientWidth - [...one.children].reduce((sum, part) => sum + part.offsetWidth, 0)")
    assert 0 <= free <= 40
    expect(name).to_have_text(re.compile(r'^headers\["x-header.*….*words"\]$'))


def test_an_outcome_hides_the_other_fields(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0&in={quote(json.dumps(MANY))}")
    _settled(page)
    page.locator(".chip.dropped").click()
    expect(page.locator(".column").first.locator(".place .name")).to_have_text(["basic.priority", 'basic.headers["nested"]'])
    page.keyboard.press("Escape")
    expect(page.locator(".column").first.locator(".place")).to_have_count(5)


def test_the_page_says_first_what_arrives(watched: Watched, service: str) -> None:
    """In the words of the library, for a summary of each kind."""
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0&in={quote(json.dumps(MANY))}")
    expect(page.locator(".sentence")).to_have_text("22 of 24 fields arrive (22 unchanged); 2 do not: 2 by rule")
    expect(page.locator(".chip.applied")).to_have_text(re.compile("22 unchanged"))
    counts = [
        (21, 3, 8, 2),
        (12000, 3450000, 1000, 2500),
        (2000, 0, 0, 0),
        (12, 0, 0, 0),
        (1, 0, 0, 0),
        (9, 3, 0, 0),
        (0, 1, 0, 0),
        (1, 0, 1, 0),
        (0, 0, 0, 1),
        (0, 0, 0, 0),
    ]
    summaries = [Summary(*numbers) for numbers in counts]
    script = "async (given) => given.map((await import('./web/picture.js')).told)"
    assert page.evaluate(script, [one.as_dict() for one in summaries]) == list(map(str, summaries))


def test_route_through_the_hub_shows_three_columns_and_two_on_a_phone(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=pulsar")
    _settled(page)
    expect(page.locator(".picture h3")).to_have_text(["MQTT 5.0", "AMQP 1.0", "Pulsar"])
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".picture h3")).to_have_text(["MQTT 5.0", "Pulsar"])
    for path in WORKBENCH:
        watched.open_whole(service + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, path


ROUTES = [
    ("mqtt-5.0", "amqp-1.0", "documented"),  # a field that the body implies
    ("mqtt-5.0", "nsq", "documented"),
    ("amqp-1.0", "rocketmq", "documented"),  # bytes as their base64
    ("amqp-0.9.1", "mqtt-5.0", "preserve"),  # numbers as text
    ("amqp-0.9.1", "rocketmq", "preserve"),  # text as its base64
    ("rocketmq", "mqtt-3.1.1", "documented"),  # three tables
    ("mqtt-3.1.1", "pulsar", "preserve"),
]


def test_the_numbers_are_those_of_the_first_line(watched: Watched, service: str) -> None:
    for source, target, profile in ROUTES:
        _check_numbers(_followed(watched, f"{service}/#from={source}&to={target}&profile={profile}&address=t", target))


def _followed(watched: Watched, link: str, target: str) -> Page:
    """Follow a link in the page as it is, to another target than before, and return the page with the result."""
    page = watched.open(link)
    expect(page.locator("#output")).to_contain_text(f'"protocol": "{target}"')
    return page


def _check_numbers(page: Page) -> None:
    """Check that the numbers of the picture are those of the first line."""
    _settled(page)
    first = page.locator(".sentence").inner_text()
    told = {
        word: int((re.search(rf"(\d+) {word}", first) or ["", "0"])[1]) for word in ("unchanged", "changed", "by rule", "lost")
    }
    chips = [int(page.locator(f".chip.{kind} b").inner_text()) for kind in ("applied", "changed", "dropped", "lost")]
    assert sum(chips) > 0
    assert chips == list(told.values()), first


def test_a_line_of_json_lines_is_a_message_and_several_are_told(watched: Watched, service: str) -> None:
    wire = {"id": 7, "wire": b64encode(bytes.fromhex(PUBLISH)).decode()}
    message = {"message": {"protocol": "mqtt-5.0", "topic_name": "t", "payload": "aGk="}}
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-0.9.1&form=json&in={quote(json.dumps(wire))}")
    expect(page.locator(".sentence")).to_have_text("all 2 fields arrive (1 unchanged, 1 changed)")
    _type(page, json.dumps(message))
    expect(page.locator(".sentence")).to_have_text("all 2 fields arrive (1 unchanged, 1 changed)")
    expect(page.get_by_role("alert")).to_have_count(0)
    _type(page, f"{json.dumps(wire)}\n{json.dumps(message)}\n")
    expect(page.get_by_role("alert")).to_contain_text("This is JSON lines, a message on each: keep one of them.")


def test_shorthand_comes_back_as_the_message_that_it_stands_for(watched: Watched, service: str) -> None:
    given = {"protocol": "amqp-0.9.1", "basic": {"headers": {"tenant": "acme"}}, "payload": {"text": "hi"}}
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=amqp-1.0&back=1&form=json&in={quote(json.dumps(given))}")
    expect(page.locator(".panel.open .lead")).to_contain_text("all 2 fields arrive unchanged")


def _way_back(page: Page) -> dict[str, list[str]]:
    """Return the cells of There and back by field: sent, came back, and the outcome with its reason."""
    rows = page.locator(".panel.open .plain-table tbody tr")
    expect(rows.first).to_be_visible()
    cells = [[" ".join(cell.split()) for cell in row.locator("td").all_inner_texts()] for row in rows.all()]
    return {name: [sent, came, re.sub(r"^\W ", "", outcome)] for name, sent, came, outcome in cells}  # without its sign


def test_the_way_back_shows_text_and_the_place_where_a_field_stayed(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&back=1")
    found = _way_back(page)
    assert found["payload"] == ['{"celsius":71.5}', '{"celsius":71.5}', "unchanged"]
    elsewhere = "elsewhere on the way there: where it was published, not part of the message"
    assert found["topic_name"] == ["temperature", "", elsewhere]
    assert found["message_expiry_interval"][2].startswith("dropped on the way back: ")
    assert found["retain"] == ["1", "", "dropped on the way there: no counterpart"]  # 0 in the message is its default
    assert "dup" not in found  # a default is no field of the first line either
    expect(page.locator(".panel.open .lead")).to_contain_text("6 of 8 fields arrive (6 unchanged); 2 do not: 2 by rule")
    page.get_by_role("button", name="Options").click()
    page.locator(".sheet").get_by_label("address", exact=False).first.fill("heat")
    expect(page.locator(".panel.open tr", has_text="topic_name")).to_contain_text("the option address sets it")
    assert _way_back(page)["topic_name"] == ["temperature", "heat", f"{elsewhere}; the option address sets it"]
    expect(page.locator(".panel.open .lead")).to_contain_text("6 of 8 fields arrive (6 unchanged); 2 do not: 2 by rule")
    assert watched.complaints == []


def test_the_way_back_names_a_field_that_came_back_as_another(watched: Watched, service: str) -> None:
    entries = [["x-a", {"type": "string", "value": "p"}]]
    given = {"protocol": "amqp-1.0", "application_properties": entries, "body": {"data": ["aGk="]}}
    text = quote(json.dumps(given))
    page = watched.open(f"{service}/#from=amqp-1.0&to=mqtt-5.0&address=t&back=1&form=json&in={text}")
    found = _way_back(page)
    assert found['application_properties["x-a"]'] == ["p string", "p string", 'changed as message_annotations["x-a"]']
    assert 'message_annotations["x-a"]' not in found


def test_compared_profiles_show_text_for_bytes(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&compare=rabbitmq-4.0")
    expect(page.locator(".panel.open tbody tr", has_text="body.data")).to_contain_text('{"celsius":71.5}')


MQTT_TWINS = {
    "protocol": "mqtt-5.0",
    "topic_name": "t",
    "user_properties": [["a", "1"], ["a", "2"], ["b", "3"], ["a", "1"], ["x-a", "9"], ["x-a", "8"]],
    "payload": "aGk=",
}
AMQP_TWINS = {
    "protocol": "amqp-0.9.1",
    "basic": {
        "headers": [
            ["a", {"type": "longstr", "base64": "MQ=="}],
            ["a", {"type": "long", "value": 2}],
            ["x-d", {"type": "long", "value": 2}],
            ["x-d", {"type": "longstr", "base64": "eg=="}],
        ]
    },
    "payload": "aGk=",
}


@pytest.mark.parametrize(
    ("given", "targets"),
    [
        (MQTT_TWINS, ("amqp-1.0", "mqtt-3.1.1", "amqp-0.9.1", "nsq", "rocketmq")),
        (AMQP_TWINS, ("amqp-1.0", "mqtt-3.1.1", "mqtt-5.0", "nsq", "rocketmq")),
    ],
    ids=("mqtt-5.0", "amqp-0.9.1"),
)
def test_equal_keys_are_a_node_each_and_count(
    watched: Watched, service: str, given: dict[str, Any], targets: tuple[str, ...]
) -> None:
    text = quote(json.dumps(given))
    for target in targets:
        page = _followed(watched, f"{service}/#from={given['protocol']}&to={target}&address=t&form=json&in={text}", target)
        _check_numbers(page)
        shown = page.locator(".column").first.locator('.place:has-text("a")').filter(has_text=re.compile(r'\["a"\]'))
        values = [(node.get_attribute("title") or "", node.locator(".value").inner_text().split()[0]) for node in shown.all()]
        names = ["", "#2", "#3"][: 3 if given is MQTT_TWINS else 2]
        assert [title[title.index("]") + 1 :] for title, _ in values] == names, target
        assert [value for _, value in values] == ["1", "2", "1"][: len(names)], target


def test_pointing_at_an_equal_key_lights_its_own_line(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-0.9.1&form=json&in={quote(json.dumps(MQTT_TWINS, indent=2))}")
    _settled(page)
    page.get_by_label("Message, as").press("End")
    page.locator(".place[title='user_properties[\"a\"]#2']").hover()
    expect(page.locator(".place.lit")).to_have_count(1)
    expect(page.locator(".inspector")).to_contain_text("a second equal key")
    page.locator(".place[title='user_properties[\"a\"]']").hover()
    expect(page.locator(".place.lit")).to_have_count(2)


def test_the_last_of_equal_names_of_a_broker_is_the_one_that_arrives(watched: Watched, service: str) -> None:
    names = {"properties": [["a", "1"], ["b", "3"], ["a", "2"], ["a", "3"]], "payload": "aGk="}
    given = {"protocol": "pulsar", "producer_name": "p", "sequence_id": 1, "publish_time": 1, **names}
    page = _followed(
        watched, f"{service}/#from=pulsar&to=amqp-1.0&address=t&form=json&in={quote(json.dumps(given))}", "amqp-1.0"
    )
    _check_numbers(page)
    page.get_by_label("Message, as").press("End")
    for number, lit in (("", 1), ("#2", 1), ("#3", 2)):
        page.locator(f".place[title='properties[\"a\"]{number}']").hover()
        expect(page.locator(".place.lit")).to_have_count(lit)


def test_bytes_of_an_equal_key_belong_to_its_own_node(watched: Watched, service: str) -> None:
    wire = "30140001740e26000161000131260001610001326869"
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&form=hex&in={wire}")
    _settled(page)
    source = page.locator(".pane").first
    source.get_by_role("button", name="bytes").click()
    for number, digit in (("", "31"), ("#2", "32")):
        page.locator(f".place[title='user_properties[\"a\"]{number}']").hover()
        expect(source.locator(".digits .lit").first).to_contain_text("26")
        lit = " ".join(source.locator(".digits .lit").all_inner_texts())
        assert lit.split() == ["26", "00", "01", "61", "00", "01", digit]


def test_values_that_become_equal_keys_are_a_node_each(watched: Watched, service: str) -> None:
    given = {
        "protocol": "amqp-1.0",
        "message_annotations": [["x-a", {"type": "string", "value": "from an annotation"}]],
        "application_properties": [["x-a", {"type": "string", "value": "from a property"}]],
        "body": {"data": ["aGk="]},
    }
    page = watched.open(f"{service}/#from=amqp-1.0&to=mqtt-5.0&address=t&form=json&in={quote(json.dumps(given))}")
    _settled(page)
    expect(page.locator(".sentence")).to_have_text("all 3 fields arrive unchanged")
    ends = page.locator(".column").nth(1).locator('.place:has-text("x-a")')
    assert sorted(node.locator(".value").inner_text() for node in ends.all()) == ["from a property", "from an annotation"]


def test_a_route_of_three_tables_shows_every_protocol_or_the_ends(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=rocketmq&to=mqtt-3.1.1&address=t")
    _settled(page)
    expect(page.locator(".picture h3")).to_have_text(["RocketMQ", "MQTT 3.1.1"])
    expect(page.locator(".column").nth(1).locator(".place:not(.caller)")).to_have_count(3)
    page.set_viewport_size({"width": 2400, "height": 900})
    expect(page.locator(".picture h3")).to_have_text(["RocketMQ", "AMQP 1.0", "MQTT 5.0", "MQTT 3.1.1"])


def test_a_text_that_is_no_json_is_marked_where_it_stops_being_some(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    for text, words in NO_JSON:
        _type(page, text)
        expect(page.get_by_role("alert").locator("p").first).to_have_text(re.compile(re.escape(words)))
        expect(page.locator(".editor .marked")).to_have_count(1)


NO_JSON = [
    ('{\n "protocol": mqtt,\n "payload": "position 3"\n}', "Line 2 is not JSON: unexpected mqtt,."),
    ('{\n "protocol": "mqtt-5.0",\n}', "Line 3 is not JSON: unexpected }."),
    ('{\n "qos": 1\n "topic_name": "at position 1"\n}', 'Line 3 is not JSON: unexpected "topic_name".'),
    ('{\n "user_properties": [["a", "b"]}', "Line 2 is not JSON: unexpected }."),
    ('{\n "topic_name": "a\n"}', 'Line 2 is not JSON: unexpected "a.'),
    ('{\n "qos": 01}', "Line 2 is not JSON: unexpected 01}."),
    ('{\n "qos": [1, {}, {"a": -1.5e3}, "\\u0041\\n"],\n "dup"', "Line 3 is not JSON: the text ends too early."),
    ('{\n "qos": 1\n}}', "Line 3 is not JSON: unexpected }."),
]
"""Texts, and the words about each, which differ from the words about the text before."""


def test_errors_are_shown_as_sentences(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    _type(page, '{\n  "protocol": "mqtt-5.0",\n  "qos": \n}')
    expect(page.get_by_role("alert")).to_contain_text("Line 4 is not JSON")
    expect(page.locator(".editor .marked")).to_have_text(re.compile("}"))
    _type(page, '{"protocol": "mqtt-5.0", "qos": 7}')
    expect(page.get_by_role("alert")).to_contain_text("Field qos: ")
    _type(page, "30 06 00 05 74")
    expect(page.get_by_role("alert")).to_contain_text(re.compile("Byte \\d+: "))
    expect(page.get_by_role("alert").locator("mark")).to_be_visible()
    _type(page, "30 06 00 01 74 00 68 69 01")  # a message, and an invalid packet after it
    expect(page.get_by_role("alert")).to_contain_text("Byte 8: packet type 0")


def test_an_invalid_one_of_several_messages_leaves_the_others(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&form=hex&in={PUBLISH}300600ff74006869{PUBLISH}")
    expect(page.locator(".sentence")).to_have_text("all 2 fields arrive (1 unchanged, 1 changed)")
    expect(page.get_by_role("alert")).to_contain_text("1 of 3 messages is invalid. Byte 10: a string ends early.")
    chosen = page.locator(".source .foot select")
    expect(chosen.locator("option")).to_have_text(["1", "2, invalid", "3"])
    page.get_by_role("button", name="Show message 2").click()
    expect(page.get_by_role("alert").locator("mark")).to_have_text("00")
    expect(page.locator("#output")).to_be_empty()
    chosen.select_option(label="3")
    expect(page.locator("#output")).to_contain_text('"protocol": "amqp-1.0"')


def test_a_message_without_a_conversion_leaves_the_choice_of_the_others(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&on_loss=strict&form=hex&in=3106000174006869{PUBLISH}")
    expect(page.get_by_role("alert")).to_contain_text("retain")
    page.locator(".source .foot select").select_option(label="2")
    expect(page.locator(".sentence")).to_have_text("all 2 fields arrive (1 unchanged, 1 changed)")


def test_the_options_stay_in_the_window(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=pulsar")
    _settled(page)
    page.get_by_role("button", name="Options").click()
    for width in (390, 740, 900, 1100, 1130, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        box = page.locator(".sheet").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_escape_leaves_the_options_to_their_button(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=pulsar")
    _settled(page)
    button = page.get_by_role("button", name="Options")
    button.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".sheet :focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_have_count(0)
    expect(button).to_be_focused()


def test_keys_written_from_right_to_left_stay_before_their_values(watched: Watched, service: str) -> None:
    message = {"protocol": "mqtt-5.0", "topic_name": "t", "user_properties": [["שלום", "مرحبا"]]}
    page = watched.open(f"{service}/#{urlencode({'from': 'mqtt-5.0', 'to': 'mqtt-5.0', 'in': json.dumps(message)})}")
    line = page.get_by_label("Result as JSON").locator(".line", has_text="שלום")
    key, value = (line.locator("span", has_text=text).bounding_box() for text in ("שלום", "مرحبا"))
    assert key is not None
    assert value is not None
    assert key["x"] + key["width"] <= value["x"]


def test_the_source_keeps_keys_written_from_right_to_left_before_their_values(watched: Watched, service: str) -> None:
    message = '{\n "protocol": "mqtt-5.0",\n "topic_name": "t",\n "user_properties": {\n  "שלום": "مرحبا",\n  "a": "b"\n }\n}'
    page = watched.open(f"{service}/#{urlencode({'from': 'mqtt-5.0', 'to': 'mqtt-5.0', 'in': message})}")
    line = page.locator(".inked > div", has_text="שלום")

    def order() -> bool:
        key, value = (line.locator("span", has_text=text).bounding_box() for text in ("שלום", "مرحبا"))
        assert key is not None
        assert value is not None
        return key["x"] + key["width"] <= value["x"]

    expect(line).to_have_class(re.compile("apart"))
    assert order()
    area = page.get_by_label("Message, as")
    area.evaluate("area => { area.focus(); area.setSelectionRange(0, 0); }")
    assert order()
    area.evaluate("area => area.setSelectionRange(area.value.indexOf('שלום'), area.value.indexOf('שלום'))")
    expect(line).not_to_have_class(re.compile("apart"))  # the caret goes through the textarea's own order
    area.evaluate("area => area.blur()")
    expect(line).to_have_class(re.compile("apart"))


def test_characters_that_nobody_sees_are_shown_by_their_numbers(watched: Watched, service: str) -> None:
    entries = [["user\u202e", "admin\u2066 \u200b"]]
    message = {"protocol": "mqtt-5.0", "topic_name": "t", "user_properties": entries, "payload": "aeKAruKBpg=="}
    text = json.dumps(message, ensure_ascii=False)
    link = {"from": "mqtt-5.0", "to": "amqp-0.9.1", "in": text, "back": "1", "compare": "preserve"}
    page = watched.open(f"{service}/#{urlencode(link)}")
    _settled(page)
    name, value = r'user_properties["user\u202e"]', r"admin\u2066 \u200b"
    place = page.locator(".place", has_text=r"user\u202e").first
    expect(place.locator(".value")).to_have_text(value)
    expect(place).to_have_attribute("title", name)
    expect(place).to_have_attribute("aria-label", re.compile(re.escape(f"{name}, {value}")))
    expect(page.locator(".place", has_text="payload").first.locator(".value")).to_have_text(r"i\u202e\u2066")
    place.click()
    expect(page.locator(".inspector")).to_contain_text(value)
    assert _way_back(page)[name][:2] == [value, value]
    for pane in (page.locator("#output"), page.locator(".inked")):
        expect(pane).to_contain_text(r"user\u202e")
    area = page.get_by_label("Message, as")
    assert json.loads(area.input_value()) == message
    area.evaluate("area => { const at = area.value.indexOf('admin'); area.focus(); area.setSelectionRange(at, at); }")
    page.keyboard.insert_text("\u202e")
    page.keyboard.type("x")
    expect(area).to_have_value(re.compile(re.escape(r'"\u202exadmin\u2066 \u200b"')))
    shown = page.locator("body").inner_text() + area.input_value()
    assert [one for one in shown if one in "\u202e\u2066"] == []
    rules = urlencode({"rules": '# \u202e\n["mqtt-5.0 -> amqp-0.9.1"]\n', "own": "1"})
    page.goto(f"{service}/#{rules}")
    expect(_overlay(page)).to_contain_text(r"# \u202e")


def _packed(text: str | bytes) -> str:
    """Return a text as `#z=` links have it."""
    made = compressobj(9, DEFLATED, -MAX_WBITS)
    raw = made.compress(text.encode() if isinstance(text, str) else text) + made.flush()
    return urlsafe_b64encode(raw).decode().rstrip("=")


HI = json.dumps({"protocol": "mqtt-5.0", "topic_name": "t", "payload": "aGk="})
DAMAGED, TOO_LARGE = "This link is damaged or was cut", "This link holds more than this page reads"
LINKS = {
    "z=a*b%%": DAMAGED,
    "z=": DAMAGED,
    "z=שלום": DAMAGED,
    f"z={_packed(f'in={HI}')}&to=nsq": DAMAGED,
    f"z={_packed(f'in={HI * 9}')[:-9]}": DAMAGED,
    f"z={_packed(b'in=' + bytes([0xFF, 0xFE]))}": DAMAGED,
    f"z={_packed(b'in=' + b'a' * 2**21)}": TOO_LARGE,
    f"z={_packed('&'.join(f'a{n}=1' for n in range(5000)))}": TOO_LARGE,
    f"z={_packed('rules=' + 'x' * 2**21)}": TOO_LARGE,
    f"z={_packed('in=' + '[' * 100_000)}": "Line 1 is not JSON: the text ends too early.",
    f"z={_packed('in=' + '[' * 100_000 + ']' * 100_000)}": "nests too deep",
    f"z={_packed('in=' + '[' * 500_000 + ']' * 500_000)}": "nests too deep",
    f"z={_packed('in={')}": "Line 1 is not JSON: the text ends too early.",
    f"in={quote(HI[:-1])},%22foo%22:1}}": "no field 'foo' here",
    "from=__proto__&to=constructor": "This link sets from=__proto__, to=constructor, which this page does not know: left out.",
    "__proto__=1&in=": "This link sets __proto__=1, which this page does not know: left out.",
    f"in={quote(json.dumps({'protocol': 'constructor'}))}": "not 'constructor'",
    "shell=rm&from=nsq": "This link sets shell=rm, which this page does not know: left out.",
    "form=xml&view=pdf&n=-1": "This link sets form=xml, n=-1, view=pdf, which this page does not know: left out.",
    "in=%3Cimg src=x onerror=alert(1)%3E": "This text is not JSON, hex, a hex dump or base64.",
}
"""Fragments of links by anyone, and the words of the one sentence about each."""


def test_a_link_of_anything_ends_in_one_sentence(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#{next(iter(LINKS))}")
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    for fragment, words in LINKS.items():
        page.goto(f"{service}/#{fragment}")
        expect(page.get_by_role("alert")).to_have_text([re.compile(re.escape(words))])
    page.get_by_label("Message, as").fill(PUBLISH)
    expect(page.get_by_role("alert")).to_have_count(0)
    _settled(page)
    page.goto(f"{service}/#z={_packed(f'in={HI}&to=nsq')}")  # and one that is good
    expect(page.locator("#output")).to_contain_text('"protocol": "nsq"')
    expect(page.get_by_role("alert")).to_have_count(0)
    page.goto(f"{service}/#__proto__=1&constructor=2&address=t")
    _settled(page)
    expect(page.get_by_role("alert")).to_contain_text("This link sets __proto__=1, constructor=2, which")
    expect(page).to_have_url(re.compile("address=t"))
    assert "__proto__" not in page.url
    page.goto(f"{service}/#z=A")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    for path in ("rules", "fidelity"):
        page.goto(f"{service}/{path}#z=A")
        expect(page.get_by_role("alert")).to_contain_text(DAMAGED)
    assert [one for one in watched.complaints if not re.search("status of 4(00|22)", one)] == []


def test_a_link_that_inflates_is_left_after_8_mb(fresh: Watched, service: str) -> None:
    count = """window.sent = 0;
        const { write } = WritableStreamDefaultWriter.prototype;
        WritableStreamDefaultWriter.prototype.write = function (piece) {
            window.sent += piece.length;
            return write.call(this, piece);
        };"""
    fresh.page.add_init_script(count)
    page = fresh.open(f"{service}/#z={_packed(b'in=' + bytes(2**28))}")  # 1.4 kB of a link for each MB
    expect(page.get_by_role("alert")).to_contain_text(TOO_LARGE)
    assert 8 * 2**20 / 1032 < page.evaluate("sent") < 12_000
    _settled(page)


def test_a_saved_file_of_other_values_is_read_as_far_as_they_are_texts(watched: Watched, service: str, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    page = watched.open(service)
    _settled(page)
    saved.write_text(
        json.dumps({"mqconvert": {"in": HI, "to": "nsq", "form": 5, "rules": {}, "shell": "rm"}}), encoding="utf-8"
    )
    page.get_by_label("Open a file").set_input_files(saved)
    expect(page.locator("#output")).to_contain_text('"protocol": "nsq"')
    expect(page.get_by_role("alert")).to_contain_text("shell=rm, which this page does not know")


def test_long_texts_of_any_characters_do_not_stop_the_page(watched: Watched, service: str) -> None:
    """Each would take minutes if an expression began again at each of its characters."""
    page = watched.open(service)
    _settled(page)
    size = 2**19
    texts = ["/*" * size, "x" + "\n" * size, "{" + " " * size + "x", "=" * size + "x", '{"a": ' + '"\\' * size]
    texts.append("0000 30\n*\n3ffffff")  # a dump of 64 MB
    write = "(area, text) => { area.value = text; area.dispatchEvent(new Event('input', { bubbles: true })); }"
    for text in texts:
        page.get_by_label("Message, as").evaluate(write, text)
        expect(page.get_by_role("alert")).to_have_count(1)
        page.get_by_label("Message, as").evaluate(write, PUBLISH)
        expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Message, as").evaluate(write, "a" * (2**20 + 1))
    expect(page.get_by_role("alert")).to_contain_text("This text has 1,048,577 characters; this page takes 1,048,576.")
    assert [one for one in watched.complaints if not re.search("status of 4(00|22)", one)] == []


def test_an_error_takes_the_place_of_the_picture_and_the_result(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    expect(page.locator("#output")).to_contain_text('"protocol": "amqp-1.0"')
    _type(page, "30 06 00 05 74")
    expect(page.get_by_role("alert")).to_contain_text("Byte ")
    expect(page.locator(".picture, .sentence")).to_have_count(0)
    expect(page.locator("#output")).to_be_empty()
    page.get_by_role("button", name="Swap source and target").click()
    expect(page.get_by_label("Message, as")).to_have_value("30 06 00 05 74")  # and not the result of before
    page.get_by_role("button", name="Swap source and target").click()
    _type(page, PUBLISH)
    _settled(page)


def test_a_short_form_counts_as_the_summary_does(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=amqp-1.0")
    _settled(page)
    headers = {"x-death": [{"reason": "rejected", "count": 1}]}
    _type(page, json.dumps({"protocol": "amqp-0.9.1", "basic": {"headers": headers}, "payload": {"text": "hi"}}))
    expect(page.locator(".sentence")).to_have_text("all 2 fields arrive unchanged")
    expect(page.locator(".numbers")).to_contain_text(re.compile("2\\s*unchanged.*0\\s*changed"))


def test_a_value_that_no_row_took_shows_what_rows_take(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0")
    _settled(page)
    _type(page, json.dumps({"protocol": "amqp-0.9.1", "routing_key": "a", "basic": {"expiration": "soon"}}))
    expect(page.locator(".sentence")).to_contain_text("1 lost")
    page.locator(".picture .place", has_text="expiration").first.click()
    expect(page.locator(".inspector")).to_contain_text("expiration takes number 0 315360000000")


def test_an_error_names_its_field_once(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&sequence_id=x")
    expect(page.get_by_role("alert")).to_contain_text("Field sequence_id: expected a whole number, got 'x'.")


def test_an_overlay_begins_with_comments_where_no_message_was_converted(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&own=1&sequence_id=x")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("button", name="Begin with an example").click()
    expect(_overlay(page)).to_contain_text('# remove = ["ROW"]')
    expect(page.locator("#own-note .bad")).to_have_count(0)


def test_dropped_and_opened_files_are_converted(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=nsq&to=amqp-1.0")
    _settled(page)
    drop = """(area, hex) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(hex.match(/../g).map((two) => parseInt(two, 16)))], "publish.bin"));
        area.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    page.locator(".drop").evaluate(drop, PUBLISH)
    expect(page.get_by_text("Recognized: this looks like MQTT 5.0.")).to_be_visible()
    expect(page.locator('.place:has-text("topic_name")')).to_be_visible()
    page.get_by_label("Open a file").set_input_files(SAMPLES / "nsq.bin")
    expect(page.get_by_text("Recognized: this looks like NSQ.")).to_be_visible()
    expect(page.locator(".picture h3").first).to_have_text("NSQ")


def test_the_message_of_a_captured_frame_is_taken(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=nsq&to=amqp-1.0")
    _settled(page)
    headers = "00" * 12 + "08004500003000004000400600007f0000017f000001d431075b0000000100000001501801f500000000"
    page.get_by_label("Message, as").fill(headers + PUBLISH)
    expect(page.get_by_text("captured frame: its message, MQTT 5.0, begins at byte 54.")).to_be_visible()
    page.get_by_role("button", name="Use its message").click()
    expect(page.get_by_label("Message, as")).to_have_value(re.sub("(..)(?!$)", r"\1 ", PUBLISH))
    expect(page.locator('.place:has-text("topic_name")')).to_be_visible()


def test_result_is_copied_and_downloaded_as_shown(watched: Watched, service: str) -> None:
    page = watched.open(service)
    _settled(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _type(page, PUBLISH)
    page.get_by_label("Form of the result").get_by_role("button", name="base64").click()
    expect(page.locator("#output")).to_have_text("AFNwwAIBQgBTdaACaGk=")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "AFNwwAIBQgBTdaACaGk="
    with page.expect_download() as told:
        page.get_by_role("button", name="Download").click()
    assert (told.value.suggested_filename, told.value.path().read_bytes().hex()) == (
        "amqp-1.0.bin",
        "005370c0020142005375a0026869",
    )
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_rules_are_filtered_by_protocol_word_kind_and_profile(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/rules")
    said, counts = page.get_by_role("status"), []
    for label, value in (("From", "amqp-1.0"), ("To", "mqtt-5.0"), ("Kind", "drops"), ("Profile", "preserve")):
        expect(said).to_have_text(re.compile(r"\d+ rules?$"))
        counts.append(int(said.inner_text().split()[0]))
        page.get_by_label(label, exact=True).select_option(value)
        expect(said).not_to_have_text(re.compile(f"^{counts[-1]} "))
    assert counts == sorted(counts, reverse=True)
    page.goto(f"{service}/rules#word=urn-to-uuid")
    expect(page.locator(".row").first).to_contain_text("urn-to-uuid")


@pytest.mark.parametrize("asked", ["x-death", 'basic.headers["X-Death"]', "x-death annotations"])
def test_a_key_finds_the_rows_of_keys_that_begin_like_it(watched: Watched, service: str, asked: str) -> None:
    page = watched.open(f"{service}/rules#from=amqp-0.9.1&to=amqp-1.0")
    page.get_by_label("Field, word or note").fill(asked)
    expect(page.locator(".row", has_text="basic.headers[x-*]")).to_be_visible()
    expect(page.locator(".row", has_text="basic.priority")).to_have_count(0)


def test_fidelity_shows_the_share_of_an_outcome_there_and_back(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/fidelity")
    cell = page.get_by_role("button", name=re.compile("MQTT 5.0 to AMQP 1.0: "))
    expect(cell).to_have_attribute("aria-label", re.compile("fields: survives"))
    there = cell.inner_text()
    page.get_by_label("Direction").get_by_role("button", name="There and back").click()
    expect(cell).not_to_have_text(there)
    page.get_by_label("Outcome that the cells show").get_by_role("button", name="dropped").click()
    expect(cell).to_have_attribute("aria-label", re.compile("fields: dropped"))


def test_fidelity_shows_both_payloads(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/fidelity#side=whole&from=amqp-1.0&to=nsq")
    cell = page.get_by_role("button", name=re.compile("AMQP 1.0 to NSQ: "))
    expect(cell).not_to_have_attribute("aria-label", re.compile(r": 22 of 23 fields: survives"))
    page.get_by_label("Payload").select_option("envelope")
    expect(cell).to_have_attribute("aria-label", re.compile(r": 22 of 23 fields: survives"))
    expect(page.locator(".fields li", has_text="properties.subject")).to_contain_text("there and back: →survives")
    page.get_by_label("Profile").select_option("preserve")  # the service makes these forecasts, one after the other
    expect(cell).to_have_attribute("aria-label", re.compile(r": 22 of 23 fields: survives"), timeout=60_000)
    page.get_by_role("link", name="Convert a sample").click()
    expect(page.get_by_role("button", name="Options 1")).to_be_visible()


def test_profiles_are_compared_and_differences_marked(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=amqp-1.0&to=mqtt-5.0&compare=preserve")
    _settled(page)
    expect(page.locator(".plain-table tbody tr").first).to_be_visible()
    expect(page.locator(".beside .differs").first).to_be_visible()


def test_edited_rules_apply_at_once_and_errors_are_marked_at_their_line(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    page.get_by_role("button", name="Rules", exact=True).click()
    page.get_by_role("button", name="Begin with an example").click()
    expect(page.get_by_text("These rules are in force.")).to_be_visible()
    expect(page.locator('.place.lost:has-text("qos")')).to_be_visible()  # the example removes the row of qos
    overlay = '["mqtt-5.0 -> amqp-1.0"]\nrules = [\n  { id = "mine", from = "nowhere", to = "body" },\n]\n'
    rules = _overlay(page)
    rules.fill(overlay)
    expect(page.locator("#own-note")).to_contain_text("line 3: row mine: unknown place 'nowhere'")
    expect(rules.locator(".marked")).to_contain_text("nowhere")
    expect(rules).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".cm-lineNumbers .marked")).to_have_text("3")
    rules.fill(overlay.partition("\n")[0] + '\nremove = ["qos"]\n')
    expect(rules.locator(".marked")).to_have_count(0)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(rules).to_have_text("")


def test_change_this_rule_leads_to_the_editor(watched: Watched, service: str) -> None:
    watched.page.set_viewport_size({"width": 900, "height": 700})
    page = watched.open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0")
    _settled(page)
    for name in ("reply_to", "app_id"):
        page.locator(".place", has_text=name).click()
        page.get_by_role("button", name="Change this rule").click()
        expect(_overlay(page)).to_contain_text(f'from = "basic.{name}"')
        expect(_overlay(page)).to_be_focused()
        expect(_overlay(page)).to_be_in_viewport()
        expect(page.locator(".place[aria-pressed=true]")).to_have_count(0)  # of the picture with the changed rule
    assert watched.complaints == []


def _complete(page: Page, typed: str, name: str) -> None:
    """Type a part of a name, and take the first one offered, with the keyboard."""
    page.keyboard.type(typed)
    expect(page.locator(".cm-tooltip-autocomplete [aria-selected]")).to_contain_text(name)
    page.wait_for_timeout(100)  # CodeMirror leaves keys to the text in the first 75 ms of a list
    page.keyboard.press("Enter")


def test_names_of_tables_rows_places_and_words_are_completed(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0&own=1")
    _settled(page)
    rules = _overlay(page)
    rules.click()
    _complete(page, '["mqtt-5.0 amqp-1', "mqtt-5.0 -> amqp-1.0")
    page.keyboard.press("End")
    page.keyboard.type("\nrules = [\n{")
    _complete(page, "rep", "replace")
    _complete(page, "expiry", "message-expiry-interval")
    page.keyboard.press("ArrowRight")
    _complete(page, ", to", "to")
    _complete(page, "expiry_t", "properties.absolute_expiry_time")  # a place that no row of this table has
    page.keyboard.press("ArrowRight")
    _complete(page, ", vi", "via")
    page.keyboard.type("to-j")
    expect(page.locator(".cm-tooltip-autocomplete [aria-selected]")).to_contain_text("as JSON")  # a word of no row
    for _ in "to-j":
        page.keyboard.press("Backspace")
    _complete(page, "sc", "scale")
    page.keyboard.type(" 10")
    row = '  { replace = "message-expiry-interval", to = "properties.absolute_expiry_time", via = "scale 10" }'
    expect(rules.locator(".cm-line")).to_have_text(['["mqtt-5.0 -> amqp-1.0"]', "rules = [", row, "]"])
    expect(page.locator("#output")).to_contain_text('"absolute_expiry_time": 3000')
    assert [one for one in watched.complaints if "422" not in one] == []  # half a rule is refused
    assert [url for url in watched.asked if not url.startswith((service, "data:"))] == []


def test_completion_knows_the_slot_from_the_text_before_it(watched: Watched, service: str) -> None:
    """For texts in the part of one table: the column whose names fit at the end, and the beginning of the name."""
    page = watched.open(service)
    slots = {
        "": None,
        'remove = ["qos", "re': ["remove", "re"],
        'remove = [\n  "qos",\n  "re': ["remove", "re"],
        "rules = [\n  { ": ["column", ""],
        'rules = [\n  { from = "qos", ': ["column", ""],
        'rules = [\n  { id = "a", reads = ["payload", "@k': ["reads", "@k"],
        'rules = [\n  { id = "a", set = { "hea': ["set", "hea"],
        'rules = [\n  { id = "a", set = { "header.durable" = "x': None,
        'rules = [\n  { from = "a", type = "string|sym': ["type", "sym"],
        'rules = [\n  { from = "a", when = "not asc': ["when", "asc"],
        'rules = [\n  { from = "a", when = "is 1 and te': ["when", "te"],
        'rules = [\n  { from = "a", when = "is 1': None,
        'rules = [\n  { from = "a", via = "whether at': ["when", "at"],
        'rules = [\n  { from = "a", via = "scale 10 then ': ["via", ""],
        'rules = [\n  { from = "a" }, # not "here': None,
        'rules = [\n  { from = "a\\" }, to': ["from", 'a\\" }, to'],
        "rules = [\n  { from = 'a', to = 'b": ["to", "b"],
        'rules = [\n  { from = "a" },\n]\n["other -': ["table", "other -"],
    }
    script = """async (texts) => {
        const { slot } = await import("./web/completion.js");
        return texts.map(slot).map((one) => one && [one.column, one.typed]);
    }"""
    part = '["mqtt-5.0 -> amqp-1.0"]\n'
    assert page.evaluate(script, [part + text for text in slots]) == list(slots.values())


def test_completion_offers_fields_of_both_sides_and_values_that_any_row_may_read(watched: Watched, service: str) -> None:
    page = watched.open(service)
    script = """async (columns) => {
        const { names } = await import("./web/completion.js");
        const offered = (column) => names({ column, table: "mqtt-5.0 -> amqp-1.0", kind: "rules" }, "documented");
        return Promise.all(columns.map(async (column) => (await offered(column)).map(({ label }) => label)));
    }"""
    expected = {
        "from": ({"qos", "user_properties[*]", "subscription_identifiers[*]", "@constant"}, {"header.ttl", "protocol"}),
        "to": ({"header.ttl", "footer[*]", "body", "@beside[payload]"}, {"qos", "body.data", "protocol"}),
        "reads": ({"qos", "header.ttl", "@type", "@mqtt_exchange"}, set()),
        "remove": ({"qos", "message-expiry-interval"}, {"ttl"}),
        "when": ({"is", "ascii", "at-least"}, {"scale", "1", "not"}),
        "via": ({"scale", "whether", "to-decimal"}, {"ascii", "scale 1000"}),
        "as": ({"binary", "ulong"}, {"longstr"}),
        "column": ({"replace", "before", "from", "reads"}, {"scope", "file", "line"}),
        "note": (set(), {"no counterpart"}),
    }
    for (column, (some, none)), offered in zip(expected.items(), page.evaluate(script, list(expected)), strict=True):
        assert some <= set(offered), column
        assert not none & set(offered), column
        assert len(offered) == len(set(offered)), column


def test_the_editor_of_overlays_is_left_with_the_keyboard_and_undoes(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#own=1")
    _settled(page)
    page.get_by_role("button", name="Begin with an example").click()
    rules = _overlay(page)
    expect(rules).to_contain_text('title = "Mine"')
    page.get_by_role("button", name="Clear").click()
    expect(rules).to_have_text("")
    rules.focus()
    page.keyboard.press("Control+z")
    expect(rules).to_contain_text('title = "Mine"')
    for key in ("Tab", "Escape"):
        rules.focus()
        expect(rules).to_be_focused()
        page.keyboard.press(key)
        expect(rules).not_to_be_focused()
    expect(rules).to_contain_text('title = "Mine"')


def test_the_editor_of_overlays_has_the_colours_of_the_page(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#own=1")
    _settled(page)
    page.get_by_role("button", name="Begin with an example").click()
    text, listed = _overlay(page).locator(".t-text").first, page.locator("#output .t-text").first
    seen = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        colours = [one.evaluate("one => getComputedStyle(one).color") for one in (text, listed)]
        assert colours[0] == colours[1]
        seen.add(colours[0])
    assert len(seen) == 2
    assert watched.complaints == []


def test_rules_are_written_without_the_editor_that_completes(watched: Watched, service: str) -> None:
    watched.page.route("**/web/overlay.js", lambda route: route.abort())
    page = watched.open(f"{service}/#own=1")
    expect(page.get_by_text("could not be loaded. This plain one takes the same rules.")).to_be_visible()
    page.get_by_label("Overlay in TOML").fill('["mqtt-5.0 -> amqp-1.0"]\nremove = ["qos"]\nrules = [\n]\n')
    expect(page.locator('.place.lost:has-text("qos")')).to_be_visible()


def test_a_rule_is_changed_from_the_picture(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    page.locator(".place .name", has_text="message_expiry_interval").click()
    page.get_by_role("button", name="Change this rule").click()
    rules = _overlay(page)
    expect(rules).to_have_text(re.compile(r'\{ replace = "message-expiry-interval", .*via = "scale 1000"'))
    expect(page.get_by_text("These rules are in force.")).to_be_visible()
    rules.fill("\n".join(rules.locator(".cm-line").all_text_contents()).replace("scale 1000", "scale 10"))
    expect(page.locator("#output")).to_contain_text('"ttl": 3000')
    page.get_by_role("button", name="Message", exact=True).click()
    expect(page.get_by_label("Message, as JSON")).to_be_visible()


def test_tab_goes_from_a_field_to_the_links_about_it(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    page.locator(".place").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".inspector a").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".inspector a").first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Change this rule").first).to_be_focused()


def test_a_phone_shows_the_chosen_field_and_how_to_keep_a_dropped_one(browser: Browser, service: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = Watched(context).open(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0&profile=rabbitmq-4.3")
    _settled(page)
    page.get_by_role("button", name="exchange").click()
    expect(page.locator(".inspector")).to_be_in_viewport()
    page.get_by_role("button", name="basic.priority").click()
    page.get_by_role("button", name="Change this rule").click()
    expect(_overlay(page)).to_contain_text("# Without `to`, the field is dropped.")
    expect(page.get_by_text("These rules are in force.")).to_be_visible()
    context.close()


def test_a_link_to_a_rule_shows_its_facts(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/rules#from=amqp-0.9.1&to=mqtt-5.0&row=priority")
    expect(page.get_by_role("link", name="Open in Convert")).to_be_in_viewport()


def test_rules_of_a_link_wait_for_a_press(watched: Watched, service: str) -> None:
    """Whoever made the link wrote them. Until the press, no request has them, and nothing is converted."""
    page, sent = watched.page, watched.sent
    overlay = '["mqtt-5.0 -> amqp-1.0"]\nremove = ["qos"]\nrules = [\n]\n'
    link = f"{service}/#{urlencode({'from': 'mqtt-5.0', 'to': 'amqp-1.0', 'in': PUBLISH, 'form': 'hex', 'rules': overlay})}"
    watched.open(link)
    expect(page.get_by_role("alert")).to_contain_text("This link brings rules of its own")
    expect(_overlay(page).locator(".cm-line")).to_have_text(overlay.split("\n"))
    page.get_by_label("To", exact=True).select_option("amqp-0.9.1")
    page.get_by_label("To", exact=True).select_option("amqp-1.0")
    page.get_by_role("button", name="Message", exact=True).click()
    _type(page, f"{PUBLISH[:-2]}6a")
    page.get_by_role("button", name="Rules", exact=True).click()
    _overlay(page).fill(f"# read\n{overlay}")
    page.wait_for_timeout(1000)
    assert [body for body in sent if "remove" in body] == []
    expect(page.locator(".picture")).to_have_count(0)

    page.get_by_role("button", name="Use these rules").click()
    expect(page.get_by_text("These rules are in force.")).to_be_visible()
    expect(page.locator('.place.lost:has-text("qos")')).to_be_visible()
    assert any("remove" in body for body in sent)
    _overlay(page).fill(overlay)  # rules that the user writes act at once
    expect(page.get_by_text("These rules are in force.")).to_be_visible()

    sent.clear()
    page.goto(f"{link}%23+more")  # another link in the same tab
    expect(page.get_by_role("alert")).to_contain_text("This link brings rules of its own")
    page.get_by_role("button", name="Convert without them").click()
    _settled(page)
    expect(page.locator('.place.lost:has-text("qos")')).to_have_count(0)
    assert [body for body in sent if "remove" in body] == []


def test_only_options_of_the_route_are_offered(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=pulsar")
    _settled(page)
    page.get_by_role("button", name="Options").click()
    expect(page.locator(".sheet").get_by_text("sequence id", exact=False).first).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_label("To", exact=True).select_option("amqp-0.9.1")
    page.get_by_role("button", name="Options").click()
    expect(page.locator(".sheet").get_by_text("on loss", exact=False).first).to_be_visible()
    expect(page.locator(".sheet").get_by_text("sequence id", exact=False)).to_have_count(0)


def test_error_offers_the_option_that_it_names(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=pulsar&to=nsq")
    expect(page.get_by_text("has no wire bytes yet")).to_contain_text("no topic in topic; try the option address.")
    page.locator(".remedy").get_by_label("address").fill("orders")
    expect(page.get_by_text("has no wire bytes yet")).to_have_count(0)
    page.get_by_label("Form of the result").get_by_role("button", name="hex").click()
    expect(page.locator("#output")).to_contain_text("50 55 42 20")


def test_busy_and_lost_services_are_reported_and_retried(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/#from=mqtt-5.0&to=amqp-1.0")
    _settled(page)
    problem = '{"title": "Too Many Requests", "status": 429, "detail": "too many", "code": "too_busy"}'
    page.route("**/v1/convert", lambda route: route.fulfill(status=429, headers={"retry-after": "1"}, body=problem), times=1)
    _type(page, PUBLISH)
    expect(page.get_by_role("alert")).to_contain_text("The service is busy")
    expect(page.locator(".stale .picture")).to_have_count(1)  # this error passes by itself
    expect(page.get_by_role("alert")).to_have_count(0)
    page.route("**/v1/convert", lambda route: route.abort(), times=1)
    _type(page, f"{PUBLISH[:-2]}6a")
    expect(page.get_by_role("alert")).to_contain_text("The service does not answer")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_rules_page_shows_the_target_of_a_field_and_opens_convert(watched: Watched, service: str) -> None:
    page = watched.open(f"{service}/rules")
    page.get_by_label("Field, word or note").fill("reply-to")
    ways = page.get_by_label("Where the field goes")
    expect(ways.get_by_role("row", name="AMQP 0.9.1 basic.reply_to")).to_contain_text("properties.reply_to")
    page.locator(".row", has_text="exchange-address-to-topic").get_by_role("button").click()
    expect(page.locator(".facts-of")).to_contain_text("profiles")
    page.get_by_role("link", name="Open in Convert").click()
    _settled(page)
    expect(page.locator('.place:has-text("properties.reply_to")')).to_be_visible()


def test_fidelity_has_every_pair_and_opens_its_fields(watched: Watched, service: str) -> None:
    page = watched.open_whole(f"{service}/fidelity")
    expect(page.locator("button.cell:not(.waiting)")).to_have_count(56)
    assert not [url for url in watched.asked if "/v1/fidelity/" in url], "the file generated with the tables has them"
    page.get_by_role("button", name=re.compile("AMQP 1.0 to NSQ: ")).click()
    expect(page.get_by_role("heading", name="AMQP 1.0 → NSQ")).to_be_visible()
    page.locator(".detail .chip.lost").click()
    expect(page.locator(".fields li").first).to_contain_text("lost")
    page.keyboard.press("Escape")
    page.locator(".cell[aria-pressed=true]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="AMQP 1.0 → PHPMQ")).to_be_visible()


def test_api_page_loads_like_the_others_and_tries_a_route(fresh: Watched, service: str) -> None:
    page = _check_load(fresh, service, "/docs")
    page.locator("#operations-messages-recognize .opblock-summary-control").click()
    page.locator("#operations-messages-recognize .execute").click()
    expect(page.locator("#operations-messages-recognize .live-responses-table .microlight").first).to_contain_text("mqtt-5.0")
    assert fresh.complaints == []


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize("path", [*WORKBENCH, "/#own=1", "/#z=A"])
def test_axe_finds_nothing_serious_in_either_scheme(watched: Watched, service: str, path: str) -> None:
    _check_axe(watched.open_whole(service + path))


def test_axe_finds_nothing_serious_beside_a_chosen_field_and_in_tables(watched: Watched, service: str) -> None:
    page = watched.open_whole(f"{service}/#from=amqp-0.9.1&to=mqtt-5.0&back=1&compare=preserve")
    page.locator(".place", has_text="content_type").first.click()
    page.get_by_role("button", name="Options").click()
    for width in (1400, 400):
        page.set_viewport_size({"width": width, "height": 900})
        _check_axe(page)


def _check_axe(page: Page) -> None:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # else colours change for a moment
        found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
        assert [(scheme, one["id"], node["target"], node["failureSummary"]) for one in found for node in one["nodes"]] == []


def test_theme_follows_the_system_until_the_user_chooses_one(watched: Watched, service: str) -> None:
    page = watched.open(service)
    _settled(page)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(ground)
    assert light != dark
    page.get_by_role("button", name="System theme").click()
    assert page.evaluate(ground) == light
    page.reload()
    expect(page.get_by_role("button", name="Light theme")).to_be_visible()
    assert page.evaluate(ground) == light


def test_the_pages_stay_within_300_kb_and_500_kb_with_the_editor_of_overlays(fresh: Watched, service: str) -> None:
    def sizes() -> dict[str, int]:
        files = {url.split("#")[0] for url in fresh.asked if "/v1/" not in url and "openapi" not in url}
        heads = {url: fresh.page.request.head(url, headers={"accept-encoding": "gzip"}).headers for url in files}
        return {url: int(headers["content-length"]) for url, headers in heads.items()}

    for path in WORKBENCH:
        fresh.open_whole(service + path)
    plain = sizes()
    assert {f"{service}/", f"{service}/web/vendor/preact.mjs", f"{service}/web/rules.js"} <= plain.keys()
    assert sum(plain.values()) < 300_000, plain
    expect(_overlay(fresh.open_whole(f"{service}/#own=1"))).to_be_visible()
    whole = sizes()
    assert f"{service}/web/vendor/codemirror-view.mjs" in whole.keys() - plain.keys()
    assert sum(whole.values()) < 500_000, whole


def test_pages_work_with_a_token(browser: Browser) -> None:
    with running(token="t0ken") as (_, port):
        context = browser.new_context(http_credentials={"username": "anyone", "password": "t0ken"})
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        _settled(page)
        context.close()


# ---- pictures ---------------------------------------------------------------------------------------------------------

IMAGES = Path(__file__).parents[2] / "docs" / "images"
CHOSEN = '.place:has-text("message_expiry_interval")'
PICTURES = {
    "convert": ("/#from=mqtt-5.0&to=amqp-1.0", CHOSEN, (1440, 820)),
    "convert-dark": ("/#from=mqtt-5.0&to=pulsar", CHOSEN, (1440, 820)),
    "convert-phone": ("/#from=mqtt-5.0&to=amqp-0.9.1", ".picture .place", (390, 844)),
    "rules": ("/rules#q=reply-to", ".ways tbody .end:not(.muted)", (1440, 820)),
    "fidelity": ("/fidelity#from=mqtt-5.0&to=pulsar&side=whole", ".detail .cases li", (1440, 820)),
}
"""The page of each picture, the part that it waits for (and chooses, on Convert), and its size in pixels."""
GRID = (48, 27)
"""Pictures are compared by the mean colours of this many cells, which other fonts, hashes and line numbers hardly change."""
NOTICED = 10
"""Visible difference of a cell in red, green or blue, of 255."""
TOLERATED = 0.005
"""Share of cells with a visible difference that is allowed. The picture without its ribbons has 0.01."""


@contextmanager
def _pictured(browser: Browser, service: str, name: str) -> Iterator[Page]:
    path, part, (width, height) = PICTURES[name]
    scheme = SCHEMES[name.endswith("dark")]
    with browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme) as context:
        page = Watched(context).open_whole(service + path)
        expect(page.locator(part).first).to_be_visible()
        if part == CHOSEN:
            page.locator(part).click()
        page.evaluate("document.fonts.ready")
        page.mouse.move(0, 0)
        yield page


def _taken(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")


def _differing(one: Image.Image, other: Image.Image) -> float:
    """Return the share of cells with a visible difference; 1 for pictures of different sizes."""
    if one.size != other.size:
        return 1
    cells = [image.resize(GRID, Image.Resampling.BOX).tobytes() for image in (one, other)]
    far = [abs(a - b) >= NOTICED for a, b in zip(*cells, strict=True)]
    return sum(any(far[at : at + 3]) for at in range(0, len(far), 3)) / (GRID[0] * GRID[1])


@pytest.mark.parametrize("name", PICTURES)
def test_page_matches_its_kept_picture(browser: Browser, service: str, name: str) -> None:
    with _pictured(browser, service, name) as page:
        taken, file = _taken(page), IMAGES / f"{name}.png"
    if os.environ.get("RENEW"):
        taken.save(file, optimize=True)
    assert _differing(taken, Image.open(file).convert("RGB")) <= TOLERATED, f"look at the page, then `make pictures`: {file}"


def test_picture_comparison_detects_a_broken_page(browser: Browser, service: str) -> None:
    kept = Image.open(IMAGES / "convert.png").convert("RGB")
    with _pictured(browser, service, "convert") as page:
        for style in (".ribbon { display: none }", ".result { display: none }", ".bench { display: block }"):
            page.evaluate(
                "css => { const one = new CSSStyleSheet(); one.replaceSync(css); document.adoptedStyleSheets = [one] }", style
            )
            assert _differing(_taken(page), kept) > TOLERATED, style
        page.evaluate("document.adoptedStyleSheets = []")
        assert _differing(_taken(page), kept) <= TOLERATED  # so each difference was that of its style
