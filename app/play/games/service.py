"""The commands on games, for pages, API, sockets and computer players alike.

Each change is the same four steps: load the game, decide what the command leads to (`decisions`), commit it
(`journal`), and publish it (`app.core.events`).
"""

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol
from uuid import NAMESPACE_URL, UUID, uuid5

from msgspec.structs import replace
from sqlalchemy import ColumnElement

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError
from app.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.core.jobs.events import JobAdded
from app.core.moments import from_datetime, now
from app.core.realtime.bus import Bus
from app.core.realtime.presence import Presence
from app.people.identity.service import Identity
from app.play.games import decisions, queries
from app.play.games.decisions import Command, Decision
from app.play.games.events import GameChanged, Step
from app.play.games.game import GameState
from app.play.games.journal import Journal
from app.play.games.queries import GameSummary
from app.play.games.seen import TAKES_ANY, Seen
from app.play.games.store import GameStore
from app.play.games.timekeeper import LATE_MOVE_MARGIN, Timekeeper
from engine.clock import FlagFallen
from engine.game import Side

EVERYWHERE = "everywhere"
"""The place of a program that follows all of its games at once."""

_CheckAnswer = Callable[[GameState, int, str | None], Awaitable[None]]


class Games:
    """The games of the server."""

    def __init__(self, database: Database, bus: Bus, presence: Presence) -> None:
        self.store = GameStore(database)
        self.journal = Journal(database.pool, self._committed)
        self.timekeeper = Timekeeper(database, self.store, self.journal, bus)
        self._database = database
        self._bus = bus
        self._presence = presence
        self._on_conditional: Callable[[str], None] | None = None
        self._check_answer: _CheckAnswer | None = None

    def when_conditional(self, function: Callable[[str], None]) -> None:
        """Call a function with the id of each game with conditional moves after its steps."""
        self._on_conditional = function

    def before_answers(self, check: _CheckAnswer) -> None:
        """Ask a function before each move that the computer is to answer, which it refuses by raising.

        It gets the game after the move, the player, and the token of the player's browser if there is one.
        """
        self._check_answer = check

    async def get(self, game_id: str) -> GameState:
        """Return a game as it is now. Raise NotFoundError, UnreadableError."""
        return await self.store.current(game_id)

    async def seen_by(self, viewer: Identity | None, game_id: str) -> GameState:
        """Return a game to a viewer, who is at its board if it is theirs. Raise as `visible_to` does."""
        state = await self.visible_to(viewer, game_id)
        if viewer is not None:
            self._note_presence(state, viewer.id)
        return state

    async def visible_to(self, viewer: Identity | None, game_id: str) -> GameState:
        """Return a game as a viewer may see it. Raise NotFoundError, also for another player's race board."""
        state = await self.get(game_id)
        if state.is_hidden_from(viewer.id if viewer else None, now()):
            raise NotFoundError("game")
        return state

    async def after(self, event: GameChanged) -> GameState:
        """Return a game as an event left it, or later. Raise NotFoundError."""
        return self.store.follow(event) or await self.get(event.game_id)

    async def play_move(
        self,
        game_id: str,
        account_id: int,
        move: str,
        ply: int,
        move_id: UUID,
        *,
        at: int,
        device: str | None = None,
        lines: Sequence[Sequence[str]] = (),
    ) -> GameState:
        """Play a move and the plies that it forces, and return the committed game.

        With it the player's conditional moves after that are committed, if there are `lines`.
        `ply` is the number of plies before the move; `move_id` is the client's identifier of this move, so
        that sending it again changes nothing and returns the game as it is. `at` is the moment at which the
        move reached the server, `device` the token of the player's browser. Raise NotFoundError,
        ForbiddenError (`not_a_player`, `not_your_turn`), ConflictError (`stale_ply`, `game_over`,
        `move_id_reused`, `position_in_rated_game`) or InvalidError (`move_syntax`, `illegal_move`), and what
        `decisions.answers` raises.
        """
        remembered = self.store.recent(game_id)
        if remembered is not None and remembered.ply == ply and not remembered.result:
            try:
                return await self._play(remembered, account_id, move, ply, move_id, at, device, lines)
            except (ForbiddenError, ConflictError, InvalidError):
                pass  # it may be out of date, so it is decided again for the game as it is
        state = await self.store.load(game_id)
        return await self._play(state, account_id, move, ply, move_id, at, device, lines)

    async def _play(
        self,
        state: GameState,
        account_id: int,
        move: str,
        ply: int,
        move_id: UUID,
        at: int,
        device: str | None,
        lines: Sequence[Sequence[str]],
    ) -> GameState:
        if self.timekeeper.may_owe(state):
            state = await self.timekeeper.credited(state)
        self._note_presence(state, account_id)
        while True:
            if decisions.was_played(state, account_id, move, ply, move_id, at):
                self._announce(state, None)  # whoever committed it may have been lost before saying so
                return state
            try:
                decision = decisions.play(state, account_id, move, ply, move_id, at, lines)
            except FlagFallen:
                state = await self.timekeeper.settle(state, at)
                continue
            if decision.after.awaits_computer:
                await self._check_answerable(decision, account_id, device)
            if (committed := await self.journal.commit(decision)) is not None:
                return committed
            state = await self.store.load(state.id)

    async def play_for_computer(self, seen: GameState, move: str | None, *, at: int) -> GameState | None:
        """Play the move that a computer chose for the game as it saw it, and return the committed game.

        Without a move, it resigns. Return None, and play nothing, if the position is no longer that one: of
        several workers that chose a move, one plays. Raise IllegalMove or FlagFallen.
        """
        state = await self.timekeeper.credited(seen)
        while state.awaits_computer and state.position_text == seen.position_text and state.ply == seen.ply:
            move_id = uuid5(NAMESPACE_URL, f"gorrion:computer:{state.id}:{state.version}")
            if move is not None:
                decision = decisions.play_for_side(state, move, move_id, at)
            elif (side := state.side_to_move) is not None:
                decision = decisions.resign(state, side, at)
            if (committed := await self.journal.commit(decision)) is not None:
                return committed
            state = await self.store.load(seen.id)
        return None

    async def play_answer(self, seen: GameState, move: str) -> None:
        """Play the move that the side to move decided beforehand. It takes no time.

        Nothing is played if the game has moved on: of several processes that do this, one plays. Raise
        ConflictError `position_in_rated_game`.
        """
        state = await self.timekeeper.credited(seen)
        player = state.player_to_move
        if state.version == seen.version and player is not None:
            move_id = uuid5(NAMESPACE_URL, f"gorrion:condition:{state.id}:{state.version}")
            at = state.clock.since if state.clock else state.moves[-1].at
            decision = replace(decisions.play_for_side(state, move, move_id, at), is_answer=True)
            if decision.after.awaits_computer:
                await self._check_answerable(decision, player.id, None)
            await self.journal.commit(decision)

    async def _check_answerable(self, decision: Decision, account_id: int, device: str | None) -> None:
        if self._check_answer is not None:
            await self._check_answer(decision.after, account_id, device)

    async def command(
        self, command: Command, game_id: str, account_id: int, *, at: int, seen: Seen = TAKES_ANY
    ) -> GameState:
        """Return the game after a player's command, which is committed. See `decisions.COMMANDS`, `claim`.

        If their time had run out at `at`, the flag falls first. Raise StaleError if the command does not mean
        any more what the player has `seen`.
        """
        state = await self._load(game_id)
        while True:
            side = decisions.side_of(state, account_id, at)
            if state.is_due(at):
                state = await self.timekeeper.settle(state, at)
                continue
            seen.check(state, side, command)
            if command is Command.CLAIM:
                decision = decisions.claim(state, side, at, await self._absent_since(state, side))
            else:
                decision = decisions.COMMANDS[command](state, side, at)
            if (committed := await self.journal.commit(decision)) is not None:
                return committed
            state = await self.store.load(game_id)

    async def set_vacation(self, game_id: str, account_id: int) -> None:
        """Set the stored vacation of a player in a correspondence game; in one that is over nothing changes.

        Each attempt reads the game before the vacation. So of two processes that do this while the vacation
        changes, the one with the older vacation writes first, or not at all.
        """
        state = await self._load(game_id)
        while state.result is None and (side := state.side_of(account_id)) is not None:
            if await self.journal.commit(decisions.set_vacation(state, side)) is not None:
                return
            state = await self._load(game_id)

    async def claimable_at(self, state: GameState, side: Side) -> int | None:
        """Return the moment from which on a side may claim the win, None while its opponent is present."""
        return decisions.claimable_at(state, side, await self._absent_since(state, side))

    async def under_way(
        self, account_id: int, *conditions: ColumnElement[bool], limit: int
    ) -> list[GameSummary]:
        """Return an account's running games, the latest first."""
        async with self._database.reading_now() as session:
            return await queries.summaries_under_way(session, account_id, *conditions, limit=limit)

    async def rated_under_way(self, account_ids: Iterable[int], game: str) -> list[GameState]:
        """Return the rated games that some accounts are playing at a game."""
        async with self._database.reading_now() as session:
            game_ids = await queries.rated_under_way(session, account_ids, game)
        return await self.readable(game_ids)

    async def to_watch(
        self, *conditions: ColumnElement[bool], limit: int, offset: int = 0
    ) -> tuple[list[GameState], bool]:
        """Return running games for two: lively ones first, then by the players' strength.

        Return at most `limit` of them, and whether there are more.
        """
        async with self._database.reading_now() as session:
            game_ids = await queries.to_watch(session, *conditions, limit=limit + 1, offset=offset)
        return await self.readable(game_ids[:limit]), len(game_ids) > limit

    async def readable(self, game_ids: Iterable[str]) -> list[GameState]:
        """Return games as they are now, without those that are not there or cannot be read."""
        states = []
        for game_id in game_ids:
            with contextlib.suppress(NotFoundError, UnreadableError):
                states.append(await self.get(game_id))
        return states

    async def _absent_since(self, state: GameState, side: Side) -> int | None:
        """Return since when a side's opponent is absent from a real-time game, or None if it is present."""
        other = state.other_side(side)
        if state.result or not state.is_realtime or state.clock is None or other is None:
            return None
        opponent = state.player_at(other)
        if opponent.level is not None:
            return None
        away, left_at = await self._presence.absent_since(opponent.id, state.id, EVERYWHERE)
        watching_since = self._presence.watching_since
        if not away or watching_since is None:
            return None
        # A player who never opened the game has the time since the last move, or since its beginning. What
        # happened while this process could not see anyone come is no absence.
        since = from_datetime(left_at) if left_at else state.clock.since
        return max(watching_since, since, from_datetime(state.created_at))

    def _note_presence(self, state: GameState, account_id: int) -> None:
        """Count a player's page load or move as a sign of life, for those without a live connection."""
        if state.is_realtime and state.side_of(account_id) is not None:
            self._presence.seen(account_id, state.id)

    async def _load(self, game_id: str) -> GameState:
        return await self.timekeeper.credited(await self.store.load(game_id))

    def _committed(self, decision: Decision) -> None:
        after = decision.after
        self.store.advance(decision.before, after)
        if after.deadline is not None:
            self.timekeeper.alarm.set_for(after.deadline + LATE_MOVE_MARGIN)
        self._announce(after, decision.step, _rating_changes(decision))
        if after.awaits_computer:
            self._bus.publish(JobAdded())
        if after.conditional and self._on_conditional is not None:
            self._on_conditional(after.id)

    def _announce(
        self, state: GameState, step: Step | None, rating_changes: tuple[float, ...] | None = None
    ) -> None:
        to_move = state.player_to_move
        self._bus.publish(
            GameChanged(
                state.id,
                state.version,
                tuple(player.id for player in state.players),
                to_move.id if to_move else None,
                is_over=state.result is not None,
                step=step,
                rating_changes=rating_changes,
            )
        )


def _rating_changes(decision: Decision) -> tuple[float, ...] | None:
    if decision.after.result is None or decision.before.result is not None:
        return None  # ratings change as a game ends
    return tuple(player.change for player in decision.after.players if player.change is not None) or None


class SharedGameBoards(Protocol):
    """Finds the boards on which both players of a finished game look at it together."""

    async def shared_board_of(self, state: GameState) -> str | None:
        """Return the id of the shared board of a game, or None."""
