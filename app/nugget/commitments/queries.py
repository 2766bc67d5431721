"""Commitments as everybody sees them, and until when they may be revealed."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.rank_order import RankedPage, RankOrder
from app.core.errors import found
from app.core.web.shown import Hidden, Id, Username, example
from app.nugget import ledger
from app.nugget.commitments.models import Commitment
from app.nugget.models import Competition, Entry
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME

AFTER_COMPETITION = timedelta(days=7)
"""How long after the end of its competition a commitment may be revealed."""

WITHOUT_COMPETITION = timedelta(days=30)
"""How long one that is for no competition may be revealed."""

LATEST = 20
"""The commitments on the page of a competition or a player, which leads to the others."""

EXPIRES_AT: ColumnElement[datetime] = case(
    (Commitment.competition_id.is_(None), Commitment.committed_at + WITHOUT_COMPETITION),
    else_=select(Competition.ends_at + AFTER_COMPETITION)
    .where(Competition.id == Commitment.competition_id)
    .scalar_subquery(),
)
"""Until when a commitment may be revealed."""

IS_PENDING = and_(Commitment.entry_id.is_(None), func.clock_timestamp() < EXPIRES_AT)
"""Whether a commitment can still be revealed."""

HAS_FILE = and_(
    Commitment.file != b"",
    exists().where(Entry.id == Commitment.entry_id, Entry.withdrawn_at.is_(None)),
)
"""Whether there is a file for those who may read the moves: not if it was removed, or the entry withdrawn."""

_NEWEST = RankOrder(Commitment.committed_at.desc(), Commitment.id, ties=2)
_STATUS = case((Commitment.entry_id.is_not(None), "revealed"), (IS_PENDING, "sealed"), else_="expired")
_COMMITMENTS: Select[*tuple[Any, ...]] = select(
    Commitment.id,
    Commitment.account_id,
    SHOWN_NAME,
    Commitment.sha256,
    Commitment.competition_id,
    Commitment.committed_at,
    EXPIRES_AT.label("expires_at"),
    _STATUS.label("status"),
    Commitment.entry_id,
    func.coalesce(HAS_FILE, False),
).join(Account, Account.id == Commitment.account_id)


Sha256 = Annotated[str, example("9f2c…")]


@dataclass(frozen=True, slots=True)
class CommitmentShown:
    """A commitment to a record file by its SHA-256.

    It can be revealed until `expires_at`. `status` is sealed until it is revealed, which makes it the entry
    `entry_id`, or expired. A closed account has no `username`.
    """

    id: Id
    account_id: Hidden[int]
    username: Username | None
    sha256: Sha256
    competition: Id | None
    committed_at: datetime
    expires_at: datetime
    status: Annotated[str, example("sealed")]
    entry_id: Id | None
    has_file: Hidden[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentReceipt:
    """The link of a commitment in the ledger; without its player if the name was erased."""

    sequence: int
    kind: Annotated[str, example("commitment")]
    commitment: Id
    player: Username | None = None
    committed_at: Annotated[str, example("2026-11-27T12:00:00.000000Z")]
    competition: Annotated[str, example("x7k2mq9rtz")]
    sha256: Sha256
    previous: Annotated[str, example("0000…")]
    hash: Annotated[str, example("51ab…")]


@dataclass(frozen=True, slots=True)
class CommitmentAccepted(CommitmentShown):
    """A commitment to a record file by its SHA-256, and its receipt in the ledger.

    It can be revealed until `expires_at`. `status` is sealed until it is revealed, which makes it the entry
    `entry_id`, or expired. A closed account has no `username`.
    """

    receipt: CommitmentReceipt


async def load(session: AsyncSession, commitment_id: str) -> CommitmentShown:
    """Return a commitment. Raise NotFoundError."""
    return CommitmentShown(*await _row(session, commitment_id))


async def load_accepted(session: AsyncSession, commitment_id: str) -> CommitmentAccepted:
    """Return a commitment with its receipt. Raise NotFoundError."""
    row = await _row(session, commitment_id)
    receipt = CommitmentReceipt(**asdict(await ledger.commitment(session, commitment_id)))
    return CommitmentAccepted(*row, receipt)  # type: ignore[call-arg]


async def _row(session: AsyncSession, commitment_id: str) -> Sequence[Any]:
    row = await session.execute(_COMMITMENTS.where(Commitment.id == commitment_id))
    return found(row.one_or_none(), "commitment")


async def listed(
    session: AsyncSession, which: ColumnElement[bool], cursor: str, limit: int
) -> RankedPage[CommitmentShown]:
    """Return a page of the commitments that meet a condition, the newest first.

    Raise InvalidError `bad_cursor`.
    """
    rows = (await session.execute(_NEWEST.select_page(_COMMITMENTS.where(which), cursor, limit))).all()
    shown = [CommitmentShown(*row) for row in rows]
    return _NEWEST.page(shown, limit, lambda commitment: (commitment.committed_at, commitment.id))
