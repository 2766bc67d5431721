"""Both players of a game may play it when it begins, in whatever way it does, as they are at that moment."""

import pytest

from tests.support.accounts import id_of
from tests.support.database import execute, fetch
from tests.support.games import BLITZ, lost_rated_game, post
from tests.support.players import Program
from tests.support.searches import search, wanted

RATED = {"rated": True, "time_control": BLITZ}


def closed(database_url, account_id, _other_id):
    execute(database_url, "UPDATE accounts SET closed_at = now() WHERE id = $1", account_id)


def excluded(database_url, account_id, _other_id):
    execute(
        database_url, "INSERT INTO sanctions VALUES ($1, 'no_rated', now() + interval '1 day')", account_id
    )


def blocked(database_url, account_id, other_id):
    query = "INSERT INTO relations (account_id, relation, other_id) VALUES ($1, 'block', $2)"
    execute(database_url, query, account_id, other_id)


def aborted_too_often(database_url, account_id, other_id):
    execute(
        database_url,
        "INSERT INTO games (id, game, options, status, first_player, second_player, position, aborted_by,"
        " ended_at) SELECT 'aborted-' || $1::bigint || '-' || n, 'jadejack', '{\"size\": 9}', 'aborted',"
        " $1::bigint, $2, '', 0, now()"
        " FROM generate_series(1, 5) n",
        account_id,
        other_id,
    )


def by_direct_challenge(maker, other):
    made = maker.challenge(opponent=other.username, **RATED).json()["id"]
    return lambda: post(other, f"/challenges/{made}/accept")


def by_link(maker, other):
    made = maker.challenge(opponent="link", **RATED).json()["id"]
    return lambda: post(other, f"/challenges/{made}/accept")


def by_challenge_in_the_lobby(maker, other):
    made = maker.challenge(**RATED).json()["id"]
    return lambda: post(other, f"/challenges/{made}/accept")


def by_quick_button(maker, other):
    terms = {"game": "jadejack", "options": {"size": 9}, **RATED}
    maker.http.post("/challenges/pair", json=terms)
    return lambda: post(other, "/challenges/pair", **terms)


def by_rematch(maker, other):
    game = lost_rated_game(maker, other, time_control=BLITZ)
    post(maker, f"/games/{game}/rematch")
    return lambda: post(other, f"/games/{game}/rematch")


def by_searching(maker, other):
    search(maker, wanted(9), rated=True)
    return lambda: search(other, wanted(9), rated=True)


def by_searching_while_one_waits_in_the_lobby(maker, other):
    maker.challenge(**RATED)
    return lambda: search(other, wanted(9), rated=True)


def by_meeting(maker, other):
    search(maker, wanted(9), rated=True)
    return lambda: other.http.post(f"/searches/{maker.username}/accept", json=wanted(9)[0])


def on_a_ladder(maker, other):
    for player in (other, maker):
        post(player, "/ladders/jadejack/join")
    made = post(maker, "/ladders/jadejack/challenges", opponent=other.username).json()["id"]
    return lambda: post(other, f"/ladders/jadejack/challenges/{made}/accept")


WAYS = (
    by_direct_challenge,
    by_link,
    by_challenge_in_the_lobby,
    by_quick_button,
    by_rematch,
    by_searching,
    by_searching_while_one_waits_in_the_lobby,
    by_meeting,
    on_a_ladder,
)
BARS = (closed, excluded, blocked, aborted_too_often)


class Pair:
    """Two players, of whom the first waits for the other one's consent."""

    def __init__(self, server, database_url):
        self.database_url = database_url
        self.players = [Program(server) for _ in range(2)]
        self.ids = [id_of(database_url, player) for player in self.players]

    @property
    def games_under_way(self):
        query = "SELECT count(*) FROM games WHERE status = 'started' AND (first_player, second_player) IN "
        (number,) = fetch(self.database_url, f"{query}(($1, $2), ($2, $1))", *self.ids)
        return number

    def end(self):
        """Let nobody wait for the players after the test."""
        execute(self.database_url, "UPDATE searches SET until = now() WHERE account_id = ANY($1)", self.ids)
        for player in self.players:
            player.http.post("/ladders/jadejack/leave")
        withdrawn = "UPDATE challenges SET status = 'cancelled' WHERE status = 'open' AND maker_id = ANY($1)"
        execute(self.database_url, withdrawn, self.ids)


@pytest.fixture
def pair(server, database_url):
    pair = Pair(server, database_url)
    yield pair
    pair.end()


@pytest.mark.parametrize("barred", [0, 1])
@pytest.mark.parametrize("bar", BARS)
@pytest.mark.parametrize("way", WAYS)
def test_no_game_begins_with_a_player_who_may_not_play_it_any_more(pair, way, bar, barred):
    if way is on_a_ladder and bar in (blocked, aborted_too_often):
        pytest.skip("these games are played by correspondence, and no block protects a place")
    begin = way(*pair.players)
    bar(pair.database_url, pair.ids[barred], pair.ids[1 - barred])
    begin()
    assert pair.games_under_way == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_game_begins_in_each_of_these_ways(pair, way):
    begin = way(*pair.players)
    begin()
    assert pair.games_under_way == 1


@pytest.mark.parametrize("way", [by_direct_challenge, by_challenge_in_the_lobby, by_rematch])
def test_a_challenge_that_its_maker_may_not_play_is_withdrawn_when_somebody_accepts_it(pair, way):
    begin = way(*pair.players)
    excluded(pair.database_url, *pair.ids)
    refused = begin()
    assert (refused.status_code, refused.json()["code"]) == (409, "challenge_closed")
    open_ones = "SELECT count(*) FROM challenges WHERE maker_id = $1 AND status = 'open'"
    assert fetch(pair.database_url, open_ones, pair.ids[0])[0] == 0
