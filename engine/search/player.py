"""What every computer player gives: its choice of a move, and what it makes of the others."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Promise:
    """A move and by how many points its side will win by it, as the search sees it (negative: lose)."""

    move: str
    points: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The moves of a position, the one to play first, and how far (plies) and wide (positions) was looked."""

    promises: tuple[Promise, ...]
    depth: int
    positions: int

    @property
    def move(self) -> str:
        """Give the move to play."""
        return self.promises[0].move
