"""The open tree for programs."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter
from pydantic import BaseModel

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.shown import Id, Move, Shown, Username, example
from app.nugget.schemas.entries import MeanShown
from app.nugget.schemas.runs import RunShown
from app.nugget.tree.paths import node_name, node_of
from app.nugget.tree.reading import NextNode, Node, Tree
from app.nugget.tree.service import Continuing
from app.people.identity.throttled import ChallengingProgram
from engine.puzzles.rules import ONE_BOARD

NodeName = Annotated[str, example("09f2c3d4e5a6b718")]


class FoundShown(Shown):
    """What somebody found: the fewest moves over so many boards, of which `board` is the first."""

    moves: int
    boards: int
    mean: MeanShown
    found_by: Username | None
    entry_id: Id
    board: int
    at: datetime


class NextShown(BaseModel):
    """A board that leads to another node; the moves of `line` are those from `position` of this one."""

    node: NodeName
    moves: int
    line: list[Move]
    found_by: Username | None
    entry_id: Id
    board: int
    at: datetime

    @classmethod
    def of(cls, found: NextNode) -> Self:
        """Return a next node as the API shows it."""
        return cls(
            node=node_name(found.node),
            moves=found.moves,
            line=[str(move) for move in found.line],
            found_by=found.found_by,
            entry_id=found.entry_id,
            board=found.board,
            at=found.at,
        )


class NodeShown(BaseModel):
    """A position between the boards of published entries; images of each other are one node.

    `position` begins board `best.boards` + 1, whose number is `odd` or `even` (`board_parity`), on the way in
    the fewest moves, `best`; null at the `start`. `next` are up to ten boards from here, `ahead` the fewest
    moves over the next 1, 5 and 20 boards. Moves are those of one entry, from its first board on. No
    solution of the board that begins here has fewer moves than `bound`; if it `has_certificate`, that is at
    `/nugget/tree/{node}/certificate.json`.
    """

    node: NodeName
    position: Annotated[str, example("A:1,2,3")]
    board_parity: Annotated[str, example("odd")]
    bound: int
    has_certificate: bool
    best: FoundShown | None
    next: list[NextShown]
    ahead: list[FoundShown]

    @classmethod
    def of(cls, node: Node) -> Self:
        """Return a node as the API shows it."""
        return cls(
            node=node_name(node.node),
            position=ONE_BOARD.format(node.position),
            board_parity="odd" if node.number % 2 else "even",
            bound=node.bound,
            has_certificate=node.has_certificate,
            best=FoundShown.model_validate(node.best) if node.best else None,
            next=[NextShown.of(each) for each in node.next],
            ahead=[FoundShown.model_validate(each) for each in node.ahead],
        )


router = APIRouter(prefix="/api/v1", tags=["golden nugget"])


@router.get("/nugget/tree/{node:node}", responses=problems(409))
async def one_node(node: str, tree: Part[Tree]) -> NodeShown:
    """Return a position between boards of published entries: how it is reached, and what follows."""
    return NodeShown.of(await tree.node(node_of(node)))


@router.post("/nugget/tree/{node:node}/runs", status_code=201, responses=problems(409))
async def begin_run(node: str, program: ChallengingProgram, continuing: Part[Continuing]) -> RunShown:
    """Start a run that plays on from a node, after the boards that reach it in the fewest moves."""
    return RunShown.of(await continuing.begin(program.id, node_of(node)))
