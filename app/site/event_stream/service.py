"""What concerns an account now, and noticing with each heartbeat that an event about it was missed."""

import asyncio
import contextlib
from dataclasses import dataclass, field
from decimal import Decimal

from app.core.database.session import DATABASE_ERRORS, Database
from app.live.connections import Connection
from app.live.pushing import LiveSubscription
from app.play.games.queries import GameSummary, for_two
from app.play.games.service import Games
from app.play.lobby.challenges import ChallengeInfo
from app.play.lobby.service import Lobby
from engine.clock import is_realtime

# The sum of what concerns an account, each as a number that is another one after every change.
_MARKS = """
SELECT account.id, coalesce((
    SELECT sum(mark) FROM (
        SELECT hashtextextended(id, version) FROM games
        WHERE first_player = account.id AND ended_at IS NULL AND status = 'started'
        UNION ALL
        SELECT hashtextextended(id, version) FROM games
        WHERE second_player = account.id AND ended_at IS NULL AND status = 'started'
        UNION ALL
        SELECT hashtextextended(id, 0) FROM challenges
        WHERE status = 'open' AND (maker_id = account.id OR opponent_id = account.id)
        UNION ALL
        SELECT hashtextextended(tournaments.id || tournaments.status, 0)
        FROM tournament_players JOIN tournaments ON tournaments.id = tournament_id
        WHERE account_id = account.id AND tournaments.status IN ('created', 'started')
        UNION ALL
        SELECT hashtextextended(other_id::text, last_id) + unread FROM message_threads
        WHERE account_id = account.id AND unread > 0
        UNION ALL
        SELECT hashtextextended(races.id, 0) FROM race_games JOIN races ON races.id = race_id
        WHERE account_id = account.id AND game_id IS NOT NULL AND ends_at > now()
        UNION ALL
        (SELECT id FROM notifications WHERE account_id = account.id ORDER BY id DESC LIMIT 1)
    ) AS concerning(mark)
), 0) AS mark
FROM unnest($1::bigint[]) AS account(id)
"""


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


class Marks:
    """Marks of accounts: one that has not changed means that nothing has happened to its account."""

    def __init__(self, database: Database) -> None:
        self._pool = database.pool
        self._wanted: set[int] = set()
        self._reading: asyncio.Task[dict[int, Decimal]] | None = None

    async def of(self, account_id: int) -> Decimal:
        """Return the mark of an account as it is now."""
        self._wanted.add(account_id)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
        return (await asyncio.shield(self._reading))[account_id]

    async def _read(self) -> dict[int, Decimal]:
        """Return the marks of all who have asked until this begins."""
        wanted, self._wanted, self._reading = self._wanted, set(), None
        return {row["id"]: row["mark"] for row in await self._pool.fetch(_MARKS, wanted)}


def look_with_heartbeats(
    connection: Connection, subscription: LiveSubscription, marks: Marks, account_id: int
) -> None:
    """Render a subscription again before a heartbeat if its account's mark is not that of the one before."""
    last: Decimal | None = None

    async def look() -> None:
        nonlocal last
        with contextlib.suppress(*DATABASE_ERRORS):  # the next heartbeat looks again
            before, last = last, await marks.of(account_id)
            if last != before:
                subscription.look()

    connection.on_heartbeat(lambda: connection.keep_running(look()))
