"""How addresses name days: 2026-11-27."""

from datetime import date

from app.core.errors import NotFoundError
from app.core.web.paths import register_pattern

register_pattern("day", "[0-9]{4}-[0-9]{2}-[0-9]{2}")


def day_of(text: str) -> date:
    """Return the day of an address. Raise NotFoundError if the calendar has none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotFoundError("day") from None
