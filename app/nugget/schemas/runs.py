"""Runs, and the requests that play and submit them."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from app.core.errors import members
from app.core.web.bodies import BodyUuid, RequestBody
from app.nugget.competition_ids import PATTERN, CompetitionId
from app.nugget.runs import RunState, RunSummary, StaleRunError
from app.nugget.schemas.means import ENTRY_ID, MEAN, MeanShown, example
from engine.golden_nugget.ranking import mean_of


class NewRun(RequestBody):
    """A run to start."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Evening run"}]})

    name: Annotated[str, Field(max_length=60)] = ""


class RunCommands(RequestBody):
    """Commands in order: forces, `undo`, `redo`, `start`, `to:N`, `turn`; and the last known version."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "commands": ["P", "5", "L"],
                    "version": 0,
                    "request_id": "5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11",
                }
            ]
        },
    )

    commands: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=8)]], Field(min_length=1, max_length=100)
    ]
    version: Annotated[int, Field(ge=0)]
    request_id: BodyUuid


class NuggetHint(BaseModel):
    """A suggested force, and the number of hints of the run."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"force": "P", "hints": 1}]})

    force: str
    hints: int


class FinishRequest(RequestBody):
    """The last known version of the run."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 12}]})

    version: Annotated[int, Field(ge=0)]


class RunSubmission(RequestBody):
    """How many of a run's first boards to submit, and to which competition if any."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"boards": 20, "competition": None}]})

    boards: Annotated[int, Field(ge=1, le=200)]
    competition: Annotated[CompetitionId, Field(pattern=rf"^{PATTERN}$")] | None = None


class Fork(RequestBody):
    """The board from which the new run continues."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"board": 7}]})

    board: Annotated[int, Field(ge=1, le=200)]


class RunShown(BaseModel):
    """A run. `cells` are the blocks row by row; `refused` is why the first refused command was."""

    model_config = example(
        id=ENTRY_ID, name="Evening run", version=3, counts=[39], mean=MEAN, board=2, face="B", cells=[1, 2],
        moves=["P7"], undone=[], solved=False, hints=0, finished=0, refused=None,
    )  # fmt: skip

    id: str
    name: str
    version: int
    counts: list[int]
    mean: MeanShown | None
    board: int
    face: str
    cells: list[int]
    moves: list[str]
    undone: list[str]
    solved: bool
    hints: int
    finished: int
    refused: str | None

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


class RunListed(BaseModel):
    """A run in a list of runs."""

    model_config = example(id=ENTRY_ID, name="Evening run", updated_at="2026-11-21T12:00:00Z", counts=[39])

    id: str
    name: str
    updated_at: datetime
    counts: list[int]

    @classmethod
    def of(cls, run: RunSummary) -> Self:
        """Return a run as the API lists it."""
        return cls(id=run.id, name=run.name, updated_at=run.updated_at, counts=list(run.counts))
