"""Nodes of the tree as everybody may see them, whatever entries were published and may be shown now."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import CTE, ColumnElement, Select, all_, and_, func, select, true, tuple_
from sqlalchemy.dialects.postgresql import array
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.session import Database
from app.core.database.statements import made_once
from app.core.database.unreadable import UnreadableError, read, read_row
from app.core.errors import found
from app.core.web.shown import Hidden, Id, ShownAs, Username, example
from app.core.web.shown import Move as MoveText
from app.nugget.bounds.models import BoardBound
from app.nugget.bounds.proven import bound_of
from app.nugget.means import ShownMean
from app.nugget.models import Entry
from app.nugget.tree.models import TreeStep
from app.nugget.tree.paths import node_name
from app.nugget.visibility import IS_SEALED
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board, Move
from engine.golden_nugget.play import read_moves
from engine.golden_nugget.ranking import Mean
from engine.golden_nugget.tree import START_NODE, carried
from engine.puzzles.rules import ONE_BOARD

_LISTED = 10  # boards after a node

_AHEAD: dict[int, Any] = {5: TreeStep.five, 20: TreeStep.twenty}

_IS_SHOWN = and_(
    Entry.published_at.is_not(None), Entry.withdrawn_at.is_(None), ~IS_SEALED, is_ranked(Entry.account_id)
)
BEFORE = aliased(TreeStep)
IS_BEFORE = and_(BEFORE.entry_id == TreeStep.entry_id, BEFORE.number == TreeStep.number - 1)
_STEPS: Select[*tuple[Any, ...]] = (
    select(
        TreeStep,
        BEFORE.blocks.label("start"),
        func.split_part(Entry.record, "\n", TreeStep.number).label("line"),
        Entry.account_id,
        SHOWN_NAME,
        Account.is_computer,
        Entry.assisted,
    )
    .join(Entry, Entry.id == TreeStep.entry_id)
    .join(Account, Account.id == Entry.account_id)
    .outerjoin(BEFORE, IS_BEFORE)
    .where(_IS_SHOWN)
)

BEGUN: Select[*tuple[Any, ...]] = (
    select(TreeStep.entry_id, TreeStep.number, TreeStep.node, BEFORE.blocks, BoardBound.bound)
    .join(Entry, Entry.id == TreeStep.entry_id)
    .outerjoin(BEFORE, IS_BEFORE)
    .outerjoin(BoardBound, BoardBound.node == TreeStep.node)
    .where(_IS_SHOWN)
)
"""The boards that the tree shows, as plain rows, which are cheap; see `beginnings`."""


@dataclass(frozen=True, slots=True)
class FoundShown:
    """What somebody found: the fewest moves over so many boards, of which `board` is the first."""

    moves: int
    boards: int
    mean: ShownMean
    found_by: Username | None
    entry_id: Id
    board: int
    at: datetime
    account_id: Hidden[int]
    is_computer: Hidden[bool]
    assisted: Hidden[bool]


NodeName = ShownAs(Annotated[str, example("09f2c3d4e5a6b718")], node_name)


@dataclass(frozen=True, slots=True)
class NextShown:
    """A board that leads to another node; the moves of `line` are those from `position` of this one."""

    node: Annotated[int, NodeName]
    moves: int
    line: Annotated[tuple[Move, ...], ShownAs(list[MoveText], lambda line: [*map(str, line)])]
    found_by: Username | None
    entry_id: Id
    board: int
    at: datetime
    account_id: Hidden[int]
    is_computer: Hidden[bool]
    assisted: Hidden[bool]


@dataclass(frozen=True, slots=True)
class NodeShown:
    """A position between the boards of published entries; images of each other are one node.

    `position` begins board `best.boards` + 1, whose number is `odd` or `even` (`board_parity`), on the way in
    the fewest moves, `best`; null at the `start`. `next` are up to ten boards from here, `ahead` the fewest
    moves over the next 1, 5 and 20 boards. Moves are those of one entry, from its first board on. No
    solution of the board that begins here has fewer moves than `bound`; if it `has_certificate`, that is at
    `/nugget/tree/{node}/certificate.json`.
    """

    node: Annotated[int, NodeName]
    position: Annotated[Board, ShownAs(Annotated[str, example("A:1,2,3")], ONE_BOARD.format)]
    board_parity: Annotated[str, example("odd")]
    bound: int
    has_certificate: bool
    best: FoundShown | None
    next: Sequence[NextShown]
    ahead: Sequence[FoundShown]

    @property
    def number(self) -> int:
        """Return the number of the board that begins here after the fewest moves."""
        return self.best.boards + 1 if self.best else 1


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a board of an entry begins: the node, and the bound of the board."""

    node: int
    bound: int


class Tree:
    """The open tree of all published entries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def node(self, node: int) -> NodeShown:
        """Return a node. Raise NotFoundError unless an entry that is shown reaches it."""
        async with self._database.reading_now() as session:
            best, position = None, START
            if node != START_NODE:
                best, position = await _reached(session, node)
            following = await _next(session, node, position)
            ahead = [_alone(min(following, key=lambda each: (each.moves, each.at)))] if following else []
            ahead += [way for boards in _AHEAD if (way := await _ahead(session, node, boards))]
            certified = await session.scalar(select(BoardBound.bound).where(BoardBound.node == node))
        bound = bound_of(position, certified)
        return NodeShown(
            node=node,
            position=position,
            board_parity="odd" if best is None or best.boards % 2 == 0 else "even",
            bound=bound,
            # If not, its bound is proven by the blocks on the border alone.
            has_certificate=node == START_NODE or bound == certified,
            best=best,
            next=following,
            ahead=ahead,
        )

    async def beginnings_of(self, entry_id: str) -> Mapping[int, Beginning]:
        """Return where the boards of an entry begin by their numbers; none if the tree does not show it."""
        async with self._database.reading_now() as session:
            begun = await beginnings(session, *_of_entry(entry_id))
        return {number: beginning for (_entry, number), beginning in begun.items()}

    async def beginning_of(self, entry_id: str, number: int) -> Beginning | None:
        """Return where a board of an entry begins, None if the tree does not show it."""
        async with self._database.reading_now() as session:
            begun = await beginnings(session, *_of_board(entry_id, number))
        return begun.get((entry_id, number))

    async def certificate(self, node: int) -> str:
        """Return the certificate of a node. Raise NotFoundError."""
        stored = select(BoardBound.certificate).where(BoardBound.node == node)
        async with self._database.reading_now() as session:
            text: str | None = await session.scalar(stored)
        return found(text, "certificate")

    async def record(self, entry_id: str) -> str:
        """Return the moves of an entry that a node names."""
        async with self._database.reading_now() as session:
            return (await session.get_one(Entry, entry_id)).record


async def beginnings(
    session: AsyncSession, steps: Select[*tuple[Any, ...]], values: dict[str, Any] | None = None
) -> Mapping[tuple[str, int], Beginning]:
    """Return where boards begin that a query of BEGUN with some values selects, by entries and numbers."""
    begun = {}
    for entry_id, number, *where in await session.execute(steps, values):
        place = f"{entry_id},{number}"
        try:  # noqa: SIM105 - a context for each board takes longer
            begun[entry_id, number] = read(TreeStep.__tablename__, place, _beginning, number, *where)
        except UnreadableError:
            pass
    return begun


@made_once
def _of_entry(entry_id: str) -> Select[*tuple[Any, ...]]:
    return BEGUN.where(TreeStep.entry_id == entry_id)


@made_once
def _of_board(entry_id: str, number: int) -> Select[*tuple[Any, ...]]:
    return BEGUN.where(TreeStep.entry_id == entry_id, TreeStep.number == number)


def _beginning(number: int, node: int, before: bytes | None, certified: int | None) -> Beginning:
    return Beginning(node, bound_of(start_of(number, before), certified))


async def _first(session: AsyncSession, condition: ColumnElement[bool], *order: Any) -> Any:
    """Return the first of the steps that are shown, of equal ones the earliest; None if there is none."""
    order = (*order, TreeStep.at, TreeStep.entry_id, TreeStep.number)
    return (await session.execute(_STEPS.where(condition).order_by(*order).limit(1))).first()


async def _reached(session: AsyncSession, node: int) -> tuple[FoundShown, Board]:
    """Return how a node is reached in the fewest moves, and the position there. Raise NotFoundError."""
    row = found(await _first(session, TreeStep.next == node, TreeStep.reached), "node")
    step = row.TreeStep
    return replace(_found(row, step.reached, step.number), board=1), read_row(_end, step)


async def _ahead(session: AsyncSession, node: int, boards: int) -> FoundShown | None:
    """Return the fewest moves over the next boards, None if no entry has so many from here."""
    moves = _AHEAD[boards]
    row = await _first(session, and_(TreeStep.node == node, moves.is_not(None)), moves)
    return row and _found(row, getattr(row.TreeStep, moves.key), boards)


async def _next(session: AsyncSession, node: int, position: Board) -> list[NextShown]:
    """Return the boards that lead to different nodes in the fewest moves, each from who was first."""
    found = _following(node)
    is_found = and_(found.c.entry_id == TreeStep.entry_id, found.c.number == TreeStep.number)
    rows = await session.execute(_STEPS.join(found, is_found).order_by(TreeStep.moves, TreeStep.next))
    following: list[NextShown] = []
    for row in rows:
        step = row.TreeStep
        with suppress(UnreadableError):
            line = read_row(_line, step, row.start, row.line, position)
            following.append(NextShown(step.next, step.moves, line, *_finder(row)))
    return following


def _following(node: int) -> CTE:
    """Return the boards that lead to different nodes in the fewest moves, by entry and number.

    One after the other is looked up by the index, as thousands of entries may have the same board.
    """
    order = (TreeStep.moves, TreeStep.next)
    shown = (
        select(TreeStep.entry_id, TreeStep.number, *order)
        .join(Entry, Entry.id == TreeStep.entry_id)
        .where(TreeStep.node == node, _IS_SHOWN)
        .order_by(*order, TreeStep.at, TreeStep.entry_id, TreeStep.number)
        .limit(1)
    )
    first = shown.subquery()
    found = select(first, array([first.c.next]).label("seen")).cte("found", recursive=True)
    is_after = and_(tuple_(*order) > tuple_(found.c.moves, found.c.next), TreeStep.next != all_(found.c.seen))
    after = shown.where(is_after).correlate(found).lateral()
    following = (
        select(after, func.array_append(found.c.seen, after.c.next))
        .select_from(found.join(after, true()))
        .where(func.cardinality(found.c.seen) < _LISTED)
    )
    return found.union_all(following)


def _line(step: TreeStep, start: bytes | None, line: str, position: Board) -> tuple[Move, ...]:
    """Return the moves of a step as they are made from a position that is an image of its start."""
    moves = read_moves(line.partition(": ")[2])
    return carried(moves, start_of(step.number, start), position)


def start_of(number: int, before: bytes | None) -> Board:
    """Return where a step begins, by the blocks that the board before it ended with; None for board 1."""
    return START if before is None else _board(number, before)


def _end(step: TreeStep) -> Board:
    return _board(step.number + 1, step.blocks)


def _board(number: int, blocks: bytes) -> Board:
    return Board(Face.A if number % 2 else Face.B, tuple(blocks))


def _found(row: Any, moves: int, boards: int) -> FoundShown:
    return FoundShown(moves, boards, Mean(moves, boards), *_finder(row))


def _alone(found: NextShown) -> FoundShown:
    """Return what was found of the next board as a way over one board."""
    return FoundShown(
        found.moves,
        1,
        Mean(found.moves, 1),
        found.found_by,
        found.entry_id,
        found.board,
        found.at,
        found.account_id,
        found.is_computer,
        found.assisted,
    )


def _finder(row: Any) -> tuple[str | None, str, int, datetime, int, bool, bool]:
    """Return who found a step, and where, as the last members of what is shown of it."""
    step = row.TreeStep
    entry = (row.username, step.entry_id, step.number, step.at)
    return *entry, row.account_id, row.is_computer, row.assisted
