"""Golden Nugget as the JSON API accepts and returns it."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from app.database.ranking import RankedPage
from app.nugget.competitions import CompetitionInfo
from app.nugget.entries import EntryInfo, Submitted, moves_in
from app.nugget.runs import RunState, RunSummary
from app.nugget.standings import RankedEntry
from engine.golden_nugget.entry import Verdict
from engine.golden_nugget.ledger import Link
from engine.golden_nugget.ranking import Mean, mean_of

_MEAN = {"moves": 712, "boards": 20, "text": "35.60"}
_ENTRY_ID = "k7m2wq9xab"


def _example(**members: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [members]})


class MeanShown(BaseModel):
    """Moves per board, as an exact fraction and rounded to two decimals."""

    model_config = _example(**_MEAN)

    moves: int
    boards: int
    text: str

    @classmethod
    def of(cls, mean: Mean) -> Self:
        """Return a mean as the API shows it."""
        return cls.model_validate(mean.as_json())


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
    """A problem of a record; boards and moves are numbered from 1."""

    model_config = _example(board=3, move=7, code="no_white", message="Force P: There is no white block …")

    board: int | None
    move: int | None
    code: str
    message: str


class VerdictShown(BaseModel):
    """The result of checking a record. `more_errors`: there are more than those listed."""

    model_config = _example(valid=True, boards=20, moves=712, mean=_MEAN, errors=[])

    valid: bool
    boards: int
    moves: int
    mean: MeanShown | None
    errors: list[ProblemShown]
    more_errors: bool = False

    @classmethod
    def of(cls, verdict: Verdict) -> Self:
        """Return a verdict as the API shows it."""
        return cls.model_validate(verdict.as_json())


class ReceiptShown(BaseModel):
    """A link of the ledger: the receipt of an entry, or its withdrawal, which has fewer fields."""

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

    @classmethod
    def of(cls, link: Link) -> Self:
        """Return a link as the API shows it."""
        return cls.model_validate(asdict(link))


class EntryAccepted(BaseModel):
    """An accepted entry: its current rank, and its receipt."""

    model_config = _example(id=_ENTRY_ID, boards=20, moves=712, mean=_MEAN, rank=1, receipt={"sequence": 1})

    id: str
    boards: int
    moves: int
    mean: MeanShown
    rank: int
    receipt: ReceiptShown

    @classmethod
    def of(cls, submitted: Submitted) -> Self:
        """Return an accepted entry as the API shows it."""
        entry = submitted.entry
        assert entry.mean is not None
        assert entry.rank is not None
        return cls(
            id=entry.id,
            boards=entry.mean.boards,
            moves=entry.mean.moves,
            mean=MeanShown.of(entry.mean),
            rank=entry.rank,
            receipt=ReceiptShown.of(entry.links[0]),
        )


class EntryShown(BaseModel):
    """An entry as the reader may see it: `moves` are null until its player publishes them.

    `counts` and `mean` are null while it is sealed in a competition that has not ended. `digest` is the
    SHA-256 of the record's canonical form.
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
        """Return an entry as the API shows it."""
        return cls(
            id=entry.id,
            username=entry.username,
            boards=len(entry.counts) if entry.counts else None,
            counts=list(entry.counts) if entry.counts else None,
            mean=MeanShown.of(entry.mean) if entry.mean else None,
            rank=entry.rank,
            digest=entry.record_sha256,
            submitted_at=entry.submitted_at,
            published_at=entry.published_at,
            withdrawn_at=entry.withdrawn_at,
            competition=entry.competition_id,
            moves=[list(map(str, board)) for board in moves_in(entry.record)] if entry.record else None,
            receipts=[ReceiptShown.of(link) for link in entry.links],
        )


class RankingRow(BaseModel):
    """A row of a ranking; equal entries share a rank."""

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

    @classmethod
    def of(cls, page: RankedPage[RankedEntry]) -> Self:
        """Return a page as the API shows it."""
        return cls(rows=[RankingRow.model_validate(row.as_dict()) for row in page.rows], next=page.next)


class NewRun(BaseModel):
    """A run to start."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Evening run"}]})

    name: Annotated[str, Field(max_length=60)] = ""


class RunCommands(BaseModel):
    """Commands in order: forces, `undo`, `redo`, `start`, `to:N`, `turn`; and the last known version."""

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
    """A suggested force, and the number of hints of the run."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"force": "P", "hints": 1}]})

    force: str
    hints: int


class FinishRequest(BaseModel):
    """The last known version of the run."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"version": 12}]})

    version: Annotated[int, Field(ge=0)]


class RunSubmission(BaseModel):
    """How many of a run's first boards to submit, and to which competition if any."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"boards": 20, "competition": None}]}
    )

    boards: Annotated[int, Field(ge=1, le=200)]
    competition: Annotated[str, Field(max_length=64, pattern=r"^[a-z0-9-]+$")] | None = None


class Fork(BaseModel):
    """The board from which the new run continues."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"board": 7}]})

    board: Annotated[int, Field(ge=1, le=200)]


class RunShown(BaseModel):
    """A run. `cells` are the blocks row by row; `refused` is why the first refused command was."""

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


class RunListed(BaseModel):
    """A run in a list of runs."""

    model_config = _example(id=_ENTRY_ID, name="Evening run", updated_at="2026-11-21T12:00:00Z", counts=[39])

    id: str
    name: str
    updated_at: datetime
    counts: list[int]

    @classmethod
    def of(cls, run: RunSummary) -> Self:
        """Return a run as the API lists it."""
        return cls(id=run.id, name=run.name, updated_at=run.updated_at, counts=list(run.counts))


class CompetitionShown(BaseModel):
    """A competition. The ranking of a `sealed` one is secret until it ends."""

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
    def of(cls, competition: CompetitionInfo) -> Self:
        """Return a competition as the API shows it."""
        return cls.model_validate(competition, from_attributes=True)
