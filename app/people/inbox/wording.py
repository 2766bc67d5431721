"""Notifications in words, and the pages that they lead to."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from urllib.parse import quote

from app.core.i18n.text import NO_TEXT, Text, _, ngettext
from app.people.achievements import WORDS, Achievement
from app.people.eligibility import Misfit
from app.people.identity.changes import WORDS as WORDS_OF_CHANGES
from app.people.identity.changes import Change
from app.people.inbox.kinds import NewsKind
from app.people.inbox.notification import Listed
from engine.registry import GAMES

_RESULTS: Mapping[str, Callable[[str], Text]] = {
    "won": lambda player: _("You won against %(player)s", player=player),
    "lost": lambda player: _("You lost against %(player)s", player=player),
    "drawn": lambda player: _("A draw with %(player)s", player=player),
    "aborted": lambda player: _("The game against %(player)s was aborted", player=player),
}
_PLACES: Mapping[str, Callable[[str], Text]] = {
    "won": lambda player: _("You took the place of %(player)s on the ladder", player=player),
    "lost": lambda player: _("%(player)s took your place on the ladder", player=player),
    "voided": lambda player: _(
        "Your game against %(player)s was voided, and the places on the ladder are as before", player=player
    ),
    "dropped": lambda _player: _("You dropped on the ladder, since you have not played there for long"),
    "removed": lambda _player: _("You are no longer on the ladder"),
}
_LEFT_OUT: Mapping[Misfit, Text] = {
    Misfit.CLOSED: _("You no longer take part, since your account is closed"),
    Misfit.EXCLUDED: _("You no longer take part, since a moderator has excluded you from rated games"),
    Misfit.COMPUTER: _("You no longer take part, since only people may take part"),
    Misfit.STRANGER: _("You no longer take part, since you are not a member of the team"),
    Misfit.RATING: _("You no longer take part, since your rating is outside the range"),
    Misfit.TOO_FEW_GAMES: _("You no longer take part, since you have too few rated games"),
}
_MOVES: Mapping[str, Text] = {
    "start": _("A tournament of yours starts at a new time"),
    "both": _("The terms and the start of a tournament of yours have changed"),
}
_REMOVALS: Mapping[str, Text] = {
    "removed": _("You are no longer in one of your teams"),
    "refused": _("A team does not let you join"),
}
_REPORTS: Mapping[str, Callable[[str], Text]] = {
    "acted": lambda player: _("A moderator acted on your report about %(player)s", player=player),
    "dismissed": lambda player: _(
        "A moderator looked into your report about %(player)s, and found no reason to act", player=player
    ),
    "answered": lambda _player: _("A moderator has read your answer"),
}

_HEADLINES: Mapping[NewsKind, Callable[[str], Text]] = {
    NewsKind.MY_TURN: lambda player: _("Your turn against %(player)s", player=player),
    NewsKind.DEADLINE: lambda player: _(
        "Little time is left for your move against %(player)s", player=player
    ),
    NewsKind.CHALLENGE: lambda player: _("%(player)s challenges you", player=player),
    NewsKind.CHALLENGE_ACCEPTED: lambda player: _("%(player)s accepted your challenge", player=player),
    NewsKind.CHALLENGE_DECLINED: lambda player: _("%(player)s declined your challenge", player=player),
    NewsKind.LADDER_CHALLENGE: lambda player: _("%(player)s challenges you for your place", player=player),
    NewsKind.MESSAGE: lambda player: _("%(player)s wrote to you", player=player),
    NewsKind.MODERATION: lambda _player: _("A moderator has made a decision about you"),
    NewsKind.ACHIEVEMENT: lambda _player: _("You have a new achievement"),
    NewsKind.TEAM_REQUEST: lambda player: _("%(player)s wants to join your team", player=player),
    NewsKind.TEAM_JOINED: lambda _player: _("You are a member of a team now"),
    NewsKind.TOURNAMENT_CHANGED: lambda _player: _("The terms of a tournament of yours have changed"),
    NewsKind.TOURNAMENT_CANCELLED: lambda _player: _("A tournament of yours is cancelled"),
    NewsKind.COMPETITION_ENDED: lambda _player: _("A competition of yours has ended early"),
    NewsKind.COMPETITION_CANCELLED: lambda _player: _("A competition of yours is cancelled"),
    NewsKind.TEAM_ROLE: lambda _player: _("Your role in a team has changed"),
    NewsKind.TEAM_CLOSED: lambda _player: _("A team of yours is closed"),
    NewsKind.PLACE_LOST: lambda player: _("%(player)s took your place on a leaderboard", player=player),
    NewsKind.EXPORT_READY: lambda _player: _("The file with your data is ready"),
    NewsKind.TOURNAMENT_SOON: lambda _player: _("A tournament of yours starts soon"),
}


def moves_text(moves: Iterable[tuple[int, str, bool]]) -> tuple[Text, ...]:
    """Return moves as "your move 12 (e5)", each from its number, its text, and whether it is the reader's."""
    return tuple(
        _("your move %(ply)s (%(move)s)", ply=ply, move=move)
        if is_yours
        else _("your opponent's move %(ply)s (%(move)s)", ply=ply, move=move)
        for ply, move, is_yours in moves
    )


def headline(item: Listed) -> Text:
    """Return a notification in a few words."""
    match item.kind:
        case NewsKind.GAME_FINISHED:
            wording = _RESULTS[item.data["result"]]
        case NewsKind.LADDER_PLACE:
            wording = _PLACES[item.data["change"]]
        case NewsKind.TAKEBACK:
            moves = moves_text(item.data["moves"])
            return ngettext(
                "%(player)s asks to take back %(count)s move: %(moves)s",
                "%(player)s asks to take back %(count)s moves: %(moves)s",
                len(moves),
                player=item.actor or "",
                moves=moves,
            )
        case NewsKind.LEFT_OUT:
            return _LEFT_OUT[Misfit(item.data["reason"])]
        case NewsKind.TOURNAMENT_MOVED:
            return _MOVES[item.data["change"]]
        case NewsKind.TEAM_REMOVED:
            return _REMOVALS[item.data["change"]]
        case NewsKind.REPORT_CLOSED:
            wording = _REPORTS[item.data["result"]]
        case NewsKind.SECURITY:
            return WORDS_OF_CHANGES[Change(item.data["change"])]
        case _:
            wording = _HEADLINES[item.kind]
    return wording(item.actor or "")


_REPORTED: Mapping[str, str] = {
    **dict.fromkeys(("acted", "dismissed"), "/players/{}"),
    "answered": "/account/moderation",
}
_PATHS: Mapping[NewsKind, Callable[[Listed], str]] = {
    **dict.fromkeys(
        (NewsKind.CHALLENGE, NewsKind.CHALLENGE_DECLINED), lambda item: f"/challenges/{item.subject}"
    ),
    **dict.fromkeys(
        (
            *(NewsKind.MY_TURN, NewsKind.DEADLINE, NewsKind.TAKEBACK),
            *(NewsKind.CHALLENGE_ACCEPTED, NewsKind.GAME_FINISHED),
        ),
        lambda item: f"/games/{item.subject}",
    ),
    **dict.fromkeys(
        (NewsKind.LADDER_CHALLENGE, NewsKind.LADDER_PLACE), lambda item: f"/ladders/{item.data['game']}?at=me"
    ),
    **dict.fromkeys(
        (
            NewsKind.TOURNAMENT_SOON,
            NewsKind.TOURNAMENT_CHANGED,
            NewsKind.TOURNAMENT_MOVED,
            NewsKind.TOURNAMENT_CANCELLED,
        ),
        lambda item: f"/tournaments/{item.subject}",
    ),
    **dict.fromkeys(
        (NewsKind.COMPETITION_ENDED, NewsKind.COMPETITION_CANCELLED),
        lambda item: f"/nugget/competitions/{item.subject}",
    ),
    **dict.fromkeys(
        (NewsKind.TEAM_JOINED, NewsKind.TEAM_ROLE, NewsKind.TEAM_REMOVED),
        lambda item: f"/teams/{item.subject}",
    ),
    NewsKind.TEAM_CLOSED: lambda _item: "/teams",
    NewsKind.PLACE_LOST: lambda item: f"{item.data['page']}",
    NewsKind.REPORT_CLOSED: lambda item: _REPORTED[item.data["result"]].format(quote(item.actor or "")),
    NewsKind.MESSAGE: lambda item: f"/messages/{quote(item.actor or '')}",
    NewsKind.MODERATION: lambda _item: "/account/moderation",
    NewsKind.SECURITY: lambda _item: "/account/security",
    NewsKind.EXPORT_READY: lambda item: f"/account/exports/{item.subject}",
    NewsKind.ACHIEVEMENT: lambda item: f"/players/{quote(item.actor or '')}#achievements",
    NewsKind.TEAM_REQUEST: lambda item: f"/teams/{item.data['team']}/requests",
    NewsKind.LEFT_OUT: lambda item: f"/{item.data['place']}/{item.subject}",
}


def path(item: Listed) -> str:
    """Return the path of the page that a notification is about."""
    return _PATHS[item.kind](item)


def detail(item: Listed) -> str:
    """Return what a notification adds in small print, such as the game or the team that it is about."""
    if "achievement" in item.data:
        return WORDS[Achievement(item.data["achievement"])].title
    if "game" in item.data:
        return GAMES[item.data["game"]].title
    return str(item.data.get("name", ""))


_MOMENTS: Mapping[NewsKind, tuple[str, Callable[[datetime], Text]]] = {
    NewsKind.DEADLINE: (
        "deadline",
        lambda moment: _("You have until %(moment)s UTC to move.", moment=moment),
    ),
    **dict.fromkeys(
        (NewsKind.TOURNAMENT_SOON, NewsKind.TOURNAMENT_MOVED),
        ("starts_at", lambda moment: _("It starts on %(moment)s UTC.", moment=moment)),
    ),
}


def when(item: Listed) -> Text:
    """Return when a player's time ends, or when something starts, as a sentence, or an empty text."""
    name, wording = _MOMENTS.get(item.kind, ("", None))
    if wording is None or name not in item.data:
        return NO_TEXT
    return wording(datetime.fromisoformat(item.data[name]).astimezone(UTC))
