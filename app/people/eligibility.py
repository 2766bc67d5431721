"""Who may take part in a tournament or on a ladder: one rule for every moment at which it matters."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from app.core.i18n.text import Worded, _
from engine.glicko2 import Rating


class Ineligibility(Worded):
    """Why an account may not take part; the values are codes of the API."""

    CLOSED = "account_closed", _("The account is closed.")
    EXCLUDED = "no_rated_play", _("A moderator has excluded you from rated games and competitions.")
    COMPUTER = "no_computers", _("Only people may take part, not programs.")
    NOT_A_MEMBER = "not_a_member", _("This tournament is for the members of a team.")
    RATING = "rating_out_of_range", _("Your rating is not in the range of this tournament.")
    TOO_FEW_GAMES = "too_few_games", _("You have too few rated games for this tournament.")


@dataclass(frozen=True, slots=True)
class EntryConditions:
    """What terms ask of players. `computers` says whether programs may play; `team_id` is the only team."""

    rated: bool
    computers: bool = False
    rating_min: int | None = None
    rating_max: int | None = None
    min_games: int = 0
    team_id: str | None = None

    @property
    def once_begun(self) -> "EntryConditions":
        """Return what is asked after the start, when ratings change by playing."""
        return replace(self, rating_min=None, rating_max=None, min_games=0)

    @property
    def of_host(self) -> "EntryConditions":
        """Return what is asked of the host of a simul, whose strength the others look for."""
        return replace(self.once_begun, computers=True)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is known of an account that takes part, or wants to.

    `excluded_until` is when an exclusion from rated games ends; `rating` and the number of rated `games` are
    those at the game; `is_member`: of the only team, if there is one.
    """

    account_id: int
    username: str
    is_closed: bool = False
    is_computer: bool = False
    excluded_until: datetime | None = None
    rating: Rating = field(default_factory=Rating)
    games: int = 0
    is_member: bool = False


def why_ineligible(conditions: EntryConditions, candidate: Candidate) -> list[Ineligibility]:
    """Return why a candidate may not take part; nothing if the conditions hold."""
    broken = {
        Ineligibility.CLOSED: candidate.is_closed,
        Ineligibility.EXCLUDED: conditions.rated and candidate.excluded_until is not None,
        Ineligibility.COMPUTER: candidate.is_computer and not conditions.computers,
        Ineligibility.NOT_A_MEMBER: conditions.team_id is not None and not candidate.is_member,
        Ineligibility.RATING: not is_in_range(candidate.rating, conditions.rating_min, conditions.rating_max),
        Ineligibility.TOO_FEW_GAMES: candidate.games < conditions.min_games,
    }
    return [reason for reason, is_broken in broken.items() if is_broken]


def is_in_range(rating: Rating, least: int | None, most: int | None) -> bool:
    """Return whether a rating, as it is shown, lies in a range."""
    points = round(rating.rating)
    return (least is None or points >= least) and (most is None or points <= most)
