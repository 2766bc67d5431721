"""Ratings of simulated players: how soon honest ones find their place, and what colluding accounts reach.

    .venv/bin/python -m benchmarks.ratings [--players 1000 10000 100000] [--seed 1]

Strengths are normally distributed around 1500. Players come over 100 days, the first ones on the first; most
stay for a few games, some for hundreds. Prints the same if every game counts. Then a person of average
strength has a hundred further accounts, and tries by each of some strategies to lift one. Exits with status 1
if a bar is missed.
"""

import argparse
import math
import random
import statistics
import sys
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from app.play.ratings.counting import Rated, RatedGame
from app.play.ratings.rerating import RatingStandings, Rerated, founders_after

START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS, YOUNG = 100, 25
FOUNDING = 10
"""The players who are there from the first day on, and stay."""

SOON, LATE = 15, 30
"""The games within which honest players are to be in their place, and to have a settled rating."""

PUPPETS = 100
STRENGTH = 1500.0
"""The strength of the person with many accounts."""

LIFT = 50.0

_MEAN_STAY, _SPREAD_OF_STAYS = 30, 1.2  # games
_WAITING = 20  # the most players who wait for an opponent of about their rating
_NEAR = 300  # rating points


class Site:
    """A site with players of known strengths, who are numbered."""

    def __init__(self, seed: int, everybody: int = 0) -> None:
        """Make an empty site; the games of all of its first `everybody` players count fully."""
        self.random = random.Random(seed)
        self.standings = RatingStandings(frozenset(range(everybody)))
        self.history: list[RatedGame] = []
        self.is_founded = everybody > 0
        self.strengths: list[float] = []
        self.games: Counter[int] = Counter()
        self.settled_after: dict[int, int] = {}
        self.found: dict[int, float] = {}  # ratings after SOON games
        self.regulars: list[int] = []  # honest players whose ratings are settled in the end
        self.at = self.looked_at = START

    def join(self, strength: float) -> int:
        """Return a new player."""
        self.strengths.append(strength)
        return len(self.strengths) - 1

    def rating(self, player: int) -> float:
        """Return a player's rating."""
        return self.standings.ratings.get(player, Rated()).rating.rating

    def is_settled(self, player: int) -> bool:
        """Return whether a player is ranked."""
        return not self.standings.rating_of(player, self.at).is_provisional

    def play(self, first: int, second: int, winner: int | None) -> None:
        """Rate a game; `winner` is 0, 1 or None."""
        game = RatedGame(str(self.games.total()), (first, second), winner, self.at)
        if not self.is_founded:
            self.history.append(game)
        self.standings.add(game)
        for player in (first, second):
            self.games[player] += 1
            self._look_at(player)

    def play_honestly(self, first: int, second: int) -> None:
        """Rate a game whose result follows from the strengths; one in twenty is a draw."""
        expected = 1 / (1 + 10 ** ((self.strengths[second] - self.strengths[first]) / 400))
        drawn, won = self.random.random() < 0.05, self.random.random() < expected
        self.play(first, second, None if drawn else int(not won))

    def pass_time(self, days: float) -> None:
        """Pass time, and look for founders once a day; the server does so once an hour."""
        self.at += timedelta(days=days)
        if self.is_founded or not self.history or self.at - self.looked_at < timedelta(days=1):
            return
        self.looked_at = self.at
        found = founders_after(self.history, self.standings)
        if found is None:
            self.is_founded = True
        elif found != self.standings.founders:
            self.standings = Rerated.of(self.history, found).standings
            for player in self.games:
                self._look_at(player)

    def _look_at(self, player: int) -> None:
        if self.games[player] == SOON:
            self.found[player] = self.rating(player)
        if player not in self.settled_after and self.is_settled(player):
            self.settled_after[player] = self.games[player]


def live(site: Site, players: int, days: int = DAYS) -> None:
    """Add that many honest players within DAYS, and play for some days."""
    chance = site.random
    joins = [0.0] * FOUNDING + sorted(DAYS * chance.random() ** (2 / 3) for _ in range(players - FOUNDING))
    stays: dict[int, int] = {}
    for day in range(days):
        while len(site.strengths) < players and joins[len(site.strengths)] < day + 1:
            stay = chance.lognormvariate(math.log(_MEAN_STAY) - 0.5, _SPREAD_OF_STAYS)
            player = site.join(chance.gauss(1500, 300))
            stays[player] = max(1, int(stay)) if player >= FOUNDING else 200
        for first, second in pairs(site, stays):
            site.play_honestly(first, second)
        stays = {player: left for player, left in stays.items() if left > 0}
        site.pass_time(1)
    site.regulars = [player for player in site.settled_after if site.is_settled(player)]


def pairs(site: Site, stays: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a day: up to six games each, with whoever waits and has the nearest rating."""
    asking = [player for player, left in stays.items() for _ in range(min(left, site.random.randint(0, 6)))]
    site.random.shuffle(asking)
    waiting: list[int] = []
    for player in asking:

        def distance(other: int, own: float = site.rating(player)) -> float:
            return abs(site.rating(other) - own)

        opponent = min((other for other in waiting if other != player), key=distance, default=None)
        if opponent is None or (distance(opponent) > _NEAR and len(waiting) < _WAITING):
            waiting.append(player)
            continue
        waiting.remove(opponent)
        stays[player] -= 1
        stays[opponent] -= 1
        yield player, opponent


def report(name: str, site: Site) -> bool:
    """Print how the honest players of a site fared, and return whether the bars are met."""
    errors = [abs(rating - site.strengths[player]) for player, rating in site.found.items()]
    strengths = sorted(site.strengths[player] for player in site.found)
    ratings = sorted(site.found.values())
    places = [
        abs(bisect(strengths, site.strengths[player]) - bisect(ratings, rating)) / len(ratings)
        for player, rating in site.found.items()
    ]
    stayed = [player for player, games in site.games.items() if games >= LATE]
    late = [player for player in stayed if site.settled_after.get(player, math.inf) > LATE]
    settled = sorted(site.settled_after.values())
    print(
        f"{name:12} {len(site.games):7,} players, {site.games.total() // 2:9,} games | after {SOON} games: "
        f"rating {statistics.median(errors):3.0f} off, place {statistics.median(places):5.1%} off | settled "
        f"after {statistics.median(settled):.0f} games, 99 % after {settled[int(0.99 * len(settled))]}, "
        f"all after {settled[-1]}; {len(late)} of {len(stayed)} later than {LATE}",
        flush=True,
    )
    return statistics.median(places) <= 0.1 and not late


Attack = Callable[[Site, int, list[int]], None]
"""What the person does with an account and the puppets."""


def losing(site: Site, winner: int, losers: list[int], games: int = 10) -> None:
    """Each puppet loses ten games a day, as many as the server rates."""
    for number in range(1, games + 1):
        for loser in losers:
            site.play(winner, loser, 0)
        if number % 10 == 0:
            site.pass_time(1)


def losing_for_ten_days(site: Site, main: int, puppets: list[int]) -> None:
    losing(site, main, puppets, games=100)


def drawing(site: Site, main: int, puppets: list[int]) -> None:
    """Every second game is drawn, the others are lost."""
    for number in range(10):
        for puppet in puppets:
            site.play(main, puppet, 0 if number % 2 else None)


def playing_each_other(site: Site, main: int, puppets: list[int]) -> None:
    """Let the puppets play each other for five days with random results, and then lose."""
    for _ in range(5):
        for puppet in puppets:
            for other in site.random.sample(puppets, 5):
                if other != puppet:
                    site.play(puppet, other, site.random.choice((0, 1, None)))
        site.pass_time(1)
    losing(site, main, puppets)


def in_a_chain(site: Site, main: int, puppets: list[int]) -> None:
    """Most lift some, who lift five, who lift the account."""
    low, middle, high = puppets[:-20], puppets[-20:-5], puppets[-5:]
    for losers, winners in ((low, middle), (middle, high), (high, [main])):
        for winner in winners:
            losing(site, winner, losers)


def losing_to_others_first(site: Site, main: int, puppets: list[int]) -> None:
    """Each puppet has lost three games to three of the other players."""
    for puppet in puppets:
        for _ in range(3):
            site.play(stranger(site, puppet), puppet, 0)
    losing(site, main, puppets)


def with_honest_games(games: int) -> Attack:
    """Return the attack in which each puppet has played some games as well as the person can."""

    def attack(site: Site, main: int, puppets: list[int]) -> None:
        for puppet in puppets:
            play_honestly(site, [puppet], games)
        losing(site, main, puppets)

    return attack


def with_five_proven(site: Site, main: int, puppets: list[int]) -> None:
    """Five puppets have played honestly until they count; then they prove the others."""
    proven, others = puppets[:5], puppets[5:]
    for puppet in proven:
        play_honestly(site, [puppet], SOON)
    for _ in range(3):
        for puppet in others:
            for other in proven:
                site.play(puppet, other, site.random.choice((0, 1)))
    losing(site, main, others)


def at_random(site: Site, main: int, puppets: list[int]) -> None:
    """Let all play each other and some strangers, in any order with any results."""
    honest = Counter[int]()
    for _ in range(50 * len(puppets)):
        puppet, other = site.random.sample(puppets, 2)
        kind = site.random.random()
        if kind < 0.05 and honest[puppet] < 4:
            honest[puppet] += 1
            play_honestly(site, [puppet], 1)
        elif kind < 0.5:
            site.play(puppet, other, site.random.choice((0, 1, None)))
        else:
            site.play(main, puppet, site.random.choice((0, 0, 0, 0, None, 1)))
        site.pass_time(0.002)


ATTACKS: dict[str, Attack] = {
    "eight puppets lose": lambda site, main, puppets: losing(site, main, puppets[:8]),
    "all lose": losing,
    "all lose, for ten days": losing_for_ten_days,
    "draws and losses": drawing,
    "a tournament, then all lose": playing_each_other,
    "a chain": in_a_chain,
    "all have lost to others": losing_to_others_first,
    "three honest games each": with_honest_games(3),
    "five honest games each": with_honest_games(5),
    "at random": at_random,
}
PRICES: dict[str, Attack] = {
    "ten honest games each": with_honest_games(10),
    "five prove the others": with_five_proven,
}
"""What does lift an account, and needs many games with strangers."""


def stranger(site: Site, player: int) -> int:
    """Return an honest player with a settled rating, near that of a player."""
    asked = site.random.sample(site.regulars, min(_WAITING, len(site.regulars)))
    return min(asked, key=lambda other: abs(site.rating(other) - site.rating(player)))


def play_honestly(site: Site, players: list[int], games: int) -> None:
    """Let accounts of the person play the same games with strangers, with the same results."""
    for _ in range(games):
        other = stranger(site, players[0])
        expected = 1 / (1 + 10 ** ((site.strengths[other] - STRENGTH) / 400))
        winner = int(site.random.random() >= expected)
        before = site.standings.ratings.get(other, Rated())
        for player in players:
            site.standings.ratings[other] = before
            site.play(player, other, winner)


def lift(site: Site, attack: Attack, *, is_settled: bool, puppets: int = PUPPETS) -> float:
    """Return by how much an attack lifts an account above its twin, which plays the honest games only.

    The honest games come before the attack if the account is to be settled by then, or else after it.
    """
    main, twin, *others = (site.join(STRENGTH) for _ in range(puppets + 2))
    if is_settled:
        play_honestly(site, [main, twin], LATE)
    attack(site, main, others)
    if not is_settled:
        play_honestly(site, [main, twin], LATE)
    return site.rating(main) - site.rating(twin)


def try_attacks(site: Site, attacks: dict[str, Attack], repeats: int) -> float:
    """Print by how much attacks lift an account on average, and return the largest average."""
    largest = 0.0
    for name, attack in attacks.items():
        means = []
        for is_settled in (True, False):
            lifts = [lift(site, attack, is_settled=is_settled) for _ in range(repeats)]
            means.append(statistics.mean(lifts))
        largest = max(largest, *means)
        print(f"    {name:28} settled before {means[0]:+5.0f}, settled after {means[1]:+5.0f}", flush=True)
    return largest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=5, help="of each attack")
    arguments = parser.parse_args()
    met = True
    for players in arguments.players:
        plain, site, young = Site(arguments.seed, players), Site(arguments.seed), Site(arguments.seed)
        for name, one in (("all count", plain), ("proven count", site)):
            live(one, players)
            is_met = report(name, one)
        live(young, players, YOUNG)
        print(f"  {PUPPETS} accounts lift one by, after {YOUNG} days")
        largest = try_attacks(young, ATTACKS, arguments.repeats)
        print(f"  after {DAYS} days")
        largest = max(largest, try_attacks(site, ATTACKS, arguments.repeats))
        print("  and, by many games with strangers, by")
        try_attacks(site, PRICES, 1)
        met = met and is_met and largest < LIFT
    print("every bar is met" if met else "a bar is missed")
    sys.exit(not met)


if __name__ == "__main__":
    main()
