"""The boards: how a position of each game is drawn and described. The only place that lists them."""

from collections.abc import Mapping
from typing import Any

from app.play.games.boards.board import Board
from app.play.games.boards.jadejack import JadeJackBoard
from app.play.games.boards.jumping_farther import JumpingBoard
from app.play.games.boards.up_and_up import UpAndUpBoard
from engine.game import Game
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.up_and_up import UP_AND_UP

BOARDS: Mapping[Game[Any], Board] = {
    JADEJACK: JadeJackBoard(JADEJACK),
    JUMPING_FARTHER: JumpingBoard(JUMPING_FARTHER),
    JUMPING_SOLITAIRE: JumpingBoard(JUMPING_SOLITAIRE),
    UP_AND_UP: UpAndUpBoard(UP_AND_UP),
}
"""The board of each game by its rules."""
