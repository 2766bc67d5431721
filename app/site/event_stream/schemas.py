"""The lines of the event stream; `stream.py` makes them."""

from typing import Annotated, Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from app.core.web.shown import GameId, Id, Username, example
from app.play.games.schemas import Snapshot
from app.play.lobby.schemas import ChallengeShown
from app.site.messages.queries import MessageShown

_EXACT = with_config(ConfigDict(extra="forbid"))


@_EXACT
class ChallengeEvent(TypedDict):
    """Somebody challenges you, or a direct challenge was declined, or accepted, cancelled or has expired."""

    type: Literal["challenge", "challenge_declined", "challenge_closed"]
    challenge: ChallengeShown


@_EXACT
class GameEvent(TypedDict):
    """A game of yours has started or ended."""

    type: Literal["game_started", "game_finished"]
    game: Snapshot


@_EXACT
class MyTurn(TypedDict):
    """It is your turn, after `ply` plies."""

    type: Literal["my_turn"]
    game_id: GameId
    ply: int


@_EXACT
class MessageEvent(TypedDict):
    """A player wrote to you."""

    type: Literal["message"]
    message: MessageShown


@_EXACT
class FriendEvent(TypedDict):
    """A player whom you follow came online or went offline."""

    type: Literal["friend_online", "friend_offline"]
    username: Username


@_EXACT
class FriendPlaying(TypedDict):
    """A player whom you follow is playing a game."""

    type: Literal["friend_playing"]
    username: Username
    game_id: GameId


@_EXACT
class TournamentEvent(TypedDict):
    """A tournament that you joined begins, or is over or cancelled."""

    type: Literal["tournament_started", "tournament_finished"]
    tournament_id: Id


@_EXACT
class TournamentPaired(TypedDict):
    """You have a game to play in a tournament."""

    type: Literal["tournament_paired"]
    tournament_id: Id
    round: int
    game_id: GameId


@_EXACT
class ExportReady(TypedDict):
    """The ZIP file that you asked for can be downloaded."""

    type: Literal["export_ready"]
    url: Annotated[str, example("/api/v1/me/exports/k7m2wq9xab")]
