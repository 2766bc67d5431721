"""Lists of games, one line for each."""

from collections.abc import Iterable
from dataclasses import replace

from cachetools import LRUCache, cached
from markupsafe import Markup

from app.core.i18n.languages import current
from app.core.i18n.text import Text, _
from app.play.games.boards import BOARDS
from app.play.games.queries import GameSummary
from app.play.games.views import GameCard
from app.play.games.wording import change_text, points_text, terms_text
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
