"""docs/service.md has every setting with its default, and the sum of the settings."""

import re
from dataclasses import fields
from pathlib import Path

from mqconvert import CODES
from mqconvert.app.codes import DOOR_CODES
from mqconvert.app.http.document import PROBLEMS
from mqconvert.app.http.settings import Settings
from mqconvert.converters.environment import options_of

PAGE = (Path(__file__).parents[2] / "docs" / "service.md").read_text()


def test_the_page_has_every_setting_with_its_default() -> None:
    told = dict(re.findall(r"^\| `MQCONVERT_(\w+)` \| (\S+) \|", PAGE, re.MULTILINE))
    assert {name.lower() for name in told} == {one.name for one in fields(Settings)}
    for one in fields(Settings):
        if isinstance(one.default, int):
            assert told[one.name.upper()] == ("off" if one.default is False else str(one.default)), one.name


def test_the_page_has_the_documented_code_and_status_of_every_limit() -> None:
    """A limit may also end or evict connections. test_attacks.py tests the response of each limit."""
    exceeded = dict(re.findall(r"^\| `MQCONVERT_(\w+)` \| \d+ \| [^|]+ \| ([^|]+) \|$", PAGE, re.MULTILINE))
    limits = {one.name.upper() for one in options_of(Settings) if one.kind is int} - {"WORKERS", "DRAIN_DELAY"}
    assert exceeded.keys() == limits
    for told in exceeded.values():
        if known := re.fullmatch(r"(line|\d{3}) `(\w+)`", told):
            assert known[1] == "line" or int(known[1]) in PROBLEMS
            assert known[2] in CODES.keys() | DOOR_CODES.keys()
        else:
            assert told in {"the connection ends", "the longest idle connection is closed", "the oldest is dropped"}


def test_the_memory_limit_is_the_sum_of_the_settings() -> None:
    limit = Settings(workers=2, worker_memory=1, max_held=10, max_cache=100, max_connections=1000)
    assert limit.memory == 128 * 2**20 + 10 + 100 + 1000 * 256 * 2**10 + 3
