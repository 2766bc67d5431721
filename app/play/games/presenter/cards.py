"""Lists of games: one line for each, or a small board."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cachetools import LRUCache, cached
from markupsafe import Markup

from app.core.i18n.formats import signed
from app.core.i18n.languages import current
from app.core.i18n.text import Text, _
from app.play.games.boards import BOARDS
from app.play.games.forms import WatchFilter
from app.play.games.game import GameState
from app.play.games.presenter.board import board_of, mark_of, rating_of
from app.play.games.presenter.page import board_text, terms_for_two
from app.play.games.queries import GameSummary, has_begun, watched
from app.play.games.service import Games
from app.play.games.views import MiniView
from app.play.games.wording import headline, points_text, terms_text
from engine.game import Game
from engine.registry import rules_for

_ROW, _MOST_ROWS = 4, 2  # of small boards

_OUTCOMES = {"won": _("won"), "lost": _("lost"), "draw": _("draw"), "aborted": _("aborted")}


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in a list of one player's games: the reader's own, or those of `player`.

    It has its small board if the list has one.
    """

    game: GameSummary
    picture: Markup | None = None
    player: str | None = None

    @property
    def _rules(self) -> Game[Any]:
        return rules_for(self.game.game, 2 if self.game.opponent else 1)

    @property
    def title(self) -> str:
        """Return the title of the game."""
        return self._rules.title

    @property
    def board(self) -> Text:
        """Return how large the board is: "9×9"."""
        return BOARDS[self._rules].size_text(self.game.options)

    @property
    def name(self) -> str:
        """Return the heading of the card: the opponent, or the title of a solitaire game."""
        return self.game.opponent or self.title

    @property
    def terms(self) -> Text:
        """Return the board and the terms: "JadeJack 9×9. Rated, 5+5"; in a solitaire game "9×9, solo"."""
        if not self.game.opponent:
            return _("%(board)s, solo", board=self.board)
        terms = terms_text(self.game.control, rated=self.game.rated)
        return _("%(game)s %(board)s. %(terms)s", game=self.title, board=self.board, terms=terms)

    @property
    def state(self) -> Text:
        """Return how the game ended, or whose turn it is; the points of a solitaire game."""
        if self.game.points is not None:
            return points_text(self.game.points)
        if (outcome := self._outcome) is None:
            return self._turn
        if self.game.change is None:
            return _OUTCOMES[outcome]
        return _("%(result)s %(change)s", result=_OUTCOMES[outcome], change=signed(self.game.change))

    @property
    def _turn(self) -> Text:
        if self.player is None:
            return _("Your turn") if self.game.is_my_turn else _("Their turn")
        to_move = self.player if self.game.is_my_turn else self.game.opponent
        return _("%(player)s is to move", player=to_move)

    @property
    def state_class(self) -> str:
        """Return the CSS class of the state."""
        if not self.game.opponent:
            return "soft" if self.game.status == "started" else ""
        if outcome := self._outcome:
            return f"row-result-{outcome}"
        return "row-mark" if self.game.is_my_turn and self.player is None else "soft"

    @property
    def _outcome(self) -> str | None:
        """Return the result for the player in a game for two, or None while it is under way."""
        game = self.game
        if game.status != "finished":
            return "aborted" if game.status == "aborted" else None
        if game.winner is None:
            return "draw"
        return "won" if game.winner == game.side else "lost"


@dataclass(frozen=True, slots=True)
class GamesToGoOn:
    """Games that an account may go on with.

    The most urgent of all `total` ones are `cards`; in `turns` an opponent waits for the account.
    """

    cards: Sequence[GameCard]
    turns: int
    total: int


def game_cards(games: Iterable[GameSummary]) -> list[GameCard]:
    """Return a list of games, those first in which it is the account's turn, the most urgent at the top.

    Solitaire games, for which nobody waits, come after those in which it is the account's turn.
    """
    urgent = sorted(
        games,
        key=lambda game: (not game.is_my_turn, not game.opponent, not game.deadline, game.deadline or 0),
    )
    return [GameCard(game) for game in urgent]


def games_to_go_on(games: Sequence[GameSummary]) -> GamesToGoOn:
    """Return the most urgent games with small boards, in full rows as long as it is the account's turn."""
    turns = turns_in(games)
    rows = min(max(-(-turns // _ROW), 1), _MOST_ROWS)
    shown = [replace(card, picture=_picture(card.game)) for card in game_cards(games)[: rows * _ROW]]
    return GamesToGoOn(shown, turns, len(games))


def turns_in(games: Iterable[GameSummary]) -> int:
    """Return in how many games an opponent waits for the account."""
    return sum(bool(game.opponent) and game.is_my_turn for game in games)


@cached(LRUCache(512), key=lambda game: (game.id, game.ply, game.updated_at, current()))
def _picture(game: GameSummary) -> Markup:
    rules = rules_for(game.game, 2 if game.opponent else 1)
    return BOARDS[rules].draw(game.position)


MOST_MINIS = 12
"""The most games that are shown as small boards at once."""

_CANDIDATES = 3  # for the home page, since one of them may be unreadable


@cached(LRUCache(512), key=lambda state: (state.id, state.version, state.players, current()))
def mini_view(state: GameState) -> MiniView:
    """Return a game as a small board, built once for each version, its players and the language."""
    return MiniView(
        id=state.id,
        title=board_text(state),
        names=tuple(
            (side, player.username, rating_of(player) or mark_of(player) or "", state.score[side])
            for side, player in zip(state.rules.sides, state.players, strict=True)
        ),
        terms=_("solo") if state.is_solitaire else terms_for_two(state),
        state=headline(state) if state.result else _("move %(ply)s", ply=state.ply),
        board=board_of(state),
    )


async def featured(games: Games) -> list[MiniView]:
    """Return the running game that the home page shows, if there is one."""
    states, _has_more = await games.to_watch(has_begun(), limit=_CANDIDATES)
    return [mini_view(state) for state in states[:1]]


async def games_to_watch(games: Games, wanted: WatchFilter) -> tuple[list[MiniView], bool]:
    """Return a page of running games as small boards, and whether there is a next one."""
    states, has_more = await games.to_watch(
        *watched(
            wanted.game or None,
            {"yes": True, "no": False}.get(wanted.rated),
            is_of_people=wanted.players == "people",
        ),
        limit=MOST_MINIS,
        offset=MOST_MINIS * (wanted.number - 1),
    )
    return [mini_view(state) for state in states], has_more
