"""Brackets as they are drawn."""

import pytest

from app.compete.tournaments.standings import PairingShown, PlayerName
from app.compete.tournaments.views import bracket, winner_of_final

WEAKER, SEED = PlayerName(1, "wren"), PlayerName(2, "robin")


def match(number, *outcomes):
    """Return the pairings of a match of a round, in whose first game the weaker seed moves first."""
    return [
        PairingShown(number, 1, leg, 0, *((WEAKER, SEED) if leg % 2 else (SEED, WEAKER)), "game", each, True)
        for leg, each in enumerate(outcomes, start=1)
    ]


@pytest.mark.parametrize(
    ("outcomes", "winner"),
    [
        (["first"], WEAKER),
        (["second"], SEED),
        (["draw", "second"], WEAKER),
        (["draw", "draw", "draw"], SEED),
        (["neither"], SEED),
    ],
)
def test_the_games_of_the_final_say_who_has_won_it(outcomes, winner):
    pairings = match(1, *outcomes)
    assert winner_of_final(pairings) == winner.id
    ((final,),) = bracket(pairings, winner_of_final(pairings))
    assert final.winner == winner.id


def test_the_champion_is_who_has_won_the_last_round():
    semi_final, final = match(1, "first"), match(2, "second")
    assert winner_of_final([*final, *semi_final]) == SEED.id
