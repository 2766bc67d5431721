"""The kinds of notifications, the channels that may carry them, and the switches of accounts."""

from collections.abc import Mapping
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
    LEFT_OUT = "left_out"
    ACHIEVEMENT = "achievement"
    TEAM_REQUEST = "team_request"
    TEAM_JOINED = "team_joined"
    LADDER_CHALLENGE = "ladder_challenge"
    LADDER_PLACE = "ladder_place"
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


SENT: Mapping[NewsKind, Mapping[Channel, timedelta]] = {
    NewsKind.MY_TURN: {Channel.EMAIL: timedelta(minutes=5), Channel.PUSH: timedelta(seconds=5)},
    NewsKind.DEADLINE: {Channel.EMAIL: timedelta(), Channel.PUSH: timedelta()},
    NewsKind.CHALLENGE: {Channel.EMAIL: timedelta(minutes=1), Channel.PUSH: timedelta(seconds=5)},
    NewsKind.LADDER_CHALLENGE: {Channel.EMAIL: timedelta(minutes=1), Channel.PUSH: timedelta(seconds=5)},
    NewsKind.MESSAGE: {Channel.PUSH: timedelta(seconds=5)},
    NewsKind.TOURNAMENT_SOON: {Channel.EMAIL: timedelta(), Channel.PUSH: timedelta()},
}
"""The channels that carry a kind, and after how long: players who look at the site meanwhile need no more.

All other kinds are only listed on the site.
"""

MOST_AN_HOUR: Mapping[Channel, Mapping[NewsKind, int]] = {
    Channel.EMAIL: {
        NewsKind.MY_TURN: 6,
        NewsKind.DEADLINE: 12,
        NewsKind.CHALLENGE: 4,
        NewsKind.LADDER_CHALLENGE: 4,
        NewsKind.TOURNAMENT_SOON: 12,
    },
    Channel.PUSH: {
        NewsKind.MY_TURN: 30,
        NewsKind.DEADLINE: 30,
        NewsKind.CHALLENGE: 6,
        NewsKind.LADDER_CHALLENGE: 6,
        NewsKind.MESSAGE: 10,
        NewsKind.TOURNAMENT_SOON: 30,
    },
}
"""How many of a kind a channel carries to one recipient in an hour; the rest is gathered and sent later."""

DIGESTS = {(Channel.EMAIL, NewsKind.MY_TURN)}
"""What may be gathered in a daily digest."""


ABOUT_TURNS = (NewsKind.MY_TURN, NewsKind.DEADLINE)
"""The kinds about a turn, which are deleted as soon as it is over."""

WAITING = (*ABOUT_TURNS, NewsKind.CHALLENGE)
"""The kinds about something that waits for an answer, which the header of each page shows by itself."""

WRITTEN = (NewsKind.MESSAGE, NewsKind.TEAM_REQUEST)
"""The kinds about what a player wrote, which those who never see the player's words do not get."""


def choices(channel: Channel, kind: NewsKind) -> tuple[Switch, ...]:
    """Return the positions of a switch. The first one is the default."""
    return tuple(Switch) if (channel, kind) in DIGESTS else (Switch.ON, Switch.OFF)


def kinds_of(channel: Channel) -> list[NewsKind]:
    """Return the kinds that a channel carries."""
    return [kind for kind, channels in SENT.items() if channel in channels]
