"""Players and their games in the JSON API, and what the forms of their pages send."""

from datetime import datetime
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from app.core.i18n import names
from app.core.i18n.text import _
from app.core.web.bodies import RequestBody, among
from app.core.web.params import PageNumber
from app.core.web.plain_text import Cleaned, lines
from app.core.web.registered import GameKey, Options, SideName
from app.core.web.shown import GameId, Id, Opponent, Shown, ShownAs, Unchecked, Username, example
from app.people.achievements import Achievement
from app.play.ratings.schemas import OwnRating, RatingsByGame
from app.play.solitaire.scores import RankedScore
from app.site.players.queries import About, GamesWanted, Results
from app.site.players.service import Profile

MOST_CHARACTERS = 1000
MOST_LANGUAGES = 3
MOST_LINKS = 5
_LONGEST_LINK = 200

AboutText = Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["I play on Sundays."]), Cleaned(lines)]

Country = Annotated[str, Field(examples=["pl"]), among(names.COUNTRIES | {""})]
Language = Annotated[str, Field(examples=["en"]), among(names.LANGUAGES)]


def _safe_link(link: str) -> str:
    """Return a link that leads to another site by http or https, and to nobody's account there."""
    parts = urlsplit(link)
    is_web = parts.scheme in ("http", "https") and "." in (parts.hostname or "") and "@" not in parts.netloc
    if not is_web or not link.isascii() or not link.isprintable() or " " in link:
        raise ValueError(_("Enter links as your browser shows them, such as https://example.org/me."))
    return link


Link = Annotated[
    str, Field(max_length=_LONGEST_LINK, examples=["https://wren.example"]), AfterValidator(_safe_link)
]


class ProfileText(RequestBody):
    """What a player tells about themselves: a text, a country (ISO 3166-1, lower case), languages, links.

    Languages are codes of ISO 639-1. Links begin with http:// or https://.
    """

    text: AboutText = ""
    country: Country = ""
    languages: list[Language] = Field(default_factory=list, max_length=MOST_LANGUAGES)
    links: list[Link] = Field(default_factory=list, max_length=MOST_LINKS)

    @property
    def about(self) -> About:
        """Return it as a value; a language that is named twice counts once."""
        return About(self.text, self.country, tuple(dict.fromkeys(self.languages)), tuple(self.links))


AboutShown = Annotated[About, ShownAs(ProfileText)]


class OwnScore(Shown):
    """A player's best score at a solitaire game on a board; `rank` is null for a player who is not ranked."""

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
    profile: AboutShown
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
            ratings={rating.game: OwnRating.of(rating.rating) for rating in profile.ratings},
            results=profile.results,
            scores=[OwnScore.of(*score) for score in profile.scores],
            profile=profile.about,
            teams=profile.teams,
        )


class FoundPlayer(Shown):
    """A player as a search shows them."""

    username: Username
    is_computer: bool


class PlayerList(BaseModel):
    """Players that a search has found."""

    players: list[FoundPlayer]


class AwardShown(Shown):
    """An achievement, and the first game (`game:ID`) or entry (`entry:ID`) that proves it."""

    achievement: Unchecked[Achievement]
    proof: Annotated[str, example("game:k7m2wq9xab")]
    earned_at: datetime


class AwardList(BaseModel):
    """The achievements of a player, the earliest first."""

    achievements: list[AwardShown]


class PlayersGame(Shown):
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


class AboutForm(BaseModel):
    """What a player tells on the profile; `links` has one in each line, and an empty field is not sent."""

    text: AboutText = ""
    country: Country = ""
    language1: Language | None = None
    language2: Language | None = None
    language3: Language | None = None
    links: Annotated[list[Link], BeforeValidator(str.split), Field(max_length=MOST_LINKS)] = []

    @property
    def about(self) -> About:
        """Return the fields as a value; a language that was chosen twice counts once."""
        chosen = filter(None, (self.language1, self.language2, self.language3))
        return About(self.text, self.country, tuple(dict.fromkeys(chosen)), tuple(self.links))


class GameFilter(BaseModel):
    """Which games a list shows, and which page of it; an empty field does not limit them."""

    game: Annotated[str, Field(max_length=32)] = ""
    rated: Literal["", "yes", "no"] = ""
    status: Literal["", "started", "finished"] = ""
    number: PageNumber = 1

    @property
    def games(self) -> GamesWanted:
        """Return the filter as a value."""
        rated = {"yes": True, "no": False}.get(self.rated)
        return GamesWanted(self.game or None, rated, self.status or None)
