"""One game as a value: everything that is stored of it, and what follows from that."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from app.core.computed import computed_once
from engine import replay
from engine.clock import Clock, CommonDeadline, DayDeadline, TimeControl, is_realtime
from engine.clock_history import Mark, Turn
from engine.counted_time import Stop
from engine.game import Game, Outcome, Score, Side
from engine.glicko2 import PROVISIONAL_ABOVE
from engine.registry import rules_for

BEGUN = 2  # plies of a game's own from which on both sides have moved, so that it cannot be aborted
RATED_FROM = 8  # plies of a game's own from which on it is rated; on the smallest boards half of the squares


class Player(msgspec.Struct, frozen=True):
    """A player of the game, with the rating at its start and the change that the game made to it.

    `level` is set for the server's computer players, `vacation` in games with days for a move: the last time,
    perhaps a present one, in which the player's clock stands still.
    """

    id: int
    username: str
    is_guest: bool
    rating: float | None = None
    deviation: float | None = None
    change: float | None = None
    is_computer: bool = False
    level: int | None = None
    vacation: Stop | None = None

    @property
    def provisional(self) -> bool | None:
        """Return whether the rating was provisional, or None without a rating."""
        return None if self.deviation is None else self.deviation > PROVISIONAL_ABOVE

    def vacation_until(self, moment: int) -> int | None:
        """Return the end of the vacation on which the player is at a moment, or None."""
        return self.vacation[1] if self.vacation is not None and self.vacation[1] > moment else None


class PlayedMove(msgspec.Struct, frozen=True, gc=False):
    """One ply that was played. The server plays a ply, without a `move_id`, when it is forced.

    The `move_id` is the number of a UUID, which itself would be an object that the garbage collector counts:
    while games are played, moves would wait for its collections.

    `at` is the moment of the move in milliseconds since the epoch, `spent` the milliseconds that its side
    thought: None without a clock, for a forced ply, and for moves older than this record.
    """

    move: str
    move_id: int | None
    at: int
    spent: int | None

    @property
    def automatic(self) -> bool:
        """Return whether the server played it."""
        return self.move_id is None


class GameState(msgspec.Struct, frozen=True, dict=True):
    """A game at one version. Players, clock and sides are in the same order; a seat is an index in it.

    `takeback` is the side that asks to take its last move back, `taken_back_to` the ply that the last
    takeback led to. In a solitaire game `undos` counts the moves taken back, and `submitted` means that it
    was submitted as a best score. `aborted_by` is the side to blame for an abort, if any. `conditional` is
    true as a step is committed in a game with conditional moves. `pause` is the side that asks for a pause.
    `on_ladder` means that the players play for a place. A game that begins in a position has the `first_ply`
    moves that led there before its own ones. `clock_marks` are the plies to which its takebacks led.
    Moments are milliseconds since the epoch.
    """

    id: str
    game: str
    options: Mapping[str, int]
    status: Literal["started", "finished", "aborted"]
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
    aborted_by: Side | None
    created_at: datetime
    conditional: bool = False
    tournament_id: str | None = None
    voided: bool = False
    pause: Side | None = None
    on_ladder: bool = False
    first_ply: int = 0
    clock_marks: tuple[Mark, ...] = ()

    @computed_once
    def rules(self) -> Game[Any]:
        """Return the rules that the game is played by."""
        return rules_for(self.game, len(self.players))

    @property
    def is_solitaire(self) -> bool:
        """Return whether the game has one player."""
        return len(self.players) == 1

    @computed_once
    def ply(self) -> int:
        """Return the number of the last ply: of all moves that led to the position."""
        return len(self.moves)

    @property
    def plies_played(self) -> int:
        """Return the number of plies played in this game, without those that led to its beginning."""
        return self.ply - self.first_ply

    @computed_once
    def side_to_move(self) -> Side | None:
        """Return the side whose turn it is, or None when the game is over."""
        return None if self.result else self.rules.side_to_move(self.position)

    @computed_once
    def player_to_move(self) -> Player | None:
        """Return the player whose turn it is, or None when the game is over."""
        side = self.side_to_move
        return None if side is None else self.player_at(side)

    @property
    def awaits_computer(self) -> bool:
        """Return whether it is the turn of a computer player of the server."""
        player = self.player_to_move
        return player is not None and player.level is not None

    @property
    def is_against_computer(self) -> bool:
        """Return whether a computer player of the server takes part."""
        return any(player.level is not None for player in self.players)

    @computed_once
    def legal_moves(self) -> list[str]:
        """Return the moves that the side to move may choose from; none when the game is over."""
        return [] if self.result else self.rules.legal_moves(self.position)

    @computed_once
    def score(self) -> Score:
        """Return the score by side."""
        return self.rules.score(self.position)

    @computed_once
    def position_text(self) -> str:
        """Return the position string."""
        return self.rules.format(self.position)

    @property
    def winner_seat(self) -> int | None:
        """Return the seat of the winner, or None if nobody won or the game is running."""
        return self.seat_of(self.result.winner) if self.result else None

    @computed_once
    def deadline(self) -> int | None:
        """Return the moment by which the next move must arrive, or None."""
        return self.clock.deadline if self.clock else None

    @property
    def first_move_by(self) -> int | None:
        """Return the moment by which a real-time game must have its first move, or None once it has."""
        return self.deadline if self.clock is not None and self.clock.opening and self.is_realtime else None

    @property
    def is_realtime(self) -> bool:
        """Return whether the game has a real-time clock."""
        return is_realtime(self.control)

    @property
    def is_awaited(self) -> bool:
        """Return whether its players sit at it: it is under way, for two, and not a matter of days."""
        return self.result is None and not self.is_solitaire and not self.is_correspondence

    @property
    def is_correspondence(self) -> bool:
        """Return whether the game is for two with a clock that is not a real-time one."""
        return self.control is not None and not self.is_realtime and not self.is_solitaire

    @property
    def takes_conditions(self) -> bool:
        """Return whether players may decide their answers beforehand, as conditional moves."""
        return not self.is_solitaire and not self.is_realtime

    @property
    def has_begun(self) -> bool:
        """Return whether both sides have moved."""
        return self.plies_played >= BEGUN

    @property
    def is_aborted_by_leaving(self) -> bool:
        """Return whether a player who leaves aborts the game: a side of a rated game has not moved."""
        return self.rated and not self.has_begun

    @property
    def is_too_short_to_rate(self) -> bool:
        """Return whether a rated game has so few plies that its result leaves the ratings as they are."""
        return self.rated and self.plies_played < min(RATED_FROM, self.options["size"] ** 2 // 2)

    @property
    def may_be_aborted(self) -> bool:
        """Return whether either player may still abort the game."""
        is_fixed = self.is_solitaire or self.tournament_id is not None or self.on_ladder
        return not (self.result or self.has_begun or is_fixed)

    @property
    def is_played_out(self) -> bool:
        """Return whether the game ended by its own rules."""
        return self.result is not None and self.rules.outcome(self.position) is not None

    def paused_until(self, moment: int) -> int | None:
        """Return the end of the pause in which the game is at a moment, or None."""
        stop = self.clock.stop if self.clock and self.is_realtime and not self.result else None
        return stop[1] if stop is not None and stop[1] > moment else None

    @property
    def is_race(self) -> bool:
        """Return whether the game is part of a race."""
        return isinstance(self.control, CommonDeadline) and not self.is_of_day

    @property
    def is_of_day(self) -> bool:
        """Return whether the game is played on a board of the day."""
        return isinstance(self.control, DayDeadline)

    def is_private(self, moment: int) -> bool:
        """Return whether only the player may know the board: of a race or of the day, until its end."""
        return isinstance(self.control, CommonDeadline) and moment < self.control.until

    @property
    def is_final(self) -> bool:
        """Return whether nothing will ever change the game."""
        return self.result is not None and (self.submitted or not self.is_solitaire)

    def may_be_undone(self, moment: int) -> bool:
        """Return whether the last move of a solitaire game may be taken back, even the one that ended it."""
        is_open = not self.submitted and (not self.result or self.is_played_out)
        is_past = self.is_of_day and not self.is_private(moment)
        return self.is_solitaire and not (self.is_race or is_past) and is_open and self.plies_played > 0

    def is_hidden_from(self, account_id: int | None, moment: int) -> bool:
        """Return whether an account may not see the board, which is private."""
        return self.is_private(moment) and not self.side_of(account_id)

    def is_due(self, moment: int) -> bool:
        """Return whether the time of the side to move is over."""
        return self.clock is not None and self.clock.is_due(moment)

    def side_of(self, account_id: int | None) -> Side | None:
        """Return the side that an account plays, or None for a spectator."""
        for side, player in zip(self.rules.sides, self.players, strict=True):
            if player.id == account_id:
                return side
        return None

    def seat_of(self, side: Side | None) -> int | None:
        """Return the seat of a side, or None for no side."""
        return None if side is None else self.rules.sides.index(side)

    def other_side(self, side: Side) -> Side | None:
        """Return the opponent's side, or None in a solitaire game."""
        return next((other for other in self.rules.sides if other != side), None)

    def player_at(self, side: Side) -> Player:
        """Return the player of a side."""
        return self.players[self.rules.sides.index(side)]

    def mover_of(self, ply: int) -> Side:
        """Return the side that played a ply, counted from 1."""
        return self.rules.mover(self.position, ply)

    def positions(self, ply: int | None = None) -> list[Any]:
        """Return the positions from the start to that after a ply, or to the last one."""
        return list(replay.positions(self.rules, self.options, (played.move for played in self.moves[:ply])))

    def position_after(self, ply: int) -> Any:
        """Return the position after that many plies, replayed from the start."""
        return self.positions(ply)[-1]

    def before_last_move_of(self, side: Side) -> int | None:
        """Return the ply before the last move of this game that a side chose itself, or None without any."""
        return next((ply for ply in reversed(self._chosen()) if self.mover_of(ply + 1) == side), None)

    def turns(self) -> list[Turn]:
        """Return the turns of this game that are over, as its clock counted them."""
        plies = self._chosen()
        movers = [self.mover_of(ply + 1) for ply in plies]
        following = [*movers[1:], self.side_to_move]
        seat = self.rules.sides.index
        return [
            Turn(ply, seat(mover), self.moves[ply].spent or 0, self.seat_of(after))
            for ply, mover, after in zip(plies, movers, following, strict=True)
        ]

    def _chosen(self) -> list[int]:
        """Return the plies of this game before moves that players chose themselves."""
        return [ply for ply in range(self.first_ply, self.ply) if not self.moves[ply].automatic]
