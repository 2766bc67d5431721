"""Charts: the figures at their axes."""

import re

import pytest

from app.core.i18n.languages import reading
from app.core.i18n.text import _
from app.core.web.charts import LEFT, WIDTH, histogram, lines


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


def test_an_axis_whose_ends_are_the_same_has_one_label_in_its_middle():
    labels = re.compile(r'<text x="([\d.]+)"[^>]* text-anchor="(\w+)">(\d+ \w+)</text>')
    days = lines(_("Rating"), [[1500, 1512]], ("1 May", "2 May"))
    assert [(anchor, label) for _x, anchor, label in labels.findall(days)] == [
        ("start", "1 May"),
        ("end", "2 May"),
    ]
    [(x, anchor, label)] = labels.findall(lines(_("Rating"), [[1500, 1512]], ("1 May", "1 May")))
    assert (float(x), anchor, label) == ((LEFT + WIDTH) / 2, "middle", "1 May")


def test_one_bar_is_no_chart():
    assert histogram(_("Games"), []) is None
    assert histogram(_("Games"), [("0", 3)]) is None
    assert histogram(_("Games"), [("0", 3), ("10", 1)]).count("<rect") == 2
