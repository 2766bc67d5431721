"""The list of games. Every other module that names more than one is named in docs/adding-a-game.md."""

from collections.abc import Mapping
from typing import Any

from engine.game import Game, SolitaireGame
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.up_and_up import UP_AND_UP

FOR_TWO: Mapping[str, Game[Any]] = {game.key: game for game in (JADEJACK, JUMPING_FARTHER)}
"""The rules for two players, by the key of the game."""

SOLITAIRE: Mapping[str, SolitaireGame[Any]] = {game.key: game for game in (JUMPING_SOLITAIRE, UP_AND_UP)}
"""The rules for one player, by the key of the game. A game may have rules for one and for two."""

_ONLY_SOLITAIRE = {key: game for key, game in SOLITAIRE.items() if key not in FOR_TWO}

GAMES: Mapping[str, Game[Any]] = {**FOR_TWO, **_ONLY_SOLITAIRE}
"""All games by key. A game that has rules for one and for two is listed with those for two."""


def rules_for(key: str, players: int) -> Game[Any]:
    """Return the rules of a game for that number of players. Raise KeyError if there are none."""
    return SOLITAIRE[key] if players == 1 else FOR_TWO[key]
