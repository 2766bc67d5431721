"""What can be done with a game. Pages, API, sockets and programs all come through here."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import NAMESPACE_URL, UUID, uuid5

from sqlalchemy import ColumnElement

from app.database.session import Database
from app.errors import ConflictError, NotFoundError
from app.events import GameChanged, JobAdded
from app.games import queries, refusals
from app.games.game import GameState
from app.games.models import Game as GameRow
from app.games.queries import GameSummary
from app.games.store import GameStore
from app.games.timekeeper import GRACE, Alarm
from app.identity.service import Identity
from app.moments import from_datetime, now
from app.realtime.bus import Bus
from app.realtime.presence import Presence
from engine.clock import FlagFallen
from engine.game import (
    Outcome,
    Side,
    Termination,
)

_DOWN_AFTER = 2.5  # seconds without a sign of life from any process
CLAIM_AFTER = 60  # seconds that an opponent has been away
EVERYWHERE = "everywhere"
"""The place of a program that listens for all of its games at once."""


# What a player wants of a game as it is: the game after it, or the error that says why not.
_Decide = Callable[[GameState, Side], Awaitable[GameState]]


class Games:
    """The games of the server."""

    def __init__(
        self, store: GameStore, database: Database, bus: Bus, presence: Presence, alarm: Alarm
    ) -> None:
        self.store = store
        self._database = database
        self._bus = bus
        self._presence = presence
        self._alarm = alarm

    async def get(self, game_id: str) -> GameState:
        """Give a game as it is now. Raises NotFoundError."""
        state = await self.store.current(game_id) if _is_id(game_id) else None
        if state is None:
            raise NotFoundError("game")
        return state

    async def seen_by(self, viewer: Identity | None, game_id: str) -> GameState:
        """Give a game that somebody may see now. Raises NotFoundError, also for the board of a race."""
        state = await self.get(game_id)
        if state.is_hidden_from(viewer.id if viewer else None, now()):
            raise NotFoundError("game")
        return state

    async def at_least(self, game_id: str, version: int) -> GameState:
        """Give a game at the announced version or a later one; any doubt is settled by PostgreSQL."""
        state = self.store.recent(game_id)
        if state is not None and state.version >= version:
            return state
        return await self.get(game_id)

    async def play_move(
        self, game_id: str, account_id: int, move: str, ply: int, move_id: UUID, *, at: int
    ) -> GameState:
        """Play a move and whatever it forces; the game returned is committed.

        `ply` is the number of turns taken before the move; `move_id` is the client's name for this
        move, so that sending it again changes nothing and gives the game as it is. `at` is the moment at
        which the move reached the server. Raises NotFoundError, ForbiddenError (`not_a_player`,
        `not_your_turn`), ConflictError (`stale_ply` with the snapshot, `game_over`, `move_id_reused`),
        InvalidError (`move_syntax`, `illegal_move`).
        """
        state = self.store.recent(game_id)
        if state is None or state.ply != ply or state.result:
            state = await self._load(game_id)
        while True:
            if refusals.was_played(state, account_id, move, ply, move_id):
                return state
            try:
                after = refusals.after_move(state, account_id, move, ply, move_id, at)
            except FlagFallen:
                state = await self._settle(state, at)
                continue
            if (written := await self._advance(state, after)) is not None:
                return written
            state = await self._load(game_id)

    async def play_for_computer(self, seen: GameState, move: str, *, at: int) -> GameState | None:
        """Play the move that a computer chose for the game as it was seen, and give the game after it.

        Gives None, and plays nothing, when the position is no longer that one, so that of several who chose a
        move for it one plays. Raises IllegalMove, FlagFallen.
        """
        state = seen
        while state.awaits_computer and state.position_text == seen.position_text and state.ply == seen.ply:
            move_id = uuid5(NAMESPACE_URL, f"gorrion:computer:{state.id}:{state.version}")
            if (written := await self._advance(state, state.after(move, move_id, at))) is not None:
                return written
            state = await self._load(seen.id)
        return None

    async def resign(self, game_id: str, account_id: int, *, at: int) -> GameState:
        """End a game for the other side. Raises NotFoundError, ForbiddenError, ConflictError `game_over`."""

        async def decide(state: GameState, side: Side) -> GameState:
            refusals.check_under_way(state)
            return state.ended(Outcome(state.other_side(side), Termination.RESIGN), at)

        return await self._change(game_id, account_id, decide, at)

    async def abort(self, game_id: str, account_id: int, *, at: int) -> GameState:
        """Call off a game that has hardly begun; nobody wins. Raises ConflictError `too_late_to_abort`."""

        async def decide(state: GameState, _side: Side) -> GameState:
            refusals.check_under_way(state)
            if not state.may_be_aborted:
                raise ConflictError(
                    "too_late_to_abort", "Both sides have moved; the game can be resigned, not called off."
                )
            return state.ended(Outcome(None, Termination.ABORT), at)

        return await self._change(game_id, account_id, decide, at)

    async def claim(self, game_id: str, account_id: int, *, at: int) -> GameState:
        """Win a real-time game whose other player has left. Raises ConflictError `too_early`, `not_left`."""

        async def decide(state: GameState, side: Side) -> GameState:
            refusals.check_under_way(state)
            rest = await self._rest_until_claim(state, side, at)
            if rest is None:
                raise ConflictError(
                    "not_left", "Your opponent is here, or there is no real-time clock to win by."
                )
            if rest > 0:
                raise ConflictError(
                    "too_early",
                    f"Your opponent may still come back. Try again in {rest} s.",
                    extra={"seconds": rest},
                )
            return state.ended(Outcome(side, Termination.LEFT), at)

        return await self._change(game_id, account_id, decide, at)

    async def claimable_in(self, state: GameState, side: Side) -> int | None:
        """Give the seconds until a side may claim the win, 0 when it may, None while its opponent is here."""
        return await self._rest_until_claim(state, side, now())

    async def ask_takeback(self, game_id: str, account_id: int, *, at: int) -> GameState:
        """Ask to take one's last move back, or grant what the opponent asks; alone, take it back.

        A computer grants it at once.

        Raises ConflictError `rated_game`, `nothing_to_take_back`, `already_asked`, `just_taken_back`, and
        of a game for one `race_stands`, `submitted`.
        """

        async def decide(state: GameState, side: Side) -> GameState:
            if state.is_solitaire:
                refusals.check_undo(state)
                return state.undone(at)
            refusals.check_under_way(state)
            if state.rated:
                raise ConflictError("rated_game", "In a rated game a move stands once it is made.")
            if state.takeback is None or state.takeback == side:
                refusals.check_takeback(state, side)
                if not state.is_against_computer:
                    return state.asking(side)
            ply = state.before_last_move_of(state.takeback or side)
            assert ply is not None
            return state.taken_back(ply, at)

        return await self._change(game_id, account_id, decide, at)

    async def drop_takeback(self, game_id: str, account_id: int, *, at: int) -> GameState:
        """Refuse the takeback that is asked for, or ask no longer. Raises ConflictError `nothing_asked`."""

        async def decide(state: GameState, _side: Side) -> GameState:
            refusals.check_under_way(state)
            if state.takeback is None:
                raise ConflictError("nothing_asked", "Nobody asks to take a move back just now.")
            return state.asking(None)

        return await self._change(game_id, account_id, decide, at)

    async def submit(self, game_id: str, account_id: int, *, at: int) -> GameState:
        """Submit a game for one that is played out as an attempt at a record: from now on it stands.

        Raises ForbiddenError `needs_account`, ConflictError `not_solitaire`, `submitted`, `not_played_out`,
        `race_under_way`.
        """

        async def decide(state: GameState, side: Side) -> GameState:
            refusals.check_submission(state, side, at)
            return state.standing()

        return await self._change(game_id, account_id, decide, at)

    async def flag(self, game_id: str, moment: int) -> None:
        """End a game if the time of the side to move was over at a moment."""
        state = await self.store.load(game_id)
        if state is not None and not state.result and state.is_due(moment):
            await self._advance(state, state.flagged(moment))

    async def overdue(self, moment: int, *, limit: int) -> list[str]:
        """List games whose time is over by a moment, the longest overdue first."""
        return await self.store.due(moment, limit=limit)

    async def next_deadline(self, moment: int) -> int | None:
        """Give the first deadline after a moment, or None."""
        return await self.store.next_deadline(moment)

    async def beat(self) -> None:
        """Say that the server is alive, and give the clocks the time for which it was not."""
        for game_id, version in await self.store.credit_downtime(longer_than=_DOWN_AFTER):
            self._bus.publish(GameChanged(game_id, version, (), None, is_over=False, step=None))

    async def under_way(
        self, account_id: int, *conditions: ColumnElement[bool], limit: int
    ) -> list[GameSummary]:
        """List an account's games that go on, the latest first."""
        is_mine = (queries.played_by(account_id), GameRow.status == "started")
        return await self.summaries(account_id, *is_mine, *conditions, limit=limit)

    async def summaries(
        self, account_id: int, *conditions: ColumnElement[bool], limit: int, offset: int = 0
    ) -> list[GameSummary]:
        """List games as one of their players sees them, those that go on first, then the latest."""
        async with self._database.transaction() as session:
            return await queries.summaries(session, account_id, *conditions, limit=limit, offset=offset)

    async def to_watch(self, limit: int) -> list[str]:
        """List games for two in progress: those with a move of late first, then by the players' strength."""
        async with self._database.transaction() as session:
            return await queries.to_watch(session, limit)

    async def _change(
        self,
        game_id: str,
        account_id: int,
        decide: Callable[[GameState, Side], Awaitable[GameState]],
        at: int,
    ) -> GameState:
        """Carry out what a player decided at a moment; whose time was over by then decides nothing more."""
        state = await self._load(game_id)
        while True:
            side = refusals.side_of(state, account_id)
            if state.is_due(at):
                state = await self._settle(state, at)
                continue
            if (written := await self._advance(state, await decide(state, side))) is not None:
                return written
            state = await self._load(game_id)

    async def _settle(self, state: GameState, at: int) -> GameState:
        """Let the flag of a game fall that seems overdue at a moment, and give the game as it is then."""
        await self.beat()
        # A move that came in time may still be on its way.
        await asyncio.sleep(min(GRACE, max(0, (state.deadline or 0) + GRACE - now())) / 1000)
        await self.flag(state.id, at)
        return await self._load(state.id)

    async def _rest_until_claim(self, state: GameState, side: Side, at: int) -> int | None:
        other = state.other_side(side)
        if state.result or not state.is_realtime or state.clock is None or other is None:
            return None
        if state.player_at(other).level is not None:
            return None
        away, left_at = await self._presence.absent_since(state.player_at(other).id, state.id, EVERYWHERE)
        if not away:
            return None
        # A move proves that its maker was there; who never opened the game is given the time since the last.
        since = from_datetime(left_at) if left_at else state.clock.since
        if state.side_to_move == side:
            since = max(since, state.clock.since)
        return max(0, -((at - since) // 1000 - CLAIM_AFTER))

    async def _load(self, game_id: str) -> GameState:
        state = await self.store.load(game_id) if _is_id(game_id) else None
        if state is None:
            raise NotFoundError("game")
        return state

    async def _advance(self, before: GameState, after: GameState) -> GameState | None:
        written = await self.store.advance(before, after)
        if written is None:
            return None
        if written.deadline is not None:
            self._alarm.set_for(written.deadline + GRACE)
        side = written.side_to_move
        self._bus.publish(
            GameChanged(
                written.id,
                written.version,
                tuple(player.id for player in written.players),
                written.player_at(side).id if side else None,
                is_over=written.result is not None,
                step=None,
            )
        )
        if written.awaits_computer:
            self._bus.publish(JobAdded())
        return written


def _is_id(text: str) -> bool:
    # PostgreSQL's text cannot hold NUL, and nothing else odd names a game either.
    return text.isascii() and text.isalnum()
