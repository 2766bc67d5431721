"""Nodes of the tree as everybody may see them, whatever entries were published and may be shown now."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read_row
from app.core.errors import found
from app.nugget.bounds import bound_of
from app.nugget.models import Entry
from app.nugget.rankings import IS_SEALED
from app.nugget.tree.models import TreeStep
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board, Move
from engine.golden_nugget.play import read_moves
from engine.golden_nugget.ranking import Mean
from engine.golden_nugget.tree import START_NODE, carried

_LISTED = 10  # boards after a node

_AHEAD: dict[int, Any] = {5: TreeStep.five, 20: TreeStep.twenty}

_IS_SHOWN = and_(
    Entry.published_at.is_not(None), Entry.withdrawn_at.is_(None), ~IS_SEALED, is_ranked(Entry.account_id)
)
_before = aliased(TreeStep)
_STEPS: Select[*tuple[Any, ...]] = (
    select(
        TreeStep,
        _before.blocks.label("start"),
        func.split_part(Entry.record, "\n", TreeStep.number).label("line"),
        Entry.account_id,
        SHOWN_NAME,
        Account.is_computer,
        Entry.assisted,
    )
    .join(Entry, Entry.id == TreeStep.entry_id)
    .join(Account, Account.id == Entry.account_id)
    .outerjoin(_before, and_(_before.entry_id == TreeStep.entry_id, _before.number == TreeStep.number - 1))
    .where(_IS_SHOWN)
)


@dataclass(frozen=True, slots=True)
class Found:
    """Moves over some boards of an entry, of which `board` is the first; the entry was submitted at `at`."""

    moves: int
    boards: int
    found_by: str | None
    entry_id: str
    board: int
    at: datetime
    account_id: int
    is_computer: bool
    assisted: bool

    @property
    def mean(self) -> Mean:
        """Return the moves as a mean per board."""
        return Mean(self.moves, self.boards)


@dataclass(frozen=True, slots=True)
class NextNode(Found):
    """A board that leads to the next `node`: its moves as they are made on the board that is shown."""

    node: int
    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A position between boards.

    `best` is how it is reached in the fewest moves, None at the start. `ahead` are the best ways over the
    next boards, by their number; `next` the boards from here in the fewest moves.
    """

    node: int
    position: Board
    best: Found | None
    ahead: Sequence[Found]
    next: Sequence[NextNode]

    @property
    def number(self) -> int:
        """Return the number of the board that begins here after the fewest moves."""
        return self.best.boards + 1 if self.best else 1

    @property
    def bound(self) -> int:
        """Return a number of moves below which the board that begins here has no solution."""
        return bound_of(self.position)


class Tree:
    """The open tree of all published entries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def node(self, node: int) -> Node:
        """Return a node. Raise NotFoundError unless an entry that is shown reaches it."""
        async with self._database.reading_now() as session:
            best, position = None, START
            if node != START_NODE:
                best, position = await _reached(session, node)
            following = await _next(session, node, position)
            ahead: list[Found] = []
            if following:
                ahead.append(min(following, key=lambda each: (each.moves, each.at)))
            ahead += [found for boards in _AHEAD if (found := await _ahead(session, node, boards))]
        return Node(node, position, best, ahead, following)

    async def nodes_of(self, entry_id: str) -> Sequence[int]:
        """Return the nodes at which the boards of an entry begin, none if it is not shown in the tree."""
        begun = select(TreeStep.node).join(Entry).where(TreeStep.entry_id == entry_id, _IS_SHOWN)
        async with self._database.reading_now() as session:
            return (await session.scalars(begun.order_by(TreeStep.number))).all()

    async def record(self, entry_id: str) -> str:
        """Return the moves of an entry that a node names."""
        async with self._database.reading_now() as session:
            return (await session.get_one(Entry, entry_id)).record


async def _first(session: AsyncSession, condition: ColumnElement[bool], *order: Any) -> Any:
    """Return the first of the steps that are shown, of equal ones the earliest; None if there is none."""
    order = (*order, TreeStep.at, TreeStep.entry_id, TreeStep.number)
    return (await session.execute(_STEPS.where(condition).order_by(*order).limit(1))).first()


async def _reached(session: AsyncSession, node: int) -> tuple[Found, Board]:
    """Return how a node is reached in the fewest moves, and the position there. Raise NotFoundError."""
    row = found(await _first(session, TreeStep.next == node, TreeStep.reached), "node")
    step = row.TreeStep
    return replace(_found(row, step.reached, step.number), board=1), read_row(_end, step)


async def _ahead(session: AsyncSession, node: int, boards: int) -> Found | None:
    """Return the fewest moves over the next boards, None if no entry has so many from here."""
    moves = _AHEAD[boards]
    row = await _first(session, and_(TreeStep.node == node, moves.is_not(None)), moves)
    return row and _found(row, getattr(row.TreeStep, moves.key), boards)


async def _next(session: AsyncSession, node: int, position: Board) -> list[NextNode]:
    """Return the boards that lead to different nodes in the fewest moves, each from who was first.

    They are looked up one by one, as thousands of entries may have the same board.
    """
    found: list[NextNode] = []
    order, last = (TreeStep.moves, TreeStep.next), (0, 0)
    while len(found) < _LISTED:
        is_other = TreeStep.next.not_in([each.node for each in found])
        row = await _first(session, and_(TreeStep.node == node, tuple_(*order) > last, is_other), *order)
        if row is None:
            break
        step = row.TreeStep
        last = step.moves, step.next
        with suppress(UnreadableError):
            line = read_row(_line, step, row.start, row.line, position)
            found.append(NextNode(**asdict(_found(row, step.moves, 1)), node=step.next, line=line))
    return found


def _line(step: TreeStep, start: bytes | None, line: str, position: Board) -> tuple[Move, ...]:
    """Return the moves of a step as they are made from a position that is an image of its start."""
    moves = read_moves(line.partition(": ")[2])
    return carried(moves, _board(step.number, start) if start else START, position)


def _end(step: TreeStep) -> Board:
    return _board(step.number + 1, step.blocks)


def _board(number: int, blocks: bytes) -> Board:
    return Board(Face.A if number % 2 else Face.B, tuple(blocks))


def _found(row: Any, moves: int, boards: int) -> Found:
    step = row.TreeStep
    return Found(
        moves,
        boards,
        row.username,
        step.entry_id,
        step.number,
        step.at,
        row.account_id,
        row.is_computer,
        row.assisted,
    )
