"""Arenas at their end: which games count, and until when it waits for them."""

from datetime import UTC, datetime, timedelta

import pytest

from app.compete.tournaments.arenas import score_arena
from app.compete.tournaments.conduct import conduct
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.people.identity.models import Account
from engine.tournaments.pairings import PairingOutcome
from tests.support.players import fresh_name

END = datetime(2026, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def arena(late_games):
    return Tournament(
        id="arena", kind="arena", status="started", name="Arena", game="jadejack", options={}, rated=False,
        time_control={"kind": "realtime", "limit": 60, "increment": 1}, max_players=100, ends_at=END,
        plan={"minutes": 20, "late_games": late_games}, min_games=0, computers=False, chat=True,
        description="", due_at=END,
    )  # fmt: skip


def player(number):
    return TournamentPlayer(
        tournament_id="arena", account_id=number, status="active", rating=1500, points=0.0, tie_breaks=[],
        games=0, wins=0, streak=0, seats=[],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("late_games", "ended_at", "points", "outcome"),
    [
        ("void", END - SECOND, 2, PairingOutcome.FIRST),
        ("void", END, 0, PairingOutcome.NEITHER),
        ("void", END + SECOND, 0, PairingOutcome.NEITHER),
        ("count", END + SECOND, 2, PairingOutcome.FIRST),
    ],
)
def test_whether_a_game_counts_depends_on_when_it_ended(late_games, ended_at, points, outcome):
    players = {1: player(1), 2: player(2)}
    pairing = TournamentPairing(
        round=1, first_id=1, second_id=2, outcome=PairingOutcome.FIRST, is_played=True, ended_at=ended_at
    )
    score_arena(arena(late_games), pairing, players)
    assert (pairing.outcome, players[1].points, players[1].games) == (outcome, points, points // 2)


async def test_games_that_ended_in_time_may_be_stored_some_seconds_later(session):
    tournament = arena("void")
    accounts = [Account(username=fresh_name()) for _ in range(2)]
    session.add_all([tournament, *accounts])
    await session.flush()
    first, second = (account.id for account in accounts)
    pairing = TournamentPairing(
        tournament_id="arena", round=1, board=1, first_id=first, second_id=second, game_id="game"
    )
    session.add_all([player(first), player(second), pairing])
    await session.flush()
    await conduct(session, "arena", END)
    assert tournament.status == "started"
    assert tournament.due_at == END + 5 * SECOND
    await conduct(session, "arena", tournament.due_at)
    assert tournament.status == "finished"
    await session.refresh(pairing)
    assert pairing.outcome == PairingOutcome.NEITHER
