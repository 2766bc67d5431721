"""Boards of the day of the games for one: playing them, handing in, and their rankings."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from app.core.database.rank_order import RankOrder
from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read
from app.core.errors import ConflictError, NotFoundError
from app.core.i18n.text import _
from app.core.jobs.queue import Priority, Queue, Task
from app.core.moments import from_datetime, utc_now
from app.core.web.shown import GameId, Hidden, Username
from app.people.identity.locking import lock_account
from app.play.days.days import Days, Lot, already_tried, check_is_today, today
from app.play.games import creation
from app.play.games.game import GameState
from app.play.games.service import Games
from app.play.solitaire.scores import measure, merit
from app.play.solo_days.models import SoloDay, SoloDayTry
from engine.clock import DayDeadline
from engine.game import SolitaireGame
from engine.registry import SOLITAIRE
from engine.solo_lottery import DrawnBoard, draw

SOLVE_DAY = Task("solve_solo_day")
"""The kind of job that finds the computer's game on the board of a day."""


@dataclass(frozen=True, slots=True)
class SoloDayInfo:
    """A day of a game: its lot, and the board that was drawn."""

    rules: SolitaireGame[Any]
    lot: Lot
    board: DrawnBoard

    @property
    def start(self) -> Any:
        """Return the position that everybody begins with."""
        return self.rules.play(self.rules.initial(self.board.options), self.board.first)

    @property
    def best(self) -> Any | None:
        """Return the position after the computer's game, None until it may be told, or if unreadable."""
        if not self.lot.best:
            return None
        with suppress(UnreadableError):
            return read("solo_days", f"{self.lot.day},{self.rules.key}", self._after, self.lot.best)
        return None

    def _after(self, moves: Sequence[str]) -> Any:
        position = self.rules.initial(self.board.options)
        for move in moves:
            position = self.rules.play(position, move)
        return position


@dataclass(frozen=True, slots=True)
class SoloTry:
    """An account's try at the board of a day, which is a game of its own.

    What was handed in, with its rank now, is null before that.
    """

    game_id: GameId
    version: Hidden[int]
    is_played_out: Hidden[bool]
    points: int | None
    tie_break: int | None
    rank: int | None


@dataclass(frozen=True, slots=True)
class SoloDayRow:
    """A row of the ranking of a day. Of equal points and tie-breaks, the one found first ranks higher."""

    rank: int
    account_id: Hidden[int]
    username: Username | None
    points: int
    tie_break: int
    found_at: datetime
    country: Hidden[str | None]


class SoloDays:
    """The boards of the day of the games for one."""

    def __init__(self, database: Database, games: Games) -> None:
        self._database = database
        self._games = games
        self.of = {game: of_game(database, game) for game in SOLITAIRE}

    async def day(self, game: str, day: date) -> SoloDayInfo:
        """Return a day that has begun. Raise NotFoundError."""
        stored = await self.of[game].get(day)
        rules = SOLITAIRE[game]
        return SoloDayInfo(rules, Lot.of(stored), draw(rules, stored.seed))

    async def try_of(self, game: str, day: date, account_id: int) -> SoloTry | None:
        """Return an account's try at the board of a day, or None."""
        async with self._database.reading_now() as session:
            stored = await session.get(SoloDayTry, _key(game, day, account_id))
            if stored is None:
                return None
            rank = await self.of[game].rank_of(session, stored)
        state = await self._games.get(stored.game_id)
        return _try_of(stored, state, rank)

    async def play(self, game: str, account_id: int) -> str:
        """Return the id of an account's game on the board of today, which begins now unless it has begun."""
        info = await self.day(game, today())
        async with self._database.transaction() as session:
            await lock_account(session, account_id)
            key = _key(game, info.lot.day, account_id)
            stored = await session.get(SoloDayTry, key)
            if stored is not None:
                return stored.game_id
            game_id = await creation.create(
                session,
                game,
                info.board.options,
                [account_id],
                control=DayDeadline(from_datetime(info.lot.ends_at)),
                opening=[info.board.first],
            )
            session.add(SoloDayTry(**key, game_id=game_id))
            return game_id

    async def hand_in(self, game: str, account_id: int, day: date, version: int | None) -> SoloTry:
        """Make an account's game on the board of a day count.

        `version` is the one that its player saw, None for whatever it is. Raise NotFoundError, ConflictError
        `day_over`, `already_tried`, `stale_try`, `not_played_out`.
        """
        check_is_today(day)
        key = _key(game, day, account_id)
        async with self._database.reading_now() as session:
            begun = await session.get(SoloDayTry, key)
        if begun is None:
            raise NotFoundError("try")
        state = await self._games.get(begun.game_id)
        async with self._database.transaction() as session:
            stored = await session.get(SoloDayTry, key, with_for_update=True)
            check_is_today(day)  # waiting for the lock may have taken until the day was over
            if stored is None or stored.found_at is not None:
                raise already_tried()
            if version not in (None, state.version):
                raise ConflictError(
                    "stale_try", _("This board has changed elsewhere. Look at it again, then hand it in.")
                )
            if not state.is_played_out:
                raise ConflictError("not_played_out", _("Play until no number can follow, then hand it in."))
            reached = merit(SOLITAIRE[game], state.position)
            stored.points, stored.tie_break = reached.points, reached.tie_break
            stored.solution, stored.found_at = state.position_text, utc_now()
            await session.flush()
            rank = await self.of[game].rank_of(session, stored)
            return _try_of(stored, state, rank)


def of_game(database: Database, game: str) -> Days[SoloDay, SoloDayRow]:
    """Return the days of a game."""
    return Days(database, SoloDay, SoloDayTry, _ORDER, _ranked, {"game": game})


async def make_days(solo_days: SoloDays) -> None:
    """Draw the seeds of today and tomorrow, unless that has been done."""
    for days in solo_days.of.values():
        await days.make()


async def solve_days(solo_days: SoloDays, queue: Queue) -> None:
    """Ask workers to play the boards of days that have begun."""
    for game, days in solo_days.of.items():
        unsolved = [day.day.isoformat() for day in await days.unsolved()]
        jobs = {f"{SOLVE_DAY}:{game}:{day}": {"game": game, "day": day} for day in unsolved}
        await queue.add(SOLVE_DAY, jobs, priority=Priority.SOON)


_ORDER = RankOrder(
    SoloDayTry.points.desc(),
    SoloDayTry.tie_break,
    SoloDayTry.found_at,
    SoloDayTry.account_id,
    ties=3,
    measure=measure,
)


def _ranked(rank: int, row: Any) -> SoloDayRow:
    return SoloDayRow(
        rank, row.account_id, row.username, row.points, row.tie_break, row.found_at, row.country
    )


def _try_of(stored: SoloDayTry, state: GameState, rank: int | None) -> SoloTry:
    return SoloTry(state.id, state.version, state.is_played_out, stored.points, stored.tie_break, rank)


def _key(game: str, day: date, account_id: int) -> Mapping[str, Any]:
    return {"day": day, "game": game, "account_id": account_id}
