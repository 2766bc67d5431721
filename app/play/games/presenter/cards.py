"""Lists of games: one line for each, or a small board."""

from collections.abc import Iterable
from dataclasses import replace

from cachetools import LRUCache, cached
from markupsafe import Markup

from app.core.i18n.languages import current
from app.core.i18n.text import Text, _
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.presenter.board import mark_of, rating_of, still_board
from app.play.games.presenter.page import board_text, terms_for_two
from app.play.games.queries import GameSummary, has_begun, watched
from app.play.games.schemas import WatchFilter
from app.play.games.service import Games
from app.play.games.views import GameCard, MiniView
from app.play.games.wording import change_text, headline, points_text, terms_text
from engine.registry import rules_for

_MOST_PICTURED = 4

_OUTCOMES = {"won": _("won"), "lost": _("lost"), "draw": _("draw"), "aborted": _("aborted")}


def game_cards(games: Iterable[GameSummary]) -> list[GameCard]:
    """Return a list of games, those first in which it is the account's turn, the most urgent at the top.

    Solitaire games, for which nobody waits, come after those in which it is the account's turn.
    """
    urgent = sorted(
        games,
        key=lambda game: (not game.is_my_turn, not game.opponent, not game.deadline, game.deadline or 0),
    )
    return [game_card(game) for game in urgent]


def pictured_cards(games: Iterable[GameSummary]) -> list[GameCard]:
    """Return the same list with small boards of the first games."""
    summaries = {game.id: game for game in games}
    cards = game_cards(summaries.values())
    pictured = [replace(card, picture=_picture(summaries[card.id])) for card in cards[:_MOST_PICTURED]]
    return [*pictured, *cards[_MOST_PICTURED:]]


@cached(LRUCache(512), key=lambda game: (game.id, game.ply, game.updated_at, current()))
def _picture(game: GameSummary) -> Markup:
    rules = rules_for(game.game, 2 if game.opponent else 1)
    return BOARDS[rules].draw(game.position, last_move=None, playable=False, finished=False, live=False)


def game_card(game: GameSummary) -> GameCard:
    """Return one line of a list of games."""
    rules = rules_for(game.game, 2 if game.opponent else 1)
    return GameCard(
        id=game.id,
        title=rules.title,
        board=BOARDS[rules].size_text(game.options),
        opponent=game.opponent or "",
        side=game.side,
        status=game.status,
        your_turn=game.is_my_turn,
        ply=game.ply,
        updated_at=game.updated_at,
        clock=terms_text(game.control, rated=game.rated),
        deadline=game.deadline,
        outcome=_outcome(game),
        result=_result_text(game),
        change=None if game.change is None else change_text(game.change),
    )


def _outcome(game: GameSummary) -> str:
    if game.status in ("aborted", "started"):
        return "" if game.status == "started" else "aborted"
    if game.points is not None:
        return "scored"
    if game.winner is None:
        return "draw"
    return "won" if game.winner == game.side else "lost"


def _result_text(game: GameSummary) -> Text | None:
    return _OUTCOMES.get(_outcome(game)) if game.points is None else points_text(game.points)


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
