"""Reading puzzles and what players have reached."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select, union_all
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import made_once
from app.core.database.unreadable import read_row, readable, readable_page
from app.core.errors import found
from app.learn.puzzles.models import (
    KnownPuzzle,
    PuzzleAttempt,
    PuzzleDay,
    PuzzleRating,
    PuzzleSearch,
    StoredPuzzle,
)
from app.people.identity import devices
from app.people.identity.devices import Person
from app.play.games.models import Game as GameRow
from app.play.games.queries import counts
from engine.glicko2 import Rating
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.rules import RULES
from engine.puzzles.themes import Theme

_NEAR = 15
"""How many puzzles above and below a rating are candidates for the next one."""


@dataclass(frozen=True, slots=True)
class PuzzleInfo:
    """A puzzle as it is stored; `source` is the game in which it occurred, with the ply."""

    id: str
    puzzle: Puzzle
    rating: Rating
    source: tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """What an account has reached in the puzzles of a game."""

    rating: Rating
    attempts: int
    solved: int
    streak: int
    best_streak: int


NEWCOMER = PuzzleProgress(Rating(), 0, 0, 0, 0)
"""The progress of a player who has tried no puzzle."""


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """The puzzle of a game for a day, and what an account has reached at it and in all of the game."""

    info: PuzzleInfo
    is_attempted: bool
    progress: PuzzleProgress


@dataclass(frozen=True, slots=True)
class FirstAttempt:
    """An attempt in a player's history; it is open after a slip, until the next try."""

    puzzle: PuzzleInfo
    solved: bool
    is_open: bool
    rating_change: float
    attempted_at: datetime


@dataclass(frozen=True, slots=True)
class AttemptPage:
    """A player's attempts, the latest first; `next` is the moment before which the following page ends."""

    attempts: Sequence[FirstAttempt] = ()
    next: datetime | None = None


async def get(session: AsyncSession, puzzle_id: str) -> PuzzleInfo:
    """Return a puzzle. Raise NotFoundError, UnreadableError."""
    row = found(await session.get(StoredPuzzle, puzzle_id), "puzzle")
    return read_row(_info, row)


async def near(
    session: AsyncSession, game: str, rating: float, *, theme: Theme | None, account_id: int | None
) -> list[str]:
    """Return the puzzles nearest to a rating that an account never tried, of a theme if one is given."""
    conditions: list[ColumnElement[bool]] = [StoredPuzzle.game == game]
    if theme is not None:
        conditions.append(StoredPuzzle.themes.contains([theme]))
    if account_id is not None:
        tried = exists().where(
            PuzzleAttempt.puzzle_id == StoredPuzzle.id, PuzzleAttempt.account_id == account_id
        )
        conditions.append(~tried)
    columns = select(StoredPuzzle.id, StoredPuzzle.rating).where(*conditions)
    above = columns.where(StoredPuzzle.rating >= rating).order_by(StoredPuzzle.rating).limit(_NEAR)
    below = columns.where(StoredPuzzle.rating < rating).order_by(StoredPuzzle.rating.desc()).limit(_NEAR)
    rows = await session.execute(union_all(above.subquery().select(), below.subquery().select()))
    return [id_ for id_, _ in sorted(rows, key=lambda row: abs(row[1] - rating))][:_NEAR]


async def left_open(session: AsyncSession, account_id: int, puzzle: PuzzleInfo) -> list[PuzzleInfo]:
    """Return the other puzzles of the same game at which an account has made a slip, and has another try."""
    query = (
        select(StoredPuzzle)
        .join(PuzzleAttempt, PuzzleAttempt.puzzle_id == StoredPuzzle.id)
        .where(PuzzleAttempt.account_id == account_id, PuzzleAttempt.is_open)
        .where(StoredPuzzle.game == puzzle.puzzle.game, StoredPuzzle.id != puzzle.id)
    )
    return readable(_info, await session.execute(query))


async def of_day(session: AsyncSession, game: str, day: date) -> PuzzleInfo | None:
    """Return the puzzle of a game for a day, or None if none was chosen."""
    row = await session.scalar(*_of_day(day, game))
    return None if row is None else read_row(_info, row)


@made_once
def _of_day(day: date, game: str) -> Select[StoredPuzzle]:
    return (
        select(StoredPuzzle)
        .join(PuzzleDay, PuzzleDay.puzzle_id == StoredPuzzle.id)
        .where(PuzzleDay.day == day, PuzzleDay.game == game)
    )


async def of_day_for(session: AsyncSession, game: str, day: date, account_id: int) -> DailyPuzzle | None:
    """Return the puzzle of a game for a day and what an account has reached, or None if none was chosen."""
    row = (await session.execute(*_of_day_for(day, game, account_id))).one_or_none()
    if row is None:
        return None
    puzzle, attempt, reached = row
    return DailyPuzzle(
        read_row(_info, puzzle), is_over(attempt), _progress_of(reached) if reached else NEWCOMER
    )


@made_once
def _of_day_for(day: date, game: str, account_id: int) -> Select[StoredPuzzle, PuzzleAttempt, PuzzleRating]:
    is_attempt = and_(PuzzleAttempt.puzzle_id == StoredPuzzle.id, PuzzleAttempt.account_id == account_id)
    is_reached = and_(PuzzleRating.game == PuzzleDay.game, PuzzleRating.account_id == account_id)
    return (
        select(StoredPuzzle, PuzzleAttempt, PuzzleRating)
        .join(PuzzleDay, PuzzleDay.puzzle_id == StoredPuzzle.id)
        .outerjoin(PuzzleAttempt, is_attempt)
        .outerjoin(PuzzleRating, is_reached)
        .where(PuzzleDay.day == day, PuzzleDay.game == game)
    )


def is_over(attempt: PuzzleAttempt | None) -> bool:
    """Return whether there was a first attempt, and it has ended."""
    return attempt is not None and not attempt.is_open


async def progress_by_game(session: AsyncSession, account_id: int) -> Mapping[str, PuzzleProgress]:
    """Return what an account has reached, by game."""
    return {row.game: _progress_of(row) for row in await session.scalars(*_progress(account_id))}


def _progress_of(row: PuzzleRating) -> PuzzleProgress:
    return PuzzleProgress(_rating(row), row.attempts, row.solved, row.streak, row.best_streak)


@made_once
def _progress(account_id: int) -> Select[PuzzleRating]:
    return select(PuzzleRating).where(PuzzleRating.account_id == account_id)


async def history(
    session: AsyncSession, account_id: int, game: str, before: datetime | None, limit: int
) -> AttemptPage:
    """Return an account's first attempts at the puzzles of a game before a moment, at most `limit`."""
    query = (
        select(StoredPuzzle, PuzzleAttempt)
        .join(PuzzleAttempt, StoredPuzzle.id == PuzzleAttempt.puzzle_id)
        .where(PuzzleAttempt.account_id == account_id, StoredPuzzle.game == game)
        .order_by(PuzzleAttempt.attempted_at.desc())
        .limit(limit + 1)
    )
    if before is not None:
        query = query.where(PuzzleAttempt.attempted_at < before)
    rows = await session.execute(query)
    past, has_more = readable_page(_past, rows.all(), limit)
    return AttemptPage(past, past[-1].attempted_at if past and has_more else None)


def _past(puzzle: StoredPuzzle, attempt: PuzzleAttempt) -> FirstAttempt:
    return FirstAttempt(
        _info(puzzle), attempt.solved, attempt.is_open, attempt.rating_change, attempt.attempted_at
    )


async def has_tried_another(session: AsyncSession, account_id: int, puzzle_id: str) -> bool:
    """Return whether an account has tried any other puzzle."""
    tried = exists().where(PuzzleAttempt.account_id == account_id, PuzzleAttempt.puzzle_id != puzzle_id)
    return bool(await session.scalar(select(tried)))


async def note_known(session: AsyncSession, account_id: int, puzzle_id: str) -> None:
    """Note that an account may know a puzzle's solution: it made it, or chose it by what that does."""
    known = insert(KnownPuzzle).values(account_id=account_id, puzzle_id=puzzle_id)
    await session.execute(known.on_conflict_do_nothing())


async def may_know_solution(session: AsyncSession, person: Person, puzzle: PuzzleInfo) -> bool:
    """Return whether a person may know the solution of a puzzle before trying it.

    That is a player of the game in which it occurred, whoever was noted by `note_known`, and whoever has
    tried it with another account.
    """
    account_ids = await devices.accounts(session, person)
    others = account_ids - {person.account_id}
    knows = or_(
        exists().where(KnownPuzzle.puzzle_id == puzzle.id, KnownPuzzle.account_id.in_(account_ids)),
        exists().where(PuzzleAttempt.puzzle_id == puzzle.id, PuzzleAttempt.account_id.in_(others)),
    )
    if puzzle.source is not None:
        plays = or_(GameRow.first_player.in_(account_ids), GameRow.second_player.in_(account_ids))
        knows = or_(knows, exists().where(GameRow.id == puzzle.source[0], plays))
    return bool(await session.scalar(select(knows)))


async def is_being_played(session: AsyncSession, game: str, position: str) -> bool:
    """Return whether a position is the present one of a rated game under way."""
    query = select(GameRow.id).where(
        GameRow.status == "started",
        GameRow.second_player.is_not(None),
        GameRow.rated,
        GameRow.game == game,
        GameRow.position == position,
    )
    return await session.scalar(query.limit(1)) is not None


async def next_to_search(session: AsyncSession, fewest_plies: int) -> tuple[str, datetime] | None:
    """Return the finished game for two that ended first of those never searched, with its end; or None.

    Games without puzzles are left out.
    """
    last = select(PuzzleSearch.ended_at).order_by(PuzzleSearch.ended_at.desc()).limit(1)
    since = await session.scalar(last)
    query = select(GameRow.id, GameRow.ended_at).where(
        GameRow.ended_at.is_not(None),
        counts(),
        GameRow.game.in_(RULES),
        GameRow.second_player.is_not(None),
        GameRow.ply - GameRow.first_ply >= fewest_plies,
        ~exists().where(PuzzleSearch.game_id == GameRow.id),
    )
    if since is not None:
        query = query.where(GameRow.ended_at >= since)
    row = (await session.execute(query.order_by(GameRow.ended_at).limit(1))).one_or_none()
    return None if row is None or row[1] is None else (row[0], row[1])


def _info(row: StoredPuzzle) -> PuzzleInfo:
    puzzle = Puzzle(
        row.game, row.position, tuple(row.solution), tuple(map(Theme, row.themes)), round(row.rating)
    )
    position = puzzle.start
    for move in puzzle.solution:  # it can be played
        position = puzzle.rules.play(position, move)
    source = None if row.game_id is None or row.ply is None else (row.game_id, row.ply)
    return PuzzleInfo(row.id, puzzle, _rating(row), source)


def _rating(row: StoredPuzzle | PuzzleRating) -> Rating:
    return Rating(row.rating, row.deviation, row.volatility)
