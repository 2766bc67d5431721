"""Tournaments as pages: the lists, one tournament before, during and after it, sheets, files and forms."""

import csv
import io
import re
from datetime import timedelta

import pytest

from app.moments import utc_now
from tests.support.players import Visitor
from tests.support.tournaments import Cup

SOON = {"clock": "realtime", "minutes": "3", "increment": "2", "size": "8"}


def starts_in(minutes):
    return (utc_now() + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M")


def text_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def test_the_pages_of_a_round_robin_from_its_announcement_to_its_results(server, clock):
    cup = Cup(server, clock, 3, "round_robin")
    path, visitor = f"/tournaments/{cup.id}", Visitor(server)
    name = cup.shown["name"]
    assert name in visitor.http.get("/tournaments").text
    assert "Register to join" in visitor.http.get(path).text
    cup.start()
    first = cup.play_round()[0]
    assert "Back to the tournament" in visitor.http.get(f"/games/{first['game_id']}").text
    beside = text_of(visitor.http.get(f"{path}/games/{first['game_id']}"))
    assert name in beside
    assert "rank 1" in beside
    cup.play_round()
    cup.play_round()
    cup.wait_for("finished")
    shown = text_of(visitor.http.get(path))
    assert "Crosstable" in shown
    assert "It ended on" in shown
    assert name in visitor.http.get("/tournaments?when=past").text
    winner = cup.standings[0]["username"]
    sheet = text_of(visitor.http.get(f"{path}/players/{winner}"))
    assert all(player in sheet for player in cup.programs)
    assert f"{name} place 1 of 3" in text_of(visitor.http.get(f"/players/{winner}"))
    rows = list(csv.DictReader(io.StringIO(visitor.http.get(f"{path}/results.csv").text)))
    assert {row["username"]: float(row["points"]) for row in rows} == cup.points
    results = visitor.http.get(f"{path}/results.json").json()
    assert results["standings"] == cup.standings
    assert results["pairings"] == cup.pairings


def test_a_tournament_is_made_changed_joined_left_and_cancelled_by_forms(server):
    organiser, player, guest = Visitor(server).register(), Visitor(server).register(), Visitor(server)
    form = {"kind": "swiss", "game": "jadejack", "name": "Cake cup", "swiss_rounds": "2", **SOON}
    refused = organiser.http.post("/tournaments/new", data=form)
    assert refused.status_code == 422
    assert "A Swiss tournament has from 3 to 13 rounds." in refused.text
    assert 'value="Cake cup"' in refused.text
    form |= {"swiss_rounds": "5", "starts_at": starts_in(60), "password": "nightingale"}
    made = organiser.http.post("/tournaments/new", data=form)
    path = made.url.path
    assert "Cake cup" in made.text
    assert 'value="Cake cup"' in organiser.http.get(f"{path}/edit").text
    changed = organiser.http.post(f"{path}/edit", data={**form, "name": "Tea cup"})
    assert "Tea cup" in changed.text
    assert player.http.post(f"{path}/edit", data=form).status_code == 403
    wrong = player.http.post(f"{path}/join", data={"password": "sparrow"})
    assert wrong.status_code == 403
    assert "Ask its organiser" in wrong.text
    joined = player.http.post(f"{path}/join", data={"password": "nightingale"})
    assert "You take part." in joined.text
    assert "Tea cup" in player.http.get("/tournaments").text.partition("You take part")[2]
    assert "You take part." not in player.http.post(f"{path}/withdraw").text
    assert guest.http.post(f"{path}/join").status_code == 401
    cancelled = organiser.http.post(f"{path}/cancel", data={"reason": "No more cake"})
    assert "Cancelled: No more cake" in text_of(cancelled)


@pytest.mark.parametrize("kind", ["arena", "swiss", "round_robin", "knockout", "simul"])
def test_the_form_of_each_kind_has_only_its_own_fields(server, kind):
    html = Visitor(server).http.get(f"/tournaments/new?kind={kind}").text
    own = {"length": "arena", "swiss_rounds": "swiss", "groups": "round_robin", "best_of": "knockout"}
    assert {owner for field, owner in own.items() if f'name="{field}"' in html} == {kind} - {"simul"}


def test_the_next_tournament_is_named_on_the_home_page(server, clock):
    cup = Cup(server, clock, 0, "arena", minutes=20)
    assert "/tournaments/" in Visitor(server).http.get("/").text
    assert cup.shown["name"] in Visitor(server).http.get("/tournaments").text
