"""One game in memory: an immutable value with everything that pages, API and sockets show of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from engine.game import Game, Outcome, Score, Side
from engine.registry import GAMES


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a side."""

    id: int
    username: str
    is_guest: bool


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
    """A game at one version. `players` and the game's sides are in the same order."""

    id: str
    game: str
    options: Mapping[str, int]
    status: str
    players: tuple[Player, ...]
    version: int
    position: Any
    moves: tuple[PlayedMove, ...]
    result: Outcome | None
    created_at: datetime

    @property
    def rules(self) -> Game[Any]:
        """Give the rules that the game is played by."""
        return GAMES[self.game]

    @property
    def ply(self) -> int:
        """Count the turns taken so far."""
        return len(self.moves)

    @property
    def side_to_move(self) -> Side | None:
        """Give whose turn it is, or None when the game is over."""
        return None if self.result else self.rules.side_to_move(self.position)

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

    def side_of(self, account_id: int | None) -> Side | None:
        """Give the side that an account plays, or None for a spectator."""
        for side, player in zip(self.rules.sides, self.players, strict=True):
            if player.id == account_id:
                return side
        return None

    def player_at(self, side: Side) -> Player:
        """Give who plays a side."""
        return self.players[self.rules.sides.index(side)]

    def position_after(self, ply: int) -> Any:
        """Give the position after that many plies, replayed from the start."""
        position = self.rules.initial(self.options)
        for played in self.moves[:ply]:
            position = self.rules.play(position, played.move)
        return position

    def after(self, move: str, move_id: UUID) -> "GameState":
        """Give the game after a move and whatever plies it forces. Raises MoveSyntaxError or IllegalMove."""
        position = self.rules.play(self.position, move)
        moves = [*self.moves, PlayedMove(move, move_id)]
        while (forced := self.rules.forced_move(position)) is not None:
            position = self.rules.play(position, forced)
            moves.append(PlayedMove(forced, None))
        return self._next(position=position, moves=tuple(moves), result=self.rules.outcome(position))

    def ended(self, result: Outcome) -> "GameState":
        """Give the game after an end that is not in the position, such as a resignation."""
        return self._next(result=result)

    def _next(self, **changes: Any) -> "GameState":
        status = "finished" if changes["result"] else self.status
        return replace(self, version=self.version + 1, status=status, **changes)
