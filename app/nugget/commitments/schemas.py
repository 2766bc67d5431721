"""Commitments as the JSON API accepts and returns them."""

from typing import Annotated

from pydantic import AfterValidator, Field

from app.core.i18n.text import _
from app.core.web.bodies import RequestBody
from app.core.web.params import RankedList
from app.nugget.commitments.queries import CommitmentShown
from app.nugget.forms import ChosenCompetition
from engine.golden_nugget.sealing import is_hash


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
    competition: ChosenCompetition = None


class CommitmentList(RankedList[CommitmentShown]):
    """A page of commitments, the newest first, and the cursor of the next one."""
