"""Players and their games in the JSON API."""

from typing import Annotated

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey, Options, SideName
from app.core.web.shown import GameId, Id, Opponent, Shown, Unchecked, Username, example
from app.play.games.queries import GameSummary
from app.play.ratings.schemas import OwnRating, RatingsByGame
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


class Results(Shown):
    """The number of finished games for two by how they ended for a player."""

    won: int
    drawn: int
    lost: int


class ProfileText(RequestBody):
    """What a player tells about themselves: a text, a country (ISO 3166-1, lower case), languages, links.

    Languages are codes of ISO 639-1. Links begin with http:// or https://.
    """

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


class OwnScore(Shown):
    """A player's best score at a solitaire game on a board; `rank` is null for who is not ranked."""

    game: GameKey
    size: int
    rank: int | None
    points: int
    tie_break: int
    game_id: GameId

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


class PlayersTeam(Shown):
    """A team that a player belongs to."""

    id: Id
    name: Annotated[str, example("Sparrows of Łódź")]


class Player(BaseModel):
    """A player."""

    username: Username
    is_guest: bool
    is_computer: bool
    is_closed: bool
    online: bool
    ratings: RatingsByGame
    results: Results
    scores: list[OwnScore]
    profile: Unchecked[ProfileText]
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
            results=profile.results,
            scores=[OwnScore.of(*score) for score in profile.scores],
            profile=ProfileText.of(profile.about),
            teams=profile.teams,
        )


class FoundPlayer(Shown):
    """A player as a search shows them."""

    username: Username
    is_computer: bool


class PlayerList(BaseModel):
    """Players that a search has found."""

    players: list[FoundPlayer]


class PlayersGame(BaseModel):
    """A game as one of its players sees it."""

    id: Id
    game: GameKey
    options: Options
    status: Annotated[str, example("finished")]
    opponent: Opponent | None
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
