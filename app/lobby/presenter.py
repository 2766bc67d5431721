"""Challenges as pages show them."""

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache

from markupsafe import Markup

from app.games.boards import BOARDS
from app.games.wording import control_text, rating_text
from app.identity.service import Identity
from app.lobby.challenges import DECLINE_REASONS, RANDOM, ChallengeInfo
from app.lobby.views import ChallengeFormView, ChallengeView, Choices
from app.web.render import fragment, sizes
from engine.clock import control_to_dict
from engine.game import OptionRange
from engine.glicko2 import Rating
from engine.registry import FOR_TWO

_FRESH = 30  # seconds for which "just now" may stand


def challenge_view(
    challenge: ChallengeInfo,
    viewer: Identity | None,
    viewer_ratings: Mapping[str, Rating],
    *,
    online: bool = False,
) -> ChallengeView:
    """Return a challenge as one viewer sees it."""
    terms = challenge.terms
    rules = FOR_TWO[terms.game]
    is_mine = viewer is not None and viewer.id == challenge.maker.id
    others = [side for side in rules.sides if side != terms.side]
    side = terms.side if is_mine or terms.side == RANDOM else others[0]
    obstacle = challenge.obstacle(viewer, viewer_ratings.get(terms.game, Rating()))
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
        side=side,
        clock_kind=(control_to_dict(terms.control) or {"kind": "none"})["kind"],
        control=control_text(terms.control),
        rated=terms.rated,
        rating_range=_range_text(terms.rating_min, terms.rating_max),
        is_rematch=challenge.rematch_of is not None,
        status=challenge.status,
        decline_reason=DECLINE_REASONS.get(challenge.decline_reason or ""),
        game_id=challenge.game_id,
        created_at=challenge.created_at,
        is_mine=is_mine,
        obstacle=obstacle.message if obstacle else None,
        is_for_viewer=viewer is not None
        and challenge.opponent is not None
        and challenge.opponent.id == viewer.id,
    )


def challenge_form(values: Mapping[str, str], errors: Mapping[str, str]) -> ChallengeFormView:
    """Return what the form for a challenge offers at the game that is chosen in it."""
    rules = FOR_TWO.get(values["game"], next(iter(FOR_TWO.values())))
    return ChallengeFormView(
        rules=rules,
        options=[_option_field(name, allowed) for name, allowed in rules.options.items()],
        limits_rating=bool(values["rating_min"] or values["rating_max"] or "rating" in errors),
    )


def _option_field(name: str, allowed: OptionRange) -> tuple[str, str, Choices]:
    if name == "size":
        return name, "Board", [(str(size), text) for size, text in sizes(allowed)]
    numbers = [str(number) for number in range(allowed.minimum, allowed.maximum + 1)]
    return name, name.capitalize(), list(zip(numbers, numbers, strict=True))


def challenges_html(challenges: Sequence[ChallengeView]) -> Markup:
    """Draw a list of challenges, once for all to whom it looks the same."""
    return _drawn(tuple(challenges), int(time.time() // _FRESH))


@lru_cache(maxsize=64)
def _drawn(challenges: tuple[ChallengeView, ...], _moment: int) -> Markup:
    return Markup(fragment("partials/challenges.html", challenges=challenges))  # noqa: S704 - an escaped template


def _range_text(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f"{low} to {high}"
    if low is not None:
        return f"{low} or more"
    return f"{high} or less" if high is not None else ""
