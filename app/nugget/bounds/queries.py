"""Bounds as they are stored, and the boards whose bounds are missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, func, or_, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import readable
from app.nugget.bounds.models import BoardBound
from app.nugget.records.keeping import BOARD, CURRENT, MEAN
from app.nugget.tree.models import TreeStep
from app.nugget.tree.reading import BEFORE, IS_BEFORE, start_of
from engine.golden_nugget.board import Board, to_text
from engine.golden_nugget.bounds import border_bound
from engine.golden_nugget.tree import START_NODE

MOST_RUNS = 200
"""How often workers take up a board; what is not proven by then is given up."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many boards have certificates, how many are to get one, and how many were given up."""

    proven: int
    waiting: int
    given_up: int


async def progress(session: AsyncSession) -> Progress:
    """Return how far the proofs are."""
    is_open = BoardBound.bound.is_(None)
    counts = (
        is_open.is_(False),
        and_(is_open, BoardBound.runs < MOST_RUNS),
        and_(is_open, BoardBound.runs >= MOST_RUNS),
    )
    counted = select(*(func.count().filter(condition) for condition in counts)).select_from(BoardBound)
    row = (await session.execute(counted)).one()
    return Progress(row[0], row[1], row[2])


async def next_run(session: AsyncSession) -> tuple[int, int] | None:
    """Return the node that workers are to go on with, and how often they have; None if all are done.

    What is begun is done first.
    """
    unproven = select(BoardBound.node, BoardBound.runs).where(
        BoardBound.bound.is_(None), BoardBound.runs < MOST_RUNS
    )
    order = (BoardBound.runs == 0, BoardBound.added_at, BoardBound.node)
    row = (await session.execute(unproven.order_by(*order).limit(1))).one_or_none()
    return row and (row.node, row.runs)


async def missing(session: AsyncSession) -> Sequence[dict[str, Any]]:
    """Return the boards of the records that took more moves than is obvious, as rows without a bound.

    They are all boards of the records over the first boards, and those of the records of single boards.
    """
    record = CURRENT.subquery()
    is_of_record = or_(
        and_(record.c.kind == MEAN, TreeStep.number <= record.c.number),
        and_(record.c.kind == BOARD, TreeStep.number == record.c.number),
    )
    boards = (
        select(TreeStep, BEFORE.blocks)
        .ext(distinct_on(TreeStep.node))
        .join(record, record.c.entry_id == TreeStep.entry_id)
        .join(BEFORE, IS_BEFORE)
        .outerjoin(BoardBound, BoardBound.node == TreeStep.node)
        .where(is_of_record, BoardBound.node.is_(None), TreeStep.node != START_NODE)
        .order_by(TreeStep.node, TreeStep.moves)
    )
    begun = readable(_begun, (await session.execute(boards)).all())
    return [
        {"node": step.node, "position": to_text(board)}
        for step, board in begun
        if border_bound(board) < step.moves
    ]


def _begun(step: TreeStep, blocks: bytes) -> tuple[TreeStep, Board]:
    return step, start_of(step.number, blocks)
