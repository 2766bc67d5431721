"""Which game two players agree on."""

from app.play.lobby.challenges import ChallengeTerms
from app.play.pairing.searches import Offer


def agreed(one: Offer, other: Offer) -> ChallengeTerms | None:
    """Return the first terms of one player that the other one wants as well, or None."""
    pairs = ((mine, theirs) for mine in one.terms for theirs in other.terms)
    return next((mine for mine, theirs in pairs if _fit(one, mine, other, theirs)), None)


def _fit(one: Offer, mine: ChallengeTerms, other: Offer, theirs: ChallengeTerms) -> bool:
    """Return whether terms of two players are for the same game, and their ratings suit each other."""
    return (
        (mine.game, mine.options, mine.control) == (theirs.game, theirs.options, theirs.control)
        and mine.against(other.player).rated == theirs.against(one.player).rated
        and mine.admits(other.rating(mine.game))
        and theirs.admits(one.rating(mine.game))
    )
