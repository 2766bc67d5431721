"""Games in progress as small boards."""

from cachetools import LRUCache, cached

from app.core.i18n.languages import current
from app.core.i18n.text import _
from app.play.games.forms import WatchFilter
from app.play.games.game import GameState
from app.play.games.presenter.board import still_board
from app.play.games.presenter.seats import mark_of, rating_of
from app.play.games.presenter.turn import board_text, terms_for_two
from app.play.games.queries import has_begun, watched
from app.play.games.results import headline
from app.play.games.service import Games
from app.play.games.views import MiniView

MOST_MINIS = 12
"""The most games that are shown as small boards at once."""

_CANDIDATES = 3  # for the home page, since one of them may be unreadable


@cached(LRUCache(512), key=lambda state: (state.id, state.version, current()))
def mini_view(state: GameState) -> MiniView:
    """Return a game as a small board, built once for each version and language."""
    return MiniView(
        id=state.id,
        title=board_text(state),
        names=tuple(
            (side, player.username, rating_of(player) or mark_of(player) or "", state.score[side])
            for side, player in zip(state.rules.sides, state.players, strict=True)
        ),
        terms=terms_for_two(state),
        state=headline(state) if state.result else _("ply %(ply)s", ply=state.ply),
        board=still_board(state),
    )


async def featured(games: Games) -> list[MiniView]:
    """Return the running game that the home page shows, if there is one."""
    states, _has_more = await games.to_watch(has_begun(), limit=_CANDIDATES)
    return [mini_view(state) for state in states[:1]]


async def games_to_watch(games: Games, wanted: WatchFilter) -> tuple[list[MiniView], bool]:
    """Return a page of running games as small boards, and whether there is a next one."""
    states, has_more = await games.to_watch(
        *watched(wanted.game, wanted.rated, wanted.players),
        limit=MOST_MINIS,
        offset=MOST_MINIS * (wanted.number - 1),
    )
    return [mini_view(state) for state in states], has_more
