"""Achievements: what a game or an entry proves, and that judging everything again finds the same."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import delete

from app.core.database.session import Database
from app.core.database.statements import is_one_of
from app.core.moments import utc_now
from app.core.settings import ROOT
from app.people.achievements import WORDS, Achievement
from app.site.awards.models import Award
from app.site.awards.proofs import WonGame, by_entry, by_score, by_winning
from app.site.awards.queries import Window, candidates
from app.site.awards.service import recompute
from engine.game import Termination
from engine.golden_nugget.record import parse
from tests.support.answers import code
from tests.support.database import execute, fetch
from tests.support.games import play_until_rated, rated_game
from tests.support.moderation import make_moderator
from tests.support.nugget import new_record
from tests.support.players import Program
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until

HIJACK = ["f6", "f4", "f6", "c3", "f4"]
TOWER = ["c6", "b7", "c6", "f4", "d4", "d8", "f6", "f4", "f6", "a3", "d4", "g1", "f4", "b8", "f4"]
PASSES = {"options": {"size": 8}, "termination": Termination.PASSES}


def won(moves=(), **members):
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
        ({"has_days": True}, {"long_game"}),
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
    assert set(WORDS) == set(Achievement)


def achieved(program):
    found = program.http.get(f"/players/{program.username}/achievements").json()["achievements"]
    return {each["achievement"]: each["proof"] for each in found}


def judge_again(database_url):
    async def run():
        database = await Database.open(database_url, pool_size=1)
        try:
            return await recompute(database)
        finally:
            await database.close()

    return run_coroutine(run())


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
    assert judge_again(database_url) == len(before)
    assert rows(database_url) == before
    moderator = make_moderator(database_url, Program(server))
    order = {"username": other.username, "action": "void_game", "reason": "Arranged", "subject": game}
    assert moderator.http.post("/moderation/actions", json=order).status_code == 201
    program.http.post(f"/nugget/entries/{entry}/withdraw")
    clock.advance(seconds=31)
    wait_until(lambda: achieved(program) == {})
    assert judge_again(database_url) < len(before)
    assert code(program.http.get("/players/nobody-at-all/achievements")) == (404, "not_found")


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
