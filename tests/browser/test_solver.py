"""The page of searches in a browser: it shows how far they are without being loaded again."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from app.nugget.solver.decisions import SearchState
from tests.support.database import execute
from tests.support.nugget_searches import FIRST, WHOLE, Reporting

pytestmark = pytest.mark.browser


def test_a_search_is_watched_live(sit_down, database_url):
    execute(database_url, "DELETE FROM nugget_searches")
    reporting, page = Reporting(database_url), sit_down()
    page.goto("/nugget")
    page.click("text=Solver")
    expect(page.locator("#searches")).to_contain_text("Nobody is searching just now.")
    page.evaluate("document.body.dataset.mark = 'not loaded again'")
    search_id = reporting.begin(FIRST)
    search = page.locator(f"#search-{search_id}")
    expect(search.locator("h2")).to_have_text("A record of 50 boards: running")
    expect(search.locator(".tile")).to_have_count(49)
    reporting.tell(search_id, WHOLE)
    expect(search).to_contain_text("From board 2 on, its best run repeats 2 boards")
    expect(search.locator(".tile")).to_have_count(0)
    expect(search.locator("svg.chart")).to_be_visible()
    reporting.tell(search_id, replace(WHOLE, fewest=(280, 640)), state=SearchState.FINISHED)
    expect(search.locator("h2")).to_have_text("A record of 50 boards: finished")
    expect(search).to_contain_text("14.00")
    assert page.evaluate("document.body.dataset.mark") == "not loaded again"
