"""The commands on conditional moves, and playing the answers.

What is left of a player's lines follows from the lines as they were saved and the moves since then. So an
answer depends on the stored game alone: any process may play it, the journal's compare-and-set on the game's
version makes one of them play it, and what a crash leaves undone is found by `catch_up`.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy import ColumnElement, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, is_unavailable
from app.core.database.unreadable import UnreadableError, read_row
from app.core.errors import ConflictError, StaleError
from app.core.events import Event, Topic
from app.core.i18n.text import Text, _, ngettext
from app.core.moments import now
from app.core.realtime.bus import Bus
from app.core.rests import Rests
from app.core.web.shown import Move
from app.play.conditions import store
from app.play.conditions.lines import Lines, left_of, parted_at
from app.play.conditions.models import ConditionalMoves
from app.play.games import decisions
from app.play.games.events import GameChanged
from app.play.games.game import GameState
from app.play.games.models import Game
from app.play.games.service import Games
from engine.game import Side

log = structlog.get_logger()

_MOST = 200  # games at a time

_NO_LINES: ColumnElement[Lines] = literal_column("'[]'::jsonb")
_NOT_FOLLOWED = (
    select(ConditionalMoves.game_id)
    .join(Game, Game.id == ConditionalMoves.game_id)
    .where(ConditionalMoves.lines != _NO_LINES, Game.version > ConditionalMoves.followed)
)
HAS_UNFOLLOWED = _NOT_FOLLOWED.exists()
"""Whether games have changed since their conditional moves were followed."""


def conditions_topic(game_id: str) -> Topic:
    """Return the topic of the conditional moves in a game."""
    return Topic(f"conditions:{game_id}")


class ConditionsChanged(Event, frozen=True):
    """A player has changed their conditional moves in a game, or some of them were played or dropped."""

    game_id: str
    account_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the conditional moves in the game."""
        return (conditions_topic(self.game_id),)


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many lines were dropped because they did not fit any more, and after which move.

    `move` is null after a takeback.
    """

    lines: int
    move: Move | None


@dataclass(frozen=True, slots=True)
class ConditionsShown:
    """The conditional moves of the token's account in a game, from its present position on."""

    version: int  # grows with every change of them or of the game
    lines: Sequence[Sequence[Move]]
    dropped: Dropped | None  # since the player changed them last


def dropped_text(dropped: Dropped | None) -> Text | None:
    """Return what a player is told about lines that did not fit any more, or None if there are none."""
    if dropped is None:
        return None
    count = dropped.lines
    if dropped.move is None:
        return ngettext("A takeback dropped %(count)s line.", "A takeback dropped %(count)s lines.", count)
    return ngettext(
        "%(count)s line was dropped: it did not fit any more after %(move)s.",
        "%(count)s lines were dropped: they did not fit any more after %(move)s.",
        count,
        move=dropped.move,
    )


class Conditions:
    """The conditional moves of the server. Once begun, it answers after each step of a game that has some."""

    def __init__(self, database: Database, bus: Bus, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._games = games
        self._tasks: set[asyncio.Task[None]] = set()
        self._rests = Rests()

    async def begin(self) -> None:
        """Answer the moves of this process from now on."""
        self._games.when_conditional(self._follow_soon)

    async def own(self, game_id: str, account_id: int, *, at: int) -> ConditionsShown:
        """Return a player's conditional moves. Raise NotFoundError, ForbiddenError `not_a_player`."""
        state = await self._games.get(game_id)
        side = decisions.side_of(state, account_id, at)
        async with self._database.reading_now() as session:
            entry = await session.get(ConditionalMoves, (game_id, account_id))
        return _own(state, side, entry)

    async def note(self, state: GameState, account_id: int) -> Text | None:
        """Return what a player is told beside a game: that some of their lines did not fit any more."""
        side = state.side_of(account_id)
        if side is None or not state.takes_conditions:
            return None
        async with self._database.reading_now() as session:
            entry = await session.get(ConditionalMoves, (state.id, account_id))
        return dropped_text(_own(state, side, entry).dropped)

    async def save(
        self, game_id: str, account_id: int, version: int, lines: Sequence[Sequence[str]], *, at: int
    ) -> ConditionsShown:
        """Replace a player's lines, which begin with the opponent's next move.

        `version` is that of the lines which they replace. Raise NotFoundError, ForbiddenError
        `not_a_player`, ConflictError `game_over` or `stale_version`, and as `decisions.answers` does.
        """
        state = await self._games.get(game_id)
        side = decisions.side_of(state, account_id, at)
        decisions.check_running(state)
        async with self._database.transaction() as session:
            is_current = await store.note_in_game(session, game_id, state.version)
            entry = await session.get(ConditionalMoves, (game_id, account_id), with_for_update=True)
            if not is_current or version != _version(state, entry):
                raise StaleError(
                    _("The game or your conditional moves have changed since. Look at them again.")
                )
            kept = decisions.answers(state, side, lines)
            await session.execute(store.SAVE, store.row(state, account_id, kept))
        self._bus.publish(ConditionsChanged(game_id, account_id))
        return await self.own(game_id, account_id, at=at)

    async def delete(self, game_id: str, account_id: int, *, at: int) -> None:
        """Delete a player's lines, of which none is played any more. Raise as `own` does."""
        state = await self._games.get(game_id)
        decisions.side_of(state, account_id, at)
        async with self._database.transaction() as session:
            version = await store.stop_answers(session, state, account_id)
            # The revision stays, so that versions only grow.
            await session.execute(
                update(ConditionalMoves)
                .filter_by(game_id=game_id, account_id=account_id)
                .values(revision=ConditionalMoves.revision + 1, lines=[], dropped=0, dropped_by=None)
            )
        if version is not None:
            self._bus.publish(GameChanged(game_id, version, (), None, is_over=False, step=None))
        self._bus.publish(ConditionsChanged(game_id, account_id))

    async def catch_up(self) -> None:
        """Play the answers that a process owed when it ended."""
        async with self._database.reading_now() as session:
            game_ids = await not_followed(session, self._rests.resting(now()), _MOST)
        for game_id in game_ids:
            await self._follow(game_id)

    def _follow_soon(self, game_id: str) -> None:
        task = asyncio.create_task(self._follow(game_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow(self, game_id: str) -> None:
        """Play the answer of the side to move, whose step is followed in turn; else note what is left."""
        try:
            state = await self._games.get(game_id)
            async with self._database.transaction() as session:
                of_game = select(ConditionalMoves).filter_by(game_id=game_id)
                entries = (await session.scalars(of_game)).all()
                answer = _answer(state, entries)
                if answer is None:
                    for entry in entries:
                        await _note_what_is_left(session, state, entry)
            if answer is not None:
                await self._games.play_answer(state, answer)
                return
            for entry in entries:
                self._bus.publish(ConditionsChanged(game_id, entry.account_id))
        except (UnreadableError, ConflictError):
            self._rests.failed(game_id, now())
        except Exception as error:
            if not is_unavailable(error):
                log.exception("conditions_failed", game=game_id)


def _version(state: GameState, entry: ConditionalMoves | None) -> int:
    """Return a number that grows with every change of the game or of the lines, as both numbers do."""
    return state.version + (entry.revision if entry else 0)


def _own(state: GameState, side: Side, entry: ConditionalMoves | None) -> ConditionsShown:
    version = _version(state, entry)
    if entry is None:
        return ConditionsShown(version, (), None)
    left, dropped = _followed(state, entry)
    if state.side_to_move == side:  # the answer is about to be played
        left = tuple(line[1:] for line in left if len(line) > 1)
    return ConditionsShown(version, left, dropped if dropped.lines else None)


def _answer(state: GameState, entries: Sequence[ConditionalMoves]) -> str | None:
    """Return the answer that the side to move decided beforehand, or None."""
    player = state.player_to_move
    for entry in entries:
        if player is not None and player.id == entry.account_id:
            left, _dropped = _followed(state, entry)
            return left[0][0] if left else None
    return None


async def _note_what_is_left(session: AsyncSession, state: GameState, entry: ConditionalMoves) -> None:
    """Store what is left of a player's lines at the game's version, unless they have changed since."""
    left, dropped = _followed(state, entry)
    query = update(ConditionalMoves).where(
        ConditionalMoves.game_id == entry.game_id,
        ConditionalMoves.account_id == entry.account_id,
        ConditionalMoves.revision == entry.revision,
        ConditionalMoves.followed < state.version,
    )
    place = {"ply": state.ply, "position": state.position_text, "followed": state.version}
    await session.execute(query.values(lines=left, dropped=dropped.lines, dropped_by=dropped.move, **place))


def _followed(state: GameState, entry: ConditionalMoves) -> tuple[Lines, Dropped]:
    """Return what is left of a player's lines, and what was dropped of them. Raise UnreadableError."""
    return read_row(_left, entry, state)


def _left(entry: ConditionalMoves, state: GameState) -> tuple[Lines, Dropped]:
    lines: Lines = tuple(map(tuple, entry.lines))
    if not lines:
        return (), Dropped(entry.dropped, entry.dropped_by)
    if state.ply < entry.ply or state.rules.format(state.position_after(entry.ply)) != entry.position:
        return (), Dropped(entry.dropped + len(lines), None)
    played = tuple(ply.move for ply in state.moves[entry.ply :])
    parted = parted_at(lines, played)
    dropped_by = played[max(parted)] if parted else entry.dropped_by
    left = () if state.result else left_of(lines, played)
    return left, Dropped(entry.dropped + len(parted), dropped_by)


async def not_followed(session: AsyncSession, but: Collection[str], limit: int) -> Sequence[str]:
    """Return the ids of games, but some, that have changed since their conditional moves were followed."""
    query = _NOT_FOLLOWED.where(Game.id.not_in(but)).distinct()
    return (await session.scalars(query.limit(limit))).all()
