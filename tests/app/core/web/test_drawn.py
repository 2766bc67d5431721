"""Forms that show stored values, in two tabs: none undoes what was changed in the other one."""

import itertools
from datetime import timedelta

import pytest

from app.core.errors import ConflictError
from app.core.moments import utc_now
from app.core.web.forms import Submission, drawn_with
from app.people.identity.service import ORGANISER
from tests.support.accounts import grant
from tests.support.forms import sent_by
from tests.support.players import Visitor, begin_game, fresh_name
from tests.support.tournaments import new_team


def in_hours(*hours):
    return tuple((utc_now() + timedelta(hours=each)).strftime("%Y-%m-%dT%H:%M") for each in hours)


def names():
    return tuple(fresh_name("The cup of") for _ in range(3))


TEXTS = ("Bring cake.", "Two\nlines.", "")


def a_team(visitor, database_url):
    values = {"name": names(), "text": TEXTS, "join": ("open", "request")}
    return f"/teams/{new_team(database_url, visitor)}/settings", values


def a_tournament(visitor, _database_url):
    made = {"kind": "swiss", "game": "jadejack", "name": fresh_name("Cup"), "swiss_rounds": "5", "size": "8"}
    clock = {"clock": "realtime", "minutes": "3", "increment": "2"}
    answer = visitor.http.post("/tournaments/new", data={**made, **clock, "starts_at": in_hours(5)[0]})
    return f"{answer.url.path}/edit", {
        "name": names(),
        "description": TEXTS,
        "size": ("8", "9", "10"),
        "increment": ("4", "5", "6"),
        "starts_at": in_hours(6, 7, 8),
        "max_players": ("20", "30", "40"),
        "swiss_rounds": ("4", "6", "7"),
        "rating_max": ("2000", "2100", ""),
        "chat": ("", "yes"),
        "computers": ("", "yes"),
    }


def a_competition(visitor, database_url):
    grant(database_url, visitor, ORGANISER)
    start, end = in_hours(5, 10)
    made = {"title": "Winter cup", "starts_at": start, "ends_at": end}
    path = visitor.http.post("/nugget/competitions", data=made).url.path
    return f"{path}/edit", {
        "title": names(),
        "text": TEXTS,
        "starts_at": in_hours(6, 7, 8),
        "ends_at": in_hours(11, 12, 13),
        "min_boards": ("21", "22", "23"),
        "max_boards": ("50", "60", "70"),
        "visibility": ("open", "sealed"),
    }


def a_profile(_visitor, _database_url):
    languages = {"language1": ("de", "es", "pl"), "language2": ("sw", "fr", "it")}
    links = ("https://a.example\nhttps://b.example", "https://c.example", "")
    return "/account/profile", {"text": TEXTS, "country": ("de", "pl", ""), "links": links, **languages}


def preferences(_visitor, _database_url):
    return "/account/preferences", {
        "board": ("wood", "slate", "felt"),
        "messages": ("everybody", "following", "nobody"),
        "sounds": ("off", "on"),
        "theme": ("system", "light", "dark"),
    }


def a_note(visitor, _database_url):
    return f"{begin_game(visitor, Visitor(visitor.server))}/note", {"text": TEXTS}


class Tab:
    """A form that was drawn, to change and send whenever."""

    def __init__(self, visitor, path):
        self.http, self.path = visitor.http, path
        page = visitor.http.get(path)
        assert page.status_code == 200, page.text
        self.fields = sent_by(page.text, path)

    def save(self, **changed):
        fields = {**self.fields, **changed}
        ticked = {name: value for name, value in fields.items() if value or name in self.fields}
        # To draw the page that a browser would be sent to takes as long again.
        return self.http.post(self.path, data=ticked, follow_redirects=False)

    def shows(self, name):
        return self.fields.get(name, "")


def neighbours(names):
    """Return each name with the next one and with the one before, in a ring."""
    pairs = [*itertools.pairwise([*names, names[0]])]
    return [*pairs, *((second, first) for first, second in pairs)]


@pytest.mark.parametrize("made", [a_team, a_tournament, a_competition, a_profile, a_note, preferences])
def test_two_tabs_undo_nothing_of_each_other(visitor, database_url, made):
    """What a submission keeps is decided for all fields together: each one is changed beside two others."""
    path, values = made(visitor.register(), database_url)

    def others(name, now):
        return [value for value in values[name] if value != now.shows(name)]

    for first, second in neighbours([*values]):
        one, two = Tab(visitor, path), Tab(visitor, path)
        changed, also = others(first, one)[0], others(second, two)[0]
        assert one.save(**{first: changed}).status_code == 303
        assert two.save(**{second: also}).status_code == 303
        after = Tab(visitor, path)
        assert (after.shows(first), after.shows(second)) == (changed, also)
        kept = values.keys() - {first, second}
        assert {name: after.shows(name) for name in kept} == {name: one.shows(name) for name in kept}

    for name in values:
        one, two = Tab(visitor, path), Tab(visitor, path)
        theirs, mine = (*others(name, one), None)[:2]
        assert one.save(**{name: theirs}).status_code == 303
        assert two.save(**{name: theirs}).status_code == 303  # what both want
        if mine is not None:
            refused = two.save(**{name: mine})
            assert refused.status_code == 409
            again = sent_by(refused.text, path)
            assert again == {**two.fields, name: mine}
            assert "This has changed since." in refused.text
        assert Tab(visitor, path).shows(name) == theirs


@pytest.mark.parametrize("made", [a_team, a_tournament, a_competition, a_profile])
def test_a_form_that_is_shown_again_undoes_nothing_either(visitor, database_url, made):
    path, values = made(visitor.register(), database_url)
    wrong = next(name for name in ("name", "title", "links") if name in values)
    field = next(name for name in ("text", "description") if name in values)
    one, two = Tab(visitor, path), Tab(visitor, path)
    one.save(**{field: "Bring cake."})
    refused = two.save(**{wrong: "x"})
    assert refused.status_code == 422
    two.fields = sent_by(refused.text, path)
    assert two.save(**{wrong: two.shows(f"drawn_{wrong}")}).status_code == 303
    assert Tab(visitor, path).shows(field) == "Bring cake."


def test_switches_of_notifications_stay_that_another_tab_has_set(visitor):
    path = "/notifications/settings"
    visitor.register()
    one, two = Tab(visitor, path), Tab(visitor, path)
    assert one.save(**{"push-message": "off"}).status_code == 303
    assert two.save(**{"push-challenge": "off"}).status_code == 303
    shown = [Tab(visitor, path).shows(f"push-{kind}") for kind in ("message", "challenge", "deadline")]
    assert shown == ["off", "off", "on"]


def test_the_start_of_a_tournament_is_one_value_however_it_is_chosen(visitor, database_url):
    path, values = a_tournament(visitor.register(), database_url)
    one, two = Tab(visitor, path), Tab(visitor, path)
    assert one.save(starts_at=values["starts_at"][0]).status_code == 303
    for start in ({"starts": "15"}, {"starts": "full", "max_players": "20"}):
        assert two.save(**start).status_code == 409
        assert Tab(visitor, path).shows("starts_at") == values["starts_at"][0]
    assert Tab(visitor, path).save(starts="15").status_code == 303
    assert Tab(visitor, path).shows("starts_at") < values["starts_at"][0]


def test_a_submission_is_rebased_on_what_is_stored():
    drawn = drawn_with({"name": "wren", "text": "", "box": "yes"})
    stored = {"name": "finch", "text": "Hello", "box": "yes"}
    sent = Submission({**drawn, "box": ""}).rebased(stored)
    assert {name: sent.values[name] for name in stored} == {"name": "finch", "text": "Hello", "box": ""}
    with pytest.raises(ConflictError):
        Submission({**drawn, "name": "robin"}).rebased(stored)
    plain = Submission({"name": "robin"})
    assert plain.rebased(stored) == plain
