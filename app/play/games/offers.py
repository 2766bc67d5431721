"""What the players of a game may offer each other, and what ends an offer: one table for all of it.

An offer is made, declined and withdrawn by a step of its own, and is over as soon as a step leads to
another game than that for which it was made. Whatever applies a step asks `changes_by`, and commands take
one of `OFFERS` (`app.play.games.decisions`). docs/offers.md has the same table in words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.core.errors import ConflictError
from app.core.i18n.text import Text, _
from app.play.games.events import Ended, Paused, PauseRequested, Played, Step, TakebackRequested, TakenBack
from engine.game import Side

if TYPE_CHECKING:
    from app.play.games.game import GameState

LONGEST_PAUSE = 30 * 60_000
"""Milliseconds after which a paused game goes on by itself."""

Grant = Callable[["GameState", Side, int], Step]
"""Returns the step to which an offer of a side leads if it is accepted at a moment.

It raises ConflictError if the side may not make that offer.
"""


@dataclass(frozen=True, slots=True)
class Offer:
    """A kind of offer. `name` is that of the game's value with the side that makes it.

    `request` is the step that makes, declines or withdraws it, `ended_by` are the other steps that end it.
    `declined` tells who made it that the player of a name does not want it.
    """

    name: str
    request: type[TakebackRequested | PauseRequested]
    ended_by: tuple[type[Step], ...]
    grant: Grant
    nothing_asked: Text
    declined: Callable[[str], Text]

    def by(self, state: "GameState") -> Side | None:
        """Return the side that makes this offer in a game, or None."""
        side: Side | None = getattr(state, self.name)
        return side


def changes_by(step: Step, state: "GameState") -> Mapping[str, Any]:
    """Return the offers that a step makes or ends, by name: the side that makes it from now on, or None."""
    changes = {}
    for offer in OFFERS:
        if isinstance(step, offer.request):
            changes[offer.name] = None if step.seat is None else state.rules.sides[step.seat]
        elif offer.by(state) is not None and isinstance(step, offer.ended_by):
            changes[offer.name] = None
    return changes


def _takeback(state: "GameState", side: Side, at: int) -> Step:
    """Return the takeback that a side asks for.

    Raise ConflictError `rated_game`, `tournament_game`, `nothing_to_take_back` or `just_taken_back`.
    """
    if state.rated:
        raise ConflictError("rated_game", _("In a rated game moves cannot be taken back."))
    if state.tournament_id is not None:
        raise ConflictError("tournament_game", _("In a tournament moves cannot be taken back."))
    ply = state.before_last_move_of(side)
    if ply is None:
        raise nothing_to_take_back()
    if state.taken_back_to == state.ply:
        raise ConflictError(
            "just_taken_back", _("A move was just taken back. Play on before you ask for another.")
        )
    return TakenBack(ply, at)


def taken_back_by(state: "GameState", side: Side, reader: Side) -> list[tuple[int, str, bool]]:
    """Return the plies that a takeback of a side undoes: number, move, and whether it is the reader's."""
    ply = state.before_last_move_of(side)
    plies = range(state.ply if ply is None else ply, state.ply)
    return [(ply + 1, state.moves[ply].move, state.mover_of(ply + 1) == reader) for ply in plies]


def nothing_to_take_back() -> ConflictError:
    """Return the refusal of a takeback by a side that has made no move."""
    return ConflictError("nothing_to_take_back", _("You have made no move that could be taken back."))


def _pause(state: "GameState", _side: Side, at: int) -> Step:
    """Return the pause that a side asks for.

    It ends with the next move, by `resume`, or after `LONGEST_PAUSE`. Raise ConflictError `no_pause`,
    `too_early_to_pause` or `paused`.
    """
    if state.rated or not state.is_realtime or state.is_solitaire or state.tournament_id is not None:
        raise ConflictError(
            "no_pause", _("Only casual games in real time, outside of tournaments, can be paused.")
        )
    if not state.has_begun:
        raise ConflictError("too_early_to_pause", _("The game can be paused once both sides have moved."))
    if state.paused_until(at) is not None:
        raise ConflictError("paused", _("The game is paused already."))
    return Paused(at, at + LONGEST_PAUSE)


TAKEBACK = Offer(
    "takeback",
    TakebackRequested,
    ended_by=(Played, TakenBack, Ended),
    grant=_takeback,
    nothing_asked=_("There is no pending takeback request."),
    declined=lambda player: _("%(player)s declined the takeback.", player=player),
)
PAUSE = Offer(
    "pause",
    PauseRequested,
    ended_by=(Played, TakenBack, Paused, Ended),
    grant=_pause,
    nothing_asked=_("Nobody has asked for a pause."),
    declined=lambda player: _("%(player)s declined the pause.", player=player),
)
OFFERS = (TAKEBACK, PAUSE)
