"""Golden Nugget as the JSON API takes and gives it."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from app.nugget.competitions import CompetitionInfo
from app.nugget.entries import EntryInfo, moves_in
from app.nugget.runs import RunState
from engine.golden_nugget.ranking import mean_of

_MEAN = {"moves": 712, "boards": 20, "text": "35.60"}
_ENTRY_ID = "k7m2wq9xab"


def _example(**members: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [members]})


class MeanShown(BaseModel):
    """Moves a board, as an exact fraction and to two decimals."""

    model_config = _example(**_MEAN)

    moves: int
    boards: int
    text: str


class Record(BaseModel):
    """A record: the moves of each board, short (`P`) or full (`P7`)."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"boards": [["P7", "54", "L6"], ["A6"]]}]}
    )

    boards: Annotated[
        list[Annotated[list[Annotated[str, Field(max_length=16)]], Field(max_length=1_000)]],
        Field(max_length=1_000),
    ]


class ProblemShown(BaseModel):
    """One thing that is wrong in a record; `move` counts from 1."""

    model_config = _example(board=3, move=7, code="no_white", message="Force P: There is no white block …")

    board: int | None
    move: int | None
    code: str
    message: str


class VerdictShown(BaseModel):
    """What checking a record found. `more_errors`: there are more than those listed."""

    model_config = _example(valid=True, boards=20, moves=712, mean=_MEAN, errors=[])

    valid: bool
    boards: int
    moves: int
    mean: MeanShown | None
    errors: list[ProblemShown]
    more_errors: bool = False


class ReceiptShown(BaseModel):
    """A link of the ledger: the receipt of an entry, or its withdrawal (without what it does not have)."""

    model_config = _example(
        sequence=1,
        kind="entry",
        entry=_ENTRY_ID,
        player="wren",
        submitted_at="2026-11-21T12:00:00.000000Z",
        record_sha256="9f2c…",
        previous="0000…",
        hash="51ab…",
    )

    sequence: int
    kind: str
    entry: str
    player: str | None = None
    submitted_at: str | None = None
    withdrawn_at: str | None = None
    record_sha256: str | None = None
    previous: str
    hash: str


class EntryAccepted(BaseModel):
    """An entry that was just accepted: its rank now, and its receipt."""

    model_config = _example(id=_ENTRY_ID, boards=20, moves=712, mean=_MEAN, rank=1, receipt={"sequence": 1})

    id: str
    boards: int
    moves: int
    mean: MeanShown
    rank: int
    receipt: ReceiptShown


class EntryShown(BaseModel):
    """An entry as the reader may see it: `moves` are null while they are the owner's secret.

    `counts` and `mean` are null while it is sealed in a competition that has not ended.
    """

    model_config = _example(
        id=_ENTRY_ID,
        username="wren",
        boards=20,
        counts=[39, 38],
        mean=_MEAN,
        rank=1,
        moves=None,
        digest="9f2c…",
    )

    id: str
    username: str
    boards: int | None
    counts: list[int] | None
    mean: MeanShown | None
    rank: int | None
    digest: str
    submitted_at: datetime
    published_at: datetime | None
    withdrawn_at: datetime | None
    competition: str | None
    moves: list[list[str]] | None
    receipts: list[ReceiptShown]

    @classmethod
    def of(cls, entry: EntryInfo) -> Self:
        """Show an entry."""
        return cls(
            id=entry.id,
            username=entry.username,
            boards=len(entry.counts) if entry.counts else None,
            counts=list(entry.counts) if entry.counts else None,
            mean=MeanShown.model_validate(entry.mean.as_json()) if entry.mean else None,
            rank=entry.rank,
            digest=entry.digest,
            submitted_at=entry.submitted_at,
            published_at=entry.published_at,
            withdrawn_at=entry.withdrawn_at,
            competition=entry.competition_id,
            moves=[[str(made) for made in board] for board in moves_in(entry.record)]
            if entry.record
            else None,
            receipts=[ReceiptShown.model_validate(asdict(link)) for link in entry.links],
        )


class RankingRow(BaseModel):
    """A row of a ranking; equal entries share the rank."""

    model_config = _example(
        rank=1, username="wren", boards=20, moves=712, mean=_MEAN, submitted_at="2026-11-21T12:00:00Z",
        entry_id=_ENTRY_ID,
    )  # fmt: skip

    rank: int
    username: str
    boards: int
    moves: int
    mean: MeanShown
    submitted_at: datetime
    entry_id: str


class RankingPage(BaseModel):
    """A page of a ranking, and the cursor of the next one."""

    model_config = _example(rows=[], next=None)

    rows: list[RankingRow]
    next: str | None


class NewRun(BaseModel):
    """A run to begin."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Evening run"}]})

    name: Annotated[str, Field(max_length=60)] = ""


class RunCommands(BaseModel):
    """Commands in order: forces, `undo`, `redo`, `start`, `to:N`, `turn`; the run's version as last seen."""

    model_config = ConfigDict(
        extra="forbid",
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
    request_id: UUID


class NuggetHint(BaseModel):
    """A force to push with, and how many hints the run has had."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"force": "P", "hints": 1}]})

    force: str
    hints: int


class FinishRequest(BaseModel):
    """The run's version as last seen."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"version": 12}]})

    version: Annotated[int, Field(ge=0)]


class RunSubmission(BaseModel):
    """Which of a run's first boards to submit, and into which competition if any."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"boards": 20, "competition": None}]}
    )

    boards: Annotated[int, Field(ge=1, le=200)]
    competition: Annotated[str, Field(max_length=64)] | None = None


class Fork(BaseModel):
    """The board at whose start another run begins."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"board": 7}]})

    board: Annotated[int, Field(ge=1, le=200)]


class RunShown(BaseModel):
    """A run as it stands. `cells` are the blocks row by row; `refused` is why a command was refused."""

    model_config = _example(
        id=_ENTRY_ID, name="Evening run", version=3, counts=[39], mean=_MEAN, board=2, face="B", cells=[1, 2],
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
        """Show a run."""
        counts, play = list(run.solved_counts), run.play
        return cls(
            id=run.id,
            name=run.name,
            version=run.version,
            counts=counts,
            mean=MeanShown.model_validate(mean_of(counts).as_json()) if counts else None,
            board=play.number,
            face=play.start.face,
            cells=list(play.board.cells),
            moves=[str(made) for made in play.made],
            undone=[str(made) for made in play.undone],
            solved=play.is_solved,
            hints=run.hints,
            finished=run.finished,
            refused=refused,
        )


class RunListed(BaseModel):
    """A run in the list of one's runs."""

    model_config = _example(id=_ENTRY_ID, name="Evening run", updated_at="2026-11-21T12:00:00Z", counts=[39])

    id: str
    name: str
    updated_at: datetime
    counts: list[int]


class CompetitionShown(BaseModel):
    """A competition; while it is sealed, its ranking is refused."""

    model_config = _example(
        id="winter-cup-x7k2", title="Winter cup", text="", organiser="wren", status="open",
        starts_at="2026-12-01T00:00:00Z", ends_at="2026-12-31T00:00:00Z", min_boards=20, max_boards=50,
        visibility="sealed", entries=3,
    )  # fmt: skip

    id: str
    title: str
    text: str
    organiser: str
    status: str
    starts_at: datetime
    ends_at: datetime
    min_boards: int
    max_boards: int
    visibility: str
    entries: int

    @classmethod
    def of(cls, found: CompetitionInfo) -> Self:
        """Show a competition."""
        return cls.model_validate(found, from_attributes=True)
