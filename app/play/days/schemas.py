"""What the JSON API tells of each board of the day."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BaseModel

from app.core.web.shown import example
from app.play.days.days import Lot

Sha256 = Annotated[str, example("9f2c…")]


class LotShown(BaseModel):
    """A day, whose board is drawn from a seed; its SHA-256 was announced the day before.

    The `seed` is null until the day is over, `tomorrow`, the SHA-256 of the next one, when it is.
    """

    date: date
    seed_commitment: Sha256
    seed: Annotated[str, example("51ab…")] | None
    announced_at: datetime
    tomorrow: Sha256 | None


def members_of(lot: Lot, tomorrow: str | None) -> dict[str, Any]:
    """Return the members of `LotShown`, and what the computer found as `best`."""
    return {
        "date": lot.day,
        "seed_commitment": lot.seed_commitment,
        "seed": lot.seed,
        "announced_at": lot.announced_at,
        "tomorrow": None if lot.is_over else tomorrow,
        "best": list(lot.best) if lot.best else None,
    }
