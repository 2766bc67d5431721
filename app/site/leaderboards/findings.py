"""What is known of the solitaires and of best play: results of searches, and players' best scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

from app.core import json
from app.core.errors import NotFoundError
from app.core.i18n.text import Text, _, ngettext
from app.play.solitaire.scores import RankedScore
from engine.record import GameRecord
from engine.registry import SOLITAIRE
from engine.variations import Tree

SMALLEST = 2
"""The smallest board size that is shown; the score on a single square is always the same."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure that the search programs found, with a game that reaches it; see `gorrion records`.

    `value` is the score of a solitaire, or the points by which the first side wins a round under best play.
    `proof` names how it was proved that there is nothing better, None if it was not.
    """

    game: str
    players: int
    size: int
    value: int
    proof: str | None
    cells: Sequence[str]
    found_on: date

    @property
    def record(self) -> GameRecord:
        """Return the game as a record."""
        return GameRecord(self.game, {"size": self.size}, Tree.of_moves(self.cells), {}, self.players)

    @property
    def verdict(self) -> Text:
        """Return in a sentence what the figure is, and whether it is proved."""
        if self.players == 2:
            return _(
                "A round with best play on both sides: it ends %(points)s for the first side.",
                points=f"{self.value:+d}" if self.value else "0",
            )
        if self.proof is None:
            return ngettext(
                "%(count)s point. Whether a game can score more is not known.",
                "%(count)s points. Whether a game can score more is not known.",
                self.value,
            )
        if self.proof == "full_board":
            return ngettext(
                "%(count)s point, and no game scores more: the board is full.",
                "%(count)s points, and no game scores more: the board is full.",
                self.value,
            )
        return ngettext(
            "%(count)s point, and no game scores more: every game was tried.",
            "%(count)s points, and no game scores more: every game was tried.",
            self.value,
        )

    @property
    def is_replayable(self) -> bool:
        """Return whether the rules allow a board of that size, so that the record can be replayed."""
        sizes = self.record.rules.options["size"]
        return sizes.minimum <= self.size <= sizes.maximum


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a solitaire at a size: the search's finding, and the best game of the players.

    `ceiling` is the highest score that the rules allow, if they set one.
    """

    size: int
    found: Finding | None
    by: RankedScore | None
    ceiling: int | None

    @property
    def best(self) -> int | None:
        """Return the best known score, or None."""
        scores = [self.found.value] if self.found else []
        return max([*scores, *([self.by.points] if self.by else [])], default=None)

    @property
    def is_proved(self) -> bool:
        """Return whether nothing better is possible: it is the ceiling, or a search tried all games."""
        return self.best is not None and (self.best == self.ceiling or self._is_proved_by_search)

    @property
    def proof_text(self) -> Text:
        """Return whether it is proved, and by what: "yes, a full board", "yes, all games tried", "no"."""
        if not self.is_proved:
            return _("no")
        return _("yes, a full board") if self.best == self.ceiling else _("yes, all games tried")

    @property
    def _is_proved_by_search(self) -> bool:
        return self.found is not None and self.found.proof is not None and self.found.value == self.best


@cache
def findings() -> Sequence[Finding]:
    """Return the findings that ship with Gorrion: the output of `gorrion records --max-n 12`."""
    data = json.decode(files("app.site.leaderboards").joinpath("findings.json").read_bytes())
    found_on = date.fromisoformat(data["found_on"])
    return tuple(Finding(**record, found_on=found_on) for record in data["records"])


def finding(game: str, players: int, size: int) -> Finding:
    """Return a finding that can be replayed. Raise NotFoundError if there is none."""
    for candidate in _of(game, players):
        if candidate.size == size and candidate.is_replayable:
            return candidate
    raise NotFoundError("record")


def known(game: str, leaders: Mapping[int, RankedScore]) -> list[Known]:
    """Return what is known of a solitaire, size by size; `leaders` are the players' best scores by size."""
    rules = SOLITAIRE[game]
    largest = rules.options["size"].maximum
    by_search = {finding.size: finding for finding in _of(game, players=1)}
    return [
        Known(size, by_search.get(size), leaders.get(size), rules.ceiling({"size": size}))
        for size in range(SMALLEST, largest + 1)
    ]


def values_of_play(game: str) -> list[Finding]:
    """Return the value of a round for two under best play, size by size."""
    return _of(game, players=2)


def _of(game: str, players: int) -> list[Finding]:
    return [finding for finding in findings() if (finding.game, finding.players) == (game, players)]
