"""Records, the verdicts on them, and entries with their receipts."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.shown import Id, Move, Text, Unchecked, Username, example
from app.nugget.entries import Submitted, moves_in
from app.nugget.queries import EntryInfo
from engine.golden_nugget.entry import Verdict
from engine.golden_nugget.ledger import Link
from engine.golden_nugget.ranking import Mean


class MeanShown(BaseModel):
    """Moves per board, as an exact fraction and rounded to two decimals."""

    moves: int
    boards: int
    text: Annotated[str, example("35.60")]

    @classmethod
    def of(cls, mean: Mean) -> Self:
        """Return a mean as the API shows it."""
        return cls.model_validate(mean.as_json())


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


class ReceiptShown(BaseModel):
    """A link of the ledger: the receipt of an entry, or its withdrawal or removal, with other fields."""

    sequence: int
    kind: Annotated[str, example("entry")]
    entry: Id
    player: Username | None = None
    submitted_at: Annotated[str, example("2026-11-21T12:00:00.000000Z")] | None = None
    withdrawn_at: str | None = None
    removed_at: str | None = None
    reason: Text | None = None
    record_sha256: Annotated[str, example("9f2c…")] | None = None
    previous: Annotated[str, example("0000…")]
    hash: Annotated[str, example("51ab…")]

    @classmethod
    def of(cls, link: Link) -> Self:
        """Return a link as the API shows it."""
        return cls.model_validate(asdict(link))


class ShareShown(BaseModel):
    """An earlier entry of somebody else, and the boards that come from it: the number here, and there."""

    entry_id: Id
    username: Username
    boards: list[Unchecked[Annotated[list[int], Field(min_length=2, max_length=2, examples=[[7, 12]])]]]


class EntryAccepted(BaseModel):
    """An accepted entry: its current rank, its receipt, and where its boards come from (see EntryShown)."""

    id: Id
    boards: int
    moves: int
    mean: MeanShown
    rank: int
    assisted: bool
    shared_boards: int
    derived_from: Id | None
    shares: list[ShareShown]
    helped_boards: list[int]
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
            assisted=entry.assisted,
            **_lineage(entry),
            receipt=ReceiptShown.of(entry.links[0]),
        )


class EntryShown(BaseModel):
    """An entry as the reader may see it: `moves` are null until its player publishes them.

    `counts` and `mean` are null while it is sealed in a competition that has not ended. `digest` is the
    SHA-256 of the record's canonical form.

    `shared_boards` counts the boards that come from somebody else's published entry from before, from a
    computer's entry (`shares`), or from the computer's help (`helped_boards`); null while sealed. From 5 on,
    `derived_from` is the entry's id or the computer's username. An `assisted` entry ranks among those only.
    """

    id: Id
    username: Username
    boards: int | None
    counts: list[int] | None
    mean: MeanShown | None
    rank: int | None
    assisted: bool | None
    shared_boards: int | None
    derived_from: Id | None
    shares: list[ShareShown] | None
    helped_boards: list[int] | None
    digest: Annotated[str, example("9f2c…")]
    submitted_at: datetime
    published_at: datetime | None
    withdrawn_at: datetime | None
    competition: Id | None
    moves: list[list[Move]] | None
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
            assisted=entry.assisted if entry.counts else None,
            **_lineage(entry),
            digest=entry.record_sha256,
            submitted_at=entry.submitted_at,
            published_at=entry.published_at,
            withdrawn_at=entry.withdrawn_at,
            competition=entry.competition_id,
            moves=[list(map(str, board)) for board in moves_in(entry.record)] if entry.record else None,
            receipts=[ReceiptShown.of(link) for link in entry.links],
        )


def _lineage(entry: EntryInfo) -> dict[str, Any]:
    """Return the fields about where the boards of an entry come from, null while that is secret."""
    lineage = entry.lineage
    if lineage is None:
        return dict.fromkeys(("shared_boards", "derived_from", "shares", "helped_boards"))
    return {
        "shared_boards": lineage.boards,
        "derived_from": lineage.source,
        "shares": [ShareShown.model_validate(asdict(share)) for share in lineage.shares],
        "helped_boards": list(lineage.helped),
    }
