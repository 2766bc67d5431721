"""Commitments as the JSON API accepts and returns them."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, Field

from app.core.i18n.text import _
from app.core.web.bodies import RequestBody
from app.core.web.params import RankedList
from app.core.web.shown import Id, Shown, Username, example
from app.nugget.commitments.queries import CommitmentShown
from app.nugget.commitments.service import CommitmentInfo
from app.nugget.forms import PATTERN, CompetitionId
from engine.golden_nugget.sealing import is_hash

Sha256 = Annotated[str, example("9f2c…")]


def _hash(text: str) -> str:
    if not is_hash(text.lower()):
        raise ValueError(_("Enter the SHA-256 of your file: 64 digits from 0 to 9 and a to f."))
    return text.lower()


class CommitmentRequest(RequestBody):
    """The SHA-256 of a record file with its salt, and the competition that it is for, if any."""

    sha256: Annotated[
        str,
        Field(max_length=64, examples=["9f2c" * 16], json_schema_extra={"pattern": "^[0-9A-Fa-f]{64}$"}),
        AfterValidator(_hash),
    ]
    competition: Annotated[CompetitionId, Field(pattern=rf"^{PATTERN}$", examples=["x7k2mq9rtz"])] | None = (
        None
    )


class CommitmentReceipt(Shown):
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


class CommitmentAccepted(BaseModel):
    """A commitment to a record file by its SHA-256, and its receipt in the ledger.

    It can be revealed until `expires_at`. `status` is sealed until it is revealed, which makes it the entry
    `entry_id`, or expired. A closed account has no `username`.
    """

    id: Id
    username: Username | None
    sha256: Sha256
    competition: Id | None
    committed_at: datetime
    expires_at: datetime
    status: Annotated[str, example("sealed")]
    entry_id: Id | None
    receipt: CommitmentReceipt

    @classmethod
    def of(cls, info: CommitmentInfo) -> Self:
        """Return a commitment as the API shows it."""
        return cls(**asdict(info.commitment), receipt=CommitmentReceipt.model_validate(info.link))


class CommitmentList(RankedList[CommitmentShown]):
    """A page of commitments, the newest first, and the cursor of the next one."""
