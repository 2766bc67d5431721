"""Nugget of the day: one board for everybody from 00:00 UTC, and one try at it that counts."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.rank_order import RankedPage, RankOrder
from app.core.database.ranking import Ranking
from app.core.database.session import Database
from app.core.database.unreadable import read_row
from app.core.errors import ConflictError, InvalidError, NotFoundError
from app.core.i18n.text import _, reason_of
from app.core.jobs.queue import Queue
from app.core.moments import utc_now
from app.nugget.assistance import SOLVE
from app.nugget.daily.models import DayTry, NuggetDay
from app.nugget.runs import check_number
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_COUNTRY, SHOWN_NAME, is_ranked
from engine.golden_nugget.board import Board, IllegalPush
from engine.golden_nugget.lottery import SEED_BYTES, commitment, draw
from engine.golden_nugget.play import Play, read_moves, write_moves

_own = aliased(Account)
_A_DAY = timedelta(days=1)
_LONGEST_STREAK = 1_000  # days that are looked at
_MONTH = 31  # days of the calendar
_PRIORITY = 5  # behind what somebody waits for


def _is_listed(account: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """Return the condition that an account is ranked, and no guest."""
    return and_(is_ranked(account), exists().where(_own.id == account, _own.password_hash.is_not(None)))


@dataclass(frozen=True, slots=True)
class DayResult:
    """A row of the ranking of a day; equal numbers of moves are ranked by the time of finding."""

    rank: int
    account_id: int
    username: str | None
    moves: int
    found_at: datetime
    country: str | None


@dataclass(frozen=True, slots=True)
class DayInfo:
    """A day: its board, the SHA-256 of its seed, and once it is over the seed and the computer's solution."""

    day: date
    board: Board
    seed_commitment: str
    seed: str | None
    best: Sequence[str] | None
    announced_at: datetime

    @property
    def is_over(self) -> bool:
        """Return whether the day is over."""
        return self.seed is not None


@dataclass(frozen=True, slots=True)
class TryState:
    """An account's try: the board as it is played, and the moves and rank of what it handed in, if it has."""

    version: int
    play: Play
    moves: int | None
    rank: int | None


@dataclass(frozen=True, slots=True)
class PastDay:
    """A day of the calendar: the fewest moves of anybody, and those of the viewer."""

    day: date
    fewest: int | None
    mine: int | None


class StaleTryError(ConflictError):
    """The try is not at the version that the client knows; `state` is the current one."""

    def __init__(self, state: TryState) -> None:
        super().__init__("stale_try", _("This board has changed elsewhere. This is its current state."))
        self.state = state


def today() -> date:
    """Return the day, in UTC."""
    return utc_now().date()


class Daily:
    """The boards of the days."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def day(self, day: date) -> DayInfo:
        """Return a day that has begun. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            stored = await session.get(NuggetDay, day) if day <= today() else None
        if stored is None and day == today():
            await make_days(self._database)  # the first one of the site
            return await self.day(day)
        if stored is None:
            raise NotFoundError("day")
        return _info(stored)

    async def next_commitment(self) -> str | None:
        """Return the SHA-256 of tomorrow's seed, None while it has not been announced."""
        async with self._database.reading_now() as session:
            stored = await session.get(NuggetDay, today() + _A_DAY)
        return commitment(stored.seed) if stored else None

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
        self, account_id: int, commands: Sequence[str], version: int, request_id: UUID
    ) -> tuple[TryState, IllegalPush | None]:
        """Carry out commands on the board of today, as `Runs.act` does.

        Raise NotFoundError, StaleTryError, InvalidError `too_many_commands`.
        """
        check_number(commands)
        async with self._database.transaction() as session:
            stored = await _locked(session, account_id)
            state = await self._state(session, stored)
            if stored.last_request == request_id:
                return state, None
            if stored.version != version:
                raise StaleTryError(state)
            play, refusal = state.play, None
            for command in commands:
                try:
                    play = play.commanded(command) if command != "turn" else play
                except IllegalPush as error:
                    refusal = refusal or error
            if play != state.play:
                stored.moves, stored.undone = write_moves(play.made), write_moves(play.undone)
                stored.version, stored.last_request = stored.version + 1, request_id
            return TryState(stored.version, play, state.moves, state.rank), refusal

    async def hand_in(self, account_id: int) -> TryState:
        """Make the moves on the board of today count. Raise NotFoundError, and what `submit` raises."""
        async with self._database.transaction() as session:
            stored = await _locked(session, account_id)
            await _hand_in(session, stored, (await self._state(session, stored)).play)
            return await self._state(session, stored)

    async def submit(self, account_id: int, moves: Sequence[str]) -> TryState:
        """Make moves count as an account's try at the board of today.

        Raise ConflictError `already_tried`, InvalidError `not_solved` or `illegal_move`.
        """
        info = await self.day(today())
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
            stored = await _locked(session, account_id)
            await _hand_in(session, stored, play)
            return await self._state(session, stored)

    async def ranking(self, day: date, cursor: str, limit: int) -> RankedPage[DayResult]:
        """Return a page of the ranking of a day. Raise InvalidError `bad_cursor`."""
        async with self._database.reading_now() as session:
            return await _ranking(day).page(session, cursor, limit)

    async def streak(self, account_id: int) -> int:
        """Return on how many days in a row an account has handed in, up to today or yesterday."""
        days = (
            select(DayTry.day)
            .where(DayTry.account_id == account_id, DayTry.solved_in.is_not(None))
            .order_by(DayTry.day.desc())
            .limit(_LONGEST_STREAK)
        )
        async with self._database.reading_now() as session:
            done = (await session.scalars(days)).all()
        last = today() if done[:1] == [today()] else today() - _A_DAY
        return sum(day == last - number * _A_DAY for number, day in enumerate(done))

    async def calendar(self, before: date, account_id: int | None) -> list[PastDay]:
        """Return the month of days before one, the latest first, with what an account has done."""
        fewest = (
            select(func.min(DayTry.solved_in))
            .where(DayTry.day == NuggetDay.day, DayTry.solved_in.is_not(None), _is_listed(DayTry.account_id))
            .scalar_subquery()
        )
        mine = (
            select(DayTry.solved_in)
            .where(DayTry.day == NuggetDay.day, DayTry.account_id == account_id)
            .scalar_subquery()
        )
        days = (
            select(NuggetDay.day, fewest, mine)
            .where(NuggetDay.day < before)
            .order_by(NuggetDay.day.desc())
            .limit(_MONTH)
        )
        async with self._database.reading_now() as session:
            return [PastDay(*row) for row in await session.execute(days)]

    async def _state(self, session: AsyncSession, stored: DayTry) -> TryState:
        day = await session.get_one(NuggetDay, stored.day)
        rank = None
        if stored.solved_in is not None:
            rank = await _ranking(stored.day).rank_of(session, (stored.solved_in, stored.found_at))
        return TryState(stored.version, read_row(_play, stored, draw(day.seed)), stored.solved_in, rank)


async def make_days(database: Database) -> None:
    """Draw the seeds of today and tomorrow, unless that has been done."""
    rows = [{"day": today() + ahead * _A_DAY, "seed": secrets.token_bytes(SEED_BYTES)} for ahead in (0, 1)]
    async with database.transaction() as session:
        await session.execute(insert(NuggetDay).values(rows).on_conflict_do_nothing())


async def solve_days(database: Database, queue: Queue) -> None:
    """Ask workers to solve the boards of days that have begun, and store the solutions."""
    async with database.reading_now() as session:
        unsolved = (
            await session.scalars(
                select(NuggetDay)
                .where(NuggetDay.best.is_(None), NuggetDay.day <= today())
                .order_by(NuggetDay.day.desc())
                .limit(2)
            )
        ).all()
    for day in unsolved:
        board = draw(day.seed)
        cells = bytes(board.cells)
        key = f"{SOLVE}:{board.face}:{cells.hex()}"
        result = await queue.result(key)
        if result is None:
            payload = {"face": board.face, "cells": list(cells)}
            await queue.add(SOLVE, {key: payload}, priority=_PRIORITY)
        elif "forces" in result:
            async with database.transaction() as session:
                await session.execute(
                    update(NuggetDay).where(NuggetDay.day == day.day).values(best=" ".join(result["forces"]))
                )


_ORDER = RankOrder(DayTry.solved_in, DayTry.found_at, DayTry.account_id, ties=2)
_ROWS = select(DayTry.account_id, SHOWN_NAME, SHOWN_COUNTRY).join(Account, Account.id == DayTry.account_id)


def _ranking(day: date) -> Ranking[DayResult]:
    members = (DayTry.day == day, DayTry.solved_in.is_not(None))
    return Ranking(_ORDER, _ROWS, members, DayTry.account_id, _is_listed, _ranked)


def _ranked(rank: int, row: Any) -> DayResult:
    return DayResult(rank, row.account_id, row.username, row.solved_in, row.found_at, row.country)


def _info(stored: NuggetDay) -> DayInfo:
    is_over = stored.day < today()
    return DayInfo(
        stored.day,
        draw(stored.seed),
        commitment(stored.seed),
        stored.seed.hex() if is_over else None,
        stored.best.split() if is_over and stored.best else None,
        stored.announced_at,
    )


def _play(stored: DayTry, board: Board) -> Play:
    play = Play(1, board, read_moves(stored.moves), read_moves(stored.undone))
    _ = play.board  # every move can be made
    return play


async def _begin(session: AsyncSession, info: DayInfo, account_id: int) -> None:
    begun = insert(DayTry).values(day=info.day, account_id=account_id).on_conflict_do_nothing()
    await session.execute(begun)


async def _locked(session: AsyncSession, account_id: int) -> DayTry:
    """Return an account's try at the board of today, locked. Raise NotFoundError."""
    stored = await session.get(DayTry, (today(), account_id), with_for_update=True)
    if stored is None:
        raise NotFoundError("try")
    return stored


async def _hand_in(session: AsyncSession, stored: DayTry, play: Play) -> None:
    if stored.solved_in is not None:
        raise ConflictError(
            "already_tried", _("You have handed in your try at this board. You can go on for fun.")
        )
    if not play.is_solved:
        raise InvalidError("not_solved", _("The board is not solved after your last move."))
    stored.moves, stored.undone = write_moves(play.made), ""
    stored.solution, stored.solved_in, stored.found_at = stored.moves, len(play.made), utc_now()
    stored.version += 1
    await session.flush()
