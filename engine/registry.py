"""The games that there are; the only place that lists them."""

from collections.abc import Mapping
from typing import Any

from engine.game import Game, SolitaireGame
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.up_and_up import UP_AND_UP

FOR_TWO: Mapping[str, Game[Any]] = {game.key: game for game in (JADEJACK, JUMPING_FARTHER)}
"""The rules of the games for two, by key."""

SOLITAIRE: Mapping[str, SolitaireGame[Any]] = {game.key: game for game in (JUMPING_SOLITAIRE, UP_AND_UP)}
"""The rules of the games for one, by key. A game may be played both ways, by rules of their own."""

GAMES: Mapping[str, Game[Any]] = {**FOR_TWO, **SOLITAIRE, **FOR_TWO}
"""Every game by key, with its rules for two where there are such."""


def rules_for(key: str, players: int) -> Game[Any]:
    """Give the rules of a game for so many players. Raises KeyError when there are none."""
    return SOLITAIRE[key] if players == 1 else FOR_TWO[key]
