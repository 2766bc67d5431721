"""What concerns an account now: the challenges that wait for it and its running games."""

from dataclasses import dataclass, field

from app.play.games.queries import GameSummary, for_two
from app.play.games.service import Games
from app.play.lobby.challenges import ChallengeInfo
from app.play.lobby.service import Lobby
from engine.clock import is_realtime


@dataclass(frozen=True, slots=True)
class Situation:
    """The open challenges to or from an account, and its running games for two, by id."""

    challenges: dict[str, ChallengeInfo] = field(default_factory=dict)
    games: dict[str, GameSummary] = field(default_factory=dict)

    def challenges_to(self, account_id: int) -> list[ChallengeInfo]:
        """Return the challenges that the account may answer."""
        return [challenge for challenge in self.challenges.values() if challenge.maker.id != account_id]

    @property
    def turns(self) -> list[GameSummary]:
        """Return the games in which it is the account's turn, the most urgent first."""
        mine = [game for game in self.games.values() if game.is_my_turn]
        return sorted(mine, key=lambda game: (game.deadline is None, game.deadline or 0))

    @property
    def begun(self) -> list[GameSummary]:
        """Return the real-time games in which the opponent has still to make the first move."""
        games = self.games.values()
        waiting = (game for game in games if not game.plies_played and not game.is_my_turn)
        return [game for game in waiting if is_realtime(game.control)]


async def situation(account_id: int, games: Games, lobby: Lobby) -> Situation:
    """Return what concerns an account now."""
    challenges = await lobby.concerning(account_id)
    running = await games.under_way(account_id, for_two(), limit=500)
    return Situation(
        {challenge.id: challenge for challenge in challenges}, {game.id: game for game in running}
    )
