"""The views of players that templates draw, and how they are built."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from markupsafe import Markup

from app.core.i18n.formats import day_in
from app.core.i18n.languages import current
from app.core.i18n.text import Text, _, ngettext
from app.core.web.charts import lines
from app.people.achievements import WORDS, Achievement
from app.people.identity.models import Account
from app.people.identity.service import Identity
from app.people.social.relations import LISTS, Relation
from app.play.games.wording import change_text, rating_text
from app.play.ratings.counting import OPPONENTS_TO_SETTLE, PlayersRating
from app.play.ratings.leaderboard import RatingPlace
from app.site.awards.models import Award
from app.site.players.queries import About, GameRating
from app.site.players.schemas import MOST_LANGUAGES
from engine.registry import GAMES

FILTERS: Sequence[tuple[str, str, Sequence[tuple[str, str]]]] = (
    ("game", _("Game"), (("", _("All games")), *((key, rules.title) for key, rules in GAMES.items()))),
    ("rated", _("Rated"), (("", _("Rated or casual")), ("yes", _("Rated")), ("no", _("Casual")))),
    (
        "status",
        _("State"),
        (("", _("Under way or over")), ("started", _("Under way")), ("finished", _("Over"))),
    ),
)
"""The selects that filter the list of games: name, label, pairs of value and text."""

_PROOFS = {"game": "/games/{}", "entry": "/nugget/entries/{}"}
"""The addresses of what proves achievements."""


@dataclass(frozen=True, slots=True)
class RelationButton:
    """A button that sets or undoes a relation of the viewer to a player: the form's address and the label."""

    action: str
    label: Text


@dataclass(frozen=True, slots=True)
class AwardView:
    """An achievement of a player, and the page that proves it."""

    title: Text
    text: Text
    url: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RatingView:
    """A player's rating at one game."""

    title: str  # "JadeJack"
    key: str  # the game's registry key
    text: str  # "1512", "1500?"
    uncertainty: int
    games: int  # rated ones
    place: RatingPlace | None  # None for a provisional rating, or for who is not ranked
    missing: Text | None  # what would settle a provisional rating
    chart: Markup | None
    history: Sequence[tuple[str, str, str]]  # date, rating, change: "2026-01-31", "1512", "+12"


def description(account: Account) -> Text:
    """Return what kind of player an account is, and since when."""
    if account.closed_at:
        return _("This account was closed.")
    if account.computer_level:
        return _(
            "A computer player of this server, level %(level)s. It is always online, accepts every "
            "casual challenge and does not play rated games.",
            level=account.computer_level,
        )
    if account.is_computer:
        return _("A computer: a program plays with this account.")
    if account.is_guest:
        return _("A guest.")
    return _("Member since %(date)s", date=account.created_at.date())


def about_values(about: About) -> dict[str, str]:
    """Return what a player tells as the fields of its form."""
    chosen = [*about.languages, *[""] * MOST_LANGUAGES]
    return {
        "text": about.text,
        "country": about.country,
        "links": "\n".join(about.links),
        **{f"language{number + 1}": chosen[number] for number in range(MOST_LANGUAGES)},
    }


def link_views(about: About) -> list[tuple[str, str]]:
    """Return the links of a player: the address, and how it is shown."""
    return [(link, link.partition("://")[2].rstrip("/")) for link in about.links]


def award_view(award: Award) -> AwardView:
    """Return an achievement as the profile shows it."""
    words = WORDS[Achievement(award.achievement)]
    kind, _colon, name = award.proof.partition(":")
    return AwardView(words.title, words.text, _PROOFS[kind].format(name), award.earned_at)


def may_challenge(account: Account, viewer: Identity | None) -> bool:
    """Return whether a viewer can challenge an account to a game."""
    return account.closed_at is None and (viewer is None or viewer.id != account.id)


def relation_buttons(account: Account, relations: Collection[Relation] | None) -> list[RelationButton]:
    """Return the buttons for a viewer who has these relations to an account; None: there are no buttons."""
    if relations is None or account.closed_at is not None:
        return []
    path = f"/players/{quote(account.username)}"
    return [
        RelationButton(f"{path}/{each.relation}/undo", each.undo)
        if each.relation in relations
        else RelationButton(f"{path}/{each.relation}", each.set)
        for each in LISTS
    ]


def rating_view(rating: GameRating) -> RatingView:
    """Return a player's rating at one game, with a chart of its history."""
    return RatingView(
        title=GAMES[rating.game].title,
        key=rating.game,
        text=rating_text(rating.rating),
        uncertainty=round(2 * rating.rating.deviation),
        games=rating.rated_games,
        place=rating.place,
        missing=_missing(rating.rating) if rating.rating.is_provisional else None,
        chart=_chart(rating),
        history=[
            (day_in(current(), at), f"{after:.0f}", change_text(after - before))
            for at, before, after in rating.history
        ],
    )


def _missing(rating: PlayersRating) -> Text:
    """Return what would settle a provisional rating."""
    opponents = OPPONENTS_TO_SETTLE - rating.opponents
    if opponents > 0:
        return ngettext(
            "Provisional until games count against %(count)s more player with a proven rating.",
            "Provisional until games count against %(count)s more players with proven ratings.",
            opponents,
        )
    return _("Provisional until some more games against players with proven ratings make it certain.")


def _chart(rating: GameRating) -> Markup | None:
    if not rating.history:
        return None
    (first_at, start, _after), (last_at, *_changes) = rating.history[0], rating.history[-1]
    return lines(
        _("Rating at %(game)s by game", game=GAMES[rating.game].title),
        [[start, *(after for _at, _before, after in rating.history)]],
        (day_in(current(), first_at), day_in(current(), last_at)),
    )
