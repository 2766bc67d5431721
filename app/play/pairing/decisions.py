"""Which game two players agree on."""

from collections.abc import Mapping
from contextlib import suppress

from app.core.errors import ForbiddenError
from app.people.identity.service import Identity
from app.play.lobby.challenges import ChallengeTerms
from app.play.lobby.decisions import check_joining
from app.play.pairing.searches import GameOffer
from engine.glicko2 import Rating


def agreed(one: GameOffer, other: GameOffer) -> ChallengeTerms | None:
    """Return the first terms of one player that the other one wants as well, or None."""
    if one.games.keys().isdisjoint(other.games):  # as most pairs are, and much faster
        return None
    pairs = ((mine, other.games[game]) for game, mine in one.games.items() if game in other.games)
    return next((mine for mine, theirs in pairs if _fit(one, mine, other, theirs)), None)


def open_to(
    offer: GameOffer, identity: Identity | None, ratings: Mapping[str, Rating]
) -> dict[str, ChallengeTerms]:
    """Return the games of a search at which an identity with some ratings by game may play its player.

    None is a visitor, who becomes a guest.
    """
    suiting = set[str]()
    for game, terms in {each.game: each for each in offer.terms}.items():  # all of a game suit alike
        with suppress(ForbiddenError):
            check_joining(terms, identity, ratings.get(game, Rating()))
            suiting.add(game)
    return {text: terms for text, terms in offer.games.items() if terms.game in suiting}


def _fit(one: GameOffer, mine: ChallengeTerms, other: GameOffer, theirs: ChallengeTerms) -> bool:
    """Return whether terms of two players for the same game, and their ratings, suit each other."""
    return (
        mine.against(other.player).rated == theirs.against(one.player).rated
        and mine.admits(other.rating(mine.game))
        and theirs.admits(one.rating(mine.game))
    )
