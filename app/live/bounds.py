"""Bounds for one connection: how much it may cost before it brings something, and how long that may take."""

import asyncio
from collections.abc import Callable


class Allowance:
    """How much a connection may still cost beyond what it is there for; that earns it back."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.left = most

    def spend(self, amount: int) -> None:
        """Take an amount from what is left. What is left is negative if that was too much."""
        self.left -= amount

    def earn(self, amount: int) -> None:
        """Restore an amount, but not more than there was in the beginning."""
        self.left = min(self._most, self.left + amount)

    def renew(self) -> None:
        """Restore everything."""
        self.left = self._most


class Deadline:
    """The one moment until which a connection may make the server wait."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether the server waits for something."""
        return self._timer is not None

    def set(self, seconds: float, miss: Callable[[], None]) -> None:
        """Call `miss` after so many seconds, instead of what was set before."""
        self.clear()
        # Only the timer refers to `miss`: a method of the connection would make a cycle of both.
        self._timer = self._loop.call_later(seconds, miss)

    def clear(self) -> None:
        """Wait for nothing."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
