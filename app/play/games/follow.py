"""Following a game: each connection is sent every step, and catches up if it missed some."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence

import structlog

from app.core.database.session import is_unavailable
from app.core.database.unreadable import UnreadableError
from app.core.errors import AppError, NotFoundError
from app.core.events import Event, Resync, game_topic
from app.live.connections import INTERNAL_ERROR, Connection, close_code
from app.live.messages import Message
from app.play.games.events import GameChanged, Step
from app.play.games.game import GameState
from app.play.games.schemas import messages
from app.play.games.service import Games

log = structlog.get_logger()

_LOOK_AGAIN_AFTER = 1.0  # seconds, while the database is away

Show = Callable[[GameState, Step | None, GameState], None]
"""Shows a reader the game after a step. The step is None if the reader missed some."""


class Follower:
    """A reader of a game, with the version that it was shown last."""

    def __init__(self, feed: "GameFeed", connection: Connection, state: GameState, show: Show) -> None:
        self.state = state
        self.connection = connection
        self._feed = feed
        self._show = show
        connection.listen(self.receive, game_topic(state.id))
        connection.on_heartbeat(self.look)
        self.look()  # for what changed between reading the state and listening

    def receive(self, event: Event | Resync) -> None:
        """Show an event of the game."""
        if not isinstance(event, GameChanged):
            self.look()
        elif event.version > self.state.version:
            after = self._feed.games.store.follow(event)
            if after is None:
                self.look()
            else:
                missed = event.version != self.state.version + 1 or after.version != event.version
                self.show(after, None if missed else event.step)

    def look(self) -> None:
        """Check soon whether the reader has missed something."""
        self._feed.bring_up_to_date(self)

    def show(self, after: GameState, step: Step | None) -> None:
        """Show a later version of the game."""
        before, self.state = self.state, after
        self._show(before, step, after)


class GameFeed:
    """Brings the readers of games up to date, with one query for all who look at the same time."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._looking: set[Follower] = set()
        self._shown: GameState | None = None
        self._messages: tuple[Message, ...] = ()
        self._task: asyncio.Task[None] | None = None

    def follow(self, connection: Connection, state: GameState, show: Show) -> Follower:
        """Show each later version of a game over a connection until it ends."""
        return Follower(self, connection, state, show)

    def messages(self, before: GameState, step: Step, after: GameState) -> tuple[Message, ...]:
        """Return a step's JSON messages, encoded once for all readers."""
        if self._shown is not after:
            self._shown, self._messages = after, messages(before, step, after)
        return self._messages

    def bring_up_to_date(self, follower: Follower) -> None:
        """Compare what a reader has seen with the stored game, soon."""
        self._looking.add(follower)
        if self._task is None:
            self._task = asyncio.create_task(self._look())

    async def _look(self) -> None:
        try:
            while self._looking:
                followers, self._looking = self._looking, set()
                await self._catch_up(followers)
        finally:
            self._task = None

    async def _catch_up(self, followers: set[Follower]) -> None:
        readers: defaultdict[str, set[Follower]] = defaultdict(set)
        for follower in followers:
            readers[follower.state.id].add(follower)
        try:
            versions = await self.games.store.versions(readers)
            for game_id in sorted(readers):
                behind = [each for each in readers[game_id] if versions.get(game_id, 0) > each.state.version]
                if behind:
                    await self._show_latest(game_id, behind)
                del readers[game_id]
        except Exception as error:
            left = set[Follower]().union(*readers.values())
            if is_unavailable(error):
                self._looking |= left
                await asyncio.sleep(_LOOK_AGAIN_AFTER)
                return
            log.exception("feed_failed")
            for follower in left:
                follower.connection.end(INTERNAL_ERROR)

    async def _show_latest(self, game_id: str, behind: Sequence[Follower]) -> None:
        """Show a game to readers that are behind; one that cannot be shown ends its own readers only."""
        try:
            state = await self.games.get(game_id)
            for reader in behind:
                if state.version > reader.state.version:
                    reader.show(state, None)
        except NotFoundError:
            pass  # it was deleted meanwhile
        except Exception as error:
            if is_unavailable(error):
                raise
            if not isinstance(error, UnreadableError):
                log.exception("feed_failed", game=game_id)
            for reader in behind:
                reader.connection.end(close_code(error) if isinstance(error, AppError) else INTERNAL_ERROR)


def send_json(feed: GameFeed, connection: Connection) -> Show:
    """Return a function that sends a game's steps as JSON messages."""

    def show(before: GameState, step: Step | None, after: GameState) -> None:
        # Those who missed something may have missed different parts.
        sent = messages(before, step, after) if step is None else feed.messages(before, step, after)
        for message in sent:
            connection.send(message)

    return show
