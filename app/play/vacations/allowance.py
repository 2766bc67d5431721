"""How much vacation an account has saved up, as a value: 30 days a year, at most 30 days."""

from dataclasses import dataclass

from engine.counted_time import Stop

DAY = 24 * 60 * 60 * 1000
MOST_DAYS = 30
_AT_FIRST = 7 * DAY
_A_YEAR = 365  # days, in which as many as `MOST_DAYS` are added


@dataclass(frozen=True, slots=True)
class Allowance:
    """The milliseconds `saved` at the moment `counted_at`, and the last vacation, which may be going on."""

    saved: int
    counted_at: int
    vacation: Stop | None = None

    def left(self, now: int) -> int:
        """Return the milliseconds of vacation that may be taken at a moment. None are added during one."""
        added = max(0, now - self.counted_at) * MOST_DAYS // _A_YEAR
        return min(MOST_DAYS * DAY, self.saved + added)

    def days_left(self, now: int) -> int:
        """Return the whole days of vacation that may be taken at a moment."""
        return self.left(now) // DAY

    def until(self, now: int) -> int | None:
        """Return the end of the vacation that is going on at a moment, or None."""
        return self.vacation[1] if self.vacation is not None and self.vacation[1] > now else None

    def begun(self, days: int, now: int) -> "Allowance":
        """Return the allowance after the beginning of a vacation of some days, which have to be left."""
        until = now + days * DAY
        return Allowance(self.left(now) - days * DAY, until, (now, until))

    def ended(self, now: int) -> "Allowance":
        """Return the allowance after the end of the vacation that is going on. It takes at least a day."""
        assert self.vacation is not None
        since, until = self.vacation
        unused = until - max(now, since + DAY)
        return Allowance(self.saved + unused, now, (since, now))


def at_first(created_at: int) -> Allowance:
    """Return the allowance of an account that has never been on vacation: a week since it was created."""
    return Allowance(_AT_FIRST, created_at)
