"""The board of a game as it is now."""

from markupsafe import Markup

from app.play.games.boards import BOARDS
from app.play.games.game import GameState


def live_board(state: GameState) -> Markup:
    """Return the board of the game page, with buttons where the side to move may play."""
    return _board(state, playable=state.result is None, live=True)


def watched_board(state: GameState) -> Markup:
    """Return the board of the game page of a reader who is not to move."""
    return _board(state, playable=False, live=True)


def still_board(state: GameState) -> Markup:
    """Return the board as lists of games show it."""
    return _board(state, playable=False, live=False)


def _board(state: GameState, *, playable: bool, live: bool) -> Markup:
    return BOARDS[state.rules].draw(
        state.position,
        last_move=state.moves[-1].move if state.moves else None,
        playable=playable,
        finished=state.is_played_out,
        live=live,
    )
