"""The board of a game as it is now."""

from markupsafe import Markup

from app.games.boards import BOARDS
from app.games.game import GameState


def live_board(state: GameState) -> Markup:
    """Return the board of the game page, with buttons where the side to move may play."""
    return _board(state, live=True)


def still_board(state: GameState) -> Markup:
    """Return the board without buttons, as lists of games show it."""
    return _board(state, live=False)


def _board(state: GameState, *, live: bool) -> Markup:
    return BOARDS[state.rules].draw(
        state.position,
        last_move=state.moves[-1].move if state.moves else None,
        playable=live and state.result is None,
        finished=state.is_played_out,
        live=live,
    )
