"""What the page of a tournament shows, whichever part of it is asked for."""

from datetime import UTC, datetime

import pytest

from app.compete.tournaments.follow import TournamentSnapshot
from app.compete.tournaments.presenter import ROWS, Pictured, is_on_another_page, rounds_view, tournament_page
from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.standings import PairingShown, PlayerName, StandingShown
from app.compete.tournaments.terms import TournamentKind, TournamentTerms
from app.people.identity.service import Identity
from engine.clock import Correspondence

_START = datetime(2026, 1, 1, tzinfo=UTC)
_ROUNDS = 3


def snapshot(players, outcomes=(), status="started"):
    """Return a round robin by correspondence, with the outcome of a game of each round."""
    terms = TournamentTerms("Cup", TournamentKind.ROUND_ROBIN, "jadejack", {"size": 8}, Correspondence(3))
    info = TournamentInfo(
        "cup", terms, None, status, None, None, None, False, players, 1, *[_START] * 2, *[None] * 3, reason=""
    )
    rows = [
        StandingShown(
            1, number, f"player-{number}", False, 1500, number, 0, 0, 0, (), 0, 0, False, 0, "active", None
        )
        for number in range(players)
    ]
    pair = PlayerName(0, "player-0"), PlayerName(1, "player-1")
    pairings = [
        PairingShown(number, 1, 1, 0, *pair, "game", outcome, True)
        for number, outcome in enumerate(outcomes, start=1)
    ]
    return TournamentSnapshot(info, rows, pairings)


@pytest.mark.parametrize("players", [1, ROWS, ROWS + 1, 2 * ROWS])
@pytest.mark.parametrize("number", [1, 2, 3, 1000])
def test_each_page_of_the_standings_has_players_and_leads_to_the_others(players, number):
    cup = snapshot(players)
    last = (players - 1) // ROWS + 1
    shown = tournament_page(cup, Pictured(None, {}), number, rounds_view(cup, None)).standings
    assert shown.rows
    assert (shown.number, shown.has_more) == (min(number, last), number < last)
    for viewer in range(players):
        is_here = viewer in {row.account_id for row in shown.rows}
        identity = Identity(viewer, "player", False, b"", frozenset(), {})
        assert is_on_another_page(cup, identity, number) is not is_here


@pytest.mark.parametrize("wanted", [1, _ROUNDS, _ROUNDS + 1, 1000])
def test_each_round_that_is_asked_for_has_games(wanted):
    shown = rounds_view(snapshot(2, ["first"] * _ROUNDS), wanted)
    assert shown.number in shown.numbers
    assert len(shown.rows) == 1


@pytest.mark.parametrize("decided", range(_ROUNDS + 1))
def test_the_first_round_that_is_not_decided_is_shown_or_else_the_last_one(decided):
    outcomes = ["first"] * decided + [None] * (_ROUNDS - decided)
    assert rounds_view(snapshot(2, outcomes), None).number == min(decided + 1, _ROUNDS)
