"""The explorer and the statistics count finished games once, a minute after their end."""

import itertools
import re
from collections import Counter, defaultdict

import pytest

from app.core.moments import utc_now
from app.learn.statistics.counting import EVERYBODY, FinishedGame, TallyKey, tally
from app.learn.statistics.digest import count_boards, digest, forget
from app.learn.statistics.presenter import statistics_view
from app.learn.statistics.service import Counts, Statistics
from app.play.ratings.speeds import rate_due
from engine.registry import FOR_TWO
from tests.support import plain_http
from tests.support.answers import assert_problem, code
from tests.support.clock import CLOCK
from tests.support.database import fetch, on_database
from tests.support.games import BLITZ, lost_rated_game, move_once_each, post, prove, rated_game
from tests.support.moderation import make_moderator
from tests.support.nugget import hide_boards, new_record
from tests.support.players import PASSWORD, Match, Program, Visitor
from tests.support.waiting import wait_until

RULES = FOR_TWO["jadejack"]
OPENING = ["e6", "e4", "e5"]
SIZE = 12  # of boards on which only these tests play


@pytest.fixture(scope="module")
def counted(server, database_url):
    """Return a match whose two games have been counted, the second one with the board mirrored."""
    match = Match(server)
    match.play("e6", "e4", "e5", "d2", "e4", "pass", "pass")
    again = Match(server)
    again.black, again.white = match.black, match.white
    made = again.black.challenge(opponent=again.white.username, side="black")
    again.id = again.white.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]
    again.play("e6", "e4", "e5", "f2", "f6", "pass", "pass")
    CLOCK.advance(minutes=1)
    count(database_url)
    return match


def count(database_url, function=digest):
    async def count_all(database):
        while await function(database):
            pass

    on_database(database_url, count_all)


async def _start_over(database):
    await forget(database)


def measures(*moves):
    """Return what is counted of a game of these moves."""
    game = FinishedGame(
        id="game",
        ended_at=utc_now(),
        game="jadejack",
        options={"size": 9},
        accounts=(1, 2),
        winner=0,
        rating=None,
        moves=moves,
        spent=[None] * len(moves),
    )
    return {key.measure for key in tally(game)}


def tally_of(options, winner):
    """Return what is counted of a game with these options in which somebody resigned."""
    return tally(
        FinishedGame(
            id="game",
            ended_at=utc_now(),
            game="jadejack",
            options=options,
            accounts=(1, 2),
            winner=winner,
            rating=None,
            moves=["c4", "g6"],
            spent=[None, None],
        )
    )


def explore(program, moves, size=9, **params):
    position = RULES.initial({"size": size})
    for move in moves:
        position = RULES.play(position, move)
    query = {"game": "jadejack", "position": RULES.format(position), **params}
    return program.http.get("/explorer", params=query)


def test_what_was_played_in_a_position_whichever_way_it_lies(program, counted):
    found = explore(program, [], source=counted.black.username).json()
    assert found["games"] == 2
    (first,) = found["moves"]
    assert first["games"] == 2
    assert sum(first["wins"].values()) == 2
    for moves, expected in (([*OPENING, "d2"], {"e4", "d6"}), ([*OPENING, "f2"], {"e4", "f6"})):
        found = explore(program, moves, source=counted.white.username).json()
        assert {each["move"] for each in found["moves"]} == expected
    everybody = explore(program, OPENING).json()
    assert everybody["games"] >= 2
    assert explore(program, OPENING, above=2200).json() == {"games": 0, "moves": []}


def test_games_are_chosen_by_rating_whosever_they_are(server, database_url):
    player, openings = Program(server), {None: ["b3", "k9"], 1500: ["b4", "k9"], 2100: ["b5", "k9"]}
    for mean, moves in openings.items():
        opponent = Program(server)
        if mean:
            prove(database_url, player, mean - 150)
            prove(database_url, opponent, mean + 150)
        game = rated_game(player, opponent, rated=mean is not None, options={"size": SIZE})
        for ply, move in enumerate([*moves, "f6"]):
            assert (player, opponent)[ply % 2].move(game, move, ply).status_code == 200
        assert post(player, f"/games/{game}/resign").status_code == 200
    CLOCK.advance(minutes=1)
    count(database_url)
    for source, above in itertools.product(("all", "me", player.username), (None, 1400, 1600, 2200)):
        for mean, moves in openings.items():
            query = {"source": source, **({"above": above} if above else {})}
            found = explore(player, moves, SIZE, **query).json()
            is_chosen = above is None or (mean is not None and mean > above)
            assert found["games"] == is_chosen, (source, above, mean)


def test_what_the_explorer_refuses(server, program):
    assert_problem(explore(program, [], source="no-such-player"), 404, "not_found")
    assert_problem(explore(program, [], above=1), 422, "bad_rating")
    own = plain_http.get(f"{server.url}/api/v1/explorer?game=jadejack&source=me")
    assert (own.status_code, "need a token" in own.json()["detail"]) == (401, True)
    assert code(program.http.get("/explorer", params={"game": "jadejack", "position": "x"})) == (
        422,
        "bad_position",
    )
    opponent = Program(server)
    move_once_each(program, opponent, rated_game(program, opponent))
    assert_problem(explore(program, ["c4", "f6"]), 409, "game_under_way")
    assert Visitor(server).http.get("/explorer?game=jadejack&mine=yes").status_code == 401


def test_the_page_of_a_player_shows_ratings_by_speed(server, program, database_url):
    opponent = Program(server)
    prove(database_url, opponent)
    lost_rated_game(opponent, program, time_control=BLITZ)
    CLOCK.advance(minutes=1)
    count(database_url)
    on_database(database_url, rate_due)
    page = Visitor(server).http.get(f"/players/{program.username}/statistics").text
    assert "Rating by speed" in page
    assert "Blitz" in page
    assert "Correspondence" not in page
    assert "Rating by speed" not in Visitor(server).http.get("/statistics").text


def test_the_pages_show_openings_results_komi_and_length(server, counted):
    visitor = Visitor(server)
    page = visitor.http.get(f"/players/{counted.black.username}/statistics").text
    for title in (
        "Results by side",
        "Does the komi fit?",
        "First moves",
        "Length of games",
        "Hijacks a game",
    ):
        assert title in page
    assert "0.5 hijacks on average" in page
    assert "Hijacks" not in visitor.http.get(f"/players/{counted.white.username}/statistics").text
    assert "JadeJack 9×9" in visitor.http.get("/statistics").text
    assert "First moves" in visitor.http.get("/statistics?game=jadejack&size=9").text
    assert visitor.http.get("/players/nobody-here/statistics").status_code == 404


def test_statistics_without_games_lead_to_some(server):
    page = Visitor(server).http.get(f"/players/{Program(server).username}/statistics").text
    assert re.search(r'No games yet\..*<a class="button" href="/lobby">', page, re.DOTALL)


@pytest.mark.parametrize("wanted", ["game=jadejack&size=99", "game=chess", "size=7"])
@pytest.mark.parametrize("whose", ["", "/players/{player}"])
def test_a_board_without_games_is_not_taken_for_a_site_without_games(server, counted, whose, wanted):
    path = f"{whose.format(player=counted.black.username)}/statistics"
    page = Visitor(server).http.get(f"{path}?{wanted}").text
    assert "No games match this choice." in page
    assert f'href="{path}?game=jadejack&amp;size=9">' in page


def test_the_points_are_counted_of_a_game_that_ended_by_its_rules():
    assert "margin" in measures("c4", "g6", "pass", "pass")
    assert "margin" not in measures("c4", "g6", "pass")  # then somebody resigned


def test_results_are_counted_by_komi():
    counts: Counter[TallyKey] = Counter()
    for options, winner in (({"size": 9}, 0), *(({"size": 9, "komi": 9}, winner) for winner in (0, 1, 1))):
        counts.update({key: count for key, (count, _) in tally_of(options, winner).items()})
    of_everybody: dict[str, Counts] = defaultdict(dict)
    for key, count in counts.items():
        if key.account_id == EVERYBODY:
            of_everybody[key.measure][key.bucket] = (count, 0)
    shown = statistics_view(Statistics([("jadejack", 9, 4)], of_everybody, {}), "/", is_player=False)
    [rows] = [section.rows for section in shown.sections if str(section.title) == "Results by komi"]
    assert rows == [("1.5", 1, 1, 0, "100"), ("9.5", 3, 1, 2, "33")]


def test_counting_again_leads_to_the_same_numbers(database_url, program, counted):
    before = explore(program, OPENING).json()

    count(database_url, _start_over)
    assert explore(program, OPENING).json()["games"] <= before["games"]
    count(database_url)  # the server may be counting at the same time
    wait_until(lambda: explore(program, OPENING).json()["games"] >= before["games"])
    assert explore(program, [], source=counted.black.username).json()["games"] == 2


def everything_counted(database_url):
    """Return all that is counted of games for two."""
    tables = {
        "tallies": "account_id, game, size, measure, bucket",
        "explored_moves": "position, move, band",
        "explored_games": "game_id",
    }
    return [
        fetch(database_url, f"SELECT array_agg(t::text ORDER BY {key}) FROM {table} t")[0]
        for table, key in tables.items()
    ]


def test_voided_games_are_not_counted_whether_they_were_before_or_not(server, database_url):
    """Also one of several that went the same way, and one that went its own."""
    moderator, loser, winner = (Program(server) for _ in range(3))
    make_moderator(database_url, moderator)

    def void(game):
        order = {"username": loser.username, "action": "void_game", "reason": "Not meant."}
        voided = moderator.http.post("/moderation/actions", json={**order, "subject": f"game:{game}"})
        assert voided.status_code == 201, voided.text

    def count_until(is_counted):  # the server counts, too, and leaves to it what that has begun
        CLOCK.advance(minutes=1)
        wait_until(lambda: count(database_url) or is_counted(everything_counted(database_url)))

    kept = lost_rated_game(loser, winner)
    count_until(lambda counted: any(kept in row for row in counted[2]))
    before = everything_counted(database_url)
    voided = [lost_rated_game(loser, winner, **members) for members in ({}, {"options": {"size": 13}})]
    count_until(lambda counted: all(any(game in row for row in counted[2]) for game in voided))
    late = lost_rated_game(loser, winner)
    for game in (*voided, late):
        void(game)
    count_until(lambda counted: counted == before)
    count(database_url, _start_over)
    count_until(lambda counted: counted == before)


def test_the_moves_by_board_of_golden_nugget(server, database_url, program):
    hide_boards(database_url)
    entry = program.http.post("/nugget/entries", json={"boards": new_record(detours=2)})
    assert entry.status_code == 201
    program.http.post(f"/nugget/entries/{entry.json()['id']}/publish")
    for _ in range(2):
        count(database_url, count_boards)
    assert "Three quarters" in Visitor(server).http.get("/statistics/golden_nugget").text


@pytest.mark.parametrize("keeps_results", [False, True])
def test_the_boards_of_a_player_who_is_not_ranked_any_more_are_not_counted(
    database_url, program, keeps_results
):
    hide_boards(database_url)
    boards = new_record(detours=3)
    assert program.http.post("/nugget/entries", json={"boards": boards}).status_code == 201

    def counted_boards():
        count(database_url, count_boards)
        tallies = "SELECT sum(count) AS boards FROM tallies WHERE account_id = 0 AND game = 'golden_nugget'"
        return fetch(database_url, tallies)["boards"] or 0

    before = counted_boards()
    closed = program.http.post("/me/close", json={"password": PASSWORD, "keep_results": keeps_results})
    assert closed.status_code == 204
    assert before - counted_boards() == (0 if keeps_results else len(boards))


def test_thinking_times_are_named_by_the_first_move_of_a_range():
    counts = {"time": {"0": (10, 20_000), "10": (2, 8_000)}}
    shown = statistics_view(Statistics([("jadejack", 9, 1)], counts, {}), "/statistics", is_player=False)
    assert [row[0] for section in shown.sections for row in section.rows] == ["1", "11"]
