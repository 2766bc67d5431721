"""What can be embedded, as every visitor may see it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.routing import compile_path

from app.core.errors import ForbiddenError, NotFoundError
from app.core.i18n.formats import decimal
from app.core.i18n.text import Text, _, ngettext
from app.nugget.contents import board_at, boards_of
from app.nugget.drawing import film_of_board, picture_of
from app.nugget.entries import Entries
from app.play.games import export
from app.play.games.boards.board import Theme, by_night
from app.play.games.boards.film import Film
from app.play.games.presenter.page import game_view
from app.play.games.service import Games
from app.play.games.views import SPECTATOR
from app.play.games.wording import headline
from engine.golden_nugget.board import START

GAME, ENTRY = "/games/{game_id:id}", "/nugget/entries/{entry_id:id}"
BOARD = ENTRY + "/boards/{number:number}"
_STILL = Film("", 0, 0)


@dataclass(frozen=True, slots=True)
class Embed:
    """A page as others embed it: its path, a title, remarks, a picture, and the steps that this shows.

    `card` is the path of the picture for links to it, and `author` who made it, if that is one player.
    """

    path: str
    title: Text
    lines: Sequence[str]
    picture: Markup
    film: Film
    card: str
    author: str | None


class Embeds:
    """The pages that can be embedded."""

    def __init__(self, games: Games, entries: Entries) -> None:
        self._games = games
        self._entries = entries
        self._kinds = [
            (compile_path(path)[0::2], read)
            for path, read in ((GAME, self.game), (ENTRY, self.entry), (BOARD, self.board))
        ]

    async def at(self, path: str) -> Embed:
        """Return what is at a path of the site. Raise NotFoundError, ForbiddenError for what is secret."""
        for (pattern, convertors), read in self._kinds:
            if found := pattern.match(path):
                named: Mapping[str, Any] = {
                    name: convertors[name].convert(text) for name, text in found.groupdict().items()
                }
                return await read(**named)
        raise NotFoundError("page")

    async def game(self, game_id: str, theme: Theme = "system") -> Embed:
        """Return a game, with its moves so far. Raise NotFoundError."""
        state = await self._games.seen_by(None, game_id)
        view = game_view(state, SPECTATOR)
        drawn, film = await asyncio.to_thread(export.film, state, theme)
        said = headline(state) if state.result else _("The game goes on")
        title = _("%(game)s %(board)s", game=view.title, board=view.board_text)
        author = state.players[0].username if state.is_solitaire else None
        path = f"/games/{state.id}"
        return Embed(
            path, title, [*view.players_with_sides, said], _markup(drawn), film, f"{path}/card.png", author
        )

    async def entry(self, entry_id: str, theme: Theme = "system") -> Embed:
        """Return an entry, with its board of the fewest moves unless they are secret. Raise NotFoundError."""
        entry = await self._entries.outline(entry_id, None)
        lines: list[Text] = []
        if entry.withdrawn_at:
            lines.append(_("Withdrawn"))
        if entry.mean:
            boards = ngettext("%(count)s board", "%(count)s boards", entry.mean.boards)
            lines += [boards, _("Mean: %(mean)s", mean=decimal(entry.mean.text))]
        if entry.rank:
            lines.append(_("Rank: %(rank)s", rank=entry.rank))
        try:
            best = min(await boards_of(entry), key=lambda play: len(play.made))
        except ForbiddenError:
            picture, film = by_night(picture_of(START), theme), _STILL
        else:
            picture, film = await asyncio.to_thread(film_of_board, best, theme)
            lines.append(_moves(best.number, len(best.made)))
        path = f"/nugget/entries/{entry_id}"
        title = _("%(player)s's Golden Nugget entry", player=entry.username)
        return Embed(path, title, lines, _markup(picture), film, f"{path}/card.png", entry.username)

    async def board(self, entry_id: str, number: int, theme: Theme = "system") -> Embed:
        """Return a board of an entry. Raise NotFoundError, ForbiddenError while its moves are secret."""
        entry = await self._entries.record(entry_id, None)
        play = board_at(await boards_of(entry), number)
        drawn, film = await asyncio.to_thread(film_of_board, play, theme)
        path = f"/nugget/entries/{entry_id}"
        title = _("%(player)s's Golden Nugget entry", player=entry.username)
        lines = [_moves(number, len(play.made))]
        board_path = f"{path}/boards/{number}"
        return Embed(board_path, title, lines, _markup(drawn), film, f"{path}/card.png", entry.username)


def _moves(number: int, count: int) -> Text:
    return ngettext(
        "Board %(board)s: %(count)s move", "Board %(board)s: %(count)s moves", count, board=number
    )


def _markup(drawn: str) -> Markup:
    return Markup(drawn)  # noqa: S704 - our own strings
