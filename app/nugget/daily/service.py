"""Nugget of the day: one board for everybody from 00:00 UTC, and one try at it that counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Float, cast
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.marks import part_of_time
from app.core.database.rank_order import RankOrder
from app.core.database.session import Database
from app.core.database.unreadable import read_row
from app.core.errors import ConflictError, InvalidError, found
from app.core.i18n.text import _, reason_of
from app.core.jobs.queue import Priority, Queue, Task
from app.core.moments import utc_now
from app.core.web.shown import Hidden, Username
from app.nugget.commands import RefusedCommand, check_number, named
from app.nugget.daily.models import DayTry, NuggetDay
from app.play.days.days import Days, Lot, already_tried, check_is_today, today
from engine.golden_nugget.board import Board, IllegalPush
from engine.golden_nugget.lottery import draw
from engine.golden_nugget.play import Play, read_moves, write_moves

SOLVE_DAY = Task("solve_nugget_day")
"""The kind of job that solves the board of a day."""


@dataclass(frozen=True, slots=True)
class DayRow:
    """A row of the ranking of a day. Of equal numbers of moves, the one that was found first ranks higher."""

    rank: int
    account_id: Hidden[int]
    username: Username | None
    moves: int
    found_at: datetime
    country: Hidden[str | None]


@dataclass(frozen=True, slots=True)
class DayInfo:
    """A day: its lot, and the board that was drawn."""

    lot: Lot
    board: Board


@dataclass(frozen=True, slots=True)
class TryState:
    """An account's try: the board as it is played, and the moves and rank of what it handed in, if it has."""

    version: int
    play: Play
    moves: int | None
    rank: int | None


class StaleTryError(ConflictError):
    """The try is not at the version that the client knows; `state` is the current one."""

    def __init__(self, state: TryState) -> None:
        super().__init__("stale_try", _("This board has changed elsewhere. This is its current state."))
        self.state = state


class Daily:
    """The boards of the days."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.days = Days(database, NuggetDay, DayTry, _ORDER, _ranked)

    async def day(self, day: date) -> DayInfo:
        """Return a day that has begun. Raise NotFoundError."""
        stored = await self.days.get(day)
        return DayInfo(Lot.of(stored), draw(stored.seed))

    async def try_of(self, day: date, account_id: int) -> TryState | None:
        """Return an account's try at the board of a day, or None."""
        async with self._database.reading_now() as session:
            stored = await session.get(DayTry, (day, account_id))
            return await self._state(session, stored) if stored else None

    async def begin(self, account_id: int) -> None:
        """Begin an account's try at the board of today, unless it has begun."""
        info = await self.day(today())
        async with self._database.transaction() as session:
            await _begin(session, info, account_id)

    async def act(
        self, account_id: int, day: date, commands: Sequence[str], version: int, request_id: UUID
    ) -> tuple[TryState, RefusedCommand | None]:
        """Carry out commands on today's board, as `Runs.act` does. `day` is the day that the sender means.

        Raise NotFoundError, ConflictError `day_over`, StaleTryError, InvalidError `too_many_commands`.
        """
        check_number(commands)
        request = named(request_id, commands)
        async with self._database.transaction() as session:
            stored = await _locked(session, day, account_id)
            state = await self._state(session, stored)
            if stored.last_request == request:
                return state, RefusedCommand.stored(stored.last_refusal)
            check_is_today(day)
            if stored.version != version:
                raise StaleTryError(state)
            play, refusal = _carried_out(state.play, commands)
            if play != state.play:
                stored.moves, stored.undone = write_moves(play.made), write_moves(play.undone)
                stored.version, stored.last_request = stored.version + 1, request
                stored.last_refusal = refusal.as_json() if refusal else None
            return TryState(stored.version, play, state.moves, state.rank), refusal

    async def hand_in(self, account_id: int, day: date, version: int) -> TryState:
        """Make the moves on the board of a day count, which its player saw at a version.

        Raise NotFoundError, ConflictError `day_over`, StaleTryError, and what `submit` raises.
        """
        check_is_today(day)
        async with self._database.transaction() as session:
            stored = await _locked(session, day, account_id)
            check_is_today(day)  # waiting for the lock may have taken until the day was over
            state = await self._state(session, stored)
            if stored.solved_in is None and stored.version != version:
                raise StaleTryError(state)
            await _hand_in(session, stored, state.play)
            return await self._state(session, stored)

    async def submit(self, account_id: int, day: date, moves: Sequence[str]) -> TryState:
        """Make moves count as an account's try at the board of a day.

        Raise ConflictError `day_over` or `already_tried`, InvalidError `not_solved` or `illegal_move`.
        """
        check_is_today(day)
        info = await self.day(day)
        play = Play(1, info.board)
        for number, move in enumerate(moves, 1):
            try:
                play = play.commanded(move[:1].upper())
            except IllegalPush as error:
                said = _("Move %(number)s: %(reason)s", number=number, reason=reason_of(error))
                raise InvalidError("illegal_move", said) from None
            if move.upper() not in (play.made[-1].short, str(play.made[-1])):
                said = _("Move %(number)s: it is %(move)s here.", number=number, move=str(play.made[-1]))
                raise InvalidError("illegal_move", said)
        async with self._database.transaction() as session:
            await _begin(session, info, account_id)
            stored = await _locked(session, day, account_id)
            check_is_today(day)  # as in `hand_in`
            await _hand_in(session, stored, play)
            return await self._state(session, stored)

    async def _state(self, session: AsyncSession, stored: DayTry) -> TryState:
        day = await session.get_one(NuggetDay, stored.day)
        rank = await self.days.rank_of(session, stored)
        return TryState(stored.version, read_row(_play, stored, draw(day.seed)), stored.solved_in, rank)


async def make_days(daily: Daily) -> None:
    """Draw the seeds of today and tomorrow, unless that has been done."""
    await daily.days.make()


async def solve_days(daily: Daily, queue: Queue) -> None:
    """Ask workers to solve the boards of days that have begun."""
    unsolved = [day.day.isoformat() for day in await daily.days.unsolved()]
    jobs = {f"{SOLVE_DAY}:{day}": {"day": day} for day in unsolved}
    await queue.add(SOLVE_DAY, jobs, priority=Priority.SOON)


def _measure(solved_in: ColumnElement[int], found_at: ColumnElement[datetime]) -> ColumnElement[float]:
    """Return the moves and, as a fraction, the time, since many need as few moves; see `RankOrder`."""
    return cast(solved_in, Float) + part_of_time(found_at)


_ORDER = RankOrder(DayTry.solved_in, DayTry.found_at, DayTry.account_id, ties=2, measure=_measure)


def _ranked(rank: int, row: Any) -> DayRow:
    return DayRow(rank, row.account_id, row.username, row.solved_in, row.found_at, row.country)


def _play(stored: DayTry, board: Board) -> Play:
    play = Play(1, board, read_moves(stored.moves), read_moves(stored.undone))
    _ = play.board  # every move can be made
    return play


async def _begin(session: AsyncSession, info: DayInfo, account_id: int) -> None:
    begun = insert(DayTry).values(day=info.lot.day, account_id=account_id).on_conflict_do_nothing()
    await session.execute(begun)


async def _locked(session: AsyncSession, day: date, account_id: int) -> DayTry:
    """Return an account's try at the board of a day, locked. Raise NotFoundError."""
    return found(await session.get(DayTry, (day, account_id), with_for_update=True), "try")


def _carried_out(play: Play, commands: Sequence[str]) -> tuple[Play, RefusedCommand | None]:
    """Return a board after commands, and the first that was refused; `turn` means nothing here."""
    refusal = None
    for index, command in enumerate(commands):
        try:
            play = play.commanded(command) if command != "turn" else play
        except IllegalPush as error:
            refusal = refusal or RefusedCommand(index, command, error)
    return play, refusal


async def _hand_in(session: AsyncSession, stored: DayTry, play: Play) -> None:
    if stored.solved_in is not None:
        raise already_tried()
    if not play.is_solved:
        raise InvalidError("not_solved", _("The board is not solved after your last move."))
    stored.moves, stored.undone = write_moves(play.made), ""
    stored.solution, stored.solved_in, stored.found_at = stored.moves, len(play.made), utc_now()
    stored.version += 1
    await session.flush()
