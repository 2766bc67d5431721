"""Answers to pages whose moves and commands were refused, which bring them up to date as well."""

from app.core.errors import AppError, ConflictError, UnsureError
from app.core.i18n.languages import current
from app.core.i18n.text import _
from app.core.web.errors import notice
from app.core.web.render import fragment
from app.play.games.game import GameState
from app.play.games.presenter.page import role_of
from app.play.games.presenter.updates import update
from app.play.games.service import Games


def refusal(state: GameState, account_id: int, error: AppError) -> bytes:
    """Return the fragments that show an error together with the game as it is."""
    return notice(error).encode() + update(state, role_of(state, account_id), state.ply, current()).text


async def refusal_of_move(
    games: Games, game_id: str, account_id: int, move: str, ply: int, error: ConflictError
) -> bytes:
    """Return the fragments that say why a move was not played: the coach's warning, or an error."""
    if isinstance(error, UnsureError):
        words = {"move": move, "ply": ply, "message": error.message, **error.extra}
        return fragment("partials/warning.html", **words).encode()
    return refusal(await games.get(game_id), account_id, with_move(move, error))


def with_move(move: str, error: ConflictError) -> ConflictError:
    """Return the error with a message that names the move; the coach's warning does that itself."""
    if isinstance(error, UnsureError):
        return error
    message = _("Your move (%(move)s) was not played. %(message)s", move=move, message=error.message)
    return ConflictError(error.code, message)
