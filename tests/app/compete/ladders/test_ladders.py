"""Ladders: challenges, games and forfeits, inactivity, and who may not take part."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from websockets.sync.client import connect

from engine.registry import FOR_TWO
from tests.support.alerts import alerts
from tests.support.database import execute, fetch
from tests.support.games import post
from tests.support.ladders import Climbers
from tests.support.moderation import make_moderator
from tests.support.players import Program, Visitor
from tests.support.waiting import WITHIN, wait_until


@pytest.fixture
def trio(server):
    """Return three programs that are new on the ladder."""
    return Climbers(server, 3)


def test_the_winner_of_a_lower_place_takes_the_place_and_those_between_move_down(server):
    climbers = Climbers(server, 4)
    game = climbers.begin(3, 1)
    shown = climbers.programs[0].snapshot(game)
    assert shown["options"] == {"size": 10}
    assert shown["deadline"] is not None
    assert climbers.order == [0, 1, 2, 3]
    climbers.lose(1, game)
    assert climbers.order == [0, 3, 1, 2]
    won = climbers.changes[0]
    assert (won["kind"], won["game_id"], won["place_before"] - won["place_after"]) == ("won", game, 2)
    winner, loser = (climbers.programs[number].username for number in (3, 1))
    assert climbers.news(3) == [f"You took the place of {loser} on the ladder"]
    assert climbers.news(1) == [f"{winner} took your place on the ladder"]


def test_a_place_that_is_defended_stays_and_both_may_play_again(trio):
    game = trio.begin(2, 1)
    left = post(trio.programs[2], f"{trio.path}/leave")
    assert (left.status_code, left.json()["code"]) == (409, "ladder_game")
    trio.lose(2, game)
    assert trio.order == [0, 1, 2]
    assert trio.changes[0]["place_before"] == trio.changes[0]["place_after"]
    assert trio.challenge(2, 0).status_code == 201


def test_a_game_for_a_place_cannot_be_aborted_but_resigned(trio):
    game = trio.begin(2, 1)
    refused = post(trio.programs[1], f"/games/{game}/abort")
    assert (refused.status_code, refused.json()["code"]) == (409, "ladder_game")
    assert post(trio.programs[1], f"/games/{game}/resign").status_code == 200
    wait_until(lambda: trio.order == [0, 2, 1])


def test_a_voided_game_gives_the_places_back_unless_the_order_has_changed(server, database_url):
    climbers, moderator = Climbers(server, 4), make_moderator(database_url, Program(server))
    game = climbers.begin(3, 1)
    climbers.lose(1, game)
    assert climbers.order == [0, 3, 1, 2]
    Climbers(server, 1)  # who joins at the bottom
    void(climbers, moderator, game, 3)
    assert climbers.order == [0, 1, 2, 3]
    assert "was voided" in climbers.news(1)[0]
    game = climbers.begin(1, 0)
    climbers.lose(0, game)
    climbers.lose(2, climbers.begin(3, 2))
    assert climbers.order == [1, 0, 3, 2]
    void(climbers, moderator, game, 1)
    assert climbers.order == [1, 0, 3, 2]
    assert climbers.changes[0]["place_before"] == climbers.changes[0]["place_after"]


def test_results_that_are_voided_from_the_last_one_on_all_give_the_places_back(trio, server, database_url):
    moderator = make_moderator(database_url, Program(server))
    first, second = trio.begin(2, 1), trio.begin(1, 0)
    trio.lose(1, first)
    trio.lose(0, second)
    assert trio.order == [1, 0, 2]
    void(trio, moderator, second, 1)
    assert trio.order == [0, 2, 1]
    void(trio, moderator, first, 2)
    assert trio.order == [0, 1, 2]


def void(climbers, moderator, game, number):
    """Void a game of a program, and wait until the ladder shows it."""
    username = climbers.programs[number].username
    order = {"username": username, "action": "void_game", "subject": game, "reason": "Agreed"}
    assert moderator.http.post("/moderation/actions", json=order).status_code == 201
    wait_until(lambda: climbers.changes[0]["kind"] == "voided" and climbers.changes[0]["game_id"] == game)


def test_a_challenge_without_an_answer_is_lost_once_and_becomes_a_game_in_a_vacation(server, clock):
    climbers = Climbers(server, 5)
    assert climbers.programs[0].http.post("/me/vacation", json={"days": 5}).status_code == 200
    assert climbers.challenge(1, 0).status_code == 201
    late = climbers.challenge(3, 2).json()
    assert climbers.challenge(4, 3).status_code == 201  # who wins a place and loses it at the same time
    clock.advance(days=3)
    assert climbers.answer(2, late, "accept").json()["code"] == "challenge_closed"
    wait_until(lambda: climbers.order == [0, 1, 4, 3, 2])
    [challenge] = climbers.programs[0].http.get(f"{climbers.path}/me").json()["defences"]
    assert climbers.programs[1].http.get(f"{climbers.path}/me").json()["challenge"] == challenge
    climbers.lose(0, challenge["game_id"])
    assert climbers.order == [1, 0, 4, 3, 2]
    assert [each["kind"] for each in climbers.changes] == ["won", "forfeited", "forfeited"] + ["joined"] * 5


def test_players_give_way_withdraw_and_leave(trio):
    withdrawn = trio.challenge(2, 0).json()
    assert trio.answer(0, withdrawn, "withdraw").json()["code"] == "not_yours"
    assert trio.answer(2, withdrawn, "withdraw").json()["outcome"] == "withdrawn"
    assert trio.news(0) == []
    given = trio.challenge(2, 0).json()
    assert trio.answer(2, given, "decline").json()["code"] == "not_yours"
    assert trio.answer(0, given, "decline").json()["outcome"] == "forfeited"
    assert trio.order == [2, 0, 1]
    first, _, third = (program.username for program in trio.programs)
    assert trio.news(2) == [f"You took the place of {first} on the ladder"]
    assert trio.news(0) == []
    assert trio.challenge(1, 2).status_code == 201
    assert post(trio.programs[2], f"{trio.path}/leave").status_code == 204
    assert trio.order == [1, 0]
    assert trio.news(1) == [f"You took the place of {third} on the ladder"]
    assert trio.news(2) == [f"You took the place of {first} on the ladder"]
    assert [each["kind"] for each in trio.changes[:2]] == ["left", "forfeited"]


@pytest.mark.parametrize("relation", ["block", "mute"])
def test_nobody_keeps_a_place_by_not_wanting_to_see_who_challenges_for_it(trio, relation):
    first, second, third = trio.programs
    for player in (second, third):
        assert first.http.put(f"/players/{player.username}/{relation}").status_code == 204
    assert second.http.put(f"/players/{first.username}/block").status_code == 204
    targets = second.http.get(f"{trio.path}/me").json()["targets"]
    assert (targets[-1]["username"], targets[-1]["reason"]) == (first.username, None)
    challenge = trio.challenge(1, 0)
    assert challenge.status_code == 201
    listed = first.http.get("/notifications").json()["notifications"]
    assert "ladder_challenge" in {each["kind"] for each in listed}
    game = trio.answer(0, challenge.json(), "accept").json()["game_id"]
    trio.lose(0, game)
    assert trio.order == [1, 0, 2]


def test_challenges_that_are_not_possible(server):
    climbers = Climbers(server, 8)
    climbers.challenge(3, 2)
    reasons = {
        (6, 0): "too_far",
        (1, 5): "below",
        (3, 1): "challenging",
        (2, 3): "below",
    }
    for (challenger, defender), reason in reasons.items():
        refused = climbers.challenge(challenger, defender)
        assert (refused.status_code, refused.json()["reason"]) == (409, reason)
    own = climbers.programs[4].http.get(f"{climbers.path}/me").json()
    assert [each["reason"] for each in own["targets"]][-4:] == [None] * 4
    with ThreadPoolExecutor() as threads:
        answers = list(threads.map(lambda defender: climbers.challenge(4, defender), (0, 1, 2, 3)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


def test_everybody_in_reach_challenges_the_first_at_the_same_time_and_each_game_counts(server):
    climbers = Climbers(server, 6)
    with ThreadPoolExecutor() as threads:
        answers = list(threads.map(lambda challenger: climbers.challenge(challenger, 0), range(1, 6)))
    assert [answer.status_code for answer in answers] == [201] * 5
    shown = climbers.programs[0].http.get(f"{climbers.path}/me").json()["defences"]
    assert {each["challenger"] for each in shown} == {each.username for each in climbers.programs[1:]}
    # The friend of the first does not end the game, and keeps nobody else from the place by that.
    friend, third, fourth = (answers[number].json() for number in (0, 2, 3))
    climbers.answer(0, friend, "accept")
    games = [climbers.answer(0, each, "accept").json()["game_id"] for each in (third, fourth)]
    climbers.lose(0, games[0])
    assert climbers.order == [3, 0, 1, 2, 4, 5]
    climbers.lose(0, games[1])
    assert climbers.order == [3, 4, 0, 1, 2, 5]


def test_inactive_players_drop_and_leave_in_the_end(server, clock):
    climbers = Climbers(server, 1, "jumping_farther")
    clock.advance(days=10)
    later = Climbers(server, 6, "jumping_farther")
    clock.advance(days=20)
    wait_until(lambda: drops(server, climbers.programs[0]) == 1)
    dropped = climbers.changes[0]
    assert (dropped["kind"], dropped["place_after"] - dropped["place_before"]) == ("dropped", 5)
    told = "You dropped on the ladder, because you have not played there for a long time"
    assert climbers.news(0) == [told]
    assert all(drops(server, program) == 0 for program in later.programs)
    clock.advance(days=5)
    assert later.begin(1, 0)
    clock.advance(days=26)
    wait_until(lambda: drops(server, climbers.programs[0]) == 2)
    assert [drops(server, program) for program in later.programs] == [0, 0, 1, 1, 1, 1]
    clock.advance(days=31)
    wait_until(lambda: not climbers.order)
    assert climbers.news(0) == ["You are no longer on the ladder"]


def drops(server, program):
    """Return how often a program has dropped since its last game."""
    query = "SELECT drops FROM ladder_players JOIN accounts ON id = account_id WHERE username = $1"
    return fetch(server.database_url, query, program.username)["drops"]


@pytest.mark.parametrize("is_banned", [True, False])
def test_who_may_not_play_rated_or_has_closed_the_account_is_removed(trio, is_banned, server):
    trio.challenge(2, 1)
    statement = (
        "INSERT INTO sanctions (account_id, kind, until) "
        "SELECT id, 'no_rated', now() + interval '1 day' FROM accounts WHERE username = $1"
        if is_banned
        else "UPDATE accounts SET closed_at = now() WHERE username = $1"
    )
    execute(server.database_url, statement, trio.programs[1].username)
    wait_until(lambda: [each["kind"] for each in trio.changes[:2]] == ["removed", "forfeited"])
    assert trio.order == [0, 2]
    if is_banned:
        refused = post(trio.programs[1], f"{trio.path}/join")
        assert (refused.status_code, refused.json()["code"]) == (403, "no_rated_play")
        told = trio.programs[1].http.get("/notifications").json()["notifications"][0]
        assert told["kind"] == "left_out"
        assert told["url"].endswith(trio.path)
        assert told["text"] == "You no longer take part, since a moderator has excluded you from rated games"


@pytest.mark.parametrize("flaw", [None, "guest", "banned", "computer", "joined"])
def test_a_page_offers_to_join_exactly_to_those_whom_the_command_admits(server, flaw):
    reader, path = Visitor(server), "/ladders/jadejack"
    if flaw == "guest":
        reader.http.post("/challenges", data={"clock": "realtime"})
    else:
        reader.register()
    statement = {
        "banned": "INSERT INTO sanctions (account_id, kind, until) "
        "SELECT id, 'no_rated', now() + interval '1 day' FROM accounts WHERE username = $1",
        "computer": "UPDATE accounts SET is_computer = true WHERE username = $1",
    }.get(flaw)
    if statement:
        execute(server.database_url, statement, reader.username)
    if flaw == "joined":
        assert reader.http.post(f"{path}/join").is_success
    page = reader.http.get(path).text
    assert (f'action="{path}/join"' in page) == (flaw is None)
    assert reader.http.post(f"{path}/join").is_success == (flaw is None)
    if flaw == "banned":
        assert "A moderator has excluded you from rated games" in page


def test_ladders_are_for_people_and_games_for_two(program, other, visitor, database_url):
    execute(database_url, "UPDATE accounts SET is_computer = true WHERE username = $1", other.username)
    assert post(other, "/ladders/jadejack/join").json()["code"] == "no_computers"
    assert post(program, "/ladders/up_and_up/join").status_code == 404
    assert post(program, "/ladders/jadejack/leave").json()["code"] == "not_on_ladder"
    listed = program.http.get("/ladders").json()["ladders"]
    assert [each["game"] for each in listed] == list(FOR_TWO)
    assert visitor.http.post("/ladders/jadejack/join").status_code == 401


def test_the_page_of_a_ladder(server):
    above, below = Visitor(server).register(), Visitor(server).register()
    path = "/ladders/jumping_farther"
    above.http.post(f"{path}/join")
    page = below.http.post(f"{path}/join").text
    assert f'aria-label="Challenge {above.username}"' in page
    assert "Leave the ladder" in page
    below.http.post(f"{path}/challenges", data={"opponent": above.username})
    shown = above.http.get(path).text
    assert f"<b>{below.username}</b> challenges you" in shown
    again = below.http.post(f"{path}/challenges", data={"opponent": above.username})
    assert again.status_code == 409
    assert "You have challenged somebody already." in again.text
    accept = shown.partition('/accept"')[0].rpartition('"')[2] + "/accept"
    game = above.http.post(accept)
    assert "/games/" in game.url.path
    assert f'For a place on the <a href="{path}">ladder</a>' in game.text
    assert "Abort" not in game.text
    assert "Resign the game?" in game.text
    assert f"Play for the place of {above.username}" in below.http.get(path).text
    for visitor in (above, below):
        shown = visitor.http.get(path).text
        assert "You can leave the ladder after your game for a place." in shown
        assert "Leave the ladder" not in shown
    assert f"{below.username} joined" in Visitor(server).http.get(path).text


def test_the_notification_of_a_challenge_disappears_when_the_challenger_leaves(server):
    above, below = Visitor(server).register(), Visitor(server).register()
    path = "/ladders/jadejack"
    for visitor in (above, below):
        visitor.http.post(f"{path}/join")
    below.http.post(f"{path}/challenges", data={"opponent": above.username})
    challenged = f"{below.username} challenges you for your place"
    with alerts(above) as following:
        assert challenged in following()
        below.http.post(f"{path}/leave")
        assert challenged not in following()


def test_what_changes_is_pushed_to_pages_on_all_processes(two_workers):
    climbers = Climbers(two_workers, 1)
    address = f"{two_workers.ws_url}/ladders/jadejack/live"
    with ExitStack() as stack:
        pages = [stack.enter_context(connect(address, origin=two_workers.url)) for _ in range(6)]
        older = stack.enter_context(connect(f"{address}?before=1", origin=two_workers.url))
        for page in (*pages, older):
            assert climbers.programs[0].username in page.recv(WITHIN)
        newcomer = Visitor(two_workers).register()
        newcomer.http.post("/ladders/jadejack/join")
        for page in pages:
            assert {"ladder-table", "ladder-history"} == pushed(page, newcomer.username)
        assert pushed(older, newcomer.username) == {"ladder-table"}


def pushed(page, word):
    """Return the parts of the next message to an open page, which must contain a word each."""
    _, *parts = page.recv(WITHIN).split('hx-target="#')
    assert all(word in part for part in parts)
    return {part.partition('"')[0] for part in parts}
