"""Who may join a ladder, challenge whom, and answer which challenge."""

from collections.abc import Collection, Mapping

from app.compete.ladders.ladder import Ladder
from app.compete.ladders.models import LadderChallenge
from app.core.errors import AppError, ConflictError, ForbiddenError, NotFoundError
from app.core.i18n.text import Text, _, ngettext
from app.people.identity.models import Account
from app.people.identity.service import Identity, check_registered
from engine.tournaments.ladder import REACH, Obstacle, OpenChallenge, Order, obstacle

_OBSTACLES: Mapping[Obstacle, Text] = {
    Obstacle.BELOW: _("Challenge somebody above you."),
    Obstacle.TOO_FAR: ngettext(
        "You can challenge the player %(count)s place above you.",
        "You can challenge players up to %(count)s places above you.",
        REACH,
    ),
    Obstacle.CHALLENGING: _("You have challenged somebody already."),
    Obstacle.PAIRED: _("This player has challenged you."),
}


def refusal(
    order: Order, challenger: int, defender: int, challenges: Collection[OpenChallenge]
) -> AppError | None:
    """Return why a player of the order cannot challenge another one, as an error with a `reason`, or None.

    Whoever joins a ladder agrees to be challenged by everybody within reach: neither blocks nor vacations
    protect a place.
    """
    reason = obstacle(order, challenger, defender, challenges)
    if reason is None:
        return None
    return ConflictError("no_challenge", _OBSTACLES[reason], extra={"reason": reason})


def check_has_account(viewer: Identity | None) -> Identity:
    """Return the viewer, who may play on ladders. Raise NeedsAccountError for guests and visitors."""
    return check_registered(viewer, _("Register to play on ladders."))


def check_joining(identity: Identity, ladder: Ladder) -> None:
    """Raise NeedsAccountError, ConflictError `on_ladder`."""
    check_has_account(identity)
    if identity.id in ladder.players:
        raise ConflictError("on_ladder", _("You are on this ladder already."))


def check_on(ladder: Ladder, account_id: int) -> None:
    """Raise ConflictError `not_on_ladder`."""
    if account_id not in ladder.players:
        raise ConflictError("not_on_ladder", _("You are not on this ladder. Join it first."))


def check_leaving(ladder: Ladder, account_id: int) -> None:
    """Raise ConflictError `not_on_ladder`, `ladder_game` while a game for a place is under way."""
    check_on(ladder, account_id)
    if any(
        each.game_id is not None and account_id in (each.challenger_id, each.defender_id)
        for each in ladder.challenges
    ):
        raise ConflictError(
            "ladder_game", _("You are playing for a place on this ladder. Finish or resign that game first.")
        )


def check_opponent(ladder: Ladder, opponent: Account | None) -> Account:
    """Return the opponent of a challenge. Raise NotFoundError unless they are on the ladder."""
    if opponent is None or opponent.id not in ladder.players:
        raise NotFoundError("player")
    return opponent


def waiting(ladder: Ladder, challenge_id: str) -> LadderChallenge:
    """Return a challenge that waits for an answer. Raise ConflictError `challenge_closed`."""
    challenge = next((each for each in ladder.challenges if each.id == challenge_id), None)
    if challenge is None or challenge.game_id is not None or challenge.due_at <= ladder.now:
        raise ConflictError("challenge_closed", _("This challenge is no longer open."))
    return challenge


def check_own(account_id: int, identity: Identity) -> None:
    """Raise ForbiddenError `not_yours` unless the account of a challenge is the identity's."""
    if account_id != identity.id:
        raise ForbiddenError("not_yours", _("This challenge is for another player."))
