"""Who settles whom: small communities found a site, and one person with many accounts lifts none of them."""

import random
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest

from app.play.ratings.counting import MOST_WAITING, RatedGame
from app.play.ratings.rerating import (
    PROVEN_AT_LEAST,
    PROVEN_ENOUGH,
    RatingStandings,
    founders,
    is_founded,
    rerate,
)
from benchmarks.ratings import ATTACKS, LATE, LIFT, STRENGTH, Site, lift, live, play_honestly

START = datetime(2026, 1, 1, tzinfo=UTC)


def games_of(pairs, days):
    """Return games of pairs, in order, over some days; the first player wins each."""
    pairs = list(pairs)
    return [
        RatedGame(str(number), pair, 0, START + timedelta(days=days * number / len(pairs)))
        for number, pair in enumerate(pairs)
    ]


def test_ten_people_settle_within_thirty_games_each():
    chance = random.Random(1)
    strengths = [chance.gauss(1500, 200) for _ in range(10)]
    pairs = [pair for _ in range(6) for pair in combinations(range(10), 2)][: 10 * LATE // 2]
    chance.shuffle(pairs)
    games = [
        RatedGame(
            str(number),
            pair,
            int(chance.random() > 1 / (1 + 10 ** ((strengths[pair[1]] - strengths[pair[0]]) / 400))),
            START + timedelta(hours=number / 2),
        )
        for number, pair in enumerate(pairs)
    ]
    standings = rerate(games).standings
    assert not any(standings.rating_of(player, games[-1].at).is_provisional for player in range(10))


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, puppet) for _ in range(10) for puppet in range(1, 40)],  # all lose to one
        [(winner, 10 * winner + n) for winner in range(1, 9) for n in range(9)]
        + [(0, n) for n in range(1, 9)],
        list(combinations(range(5), 2)) * 20,  # too few
    ],
)
def test_accounts_that_play_few_others_found_no_site(pairs):
    assert founders(games_of(pairs, 9)) == frozenset()


def test_founders_have_played_for_two_days():
    assert founders(games_of(combinations(range(8), 2), 1.9)) == frozenset()
    again = list(combinations(range(8), 2)) * 2
    assert founders(games_of(again, 8)) == frozenset(range(8))


def test_further_founders_have_met_six_of_the_earlier_ones():
    again = [(0, founder) for founder in range(1, 7)] * 2 + [(8, founder) for founder in range(1, 6)] * 2
    among_themselves = [*combinations(range(9, 20), 2)] * 2
    games = games_of([*again, *among_themselves, *again, *among_themselves], 9)
    assert founders(games, frozenset(range(1, 8))) == {0}


@pytest.fixture(scope="module")
def site():
    """Return a site where two hundred people have played for a hundred days."""
    made = Site(seed=5)
    live(made, 200)
    return made


@pytest.mark.parametrize(
    ("proven", "active", "games", "is_over"),
    [
        (100, 200, 4_999, False),
        (100, 200, 5_000, True),
        (150, 200, 1_000, True),
        (600, 3_000, 20_000, False),  # the crowd grows faster than it is proven
        (1_000, 3_000, 20_000, True),
        (10, 3_000, 100_000, True),
        (9, 20, 100_000, False),
    ],
)
def test_founding_is_over_when_enough_of_those_who_play_are_proven(proven, active, games, is_over):
    assert is_founded(proven, active, games) is is_over


@pytest.fixture(scope="module")
def crowd():
    """Return a site that has grown from ten to four hundred people within twenty days."""
    made = Site(seed=1)
    live(made, 4_000, days=20)
    return made


@pytest.mark.parametrize("name", ["all lose", "a tournament, then all lose", "five honest games each"])
def test_many_accounts_lift_none_while_a_site_is_founded(name):
    made = Site(seed=5)
    live(made, 400, days=25)
    assert PROVEN_AT_LEAST <= len(made.standings.proven(made.at)) < PROVEN_ENOUGH
    assert lift(made, ATTACKS[name], is_settled=True, puppets=15) < LIFT


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("is_settled", [True, False])
def test_many_accounts_lift_none(site, name, is_settled):
    assert lift(site, ATTACKS[name], is_settled=is_settled, puppets=30) < LIFT


@pytest.mark.parametrize("seed", range(10))
def test_accounts_that_play_as_they_like_lift_none(site, seed):
    """Each of forty accounts plays the others and a few strangers, in a random order with chosen results."""
    chance = random.Random(seed)
    main, twin, *puppets = (site.join(STRENGTH) for _ in range(42))
    wins, strangers, few = chance.random(), chance.random() / 4, dict.fromkeys(puppets, 4)
    play_honestly(site, [main, twin], chance.choice((0, 15)))
    for _ in range(1_000):
        puppet, other = chance.sample(puppets, 2)
        if chance.random() < strangers and few[puppet]:
            few[puppet] -= 1
            play_honestly(site, [puppet], 1)
        elif chance.random() < wins:
            site.play(main, puppet, chance.choice((0, 0, 0, None)))
        else:
            site.play(puppet, other, chance.choice((0, 1, None)))
        site.at += timedelta(minutes=chance.expovariate(1 / 30))
    play_honestly(site, [main, twin], 25)
    assert site.rating(main) - site.rating(twin) < LIFT


@pytest.mark.parametrize(("name", "honest"), [("site", 200), ("crowd", 4_000)])
def test_honest_players_are_settled_within_thirty_games(request, name, honest):
    found = request.getfixturevalue(name)
    stayed = [player for player, games in found.games.items() if games >= LATE and player < honest]
    late = [player for player in stayed if found.settled_after.get(player, LATE + 1) > LATE]
    assert len(stayed) > 50
    assert late == []


def test_a_result_waits_again_when_later_ones_have_counted():
    founding, player, late, others = range(1, 7), 0, 50, (60, 61)
    pairs = [(player, late), *[(player, others[number % 2]) for number in range(MOST_WAITING)]]
    pairs += [(other, founder) for other in (late, *others) for founder in founding] * 4  # who are proven now
    pairs += [(player, 1)] * 2
    standings = RatingStandings(frozenset(founding))
    for number, pair in enumerate(pairs):
        standings.add(RatedGame(str(number), pair, number % 2, START + timedelta(minutes=number)))
    assert standings.counted[player][late] == 1  # as when the games ended
