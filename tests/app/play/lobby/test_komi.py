"""Games with another komi, and challenges in which who accepts chooses the side."""

import pytest

from tests.support.answers import code
from tests.support.games import BLITZ
from tests.support.players import Program, Visitor
from tests.support.tournaments import BULLET

OPTIONS = {"size": 9, "komi": 7}


@pytest.fixture
def two(server):
    return Program(server), Program(server)


def accept(player, challenge, **members):
    return player.http.post(f"/challenges/{challenge}/accept", json=members or None)


def play(one, other, **members):
    made = one.challenge(opponent=other.username, side="black", **members)
    return accept(other, made.json()["id"]).json()["game_id"]


def test_a_game_has_the_komi_that_was_agreed_on(two, server):
    one, other = two
    game = play(one, other, options=OPTIONS)
    shown = one.snapshot(game)
    assert (shown["options"], shown["score"]) == (OPTIONS, {"black": 0, "white": 7.5})
    assert shown["position"].endswith(" b 0 7.5")
    page = Visitor(server).http.get(f"/games/{game}").text
    for text in ("9×9, komi 7.5", "incl. 7.5 komi"):
        assert text in page
    one.move(game, "c4", 0)
    other.move(game, "pass", 1)
    one.move(game, "pass", 2)
    ended = one.snapshot(game)
    assert ended["result"]["winner"] == "white"  # black has 4 points
    assert ended["score"]["white"] == 7.5
    record = one.http.get(f"/games/{game}/export").text
    assert '[Options "size=9 komi=7"]' in record
    checked = one.http.post("/records/check", json={"record": record}).json()
    assert (checked["options"], checked["score"]) == (OPTIONS, ended["score"])
    rematch = one.http.post(f"/games/{game}/rematch").json()["challenge_id"]
    assert one.http.get(f"/challenges/{rematch}").json()["options"] == OPTIONS


def test_positions_with_another_komi_are_analysed_and_kept(two, visitor):
    page = visitor.http.get("/analysis/jadejack?size=9&komi=-4&moves=c4").text
    assert "9×9, komi \N{MINUS SIGN}3.5" in page
    study = {"game": "jadejack", "title": "Another komi", "options": {"size": 9, "komi": -4}, "tree": "c4 g6"}
    made = two[0].http.post("/studies", json=study).json()
    assert two[0].http.get(f"/studies/{made['id']}").json()["options"] == study["options"]


def test_the_usual_komi_is_not_stated(two):
    game = play(*two, options={"size": 9, "komi": 1})
    assert two[0].snapshot(game)["options"] == {"size": 9}


def test_another_komi_is_casual_in_every_way_to_a_game(two):
    one, _ = two
    wanted = {"game": "jadejack", "options": OPTIONS, "time_control": BLITZ}
    usual = {**wanted, "options": {"size": 9, "komi": 1}}
    terms = {"name": "A cup", "kind": "knockout", "max_players": 8, **wanted, "time_control": BULLET}
    for path, body in (
        ("/challenges", wanted),
        ("/challenges/pair", wanted),
        ("/tournaments", terms),
    ):
        assert code(one.http.post(path, json={**body, "rated": True})) == (422, "casual_only"), path
        assert one.http.post(path, json={**body, "rated": False}).is_success, path
    search = {"wanted": [usual, wanted], "rated": True}
    assert code(one.http.put("/me/search", json=search)) == (422, "casual_only")


@pytest.mark.parametrize("komi", [-12, 21])
def test_a_komi_beyond_the_bounds_is_refused(two, komi):
    assert code(two[0].challenge(options={"size": 9, "komi": komi})) == (422, "bad_options")


@pytest.mark.parametrize("side", ["black", "white"])
def test_one_names_the_komi_and_the_other_chooses_the_side(two, side):
    one, other = two
    made = one.challenge(options=OPTIONS, side="choice").json()["id"]
    assert one.http.get(f"/challenges/{made}").json()["side"] == "choice"
    for wrong in ({}, {"side": "first"}, {"side": "random"}):
        assert code(accept(other, made, **wrong)) == (422, "bad_side")
    game = accept(other, made, side=side).json()["game_id"]
    assert one.snapshot(game)["players"][side]["username"] == other.username


def test_no_side_is_chosen_where_it_is_settled(two):
    one, other = two
    made = one.challenge(side="black").json()["id"]
    assert code(accept(other, made, side="white")) == (422, "bad_side")


def test_nobody_is_paired_who_would_have_to_choose(two):
    one, other = two
    offer = {"options": {"size": 13, "komi": -3}, "time_control": BLITZ}
    made = one.challenge(side="choice", **offer).json()["id"]
    body = {"game": "jadejack", **offer}
    assert other.http.post("/challenges/pair", json=body).json()["game_id"] is None
    assert other.http.put("/me/search", json={"wanted": [body]}).json()["game_id"] is None
    other.http.delete("/me/search")
    assert one.http.get(f"/challenges/{made}").json()["status"] == "open"


def test_the_computer_takes_a_side(two):
    made = two[0].challenge(options=OPTIONS, side="choice", opponent="Gorrion-1").json()
    assert two[0].snapshot(made["game_id"])["options"] == OPTIONS


def test_forms_name_a_komi_and_choose_a_side(server, visitor):
    maker = Visitor(server).register()
    assert 'name="komi"' not in maker.http.get("/lobby?offer=jumping_farther").text
    form = {"size": "10", "komi": "6", "side": "choice", "clock": "none", "opponent_kind": "open"}
    refused = maker.http.post("/challenges", data={**form, "rated": "yes"})
    assert refused.status_code == 422
    assert "Rated games have the usual komi." in refused.text
    made = maker.http.post("/challenges", data=form)
    for text in ("JadeJack 10×10, komi 6.5", "Your opponent chooses"):
        assert text in made.text
    challenge = made.url.path.rpartition("/")[2]
    lobby = visitor.http.get("/lobby").text
    assert f'id="challenge-{challenge}"' in lobby
    for path in ("/lobby", f"/challenges/{challenge}"):
        page = visitor.http.get(path).text
        for side in ("black", "white"):
            assert f'name="side" value="{side}"' in page
    played = visitor.http.post(f"/challenges/{challenge}/accept", data={"side": "white"})
    assert played.url.path.startswith("/games/")
    assert "komi 6.5" in played.text
