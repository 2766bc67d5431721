"""Charts: the figures at their axes."""

import re

import pytest

from app.core.i18n.languages import reading
from app.core.i18n.text import _
from app.core.web.charts import lines


@pytest.mark.parametrize(
    ("values", "axis"),
    [
        ([0, 0, 0], ["0", "0.5", "1"]),
        ([0, 3, 1], ["0", "1.5", "3"]),
        ([7, 7], ["6", "7", "8"]),
        ([-3, -3], ["\N{MINUS SIGN}4", "\N{MINUS SIGN}3", "\N{MINUS SIGN}2"]),
        ([1498.2, 1530.7], ["1498", "1514", "1531"]),
    ],
)
def test_the_axis_of_a_line_chart_tells_figures_that_can_be(values, axis):
    chart = lines(_("Rating"), [values], ("", ""))
    assert re.findall(r'text-anchor="end">([^<]+)</text>', chart) == axis


def test_the_figures_at_an_axis_are_in_the_language_of_the_reader():
    with reading("de"):
        assert ">1,5</text>" in lines(_("Rating"), [[0, 3, 1]], ("", ""))
