"""What can be done with a game. Pages, API, sockets and programs all come through here."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.accounts.models import Account
from app.database.session import Database
from app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.games.models import Game as GameRow
from app.games.snapshot import snapshot
from app.games.state import GameState
from app.games.store import GameStore
from app.realtime.bus import Bus
from engine.game import (
    Game,
    IllegalMove,
    MoveSyntaxError,
    Outcome,
    Side,
    Termination,
    choose,
)
from engine.registry import GAMES

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters or digits that look alike
_ID_LENGTH = 10


def new_id() -> str:
    """Give a fresh random name for a URL: 10 letters, some 49 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


def topic(game_id: str) -> str:
    """Give the topic on which a game's changes are announced; the detail is its new version."""
    return f"game:{game_id}"


def rules_of(game: str) -> Game[Any]:
    """Give the rules of a game of the registry. Raises InvalidError for a key that is not in it."""
    if game not in GAMES:
        raise InvalidError(
            "unknown_game", f"There is no game called {game!r}; choose one of {', '.join(GAMES)}."
        )
    return GAMES[game]


def complete_options(game: str, options: Mapping[str, int]) -> dict[str, int]:
    """Give a game's options with the defaults filled in. Raises InvalidError for one that cannot be."""
    try:
        return choose(rules_of(game).options, options)
    except ValueError as error:
        raise InvalidError("bad_options", str(error)) from None


async def create(session: AsyncSession, game: str, options: Mapping[str, int], players: Sequence[int]) -> str:
    """Start a game between accounts, given in the order of its sides, and return its id."""
    rules = rules_of(game)
    first, second = (*players, None)[:2]
    row = GameRow(
        id=new_id(),
        game=game,
        options=dict(options),
        status="started",
        first_player=first,
        second_player=second,
        position=rules.format(rules.initial(options)),
    )
    session.add(row)
    await session.flush()
    return row.id


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One line of somebody's list of games."""

    id: str
    game: str
    options: Mapping[str, int]
    status: str
    ply: int
    opponent: str | None
    side: Side
    side_to_move: Side | None
    updated_at: datetime


class Games:
    """The games of the server."""

    def __init__(self, store: GameStore, database: Database, bus: Bus) -> None:
        self.store = store
        self._database = database
        self._bus = bus

    async def get(self, game_id: str) -> GameState:
        """Give a game as it is now. Raises NotFoundError."""
        state = await self.store.current(game_id) if _is_id(game_id) else None
        if state is None:
            raise NotFoundError("game")
        return state

    async def at_least(self, game_id: str, version: str) -> GameState:
        """Give a game at the announced version or a later one; any doubt is settled by PostgreSQL."""
        state = self.store.recent(game_id)
        if state is not None and version and state.version >= int(version):
            return state
        return await self.get(game_id)

    async def play_move(self, game_id: str, account_id: int, move: str, ply: int, move_id: UUID) -> GameState:
        """Play a move and whatever it forces; the game returned is committed.

        `ply` is the number of turns taken before the move; `move_id` is the client's name for this
        move, so that sending it again changes nothing and gives the game as it is. Raises
        NotFoundError, ForbiddenError (`not_a_player`, `not_your_turn`), ConflictError (`stale_ply`
        with the snapshot, `game_over`, `move_id_reused`), InvalidError (`move_syntax`, `illegal_move`).
        """
        state = self.store.recent(game_id)
        if state is None or state.ply != ply or state.result:
            state = await self._load(game_id)
        while True:
            if _was_played(state, account_id, move, ply, move_id):
                return state
            after = _decide(state, account_id, move, ply, move_id)
            if await self._advance(state, after):
                return after
            state = await self._load(game_id)

    async def resign(self, game_id: str, account_id: int) -> GameState:
        """End a game for the other side. Raises NotFoundError, ForbiddenError, ConflictError `game_over`."""
        while True:
            state = await self._load(game_id)
            side = _side(state, account_id)
            if state.result:
                raise _game_over(state)
            winner = next((other for other in state.rules.sides if other != side), None)
            after = state.ended(Outcome(winner, Termination.RESIGN))
            if await self._advance(state, after):
                return after

    async def of_account(self, account_id: int, *, limit: int = 20) -> list[GameSummary]:
        """List an account's games, those that go on first, then the latest."""
        first, second = aliased(Account), aliased(Account)
        query = (
            select(GameRow, first.username, second.username)
            .join(first, first.id == GameRow.first_player)
            .outerjoin(second, second.id == GameRow.second_player)
            .where(or_(GameRow.first_player == account_id, GameRow.second_player == account_id))
            .order_by(GameRow.status != "started", GameRow.updated_at.desc())
            .limit(limit)
        )
        async with self._database.transaction() as session:
            rows = (await session.execute(query)).tuples().all()
        return [_summary(row, account_id, (one, two)) for row, one, two in rows]

    async def _load(self, game_id: str) -> GameState:
        state = await self.store.load(game_id) if _is_id(game_id) else None
        if state is None:
            raise NotFoundError("game")
        return state

    async def _advance(self, before: GameState, after: GameState) -> bool:
        if not await self.store.advance(before, after):
            return False
        self._bus.announce(topic(after.id), str(after.version))
        return True


def _is_id(text: str) -> bool:
    # PostgreSQL's text cannot hold NUL, and nothing else odd names a game either.
    return text.isascii() and text.isalnum()


def _side(state: GameState, account_id: int) -> Side:
    side = state.side_of(account_id)
    if side is None:
        raise ForbiddenError("not_a_player", "You are watching this game; only its players may do that.")
    return side


def _was_played(state: GameState, account_id: int, move: str, ply: int, move_id: UUID) -> bool:
    for number, played in enumerate(state.moves):
        if played.move_id == move_id:
            _side(state, account_id)
            if (played.move, number) == (move, ply):
                return True
            if number == ply:
                raise _stale(state)
            raise ConflictError("move_id_reused", "That move_id belongs to another move; make a fresh one.")
    return False


def _decide(state: GameState, account_id: int, move: str, ply: int, move_id: UUID) -> GameState:
    side = _side(state, account_id)
    if state.result:
        raise _game_over(state)
    if ply != state.ply:
        raise _stale(state)
    if side != state.side_to_move:
        raise ForbiddenError("not_your_turn", "It is the other side's turn.")
    try:
        return state.after(move, move_id)
    except MoveSyntaxError as error:
        raise InvalidError("move_syntax", str(error)) from None
    except IllegalMove as error:
        raise InvalidError("illegal_move", str(error), extra={"reason": error.reason}) from None


def _stale(state: GameState) -> ConflictError:
    return ConflictError(
        "stale_ply",
        "The game has moved on since you looked. Here is how it stands now.",
        extra={"snapshot": snapshot(state)},
    )


def _game_over(state: GameState) -> ConflictError:
    return ConflictError(
        "game_over",
        "This game is over; no more moves can be made in it.",
        extra={"snapshot": snapshot(state)},
    )


def _summary(row: GameRow, account_id: int, usernames: tuple[str, str | None]) -> GameSummary:
    rules = GAMES[row.game]
    seat = 0 if row.first_player == account_id else 1
    position = rules.parse(row.position)
    return GameSummary(
        id=row.id,
        game=row.game,
        options=row.options,
        status=row.status,
        ply=row.ply,
        opponent=usernames[1 - seat],
        side=rules.sides[seat],
        side_to_move=rules.side_to_move(position) if row.status == "started" else None,
        updated_at=row.updated_at,
    )
