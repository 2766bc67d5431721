"""What the page of a search shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from cachetools import LRUCache, cached

from app.core.i18n.text import Text, _, listed
from app.core.moments import utc_now
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS
from app.play.games.creation import proposed_options
from app.play.games.wording import control_text, rating_text
from app.play.lobby.challenges import (
    QUICK_CONTROLS,
    ChallengeTerms,
    Listing,
    LobbyOverview,
    rating_range_text,
)
from app.play.lobby.forms import Filter
from app.play.lobby.presenter import ChallengeView, clock_group, listing_views
from app.play.pairing.decisions import open_to
from app.play.pairing.schemas import BOARDS_OF, CLOCKS, WantedShown
from app.play.pairing.searches import MOST_LISTED, MOST_WANTED, OFFERED_AFTER, GameOffer, SearchInfo
from engine.registry import FOR_TWO

Box = tuple[str, Text | str, bool]
"""A checkbox: its name, its label, and whether it is ticked."""


@dataclass(frozen=True, slots=True)
class SearchFormView:
    """The clocks, and the boards by game, that a search may be for."""

    clocks: Sequence[Box]
    boards: Sequence[tuple[str, Sequence[Box]]]


@dataclass(frozen=True, slots=True)
class SearchView:
    """A search: what for, how long it has lasted, and the game at which the computer is offered."""

    boards: Sequence[tuple[str, Sequence[Text]]]  # by the title of the game
    clocks: Sequence[Text]
    rating_range: Text
    is_open: bool
    seconds: int
    game: str
    title: str

    @property
    def waited(self) -> str:
        """Return how long it has lasted: "0:07"."""
        minutes, seconds = divmod(self.seconds, 60)
        return f"{minutes}:{seconds:02}"

    @property
    def offers_computer(self) -> bool:
        """Return whether it has lasted so long that the computer is offered."""
        return self.seconds >= OFFERED_AFTER.seconds

    @property
    def offered_after(self) -> int:
        """Return after how many seconds the computer is offered."""
        return OFFERED_AFTER.seconds


def search_view(search: SearchInfo) -> SearchView:
    """Return a search as its page shows it."""
    boards: dict[str, dict[Text, None]] = {}
    for each in search.terms:
        rules = FOR_TWO[each.game]
        boards.setdefault(rules.title, {})[BOARDS[rules].size_text(each.options)] = None
    first = search.terms[0]
    return SearchView(
        boards=[(title, list(sizes)) for title, sizes in boards.items()],
        clocks=list(dict.fromkeys(control_text(each.control) for each in search.terms)),
        rating_range=rating_range_text(first.rating_min, first.rating_max),
        is_open=search.is_open,
        seconds=max(0, int((utc_now() - search.began_at).total_seconds())),
        game=first.game,
        title=FOR_TWO[first.game].title,
    )


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A search in the lobby: its player, and the games at which the viewer may play them.

    These are values of the form, with their texts.
    """

    player: str
    mark: str  # the rating at the first game; "" for a guest
    choices: Sequence[tuple[str, Text]]
    is_rated: bool
    since: datetime


def who_waits(
    offers: Sequence[GameOffer],
    listing: Listing,
    viewer: Identity | None,
    overview: LobbyOverview,
    wanted: Filter,
) -> tuple[tuple[SearchRow, ...], tuple[ChallengeView, ...]]:
    """Return who waits for an opponent in the lobby of a viewer: those who search, and the challenges."""
    hidden = overview.blocked if viewer is None else {*overview.blocked, viewer.id}
    rows = (_row(offer, viewer, overview, wanted) for offer in offers if offer.player.id not in hidden)
    challenges = filter(wanted.admits, listing_views(listing, viewer, overview))
    return tuple(filter(None, rows)), tuple(challenges)


def _row(
    offer: GameOffer, viewer: Identity | None, overview: LobbyOverview, wanted: Filter
) -> SearchRow | None:
    rated = offer.terms[0].against(viewer).rated
    games = {
        text: each
        for text, each in open_to(offer, viewer, overview.ratings).items()
        if wanted.admits_game(each.game, clock_group(each.control), is_rated=rated)
    }
    if not games:
        return None
    player, first = offer.player, next(iter(games.values()))
    return SearchRow(
        player=player.username,
        mark=_("guest") if player.is_guest else rating_text(offer.rating(first.game)),
        choices=tuple(_choice(text, each) for text, each in games.items()),
        is_rated=rated,
        since=offer.since,
    )


@cached(LRUCache(MOST_LISTED * MOST_WANTED), key=lambda text, _terms: text)
def _choice(_text: str, terms: ChallengeTerms) -> tuple[str, Text]:
    """Return the value of a game in the form, and the game with its board and clock: "JadeJack 9×9, 5+3"."""
    rules = FOR_TWO[terms.game]
    board = _("%(game)s %(board)s", game=rules.short_title, board=BOARDS[rules].size_text(terms.options))
    return WantedShown.of(terms).model_dump_json(), listed(board, control_text(terms.control))


def proposed(search: SearchInfo | None) -> dict[str, str]:
    """Return the fields of the form for a search as they are proposed: as they were last time."""
    if search is None:
        rules = next(iter(FOR_TWO.values()))
        size = proposed_options(rules)["size"]
        return {f"clock {QUICK_CONTROLS[1]}": "yes", f"board {rules.key} {size}": "yes"}
    first = search.terms[0]
    bounds = {"rating_min": first.rating_min, "rating_max": first.rating_max}
    return {
        **{f"clock {each.control}": "yes" for each in search.terms},
        **{f"board {each.game} {each.options['size']}": "yes" for each in search.terms},
        **{name: str(bound) for name, bound in bounds.items() if bound is not None},
    }


def search_form(values: Mapping[str, str]) -> SearchFormView:
    """Return the form for a search with the boxes that are ticked."""
    return SearchFormView(
        [(name, control_text(control), name in values) for name, control in CLOCKS.items()],
        [
            (FOR_TWO[game].title, [(name, label, name in values) for name, label, _size in boards])
            for game, boards in BOARDS_OF.items()
        ],
    )
