"""What the lobby shows: the open challenges, and what concerns one viewer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.play.games.queries import GameSummary
from app.play.lobby.challenges import ChallengeInfo
from app.play.lobby.friends import FollowedPlayer
from engine.glicko2 import Rating


@dataclass(frozen=True, slots=True)
class Listing:
    """The open challenges, the newest first, and which of their makers are online."""

    challenges: tuple[ChallengeInfo, ...]
    online: frozenset[int]


@dataclass(frozen=True, slots=True)
class Overview:
    """What the lobby shows only to one viewer: their ratings by game, challenges and games under way.

    `blocked` are the accounts with which the viewer cannot play, and whose offers are not shown.
    """

    ratings: Mapping[str, Rating]
    challenges: Sequence[ChallengeInfo]
    games: Sequence[GameSummary]
    blocked: frozenset[int] = frozenset()
    friends: Sequence[FollowedPlayer] = ()
