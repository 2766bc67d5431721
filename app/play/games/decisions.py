"""What players, clocks and computers may do to a game: one pure function for each command.

A command takes the game, the account that gives it and the moment at which it reached the server, and returns
the resulting step together with the game after it. What the rules or the state of the game forbid is refused
with a typed error, which carries the game.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from uuid import UUID

import msgspec
from msgspec.structs import replace

from app.core.errors import ConflictError, ForbiddenError, NotFoundError
from app.core.i18n.text import _, ngettext
from app.people.identity.service import check_registered
from app.play.conditions.lines import Lines, checked
from app.play.games.events import Ended, Paused, Played, Step, Submitted, TakenBack, VacationSet
from app.play.games.evolving import after_moves, evolve
from app.play.games.game import GameState
from app.play.games.offers import PAUSE, TAKEBACK, Offer, nothing_to_take_back
from app.play.games.refusals import game_over, invalid_move, move_id_reused, stale_ply
from engine.clock import FlagFallen
from engine.game import IllegalMove, MoveSyntaxError, Side, Termination

PATIENCE = 30_000
"""Milliseconds to wait for the opponent's first move; who calls off the game after that is not to blame."""

CLAIM_AFTER = 60
"""Seconds of the opponent's absence after which the win may be claimed."""


class Decision(msgspec.Struct, frozen=True):
    """A step decided for a version of a game, the game after it, and lines that the mover adds to it.

    `is_answer` says that its player decided the move beforehand, and does not know that it is played.
    """

    before: GameState
    step: Step
    after: GameState
    lines: Lines = ()
    is_answer: bool = False


class Command(StrEnum):
    """What a player may do beside moving, by the last part of its form's address."""

    RESIGN = "resign"
    ABORT = "abort"
    CLAIM = "claim"
    TAKEBACK = "takeback"
    ASK_TAKEBACK = "ask-takeback"
    ACCEPT_TAKEBACK = "accept-takeback"
    DECLINE_TAKEBACK = "no-takeback"
    PAUSE = "pause"
    ACCEPT_PAUSE = "accept-pause"
    DECLINE_PAUSE = "no-pause"
    RESUME = "resume"
    SUBMIT = "submit"


def side_of(state: GameState, account_id: int, at: int) -> Side:
    """Return the side that an account plays.

    Raise ForbiddenError `not_a_player` if it plays none, NotFoundError if it may not even see the game.
    """
    side = state.side_of(account_id)
    if side is None:
        if state.is_hidden_from(account_id, at):
            raise NotFoundError("game")
        raise ForbiddenError("not_a_player", _("You are watching this game; only its players may do that."))
    return side


def check_running(state: GameState) -> None:
    """Raise GameMovedOn `game_over` if the game has ended."""
    if state.result:
        raise game_over(state)


def was_played(state: GameState, account_id: int, move: str, ply: int, move_id: UUID, at: int) -> bool:
    """Return whether this very move was played before, so that its sender is repeating it.

    Raise GameMovedOn `stale_ply` or ConflictError `move_id_reused` if another move has its identifier.
    """
    if ply >= state.ply:
        return False  # a new move; the database refuses one with a used identifier
    if state.moves[ply].move_id == move_id.int:
        side_of(state, account_id, at)
        if state.moves[ply].move == move:
            return True
        raise stale_ply(state)
    if any(played.move_id == move_id.int for played in state.moves):
        side_of(state, account_id, at)
        raise move_id_reused()
    return False


def play(
    state: GameState,
    account_id: int,
    move: str,
    ply: int,
    move_id: UUID,
    at: int,
    lines: Sequence[Sequence[str]] = (),
) -> Decision:
    """Play a move for an account, and the plies that it forces, with its conditional moves after that.

    `ply` is the number of plies before the move. Raise FlagFallen if the time was over, ForbiddenError
    `not_a_player` or `not_your_turn`, GameMovedOn `game_over` or `stale_ply`, InvalidError `move_syntax` or
    `illegal_move` (with its reason), and what `answers` raises.
    """
    side = side_of(state, account_id, at)
    check_running(state)
    if state.is_due(at):
        raise FlagFallen
    if ply != state.ply:
        raise stale_ply(state)
    if side != state.side_to_move:
        raise ForbiddenError("not_your_turn", _("It is the other side's turn."))
    try:
        decision = play_for_side(state, move, move_id, at)
    except (MoveSyntaxError, IllegalMove) as error:
        raise invalid_move(error) from None
    return replace(decision, lines=answers(decision.after, side, lines)) if lines else decision


def answers(state: GameState, side: Side, lines: Sequence[Sequence[str]]) -> Lines:
    """Return the lines by which a side would answer its opponent's next move.

    Raise ConflictError `no_conditions` or `your_turn`, and InvalidError as `checked` does.
    """
    if not state.takes_conditions:
        raise ConflictError(
            "no_conditions", _("Conditional moves are for correspondence games and games without a clock.")
        )
    if state.side_to_move == side:
        raise ConflictError(
            "your_turn", _("It is your turn. Move first; conditional moves answer the next move.")
        )
    return checked(state.rules, state.position, side, lines)


def play_for_side(state: GameState, move: str, move_id: UUID, at: int) -> Decision:
    """Play a move for the side to move. Raise MoveSyntaxError, IllegalMove or FlagFallen."""
    position = state.rules.play(state.position, move)
    moves = [move]
    while (forced := state.rules.forced_move(position)) is not None:
        position = state.rules.play(position, forced)
        moves.append(forced)
    spent = state.clock.elapsed(at) if state.clock else None
    step = Played(tuple(moves), move_id, at, spent)
    return Decision(state, step, after_moves(state, step, position))


def resign(state: GameState, side: Side, at: int) -> Decision:
    """End the game in favour of the other side; a rated game in which a side has not moved is aborted.

    Raise ConflictError `day_under_way` on a board of the day, at which each player has one game.
    """
    check_running(state)
    if state.is_of_day:
        raise ConflictError(
            "day_under_way",
            _("This is your only game on the board of the day. Take moves back, or leave it as it is."),
        )
    if state.is_aborted_by_leaving:
        return _aborted(state, side, at)
    return _ended(state, state.other_side(side), Termination.RESIGN, at)


def abort(state: GameState, side: Side, at: int) -> Decision:
    """Abort a game.

    Raise ConflictError `too_late_to_abort` once both sides have moved, `tournament_game` in a tournament,
    `ladder_game` in a game for a place on a ladder.
    """
    check_running(state)
    if state.tournament_id is not None:
        raise ConflictError(
            "tournament_game", _("A game of a tournament cannot be aborted. Play it, or resign it.")
        )
    if state.on_ladder:
        raise ConflictError(
            "ladder_game", _("A game for a place on a ladder cannot be aborted. Play it, or resign it.")
        )
    if not state.may_be_aborted:
        raise ConflictError(
            "too_late_to_abort",
            _("A game for two can be aborted until both sides have moved. Resign this one instead."),
        )
    mover = state.side_to_move
    has_waited = state.is_realtime and state.clock is not None and at - state.clock.since > PATIENCE
    return _aborted(state, mover if has_waited else side, at)


def claim(state: GameState, side: Side, at: int, absent_since: int | None) -> Decision:
    """Claim the win in a real-time game whose other player left at `absent_since` (None if present).

    A rated game in which a side has not moved is aborted instead. Raise ConflictError `not_left` or
    `too_early` (with the seconds left).
    """
    check_running(state)
    claimable = claimable_at(state, side, absent_since)
    if claimable is None or state.paused_until(at) is not None:
        raise ConflictError("not_left", _("Your opponent is present, or the game has no real-time clock."))
    if at < claimable:
        seconds = -((at - claimable) // 1000)
        raise ConflictError(
            "too_early",
            ngettext(
                "Your opponent may still come back. Try again in %(count)s second.",
                "Your opponent may still come back. Try again in %(count)s seconds.",
                seconds,
            ),
            extra={"seconds": seconds},
        )
    if state.is_aborted_by_leaving:
        return _aborted(state, state.other_side(side), at)
    return _ended(state, side, Termination.LEFT, at)


def claimable_at(state: GameState, side: Side, absent_since: int | None) -> int | None:
    """Return the moment from which on a side may claim the win, or None if it cannot be claimed.

    The other player left at `absent_since` (None if present). A pause that lasts ends before that moment.
    """
    if state.result or not state.is_realtime or state.clock is None or absent_since is None:
        return None
    # A move proves that its player was present, so an absence begins after the last one.
    since = max(absent_since, state.clock.since) if state.side_to_move == side else absent_since
    since = max(since, state.clock.stop[1]) if state.clock.stop else since  # nobody waits during a pause
    return since + 1000 * CLAIM_AFTER


def ask(offer: Offer, state: GameState, side: Side, at: int) -> Decision:
    """Make an offer to the opponent, or accept the same one of theirs; a computer accepts at once.

    Raise ConflictError `already_asked`, `no_time_left`, and what the offer's `grant` raises.
    """
    check_running(state)
    asking = offer.by(state)
    if asking == side:
        raise ConflictError("already_asked", _("You have asked already; your opponent has not answered yet."))
    granted = _decided(state, offer.grant(state, asking or side, at))
    clock = granted.after.clock
    if clock is not None and not all(clock.left):
        raise ConflictError(
            "no_time_left",
            _(
                "Too much time has passed since that move: "
                "after the takeback, a player's clock would be at zero."
            ),
        )
    if asking is None and not state.is_against_computer:
        return _decided(state, offer.request(state.seat_of(side)))
    return granted


def accept(offer: Offer, state: GameState, side: Side, at: int) -> Decision:
    """Accept the opponent's offer, and never make one. Raise ConflictError `nothing_asked`, or as `ask`."""
    check_running(state)
    if offer.by(state) in (None, side):
        raise ConflictError("nothing_asked", offer.nothing_asked)
    return ask(offer, state, side, at)


def drop(offer: Offer, state: GameState, side: Side, _at: int) -> Decision:
    """Decline the opponent's offer, or withdraw one. Raise ConflictError `nothing_asked`."""
    check_running(state)
    asking = offer.by(state)
    if asking is None:
        raise ConflictError("nothing_asked", offer.nothing_asked)
    return _decided(state, offer.request(None, declined=asking != side))


def take_back(state: GameState, side: Side, at: int) -> Decision:
    """Ask for a takeback, or accept one (see `ask`); in a solitaire game, take the last move back.

    There, raise ConflictError `nothing_to_take_back`, `race_stands` or `submitted`.
    """
    return _undo(state, at) if state.is_solitaire else ask(TAKEBACK, state, side, at)


def ask_to_take_back(state: GameState, side: Side, at: int) -> Decision:
    """Ask for a takeback, and never accept one: the opponent's would undo other moves.

    Raise ConflictError `asked`, or as `ask`.
    """
    check_running(state)
    if TAKEBACK.by(state) not in (None, side):
        raise ConflictError(
            "asked", _("Your opponent has just asked for a takeback, too. Answer that request first.")
        )
    return ask(TAKEBACK, state, side, at)


def resume(state: GameState, _side: Side, at: int) -> Decision:
    """End a pause. Raise ConflictError `not_paused`."""
    check_running(state)
    if state.paused_until(at) is None or state.clock is None or state.clock.stop is None:
        raise ConflictError("not_paused", _("The game is not paused."))
    return _decided(state, Paused(state.clock.stop[0], at))


def submit(state: GameState, side: Side, at: int) -> Decision:
    """Submit a finished solitaire game as a best score; its moves are final afterwards.

    Raise ForbiddenError `needs_account`, ConflictError `not_solitaire`, `submitted`, `not_played_out`,
    `race_under_way` or `day_under_way`.
    """
    if not state.is_solitaire:
        raise ConflictError("not_solitaire", _("Only a solitaire game can be submitted as a best score."))
    if state.submitted:
        raise ConflictError("submitted", _("This game was submitted already."))
    if not state.is_played_out:
        raise ConflictError("not_played_out", _("Finish the game before submitting it."))
    if state.is_private(at) and state.is_of_day:
        raise ConflictError(
            "day_under_way",
            _("Hand this game in on the page of the day. As a best score, submit it when the day is over."),
        )
    if state.is_private(at):
        raise ConflictError("race_under_way", _("Submit this game once the race is over."))
    check_registered(
        state.player_at(side),
        _("Register to submit scores. Your game is kept and you can submit it afterwards."),
    )
    return _decided(state, Submitted())


def set_vacation(state: GameState, side: Side) -> Decision:
    """Set the vacation of a player, who has been on one, so that the player's clock stands still for it."""
    check_running(state)
    vacation = state.player_at(side).vacation
    assert vacation is not None
    return _decided(state, VacationSet(state.rules.sides.index(side), *vacation))


def flag(state: GameState, at: int) -> Decision | None:
    """End a game if the side to move had run out of time at a moment, else return None.

    A real-time game that waits for its first move is aborted, and so is a rated game in which a side has not
    moved.
    """
    mover = state.side_to_move
    if mover is None or not state.is_due(at):
        return None
    if state.first_move_by is not None or state.is_aborted_by_leaving:
        return _aborted(state, mover, at)
    return _ended(state, state.other_side(mover), Termination.TIME, at)


def _undo(state: GameState, at: int) -> Decision:
    if state.is_race:
        raise ConflictError("race_stands", _("Moves cannot be undone in a race."))
    if state.submitted:
        raise ConflictError("submitted", _("This game was submitted, so its moves are final."))
    if state.result and not state.may_be_undone(at):
        raise game_over(state)
    ply = state.before_last_move_of(Side.SOLO)
    if ply is None:
        raise nothing_to_take_back()
    return _decided(state, TakenBack(ply, at))


def _ended(state: GameState, winner: Side | None, termination: Termination, at: int) -> Decision:
    return _decided(state, Ended(state.seat_of(winner), termination.value, at))


def _aborted(state: GameState, by: Side | None, at: int) -> Decision:
    """Return the abort of a game, for which a side is to blame; nobody is in a game against the computer."""
    seat = None if state.is_against_computer else state.seat_of(by)
    return _decided(state, Ended(None, Termination.ABORT.value, at, aborted_by=seat))


def _decided(state: GameState, step: Step) -> Decision:
    return Decision(state, step, evolve(state, step))


COMMANDS: Mapping[Command, Callable[[GameState, Side, int], Decision]] = {
    Command.RESIGN: resign,
    Command.ABORT: abort,
    Command.TAKEBACK: take_back,
    Command.ASK_TAKEBACK: ask_to_take_back,
    Command.ACCEPT_TAKEBACK: partial(accept, TAKEBACK),
    Command.DECLINE_TAKEBACK: partial(drop, TAKEBACK),
    Command.PAUSE: partial(ask, PAUSE),
    Command.ACCEPT_PAUSE: partial(accept, PAUSE),
    Command.DECLINE_PAUSE: partial(drop, PAUSE),
    Command.RESUME: resume,
    Command.SUBMIT: submit,
}
"""What decides each command, but a claim, which has to know since when the opponent is absent."""
