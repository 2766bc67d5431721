"""Ratings by Glicko-2, after Mark Glickman's paper "Example of the Glicko-2 system" (2013).

A rating is updated after each game. Rating periods pass continuously: the deviation grows with the fraction
of a period since the player's last game.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

TAU = 0.75
"""How much the volatility may change: tau in the paper."""

MIN_DEVIATION = 45.0
MAX_DEVIATION = 350.0
PROVISIONAL_ABOVE = 110.0
PERIODS_PER_DAY = 0.25
"""At this rate, a deviation of 45 becomes provisional again after about a year without a game."""

SCALE = 173.7178
_CENTRE = 1500.0
_CONVERGED = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a player's strength, with the rating and deviation on the usual scale around 1500."""

    rating: float = _CENTRE
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        """Return whether the deviation is too large for the player to be ranked."""
        return self.deviation > PROVISIONAL_ABOVE

    def after(self, periods: float) -> "Rating":
        """Return the rating after that many rating periods without a game."""
        grown = math.hypot(self.deviation, SCALE * self.volatility * math.sqrt(max(0.0, periods)))
        return Rating(self.rating, _bounded(grown), self.volatility)


def rate(
    player: Rating, results: Sequence[tuple[Rating, float]], *, periods: float = 1.0, tau: float = TAU
) -> Rating:
    """Return a player's rating after games, each given as the opponent's rating and the points (1, 0.5 or 0).

    `periods` is the time since the player's last update, in rating periods.
    """
    if not results:
        return player.after(periods)
    mu, phi = (player.rating - _CENTRE) / SCALE, player.deviation / SCALE
    precision = surprise = 0.0
    for opponent, points in results:
        weight = _g(opponent.deviation / SCALE)
        expected = 1 / (1 + math.exp(-weight * (mu - (opponent.rating - _CENTRE) / SCALE)))
        precision += weight * weight * expected * (1 - expected)
        surprise += weight * (points - expected)
    variance = 1 / precision
    volatility = _volatility(player.volatility, phi, variance, variance * surprise, tau)
    grown = phi * phi + volatility * volatility * periods
    phi = 1 / math.sqrt(1 / grown + 1 / variance)
    return Rating(_CENTRE + SCALE * (mu + phi * phi * surprise), _bounded(SCALE * phi), volatility)


def _g(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Return the new volatility: step 5 of the paper, by the Illinois algorithm."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + variance + math.exp(x)
        return math.exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        step = 1
        while f(start - step * tau) < 0:
            step += 1
        high = start - step * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _CONVERGED:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def _bounded(deviation: float) -> float:
    return min(max(deviation, MIN_DEVIATION), MAX_DEVIATION)
