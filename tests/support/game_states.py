"""Games as values, with every kind of clock, for tests of what players decide in them."""

from datetime import UTC, datetime
from uuid import uuid4

from app.play.games.game import GameState, PlayedMove, Player
from engine.clock import Byoyomi, Correspondence, DaysBank, PerMove, Realtime, started

START = 1_800_000_000_000
CONTROLS = [
    None,
    Realtime(60, 30),
    Realtime(300, 0),
    Byoyomi(20, 3, 30),
    Byoyomi(0, 2, 30),
    PerMove(40),
    Correspondence(1),
    Correspondence(2, weekends_off=True),
    DaysBank(2, 2, 3),
    DaysBank(1, 1, 28, weekends_off=True),
]


def game(rules, control, opening, *, is_against_computer=False):
    """Return a casual game that begins after some moves."""
    options = {
        name: allowed.minimum if name == "size" else allowed.maximum
        for name, allowed in rules.options.items()
    }
    position = rules.initial(options)
    moves = []
    for choice in opening:
        legal = [move for move in rules.legal_moves(position) if move != "pass"]
        after = rules.play(position, legal[choice % len(legal)])
        if rules.outcome(after) is None:
            moves.append(legal[choice % len(legal)])
            position = after
    to_move = rules.sides.index(rules.side_to_move(position))
    return GameState(
        id="k7m2wq9xab",
        game=rules.key,
        options=options,
        status="started",
        players=(
            Player(1, "robin", is_guest=False),
            Player(2, "wren", is_guest=False, level=1 if is_against_computer else None),
        ),
        version=0,
        position=position,
        moves=tuple(PlayedMove(move, uuid4().int, START, None) for move in moves),
        result=None,
        rated=False,
        control=control,
        clock=None if control is None else started(control, 2, to_move, START),
        takeback=None,
        taken_back_to=None,
        undos=0,
        submitted=False,
        aborted_by=None,
        created_at=datetime.now(UTC),
        first_ply=len(moves),
    )
