"""Requesting and reading reviews of games, and of boards of entries to Golden Nugget.

Workers evaluate the positions, each in a job of its own (`work`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.jobs.queue import Queue, Task
from app.learn.reviews.models import GameReview, ReviewedPly, ReviewedPush
from app.nugget.contents import board_at, boards_of
from app.nugget.queries import EntryRecord
from app.people.identity.devices import Person
from app.play.bots.fair_play import FairPlay, check_settled
from app.play.games.game import GameState
from engine import solo_review
from engine.game import Side
from engine.golden_nugget.play import Play
from engine.review import Evaluation, Review, review
from engine.solo_review import Line

REVIEW_PLY = Task("review_ply")
"""The kind of job that evaluates a position of a game."""

REVIEW_PUSH = Task("review_push")
"""The kind of job that solves a board of an entry from a ply on."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review as far as it has come: `review` is None until all positions are evaluated.

    Until then it is under way, unless workers have given up on a position: it can be requested again.
    """

    is_under_way: bool
    evaluated: int
    to_evaluate: int
    review: Review | None


class Reviews:
    """The reviews of finished games."""

    def __init__(self, database: Database, fair_play: FairPlay, queue: Queue) -> None:
        self._database = database
        self._fair_play = fair_play
        self._queue = queue

    async def request(self, state: GameState, person: Person, asker: str) -> None:
        """Request the evaluation of those positions of a game that have none yet.

        Raise ConflictError as `check_settled` and `FairPlay.check` do, TooManyJobsError as `Queue.add_for`.
        """
        await self._fair_play.check(person, state.rules, [state.position])
        check_settled(state)
        async with self._database.transaction() as session:
            row = insert(GameReview).values(game_id=state.id)
            renewed = row.on_conflict_do_update(
                index_elements=[GameReview.game_id], set_={GameReview.requested_at: func.now()}
            )
            await session.execute(renewed)
            known = await _evaluated(session, state.id)
            missing = [ply for ply in _plies(state) if ply not in known]
            jobs = {_job_of_ply(state.id, ply): {"game_id": state.id, "ply": ply} for ply in missing}
            await self._queue.add_for(session, asker, REVIEW_PLY, jobs)

    async def get(self, state: GameState, person: Person) -> Reviewed:
        """Return the review of a game.

        Raise ConflictError as `FairPlay.check` does, unless nobody has requested a review.
        """
        plies = _plies(state)
        async with self._database.reading_now() as session:
            if await session.get(GameReview, state.id) is None:
                return Reviewed(False, 0, len(plies), None)
            # First the jobs: what is done then is known.
            is_under_way = await self._queue.is_under_way(
                session, [_job_of_ply(state.id, ply) for ply in plies]
            )
            known = await _evaluated(session, state.id)
        positions = state.positions()
        await self._fair_play.check(person, state.rules, positions)
        is_done = all(ply in known for ply in plies)
        review_ = _reviewed(state, positions, known) if is_done else None
        return Reviewed(is_under_way, len(known), len(plies), review_)


class BoardReviews:
    """The reviews of the boards of entries. Better moves that they show count as the computer's help.

    Results in them are the moves on the board, negative since fewer are better.
    """

    def __init__(self, database: Database, queue: Queue) -> None:
        self._database = database
        self._queue = queue

    async def request(self, entry: EntryRecord, number: int, asker: str) -> None:
        """Request the solutions of the positions of a board that have none yet.

        Raise NotFoundError, ForbiddenError `not_published`, TooManyJobsError as `Queue.add_for`.
        """
        play = board_at(await boards_of(entry), number)
        board = {"entry_id": entry.id, "board": number}
        plies = range(len(play.made))
        common = {**board, "moves": len(play.made), "face": play.start.face}
        async with self._database.transaction() as session:
            rows = [{**board, "ply": ply} for ply in plies]
            await session.execute(insert(ReviewedPush).values(rows).on_conflict_do_nothing())
            known = await solutions(session, entry.id, number)
            jobs = {
                _job_of_push(entry.id, number, ply): {
                    **common,
                    "ply": ply,
                    "cells": list(play.after(ply).cells),
                }
                for ply in plies
                if known[ply] is None
            }
            await self._queue.add_for(session, asker, REVIEW_PUSH, jobs)

    async def get(self, entry: EntryRecord, number: int) -> tuple[Play, Reviewed]:
        """Return a board and its review. Raise NotFoundError, ForbiddenError `not_published`."""
        play = board_at(await boards_of(entry), number)
        jobs = [_job_of_push(entry.id, number, ply) for ply in range(len(play.made))]
        async with self._database.reading_now() as session:
            is_under_way = await self._queue.is_under_way(session, jobs)  # as above, first
            known = await solutions(session, entry.id, number)
        solved = {ply: forces for ply, forces in known.items() if forces is not None}
        is_done = bool(known) and len(solved) == len(known)
        review_ = _reviewed_board(play, solved) if is_done else None
        return play, Reviewed(is_under_way, len(solved), len(play.made), review_)


def _job_of_ply(game_id: str, ply: int) -> str:
    return f"review:{game_id}:{ply}"


def _job_of_push(entry_id: str, board: int, ply: int) -> str:
    return f"{REVIEW_PUSH}:{entry_id}:{board}:{ply}"


async def solutions(session: AsyncSession, entry_id: str, board: int) -> dict[int, Sequence[str] | None]:
    """Return how the computer would solve a board of an entry, by ply; None where it has not looked yet.

    The result is empty if no review of the board was requested.
    """
    query = select(ReviewedPush.ply, ReviewedPush.forces).where(
        ReviewedPush.entry_id == entry_id, ReviewedPush.board == board
    )
    rows = await session.execute(query)
    return {ply: None if forces is None else forces.split() for ply, forces in rows}


async def _evaluated(session: AsyncSession, game_id: str) -> dict[int, ReviewedPly]:
    rows = await session.scalars(select(ReviewedPly).where(ReviewedPly.game_id == game_id))
    return {row.ply: row for row in rows}


def _plies(state: GameState) -> range:
    """Return the plies of a game whose positions are evaluated: those after which a side is to move.

    What could have followed the end of a game for one is nobody's loss.
    """
    ends = state.is_solitaire or state.rules.side_to_move(state.position) is None
    return range(state.first_ply, state.ply if ends else state.ply + 1)


def _reviewed(state: GameState, positions: Sequence[Any], known: Mapping[int, ReviewedPly]) -> Review:
    moves = [played.move for played in state.moves]
    if state.is_solitaire:
        lines = {ply: Line(row.line or (), row.points) for ply, row in known.items()}
        return solo_review.review(moves, state.score[Side.SOLO], lines, state.first_ply)
    evaluations = {
        ply: Evaluation(row.best, row.points, row.played, row.is_exact) for ply, row in known.items()
    }
    return review(state.rules, positions, moves, evaluations, state.first_ply)


def _reviewed_board(play: Play, solved: Mapping[int, Sequence[str]]) -> Review:
    lines = {ply: Line(forces, -(ply + len(forces))) for ply, forces in solved.items() if forces}
    return solo_review.review([move.force for move in play.made], -len(play.made), lines)
