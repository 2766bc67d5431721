"""The computer players of the games for two, by level. Importing this takes a while: it is for workers."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.game import Game
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER
from engine.search import plain
from engine.search.jadejack import player as jadejack
from engine.search.jumping import player as jumping
from engine.search.levels import BEST, LEVELS
from engine.search.player import Choice, Promise

_SKILLS: Mapping[Game[Any], Mapping[int, Any]] = {JADEJACK: jadejack.LEVELS, JUMPING_FARTHER: jumping.LEVELS}
_ANALYSTS: Mapping[Game[Any], Any] = {JADEJACK: jadejack.ANALYST, JUMPING_FARTHER: jumping.ANALYST}
_CHOOSE: Mapping[Game[Any], Callable[..., Choice]] = {
    JADEJACK: jadejack.choose,
    JUMPING_FARTHER: jumping.choose,
}


def choose(
    rules: Game[Any], position: Any, *, level: int = BEST, seed: int = 1, seconds: float = 1.0
) -> Choice:
    """Choose a move for the side to move at a level; the same for a seed, unless the seconds are too few.

    A game that no search is written for is played plainly at every level. Raises ValueError when it is over.
    """
    if rules not in _CHOOSE:
        return Choice((Promise(plain.choose(rules, position, seed), 0.0),), 1, 0)
    return _CHOOSE[rules](position, _SKILLS[rules][level], seed, seconds)


def look(rules: Game[Any], position: Any) -> Choice:
    """Look at a position as well as a second allows, the best five moves worked out. Raises ValueError."""
    if rules not in _CHOOSE:
        return choose(rules, position)
    return _CHOOSE[rules](position, _ANALYSTS[rules], 1)


def get_ready() -> None:
    """Have everything compiled, which takes a minute the first time and a second or two later on."""
    for rules in _CHOOSE:
        choose(rules, rules.initial({}), level=LEVELS[0])
