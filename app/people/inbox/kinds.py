"""The kinds of notifications, the channels that may carry them, and the switches of accounts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


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
    REPORT_CLOSED = "report_closed"
    SECURITY = "security"
    TAKEBACK = "takeback"


class Channel(StrEnum):
    """What carries notifications to people who are not on the site."""

    EMAIL = "email"
    PUSH = "push"


class Switch(StrEnum):
    """Whether a channel carries a kind of notifications: each of them, a daily digest, or nothing."""

    ON = "on"
    DAILY = "daily"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Carriage:
    """How a channel carries a kind: after how long, and how many to one recipient in an hour.

    Players who look at the site meanwhile need no more. What is beyond the number is gathered and sent later.
    """

    after: timedelta
    most_an_hour: int


_AT_ONCE, _SOON, _MINUTE = timedelta(), timedelta(seconds=5), timedelta(minutes=1)
_NEWS = {Channel.EMAIL: Carriage(_MINUTE, 12), Channel.PUSH: Carriage(_SOON, 30)}
_URGENT = {Channel.EMAIL: Carriage(_AT_ONCE, 12), Channel.PUSH: Carriage(_AT_ONCE, 30)}
_CHALLENGE = {Channel.EMAIL: Carriage(_MINUTE, 4), Channel.PUSH: Carriage(_SOON, 6)}

SENT: Mapping[NewsKind, Mapping[Channel, Carriage]] = {
    NewsKind.MY_TURN: {
        Channel.EMAIL: Carriage(timedelta(minutes=5), 6),
        Channel.PUSH: Carriage(_SOON, 30),
    },
    NewsKind.DEADLINE: _URGENT,
    NewsKind.CHALLENGE: _CHALLENGE,
    NewsKind.LADDER_CHALLENGE: _CHALLENGE,
    NewsKind.MESSAGE: {Channel.PUSH: Carriage(_SOON, 10)},
    NewsKind.TOURNAMENT_SOON: _URGENT,
    NewsKind.TOURNAMENT_CHANGED: _NEWS,
    NewsKind.TOURNAMENT_MOVED: _NEWS,
    NewsKind.TOURNAMENT_CANCELLED: _NEWS,
    NewsKind.COMPETITION_ENDED: _NEWS,
    NewsKind.COMPETITION_CANCELLED: _NEWS,
    NewsKind.TEAM_ROLE: _NEWS,
    NewsKind.TEAM_REMOVED: _NEWS,
    NewsKind.TEAM_CLOSED: _NEWS,
    NewsKind.PLACE_LOST: _CHALLENGE,
    NewsKind.REPORT_CLOSED: _NEWS,
}
"""The channels that carry a kind, and how. All other kinds are only listed on the site."""

DIGESTS = {(Channel.EMAIL, NewsKind.MY_TURN)}
"""What may be gathered in a daily digest."""


ABOUT_TURNS = (NewsKind.MY_TURN, NewsKind.DEADLINE)
"""The kinds about a turn, which are deleted as soon as it is over."""

WAITING = (*ABOUT_TURNS, NewsKind.CHALLENGE)
"""The kinds about something that waits for an answer, which the header of each page shows by itself."""

WRITTEN = (NewsKind.MESSAGE, NewsKind.TEAM_REQUEST)
"""The kinds about what a player wrote, which those who never see the player's words do not get."""


def most_an_hour(channel: Channel) -> dict[NewsKind, int]:
    """Return how many of each kind a channel carries to one recipient in an hour."""
    return {kind: SENT[kind][channel].most_an_hour for kind in kinds_of(channel)}


def choices(channel: Channel, kind: NewsKind) -> tuple[Switch, ...]:
    """Return the positions of a switch. The first one is the default."""
    return tuple(Switch) if (channel, kind) in DIGESTS else (Switch.ON, Switch.OFF)


def kinds_of(channel: Channel) -> list[NewsKind]:
    """Return the kinds that a channel carries."""
    return [kind for kind, channels in SENT.items() if channel in channels]
