"""Entries, their rankings and runs as the JSON API accepts and returns them."""

from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from app.core.errors import members
from app.core.web.bodies import BodyUuid, RequestBody
from app.core.web.params import RankedList
from app.core.web.shown import Id, Move, Shown, Text, Unchecked, Username, example
from app.nugget.accepting import SubmittedEntry
from app.nugget.bounds.proven import start_bound
from app.nugget.commands import MOST_COMMANDS, RefusedCommand
from app.nugget.contents import moves_in
from app.nugget.forms import ChosenCompetition
from app.nugget.means import MeanShown, ShownMean
from app.nugget.queries import EntryInfo, EntryListed
from app.nugget.run_names import LONGEST_NAME
from app.nugget.runs import RunName, RunState, StaleRunError
from app.nugget.standings import RankingRow
from engine.golden_nugget.entry import Verdict
from engine.golden_nugget.ledger import AnyReveal
from engine.golden_nugget.play import Play
from engine.golden_nugget.ranking import mean_of


class Record(RequestBody):
    """A record: the moves of each board, short (`P`) or full (`P7`)."""

    boards: Annotated[
        list[Annotated[list[Annotated[str, Field(max_length=16)]], Field(max_length=1_000)]],
        Field(max_length=1_000, examples=[[["P7", "54", "L6"], ["A6"]]]),
    ]


class ProblemShown(BaseModel):
    """A problem of a record; boards and moves are numbered from 1."""

    board: int | None
    move: int | None
    code: Annotated[str, example("no_white")]
    message: Annotated[str, example("Force P: There is no white block …")]


class VerdictShown(BaseModel):
    """The result of checking a record. `more_errors`: there are more than those listed."""

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


class ReceiptShown(Shown):
    """A link of the ledger: the receipt of an entry, or its withdrawal or removal, with other fields."""

    sequence: int
    kind: Annotated[str, example("entry")]
    entry: Id
    player: Username | None = None
    submitted_at: Annotated[str, example("2026-11-21T12:00:00.000000Z")] | None = None
    commitment: Id | None = None
    revealed_at: str | None = None
    withdrawn_at: str | None = None
    removed_at: str | None = None
    reason: Text | None = None
    record_sha256: Annotated[str, example("9f2c…")] | None = None
    previous: Annotated[str, example("0000…")]
    hash: Annotated[str, example("51ab…")]


class ShareShown(Shown):
    """An earlier entry of somebody else, and the boards that come from it: the number here, and there."""

    entry_id: Id
    username: Username
    boards: list[Unchecked[Annotated[list[int], Field(min_length=2, max_length=2, examples=[[7, 12]])]]]


class EntryAccepted(BaseModel):
    """An accepted entry: its current rank, its receipt, and where its boards come from (see EntryShown)."""

    id: Id
    boards: int
    moves: int
    mean: ShownMean
    rank: int
    assisted: bool
    common: bool
    shared_boards: int
    derived_from: Id | None
    shares: list[ShareShown]
    helped_boards: list[int]
    receipt: ReceiptShown

    @classmethod
    def of(cls, submitted: SubmittedEntry) -> Self:
        """Return an accepted entry as the API shows it."""
        entry = submitted.entry
        assert entry.mean is not None
        assert entry.rank is not None
        return cls(
            id=entry.id,
            boards=entry.mean.boards,
            moves=entry.mean.moves,
            mean=entry.mean,
            rank=entry.rank,
            assisted=entry.assisted,
            common=entry.common,
            **_lineage(entry),
            receipt=entry.links[0],
        )


class EntryShown(BaseModel):
    """An entry as the reader may see it.

    `moves` are null until its player publishes them, or the end of its competition opens them (`opened_at`).

    `counts` and `mean` are null while it is sealed in a competition that has not ended. `digest` is the
    SHA-256 of the record's canonical form.

    `shared_boards` counts the boards that come from somebody else's published entry from before, from a
    computer's entry (`shares`), or from the computer's help (`helped_boards`); null while sealed. From 5 on,
    `derived_from` is the entry's id or the computer's username. An `assisted` entry ranks among those only,
    and so does a `common` one, of which as many boards come from other players. No solution of board 1 has
    fewer moves than `start_bound`.

    What its player had committed to counts as submitted at the moment of the `commitment`, and was
    `revealed_at` later.
    """

    id: Id
    username: Username
    boards: int | None
    counts: list[int] | None
    start_bound: int
    mean: ShownMean | None
    rank: int | None
    assisted: bool | None
    common: bool | None
    shared_boards: int | None
    derived_from: Id | None
    shares: list[ShareShown] | None
    helped_boards: list[int] | None
    digest: Annotated[str, example("9f2c…")]
    submitted_at: datetime
    commitment: Id | None
    revealed_at: datetime | None
    published_at: datetime | None
    opened_at: datetime | None
    withdrawn_at: datetime | None
    competition: Id | None
    moves: list[list[Move]] | None
    receipts: list[ReceiptShown]

    @classmethod
    def of(cls, entry: EntryInfo) -> Self:
        """Return an entry as the API shows it."""
        receipt = entry.links[0]
        return cls(
            id=entry.id,
            username=entry.username,
            boards=entry.boards,
            counts=list(entry.counts) if entry.counts else None,
            start_bound=start_bound(),
            mean=entry.mean,
            rank=entry.rank,
            assisted=entry.assisted,
            common=entry.common,
            **_lineage(entry),
            digest=entry.record_sha256,
            submitted_at=entry.submitted_at,
            commitment=receipt.commitment if isinstance(receipt, AnyReveal) else None,
            revealed_at=entry.revealed_at,
            published_at=entry.published_at,
            opened_at=entry.opened_at,
            withdrawn_at=entry.withdrawn_at,
            competition=entry.competition_id,
            moves=[list(map(str, board)) for board in moves_in(entry.record)] if entry.record else None,
            receipts=list(entry.links),
        )


def _lineage(entry: EntryInfo) -> dict[str, Any]:
    """Return the fields about where the boards of an entry come from, null while that is secret."""
    lineage = entry.lineage
    if lineage is None:
        return dict.fromkeys(("shared_boards", "derived_from", "shares", "helped_boards"))
    return {
        "shared_boards": lineage.boards,
        "derived_from": lineage.source,
        "shares": list(lineage.shares),
        "helped_boards": list(lineage.helped),
    }


class EntryList(RankedList[EntryListed]):
    """A page of a player's entries, the newest first, and the cursor of the next one."""


class RankingPage(RankedList[RankingRow]):
    """A page of a ranking, and the cursor of the next one."""


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
