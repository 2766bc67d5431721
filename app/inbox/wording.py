"""Notifications in words, and the pages that they lead to."""

from collections.abc import Callable, Mapping

from app.i18n.text import Text, _
from app.inbox.kinds import NewsKind
from app.inbox.queries import Listed
from engine.registry import GAMES

_RESULTS: Mapping[str, Callable[[str], Text]] = {
    "won": lambda player: _("You won against %(player)s", player=player),
    "lost": lambda player: _("You lost against %(player)s", player=player),
    "drawn": lambda player: _("A draw with %(player)s", player=player),
    "aborted": lambda player: _("The game against %(player)s was aborted", player=player),
}


def headline(item: Listed) -> Text:
    """Return a notification in a few words."""
    player = item.actor or ""
    match item.kind:
        case NewsKind.MY_TURN:
            return _("Your turn against %(player)s", player=player)
        case NewsKind.DEADLINE:
            return _("Little time is left for your move against %(player)s", player=player)
        case NewsKind.CHALLENGE:
            return _("%(player)s challenges you", player=player)
        case NewsKind.CHALLENGE_ACCEPTED:
            return _("%(player)s accepted your challenge", player=player)
        case NewsKind.CHALLENGE_DECLINED:
            return _("%(player)s declined your challenge", player=player)
        case NewsKind.GAME_FINISHED:
            return _RESULTS[item.data["result"]](player)


def path(item: Listed) -> str:
    """Return the path of the page that a notification is about."""
    match item.kind:
        case NewsKind.CHALLENGE | NewsKind.CHALLENGE_DECLINED:
            return f"/challenges/{item.subject}"
        case NewsKind.MY_TURN | NewsKind.DEADLINE | NewsKind.CHALLENGE_ACCEPTED | NewsKind.GAME_FINISHED:
            return f"/games/{item.subject}"


def detail(item: Listed) -> str:
    """Return what a notification adds in small print: the game."""
    return GAMES[item.data["game"]].title
