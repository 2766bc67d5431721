"""The fragments that bring an open game page up to date, drawn once for all pages that need the same.

An update has two parts: what every role sees, and what is different for each role. What every role sees has
the marks of all players, which the style hides on pages of others. A page itself has only its reader's, for
browsers without styles.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Self

from markupsafe import escape

from app.core.errors import AppError, ConflictError, UnsureError
from app.core.i18n.languages import current, reading
from app.core.i18n.text import _
from app.core.moments import now
from app.core.web.errors import notice
from app.core.web.render import fragment
from app.live.messages import Message
from app.live.sharing import Drawn
from app.play.games.events import Step
from app.play.games.game import GameState
from app.play.games.offers import OFFERS
from app.play.games.presenter.board import announcements, board_of, move_rows, seat_views
from app.play.games.presenter.page import live_view, opponent_of, role_of
from app.play.games.service import Games
from app.play.games.views import ActionsView, LiveView, TurnView


def update(state: GameState, role: str, seen_ply: int, language: str) -> Message:
    """Return what brings a page of any version up to date.

    The plies after `seen_ply` are announced to screen readers.
    """
    with reading(language):
        return Message(_shared(state, seen_ply, 0), of_role(state, role))


def moves_update(state: GameState, role: str, seen_ply: int, language: str) -> Message:
    """Return what brings a page at `seen_ply` up to date if nothing but moves happened since.

    It is drawn once for all pages of the role in the language.
    """

    def draw() -> Message:
        return Message(_shared(state, seen_ply, seen_ply), of_role(state, role))

    with reading(language):
        return _last.of(state).messages.once(draw, role, seen_ply)


def as_time_passes(state: GameState, role: str) -> str:
    """Return what a page of this version shows differently only because time has passed."""
    time = _time(f' data-version="{state.version}"')
    return "".join((*_seats(state), *_parts_of_role(live_view(state, role)), time))


def declined(before: GameState, step: Step | None, role: str, language: str) -> Message | None:
    """Return what tells a role that its opponent has declined what it asked for, or None."""
    for offer in OFFERS:
        if isinstance(step, offer.request) and step.declined and offer.by(before) == role:
            opponent = opponent_of(before, role)
            with reading(language):
                said = offer.declined(opponent)
                return Message(fragment("partials/information.html", message=said).encode())
    return None


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


class _Drawings:
    """What was drawn of one version of a game in one second.

    A game's pages are updated one after the other, so what was drawn of others need not be kept.
    """

    def __init__(self) -> None:
        self._state: GameState | None = None
        self._second = 0

    def of(self, state: GameState) -> Self:
        """Return the drawings, none if the last ones were of another version or second."""
        second = now() // 1000
        if self._state is not state or self._second != second:
            self._state, self._second = state, second
            self.shared, self.messages = Drawn[bytes](), Drawn[Message]()
        return self


_last = _Drawings()


def _shared(state: GameState, seen_ply: int, listed_ply: int) -> bytes:
    """Return what every role sees; of the move list only what follows `listed_ply`, if it is not 0."""
    return _last.of(state).shared.once(lambda: _of_all(state, seen_ply, listed_ply), seen_ply, listed_ply)


def _of_all(state: GameState, seen_ply: int, listed_ply: int) -> bytes:
    rows = move_rows(state, listed_ply)
    said = announcements(state, rows[seen_ply - listed_ply :])
    moves = (
        _partial("move-list", fragment("partials/game_rows.html", rows=rows), "beforeend")
        if listed_ply
        else _partial("moves", fragment("partials/game_moves.html", rows=rows))
    )
    log = _partial("log", "".join(f"<p>{escape(text)}</p>" for text in said), "beforeend") if said else ""
    return b"".join((_position(state), moves.encode(), log.encode()))


def _position(state: GameState) -> bytes:
    """Return the board and the seats, drawn once for what sockets are sent and for the mover's answer."""

    def draw() -> bytes:
        board = _partial("squares", board_of(state, playable=state.result is None, live=True))
        return "".join((board, *_seats(state))).encode()

    return _last.of(state).shared.once(draw, "position")


def _seats(state: GameState) -> Iterator[str]:
    return (
        _partial(f"seat-{seat.side}", fragment("partials/seat.html", seat=seat), "outerMorph")
        for seat in seat_views(state, state.rules.sides)
    )


def of_role(state: GameState, role: str) -> bytes:
    """Return what a role sees differently from others, the version, and the time."""

    def draw() -> bytes:
        live = live_view(state, role)
        return "".join(
            (
                *_parts_of_role(live),
                _partial("version", fragment("partials/game_version.html", live=live), "outerMorph"),
                _time(),
            )
        ).encode()

    return _last.of(state).shared.once(draw, "role", role)


def _parts_of_role(live: LiveView) -> Iterator[str]:
    yield _partial("turn", _turn(live.turn, live.actions, current()))
    for part in ("actions", "choices"):
        yield _partial(part, _actions(part, live.actions, current()))


def _time(attributes: str = "") -> str:
    return _partial("now", f'<div id="now" data-now="{now()}"{attributes} hidden></div>', "outerMorph")


def _partial(target: str, html: str, swap: str = "innerMorph") -> str:
    """Return HTML that htmx puts in the place of an element, or into it."""
    return f'<hx-partial hx-target="#{target}" hx-swap="{swap}">{html}</hx-partial>'


@lru_cache(2048)
def _turn(turn: TurnView, actions: ActionsView, _language: str) -> str:
    return fragment("partials/game_turn.html", turn=turn, actions=actions, hint=None, rematch=None)


@lru_cache(2048)
def _actions(part: str, actions: ActionsView, _language: str) -> str:
    return fragment(f"partials/game_{part}.html", actions=actions)
