"""What is published about games: the steps that lead from one version to the next, beginnings and ends."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

from app.core.events import Event, Fact, Resync, Topic, account_topic, game_topic, player_topic
from app.core.realtime.hub import Hub
from app.core.realtime.server_time import ServerTime

GAMES = Topic("games")
"""Games begin and end."""

_LOOK_EVERY = 0.5  # seconds


class Played(Fact, frozen=True):
    """A player's move, followed by the plies that the server played because they were forced.

    `at` is the moment (milliseconds since the epoch) that counts for the clock, `spent` how long the side
    thought in milliseconds, or None without a clock.
    """

    moves: tuple[str, ...]
    move_id: UUID
    at: int
    spent: int | None


class TakebackRequested(Fact, frozen=True):
    """The player in a seat asked to take a move back; seat None: the request was withdrawn, or `declined`."""

    seat: int | None
    declined: bool = False


class TakenBack(Fact, frozen=True):
    """The game went back to the position after `ply` plies, at a moment in milliseconds since the epoch."""

    ply: int
    at: int


class Submitted(Fact, frozen=True):
    """The player of a solitaire game submitted it; its moves are final."""


class Ended(Fact, frozen=True):
    """The game ended by something other than its position: a resignation, a flag, a claim, an abort.

    `winner` is a seat, None when nobody won; `at` is in milliseconds since the epoch. `aborted_by` is
    the seat of the player who is to blame for an abort, None if nobody is.
    """

    winner: int | None
    termination: str
    at: int
    aborted_by: int | None = None


class VacationSet(Fact, frozen=True):
    """The player in a seat is on vacation from a moment until another, in milliseconds since the epoch."""

    seat: int
    since: int
    until: int


class PauseRequested(Fact, frozen=True):
    """The player in a seat asked for a pause; seat None: the request was withdrawn, or `declined`."""

    seat: int | None
    declined: bool = False


class Paused(Fact, frozen=True):
    """The clock stands still from a moment until another, in milliseconds since the epoch."""

    since: int
    until: int


Step = Played | TakebackRequested | TakenBack | Submitted | Ended | VacationSet | PauseRequested | Paused
"""What leads from one version of a game to the next."""


class GameChanged(Event, frozen=True):
    """A game reached a version by `step`; None when only the new version is known.

    `to_move` is the account whose turn it is, None when the game is over.
    """

    game_id: str
    version: int
    players: tuple[int, ...]
    to_move: int | None
    is_over: bool
    step: Step | None
    rating_changes: tuple[float, ...] | None = None

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the game's topic and those of its players; the end also concerns those who watch them."""
        topics = (game_topic(self.game_id), *map(account_topic, self.players))
        return (*topics, *map(player_topic, self.players), GAMES) if self.is_over else topics


class GameStarted(Event, frozen=True):
    """A game began."""

    game_id: str
    players: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the players' topics and the list of games."""
        return (*map(account_topic, self.players), *map(player_topic, self.players), GAMES)


class EndedGames:
    """The games whose end was announced since they were last taken."""

    def __init__(self, hub: Hub, time: ServerTime) -> None:
        self._hub = hub
        self._time = time
        self._ids: set[str] = set()
        self._has_missed = False

    async def each_time(self, look: Callable[[], Awaitable[None]]) -> None:
        """Collect games, and call `look` twice a second, until cancelled.

        It is not called while this process may not know of a downtime, which puts off what is due.
        """
        self._hub.listen(self._heard, (GAMES,))
        try:
            while True:
                if not self._time.is_stale:
                    await look()
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            self._hub.ignore(self._heard, (GAMES,))

    def take(self) -> list[str]:
        """Return the ids of the games, and forget them."""
        ids, self._ids = list(self._ids), set()
        return ids

    def has_missed_any(self) -> bool:
        """Return whether events may have been lost since this was last asked."""
        has_missed, self._has_missed = self._has_missed, False
        return has_missed

    def _heard(self, event: Event | Resync) -> None:
        match event:
            case GameChanged(game_id, is_over=True):
                self._ids.add(game_id)
            case Resync():
                self._has_missed = True
