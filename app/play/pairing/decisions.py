"""Which game two players agree on."""

from collections.abc import Mapping

from app.core.errors import ForbiddenError
from app.people.identity.service import Identity
from app.play.lobby.challenges import ChallengeTerms
from app.play.lobby.decisions import check_joining
from app.play.pairing.searches import GameOffer
from engine.glicko2 import Rating


def agreed(one: GameOffer, other: GameOffer) -> ChallengeTerms | None:
    """Return the first terms of one player that the other one wants as well, or None."""
    pairs = ((mine, theirs) for mine in one.terms for theirs in other.terms)
    return next((mine for mine, theirs in pairs if _fit(one, mine, other, theirs)), None)


def open_to(
    offer: GameOffer, identity: Identity | None, ratings: Mapping[str, Rating]
) -> list[ChallengeTerms]:
    """Return the terms of a search on which an identity with some ratings by game may play its player.

    None is a visitor, who becomes a guest.
    """
    return [terms for terms in offer.terms if _suits(terms, identity, ratings.get(terms.game, Rating()))]


def wanted(offer: GameOffer, terms: ChallengeTerms) -> ChallengeTerms | None:
    """Return the terms of a player for the game of other terms, or None."""
    return next((each for each in offer.terms if _is_same_game(each, terms)), None)


def _suits(terms: ChallengeTerms, identity: Identity | None, rating: Rating) -> bool:
    try:
        check_joining(terms, identity, rating)
    except ForbiddenError:
        return False
    return True


def _fit(one: GameOffer, mine: ChallengeTerms, other: GameOffer, theirs: ChallengeTerms) -> bool:
    """Return whether terms of two players are for the same game, and their ratings suit each other."""
    return (
        _is_same_game(mine, theirs)
        and mine.against(other.player).rated == theirs.against(one.player).rated
        and mine.admits(other.rating(mine.game))
        and theirs.admits(one.rating(mine.game))
    )


def _is_same_game(mine: ChallengeTerms, theirs: ChallengeTerms) -> bool:
    return (mine.game, mine.options, mine.control) == (theirs.game, theirs.options, theirs.control)
