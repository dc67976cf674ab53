"""docs/service.md has every setting with its default, and the sum of the settings."""

import re
from dataclasses import fields
from pathlib import Path

from mqconvert.app.http.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "service.md").read_text()


def test_the_page_has_every_setting_with_its_default() -> None:
    told = dict(re.findall(r"^\| `MQCONVERT_(\w+)` \| (\S+) \|", PAGE, re.MULTILINE))
    assert {name.lower() for name in told} == {one.name for one in fields(Settings)}
    for one in fields(Settings):
        if isinstance(one.default, int):
            assert told[one.name.upper()] == str(one.default), one.name


def test_the_sum_of_the_settings() -> None:
    limit = Settings(workers=2, worker_memory=1, max_held=10, max_cache=100, max_connections=1000)
    assert limit.memory == 128 * 2**20 + 10 + 100 + 1000 * 256 * 2**10 + 3
