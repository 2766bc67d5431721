"""The views of challenges, and what builds them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cachetools import TTLCache, cached
from markupsafe import Markup

from app.core.i18n.languages import current
from app.core.i18n.text import Text, _, joined
from app.core.web.filters import side_name, sizes
from app.core.web.forms import with_key
from app.core.web.render import fragment_keyed_later
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS
from app.play.games.wording import control_text, rating_text
from app.play.lobby.challenges import (
    CHOICE,
    DECLINE_REASONS,
    QUICK_CONTROLS,
    QUICK_DAYS,
    RANDOM,
    ChallengeInfo,
    Listing,
    LobbyOverview,
    rating_range_text,
)
from app.play.lobby.decisions import obstacle
from engine.clock import DAYS, Correspondence, TimeControl, is_realtime
from engine.game import Game, OptionRange
from engine.glicko2 import Rating
from engine.registry import FOR_TWO
from engine.search.levels import LEVELS, strength_of

Choices = Sequence[tuple[str, str]]
"""Options of a select or radio buttons: value and text."""

CLOCKS: Choices = (
    ("none", _("No clock")),
    ("realtime", _("Real time")),
    ("byoyomi", _("Byo-yomi")),
    ("per_move", _("Seconds per move")),
    ("correspondence", _("Days per move")),
    ("days_bank", _("Bank of days")),
)
_WRITTEN: Choices = tuple((str(control), str(control)) for control in QUICK_CONTROLS)
_BY_DAYS: Choices = tuple((f"{days}d", control_text(Correspondence(days))) for days in QUICK_DAYS)
DAY_CHOICES: Choices = tuple((str(days), str(days)) for days in DAYS)
"""The days for a move of correspondence games."""

FilterField = tuple[str, str, Choices, str]
"""A select among filters: name, label, choices, the value that is chosen."""


@dataclass(frozen=True, eq=False)
class WaysToPlay:
    """The choices of the ways to a game, the same for all viewers."""

    games: Sequence[Game[Any]]
    clocks: Sequence[Text]
    clocks_of_friends: Choices
    levels: Mapping[str, Sequence[tuple[int, Text]]]  # by game


WAYS = WaysToPlay(
    games=list(FOR_TWO.values()),
    clocks=[control_text(control) for control in QUICK_CONTROLS],
    clocks_of_friends=(
        *_WRITTEN,
        ("correspondence", control_text(Correspondence(3))),
        ("none", _("No clock")),
    ),
    levels={
        game: [
            (
                level,
                _("Level %(level)s (%(strength)s)", level=level, strength=strength)
                if (strength := strength_of(game, level))
                else _("Level %(level)s", level=level),
            )
            for level in LEVELS
        ]
        for game in FOR_TWO
    },
)

_OPTIONS = {"rounds": _("Rounds"), "komi": _("Komi")}
"""The labels of options of games other than the size."""


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """One challenge as one viewer sees it."""

    id: str
    game: str  # registry key
    title: str  # "JadeJack"
    board: Text  # "9×9"
    maker: str
    maker_is_guest: bool
    maker_rating: str  # "1512", "1500?"; "" for a guest
    maker_is_online: bool
    opponent: str | None  # the username of a direct challenge's opponent
    kind: str  # "open", "direct" or "link"
    side: str  # the side that the viewer would play: "black", "white", "random" or "choice"
    clock_group: str  # "realtime", "correspondence" or "none"
    control: Text  # "5+5", "3 days per move", "no clock"
    rated: bool
    casual_with_guests: bool
    rating_range: Text  # "1400 to 1600", or empty
    is_rematch: bool
    status: str  # "open", "accepted", "declined", "cancelled", "expired"
    decline_reason: Text | None
    game_id: str | None
    created_at: datetime
    is_mine: bool
    obstacle: Text | None  # why the viewer cannot accept it
    is_for_viewer: bool  # a direct challenge to the viewer

    @property
    def may_accept(self) -> bool:
        """Return whether the viewer may accept it."""
        return self.status == "open" and self.obstacle is None

    @property
    def rated_text(self) -> Text:
        """Return "rated" or "casual"."""
        return _("rated") if self.rated else _("casual")

    @property
    def rated_terms(self) -> Text:
        """Return whether the game is rated, and whether that depends on who accepts the challenge."""
        if not self.rated:
            return _("Casual")
        return _("Rated, but casual against a guest") if self.casual_with_guests else _("Rated")

    @property
    def maker_mark(self) -> str:
        """Return the maker's rating or "guest"; "" if the maker is the viewer."""
        if self.is_mine:
            return ""
        return _("guest") if self.maker_is_guest else self.maker_rating

    @property
    def side_label(self) -> Text:
        """Return "You play" or "You would play"."""
        return _("You play") if self.is_mine else _("You would play")

    @property
    def side_name(self) -> Text:
        """Return the side that the viewer gets: "Random", "Black"."""
        match self.side:
            case "random":
                return _("Random")
            case "choice" if self.is_mine:
                return _("Your opponent chooses")
            case "choice":
                return _("As you choose")
        return side_name(self.side)

    @property
    def choosable(self) -> Sequence[str]:
        """Return the sides of which the player who accepts it chooses one, if any."""
        return FOR_TWO[self.game].sides if self.side == CHOICE else ()

    @property
    def side_text(self) -> Text:
        """Return which side the viewer gets: "random sides", "you would play Black"."""
        if self.side == "random":
            return _("random sides")
        if self.side == "choice":
            return _("your opponent chooses the side") if self.is_mine else _("you choose your side")
        if self.is_mine:
            return _("you play %(side)s", side=self.side_name)
        return _("you would play %(side)s", side=self.side_name)

    @property
    def refusal(self) -> Text | None:
        """Return why the viewer cannot accept another's challenge."""
        return None if self.is_mine else self.obstacle

    @property
    def headline(self) -> Text:
        """Return the heading of the challenge's page: "Your challenge to robin", "wren challenges you"."""
        if self.is_mine and self.opponent:
            return _("Your challenge to %(player)s", player=self.opponent)
        if self.is_mine:
            return _("Your challenge")
        if self.is_for_viewer or not self.opponent:
            return _("%(player)s challenges you", player=self.maker)
        return _("%(player)s challenges %(opponent)s", player=self.maker, opponent=self.opponent)

    @property
    def page_title(self) -> Text:
        """Return the title of the challenge's page."""
        return _("Your challenge") if self.is_mine else _("A challenge from %(player)s", player=self.maker)

    @property
    def waiting_text(self) -> Text:
        """Return what its maker waits for while it is open."""
        if self.kind == "link":
            return _("The first to open it and accept plays against you.")
        if self.kind == "direct":
            return _("%(player)s will see it in the lobby.", player=self.opponent)
        return _("Listed in the lobby.")

    @property
    def end_text(self) -> Text:
        """Return how a challenge ended that did not lead to a game."""
        match self.status:
            case "accepted":
                return _("It was accepted.")
            case "declined" if self.decline_reason:
                answer = _("%(player)s says: “%(reason)s”", player=self.opponent, reason=self.decline_reason)
                return joined(_("It was declined."), answer)
            case "declined":
                return _("It was declined.")
            case "expired":
                return _("It has expired: nobody accepted in time, or its maker has left.")
        return _("It was cancelled.")


@dataclass(frozen=True, slots=True)
class ChallengeFormView:
    """The choices in the form for a challenge at one game, as pairs of value and text."""

    rules: Game[Any]
    options: tuple[tuple[str, str, Choices], ...]  # name, label, choices of each option of the game
    has_more: bool  # whether a side or a range of ratings is chosen, or invalid

    clocks: Choices = (*_WRITTEN, *_BY_DAYS, CLOCKS[0])
    more_clocks: Choices = CLOCKS[1:]
    days: Choices = DAY_CHOICES
    stakes: Choices = (("", _("Casual")), ("yes", _("Rated")))
    opponents: Choices = (
        ("open", _("Anyone")),
        ("username", _("A specific player")),
        ("link", _("Anyone with the link")),
    )

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the sides that its maker may choose, random first."""
        return (RANDOM, CHOICE, *self.rules.sides)


_FILTERS: Sequence[tuple[str, str, Choices]] = (
    (
        "clock",
        _("Clock"),
        (
            ("", _("Any clock")),
            ("realtime", _("Real time")),
            ("correspondence", _("Correspondence")),
            ("none", _("No clock")),
        ),
    ),
    ("rated", _("Rated"), (("", _("Rated or casual")), ("yes", _("Rated")), ("no", _("Casual")))),
    ("reach", _("Show"), (("", _("All")), ("yes", _("Challenges I can accept")))),
)


def filter_fields(games: Mapping[str, Game[Any]], wanted: Mapping[str, str]) -> list[FilterField]:
    """Return the selects that filter the list of open challenges, with the choice in each."""
    games_offered = (("", _("All games")), *((key, rules.title) for key, rules in games.items()))
    fields = (("game", _("Game"), games_offered), *_FILTERS)
    return [(name, label, choices, wanted[name]) for name, label, choices in fields]


def challenge_view(
    challenge: ChallengeInfo, viewer: Identity | None, ratings: Mapping[str, Rating], *, online: bool = False
) -> ChallengeView:
    """Return a challenge as a viewer with these ratings by game sees it."""
    terms = challenge.terms
    rules = FOR_TWO[terms.game]
    is_mine = viewer is not None and viewer.id == challenge.maker.id
    is_for_viewer = (
        viewer is not None and challenge.opponent is not None and challenge.opponent.id == viewer.id
    )
    other_side = next(side for side in rules.sides if side != terms.side)
    return ChallengeView(
        id=challenge.id,
        game=terms.game,
        title=rules.title,
        board=BOARDS[rules].size_text(terms.options),
        maker=challenge.maker.username,
        maker_is_guest=challenge.maker.is_guest,
        maker_rating="" if challenge.maker.is_guest else rating_text(challenge.maker_rating),
        maker_is_online=online and not is_mine,
        opponent=challenge.opponent.username if challenge.opponent else None,
        kind=challenge.kind,
        side=terms.side if is_mine or terms.side in (RANDOM, CHOICE) else other_side,
        clock_group=clock_group(terms.control),
        control=control_text(terms.control),
        rated=(terms if is_mine else terms.against(viewer)).rated,
        casual_with_guests=is_mine and terms.casual_with_guests,
        rating_range=rating_range_text(terms.rating_min, terms.rating_max),
        is_rematch=challenge.rematch_of is not None,
        status=challenge.status,
        decline_reason=DECLINE_REASONS.get(challenge.decline_reason or ""),
        game_id=challenge.game_id,
        created_at=challenge.created_at,
        is_mine=is_mine,
        obstacle=obstacle(challenge, viewer, ratings.get(terms.game, Rating())),
        is_for_viewer=is_for_viewer,
    )


def clock_group(control: TimeControl | None) -> str:
    """Return the group of a clock in filters: "realtime", "correspondence" or "none"."""
    if control is None:
        return "none"
    return "realtime" if is_realtime(control) else "correspondence"


def challenge_views(
    challenges: Iterable[ChallengeInfo], viewer: Identity | None, ratings: Mapping[str, Rating]
) -> list[ChallengeView]:
    """Return challenges as a viewer sees them."""
    return [challenge_view(challenge, viewer, ratings) for challenge in challenges]


def listing_views(listing: Listing, viewer: Identity | None, overview: LobbyOverview) -> list[ChallengeView]:
    """Return the lobby as a viewer sees it: their own challenges, those they may accept, then the others.

    Those whose makers are online come before those whose makers are away, and new ones before old ones.
    """
    views = (
        challenge_view(challenge, viewer, overview.ratings, online=challenge.maker.id in listing.online)
        for challenge in listing.challenges
        if challenge.maker.id not in overview.blocked
    )
    return sorted(views, key=lambda view: (not view.is_mine, not view.may_accept, not view.maker_is_online))


def challenges_html(challenges: tuple[ChallengeView, ...], searches: Hashable) -> Markup:
    """Return the list of the lobby as HTML, drawn once for all viewers to whom it looks the same.

    Its forms get the key of the page only if its template calls this.
    """
    return with_key(_challenges_html(challenges, searches))


# It says how long ago a challenge was made, in minutes.
@cached(TTLCache(maxsize=64, ttl=30), key=lambda challenges, searches: (challenges, searches, current()))
def _challenges_html(challenges: tuple[ChallengeView, ...], searches: Hashable) -> str:
    return fragment_keyed_later("partials/challenges.html", challenges=challenges, searches=searches)


def chosen_game(key: str) -> Game[Any]:
    """Return the rules of a game for two, those of the first one if there is no game of this key."""
    return FOR_TWO.get(key, next(iter(FOR_TWO.values())))


def challenge_form(values: Mapping[str, str], errors: Mapping[str, str]) -> ChallengeFormView:
    """Return the choices in the form for a challenge, for the game that is chosen in it."""
    rules = chosen_game(values["game"])
    return ChallengeFormView(
        rules=rules,
        options=option_fields(rules),
        has_more=bool(
            values["side"] != RANDOM or values["rating_min"] or values["rating_max"] or "rating" in errors
        ),
    )


def option_fields(rules: Game[Any]) -> tuple[tuple[str, str, Choices], ...]:
    """Return the name, the label and the choices of each option of a game."""
    return tuple(_option_field(rules, name, allowed) for name, allowed in rules.options.items())


def _option_field(rules: Game[Any], name: str, allowed: OptionRange) -> tuple[str, str, Choices]:
    if name == "size":
        return name, _("Board"), tuple((str(size), text) for size, text in sizes(allowed))
    numbers = range(allowed.minimum, allowed.maximum + 1)
    texts = tuple((str(value), BOARDS[rules].option_text(name, value)) for value in numbers)
    return name, _OPTIONS[name], texts
