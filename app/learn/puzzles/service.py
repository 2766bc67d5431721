"""Choosing puzzles for players, and judging what they try.

The first attempt at a puzzle counts, and pages forgive one slip in it: a wrong try changes nothing yet, and
shows no solution. Whoever then finds the solution gains nothing, so that guessing does not pay; whoever does
not, has failed, and whoever looks at another puzzle of the game has not found it either. So a rating rises
only by what was found at once, and falls only by what was not found. Whoever may have known the solution
before, as `queries.may_know_solution` says, neither gains nor loses anything.
"""

import contextlib
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError
from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.core.jobs.queue import Asker, Queue, Task
from app.core.moments import utc_now
from app.learn.puzzles import queries, rating
from app.learn.puzzles.collection import choose, may_be_puzzle
from app.learn.puzzles.models import PuzzleAttempt, StoredPuzzle
from app.learn.puzzles.queries import NEWCOMER, AttemptPage, DailyPuzzle, PuzzleInfo, PuzzleProgress
from app.people.identity.devices import Person
from app.people.identity.service import Identity
from app.play.bots.fair_play import FairPlay, check_settled, close_puzzle, open_puzzle
from app.play.games.game import GameState
from engine.puzzles.puzzle import Attempt
from engine.puzzles.themes import TELLING, Theme

PROVE = Task("prove_puzzle")
"""The kind of job that makes a puzzle of a position in a game."""

_TIMEOUT = 20.0  # seconds that a player waits for a proof
_CHOICES = 5  # of the puzzles nearest to the wanted rating
_STREAK_START, _STREAK_STEP, _STREAK_END = 900, 60, 2400  # ratings of the puzzles of a streak
_OF_DAY = 1500  # the rating of a puzzle that stands in for the one of the day


class Unrated(StrEnum):
    """Why an attempt does not change ratings."""

    KNOWN = "known"
    SLIPPED = "slipped"
    NEWCOMER = "newcomer"
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class Recorded:
    """By how much an attempt that is over changed the player's rating, or why it did not."""

    change: float | None = None
    unrated: Unrated | None = None


class Puzzles:
    """The puzzles of the server."""

    def __init__(self, database: Database, fair_play: FairPlay, queue: Queue) -> None:
        self._database = database
        self._fair_play = fair_play
        self._queue = queue

    async def show(self, viewer: Identity | None, puzzle_id: str) -> PuzzleInfo:
        """Return a puzzle that an account is shown. Raise NotFoundError.

        Until the account has tried it, or is shown another one, the computer does not look at its position
        for the account.
        """
        async with self._database.reading_now() as session:
            info = await queries.get(session, puzzle_id)
        if viewer is not None:
            async with self._database.transaction() as session:
                if not queries.is_over(await session.get(PuzzleAttempt, (viewer.id, puzzle_id))):
                    await open_puzzle(session, viewer.id, puzzle_id, info.puzzle.game, info.puzzle.position)
        return info

    async def turn_to(self, viewer: Identity | None, puzzle_id: str, person: Person) -> PuzzleInfo:
        """Return a puzzle as `show` does, and end what slips at others have left open.

        A program may read puzzles while its owner solves one on a page, so its reading ends nothing.
        """
        info = await self.show(viewer, puzzle_id)
        if viewer is not None:
            await self._leave_others(viewer, info, person)
        return info

    async def daily(self, game: str) -> PuzzleInfo:
        """Return the puzzle of the day of a game; another one if it cannot be read."""
        today = utc_now().date()
        try:
            async with self._database.reading_now() as session:
                info = await queries.of_day(session, game, today)
        except UnreadableError:
            return await self._near(None, game, _OF_DAY, None)
        if info is None:  # the schedule has not run yet
            async with self._database.transaction() as session:
                await choose(session, game, today)
                info = await queries.of_day(session, game, today)
        assert info is not None
        return info

    async def daily_for(self, viewer: Identity | None, game: str) -> DailyPuzzle:
        """Return what `daily` returns, and what a viewer has reached."""
        if viewer is not None:
            with contextlib.suppress(UnreadableError):
                async with self._database.reading_now() as session:
                    chosen = await queries.of_day_for(session, game, utc_now().date(), viewer.id)
                if chosen is not None:
                    return chosen
        info = await self.daily(game)
        return DailyPuzzle(info, await self.is_attempted(viewer, info.id), await self.progress(viewer, game))

    async def next(self, viewer: Identity | None, game: str, theme: Theme | None) -> PuzzleInfo:
        """Return a puzzle that an account never tried, near its rating. Raise ConflictError `no_puzzle`.

        A theme that says what the solution does makes it one that is not rated.
        """
        progress = await self.progress(viewer, game)
        info = await self._near(viewer, game, progress.rating.rating, theme)
        if viewer is not None and theme in TELLING:
            async with self._database.transaction() as session:
                await queries.note_known(session, viewer.id, info.id)
        return info

    async def next_of_streak(self, viewer: Identity | None, game: str) -> PuzzleInfo:
        """Return a puzzle that is harder the more an account has solved in a row.

        Raise ConflictError `no_puzzle`.
        """
        progress = await self.progress(viewer, game)
        rating = min(_STREAK_START + _STREAK_STEP * progress.streak, _STREAK_END)
        return await self._near(viewer, game, rating, None)

    async def progress(self, viewer: Identity | None, game: str) -> PuzzleProgress:
        """Return what an account has reached in the puzzles of a game."""
        return (await self.progress_by_game(viewer)).get(game, NEWCOMER)

    async def progress_by_game(self, viewer: Identity | None) -> Mapping[str, PuzzleProgress]:
        """Return what an account has reached, by game; nothing for a visitor without an account."""
        if viewer is None:
            return {}
        async with self._database.reading_now() as session:
            return await queries.progress_by_game(session, viewer.id)

    async def history(
        self, viewer: Identity | None, game: str, before: datetime | None, limit: int
    ) -> AttemptPage:
        """Return an account's first attempts at the puzzles of a game before a moment, at most `limit`."""
        if viewer is None:
            return AttemptPage()
        async with self._database.reading_now() as session:
            return await queries.history(session, viewer.id, game, before, limit)

    async def is_attempted(self, viewer: Identity | None, puzzle_id: str) -> bool:
        """Return whether an account has ended its first attempt at a puzzle."""
        return queries.is_over(await self._attempt(viewer, puzzle_id))

    async def has_slipped(self, viewer: Identity | None, puzzle_id: str) -> bool:
        """Return whether an account has made a slip at a puzzle, and has another try."""
        row = await self._attempt(viewer, puzzle_id)
        return row is not None and row.is_open

    async def _attempt(self, viewer: Identity | None, puzzle_id: str) -> PuzzleAttempt | None:
        if viewer is None:
            return None
        async with self._database.reading_now() as session:
            return await session.get(PuzzleAttempt, (viewer.id, puzzle_id))

    async def for_attempt(self, puzzle_id: str, person: Person) -> PuzzleInfo:
        """Return a puzzle whose solution a person may see.

        Raise NotFoundError, ConflictError as `FairPlay.check_games` does.
        """
        async with self._database.reading_now() as session:
            info = await queries.get(session, puzzle_id)
        await self._fair_play.check_games(person, info.puzzle.rules, [info.puzzle.start])
        return info

    async def forgive(self, identity: Identity, info: PuzzleInfo, person: Person) -> bool:
        """Record a wrong try as a slip if it is the account's first, and return whether it is."""
        await self._leave_others(identity, info, person)
        async with self._database.transaction() as session:
            return await rating.begin(session, identity.id, info.id, solved=False, is_open=True)

    async def record(self, identity: Identity, info: PuzzleInfo, made: Attempt, person: Person) -> Recorded:
        """Record an attempt that is over, if it is the account's first at the puzzle.

        Return what it changed. After a slip it counts only if the puzzle is not solved.
        """
        await self._leave_others(identity, info, person)
        solved = made.is_solved is True
        async with self._database.transaction() as session:
            is_first = await rating.begin(session, identity.id, info.id, solved=solved, is_open=False)
            if not is_first:
                return await _after_slip(session, identity, info, person, solved=solved)
            await close_puzzle(session, identity.id, info.id)
            return await _rated(session, identity, info, person, solved=solved)

    async def _leave_others(self, identity: Identity, info: PuzzleInfo, person: Person) -> None:
        """End the attempts that slips at other puzzles of the same game have left open: they are not solved.

        Each has a transaction of its own, so that players who rate the same puzzles never wait for each
        other in a circle.
        """
        async with self._database.reading_now() as session:
            others = await queries.left_open(session, identity.id, info)
        for other in others:
            async with self._database.transaction() as session:
                await _after_slip(session, identity, other, person, solved=False)

    async def make_of(
        self, identity: Identity, state: GameState, ply: int, asker: Asker, person: Person
    ) -> str:
        """Return the id of the puzzle of the position after a ply of a finished game, which a worker proves.

        It is not rated for the account, which may have seen in the review what was best there.

        Raise ConflictError as `check_settled`, `FairPlay.check_games` and `FairPlay.check_day` do,
        `no_puzzle` if there is not one best move; TooManyJobsError, BusyError, FailedError.
        """
        position = state.position_after(ply)
        await self._fair_play.check_games(person, state.rules, [position])
        await self._fair_play.check_day(state.rules, position)
        check_settled(state)
        if not may_be_puzzle(state, ply):
            raise _no_puzzle()
        puzzle_id = await self._puzzle_of(state, ply, asker)
        async with self._database.transaction() as session:
            await queries.note_known(session, identity.id, puzzle_id)
        return puzzle_id

    async def _puzzle_of(self, state: GameState, ply: int, asker: Asker) -> str:
        of_position = select(StoredPuzzle.id).where(StoredPuzzle.game_id == state.id, StoredPuzzle.ply == ply)
        async with self._database.reading_now() as session:
            known: str | None = await session.scalar(of_position)
        if known is not None:
            return known
        result = await self._queue.ask(
            PROVE,
            f"{PROVE}:{state.id}:{ply}",
            {"game_id": state.id, "ply": ply},
            asker=asker,
            within=_TIMEOUT,
        )
        if result["puzzle"] is None:
            raise _no_puzzle()
        puzzle_id: str = result["puzzle"]
        return puzzle_id

    async def _near(
        self, viewer: Identity | None, game: str, rating: float, theme: Theme | None
    ) -> PuzzleInfo:
        async with self._database.reading_now() as session:
            account_id = viewer.id if viewer else None
            candidates = await queries.near(session, game, rating, theme=theme, account_id=account_id)
            if not candidates:
                raise ConflictError(
                    "no_puzzle",
                    _("There is no such puzzle for you to try. Choose another theme or another game."),
                )
            nearest = candidates[:_CHOICES]
            random.shuffle(nearest)
            for puzzle_id in (*nearest, *candidates[_CHOICES:]):
                with contextlib.suppress(UnreadableError):
                    return await queries.get(session, puzzle_id)
        raise UnreadableError


async def _after_slip(
    session: AsyncSession, identity: Identity, info: PuzzleInfo, person: Person, *, solved: bool
) -> Recorded:
    """End the attempt of an account that a slip at a puzzle has left open, if any; return what it changed."""
    await close_puzzle(session, identity.id, info.id)
    if not await rating.end(session, identity.id, info.id, solved=solved):
        return Recorded(unrated=Unrated.KNOWN)
    if solved:
        return Recorded(unrated=Unrated.SLIPPED)
    return await _rated(session, identity, info, person, solved=False)


async def _rated(
    session: AsyncSession, identity: Identity, info: PuzzleInfo, person: Person, *, solved: bool
) -> Recorded:
    """Rate an account's first attempt at a puzzle, unless it does not count; return what it changed."""
    if identity.is_guest and not await queries.has_tried_another(session, identity.id, info.id):
        return Recorded(unrated=Unrated.NEWCOMER)
    if await queries.may_know_solution(session, person, info):
        return Recorded(unrated=Unrated.TOLD)
    return Recorded(await rating.rate_attempt(session, identity.id, info.id, solved=solved))


def _no_puzzle() -> ConflictError:
    return ConflictError(
        "no_puzzle",
        _("No move is clearly the best here, so this position makes no puzzle. Try another one."),
    )
