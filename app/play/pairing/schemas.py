"""Searches in the JSON API, and what the form for one sends."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, Json, model_validator

from app.core.errors import FieldError
from app.core.i18n.text import _
from app.core.web.bodies import RequestBody
from app.core.web.filters import sizes
from app.core.web.registered import GameKey, Options, within
from app.core.web.shown import GameId, Username
from app.play.lobby.challenges import QUICK_CONTROLS, QUICK_DAYS, RATINGS, ChallengeTerms
from app.play.lobby.schemas import ControlShown, WantedGame
from app.play.pairing.searches import MOST_WANTED, GameOffer, SearchInfo
from engine.clock import Correspondence, TimeControl
from engine.registry import FOR_TWO


class SearchRequest(RequestBody):
    """The games of which any will do, whether they are rated, and the opponent's rating."""

    wanted: Annotated[list[WantedGame], Field(min_length=1, max_length=MOST_WANTED)]
    rated: bool = False
    rating_min: Annotated[int, within(RATINGS)] | None = None
    rating_max: Annotated[int, within(RATINGS)] | None = None

    @property
    def terms(self) -> list[ChallengeTerms]:
        """Return the terms of each game. Raise InvalidError `bad_time_control`."""
        return [
            replace(wanted.terms, rated=self.rated, rating_min=self.rating_min, rating_max=self.rating_max)
            for wanted in self.wanted
        ]


class WantedShown(BaseModel):
    """A game with its options and its clock."""

    game: GameKey
    options: Options
    time_control: ControlShown

    @classmethod
    def of(cls, terms: ChallengeTerms) -> "WantedShown":
        """Return the game of some terms as the API shows it."""
        options = dict(terms.options)
        return cls.model_validate({"game": terms.game, "options": options, "time_control": terms.control})


class SearchListed(BaseModel):
    """What a player looks for, of which any may be accepted."""

    player: Username
    wanted: list[WantedShown]
    rated: bool
    rating_min: Annotated[int, within(RATINGS)] | None
    rating_max: Annotated[int, within(RATINGS)] | None
    began_at: datetime

    @classmethod
    def of(cls, offer: GameOffer) -> "SearchListed":
        """Return a search as the API lists it."""
        first = offer.terms[0]
        return cls(
            player=offer.player.username,
            wanted=list(map(WantedShown.of, offer.terms)),
            rated=first.rated,
            rating_min=first.rating_min,
            rating_max=first.rating_max,
            began_at=offer.since,
        )


class SearchShown(BaseModel):
    """What the token's account looks for, or looked for last: since when, and the game that began since."""

    wanted: list[WantedShown]
    rated: bool
    rating_min: Annotated[int, within(RATINGS)] | None
    rating_max: Annotated[int, within(RATINGS)] | None
    began_at: datetime
    open: bool
    game_id: GameId | None

    @classmethod
    def of(cls, search: SearchInfo) -> "SearchShown":
        """Return a search as the API shows it."""
        first = search.terms[0]
        return cls.model_validate(
            {
                "wanted": list(map(WantedShown.of, search.terms)),
                "rated": first.rated,
                "rating_min": first.rating_min,
                "rating_max": first.rating_max,
                "began_at": search.began_at,
                "open": search.is_open,
                "game_id": search.game_id,
            }
        )


class AcceptedGame(WantedGame):
    """A game that another player wants.

    With `rated`, it begins only if it is rated, or casual, as you have seen it.
    """

    rated: bool | None = None


class AcceptForm(BaseModel):
    """Which of the games that another player wants is accepted, and whether it was shown as rated."""

    wanted: Json[WantedGame]
    rated: bool | None = None


_CONTROLS: Sequence[TimeControl] = [*QUICK_CONTROLS, *map(Correspondence, QUICK_DAYS)]
CLOCKS = {f"clock {control}": control for control in _CONTROLS}
"""The clocks that may be ticked, by the names of their fields."""

BOARDS_OF: dict[str, list[tuple[str, str, int]]] = {
    key: [(f"board {key} {size}", text, size) for size, text in sizes(rules.options["size"])]
    for key, rules in FOR_TWO.items()
}
"""The boards that may be ticked, by game: the name of a field, its label, and the size."""


class SearchForm(BaseModel):
    """Which clocks and boards were ticked, and the opponent's rating."""

    clocks: Sequence[str]
    boards: Sequence[tuple[str, int]]
    rating_min: int | None = None
    rating_max: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, fields: dict[str, Any]) -> dict[str, Any]:
        clocks = [name for name in CLOCKS if name in fields]
        boards = [
            (key, size) for key, all_ in BOARDS_OF.items() for name, _label, size in all_ if name in fields
        ]
        return {**fields, "clocks": clocks, "boards": boards}

    def terms(self, *, is_member: bool) -> list[ChallengeTerms]:
        """Return the terms of each game, rated for members who meet each other.

        Raise FieldError `no_clock`, `no_board`.
        """
        if not self.clocks:
            raise FieldError("clocks", "no_clock", _("Choose at least one clock."))
        if not self.boards:
            raise FieldError("boards", "no_board", _("Choose at least one board."))
        return [
            ChallengeTerms(
                game,
                {"size": size},
                control=CLOCKS[clock],
                rated=is_member,
                rating_min=self.rating_min,
                rating_max=self.rating_max,
                casual_with_guests=is_member,
            )
            for game, size in self.boards
            for clock in self.clocks
        ]
