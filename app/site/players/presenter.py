"""The views of players that templates draw, and how they are built."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from urllib.parse import quote

from markupsafe import Markup, escape

from app.core.i18n.formats import day_in, signed
from app.core.i18n.languages import current
from app.core.i18n.text import Text, _, ngettext
from app.core.web.charts import lines
from app.people.achievements import Achievement
from app.people.identity.models import Account
from app.people.identity.service import Identity
from app.people.social.relations import LISTS, Relation
from app.play.ratings.counting import OPPONENTS_TO_SETTLE, PlayersRating
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


_CHIP = "M7 7h10v10H7zM10 3v4m4-4v4m-4 10v4m4-4v4M3 10h4m-4 4h4m10-4h4m-4 4h4"
_ICONS: Mapping[Achievement, str] = {
    Achievement.HIJACK: "M5 19h14M5 15h14M12 3v8m-3-3 3 3 3-3",
    Achievement.TOWER: "M6 19h12M6 15h12M6 11h12M6 7h12",
    Achievement.LANDSLIDE: "M3 19h18L12 5zM9 19l3-6 3 6",
    Achievement.HALF_A_POINT: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16v16M12 8h4m-4 4h5m-5 4h4",
    Achievement.FARTHER: "M3 18C6 4 15 4 19 16m-4-2 4 3 2-5",
    Achievement.FULL_BOARD: "M5 5h14v14H5zM5 9.7h14M5 14.3h14M9.7 5v14M14.3 5v14",
    Achievement.UP_TO_FORTY: "M4 19h4v-4h4v-4h4V7h4",
    Achievement.NUGGET: "m6 9 3-4h6l3 4-6 10zM6 9h12",
    Achievement.SHORT_BOARD: "M13 3 6 13h5l-1 8 8-11h-5z",
    Achievement.LOW_MEAN: "m4 6 5 6 3-2 8 9m0-6v6h-6",
    Achievement.TWO_HUNDRED: "m12 4 8 4-8 4-8-4zm-8 8 8 4 8-4M4 16l8 4 8-4",
    Achievement.GIANT: "M4 18V8l4 4 4-7 4 7 4-4v10z",
    Achievement.LONG_GAME: "M7 4h10M7 20h10M8 4c0 5 8 6 8 8s-8 3-8 8m8-16c0 5-8 6-8 8s8 3 8 8",
    Achievement.COMPUTER_1: _CHIP,
    Achievement.COMPUTER_4: _CHIP,
    Achievement.COMPUTER_8: _CHIP,
}


@dataclass(frozen=True, slots=True)
class RelationButton:
    """A button that sets or undoes a relation of the viewer to a player: the form's address and the label."""

    action: str
    label: Text
    is_foremost: bool  # to follow, and to undo what was chosen; the others are in a menu


@dataclass(frozen=True, slots=True)
class AwardView:
    """An achievement of a player, and the page that proves it."""

    title: Text
    text: Text
    icon: str  # the path of an SVG of 24×24
    url: str
    at: datetime


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
    achievement = Achievement(award.achievement)
    title, text = achievement.texts
    kind, _colon, name = award.proof.partition(":")
    return AwardView(title, text, _ICONS[achievement], _PROOFS[kind].format(name), award.earned_at)


def may_meet(account: Account, viewer: Identity | None, relations: Collection[Relation] | None) -> bool:
    """Return whether a viewer who has these relations to an account is offered to challenge or write to it.

    That it has blocked the viewer is not told.
    """
    is_other = viewer is None or viewer.id != account.id
    return account.closed_at is None and is_other and Relation.BLOCK not in (relations or ())


def relation_buttons(account: Account, relations: Collection[Relation] | None) -> list[RelationButton]:
    """Return the buttons for a viewer who has these relations to an account; None: there are no buttons.

    Nobody follows a player whom they block.
    """
    if relations is None or account.closed_at is not None:
        return []
    path = f"/players/{quote(account.username)}"
    return [
        RelationButton(f"{path}/{each.relation}/undo", each.undo, is_foremost=True)
        if each.relation in relations
        else RelationButton(f"{path}/{each.relation}", each.set, each.relation is Relation.FOLLOW)
        for each in LISTS
        if each.relation is not Relation.FOLLOW or Relation.BLOCK not in relations
    ]


def missing(rating: PlayersRating) -> Text:
    """Return what would settle a provisional rating."""
    opponents = OPPONENTS_TO_SETTLE - rating.opponents
    if opponents > 0:
        return ngettext(
            "Provisional until games count against %(count)s more player with a proven rating.",
            "Provisional until games count against %(count)s more players with proven ratings.",
            opponents,
        )
    return _("Provisional until some more games against players with proven ratings make it certain.")


def history_rows(rating: GameRating) -> list[tuple[str, str, str]]:
    """Return the changes of a rating as rows of a table, such as 2026-01-31, 1512, +12."""
    return [
        (day_in(current(), at), f"{after:.0f}", signed(after - before))
        for at, before, after in rating.history
    ]


def history_chart(rating: GameRating) -> Markup:
    """Return the changes of a rating, of which there are some, as a chart."""
    (first_at, start, _after), (last_at, *_changes) = rating.history[0], rating.history[-1]
    return lines(
        _("Rating at %(game)s by game", game=GAMES[rating.game].title),
        [[start, *(after for _at, _before, after in rating.history)]],
        (day_in(current(), first_at), day_in(current(), last_at)),
    )


_SIDE = 12  # of the square of a day, with the gap beside it
_LEVELS = (2, 4, 8)
"""From how many games on the square of a day is darker."""


@dataclass(frozen=True, slots=True)
class ActivityView:
    """The games of the last year: a calendar with a column for each week, their number, and that by month."""

    calendar: Markup
    last: date
    games: int
    months: Sequence[tuple[str, int]]


def activity_view(activity: Mapping[date, int], today: date) -> ActivityView | None:
    """Return the games that ended on each day of the last year; None if there are none."""
    first = today - timedelta(weeks=51, days=today.weekday())  # a Monday
    games = {day: count for day, count in sorted(activity.items()) if first <= day <= today}
    if not games:
        return None
    months = Counter[str]()
    for day, count in games.items():
        months[day.isoformat()[: len("2026-01")]] += count
    return ActivityView(_calendar(games, first, today), max(games), months.total(), list(months.items()))


def _calendar(games: Mapping[date, int], first: date, today: date) -> Markup:
    height, width = 7 * _SIDE, 52 * _SIDE
    bottom = (today.weekday() + 1) * _SIDE  # of the last column
    title = escape(_("Games that ended on each day of the last year"))
    language = current()
    days = "".join(_day(language, day, count, (day - first).days) for day, count in games.items())
    return Markup(  # noqa: S704 - our own strings and numbers, escaped
        f'<svg class="activity" viewBox="0 0 {width} {height}" preserveAspectRatio="xMaxYMid slice" '
        f'role="img" aria-label="{title}"><defs>'
        f'<pattern id="activity-none" width="{_SIDE}" height="{_SIDE}" patternUnits="userSpaceOnUse">'
        f'<rect width="{_SIDE - 2}" height="{_SIDE - 2}" rx="2"/></pattern></defs>'
        f'<path class="activity-days" d="M0 0H{width}V{bottom}h-{_SIDE}V{height}H0z"/>{days}</svg>'
    )


@lru_cache(4096)  # the calendars of players have most of these in common
def _day(language: str, day: date, games: int, place: int) -> str:
    """Return the square of a day in the reader's language, which is at a place from the first Monday on."""
    level = 1 + sum(games >= least for least in _LEVELS)
    week, weekday = divmod(place, 7)
    words = ngettext("%(day)s: %(count)s game", "%(day)s: %(count)s games", games, day=day_in(language, day))
    return (
        f'<rect class="activity-{level}" x="{week * _SIDE}" y="{weekday * _SIDE}" width="{_SIDE - 2}" '
        f'height="{_SIDE - 2}" rx="2"><title>{escape(words)}</title></rect>'
    )
