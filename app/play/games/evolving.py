"""How a step leads from a game to its next version."""

from functools import reduce
from typing import Any

from msgspec.structs import replace

from app.play.games import events
from app.play.games.events import Step
from app.play.games.game import GameState, PlayedMove
from app.play.games.offers import changes_by
from engine.clock_history import History, turned_back
from engine.counted_time import Stop
from engine.game import Outcome, Termination


def evolve(state: GameState, step: Step) -> GameState:
    """Return the game after a step that was decided for this version (see `app.play.games.decisions`)."""
    match step:
        case events.Played(moves=moves):
            return after_moves(state, step, reduce(state.rules.play, moves, state.position))
        case events.Ended(winner, termination, at, aborted_by):
            side = None if winner is None else state.rules.sides[winner]
            return _next(
                state,
                step,
                aborted_by=None if aborted_by is None else state.rules.sides[aborted_by],
                result=Outcome(side, Termination(termination)),
                status="aborted" if termination == Termination.ABORT else "finished",
                clock=state.clock.stopped(at) if state.clock else None,
            )
        case events.TakenBack():
            return _taken_back(state, step)
        case events.Submitted():
            return _next(state, step, submitted=True)
        case events.VacationSet() | events.Paused():
            return _after_stop(state, step)
        case events.TakebackRequested() | events.PauseRequested():
            return _next(state, step)


def after_moves(state: GameState, step: events.Played, position: Any) -> GameState:
    """Return the game after the moves of a step, which lead to a position."""
    first, *forced = step.moves
    played = PlayedMove(first, step.move_id.int, step.at, step.spent)
    automatic = (PlayedMove(move, None, step.at, None) for move in forced)
    result = state.rules.outcome(position)
    to_move = None if result else state.seat_of(state.rules.side_to_move(position))
    return _next(
        state,
        step,
        position=position,
        moves=(*state.moves, played, *automatic),
        result=result,
        status="finished" if result else state.status,
        clock=state.clock and state.clock.pressed(step.at, to_move, _vacation(state, to_move, step.at)),
    )


def _taken_back(state: GameState, step: events.TakenBack) -> GameState:
    """Return the game as it was after a ply. The time that was used since is gone; a pause goes on."""
    ply, at, position = step.ply, step.at, state.position_after(step.ply)
    to_move = state.seat_of(state.rules.side_to_move(position))
    assert to_move is not None
    clock, marks = state.clock, state.clock_marks
    if clock is not None:
        stop = _vacation(state, to_move, at) if state.paused_until(at) is None else clock.stop
        clock, marks = turned_back(clock, at, to_move, ply, History(state.turns(), marks), stop)
    return _next(
        state,
        step,
        position=position,
        moves=state.moves[:ply],
        clock=clock,
        clock_marks=marks,
        taken_back_to=ply,
        undos=state.undos + state.is_solitaire,
        status="started",
        result=None,
    )


def _after_stop(state: GameState, step: events.VacationSet | events.Paused) -> GameState:
    """Return the game in a pause or a vacation, during which both clocks or one stand still."""
    stop, players, clock = (step.since, step.until), list(state.players), state.clock
    if isinstance(step, events.VacationSet):
        players[step.seat] = replace(players[step.seat], vacation=stop)
    if clock is not None and (isinstance(step, events.Paused) or clock.running == step.seat):
        clock = clock.standing_still(stop)
    return _next(state, step, players=tuple(players), clock=clock)


def _vacation(state: GameState, seat: int | None, at: int) -> Stop | None:
    """Return the vacation of the player in a seat, unless it is over at a moment."""
    player = None if seat is None else state.players[seat]
    return None if player is None or player.vacation_until(at) is None else player.vacation


def _next(state: GameState, step: Step, **changes: Any) -> GameState:
    return replace(state, version=state.version + 1, **changes_by(step, state), **changes)
