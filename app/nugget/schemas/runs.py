"""Runs, and the requests that play and submit them."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from app.core.errors import members
from app.core.web.bodies import BodyUuid, RequestBody
from app.core.web.shown import Id, Move, Shown, example
from app.nugget.competition_ids import PATTERN, CompetitionId
from app.nugget.runs import RunState, StaleRunError
from app.nugget.schemas.entries import MeanShown
from engine.golden_nugget.ranking import mean_of


class NewRun(RequestBody):
    """A run to start."""

    name: Annotated[str, Field(max_length=60, examples=["Evening run"])] = ""


class RunCommands(RequestBody):
    """Commands in order: forces, `undo`, `redo`, `start`, `to:N`, `turn`; and the last known version."""

    commands: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=8, examples=["P"])]],
        Field(min_length=1, max_length=100),
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
    """How many of a run's first boards to submit, and to which competition if any."""

    boards: Annotated[int, Field(ge=1, le=200)]
    competition: Annotated[CompetitionId, Field(pattern=rf"^{PATTERN}$", examples=["x7k2mq9rtz"])] | None = (
        None
    )


class Fork(RequestBody):
    """The board from which the new run continues."""

    board: Annotated[int, Field(ge=1, le=200)]


class RunShown(BaseModel):
    """A run. `cells` are the blocks row by row; `refused` is why the first refused command was."""

    id: Id
    name: Annotated[str, example("Evening run")]
    version: int
    counts: list[int]
    mean: MeanShown | None
    board: int
    face: Annotated[str, example("B")]
    cells: list[int]
    moves: list[Move]
    undone: list[Move]
    solved: bool
    hints: int
    finished: int
    refused: Annotated[str, example("No white block …")] | None

    @classmethod
    def of(cls, run: RunState, refused: str | None = None) -> Self:
        """Return a run as the API shows it."""
        counts, play = list(run.solved_counts), run.play
        return cls(
            id=run.id,
            name=run.name,
            version=run.version,
            counts=counts,
            mean=MeanShown.of(mean_of(counts)) if counts else None,
            board=play.number,
            face=play.start.face,
            cells=list(play.board.cells),
            moves=list(map(str, play.made)),
            undone=list(map(str, play.undone)),
            solved=play.is_solved,
            hints=run.hints,
            finished=run.finished,
            refused=refused,
        )


class _StaleMembers(TypedDict):
    """The current run, which brings the client up to date."""

    run: RunShown


@members.register
def _members_of_refusal(refusal: StaleRunError) -> _StaleMembers:
    return {"run": RunShown.of(refusal.state)}


class RunListed(Shown):
    """A run in a list of runs."""

    id: Id
    name: Annotated[str, example("Evening run")]
    updated_at: datetime
    counts: list[int]
