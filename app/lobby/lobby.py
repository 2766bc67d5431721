"""The lobby: each step in a transaction of its own, announced once it is committed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.database.session import Database
from app.errors import ConflictError
from app.events import Event
from app.games.service import Games
from app.identity import service as accounts
from app.identity.service import Identity
from app.lobby import challenges, service
from app.lobby.challenges import ChallengeInfo, Terms
from app.realtime.bus import Bus
from app.realtime.presence import Presence


@dataclass(frozen=True, slots=True)
class Listing:
    """The open challenges, the newest first, and which of their makers are online."""

    challenges: tuple[ChallengeInfo, ...]
    online: frozenset[int]


class Lobby:
    """The challenges of the server."""

    def __init__(self, database: Database, bus: Bus, presence: Presence, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._presence = presence
        self._games = games
        self._hint: Event | None = None
        self._reading: asyncio.Task[Listing] | None = None

    async def make(
        self, maker: Identity, terms: Terms, kind: str, opponent: str | None = None
    ) -> ChallengeInfo:
        """Make a challenge; see `service.make`."""
        async with self._database.transaction() as session:
            challenge = await challenges.get(
                session, await service.make(session, maker, terms, kind, opponent)
            )
            challenge = await service.accept_for_computer(session, challenge)
        service.publish(self._bus, challenge, challenge.game_id)
        return challenge

    async def challenge_computer(self, maker: Identity, terms: Terms, level: int) -> str:
        """Challenge the computer of a level, which accepts, and give the game; see `make`."""
        async with self._database.transaction() as session:
            computers = await accounts.computers(session)
        opponent = next((one.username for one in computers if one.computer_level == level), "")
        challenge = await self.make(maker, terms, "direct", opponent)
        assert challenge.game_id is not None
        return challenge.game_id

    async def get(self, challenge_id: str) -> ChallengeInfo:
        """Give a challenge. Raises NotFoundError."""
        async with self._database.transaction() as session:
            return await challenges.get(session, challenge_id)

    async def accept(self, challenge_id: str, account: Identity) -> str:
        """Accept a challenge and return the id of the game; see `service.accept`."""
        async with self._database.transaction() as session:
            challenge = await challenges.get(session, challenge_id)
            game_id = await service.accept(session, challenge, account)
        service.publish(self._bus, challenge, game_id)
        return game_id

    async def decline(self, challenge_id: str, account: Identity, reason: str | None = None) -> ChallengeInfo:
        """Decline a challenge; see `service.decline`."""
        return await self._close(
            challenge_id, lambda session, found: service.decline(session, found, account, reason)
        )

    async def cancel(self, challenge_id: str, account: Identity) -> ChallengeInfo:
        """Take a challenge back; see `service.cancel`."""
        return await self._close(challenge_id, lambda session, found: service.cancel(session, found, account))

    async def pair(self, account: Identity, terms: Terms) -> tuple[ChallengeInfo, str | None]:
        """Accept a waiting challenge with these terms, or make one: gives it, and the game if one began."""
        while True:
            async with self._database.transaction() as session:
                found = await challenges.pair(session, account, terms)
            if found is None:
                return await self.make(account, terms, "open"), None
            try:
                return found, await self.accept(found.id, account)
            except ConflictError:
                continue  # somebody else was faster; there may be another

    async def rematch(self, game_id: str, account: Identity) -> tuple[ChallengeInfo, str | None]:
        """Offer a rematch, or accept the opponent's: gives the challenge, and the game if one began."""
        game = await self._games.get(game_id)
        async with self._database.transaction() as session:
            challenge = await service.offer_rematch(session, game, account)
            challenge = await service.accept_for_computer(session, challenge)
        if challenge.opponent is not None and challenge.opponent.id == account.id:
            return challenge, await self.accept(challenge.id, account)
        service.publish(self._bus, challenge, challenge.game_id)
        return challenge, challenge.game_id

    async def concerning(self, account_id: int) -> list[ChallengeInfo]:
        """List what waits of the challenges to an account, and of its own that are not in the lobby."""
        async with self._database.transaction() as session:
            return await challenges.concerning(session, account_id)

    async def listing(self, hint: Event | None = None) -> Listing:
        """Give the lobby as it is. All who look because of the same announcement share one reading."""
        if hint is None:
            return await self._read()
        if hint is not self._hint or self._reading is None:
            self._hint = hint
            self._reading = asyncio.create_task(self._read())
        return await asyncio.shield(self._reading)

    async def maker_gone(self, account_id: int) -> None:
        """Close the real-time challenges of somebody who has gone offline."""
        async with self._database.transaction() as session:
            closed = await service.expire_of(session, account_id)
        self._publish_all(closed)

    async def withdraw_all(self, account_id: int) -> None:
        """Close every challenge of somebody whose account was closed, and those to them."""
        async with self._database.transaction() as session:
            closed = await service.withdraw_all(session, account_id)
        self._publish_all(closed)

    async def expire_old(self) -> None:
        """Close the challenges that have waited too long; see `service.expire_old`."""
        async with self._database.transaction() as session:
            present = await self._presence.online(await service.makers(session))
            closed = await service.expire_old(session, present)
        self._publish_all(closed)

    async def _close(
        self, challenge_id: str, close: Callable[[AsyncSession, ChallengeInfo], Awaitable[None]]
    ) -> ChallengeInfo:
        async with self._database.transaction() as session:
            await close(session, await challenges.get(session, challenge_id))
            after = await challenges.get(session, challenge_id)
        service.publish(self._bus, after, None)
        return after

    async def _read(self) -> Listing:
        async with self._database.transaction() as session:
            found = await challenges.in_lobby(session)
        online = await self._presence.online({challenge.maker.id for challenge in found})
        return Listing(tuple(found), online)

    def _publish_all(self, closed: list[ChallengeInfo]) -> None:
        for challenge in closed:
            service.publish(self._bus, challenge, None)
