"""Builds the views of challenges."""

from collections.abc import Iterable, Mapping
from typing import Any

from cachetools import TTLCache, cached
from markupsafe import Markup

from app.core.i18n.languages import current
from app.core.i18n.text import _
from app.core.web.filters import sizes
from app.core.web.render import fragment
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS
from app.play.games.creation import proposed_options
from app.play.games.wording import control_text, rating_text
from app.play.lobby.challenges import (
    DECLINE_REASONS,
    QUICK_CONTROLS,
    RANDOM,
    ChallengeInfo,
    rating_range_text,
)
from app.play.lobby.decisions import obstacle
from app.play.lobby.overview import Listing, Overview
from app.play.lobby.views import ChallengeFormView, ChallengeView, Choices
from engine.clock import TimeControl, is_realtime
from engine.game import Game, OptionRange
from engine.glicko2 import Rating
from engine.registry import FOR_TWO
from engine.search.levels import LEVELS, USUAL

CHOICES: dict[str, Any] = {
    "kinds": [(rules, BOARDS[rules].size_text(proposed_options(rules))) for rules in FOR_TWO.values()],
    "quick": [control_text(control) for control in QUICK_CONTROLS],
    "levels": [(level, _("Level %(level)s", level=level)) for level in LEVELS],
    "usual_level": USUAL,
    "decline_reasons": DECLINE_REASONS,
}
"""The choices in the forms of the lobby, the same for all viewers."""

_OPTIONS = {"rounds": _("Rounds")}
"""The labels of options of games other than the size."""


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
        side=terms.side if is_mine or terms.side == RANDOM else other_side,
        clock_group=_clock_group(terms.control),
        control=control_text(terms.control),
        rated=(terms if is_mine else terms.against(viewer)).rated,
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


def _clock_group(control: TimeControl | None) -> str:
    if control is None:
        return "none"
    return "realtime" if is_realtime(control) else "correspondence"


def challenge_views(
    challenges: Iterable[ChallengeInfo], viewer: Identity | None, ratings: Mapping[str, Rating]
) -> list[ChallengeView]:
    """Return challenges as a viewer sees them."""
    return [challenge_view(challenge, viewer, ratings) for challenge in challenges]


def listing_views(listing: Listing, viewer: Identity | None, overview: Overview) -> list[ChallengeView]:
    """Return the lobby as a viewer sees it: their own challenges, those they may accept, then the others.

    Those whose makers are online come before those whose makers are away, and new ones before old ones.
    """
    views = (
        challenge_view(challenge, viewer, overview.ratings, online=challenge.maker.id in listing.online)
        for challenge in listing.challenges
        if challenge.maker.id not in overview.blocked
    )
    return sorted(views, key=lambda view: (not view.is_mine, not view.may_accept, not view.maker_is_online))


# It says how long ago a challenge was made, in minutes.
@cached(TTLCache(maxsize=64, ttl=30), key=lambda challenges: (challenges, current()))
def challenges_html(challenges: tuple[ChallengeView, ...]) -> Markup:
    """Return a list of challenges as HTML, drawn once for all viewers to whom it looks the same."""
    return Markup(fragment("partials/challenges.html", challenges=challenges))  # noqa: S704 - an escaped template


def challenge_form(values: Mapping[str, str], errors: Mapping[str, str]) -> ChallengeFormView:
    """Return the choices in the form for a challenge, for the game that is chosen in it."""
    rules = FOR_TWO.get(values["game"], next(iter(FOR_TWO.values())))
    return ChallengeFormView(
        rules=rules,
        options=option_fields(rules),
        limits_rating=bool(values["rating_min"] or values["rating_max"] or "rating" in errors),
    )


def option_fields(rules: Game[Any]) -> list[tuple[str, str, Choices]]:
    """Return the name, the label and the choices of each option of a game."""
    return [_option_field(name, allowed) for name, allowed in rules.options.items()]


def _option_field(name: str, allowed: OptionRange) -> tuple[str, str, Choices]:
    if name == "size":
        return name, _("Board"), [(str(size), text) for size, text in sizes(allowed)]
    numbers = [str(number) for number in range(allowed.minimum, allowed.maximum + 1)]
    return name, _OPTIONS[name], list(zip(numbers, numbers, strict=True))
