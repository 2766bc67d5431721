"""Records, the verdicts on them, and entries with their receipts."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.nugget.entries import Submitted, moves_in
from app.nugget.queries import EntryInfo
from app.nugget.schemas.means import ENTRY_ID, MEAN, MeanShown, example
from engine.golden_nugget.entry import Verdict
from engine.golden_nugget.ledger import Link

_RECEIPT: dict[str, Any] = {
    "sequence": 1,
    "kind": "entry",
    "entry": ENTRY_ID,
    "player": "wren",
    "submitted_at": "2026-11-21T12:00:00.000000Z",
    "withdrawn_at": None,
    "removed_at": None,
    "reason": None,
    "record_sha256": "9f2c…",
    "previous": "0000…",
    "hash": "51ab…",
}


class Record(RequestBody):
    """A record: the moves of each board, short (`P`) or full (`P7`)."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"boards": [["P7", "54", "L6"], ["A6"]]}]})

    boards: Annotated[
        list[Annotated[list[Annotated[str, Field(max_length=16)]], Field(max_length=1_000)]],
        Field(max_length=1_000),
    ]


class ProblemShown(BaseModel):
    """A problem of a record; boards and moves are numbered from 1."""

    model_config = example(board=3, move=7, code="no_white", message="Force P: There is no white block …")

    board: int | None
    move: int | None
    code: str
    message: str


class VerdictShown(BaseModel):
    """The result of checking a record. `more_errors`: there are more than those listed."""

    model_config = example(valid=True, boards=20, moves=712, mean=MEAN, errors=[])

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

    model_config = example(**_RECEIPT)

    sequence: int
    kind: str
    entry: str
    player: str | None = None
    submitted_at: str | None = None
    withdrawn_at: str | None = None
    removed_at: str | None = None
    reason: str | None = None
    record_sha256: str | None = None
    previous: str
    hash: str

    @classmethod
    def of(cls, link: Link) -> Self:
        """Return a link as the API shows it."""
        return cls.model_validate(asdict(link))


class ShareShown(BaseModel):
    """An earlier entry of somebody else, and the boards that come from it: the number here, and there."""

    model_config = example(entry_id=ENTRY_ID, username="kea", boards=[[7, 12], [8, 13]])

    entry_id: str
    username: str
    boards: list[Annotated[list[int], Field(min_length=2, max_length=2)]]


class EntryAccepted(BaseModel):
    """An accepted entry: its current rank, its receipt, and where its boards come from (see EntryShown)."""

    model_config = example(
        id=ENTRY_ID,
        boards=20,
        moves=712,
        mean=MEAN,
        rank=1,
        assisted=False,
        shared_boards=0,
        derived_from=None,
        shares=[],
        helped_boards=[],
        receipt=_RECEIPT,
    )

    id: str
    boards: int
    moves: int
    mean: MeanShown
    rank: int
    assisted: bool
    shared_boards: int
    derived_from: str | None
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

    model_config = example(
        id=ENTRY_ID,
        username="wren",
        boards=20,
        counts=[39, 38],
        mean=MEAN,
        rank=1,
        assisted=False,
        shared_boards=0,
        derived_from=None,
        shares=[],
        helped_boards=[],
        digest="9f2c…",
        submitted_at="2026-11-21T12:00:00Z",
        published_at=None,
        withdrawn_at=None,
        competition=None,
        moves=None,
        receipts=[_RECEIPT],
    )

    id: str
    username: str
    boards: int | None
    counts: list[int] | None
    mean: MeanShown | None
    rank: int | None
    assisted: bool | None
    shared_boards: int | None
    derived_from: str | None
    shares: list[ShareShown] | None
    helped_boards: list[int] | None
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
