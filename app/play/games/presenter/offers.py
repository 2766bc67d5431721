"""What the players of a game offer each other, as each of them reads it."""

from app.core.errors import ConflictError
from app.core.i18n.text import Text, _, ngettext
from app.core.moments import now
from app.play.games.game import GameState
from app.play.games.news import moves_text
from app.play.games.offers import TAKEBACK, Offer
from app.play.games.views import NO_OFFER, SPECTATOR, OfferView
from engine.game import Side


def offer_view(state: GameState, role: str, offer: Offer) -> OfferView:
    """Return how far an offer has come as a role sees it, and what it is about."""
    if role == SPECTATOR or state.result or state.is_solitaire:
        return NO_OFFER
    asking = offer.by(state)
    if asking is not None:
        words = _of_takeback(state, asking, role) if offer is TAKEBACK else _of_pause(asking, role)
        return OfferView("asked" if asking == role else "asks", words)
    try:
        offer.grant(state, Side(role), now())
    except ConflictError:
        return NO_OFFER
    return OfferView("may take" if state.is_against_computer else "may ask")


def _of_takeback(state: GameState, asking: Side, role: str) -> Text:
    moves = moves_text(state.taken_back_by(asking, Side(role)))
    if asking == role:
        return ngettext(
            "You have asked to take back %(count)s move: %(moves)s.",
            "You have asked to take back %(count)s moves: %(moves)s.",
            len(moves),
            moves=moves,
        )
    return ngettext(
        "Your opponent asks to take back %(count)s move: %(moves)s.",
        "Your opponent asks to take back %(count)s moves: %(moves)s.",
        len(moves),
        moves=moves,
    )


def _of_pause(asking: Side, role: str) -> Text:
    if asking == role:
        return _("You have asked for a pause of 30 minutes at most.")
    return _("Your opponent asks for a pause of 30 minutes at most.")
