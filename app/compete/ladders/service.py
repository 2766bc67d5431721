"""The commands on ladders, and reading them. `app.compete.ladders.conduct` does what happens by itself."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import NamedTuple

from app.compete.ladders import decisions, queries
from app.compete.ladders.changing import changing
from app.compete.ladders.ladder import ChangeKind, Ladder, Outcome
from app.compete.ladders.queries import ChallengeInfo, ChangeInfo, Rung
from app.compete.ladders.terms import CONDITIONS, options_of
from app.compete.teams.candidates import check_fits
from app.core.database.ranking import RankedPage
from app.core.database.session import Database
from app.core.errors import AppError
from app.core.realtime.bus import Bus
from app.people.identity import names
from app.people.identity.service import Identity
from app.play.lobby.limits import check_games
from app.play.ratings import queries as ratings
from engine.glicko2 import Rating
from engine.registry import FOR_TWO
from engine.tournaments.ladder import REACH, OpenChallenge


class Row(NamedTuple):
    """A row of a ladder's table, with the open challenges to the player, and the one of the player."""

    rung: Rung
    rating: Rating
    defences: Sequence[ChallengeInfo]
    challenge: ChallengeInfo | None


@dataclass(frozen=True, slots=True)
class Own:
    """A player's own part of a ladder: the place, and the open challenges of and to the player.

    `targets` are those above in reach, each with why they cannot be challenged, or None.
    """

    rung: Rung
    challenge: ChallengeInfo | None
    defences: Sequence[ChallengeInfo]
    targets: Sequence[tuple[Rung, AppError | None]]

    @property
    def has_game(self) -> bool:
        """Return whether the player plays for a place."""
        return any(each is not None and each.game_id for each in (self.challenge, *self.defences))


class Ladders:
    """The ladders of the games for two."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def sizes(self) -> Mapping[str, int]:
        """Return the number of players of each game's ladder."""
        async with self._database.reading() as session:
            sizes = await queries.sizes(session)
        return {game: sizes.get(game, 0) for game in FOR_TWO}

    async def table(self, game: str, cursor: str, limit: int) -> RankedPage[Row]:
        """Return a page of a ladder from the top. Raise NotFoundError, InvalidError `bad_cursor`."""
        options_of(game)
        async with self._database.reading_now() as session:
            page = await queries.table(game).page(session, cursor, limit)
            known = await ratings.current(session, game, [rung.account_id for rung in page.rows])
            challenges = await queries.open_challenges(session, game)
        by = {each.challenger_id: each for each in challenges}
        rows = (
            Row(
                rung,
                known[rung.account_id],
                _to(rung.account_id, challenges),
                by.get(rung.account_id),
            )
            for rung in page.rows
        )
        return RankedPage(tuple(rows), page.next)

    async def cursor_to(self, game: str, account_id: int) -> str:
        """Return the cursor of the page of a ladder with an account's place, "" for the first page."""
        async with self._database.reading_now() as session:
            return await queries.table(game).cursor_to(session, account_id)

    async def own(self, game: str, identity: Identity) -> Own | None:
        """Return the identity's own part of a ladder, None for who is not on it. Raise NotFoundError."""
        options_of(game)
        async with self._database.reading_now() as session:
            rung = await queries.table(game).row_of(session, identity.id)
            if rung is None:
                return None
            challenges = await queries.open_challenges(session, game)
            above = await queries.between(session, game, rung.place - REACH, rung.place - 1)
            order = (*(each.account_id for each in above), identity.id)
            waiting = [OpenChallenge(each.challenger_id, each.defender_id) for each in challenges]
        return Own(
            rung,
            next((each for each in challenges if each.challenger_id == identity.id), None),
            _to(identity.id, challenges),
            [(each, decisions.refusal(order, identity.id, each.account_id, waiting)) for each in above],
        )

    async def changes(self, game: str, before: int | None, limit: int) -> tuple[list[ChangeInfo], bool]:
        """Return at most `limit` changes of a ladder, the latest first, and whether there are more.

        Raise NotFoundError.
        """
        options_of(game)
        async with self._database.reading() as session:
            return await queries.changes(session, game, before, limit)

    async def join(self, game: str, identity: Identity) -> None:
        """Join a ladder at the bottom.

        Raise NotFoundError, ForbiddenError `needs_account` or a `Misfit`, ConflictError `on_ladder`.
        """
        async with self._changing(game) as ladder:
            decisions.check_joining(identity, ladder)
            await check_fits(ladder.session, identity.id, game, CONDITIONS)
            await ladder.join(identity.id)

    async def leave(self, game: str, identity: Identity) -> None:
        """Leave a ladder. A challenge that waits for the identity is forfeited, its own one withdrawn.

        Raise NotFoundError, ConflictError `not_on_ladder` or `ladder_game`.
        """
        async with self._changing(game) as ladder:
            decisions.check_leaving(ladder, identity.id)
            await ladder.remove(identity.id, ChangeKind.LEFT)

    async def challenge(self, game: str, identity: Identity, opponent: str) -> ChallengeInfo:
        """Challenge a player above the identity.

        Raise NotFoundError, ForbiddenError (a `Misfit`), ConflictError `not_on_ladder`, `too_many_games` or
        `no_challenge` (with a `reason`).
        """
        async with self._changing(game) as ladder:
            decisions.check_on(ladder, identity.id)
            defender = decisions.check_opponent(ladder, await names.find(ladder.session, opponent))
            if refusal := decisions.refusal(ladder.order, identity.id, defender.id, ladder.open_challenges):
                raise refusal
            await check_fits(ladder.session, identity.id, game, CONDITIONS)
            await check_games(ladder.session, identity)
            made = ladder.challenge(identity.id, defender.id)
            return await queries.challenge(ladder.session, made.id)

    async def accept(self, game: str, challenge_id: str, identity: Identity) -> str:
        """Accept a challenge to the identity, and return the id of the game, whose sides are drawn.

        Raise NotFoundError, ForbiddenError `not_yours` or a `Misfit`, ConflictError `challenge_closed`.
        """
        async with self._changing(game) as ladder:
            challenge = decisions.waiting(ladder, challenge_id, identity.id)
            decisions.check_defender(challenge, identity.id)
            await check_fits(ladder.session, identity.id, game, CONDITIONS)
            return await ladder.begin(challenge)

    async def give_way(self, game: str, challenge_id: str, identity: Identity) -> ChallengeInfo:
        """Decline a challenge to the identity: the challenger takes the place without a game.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `challenge_closed`.
        """
        async with self._changing(game) as ladder:
            challenge = decisions.waiting(ladder, challenge_id, identity.id)
            decisions.check_defender(challenge, identity.id)
            await ladder.forfeit(challenge)
            return await queries.challenge(ladder.session, challenge_id)

    async def withdraw(self, game: str, challenge_id: str, identity: Identity) -> ChallengeInfo:
        """Withdraw a challenge of the identity that has not been accepted.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `challenge_closed`.
        """
        async with self._changing(game) as ladder:
            challenge = decisions.waiting(ladder, challenge_id, identity.id)
            decisions.check_challenger(challenge, identity.id)
            await ladder.close(challenge, Outcome.WITHDRAWN)
            return await queries.challenge(ladder.session, challenge_id)

    def _changing(self, game: str) -> AbstractAsyncContextManager[Ladder]:
        """Return a context that yields the ladder of a game to change it. Raise NotFoundError."""
        options_of(game)
        return changing(self._database, self._bus, game)


def _to(account_id: int, challenges: Iterable[ChallengeInfo]) -> list[ChallengeInfo]:
    """Return the challenges to an account."""
    return [each for each in challenges if each.defender_id == account_id]
