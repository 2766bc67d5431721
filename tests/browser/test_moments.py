"""Moments in the reader's time, and in UTC where no script runs."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from app.core.i18n.formats import day_in, moment_in
from app.core.moments import utc_now
from tests.support.players import Visitor, begin_game
from tests.support.tournaments import Cup

pytestmark = pytest.mark.browser

NEW_YORK = "America/New_York"

COUNT_CHANGES = """element => {
    window.changes = 0;
    const everything = { attributes: true, characterData: true, childList: true, subtree: true };
    new MutationObserver((changes) => (window.changes += changes.length)).observe(element, everything);
}"""


def start_of(cup):
    return datetime.fromisoformat(cup.shown["starts_at"])


def local(moment, zone=NEW_YORK):
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def in_new_york(moment, language="en"):
    return moment_in(language, local(moment)).removesuffix(" UTC")


@pytest.mark.parametrize("language", ["en", "de", "es", "pl"])
def test_the_start_of_a_tournament_is_in_the_readers_time(sit_down, server, clock, language):
    cup = Cup(server, clock, 0, "arena", minutes=20)
    page = sit_down(timezone_id=NEW_YORK)
    page.goto(f"/tournaments/{cup.id}?lang={language}")
    start = page.locator("#tournament-status time")
    expect(start).to_have_text(in_new_york(start_of(cup), language))
    expect(start).to_have_attribute("title", moment_in(language, start_of(cup)))


def test_what_is_pushed_is_in_the_readers_time_and_leaves_the_rest_alone(sit_down, server, clock):
    soon = utc_now() + timedelta(days=9)  # far enough to be told as a date
    first = Cup(server, clock, 0, "arena", minutes=20, starts_at=soon.isoformat())
    page = sit_down(timezone_id=NEW_YORK)
    page.goto("/tournaments")
    start = page.locator(f".tournament-row:has(a[href='/tournaments/{first.id}']) time")
    expect(start).to_have_text(in_new_york(start_of(first)))
    start.evaluate(COUNT_CHANGES)
    second = Cup(server, clock, 0, "arena", minutes=20, starts_at=(soon + timedelta(hours=1)).isoformat())
    pushed = page.locator(f".tournament-row:has(a[href='/tournaments/{second.id}']) time")
    expect(pushed).to_have_text(in_new_york(start_of(second)))
    assert page.evaluate("window.changes") == 0


def test_the_calendar_has_the_days_of_the_reader(sit_down, server, clock):
    early = (utc_now() + timedelta(days=3)).replace(hour=2, minute=0, second=0, microsecond=0)
    starts = [early, early.replace(hour=20)]  # on one day in UTC
    cups = [Cup(server, clock, 0, "arena", minutes=20, starts_at=at.isoformat()) for at in starts]
    page = sit_down(timezone_id=NEW_YORK)
    page.goto("/calendar")
    for cup, day in zip(cups, (early - timedelta(days=1), early), strict=True):
        section = page.locator(f".calendar-day:has(a[href='/tournaments/{cup.id}'])")
        expect(section.locator("h2")).to_have_text(day_in("en", day))
    for day in page.locator(".calendar-day").all():
        expect(day.locator(".row-card")).not_to_have_count(0)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])  # never on the same day
def test_the_day_of_a_moment_is_the_readers(sit_down, zone, server):
    page = sit_down(visitor=Visitor(server).register(), timezone_id=zone)
    page.goto("/account/security")
    since = page.locator("time[data-day]").first
    moment = local(datetime.fromisoformat(since.get_attribute("datetime")), zone)
    expect(since).to_have_text(day_in("en", moment))
    expect(since).to_have_attribute("title", moment_in("en", moment).removesuffix(" UTC"))


def test_a_line_of_the_chat_says_when_it_was_written_in_the_readers_time(sit_down, server, clock):
    cup = Cup(server, clock, 0, "arena", minutes=20)
    page = sit_down(visitor=Visitor(server).register(), timezone_id=NEW_YORK)
    page.goto(f"/tournaments/{cup.id}")
    page.click("#chat summary")
    page.click("#chat >> text=Good luck!")
    line = page.locator("#chat-tournament li")
    written = datetime.fromisoformat(line.get_attribute("data-moment"))
    expect(line).to_have_attribute("title", in_new_york(written))


def test_the_moment_of_a_form_is_in_the_readers_time(sit_down, server):
    page = sit_down(visitor=Visitor(server).register(), timezone_id=NEW_YORK)
    page.goto("/tournaments/new?kind=swiss")
    page.fill("[name=name]", "Thursday cup")
    start, said = page.locator("[name=starts_at]"), page.locator(".field-moment")
    expect(page.locator("label[for=field-starts_at]")).to_have_text("Date and time (your time)")
    expect(said).to_have_text("")
    moment = (utc_now() + timedelta(days=3)).replace(hour=2, minute=0, second=0, microsecond=0)
    start.fill(f"{local(moment):%Y-%m-%dT%H:%M}")
    expect(said).to_have_text(in_new_york(moment))
    expect(page.locator("[name=starts][value=at]")).to_be_checked()
    page.fill("[name=swiss_rounds]", "3")
    page.click("form .button-main")
    expect(page.locator("#tournament-status time")).to_have_text(in_new_york(moment))
    page.click("text=Edit")
    expect(page.locator("[name=starts_at]")).to_have_value(f"{local(moment):%Y-%m-%dT%H:%M}")
    expect(page.locator(".field-moment")).to_have_text(in_new_york(moment))


def test_without_scripts_the_moment_of_a_form_is_in_utc(sit_down, server):
    visitor = Visitor(server).register()
    page = sit_down(visitor=visitor, timezone_id=NEW_YORK, java_script_enabled=False)
    page.goto("/tournaments/new?kind=arena")
    expect(page.locator("label[for=field-starts_at]")).to_have_text("Date and time (UTC)")


def test_without_scripts_moments_are_in_utc(sit_down, server, clock):
    cup = Cup(server, clock, 0, "arena", minutes=20)
    page = sit_down(timezone_id=NEW_YORK, java_script_enabled=False)
    page.goto(f"/tournaments/{cup.id}")
    # Playwright's own matching of text leaves out what is for readers without scripts.
    shown = " ".join(page.locator("#tournament-status").inner_text().split())
    assert moment_in("en", start_of(cup)) in shown


ZONES = [
    "America/New_York",
    "America/Los_Angeles",
    "Europe/Berlin",
    "Pacific/Auckland",
    "Australia/Lord_Howe",
]
HOUR = timedelta(hours=1)

# Puts a field for each moment into the form of a page before scripts begin.
ADD_FIELDS = """
addEventListener("DOMContentLoaded", () => {
  const first = document.querySelector("[type=datetime-local]").parentElement;
  for (const [number, moment] of MOMENTS.entries()) {
    const copy = first.cloneNode(true);
    const field = copy.querySelector("input");
    field.setAttribute("value", moment);
    field.id = copy.querySelector("label").htmlFor = field.name = `moment-${number}`;
    first.after(copy);
  }
});
"""
READ_FIELDS = """
() => MOMENTS.map((moment, number) => {
  const field = document.getElementById(`moment-${number}`);
  return [field.value, new FormData(field.form).get(field.name)];
})
"""


def around_changes(zone):
    """Return the half hours of a year that are near a change of a zone's clocks."""
    moments = [datetime(2027, 1, 1, 0, 30, tzinfo=UTC) + number * HOUR for number in range(365 * 24)]
    offsets = [moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in moments]
    changes = [number for number in range(1, len(moments)) if offsets[number] != offsets[number - 1]]
    assert len(changes) == 2
    return [moments[number] for change in changes for number in range(change - 15, change + 15)]


@pytest.mark.parametrize("zone", ZONES)
def test_a_moment_near_a_change_of_clocks_is_shown_right_and_sent_as_it_came(sit_down, server, zone):
    near = around_changes(zone)
    moments = [f"{moment:%Y-%m-%dT%H:%M}" for moment in near]
    shown = [f"{local(moment, zone):%Y-%m-%dT%H:%M}" for moment in near]
    page = sit_down(visitor=Visitor(server).register(), timezone_id=zone)
    page.add_init_script(f"window.MOMENTS = {moments};{ADD_FIELDS}")
    page.goto("/tournaments/new?kind=swiss")
    assert page.evaluate(READ_FIELDS) == [list(pair) for pair in zip(shown, moments, strict=True)]


def game_by_correspondence(server, days="3"):
    """Return who is to move in a game by correspondence, and its path."""
    maker, opponent = Visitor(server).register(), Visitor(server).register()
    return maker, begin_game(maker, opponent, clock="correspondence", days=days)


def test_the_time_that_is_left_goes_on(sit_down, server):
    player, _path = game_by_correspondence(server, "1")
    page = sit_down(visitor=player)
    page.clock.install()
    page.goto("/games")
    left = page.locator("time[data-left]").first
    expect(left).to_have_text(re.compile("^(1 day|23 hours) left$"))
    page.clock.fast_forward("05:00:00")
    expect(left).to_have_text(re.compile("^1[89] hours left$"))
    page.clock.fast_forward("18:30:00")
    expect(left).to_have_text(re.compile("^2[89] minutes left$"))
    page.clock.fast_forward("29:00")
    expect(left).to_have_text(re.compile("^[0-5]?[0-9] seconds? left$"))


NEAR = """(moment) => document.body.insertAdjacentHTML("beforeend",
    `<time id="near" datetime="${moment}" title="" data-relative="just now">in 1 minute</time>`)"""


def test_a_moment_that_comes_while_a_page_is_open_is_told_as_such(sit_down, server):
    player, _path = game_by_correspondence(server)
    page = sit_down(visitor=player)
    page.clock.install()
    page.goto("/games")  # which says when the server made it
    page.evaluate(NEAR, (utc_now() + timedelta(seconds=90)).isoformat())
    near = page.locator("#near")
    for seconds, said in ((40, "in 1 minute"), (70, "just now"), (60, "1 minute ago")):
        page.clock.fast_forward(seconds * 1000)
        expect(near).to_have_text(said)


# The browser's clock, which goes on with the server's: that of Playwright hides how a page was reached.
LATE = """
const { now } = Date;
Date.now = () => now() + Number(sessionStorage.getItem("late"));
"""


def test_a_page_that_is_gone_back_to_knows_how_late_it_is(sit_down, server, clock):
    player, _path = game_by_correspondence(server)
    page = sit_down(visitor=player)
    page.add_init_script(LATE)
    page.goto("/games")
    left = page.locator("time[data-left]").first
    expect(left).to_have_text("2 days left")
    page.goto("/about")
    clock.advance(hours=30)
    page.evaluate("sessionStorage.setItem('late', 30 * 3_600_000)")
    page.go_back()
    expect(left).to_have_text("1 day left")
