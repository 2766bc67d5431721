"""Tabs on a phone: one row, in which the current one and the one with the focus are in view."""

import pytest

from tests.support.accessibility import PHONE

pytestmark = pytest.mark.browser

# Of each kind: pages with many tabs, with long ones, with two rows, and with links to parts of the page.
PAGES = [
    "/records",
    "/scores/up_and_up/8",
    "/ladders/jumping_farther",
    "/calendar",
    "/tournaments/new?kind=knockout",
    "/admin",
    "/lobby",
]

_ROWS = """() => [...document.querySelectorAll("nav.tabs")].map((row) => {
  const { left, right } = row.getBoundingClientRect();
  const isIn = (tab) => {
    const box = tab.getBoundingClientRect();
    return box.left >= left - 1 && box.right <= right + 1;
  };
  const current = row.querySelector("[aria-current]");
  const isShown = !current || isIn(current);
  const tabs = [...row.children];
  const withFocus = [tabs[0], tabs.at(-1)].filter((tab) => (tab.focus(), !isIn(tab)));
  return { tops: new Set(tabs.map((tab) => tab.offsetTop)).size, isShown, hidden: withFocus.length };
})"""
_RIGHT = {"tops": 1, "isShown": True, "hidden": 0}


def test_tabs_are_one_row_on_a_phone(sit_down, example_site):
    page = sit_down(
        visitor=example_site.readers["moderator"],
        base_url=example_site.server.url,
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
    )
    rows = {}
    for path in PAGES:
        page.goto(path)
        rows[path] = page.evaluate(_ROWS)
    assert all(rows.values()), rows
    assert {path: found for path, found in rows.items() if found != [_RIGHT] * len(found)} == {}
