"""A node knows which values its row takes."""

import pytest

from mqconvert import RuleTableError
from mqconvert.converters.engine.building import build
from tests.converters.engine.table_files import table


@pytest.mark.parametrize(
    ("earlier", "later", "covered"),
    [
        ("x-*", "x-a", True),
        ("*", "x-*", True),
        ("x-a", "x-a", True),
        ("x-a", "x-*", False),
        ("x-*", "y", False),
    ],
)
def test_a_row_covers_the_keys_of_its_pattern(earlier: str, later: str, *, covered: bool) -> None:
    row = '\n  {{ id = "{0}", from = "application_properties[{1}]", note = "n" }},'
    rows = row.format("a", earlier) + row.format("b", later)
    if covered:
        with pytest.raises(RuleTableError, match="row b: never reached: a"):
            build(table(rules=rows))
    else:
        assert len(build(table(rules=rows)).groups["application_properties"].branches) == 2
