"""Achievements: what a game or an entry proves, and that judging everything again finds the same."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import delete

from app.core.database.session import Database
from app.core.database.statements import is_one_of
from app.core.moments import utc_now
from app.core.settings import ROOT
from app.people.achievements import Achievement
from app.play.games.game import RATED_FROM
from app.site.awards.models import Award
from app.site.awards.proofs import WonGame, by_entry, by_score, by_winning
from app.site.awards.queries import Window, candidates
from app.site.awards.service import recompute
from engine.game import Termination
from engine.golden_nugget.record import parse
from engine.registry import FOR_TWO
from tests.support.accounts import id_of
from tests.support.answers import code
from tests.support.database import execute, fetch, on_database
from tests.support.games import (
    know,
    know_weighed,
    play_until_rated,
    post,
    prove,
    rated_game,
    stand_against_computer,
)
from tests.support.moderation import make_moderator
from tests.support.nugget import new_record
from tests.support.players import Program
from tests.support.waiting import wait_until

HIJACK = ["f6", "f4", "f6", "c3", "f4"]
TOWER = ["c6", "b7", "c6", "f4", "d4", "d8", "f6", "f4", "f6", "a3", "d4", "g1", "f4", "b8", "f4"]
PASSES = {"options": {"size": 8}, "termination": Termination.PASSES}


def won(moves=("c4", "g6"), **members):
    played = {
        "game": "jadejack",
        "options": {"size": 9},
        "moves": moves,
        "winner_seat": 0,
        "termination": Termination.RESIGN,
        "lead": None,
        "level": None,
        "has_days": False,
    }
    return set(by_winning(WonGame(**{**played, **members})))


@pytest.mark.parametrize(
    ("members", "achieved"),
    [
        ({}, set()),
        ({"lead": -200.0}, {"giant"}),
        ({"lead": -199.9}, set()),
        ({"level": 4}, {"computer_1", "computer_4"}),
        ({"level": 8, "is_own": False}, set()),
        ({"has_days": True}, {"long_game"}),
        ({"has_days": True, "moves": ["c4"]}, set()),
        ({"game": "jumping_farther", "termination": Termination.NO_MOVE}, {"farther"}),
        ({"game": "jumping_farther"}, set()),
        ({"options": {"size": 8}, "moves": HIJACK}, {"hijack"}),
        ({"options": {"size": 8}, "moves": HIJACK, "winner_seat": 1}, set()),
        ({"options": {"size": 8}, "moves": TOWER}, {"hijack", "tower"}),
        ({**PASSES, "moves": ["d6", "pass", "pass"]}, set()),
        (
            {**PASSES, "moves": ["d6", *["pass", "f4"], *["pass", "b2"], *["pass", "g7"], "pass", "pass"]},
            set(),
        ),
    ],
)
def test_what_a_won_game_proves(members, achieved):
    assert won(**members) == achieved


def test_what_a_score_and_an_entry_prove():
    assert set(by_score("up_and_up", 8, 40)) == {"up_to_forty"}
    assert set(by_score("jumping_farther", 5, 25)) == {"full_board"}
    assert set(by_score("jumping_farther", 4, 16)) == set()
    counts = [29] * 19 + [48]
    assert set(by_entry(counts, is_own=True)) == {"nugget", "low_mean"}
    assert set(by_entry([19] * 200, is_own=False)) == {"nugget", "two_hundred"}
    assert set(by_entry([40] * 19 + [19], is_own=True)) == {"nugget", "short_board"}
    assert all(len(achievement.texts) == 2 for achievement in Achievement)


def achieved(program):
    found = program.http.get(f"/players/{program.username}/achievements").json()["achievements"]
    return {each["achievement"]: each["proof"] for each in found}


def rows(database_url):
    row = "(account_id, achievement, proof, earned_at)::text"
    return fetch(database_url, f"SELECT array_agg({row} ORDER BY {row}) FROM awards")[0]


def test_a_proof_is_found_announced_kept_and_lost(server, program, other, clock, database_url, visitor):
    game = rated_game(program, other, options={"size": 8}, time_control={"kind": "correspondence", "days": 3})
    for ply, move in enumerate(HIJACK):
        assert (program, other)[ply % 2].move(game, move, ply).status_code == 200
    play_until_rated(program, other, game)
    other.http.post(f"/games/{game}/resign")
    entry = program.http.post("/nugget/entries", json={"boards": new_record(detours=2)}).json()["id"]
    assert achieved(program) == {}
    clock.advance(seconds=31)
    proof = {"hijack": f"game:{game}", "long_game": f"game:{game}", "nugget": f"entry:{entry}"}
    wait_until(lambda: proof.items() <= achieved(program).items())
    assert achieved(other) == {}
    news = program.http.get("/notifications").json()["notifications"]
    assert [each["kind"] for each in news].count("achievement") == len(achieved(program))
    page = visitor.http.get(f"/players/{program.username}").text
    assert "Hijacker" in page
    assert f'href="/games/{game}"' in page
    assert "Übernahme" in visitor.http.get(f"/players/{program.username}?lang=de").text
    before = rows(database_url)
    assert on_database(database_url, recompute) == len(before)
    assert rows(database_url) == before
    moderator = make_moderator(database_url, Program(server))
    order = {"username": other.username, "action": "void_game", "reason": "Arranged", "subject": game}
    assert moderator.http.post("/moderation/actions", json=order).status_code == 201
    program.http.post(f"/nugget/entries/{entry}/withdraw")
    clock.advance(seconds=31)
    wait_until(lambda: achieved(program) == {})
    assert on_database(database_url, recompute) < len(before)
    assert code(program.http.get("/players/nobody-at-all/achievements")) == (404, "not_found")


def proven_by(database_url, player):
    """Return what the games and entries of a player prove."""
    player_id = id_of(database_url, player)

    window = Window(datetime(2026, 1, 1, tzinfo=UTC), utc_now() + timedelta(days=1), [player_id])

    async def judge(database):
        async with database.reading_now() as session:
            found = await candidates(session, window)
        return {each for proof in found if proof.account_id == player_id for each in proof.judged()}

    return on_database(database_url, judge)


@pytest.mark.parametrize(("plies", "proven"), [(2, set()), (RATED_FROM - 1, set()), (RATED_FROM, {"giant"})])
def test_only_a_game_that_counts_is_a_rated_one(program, other, database_url, plies, proven):
    prove(database_url, program, 1500)
    prove(database_url, other, 1900)
    game = rated_game(program, other)
    play_until_rated(program, other, game, plies)
    assert post(other, f"/games/{game}/resign").is_success
    assert proven_by(database_url, program) == proven


def without_help(_program, _game):
    """Ask for nothing."""


def by_a_hint(program, game):
    assert program.http.post(f"/games/{game}/hint").json()["move"] == "e4"


def by_the_coach(program, game):
    assert program.http.post(f"/games/{game}/coach").is_success
    assert code(program.move(game, "pass", 0)) == (409, "are_you_sure")


def by_a_takeback(program, game):
    assert program.move(game, "c4", 0).is_success
    assert post(program, f"/games/{game}/takeback").is_success


@pytest.mark.parametrize("get_help", [without_help, by_a_hint, by_the_coach, by_a_takeback])
def test_a_win_with_the_computers_help_proves_nothing(program, database_url, get_help):
    rules = FOR_TWO["jadejack"]
    start, best = rules.initial({"size": 9}), ["e4", 5, ["d4"]]
    know(database_url, rules, start, [best])
    know_weighed(database_url, rules, start, [best, ["pass", -4, ["c3"]]])
    game = stand_against_computer(database_url, program.username, [])
    get_help(program, game)
    end = "status = 'finished', winner_seat = 0, termination = 'resign', ended_at = now(), deadline = NULL"
    execute(database_url, f"UPDATE games SET {end}, version = version + 1 WHERE id = $1", game)
    execute(database_url, "DELETE FROM moves WHERE game_id = $1", game)
    for ply, move in enumerate(("c4", "g6"), 1):
        execute(database_url, "INSERT INTO moves (game_id, ply, move) VALUES ($1, $2, $3)", game, ply, move)
    expected = {"computer_1"} if get_help is without_help else set()
    assert proven_by(database_url, program) == expected


async def test_any_number_of_accounts_may_be_looked_at_again(database_url):
    """A statement has room for 32,767 values."""
    database = await Database.open(database_url, pool_size=1)
    window = Window(datetime(2020, 1, 1, tzinfo=UTC), utc_now(), range(-100_000, 0))
    async with database.transaction() as session:
        assert await candidates(session, window) == []
        await session.execute(delete(Award).where(is_one_of(Award.account_id, window.accounts)))
    await database.close()


def test_an_entry_that_becomes_assisted_proves_less(program, other, clock, database_url):
    record = (ROOT / "docs/samples/golden-nugget-20-best.txt").read_text()
    first, *rest = [list(board.moves) for board in parse(record).record.boards]
    detour = new_record(detours=8)[0][:2]
    source, entry = (
        player.http.post("/nugget/entries", json={"boards": boards}).json()["id"]
        for player, boards in ((other, [[*detour, *first], *rest]), (program, [first, *rest]))
    )
    execute(database_url, "UPDATE nugget_entries SET assisted = true WHERE id = $1", source)
    clock.advance(seconds=31)
    wait_until(lambda: set(achieved(program)) == {"nugget", "low_mean", "short_board"})
    other.http.post(f"/nugget/entries/{source}/publish")
    clock.advance(seconds=31)
    wait_until(lambda: achieved(program) == {"nugget": f"entry:{entry}"})
    for player, submitted in ((other, source), (program, entry)):
        player.http.post(f"/nugget/entries/{submitted}/withdraw")
