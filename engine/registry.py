"""The games that there are; the only place that lists them."""

from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.jadejack import JADEJACK

GAMES: Mapping[str, Game[Any]] = {game.key: game for game in (JADEJACK,)}
