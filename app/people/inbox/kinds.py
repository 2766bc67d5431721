"""The kinds of notifications: their names, and what the `news.py` of the features declare of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any
from urllib.parse import quote

from app.core.i18n.text import NO_TEXT, Text, _
from app.core.importing import import_all
from engine.registry import GAMES


class NewsKind(StrEnum):
    """What a notification is about."""

    MY_TURN = "my_turn"
    DEADLINE = "deadline"
    CHALLENGE = "challenge"
    CHALLENGE_ACCEPTED = "challenge_accepted"
    CHALLENGE_DECLINED = "challenge_declined"
    GAME_FINISHED = "game_finished"
    MESSAGE = "message"
    MODERATION = "moderation"
    EXPORT_READY = "export_ready"
    TOURNAMENT_SOON = "tournament_soon"
    TOURNAMENT_CHANGED = "tournament_changed"
    TOURNAMENT_MOVED = "tournament_moved"
    TOURNAMENT_CANCELLED = "tournament_cancelled"
    COMPETITION_ENDED = "competition_ended"
    COMPETITION_CANCELLED = "competition_cancelled"
    COMMITMENT_EXPIRES = "commitment_expires"
    LEFT_OUT = "left_out"
    ACHIEVEMENT = "achievement"
    TEAM_REQUEST = "team_request"
    TEAM_JOINED = "team_joined"
    TEAM_ROLE = "team_role"
    TEAM_REMOVED = "team_removed"
    TEAM_CLOSED = "team_closed"
    LADDER_CHALLENGE = "ladder_challenge"
    LADDER_PLACE = "ladder_place"
    PLACE_LOST = "place_lost"
    RECORD_BEATEN = "record_beaten"
    REPORT_CLOSED = "report_closed"
    SECURITY = "security"
    TAKEBACK = "takeback"
    SHARED_BOARD = "shared_board"


class Channel(StrEnum):
    """What carries notifications to people who are not on the site."""

    EMAIL = "email"
    PUSH = "push"


class Switch(StrEnum):
    """Whether a channel carries a kind of notifications: each of them, a daily digest, or nothing."""

    ON = "on"
    DAILY = "daily"
    OFF = "off"


ABOUT_TURNS = (NewsKind.MY_TURN, NewsKind.DEADLINE)
"""The kinds about a turn, which are deleted as soon as it is over."""

DIGESTS = {(Channel.EMAIL, NewsKind.MY_TURN)}
"""What may be gathered in a daily digest."""


def choices(channel: Channel, kind: NewsKind) -> tuple[Switch, ...]:
    """Return the positions of a switch. The first one is the default."""
    return tuple(Switch) if (channel, kind) in DIGESTS else (Switch.ON, Switch.OFF)


@dataclass(frozen=True, slots=True)
class Carriage:
    """How a channel carries a kind: after how long, and how many to one recipient in an hour.

    Players who look at the site meanwhile need no more. What is beyond the number is gathered and sent later.
    """

    after: timedelta
    most_an_hour: int


AT_ONCE, SOON, MINUTE = timedelta(), timedelta(seconds=5), timedelta(minutes=1)
USUAL = {Channel.EMAIL: Carriage(MINUTE, 12), Channel.PUSH: Carriage(SOON, 30)}
URGENT = {Channel.EMAIL: Carriage(AT_ONCE, 12), Channel.PUSH: Carriage(AT_ONCE, 30)}
SPARING = {Channel.EMAIL: Carriage(MINUTE, 4), Channel.PUSH: Carriage(SOON, 6)}


@dataclass(frozen=True, slots=True)
class Sent:
    """How channels carry a kind, and the label of its switch."""

    switch: Text
    by: Mapping[Channel, Carriage] = field(default_factory=lambda: USUAL)


NOT_SENT = Sent(NO_TEXT, {})


def _game_or_name(item: "Listed") -> str:
    if "game" in item.data:
        return GAMES[item.data["game"]].title
    name = str(item.data.get("name", ""))
    return _(name).translated() if "is_text" in item.data else name


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of notifications: a few words, where `%(player)s` is who did it, and the path of a page.

    The path may have `{subject}`, `{player}` and what is in the data of a notification. `detail` is its small
    print, such as the game or the team; `when` names a moment of its data, with a sentence about it. What has
    not happened for good is listed and sent only while the query `still_true` finds something: who ends it
    withdraws it, but an end may come by the clock, or between two statements. What `is_written` is the words
    of a player, and not told to those who have muted that player.
    """

    name: NewsKind
    text: "Text | Callable[[Listed], Text]"
    path: "str | Callable[[Listed], str]"
    detail: "Callable[[Listed], str]" = _game_or_name
    when: tuple[str, Text] = ("", NO_TEXT)
    still_true: str | None = None
    is_written: bool = False
    sent: Sent = NOT_SENT


_DECLARED: dict[NewsKind, Kind] = {}


def declare(*kinds: Kind) -> None:
    """Declare kinds of notifications. Raise ValueError if one is declared already."""
    for kind in kinds:
        if kind.name in _DECLARED:
            raise ValueError(f"{kind.name} is declared twice")
        _DECLARED[kind.name] = kind


@cache
def kinds() -> Mapping[NewsKind, Kind]:
    """Return all kinds, in the order of their names. Raise LookupError if no feature declares one."""
    import_all("news")
    if missing := set(NewsKind) - set(_DECLARED):
        raise LookupError(f"no news.py declares {', '.join(missing)}")
    return {name: _DECLARED[name] for name in NewsKind}


def kinds_of(channel: Channel) -> dict[NewsKind, Sent]:
    """Return the kinds that a channel carries."""
    return {name: kind.sent for name, kind in kinds().items() if channel in kind.sent.by}


@dataclass(frozen=True, slots=True)
class Listed:
    """A notification with the name of the account whose doing it is, if any."""

    id: int
    kind: NewsKind
    subject: str
    actor: str | None
    data: Mapping[str, Any]
    at: datetime
    is_read: bool

    @property
    def text(self) -> Text:
        """Return it in a few words."""
        words = kinds()[self.kind].text
        if not isinstance(words, Text):
            words = words(self)
        return words if words.values else _(words.message, player=self.actor or "")

    @property
    def path(self) -> str:
        """Return the path of the page that it is about."""
        path = kinds()[self.kind].path
        if not isinstance(path, str):
            path = path(self)
        return path.format(**self.data, subject=self.subject, player=quote(self.actor or ""))

    @property
    def detail(self) -> str:
        """Return what it adds in small print, such as the game or the team that it is about."""
        return kinds()[self.kind].detail(self)

    @property
    def moment(self) -> datetime | None:
        """Return when a player's time ends, or when something starts, or None."""
        name, _words = kinds()[self.kind].when
        return datetime.fromisoformat(self.data[name]).astimezone(UTC) if name in self.data else None

    @property
    def when(self) -> Text:
        """Return when a player's time ends, or when something starts, as a sentence, or an empty text."""
        _name, words = kinds()[self.kind].when
        return NO_TEXT if self.moment is None else _(words.message, moment=self.moment)
