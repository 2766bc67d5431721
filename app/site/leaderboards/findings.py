"""What is known of the solitaires and of best play: results of searches, and players' best scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

from app.core import json
from app.core.errors import NotFoundError
from app.core.i18n.formats import signed
from app.core.i18n.text import Text, _, ngettext
from app.play.solitaire.scores import RankedScore
from engine.game_record import GameRecord
from engine.registry import SOLITAIRE
from engine.variations import Tree

SMALLEST = 2
"""The smallest board size that is shown; the score on a single square is always the same."""

PROOFS: Mapping[str | None, Text] = {
    None: _("no"),
    "bound": _("yes, by the bound"),
    "exhaustive_search": _("yes, all games tried"),
}
"""Whether a figure is proved to be the best, and by what, by the name of the proof."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure that the search programs found, with a game that reaches it; see `gorrion records`.

    `value` is the score of a solitaire, or the points by which the first side wins a round under best play.
    `proof` names how it was proved that there is nothing better, None if it was not. In a solitaire with a
    tie-break, `tie_break` is that of the game, and `tie_break_proof` names the proof that it is the smallest.
    """

    game: str
    players: int
    size: int
    value: int
    proof: str | None
    cells: Sequence[str]
    found_on: date
    tie_break: int | None = None
    tie_break_proof: str | None = None

    @property
    def record(self) -> GameRecord:
        """Return the game as a record."""
        return GameRecord(self.game, {"size": self.size}, Tree.of_moves(self.cells), {}, self.players)

    @property
    def path(self) -> str:
        """Return the path of the page that replays the game."""
        return f"/records/{self.game}/{self.players}/{self.size}"

    @property
    def verdict(self) -> Text:
        """Return in a sentence what the figure is, and whether it is proved."""
        if self.players == 2:
            return _(
                "A round with best play on both sides: it ends %(points)s for the first side.",
                points=signed(self.value),
            )
        if self.proof is None:
            return ngettext(
                "%(count)s point. Whether a game can score more is not known.",
                "%(count)s points. Whether a game can score more is not known.",
                self.value,
            )
        if self.proof == "bound":
            return ngettext(
                "%(count)s point, and no game scores more: the bound is reached.",
                "%(count)s points, and no game scores more: the bound is reached.",
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

    `ceiling` is the highest score that the rules allow, if they set one, and `least_tie_break` the smallest
    tie-break of a game that reaches it, in a game with one.
    """

    size: int
    found: Finding | None
    by: RankedScore | None
    ceiling: int | None
    least_tie_break: int | None

    @property
    def best(self) -> int | None:
        """Return the best known score, or None."""
        return max((score for score, _tie_break in self._figures), default=None)

    @property
    def tie_break(self) -> int | None:
        """Return the smallest known tie-break of a game with the best score; None in games without one."""
        return min(
            (tie for score, tie in self._figures if score == self.best and tie is not None), default=None
        )

    @property
    def proof(self) -> str | None:
        """Return the name of the proof that no score is better, or None."""
        if self.best is None:
            return None
        if self.best == self.ceiling:
            return "bound"
        return self.found.proof if self.found and self.found.value == self.best else None

    @property
    def tie_break_proof(self) -> str | None:
        """Return the name of the proof that no tie-break is smaller, or None."""
        if self.tie_break is None or self.best != self.ceiling:
            return None
        if self.tie_break == self.least_tie_break:
            return "bound"
        return self.found.tie_break_proof if self.found and self.found.tie_break == self.tie_break else None

    @property
    def is_led_by_player(self) -> bool:
        """Return whether the best game of the players is better than the one that the search found."""
        if self.by is None:
            return False
        if self.found is None:
            return True
        own = (-self.by.points, self.by.tie_break if self.found.tie_break is not None else 0)
        return own < (-self.found.value, self.found.tie_break or 0)

    @property
    def _figures(self) -> list[tuple[int, int | None]]:
        found = [(self.found.value, self.found.tie_break)] if self.found else []
        if self.by is None:
            return found
        return [*found, (self.by.points, None if self.least_tie_break is None else self.by.tie_break)]


@cache
def findings() -> Sequence[Finding]:
    """Return the findings that ship with Gorrion: what `gorrion records` prints, with the days."""
    data = json.decode(files("app.site.leaderboards").joinpath("findings.json").read_bytes())
    return tuple(
        Finding(**{**record, "found_on": date.fromisoformat(record["found_on"])})
        for record in data["records"]
    )


def finding(game: str, players: int, size: int) -> Finding:
    """Return a finding that can be replayed. Raise NotFoundError if there is none."""
    for candidate in _of(game, players):
        if candidate.size == size and candidate.is_replayable:
            return candidate
    raise NotFoundError("record")


def known(game: str, leaders: Mapping[int, RankedScore]) -> list[Known]:
    """Return what is known of a solitaire, size by size; `leaders` are the players' best scores by size."""
    rules = SOLITAIRE[game]
    sizes = rules.options["size"]
    by_search = {finding.size: finding for finding in _of(game, players=1)}
    return [
        Known(
            size,
            by_search.get(size),
            leaders.get(size),
            rules.ceiling({"size": size}),
            rules.least_tie_break({"size": size}),
        )
        for size in range(max(SMALLEST, sizes.minimum), sizes.maximum + 1)
    ]


def values_of_play(game: str) -> list[Finding]:
    """Return the value of a round for two under best play, size by size."""
    return _of(game, players=2)


def _of(game: str, players: int) -> list[Finding]:
    return [finding for finding in findings() if (finding.game, finding.players) == (game, players)]
