"""One game in memory: an immutable value with everything that pages, API and sockets show of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from engine.clock import Clock, CommonDeadline, Realtime, TimeControl
from engine.game import Game, Outcome, Score, Side, Termination
from engine.glicko2 import PROVISIONAL_ABOVE
from engine.registry import rules_for

ABORTABLE = 2  # plies; until then a game may be aborted


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a side, with the rating as the game began and what the game did to it (None: nothing).

    `level` is that of a computer player of the server itself.
    """

    id: int
    username: str
    is_guest: bool
    rating: float | None = None
    deviation: float | None = None
    change: float | None = None
    is_computer: bool = False
    level: int | None = None

    @property
    def provisional(self) -> bool | None:
        """Tell whether the rating was provisional; None when there is none."""
        return None if self.deviation is None else self.deviation > PROVISIONAL_ABOVE


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One ply that was played; without a `move_id` the server played it, there being no choice."""

    move: str
    move_id: UUID | None

    @property
    def automatic(self) -> bool:
        """Tell whether the server played it."""
        return self.move_id is None


@dataclass(frozen=True)
class GameState:
    """A game at one version. Players, clock and the game's sides are in the same order.

    `takeback` is the side that asks to take its last move back; `taken_back_to` the ply to which the last
    takeback led; `undos` counts the moves taken back in a game for one, `submitted` tells that it stands as
    an attempt at a record. Moments are milliseconds since the epoch.
    """

    id: str
    game: str
    options: Mapping[str, int]
    status: str
    players: tuple[Player, ...]
    version: int
    position: Any
    moves: tuple[PlayedMove, ...]
    result: Outcome | None
    rated: bool
    control: TimeControl | None
    clock: Clock | None
    takeback: Side | None
    taken_back_to: int | None
    undos: int
    submitted: bool
    created_at: datetime

    @property
    def rules(self) -> Game[Any]:
        """Give the rules that the game is played by."""
        return rules_for(self.game, len(self.players))

    @property
    def is_solitaire(self) -> bool:
        """Tell whether the game is for one."""
        return len(self.players) == 1

    @property
    def ply(self) -> int:
        """Count the turns taken so far."""
        return len(self.moves)

    @property
    def side_to_move(self) -> Side | None:
        """Give whose turn it is, or None when the game is over."""
        return None if self.result else self.rules.side_to_move(self.position)

    @property
    def awaits_computer(self) -> bool:
        """Tell whether it is the turn of a computer player of the server."""
        side = self.side_to_move
        return side is not None and self.player_at(side).level is not None

    @property
    def is_against_computer(self) -> bool:
        """Tell whether a computer player of the server takes part."""
        return any(player.level is not None for player in self.players)

    @cached_property
    def legal_moves(self) -> list[str]:
        """Give the moves that the side to move may choose from; none when the game is over."""
        return [] if self.result else self.rules.legal_moves(self.position)

    @cached_property
    def score(self) -> Score:
        """Give the score by side."""
        return self.rules.score(self.position)

    @cached_property
    def position_text(self) -> str:
        """Give the position string."""
        return self.rules.format(self.position)

    @property
    def deadline(self) -> int | None:
        """Give the moment by which the next move has to have come, or None."""
        return self.clock.deadline if self.clock else None

    @property
    def is_realtime(self) -> bool:
        """Tell whether the game is played against a real-time clock."""
        return isinstance(self.control, Realtime)

    @property
    def may_be_aborted(self) -> bool:
        """Tell whether the game is so young that either player may call it off."""
        return not self.result and self.ply < ABORTABLE and not self.is_solitaire

    @property
    def is_played_out(self) -> bool:
        """Tell whether the game ended by its own rules."""
        return self.result is not None and self.rules.outcome(self.position) is not None

    @property
    def is_race(self) -> bool:
        """Tell whether the game is part of a race."""
        return isinstance(self.control, CommonDeadline)

    @property
    def may_be_undone(self) -> bool:
        """Tell whether the last move of a game for one may be taken back, even the one that ended it."""
        is_open = not self.result or self.is_played_out
        return self.is_solitaire and not self.is_race and not self.submitted and is_open and self.ply > 0

    def is_hidden_from(self, account_id: int | None, now: int) -> bool:
        """Tell whether somebody may not see the board: that of a race is its player's until it is over."""
        control = self.control
        return isinstance(control, CommonDeadline) and now < control.until and not self.side_of(account_id)

    def is_due(self, now: int) -> bool:
        """Tell whether the time of the side to move is over."""
        return self.clock is not None and self.clock.is_due(now)

    def side_of(self, account_id: int | None) -> Side | None:
        """Give the side that an account plays, or None for a spectator."""
        for side, player in zip(self.rules.sides, self.players, strict=True):
            if player.id == account_id:
                return side
        return None

    def other_side(self, side: Side) -> Side | None:
        """Give the opponent's side, or None in a game for one."""
        return next((other for other in self.rules.sides if other != side), None)

    def player_at(self, side: Side) -> Player:
        """Give who plays a side."""
        return self.players[self.rules.sides.index(side)]

    def mover_of(self, ply: int) -> Side:
        """Give the side that made the move of a ply, counted from 1."""
        return self.rules.mover(self.position, ply)

    def position_after(self, ply: int) -> Any:
        """Give the position after that many plies, replayed from the start."""
        position = self.rules.initial(self.options)
        for played in self.moves[:ply]:
            position = self.rules.play(position, played.move)
        return position

    def before_last_move_of(self, side: Side) -> int | None:
        """Give the ply before the last move that a side chose itself, or None when it has made none."""
        for ply in range(self.ply, 0, -1):
            if self.mover_of(ply) == side and not self.moves[ply - 1].automatic:
                return ply - 1
        return None

    def after(self, move: str, move_id: UUID, now: int) -> "GameState":
        """Give the game after a move made now and whatever plies it forces.

        Raises MoveSyntaxError, IllegalMove or FlagFallen.
        """
        position = self.rules.play(self.position, move)
        moves = [*self.moves, PlayedMove(move, move_id)]
        while (forced := self.rules.forced_move(position)) is not None:
            position = self.rules.play(position, forced)
            moves.append(PlayedMove(forced, None))
        result = self.rules.outcome(position)
        to_move = None if result else self._seat(self.rules.side_to_move(position))
        return self._next(
            position=position,
            moves=tuple(moves),
            result=result,
            status="finished" if result else self.status,
            clock=self.clock.pressed(now, to_move) if self.clock else None,
            takeback=None,
        )

    def ended(self, result: Outcome, now: int) -> "GameState":
        """Give the game after an end that is not in the position, such as a resignation."""
        return self._next(
            result=result,
            status="aborted" if result.termination == Termination.ABORT else "finished",
            clock=self.clock.stopped(now) if self.clock else None,
            takeback=None,
        )

    def flagged(self, now: int) -> "GameState":
        """Give the game after the time of the side to move ran out; one that never began is aborted."""
        mover = self.side_to_move
        if mover is None or (self.is_realtime and self.ply == 0):
            return self.ended(Outcome(None, Termination.ABORT), now)
        return self.ended(Outcome(self.other_side(mover), Termination.TIME), now)

    def asking(self, side: Side | None) -> "GameState":
        """Give the game with a side asking for a takeback, or nobody."""
        return self._next(takeback=side)

    def taken_back(self, ply: int, now: int) -> "GameState":
        """Give the game as it was after a ply, with the clock going on as it stands."""
        position = self.position_after(ply)
        to_move = self._seat(self.rules.side_to_move(position))
        assert to_move is not None
        return self._next(
            position=position,
            moves=self.moves[:ply],
            clock=self.clock.turned_back(now, to_move) if self.clock else None,
            takeback=None,
            taken_back_to=ply,
        )

    def undone(self, now: int) -> "GameState":
        """Give a game for one as it was before the last move that its player chose."""
        ply = self.before_last_move_of(Side.SOLO)
        assert ply is not None
        back = self.taken_back(ply, now)
        return replace(back, undos=self.undos + 1, status="started", result=None)

    def standing(self) -> "GameState":
        """Give a game for one that stands from now on as an attempt at a record."""
        return self._next(submitted=True)

    def _seat(self, side: Side | None) -> int | None:
        return None if side is None else self.rules.sides.index(side)

    def _next(self, **changes: Any) -> "GameState":
        return replace(self, version=self.version + 1, **changes)
