"""The lobby and challenges by forms."""

import re

from tests.support.answers import assert_error_page
from tests.support.games import BLITZ
from tests.support.players import Program, Visitor


def listed(html):
    return set(re.findall(r'id="challenge-([a-z0-9]+)"', html))


def test_the_lobby_is_filtered(server, visitor):
    maker, other = Program(server), Program(server)
    kinds = {
        "realtime": maker.challenge(time_control=BLITZ).json()["id"],
        "correspondence": maker.challenge(time_control={"kind": "correspondence", "days": 3}).json()["id"],
        "none": other.challenge().json()["id"],
        "rated": other.challenge(rated=True).json()["id"],
    }
    everything = set(kinds.values())
    for query, expected in (
        ({}, everything),
        ({"clock": "realtime"}, {kinds["realtime"]}),
        ({"clock": "none"}, {kinds["none"], kinds["rated"]}),
        ({"rated": "yes"}, {kinds["rated"]}),
        ({"reach": "yes"}, everything - {kinds["rated"]}),  # a visitor plays casual games
        ({"game": "chess"}, set()),
    ):
        assert listed(visitor.http.get("/lobby", params=query).text) & everything == expected, query


def test_own_challenges_come_first_and_those_out_of_reach_last(server, visitor):
    maker = Program(server)
    own = visitor.http.post("/challenges", data={"size": "9"}).url.path.rpartition("/")[2]
    acceptable, rated = (maker.challenge(rated=rated).json()["id"] for rated in (False, True))
    shown = visitor.http.get("/lobby").text
    places = [shown.index(f'id="challenge-{challenge}"') for challenge in (own, acceptable, rated)]
    assert places == sorted(places)


def test_the_form_makes_a_challenge_or_explains_its_errors(server, visitor):
    visitor.register()
    form = {"clock": "realtime", "minutes": "15", "increment": "10", "rated": "yes", "rating_min": "1300"}
    page = visitor.http.post("/challenges", data=form)
    assert "15+10" in page.text
    assert "Rated" in page.text
    assert "1300 or more" in page.text
    for wrong, message in (
        ({"clock": "realtime", "minutes": "200"}, "Enter 180 or less."),
        ({"clock": "realtime", "increment": "soon"}, "Enter a whole number."),
        ({"clock": "sundial"}, "Choose one of the options."),
        ({"rating_min": "1600"}, "must lie within the range"),
        ({"rating_max": "much"}, "Enter a whole number."),
    ):
        answer = visitor.http.post("/challenges", data={**wrong, "size": "11"})
        assert answer.status_code == 422, wrong
        assert message in answer.text
        assert re.search(r'value="11" selected', answer.text)  # the form keeps its input


def test_the_links_of_a_refused_form_lead_back_to_its_page(server, visitor):
    sent_from = {"Referer": f"{server.url}/lobby?offer=jadejack"}
    page = visitor.http.post("/challenges", data={"clock": "sundial"}, headers=sent_from).text
    assert 'href="/lobby?offer=jumping_farther"' in page
    assert 'name="next" value="/lobby?offer=jadejack"' in page
    assert '"/challenges?' not in page


def test_a_match_has_two_rounds_by_default(visitor):
    page = visitor.http.get("/lobby?offer=jumping_farther").text
    assert 'name="rounds"' in page
    assert 'value="12"' in page
    form = {"game": "jumping_farther", "size": "5", "opponent_kind": "link", "side": "second"}
    assert "Jumping Farther &amp; Farther 5×5, two rounds" in visitor.http.post("/challenges", data=form).text
    form["rounds"] = "1"
    assert "5×5, one round" in visitor.http.post("/challenges", data=form).text
    wrong = visitor.http.post("/challenges", data={**form, "size": "13"})
    assert wrong.status_code == 422
    assert "must be from 3 to 12" in wrong.text
    assert 'name="rounds"' in wrong.text


def test_invalid_forms_are_refused(server, visitor):
    visitor.register()
    for form in (
        {"size": "7"},
        {"size": "14"},
        {"size": "x"},
        {"side": "red"},
        {"game": "chess"},
        {"opponent_kind": "nobody"},
        {"opponent_kind": "username", "opponent": "nobody-by-this-name"},
        {"opponent_kind": "username", "opponent": visitor.username},
    ):
        assert_error_page(visitor.http.post("/challenges", data=form), 422)
    assert_error_page(visitor.http.post("/challenges/nosuchone/accept"), 404)


def test_only_its_players_may_answer_a_challenge(server):
    maker, friend, stranger = (Visitor(server).register() for _ in range(3))
    made = maker.http.post("/challenges", data={"opponent_kind": "username", "opponent": friend.username})
    path = made.url.path
    assert_error_page(stranger.http.post(f"{path}/accept"), 403)
    assert_error_page(stranger.http.post(f"{path}/decline"), 403)
    assert_error_page(stranger.http.post(f"{path}/cancel"), 403)
    assert_error_page(maker.http.post(f"{path}/accept"), 403)
    assert friend.http.post(f"{path}/decline").status_code == 200
    assert_error_page(friend.http.post(f"{path}/accept"), 409)
    assert_error_page(maker.http.post(f"{path}/cancel"), 409)


def test_a_guest_plays_two_games_against_the_computer_at_a_time(visitor):
    answers = [visitor.http.post("/challenges/computer", data={"level": "1"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 409]
    assert "You have 2 games against the computer under way." in answers[-1].text


def test_a_guest_and_a_member_who_pick_the_same_clock_play_a_casual_game(server):
    def pick(player):
        return player.http.post("/challenges/pair", data={"game": "jadejack", "time": "10+10"}).url.path

    def is_rated(path):
        return Program(server).snapshot(path.rpartition("/")[2])["rated"]

    for first, second, rated in (
        (Visitor(server), Visitor(server).register(), False),
        (Visitor(server).register(), Visitor(server), False),
        (Visitor(server).register(), Visitor(server).register(), True),
    ):
        assert pick(first).startswith("/challenges/")
        game = pick(second)
        assert game.startswith("/games/")
        assert is_rated(game) is rated


def test_an_offer_of_a_rated_game_is_not_for_guests(server):
    member, guest = Visitor(server).register(), Visitor(server)
    member.http.post(
        "/challenges", data={"clock": "realtime", "minutes": "30", "increment": "20", "rated": "on"}
    )
    path = guest.http.post("/challenges/pair", data={"game": "jadejack", "time": "30+20"}).url.path
    assert path.startswith("/challenges/")
