"""Searches for as many games as a player may want: they cost what these games do, and not their pairs."""

from app.core.moments import utc_now
from app.people.identity.models import Account
from app.play.lobby.challenges import ChallengeTerms, Listing, LobbyOverview
from app.play.lobby.forms import Filter
from app.play.pairing.decisions import agreed
from app.play.pairing.presenter import who_waits
from app.play.pairing.searches import MOST_WANTED, GameOffer
from engine.clock import Realtime


class Counted(dict):
    """Options that count how often they are compared, or made a text that is."""

    compared = 0

    def __eq__(self, other):
        Counted.compared += 1
        return super().__eq__(other)

    __hash__ = None

    def __repr__(self):
        Counted.compared += 1
        return super().__repr__()


def offer(number, increment):
    player = Account(id=number, username=f"player-{number}", password_hash="none")
    controls = (Realtime(60 + seconds, increment) for seconds in range(MOST_WANTED))
    terms = tuple(ChallengeTerms("jadejack", Counted(size=9), control=control) for control in controls)
    return GameOffer(player, {}, terms, utc_now())


def test_two_players_are_compared_without_comparing_each_two_of_their_games():
    Counted.compared = 0
    assert agreed(offer(1, 0), offer(2, 1)) is None
    assert agreed(offer(1, 0), offer(2, 0)) is not None
    assert Counted.compared <= 4 * MOST_WANTED  # a text for each game of the four offers


def test_the_games_of_a_search_are_told_once_for_all_who_are_in_the_lobby():
    searches, challenges = [offer(1, 0)], Listing((), frozenset())
    lobbies = [
        who_waits(searches, challenges, None, LobbyOverview({}, [], []), Filter())[0] for _ in range(2)
    ]
    (one,), (other,) = lobbies
    assert len(one.choices) == MOST_WANTED
    assert all(mine is theirs for mine, theirs in zip(one.choices, other.choices, strict=True))
