"""The lines of the event stream; `stream.py` makes them."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from app.core.web.shown import GameId, Id, Username, example
from app.people.inbox.api import ListedNotification
from app.play.games.schemas import Snapshot
from app.play.lobby.schemas import ChallengeShown
from app.site.messages.queries import MessageShown


class ChallengeEvent(TypedDict):
    """Somebody challenges you, or a direct challenge was declined.

    Or such a challenge, or one of yours in the lobby, was accepted or cancelled, or has expired.
    """

    type: Literal["challenge", "challenge_declined", "challenge_closed"]
    challenge: ChallengeShown


class GameEvent(TypedDict):
    """A game of yours has started or ended."""

    type: Literal["game_started", "game_finished"]
    game: Snapshot


class MyTurn(TypedDict):
    """It is your turn, after `ply` plies."""

    type: Literal["my_turn"]
    game_id: GameId
    ply: int


class MessageEvent(TypedDict):
    """A player wrote to you."""

    type: Literal["message"]
    message: MessageShown


class MessageRemovedEvent(TypedDict):
    """A moderator has removed the text of a message from you or to you."""

    type: Literal["message_removed"]
    id: int


class MessagesReadEvent(TypedDict):
    """You have read the messages of a player, here or elsewhere: up to an id, or (null) all of them."""

    type: Literal["messages_read"]
    username: Username
    until: int | None


class OfferEvent(TypedDict):
    """The opponent asks to take a move back, or for a pause, after `ply` plies."""

    type: Literal["takeback_requested", "pause_requested"]
    game_id: GameId
    ply: int


class RaceStarted(TypedDict):
    """A race has started, and with it your game: its clock runs."""

    type: Literal["race_started"]
    race_id: Id
    game_id: GameId


class NotificationEvent(TypedDict):
    """You have a new notification, of a kind that no other line tells of.

    At the start of a stream also those that are unread of what ended while there was none.
    """

    type: Literal["notification"]
    notification: ListedNotification


class FriendEvent(TypedDict):
    """A player whom you follow came online or went offline."""

    type: Literal["friend_online", "friend_offline"]
    username: Username


class FriendPlaying(TypedDict):
    """A player whom you follow is playing a game."""

    type: Literal["friend_playing"]
    username: Username
    game_id: GameId


class TournamentEvent(TypedDict):
    """A tournament that you joined begins, or is over or cancelled."""

    type: Literal["tournament_started", "tournament_finished"]
    tournament_id: Id


class TournamentPaired(TypedDict):
    """You have a game to play in a tournament."""

    type: Literal["tournament_paired"]
    tournament_id: Id
    round: int
    game_id: GameId


class ExportReady(TypedDict):
    """The ZIP file that you asked for can be downloaded."""

    type: Literal["export_ready"]
    url: Annotated[str, example("/api/v1/me/exports/k7m2wq9xab")]
