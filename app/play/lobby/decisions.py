"""Who may make, accept, decline and cancel which challenges."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.core.errors import AppError, ConflictError, FieldError, ForbiddenError, InvalidError
from app.core.i18n.text import Text, _
from app.core.merging import check_seen
from app.people.identity.models import Account
from app.people.identity.service import Identity, check_registered
from app.play.games.game import GameState
from app.play.lobby.challenges import (
    CHOICE,
    DECLINE_REASONS,
    RANDOM,
    RATINGS,
    ChallengeInfo,
    ChallengeTerms,
    rating_range_text,
)
from engine.game import Side
from engine.glicko2 import Rating
from engine.registry import FOR_TWO

LAST_GAMES = 20
"""The number of a player's latest games that are looked at."""

TOLERATED_ABORTS = 4
"""How many of these a player may abort without a pause."""

FIRST_PAUSE = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(days=1)


_CLOSED = "challenge_closed"
_CLOSED_MESSAGE = _("This challenge is no longer open. Choose another one in the lobby, or make one.")


@dataclass(frozen=True, slots=True)
class Aborts:
    """How many of a player's last games between people they aborted, and the moment of the last abort.

    Leaving a rated game before it is long enough to count is an abort, too.
    """

    aborted: int
    last_at: datetime | None

    @property
    def paused_until(self) -> datetime | None:
        """Return until when real-time challenges are closed to the player, or None if they are not.

        Each abort beyond those tolerated doubles the pause, up to a day.
        """
        excess = self.aborted - TOLERATED_ABORTS
        if excess <= 0 or self.last_at is None:
            return None
        doubled: int = 2 ** (excess - 1)
        return self.last_at + min(FIRST_PAUSE * doubled, LONGEST_PAUSE)


def check_terms(terms: ChallengeTerms, identity: Identity, rating: Rating) -> None:
    """Raise an error if the identity, with a rating at the game, cannot make a challenge with these terms.

    That is InvalidError `bad_side`, ForbiddenError `rated_needs_account` or FieldError `bad_rating_range`.
    """
    sides = (RANDOM, CHOICE, *FOR_TWO[terms.game].sides)
    if terms.side not in sides:
        raise InvalidError("bad_side", _("Choose one of these sides: %(sides)s.", sides=", ".join(sides)))
    if terms.rated:
        check_registered(identity, _("Register or log in to play rated games."), code="rated_needs_account")
    _check_rating_range(terms, rating)


def check_opponent(terms: ChallengeTerms, identity: Identity, opponent: Account | None) -> Account:
    """Return the opponent of a direct challenge. Raise FieldError if they cannot be challenged."""
    if opponent is None:
        raise _opponent_error("unknown_opponent", _("No player with that name. Check the spelling."))
    if opponent.id == identity.id:
        raise _opponent_error("self_challenge", _("You cannot challenge yourself. Choose another opponent."))
    if opponent.closed_at is not None:
        raise _opponent_error("closed_account", _("That account was closed. Choose another opponent."))
    if terms.rated and opponent.computer_level is not None:
        raise _opponent_error("computers_play_casual", _("Computer players accept casual games only."))
    if terms.rated and opponent.is_guest:
        raise _opponent_error("guests_play_casual", _("Guests play casual games only."))
    return opponent


def unavailable_opponent() -> FieldError:
    """Return the refusal of a challenge between two players of whom one has blocked the other.

    It does not say so, since blocks are secret.
    """
    message = _("This player does not accept your challenge. Choose another opponent.")
    return _opponent_error("unavailable_opponent", message)


def check_aborts(aborts: Aborts, at: datetime) -> None:
    """Raise ForbiddenError `aborted_too_often` while real-time challenges are closed to a player."""
    until = aborts.paused_until
    if until is not None and at < until:
        minutes = -((at - until) // timedelta(minutes=1))
        raise ForbiddenError(
            "aborted_too_often",
            _(
                "You aborted %(aborted)s of your last %(last_games)s games, or left them before they "
                "counted, so you can play real-time games again at %(until)s UTC, in %(minutes)s min. "
                "Correspondence games are open to you.",
                aborted=aborts.aborted,
                last_games=LAST_GAMES,
                until=f"{until:%H:%M}",
                minutes=minutes,
            ),
            extra={"until": until.isoformat()},
        )


def closed_error() -> ConflictError:
    """Return the error for a challenge that is no longer open."""
    return ConflictError(_CLOSED, _CLOSED_MESSAGE)


def check_rated(*, rated: bool, seen: bool | None) -> None:
    """Raise StaleError if a game is rated and was not seen as rated, or vice versa, unless `seen` is None."""
    message = (
        _("This game would be rated now. Accept it again if you want that.")
        if rated
        else _("This game would be casual now. Accept it again if you want that.")
    )
    check_seen(rated, seen, message)


class BarredError(ConflictError):
    """A challenge is no longer open, since its other player, `account_id`, may not play it any more."""

    def __init__(self, account_id: int) -> None:
        super().__init__(_CLOSED, _CLOSED_MESSAGE)
        self.account_id = account_id


def check_acceptance(challenge: ChallengeInfo, identity: Identity | None, rating: Rating) -> None:
    """Raise ForbiddenError if the identity, with a rating at the game, cannot accept a challenge.

    None is a visitor, who becomes a guest by accepting.
    """
    if identity is not None and identity.id == challenge.maker.id:
        raise ForbiddenError(
            "own_challenge", _("This is your own challenge; another player has to accept it.")
        )
    if challenge.opponent is not None:
        _check_is_opponent(challenge, identity)
    check_joining(challenge.terms, identity, rating)


def check_joining(terms: ChallengeTerms, identity: Identity | None, rating: Rating) -> None:
    """Raise ForbiddenError `rated_needs_account` or `rating_out_of_range` if terms do not suit a player."""
    if terms.against(identity).rated:
        check_registered(
            identity,
            _("This is a rated game. Register or log in to play rated games."),
            code="rated_needs_account",
        )
    if not terms.admits(rating):
        raise ForbiddenError(
            "rating_out_of_range",
            _(
                "This challenge is for ratings of %(terms)s; yours is %(points)s.",
                terms=rating_range_text(terms.rating_min, terms.rating_max),
                points=round(rating.rating),
            ),
        )


def side_of_maker(terms: ChallengeTerms, chosen: str | None) -> str:
    """Return the side of a challenge's maker, or RANDOM, after the other player has chosen a side or none.

    Raise InvalidError `bad_side` unless a side is chosen if, and only if, it is left to that player.
    """
    sides = FOR_TWO[terms.game].sides
    if (chosen is not None) != (terms.side == CHOICE) or chosen not in (None, *sides):
        raise InvalidError(
            "bad_side", _("Choose a side, %(sides)s, if it is left to you.", sides=" / ".join(sides))
        )
    return terms.side if chosen is None else next(side for side in sides if side != chosen)


def obstacle(challenge: ChallengeInfo, identity: Identity | None, rating: Rating) -> Text | None:
    """Return why the identity cannot accept a challenge, or None if it can; see `check_acceptance`."""
    try:
        check_acceptance(challenge, identity, rating)
    except AppError as error:
        return error.message
    return None


def suits(challenge: ChallengeInfo, identity: Identity, terms: ChallengeTerms) -> bool:
    """Return whether a challenge leads to the rated or casual game that the identity's own terms would."""
    if challenge.maker.is_guest and terms.casual_with_guests:
        return True
    return challenge.terms.against(identity).rated == terms.rated


def check_decline(challenge: ChallengeInfo, identity: Identity, reason: str | None) -> None:
    """Raise ForbiddenError if the challenge is not for the identity, InvalidError for an unknown reason."""
    if challenge.opponent is None:
        raise ForbiddenError("not_yours", _("You can only decline a challenge to you."))
    _check_is_opponent(challenge, identity)
    if reason is not None and reason not in DECLINE_REASONS:
        raise InvalidError(
            "bad_reason", _("Choose one of these reasons: %(reasons)s.", reasons=", ".join(DECLINE_REASONS))
        )


def check_cancel(challenge: ChallengeInfo, identity: Identity) -> None:
    """Raise ForbiddenError if the identity did not make the challenge."""
    if challenge.maker.id != identity.id:
        raise ForbiddenError("not_yours", _("Only the player who made a challenge can cancel it."))


def rematch_terms(game: GameState, identity: Identity) -> ChallengeTerms:
    """Return the terms of a rematch: those of the game, with the sides exchanged.

    Raise ForbiddenError `not_a_player`, ConflictError `game_under_way`.
    """
    side = game.side_of(identity.id)
    other = game.other_side(side) if side else None
    if other is None:
        raise ForbiddenError("not_a_player", _("Only the players of a game for two can offer a rematch."))
    if not game.result:
        raise ConflictError("game_under_way", _("This game is not over yet. Finish it first."))
    return ChallengeTerms(game.game, game.options, str(other), game.control, game.rated)


def side_to_play_on(game: GameState, ply: int) -> Side:
    """Return the side to move after a ply of a finished game for two.

    Raise ConflictError `not_over` while it is under way, `solitaire` for a game for one, `no_move` if nobody
    is to move.
    """
    if not game.result:
        raise ConflictError("not_over", _("This game is not over yet. Finish it first."))
    if game.is_solitaire:
        raise ConflictError("solitaire", _("The computer plays games for two only."))
    side = game.rules.side_to_move(game.position_after(ply))
    if side is None:
        raise ConflictError("no_move", _("The game is over here. Choose an earlier position."))
    return side


def _check_is_opponent(challenge: ChallengeInfo, identity: Identity | None) -> None:
    if challenge.opponent is None or identity is None or identity.id != challenge.opponent.id:
        raise ForbiddenError("not_yours", _("This challenge is for another player."))


def _check_rating_range(terms: ChallengeTerms, rating: Rating) -> None:
    low, high = terms.rating_min, terms.rating_max
    if any(bound is not None and bound not in RATINGS for bound in (low, high)):
        raise _range_error(
            _("Ratings are from %(start)s to %(stop)s.", start=RATINGS.start, stop=RATINGS.stop - 1)
        )
    if low is not None and high is not None and low > high:
        raise _range_error(_("The lowest rating is above the highest one."))
    if not terms.admits(rating):
        points = round(rating.rating)
        raise _range_error(_("Your rating (%(points)s) must lie within the range.", points=points))


def _opponent_error(code: str, message: Text) -> FieldError:
    return FieldError("opponent", code, message)


def _range_error(message: Text) -> FieldError:
    return FieldError("rating", "bad_rating_range", message)
