"""How far a search for short records is."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board
from engine.golden_nugget.cycle import Cycle
from engine.golden_nugget.ranking import Mean, means_of
from engine.search.nugget.runs import Run


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search."""

    best: Run
    """The best run of most boards."""
    fewest: Sequence[int]
    """The fewest moves over each of LENGTHS boards, as far as there are so many."""
    cycle: Cycle | None
    """That of the best run."""
    board: int | None
    """The board of the best run that is solved or improved now, None while pairs of boards are sought."""
    nodes: int
    tried: int
    """The nodes whose boards were tried."""
    solved: int
    """The boards that this search has solved."""
    seconds: float
    """The time since it began."""

    @property
    def means(self) -> list[Mean]:
        """Return the best means over LENGTHS boards, as far as there are so many."""
        return means_of(self.fewest)

    @property
    def path(self) -> Mean | None:
        """Return the mean of the best run, None before its first board."""
        return Mean(self.best.moves, len(self.best.boards)) if self.best.boards else None

    @property
    def position(self) -> Board | None:
        """Return the board that is solved or improved now as it begins."""
        if self.board is None:
            return None
        if self.board == 1:
            return START
        # It follows the best run, of which only board 1 is improved.
        return Board(Face.A if self.board % 2 else Face.B, tuple(self.best.blocks))
