"""Runs as the JSON API accepts and returns them."""

from typing import Annotated, Self

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from app.core.errors import members
from app.core.web.bodies import BodyUuid, RequestBody
from app.core.web.shown import Id, Move, example
from app.nugget.commands import MOST_COMMANDS, RefusedCommand
from app.nugget.forms import ChosenCompetition
from app.nugget.means import ShownMean
from app.nugget.runs import LONGEST_NAME, RunName, RunState, StaleRunError
from engine.golden_nugget.play import Play
from engine.golden_nugget.ranking import mean_of


class NewRun(RequestBody):
    """A run to start."""

    name: Annotated[str, Field(max_length=LONGEST_NAME, examples=["Evening run"])] = ""


class RunRenamed(RequestBody):
    """The new name of a run."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, examples=["Evening run"])]


class RunCommands(RequestBody):
    """Commands in order: forces, `undo`, `redo`, `start`, `to:N`, `turn`; and the last known version."""

    commands: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=8, examples=["P"])]],
        Field(min_length=1, max_length=MOST_COMMANDS),
    ]
    version: Annotated[int, Field(ge=0)]
    request_id: BodyUuid


class NuggetHint(BaseModel):
    """A suggested force, and the number of hints of the run."""

    force: Annotated[str, example("P")]
    hints: int


class FinishRequest(RequestBody):
    """The last known version of the run."""

    version: Annotated[int, Field(ge=0)]


class RunSubmission(RequestBody):
    """How many of a run's first boards to submit, and to which competition if any.

    With `version`, only if the run is still at that one.
    """

    boards: Annotated[int, Field(ge=1, le=200)]
    competition: ChosenCompetition = None
    version: Annotated[int, Field(ge=0)] | None = None


class Fork(RequestBody):
    """The board from which the new run continues."""

    board: Annotated[int, Field(ge=1, le=200)]


class RefusalShown(BaseModel):
    """A command that was refused: its index from 0 on among those sent, and why."""

    index: int
    command: Annotated[str, example("P")]
    reason: Annotated[str, example("no_white")]

    @classmethod
    def of(cls, refusal: RefusedCommand) -> Self:
        """Return a refusal as the API shows it."""
        return cls(index=refusal.index, command=refusal.command, reason=refusal.error.reason)


class RunShown(BaseModel):
    """A run. `cells` are the blocks row by row; `refused` says why the first refused command was.

    `refusal` says the same in a form that programs can read.
    """

    id: Id
    name: RunName
    version: int
    counts: list[int]
    mean: ShownMean | None
    board: int
    face: Annotated[str, example("B")]
    cells: list[int]
    moves: list[Move]
    undone: list[Move]
    solved: bool
    hints: int
    finished: int
    refused: Annotated[str, example("No white block …")] | None
    refusal: RefusalShown | None

    @classmethod
    def of(cls, run: RunState, refusal: RefusedCommand | None = None) -> Self:
        """Return a run as the API shows it."""
        counts, play = list(run.solved_counts), run.play
        return cls(
            id=run.id,
            name=run.name,
            version=run.version,
            counts=counts,
            mean=mean_of(counts) if counts else None,
            board=play.number,
            face=play.start.face,
            cells=list(play.board.cells),
            moves=list(map(str, play.made)),
            undone=list(map(str, play.undone)),
            solved=play.is_solved,
            hints=run.hints,
            finished=run.finished,
            refused=str(refusal.error) if refusal else None,
            refusal=RefusalShown.of(refusal) if refusal else None,
        )


class RunBoardShown(BaseModel):
    """A board of a run: its blocks row by row before its `moves` (`start`) and after them (`cells`)."""

    number: int
    face: Annotated[str, example("B")]
    start: list[int]
    cells: list[int]
    moves: list[Move]
    solved: bool

    @classmethod
    def of(cls, play: Play) -> Self:
        """Return a board as the API shows it."""
        return cls(
            number=play.number,
            face=play.start.face,
            start=list(play.start.cells),
            cells=list(play.board.cells),
            moves=list(map(str, play.made)),
            solved=play.is_solved,
        )


class _StaleMembers(TypedDict):
    """The current run, which brings the client up to date."""

    run: RunShown


@members.register
def _members_of_refusal(refusal: StaleRunError) -> _StaleMembers:
    return {"run": RunShown.of(refusal.state)}
