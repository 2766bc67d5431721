"""Fragments that are drawn once for all readers who see the same, and the keys of their forms."""

import re
from datetime import date

import pytest
from jinja2 import UndefinedError

from app.core.i18n.languages import reading
from app.core.web import render
from app.core.web.forms import KEY_FIELD, keyed
from app.core.web.render import fragment, kept
from app.play.lobby.forms import blank
from app.play.lobby.presenter import WAYS, challenge_form, chosen_game
from engine.search.levels import USUAL

POSTED = '<form[^>]*method="post"[^>]*>'
KEYED = re.compile(rf'{POSTED}<input type="hidden" name="{KEY_FIELD}" value="([^"]+)">')

SHOWN = {
    "ways": WAYS,
    "usual_level": USUAL,
    "chosen": chosen_game("jadejack"),
    "request_path": "/",
    "opponent": None,
}


@pytest.fixture
def drawn(monkeypatch):
    """Return the templates that are drawn from now on, when nothing is kept."""
    names = []
    draw = render._drawn
    monkeypatch.setattr(render, "_drawn", lambda name, context: names.append(name) or draw(name, context))
    render._kept.cache.clear()
    return names


def links(**rights):
    return kept("partials/footer_links.html", **({"is_moderator": False, "is_administrator": False} | rights))


def ways(turns=None):
    return kept("partials/ways_to_play.html", turns=turns, **SHOWN)


def keys(html):
    found = KEYED.findall(html)
    assert len(found) in (0, len(re.findall(POSTED, html)))
    return found


def test_what_readers_see_alike_is_drawn_once(drawn):
    assert links() == links()
    assert links(is_moderator=True) != links()
    with reading("de"):
        assert links() == links()
        german = links()
    assert german != links()
    assert len(drawn) == 3


def test_the_boards_of_a_day_are_drawn_once_and_those_of_the_next_day_are_others(drawn):
    def today(day):
        return kept("partials/home_today.html", today=day)

    first, second = date(2026, 1, 1), date(2026, 1, 2)
    assert "/nugget/daily/2026-01-01/board.svg" in today(first)
    with keyed(None):
        assert keys(today(first))
    assert len(drawn) == 1
    assert "/nugget/daily/2026-01-02/board.svg" in today(second)


def test_lists_and_mappings_are_compared_by_what_they_have(drawn):
    def records(bounds):
        return kept("partials/nugget_records.html", boards=[], means=[], bounds=bounds)

    assert records({1: 2}) == records({1: 2})
    assert len(drawn) == 1
    records({1: 3})
    assert len(drawn) == 2


def test_long_fragments_are_drawn_again_and_all_together_have_a_limit(drawn):
    def challenge(opponent, **unknown):
        values = blank("jadejack") | {"opponent": opponent} | unknown
        shown = {"form": challenge_form(values, {}), "form_values": values, "form_errors": {}}
        return kept("partials/challenge_form.html", is_member=True, **shown)

    assert challenge('"' * 100_000) == challenge('"' * 100_000)
    assert challenge("robin", unknown="x" * 100_000) == challenge("robin", unknown="x" * 100_000)
    assert len(drawn) == 4
    for number in range(500):
        challenge("robin", unknown=f"{number}" * 10_000)
    kept_values = sum(len(str(key)) for key in render._kept.cache)
    kept_html = sum(len(each.html) for each in render._kept.cache.values())
    assert kept_values + kept_html <= 1.2 * render._MOST_KEPT


def test_a_kept_fragment_knows_only_its_values():
    with pytest.raises(UndefinedError):
        kept("partials/footer_links.html", is_moderator=True)


def test_the_forms_of_a_kept_fragment_have_the_key_of_each_page(drawn):
    def page():
        with keyed(None):
            return [key for html in (ways(), ways(turns=3)) for key in keys(html)]

    one, other = page(), page()
    assert len(set(one)) == len(set(other)) == 1
    assert one[0] != other[0]
    assert len(drawn) == 2


def test_the_forms_of_a_fragment_for_several_readers_have_no_key():
    assert keys(fragment("partials/play_now.html", turns=1, **SHOWN)) == []


def test_each_page_that_is_sent_has_a_key_in_all_its_forms(visitor):
    sent = [keys(visitor.http.get(path).text) for path in ("/lobby", "/lobby", "/")]
    assert all(len(set(found)) == 1 for found in sent)
    assert len({key for found in sent for key in found}) == 3
