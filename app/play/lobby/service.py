"""The commands on challenges: make, list, accept (which starts a game), decline, cancel, expire."""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, false, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import ConflictError, UnauthenticatedError
from app.core.events import Event
from app.core.jobs.events import JobAdded
from app.core.realtime.bus import Bus
from app.core.realtime.presence import Presence
from app.live.sharing import SharedReading
from app.people.identity import names
from app.people.identity import service as identities
from app.people.identity.locking import lock_account, lock_open_accounts
from app.people.identity.service import Identity
from app.people.social.queries import blocked_between, blocked_with, followed, showing
from app.play.bots.fair_play import FairPlay
from app.play.games import creation
from app.play.games.events import GameStarted
from app.play.games.game import GameState
from app.play.games.queries import being_played
from app.play.games.service import Games
from app.play.lobby import checks, decisions, news, queries, store
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
from engine.clock import REALTIME_KINDS, is_realtime
from engine.game import Side

_LIFETIME = timedelta(days=14)

_UNATTENDED = timedelta(minutes=10)  # a real-time challenge of a program without an open connection

_IS_REALTIME = Challenge.time_control["kind"].astext.in_(REALTIME_KINDS)


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

    async def begin(self) -> None:
        """Expire the real-time challenges of those who go offline from now on."""
        self._presence.when_gone(self.makers_gone)

    async def get(self, challenge_id: str) -> ChallengeInfo:
        """Return a challenge. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            return await queries.get(session, challenge_id)

    async def concerning(self, account_id: int) -> list[ChallengeInfo]:
        """Return the open challenges to an account, and its own that are not in the lobby."""
        async with self._database.reading_now() as session:
            return await queries.concerning(session, account_id)

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
            await self.blocked(identity),
            await self.friends(identity.id),
        )

    async def friends(self, account_id: int) -> list[FollowedPlayer]:
        """Return the players whom an account follows, those online first, and the games that they play."""
        async with self._database.reading_now() as session:
            accounts = await followed(session, account_id)
            ids = [account.id for account in accounts]
            playing, shown = await being_played(session, ids), await showing(session, ids)
        online = await self._presence.online(shown)
        friends = [
            FollowedPlayer(account.id, account.username, account.id in online, playing.get(account.id))
            for account in accounts
        ]
        return sorted(friends, key=lambda friend: not friend.is_online)

    async def blocked(self, identity: Identity) -> frozenset[int]:
        """Return the accounts with which the identity cannot play."""
        async with self._database.reading_now() as session:
            return await blocked_with(session, identity.id)

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
            challenge = await _made(session, identity, completed(terms), kind, opponent)
        self.publish(challenge)
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
        self, identity: Identity, account_ids: Collection[int], state: GameState, ply: int, level: int
    ) -> str:
        """Start a casual game against the computer from a position of a finished game, and return its id.

        The identity has the side to move after the ply. Raise what `decisions.side_to_play_on` raises,
        ConflictError `too_many_games`, `too_many_computer_games`, and as `FairPlay.check` does for the
        accounts: the computer would show how it goes on.
        """
        side = decisions.side_to_play_on(state, ply)
        await self._fair_play.check(account_ids, state.rules, [state.position_after(ply)])
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
        terms = completed(terms)
        while True:
            async with self._database.reading_now() as session:
                rating = await checks.rating_of(session, terms.game, identity)
                candidates = await queries.matching(session, identity.id, terms)
                at_limit = await queries.at_rated_limit(session, identity.id) if terms.rated else ()
            acceptable = (
                each
                for each in candidates
                if decisions.suits(each, identity, terms)
                and each.maker.id not in at_limit
                and not decisions.obstacle(each, identity, rating)
            )
            challenge = next(acceptable, None)
            if challenge is None:
                return await self._seek(identity, terms), None
            try:
                return challenge, await self.accept(challenge.id, identity)
            except ConflictError as error:
                if error.code != "challenge_closed":
                    raise
                # Another player was faster; there may be another challenge.

    async def rematch(self, game_id: str, identity: Identity) -> tuple[ChallengeInfo, str | None]:
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
            await self._fair_play.check([identity.id], game.rules, [beginning])
        others: list[ChallengeInfo] = []
        async with self._database.transaction() as session:
            # Of two players who offer it at once, one accepts the other's offer.
            key = func.hashtextextended(f"rematch of {game_id}", 0)
            await session.execute(select(func.pg_advisory_xact_lock(key)))
            challenge = await queries.rematch_of(session, game_id)
            if challenge is None:
                opponent = game.player_at(Side(terms.side)).username
                challenge = await _offered(session, identity, terms, "direct", opponent, rematch_of=game_id)
            elif decisions.is_offered_to(challenge, identity):
                challenge, others = await accepted(session, challenge, identity)
            else:
                return challenge, challenge.game_id
        self.publish(challenge)
        self.publish_all(others)
        return challenge, challenge.game_id

    async def accept(self, challenge_id: str, identity: Identity, side: str | None = None) -> str:
        """Accept a challenge and return the id of the game that starts.

        The identity chooses its side if that is left to it. With a real-time challenge, those of both players
        in the lobby and their rematches are cancelled. Raise ForbiddenError if the identity may not accept
        it, InvalidError `bad_side`, ConflictError `challenge_closed` if it is no longer open: of two players
        who accept at the same time, one succeeds.
        """
        async with self._database.transaction() as session:
            challenge = await queries.get(session, challenge_id)
            challenge, others = await accepted(session, challenge, identity, side)
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
        async with self._database.transaction() as session:
            is_theirs = Challenge.maker_id.in_(account_ids)
            challenges = await store.close_all(session, "expired", _IS_REALTIME, is_theirs)
        self.publish_all(challenges)

    async def withdraw_all(self, account_id: int) -> None:
        """Cancel all open challenges of an account and to it."""
        is_concerned = or_(Challenge.maker_id == account_id, Challenge.opponent_id == account_id)
        async with self._database.transaction() as session:
            challenges = await store.close_all(session, "cancelled", is_concerned)
        self.publish_all(challenges)

    async def expire_old(self) -> None:
        """Expire challenges that have waited too long.

        That is two weeks, or ten minutes for a real-time challenge whose maker has gone offline.
        """
        async with self._database.transaction() as session:
            makers = select(Challenge.maker_id).where(Challenge.status == "open").distinct()
            gone = await self._presence.gone((await session.scalars(makers)).all())
            is_old = Challenge.created_at < func.now() - _LIFETIME
            is_unattended = and_(
                _IS_REALTIME, Challenge.created_at < func.now() - _UNATTENDED, Challenge.maker_id.in_(gone)
            )
            challenges = await store.close_all(session, "expired", or_(is_old, is_unattended))
        self.publish_all(challenges)

    async def _seek(self, identity: Identity, terms: ChallengeTerms) -> ChallengeInfo:
        """Return the identity's open challenge of the lobby with these terms, which is made if need be."""
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)
            if (waiting := await queries.seek_of(session, identity.id, terms)) is not None:
                return waiting
            challenge = await _made(session, identity, terms, "open")
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


def completed(terms: ChallengeTerms) -> ChallengeTerms:
    """Return terms with all options of their game. Raise InvalidError."""
    rules = creation.rules_of(terms.game, 2)
    options = creation.complete_options(rules, terms.options)
    if terms.rated:
        creation.check_rated(rules, options)
    return replace(terms, options=options)


async def _made(
    session: AsyncSession, identity: Identity, terms: ChallengeTerms, kind: Kind, opponent: str | None = None
) -> ChallengeInfo:
    """Return a new challenge; see `Lobby.make`."""
    decisions.check_terms(terms, identity, await checks.rating_of(session, terms.game, identity))
    return await _offered(session, identity, terms, kind, opponent)


async def _offered(
    session: AsyncSession,
    identity: Identity,
    terms: ChallengeTerms,
    kind: Kind,
    opponent: str | None,
    *,
    rematch_of: str | None = None,
) -> ChallengeInfo:
    account = None
    if kind == "direct":
        account = await names.find(session, (opponent or "").strip())
        account = decisions.check_opponent(terms, identity, account)
        await checks.check_not_blocked(session, identity, account)
    await checks.check_fair_play(session, identity, terms, account)
    challenge = await store.add(session, identity, kind, account, terms, rematch_of=rematch_of)
    challenge = await store.accept_for_computer(session, challenge, identity)
    await news.tell_opponent(session, challenge)
    return challenge


async def accepted(
    session: AsyncSession, challenge: ChallengeInfo, identity: Identity, side: str | None = None
) -> tuple[ChallengeInfo, list[ChallengeInfo]]:
    """Return a challenge as the identity accepted it, and those that ended with that; see `Lobby.accept`."""
    maker_id = challenge.maker.id
    open_accounts = await lock_open_accounts(session, (maker_id, identity.id))
    if identity.id not in open_accounts:
        raise UnauthenticatedError
    if maker_id not in open_accounts or await blocked_between(session, identity.id, maker_id):
        raise store.closed_error()
    await checks.check_fair_play(session, identity, challenge.terms.against(identity), challenge.maker)
    await checks.check_games(session, identity)
    beside = _is_beside(challenge, identity)
    await store.lock(session, or_(Challenge.id == challenge.id, beside))
    challenge = await store.accept(session, challenge, identity, side)
    await news.tell_accepted(session, challenge, identity)
    return challenge, await store.close_all(session, "cancelled", beside)


def _is_beside(challenge: ChallengeInfo, identity: Identity) -> ColumnElement[bool]:
    """Return the condition that a challenge ends as the identity accepts another one.

    Who begins a real-time game waits for no other one, in the lobby or for a rematch.
    """
    if not is_realtime(challenge.terms.control):
        return false()
    is_waiting = or_(Challenge.kind == "open", Challenge.rematch_of.is_not(None))
    players = challenge.maker.id, identity.id
    return and_(_IS_REALTIME, is_waiting, Challenge.maker_id.in_(players))
