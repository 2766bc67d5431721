"""Reviews of boards of Golden Nugget: each position of a board of an entry, solved by the computer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.errors import NotFoundError
from app.core.jobs.queue import Queue
from app.learn.reviews import queries
from app.learn.reviews.models import ReviewedPush
from app.learn.reviews.service import PRIORITY
from app.nugget.entries import boards_of
from app.nugget.queries import EntryInfo
from engine import solo_review
from engine.golden_nugget.play import Play
from engine.review import Review
from engine.solo_review import Line

REVIEW_PUSH = "review_push"
"""The kind of job that solves a board of an entry from a ply on."""


@dataclass(frozen=True, slots=True)
class BoardReviewed:
    """The review of a board as far as it has come: `review` is None until all positions are solved.

    Results in it are the moves on the board, negative since fewer are better.
    """

    play: Play
    is_requested: bool
    evaluated: int
    to_evaluate: int
    review: Review | None


class BoardReviews:
    """The reviews of the boards of entries. Better moves that they show count as the computer's help."""

    def __init__(self, database: Database, queue: Queue) -> None:
        self._database = database
        self._queue = queue

    async def request(self, entry: EntryInfo, number: int) -> None:
        """Request the solutions of the positions of a board that have none yet.

        Raise NotFoundError, ForbiddenError `not_published`.
        """
        play = _board(await boards_of(entry), number)
        plies = range(len(play.made))
        async with self._database.transaction() as session:
            rows = [{"entry_id": entry.id, "board": number, "ply": ply} for ply in plies]
            await session.execute(insert(ReviewedPush).values(rows).on_conflict_do_nothing())
            known = await queries.solutions(session, entry.id, number)
        common = {
            "entry_id": entry.id,
            "board": number,
            "moves": len(play.made),
            "face": play.start.face,
        }
        jobs = {
            f"{REVIEW_PUSH}:{entry.id}:{number}:{ply}": {
                **common,
                "ply": ply,
                "cells": list(play.after(ply).cells),
            }
            for ply in plies
            if known[ply] is None
        }
        await self._queue.add(REVIEW_PUSH, jobs, priority=PRIORITY)

    async def get(self, entry: EntryInfo, number: int) -> BoardReviewed:
        """Return the review of a board. Raise NotFoundError, ForbiddenError `not_published`."""
        play = _board(await boards_of(entry), number)
        async with self._database.reading_now() as session:
            known = await queries.solutions(session, entry.id, number)
        solved = {ply: forces for ply, forces in known.items() if forces is not None}
        is_done = bool(known) and len(solved) == len(known)
        reviewed = _reviewed(play, solved) if is_done else None
        return BoardReviewed(play, bool(known), len(solved), len(play.made), reviewed)


def _board(boards: Sequence[Play], number: int) -> Play:
    if not 1 <= number <= len(boards):
        raise NotFoundError("board")
    return boards[number - 1]


def _reviewed(play: Play, solved: Mapping[int, Sequence[str]]) -> Review:
    lines = {ply: Line(forces, -(ply + len(forces))) for ply, forces in solved.items() if forces}
    return solo_review.review([move.force for move in play.made], -len(play.made), lines)
