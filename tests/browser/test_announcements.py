"""What administrators announce, above pages."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from app.core.moments import utc_now
from tests.support.accounts import grant
from tests.support.announcements import end_announcement
from tests.support.players import Program, make_old
from tests.support.tournaments import member
from tests.support.waiting import wait_until

pytestmark = pytest.mark.browser

ONE_LINE = 52  # pixels, at most


@pytest.fixture
def announced(server, database_url):
    program = Program(server)
    make_old(database_url, program)
    administrator = member(server, grant(database_url, program, "administrator").username).http
    terms = {
        "en": "We are closed tonight. " * 12,
        "ends_at": f"{utc_now() + timedelta(hours=1):%Y-%m-%dT%H:%M}",
    }
    assert administrator.post("/admin/announcement", data=terms).is_success
    wait_until(lambda: 'class="banner"' in administrator.get("/help").text)
    yield
    end_announcement(administrator)


@pytest.mark.usefixtures("announced")
def test_an_announcement_is_one_line_above_a_board_and_can_be_closed_for_good(sit_down):
    page = sit_down()
    banner = page.locator(".banner")
    for width, height in ((360, 740), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/analysis")
        assert banner.bounding_box()["height"] <= ONE_LINE
        expect(page.locator(".screen-bar")).to_be_in_viewport(ratio=1)
    page.goto("/help")
    assert banner.bounding_box()["height"] > ONE_LINE
    banner.get_by_role("button").click()
    expect(banner).to_have_count(0)
    for path in ("/help", "/analysis"):
        page.goto(path)
        expect(banner).to_have_count(0)
