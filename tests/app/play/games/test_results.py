"""How the end of a game reads for its players and for others."""

import pytest
from msgspec.structs import replace

from app.core.moments import from_datetime
from app.play.games.wording import headline
from engine.clock import Realtime, started
from engine.game import Outcome, Side, Termination
from engine.jadejack import JADEJACK
from tests.support.game_states import game


def finished(winner, termination):
    position = JADEJACK.initial({"size": 8})
    for move in ("c4", "g6", "d5"):
        position = JADEJACK.play(position, move)
    state = game(JADEJACK, None, [])
    return replace(state, position=position, status="finished", result=Outcome(winner, termination))


@pytest.mark.parametrize(
    ("termination", "winner", "loser", "others"),
    [
        (Termination.RESIGN, "You won: wren resigned", "You resigned", "robin won: wren resigned"),
        (Termination.TIME, "You won: wren ran out of time", "You ran out of time", "robin won: wren ran out"),
        (Termination.LEFT, "You won: wren left", "You lost, because you left", "robin won: wren left"),
    ],
)
def test_each_reader_is_addressed(termination, winner, loser, others):
    state = finished(Side.BLACK, termination)
    assert headline(state, "black") == winner
    assert headline(state, "white") == loser
    assert headline(state).startswith(others)


def test_points_are_counted_from_the_readers_side():
    state = finished(Side.BLACK, Termination.PASSES)
    black, white = (f"{points:g}" for points in JADEJACK.score(state.position).values())
    assert headline(state, "black").endswith(f"({black} to {white})")
    assert headline(state, "white").endswith(f"({white} to {black})")


def test_an_aborted_game_has_no_winner():
    state = finished(None, Termination.ABORT)
    assert {headline(state, role) for role in ("black", "white", "spectator")} == {"The game was aborted"}
    assert headline(replace(state, result=Outcome(None, Termination.PASSES))).startswith("A draw")


@pytest.mark.parametrize(
    ("by", "waited", "black", "others"),
    [
        (Side.BLACK, 5_000, "You aborted the game", "robin aborted the game"),
        (Side.WHITE, 5_000, "wren aborted the game", "wren aborted the game"),
        (Side.BLACK, 60_000, "Aborted: robin made no move in time", "Aborted: robin made no move in time"),
    ],
)
def test_an_aborted_game_says_why(by, waited, black, others):
    state = finished(None, Termination.ABORT)
    began = from_datetime(state.created_at)
    control = Realtime(300, 0)
    clock = started(control, 2, 0, began).stopped(began + waited)
    start = JADEJACK.initial({"size": 8})
    aborted = replace(state, position=start, control=control, clock=clock, aborted_by=by)
    assert headline(aborted, "black") == black
    assert headline(aborted) == others
