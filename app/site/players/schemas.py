"""Players and their games in the JSON API."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey, Options, SideName
from app.people.identity.models import Account
from app.play.games.queries import GameSummary
from app.play.ratings.schemas import OwnRating
from app.play.scores.queries import RankedScore
from app.site.players.about import (
    MOST_LANGUAGES,
    MOST_LINKS,
    About,
    AboutText,
    Country,
    Language,
    Link,
)
from app.site.players.service import Profile

_SCORE: dict[str, Any] = {
    "game": "up_and_up",
    "size": 8,
    "rank": 3,
    "points": 61,
    "tie_break": 12,
    "game_id": "x3p8mk2rtz",
}
_ABOUT: dict[str, Any] = {
    "text": "I play on Sundays.",
    "country": "pl",
    "languages": ["pl", "en"],
    "links": ["https://wren.example"],
}
_PLAYER: dict[str, Any] = {
    "username": "wren",
    "is_guest": False,
    "is_computer": False,
    "is_closed": False,
    "online": True,
    "ratings": {"jadejack": {"rating": 1712, "deviation": 64, "provisional": False, "games": 48}},
    "results": {"won": 30, "drawn": 0, "lost": 18},
    "scores": [_SCORE],
    "profile": _ABOUT,
    "teams": [{"id": "k7m2wq9xab", "name": "Sparrows of Łódź"}],
}
_FOUND: dict[str, Any] = {"username": "wren", "is_computer": False}
_GAME: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "game": "jadejack",
    "options": {"size": 9},
    "status": "finished",
    "opponent": "finch",
    "side": "black",
    "winner": "black",
    "rated": True,
    "rating_change": 11,
    "ply": 64,
}


class Results(BaseModel):
    """The number of finished games for two by how they ended for a player."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PLAYER["results"]]})

    won: int
    drawn: int
    lost: int


class ProfileText(RequestBody):
    """What a player tells about themselves: a text, a country (ISO 3166-1, lower case), languages, links.

    Languages are codes of ISO 639-1. Links begin with http:// or https://.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_ABOUT]})

    text: AboutText = ""
    country: Country = ""
    languages: list[Language] = Field(default_factory=list, max_length=MOST_LANGUAGES)
    links: list[Link] = Field(default_factory=list, max_length=MOST_LINKS)

    @classmethod
    def of(cls, about: About) -> "ProfileText":
        """Return what a player tells as the API shows it."""
        return cls.model_construct(
            text=about.text, country=about.country, languages=list(about.languages), links=list(about.links)
        )

    @property
    def about(self) -> About:
        """Return it as a value; a language that is named twice counts once."""
        return About(self.text, self.country, tuple(dict.fromkeys(self.languages)), tuple(self.links))


class OwnScore(BaseModel):
    """A player's best score at a solitaire game on a board; `rank` is null for who is not ranked."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SCORE]})

    game: GameKey
    size: int
    rank: int | None
    points: int
    tie_break: int
    game_id: str

    @classmethod
    def of(cls, game: str, size: int, score: RankedScore) -> "OwnScore":
        """Return a best score as the API shows it."""
        return cls(
            game=game,
            size=size,
            rank=score.rank,
            points=score.points,
            tie_break=score.tie_break,
            game_id=score.game_id,
        )


class PlayersTeam(BaseModel):
    """A team that a player belongs to."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PLAYER["teams"][0]]})

    id: str
    name: str


class Player(BaseModel):
    """A player."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PLAYER]})

    username: str
    is_guest: bool
    is_computer: bool
    is_closed: bool
    online: bool
    ratings: dict[str, OwnRating]
    results: Results
    scores: list[OwnScore]
    profile: ProfileText
    teams: list[PlayersTeam]

    @classmethod
    def of(cls, profile: Profile) -> "Player":
        """Return a player as the API shows them."""
        account = profile.account
        return cls(
            username=account.username,
            is_guest=account.is_guest,
            is_computer=account.is_computer,
            is_closed=account.closed_at is not None,
            online=profile.is_online,
            ratings={
                rating.game: OwnRating.of(rating.rating, rating.rated_games) for rating in profile.ratings
            },
            results=Results(won=profile.results.won, drawn=profile.results.drawn, lost=profile.results.lost),
            scores=[OwnScore.of(*score) for score in profile.scores],
            profile=ProfileText.of(profile.about),
            teams=[PlayersTeam(id=team.id, name=team.name) for team in profile.teams],
        )


class FoundPlayer(BaseModel):
    """A player as a search shows them."""

    model_config = ConfigDict(json_schema_extra={"examples": [_FOUND]})

    username: str
    is_computer: bool


class PlayerList(BaseModel):
    """Players that a search has found."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"players": [_FOUND]}]})

    players: list[FoundPlayer]

    @classmethod
    def of(cls, accounts: Sequence[Account]) -> "PlayerList":
        """Return players as the API shows them."""
        return cls(
            players=[
                FoundPlayer(username=account.username, is_computer=account.is_computer)
                for account in accounts
            ]
        )


class PlayersGame(BaseModel):
    """A game as one of its players sees it."""

    model_config = ConfigDict(json_schema_extra={"examples": [_GAME]})

    id: str
    game: GameKey
    options: Options
    status: str
    opponent: str | None
    side: SideName
    winner: SideName | None
    rated: bool
    rating_change: int | None
    ply: int

    @classmethod
    def of(cls, summary: GameSummary) -> "PlayersGame":
        """Return a game as the API shows it."""
        return cls(
            id=summary.id,
            game=summary.game,
            options=dict(summary.options),
            status=summary.status,
            opponent=summary.opponent,
            side=summary.side,
            winner=summary.winner,
            rated=summary.rated,
            rating_change=None if summary.change is None else round(summary.change),
            ply=summary.ply,
        )
