"""A ladder as one transaction changes it: the order, the challenges, the history and the notifications.

The terms are those of all ladders: how challenges are played, and the times for what players owe each other.
"""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.ladders.events import LadderChanged
from app.compete.ladders.models import LadderChallenge, LadderChange, LadderPlayer
from app.core.database.session import Database
from app.core.errors import NotFoundError
from app.core.ids import new_id
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.people.eligibility import EntryConditions, Ineligibility
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify, withdraw
from app.play.games import creation
from app.play.games.creation import proposed_options
from app.play.games.events import GameStarted
from engine.clock import Correspondence
from engine.registry import FOR_TWO
from engine.tournaments import ladder as rules
from engine.tournaments.ladder import OpenChallenge, Order

CONTROL = Correspondence(3)
"""The time control of the games, which are rated."""

CONDITIONS = EntryConditions(rated=True)
"""Who may be on a ladder."""

ANSWER_WITHIN = timedelta(days=3)
"""The time to accept a challenge; without an answer the place is lost.

A player who is on vacation then is not asked: the game begins, and the vacation stops their clock.
"""

INACTIVE_AFTER = timedelta(days=30)
"""The time without a game after which a player drops, and each time again."""

MOST_DROPS = 3
"""The drops in a row with the last of which a player leaves the ladder."""

_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('ladder of ' || :game, 0))")


class ChallengeOutcome(StrEnum):
    """How a challenge ended."""

    WON = "won"
    DEFENDED = "defended"
    DRAWN = "drawn"
    FORFEITED = "forfeited"  # by the defender, without a game
    WITHDRAWN = "withdrawn"
    VOID = "void"


class ChangeKind(StrEnum):
    """What happened on a ladder; with an opponent, the account is the winner, or the defender of a draw."""

    JOINED = "joined"
    LEFT = "left"
    REMOVED = "removed"
    WON = "won"
    DRAWN = "drawn"
    FORFEITED = "forfeited"
    DROPPED = "dropped"
    VOIDED = "voided"


@dataclass(slots=True)
class Ladder:
    """The ladder of a game, which is locked until the transaction ends. Call `save` at the end.

    `by` is the account that changes it, None if that is the server.
    """

    session: AsyncSession
    game: str
    by: int | None
    now: datetime
    players: dict[int, LadderPlayer]
    challenges: list[LadderChallenge]
    started: list[GameStarted] = field(default_factory=list)
    _news: dict[tuple[int, NewsKind, str], News] = field(default_factory=dict)
    _withdrawn_from: set[int] = field(default_factory=set)

    @classmethod
    async def locked(cls, session: AsyncSession, game: str, by: int | None, now: datetime) -> "Ladder":
        """Lock and read the ladder of a game, for the account that changes it."""
        await session.execute(_LOCK, {"game": game})
        players = await session.scalars(
            select(LadderPlayer).where(LadderPlayer.game == game).order_by(LadderPlayer.place)
        )
        challenges = await session.scalars(
            select(LadderChallenge)
            .where(LadderChallenge.game == game, LadderChallenge.outcome.is_(None))
            .order_by(LadderChallenge.due_at, LadderChallenge.id)
        )
        by_id = {player.account_id: player for player in players}
        return cls(session, game, by, now, by_id, list(challenges))

    @property
    def order(self) -> Order:
        """Return the players in their order."""
        return tuple(sorted(self.players, key=lambda account_id: self.players[account_id].place))

    @property
    def open_challenges(self) -> list[OpenChallenge]:
        """Return the challenges that are not decided."""
        return [OpenChallenge(each.challenger_id, each.defender_id) for each in self.challenges]

    @property
    def changed_inboxes(self) -> tuple[int, ...]:
        """Return the accounts that get notifications, or lose some."""
        return tuple(self._withdrawn_from.union(item.account_id for item in self._news.values()))

    def is_engaged(self, account_id: int) -> bool:
        """Return whether an account has an open challenge, in either direction."""
        return any(account_id in (each.challenger_id, each.defender_id) for each in self.challenges)

    async def save(self) -> None:
        """Write everything, and notify the players."""
        await self.session.flush()
        if self._news:
            await notify(self.session, *self._news.values())

    async def join(self, account_id: int) -> None:
        """Add an account at the bottom."""
        await withdraw(self.session, self.game, [account_id], NewsKind.LEFT_OUT)
        self._withdrawn_from.add(account_id)
        self.players[account_id] = LadderPlayer(
            game=self.game,
            account_id=account_id,
            place=len(self.players) + 1,
            inactive_at=self.now + INACTIVE_AFTER,
            drops=0,
        )
        self.session.add(self.players[account_id])
        self._note(ChangeKind.JOINED, account_id, None)

    async def remove(self, account_id: int, kind: ChangeKind) -> None:
        """Remove an account; it forfeits the challenge that it has not accepted, and withdraws its own."""
        for challenge in [each for each in self.challenges if each.game_id is None]:
            if challenge.defender_id == account_id:
                await self.forfeit(challenge)
            elif challenge.challenger_id == account_id:
                await self.close(challenge, ChallengeOutcome.WITHDRAWN)
        before = self.players[account_id].place
        order = rules.without(self.order, account_id)
        await self.session.delete(self.players.pop(account_id))
        self._arrange(order)
        self._note(kind, account_id, before)

    async def dismiss(self, account_id: int, reason: Ineligibility) -> None:
        """Remove a player who may not be on a ladder any more, and tell them why."""
        await self.remove(account_id, ChangeKind.REMOVED)
        data = {"place": "ladders", "game": self.game, "reason": reason}
        self._add_news(News(account_id, NewsKind.LEFT_OUT, self.game, None, data))

    def challenge(self, challenger_id: int, defender_id: int) -> LadderChallenge:
        """Add a challenge, which the rules allow."""
        challenge = LadderChallenge(
            id=new_id(),
            game=self.game,
            challenger_id=challenger_id,
            defender_id=defender_id,
            made_at=self.now,
            due_at=self.now + ANSWER_WITHIN,
        )
        self.session.add(challenge)
        self.challenges.append(challenge)
        self._add_news(
            News(defender_id, NewsKind.LADDER_CHALLENGE, challenge.id, challenger_id, {"game": self.game})
        )
        return challenge

    async def begin(self, challenge: LadderChallenge) -> str:
        """Start the game that decides a challenge, and return its id. The sides are drawn."""
        players = [challenge.challenger_id, challenge.defender_id]
        secrets.SystemRandom().shuffle(players)
        challenge.game_id = game_id = await creation.create(
            self.session, self.game, options_of(self.game), players, control=CONTROL, rated=True
        )
        self.started.append(GameStarted(game_id, tuple(players)))
        self._set_active(challenge.challenger_id, challenge.defender_id)
        await self._withdraw_news(challenge)
        self._add_news(
            News(
                challenge.challenger_id,
                NewsKind.CHALLENGE_ACCEPTED,
                game_id,
                challenge.defender_id,
                {"game": self.game},
            )
        )
        return game_id

    async def settle(self, challenge: LadderChallenge, winner_id: int | None) -> None:
        """Close a challenge whose game has ended; without a winner it was a draw."""
        self._set_active(challenge.challenger_id, challenge.defender_id)
        if winner_id is None:
            await self.close(challenge, ChallengeOutcome.DRAWN)
            place = self._place(challenge.defender_id)
            self._note(ChangeKind.DRAWN, challenge.defender_id, place, challenge)
        elif winner_id == challenge.challenger_id:
            await self.close(challenge, ChallengeOutcome.WON)
            self._take_place(ChangeKind.WON, winner_id, challenge.defender_id, challenge)
        else:
            await self.close(challenge, ChallengeOutcome.DEFENDED)
            self._take_place(ChangeKind.WON, winner_id, challenge.challenger_id, challenge)

    async def forfeit(self, challenge: LadderChallenge) -> None:
        """Close a challenge that the defender does not accept: the challenger takes the place."""
        self._set_active(challenge.challenger_id)
        await self.close(challenge, ChallengeOutcome.FORFEITED)
        self._take_place(ChangeKind.FORFEITED, challenge.challenger_id, challenge.defender_id, challenge)

    async def close(self, challenge: LadderChallenge, outcome: ChallengeOutcome) -> None:
        """Store how a challenge ended. The order stays as it is."""
        challenge.outcome, challenge.ended_at = outcome, self.now
        self.challenges.remove(challenge)
        await self._withdraw_news(challenge)

    def void(self, challenge: LadderChallenge, change: LadderChange, place: int | None) -> None:
        """Note that the game of a change was voided, and move its account back to a place if there is one."""
        challenge.outcome = ChallengeOutcome.VOID
        before = self._place(change.account_id)
        if place is not None:
            self._arrange(rules.after_voiding(self.order, change.account_id, place))
        self._note(ChangeKind.VOIDED, change.account_id, before, challenge)
        if self._place(change.account_id) != before:
            self._tell(challenge.challenger_id, "voided", challenge.defender_id)
            self._tell(challenge.defender_id, "voided", challenge.challenger_id)

    async def drop(self, account_id: int) -> None:
        """Move an inactive player down, or remove one who has dropped too often."""
        player = self.players[account_id]
        player.drops += 1
        if player.drops >= MOST_DROPS:
            await self.remove(account_id, ChangeKind.REMOVED)
            self._tell(account_id, "removed")
            return
        player.inactive_at = self.now + INACTIVE_AFTER
        before = player.place
        self._arrange(rules.after_inactivity(self.order, account_id))
        if player.place != before:
            self._note(ChangeKind.DROPPED, account_id, before)
            self._tell(account_id, "dropped")

    def _take_place(
        self, kind: ChangeKind, winner_id: int, loser_id: int, challenge: LadderChallenge
    ) -> None:
        before = self._place(winner_id)
        self._arrange(rules.after_win(self.order, winner_id, loser_id))
        self._note(kind, winner_id, before, challenge)
        if self._place(winner_id) != before:
            self._tell(winner_id, "won", loser_id)
            self._tell(loser_id, "lost", winner_id)

    def _arrange(self, order: Order) -> None:
        for place, account_id in enumerate(order, start=1):
            self.players[account_id].place = place

    def _place(self, account_id: int) -> int | None:
        player = self.players.get(account_id)
        return player.place if player else None

    def _set_active(self, *account_ids: int) -> None:
        for account_id in account_ids:
            if player := self.players.get(account_id):
                player.inactive_at, player.drops = self.now + INACTIVE_AFTER, 0

    def _note(
        self, kind: ChangeKind, account_id: int, before: int | None, challenge: LadderChallenge | None = None
    ) -> None:
        change = LadderChange(
            game=self.game,
            kind=kind,
            account_id=account_id,
            place_before=before,
            place_after=self._place(account_id),
            at=self.now,
        )
        if challenge is not None:
            pair = challenge.challenger_id, challenge.defender_id
            change.opponent_id = pair[account_id == pair[0]]
            change.game_id = challenge.game_id
        self.session.add(change)

    def _tell(self, account_id: int, change: str, opponent_id: int | None = None) -> None:
        data = {"game": self.game, "change": change}
        self._add_news(News(account_id, NewsKind.LADDER_PLACE, self.game, opponent_id, data))

    def _add_news(self, news: News) -> None:
        """Notify an account of the latest of what happens to it in this transaction, but not who does it."""
        if news.account_id != self.by:
            self._news[news.account_id, news.kind, news.subject] = news

    async def _withdraw_news(self, challenge: LadderChallenge) -> None:
        await withdraw(self.session, challenge.id, [challenge.defender_id], NewsKind.LADDER_CHALLENGE)
        self._withdrawn_from.add(challenge.defender_id)


@asynccontextmanager
async def changing(database: Database, bus: Bus, game: str, by: int | None) -> AsyncIterator[Ladder]:
    """Yield the ladder of a game, locked; save it, and publish after the commit what has changed.

    `by` is the account that changes it, None if that is the server.
    """
    async with database.transaction() as session:
        ladder = await Ladder.locked(session, game, by, utc_now())
        yield ladder
        await ladder.save()
    bus.publish(LadderChanged(game), *ladder.started)
    if ladder.changed_inboxes:
        bus.publish(InboxChanged(ladder.changed_inboxes))


def options_of(game: str) -> Mapping[str, int]:
    """Return the options of the games on a ladder. Raise NotFoundError if the game has no ladder."""
    if game not in FOR_TWO:
        raise NotFoundError("ladder")
    return proposed_options(FOR_TWO[game])
