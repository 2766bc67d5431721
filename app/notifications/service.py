"""What concerns an account now, and what is new since it was last told."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from app.games.queries import GameSummary, for_two
from app.games.service import Games
from app.games.snapshot import snapshot
from app.lobby.challenges import ChallengeInfo
from app.lobby.lobby import Lobby
from app.lobby.schemas import ChallengeShown


@dataclass(frozen=True, slots=True)
class Situation:
    """The challenges that wait for an account or that it made, and its games for two under way, by id."""

    challenges: dict[str, ChallengeInfo] = field(default_factory=dict)
    games: dict[str, GameSummary] = field(default_factory=dict)

    def challenges_to(self, account_id: int) -> list[ChallengeInfo]:
        """List the challenges that the account may answer."""
        return [one for one in self.challenges.values() if one.maker.id != account_id]

    @property
    def turns(self) -> list[GameSummary]:
        """List the games in which it is the account's turn, the most urgent first."""
        mine = [game for game in self.games.values() if game.is_my_turn]
        return sorted(mine, key=lambda game: (game.deadline is None, game.deadline or 0))


async def situation(account_id: int, games: Games, lobby: Lobby) -> Situation:
    """Give what concerns an account now."""
    waiting = await lobby.concerning(account_id)
    under_way = await games.under_way(account_id, for_two(), limit=500)
    return Situation({one.id: one for one in waiting}, {game.id: game for game in under_way})


async def events(
    account_id: int, before: Situation, after: Situation, games: Games, lobby: Lobby
) -> list[dict[str, Any]]:
    """Give what happened between two situations, as the event stream tells it (docs/api.md)."""
    told = list(_challenge_events(account_id, before, after))
    for challenge_id in before.challenges.keys() - after.challenges.keys():
        gone = await lobby.get(challenge_id)
        kind = "challenge_declined" if gone.status == "declined" else "challenge_closed"
        told.append({"type": kind, "challenge": ChallengeShown.of(gone).model_dump(mode="json")})
    for game_id, game in after.games.items():
        known = before.games.get(game_id)
        if known is None:
            told.append({"type": "game_started", "game": snapshot(await games.get(game_id))})
        if game.is_my_turn and (known is None or known.ply != game.ply or not known.is_my_turn):
            told.append({"type": "my_turn", "game_id": game_id, "ply": game.ply})
    over = [await games.get(game_id) for game_id in before.games.keys() - after.games.keys()]
    told += [{"type": "game_finished", "game": snapshot(game)} for game in over]
    return told


def _challenge_events(account_id: int, before: Situation, after: Situation) -> Iterator[dict[str, Any]]:
    for challenge in after.challenges_to(account_id):
        if challenge.id not in before.challenges:
            yield {"type": "challenge", "challenge": ChallengeShown.of(challenge).model_dump(mode="json")}
