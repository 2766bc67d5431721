"""The commands on challenges: make, list, accept (which starts a game), decline, cancel, expire."""

import contextlib
from collections.abc import AsyncIterator, Collection
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, reads_now
from app.core.errors import ConflictError
from app.core.events import Event
from app.core.jobs.events import JobAdded
from app.core.realtime.bus import Bus
from app.core.realtime.presence import Presence
from app.live.sharing import SharedReading
from app.people.identity import service as identities
from app.people.identity.devices import Person
from app.people.identity.locking import lock_account
from app.people.identity.service import Identity
from app.people.social.queries import blocked_with, followed, showing
from app.play.bots.fair_play import FairPlay
from app.play.games import creation
from app.play.games.events import GameStarted
from app.play.games.game import GameState
from app.play.games.queries import being_played
from app.play.games.service import Games
from app.play.lobby import checks, decisions, making, news, queries, store
from app.play.lobby.challenges import (
    ChallengeChanged,
    ChallengeInfo,
    ChallengeTerms,
    FollowedPlayer,
    Kind,
    Listing,
    LobbyOverview,
)
from app.play.lobby.models import Challenge
from app.play.ratings import queries as ratings
from app.play.ratings.counting import PlayersRating
from engine.game import Side

_LIFETIME = timedelta(days=14)

_UNATTENDED = timedelta(minutes=10)  # a real-time challenge of a program without an open connection


class Lobby:
    """The challenges of the server."""

    def __init__(
        self, database: Database, bus: Bus, presence: Presence, games: Games, fair_play: FairPlay
    ) -> None:
        self._database = database
        self._bus = bus
        self._presence = presence
        self._games = games
        self._fair_play = fair_play
        self._listing = SharedReading(self._read)

    get = reads_now(queries.get)
    concerning = reads_now(queries.concerning)
    seeks_of = reads_now(queries.seeks_of)
    blocked = reads_now(blocked_with)
    rematch_offer = reads_now(queries.latest_rematch)

    async def begin(self) -> None:
        """Expire the real-time challenges of those who go offline from now on."""
        self._presence.departures.when_gone(self.makers_gone)

    async def ratings(self, identity: Identity | None) -> dict[str, PlayersRating]:
        """Return the ratings by game that decide which challenges the identity may accept."""
        if identity is None:
            return {}
        async with self._database.reading_now() as session:
            return await ratings.of_account(session, identity.id)

    async def overview(self, identity: Identity | None) -> LobbyOverview:
        """Return what concerns one viewer; nothing for a visitor (None)."""
        if identity is None:
            return LobbyOverview({}, [], [])
        return LobbyOverview(
            await self.ratings(identity),
            await self.concerning(identity.id),
            await self._games.under_way(identity.id, limit=checks.MOST_GAMES.number),
            await self.blocked(identity.id),
            await self.friends(identity.id),
        )

    async def friends(self, account_id: int) -> list[FollowedPlayer]:
        """Return the players whom an account follows, those online first, and the games that they play.

        Those who hide being online do not tell what they play either.
        """
        async with self._database.reading_now() as session:
            accounts = await followed(session, account_id)
            shown = await showing(session, [account.id for account in accounts])
            playing = await being_played(session, shown)
        online = await self._presence.online(shown)
        friends = [
            FollowedPlayer(account.id, account.username, account.id in online, playing.get(account.id))
            for account in accounts
        ]
        return sorted(friends, key=lambda friend: not friend.is_online)

    async def listing(self, event: Event | None = None) -> Listing:
        """Return the open challenges. All callers that react to the same event share one reading."""
        return await self._listing.after(event)

    async def make(
        self, identity: Identity, terms: ChallengeTerms, kind: Kind, opponent: str | None = None
    ) -> ChallengeInfo:
        """Make a challenge; a computer player accepts it at once.

        Raise InvalidError for impossible terms, ForbiddenError `rated_needs_account`, FieldError for an
        opponent who cannot be challenged, ConflictError `too_many_challenges`, `too_many_computer_games`.
        """
        async with self._database.transaction() as session:
            challenge, others = await making.made(session, identity, making.completed(terms), kind, opponent)
        self.publish_all([challenge, *others])
        return challenge

    async def challenge_computer(self, identity: Identity, terms: ChallengeTerms, level: int) -> str:
        """Challenge the computer player of a level and return the id of the game; see `make`."""
        async with self._database.reading_now() as session:
            computers = await identities.computers(session)
        usernames = {computer.computer_level: computer.username for computer in computers}
        challenge = await self.make(identity, terms, "direct", usernames.get(level))
        assert challenge.game_id is not None
        return challenge.game_id

    async def play_on(
        self, identity: Identity, person: Person, state: GameState, ply: int, level: int
    ) -> str:
        """Start a casual game against the computer from a position of a finished game, and return its id.

        The identity has the side to move after the ply. Raise what `decisions.side_to_play_on` raises,
        ConflictError `too_many_games`, `too_many_computer_games`, and as `FairPlay.check` does: the computer
        would show how it goes on.
        """
        side = decisions.side_to_play_on(state, ply)
        await self._fair_play.check(person, state.rules, [state.position_after(ply)])
        async with self._database.transaction() as session:
            await checks.check_games(session, identity)
            await checks.check_computer_games(session, identity)
            computers = await identities.computers(session)
            computer = next(each for each in computers if each.computer_level == level)
            players = [identity.id if each == side else computer.id for each in state.rules.sides]
            moves = [played.move for played in state.moves[:ply]]
            game_id = await creation.create(session, state.game, state.options, players, opening=moves)
        self._bus.publish(GameStarted(game_id, (identity.id, computer.id)), JobAdded())
        return game_id

    async def pair(self, identity: Identity, terms: ChallengeTerms) -> tuple[ChallengeInfo, str | None]:
        """Accept the oldest open challenge with these terms, or wait with an own one if there is none.

        Between a guest and a player whose terms are `casual_with_guests`, that is a casual one. Return the
        challenge, and the id of the game if one started.
        """
        terms = making.completed(terms)
        refused = set[str]()
        while True:
            async with self._database.reading_now() as session:
                challenge = await making.acceptable(session, identity, terms, refused)
            if challenge is None:
                if (own := await self._seek(identity, terms, refused)) is not None:
                    return own, None
                continue
            try:
                return challenge, await self.accept(challenge.id, identity)
            except ConflictError as error:
                if error.code != "challenge_closed":
                    raise
                refused.add(challenge.id)
                # Another player was faster; there may be another challenge.

    async def rematch(
        self, game_id: str, identity: Identity, person: Person
    ) -> tuple[ChallengeInfo, str | None]:
        """Offer the opponent of a finished game a rematch with the sides exchanged, or accept their offer.

        It begins in the same position as the game.
        While a rematch is offered or played, that one stays the only one. Return the challenge, and the id of
        the game if one started. Raise NotFoundError, ForbiddenError `not_a_player`, ConflictError
        `game_under_way`, `too_many_challenges`, FieldError if the opponent's account is closed.
        """
        game = await self._games.seen_by(identity, game_id)
        terms = decisions.rematch_terms(game, identity)
        if game.first_ply:
            beginning = game.position_after(game.first_ply)
            await self._fair_play.check(person, game.rules, [beginning])
        others: list[ChallengeInfo] = []
        async with self._accepting(Challenge.rematch_of == game_id) as session:
            # Of two players who offer it at once, one accepts the other's offer.
            key = func.hashtextextended(f"rematch of {game_id}", 0)
            await session.execute(select(func.pg_advisory_xact_lock(key)))
            challenge = await queries.rematch_of(session, game_id)
            if challenge is None:
                opponent = game.player_at(Side(terms.side)).username
                challenge, others = await making.offered(
                    session, identity, terms, "direct", opponent, rematch_of=game_id
                )
            elif challenge.status == "open" and challenge.maker.id != identity.id:
                challenge, others = await making.accepted(session, challenge, identity)
            else:
                return challenge, challenge.game_id
        self.publish_all([challenge, *others])
        return challenge, challenge.game_id

    async def accept(
        self,
        challenge_id: str,
        identity: Identity,
        side: str | None = None,
        seen_as_rated: bool | None = None,
    ) -> str:
        """Accept a challenge and return the id of the game that starts.

        The identity chooses its side if that is left to it. With a real-time challenge, those of both players
        in the lobby and their rematches are cancelled. Raise ForbiddenError if the identity may not accept
        it, InvalidError `bad_side`, StaleError as `decisions.check_rated` does, ConflictError
        `challenge_closed` if it is no longer open: of two players who accept at the same time, one succeeds.
        """
        async with self._accepting(Challenge.id == challenge_id) as session:
            challenge = await queries.get(session, challenge_id)
            challenge, others = await making.accepted(
                session, challenge, identity, side, seen_as_rated=seen_as_rated
            )
        self.publish(challenge, identity.id)
        self.publish_all(others)
        assert challenge.game_id is not None
        return challenge.game_id

    async def decline(
        self, challenge_id: str, identity: Identity, reason: str | None = None
    ) -> ChallengeInfo:
        """Decline a challenge to the identity, with one of DECLINE_REASONS or none.

        Raise ForbiddenError `not_yours`, ConflictError `challenge_closed`, InvalidError `bad_reason`.
        """
        async with self._database.transaction() as session:
            challenge = await queries.get(session, challenge_id)
            decisions.check_decline(challenge, identity, reason)
            challenge = await store.close(session, challenge, status="declined", decline_reason=reason)
            await news.tell_declined(session, challenge, identity)
        self.publish(challenge)
        return challenge

    async def cancel(self, challenge_id: str, identity: Identity) -> ChallengeInfo:
        """Cancel the identity's own challenge.

        Raise ForbiddenError `not_yours`, ConflictError `challenge_closed`.
        """
        async with self._database.transaction() as session:
            challenge = await queries.get(session, challenge_id)
            decisions.check_cancel(challenge, identity)
            challenge = await store.close(session, challenge, status="cancelled")
        self.publish(challenge)
        return challenge

    async def makers_gone(self, account_ids: Collection[int]) -> None:
        """Expire the real-time challenges of players who have gone offline."""
        await self._close_all("expired", store.IS_REALTIME, Challenge.maker_id.in_(account_ids))

    async def withdraw(self, challenge_id: str) -> None:
        """Cancel a challenge whose maker may not play it any more."""
        await self._close_all("cancelled", Challenge.id == challenge_id)

    async def withdraw_all(self, account_id: int) -> None:
        """Cancel all open challenges of an account and to it."""
        is_theirs = or_(Challenge.maker_id == account_id, Challenge.opponent_id == account_id)
        await self._close_all("cancelled", is_theirs)

    async def expire_old(self) -> None:
        """Expire challenges that have waited too long.

        That is two weeks, or ten minutes for a real-time challenge whose maker has gone offline.
        """
        async with self._database.transaction() as session:
            makers = select(Challenge.maker_id).where(Challenge.status == "open").distinct()
            gone = await self._presence.gone((await session.scalars(makers)).all())
            is_old = Challenge.created_at < func.now() - _LIFETIME
            is_unattended = and_(
                store.IS_REALTIME,
                Challenge.created_at < func.now() - _UNATTENDED,
                Challenge.maker_id.in_(gone),
            )
            challenges = await store.close_all(session, "expired", or_(is_old, is_unattended))
        self.publish_all(challenges)

    @contextlib.asynccontextmanager
    async def _accepting(self, is_meant: ColumnElement[bool]) -> AsyncIterator[AsyncSession]:
        """Yield a transaction that may accept a challenge, which is cancelled if its maker may not play."""
        try:
            async with self._database.transaction() as session:
                yield session
        except decisions.BarredError:
            await self._close_all("cancelled", is_meant)
            raise

    async def _close_all(self, status: str, *conditions: ColumnElement[bool]) -> None:
        async with self._database.transaction() as session:
            challenges = await store.close_all(session, status, *conditions)
        self.publish_all(challenges)

    async def _seek(
        self, identity: Identity, terms: ChallengeTerms, refused: Collection[str]
    ) -> ChallengeInfo | None:
        """Return the identity's open challenge of the lobby with these terms, which is made if need be.

        Return None if there is one by now that the identity may accept.
        """
        async with self._database.transaction() as session:
            await store.lock_waiting(session)
            if await making.acceptable(session, identity, terms, refused) is not None:
                return None
            await lock_account(session, identity.id)
            if (waiting := await queries.seek_of(session, identity.id, terms)) is not None:
                return waiting
            challenge, _others = await making.made(session, identity, terms, "open")
        self.publish(challenge)
        return challenge

    async def _read(self) -> Listing:
        async with self._database.reading_now() as session:
            challenges = await queries.listed(session)
            shown = await showing(session, {challenge.maker.id for challenge in challenges})
        online = await self._presence.online(shown)
        return Listing(tuple(challenges), online)

    def publish(self, challenge: ChallengeInfo, *accepted_by: int) -> None:
        """Publish a change of a challenge, and the game that started with it, after the commit."""
        concerned, game_id = challenge.account_ids, challenge.game_id
        self._bus.publish(ChallengeChanged(challenge.id, challenge.status, concerned, game_id))
        if game_id is not None:
            self._bus.publish(GameStarted(game_id, tuple({*concerned, *accepted_by})))
            self._bus.publish(JobAdded())

    def publish_all(self, challenges: list[ChallengeInfo]) -> None:
        """Publish changes of challenges after the commit."""
        for challenge in challenges:
            self.publish(challenge)
