"""Notifications in words, and the pages that they lead to."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

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


_HEADLINES: Mapping[NewsKind, Callable[[str], Text]] = {
    NewsKind.MY_TURN: lambda player: _("Your turn against %(player)s", player=player),
    NewsKind.DEADLINE: lambda player: _(
        "Little time is left for your move against %(player)s", player=player
    ),
    NewsKind.CHALLENGE: lambda player: _("%(player)s challenges you", player=player),
    NewsKind.CHALLENGE_ACCEPTED: lambda player: _("%(player)s accepted your challenge", player=player),
    NewsKind.CHALLENGE_DECLINED: lambda player: _("%(player)s declined your challenge", player=player),
    NewsKind.MESSAGE: lambda player: _("%(player)s wrote to you", player=player),
    NewsKind.MODERATION: lambda _player: _("A moderator has made a decision about you"),
    NewsKind.EXPORT_READY: lambda _player: _("The file with your data is ready"),
}


def headline(item: Listed) -> Text:
    """Return a notification in a few words."""
    wording = _RESULTS[item.data["result"]] if item.kind is NewsKind.GAME_FINISHED else _HEADLINES[item.kind]
    return wording(item.actor or "")


def path(item: Listed) -> str:
    """Return the path of the page that a notification is about."""
    match item.kind:
        case NewsKind.CHALLENGE | NewsKind.CHALLENGE_DECLINED:
            return f"/challenges/{item.subject}"
        case NewsKind.MY_TURN | NewsKind.DEADLINE | NewsKind.CHALLENGE_ACCEPTED | NewsKind.GAME_FINISHED:
            return f"/games/{item.subject}"
        case NewsKind.MESSAGE:
            return f"/messages/{quote(item.subject)}"
        case NewsKind.MODERATION:
            return "/account/moderation"
        case NewsKind.EXPORT_READY:
            return f"/account/exports/{item.subject}"


def detail(item: Listed) -> str:
    """Return what a notification adds in small print: the game, if it is about one."""
    return GAMES[item.data["game"]].title if "game" in item.data else ""
