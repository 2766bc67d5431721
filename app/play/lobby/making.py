"""Challenges that are made and accepted, in the caller's transaction."""

from collections.abc import Collection
from dataclasses import replace

from sqlalchemy import or_
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.identity import names
from app.people.identity.service import Identity
from app.people.social.queries import blocked_between
from app.play.games import creation
from app.play.lobby import checks, decisions, news, queries, store
from app.play.lobby.challenges import ChallengeInfo, ChallengeTerms, Kind
from app.play.lobby.models import Challenge
from app.play.pairing.store import lock_searches
from engine.clock import is_realtime


def completed(terms: ChallengeTerms) -> ChallengeTerms:
    """Return terms with all options of their game. Raise InvalidError."""
    rules = creation.rules_of(terms.game, 2)
    options = creation.complete_options(rules, terms.options)
    if terms.rated:
        creation.check_rated(rules, options)
    return replace(terms, options=options)


async def acceptable(
    session: AsyncSession, identity: Identity, terms: ChallengeTerms, refused: Collection[str]
) -> ChallengeInfo | None:
    """Return the oldest challenge of the lobby with these terms that the identity may accept, or None."""
    rating = await checks.rating_of(session, terms.game, identity)
    at_limit = await queries.at_rated_limit(session, identity.id) if terms.rated else ()
    for challenge in await queries.matching(session, identity.id, terms):
        if (
            challenge.id not in refused
            and decisions.suits(challenge, identity, terms)
            and challenge.maker.id not in at_limit
            and not decisions.obstacle(challenge, identity, rating)
        ):
            return challenge
    return None


async def made(
    session: AsyncSession, identity: Identity, terms: ChallengeTerms, kind: Kind, opponent: str | None = None
) -> tuple[ChallengeInfo, list[ChallengeInfo]]:
    """Return a new challenge, and those that ended as a computer accepted it; see `Lobby.make`."""
    decisions.check_terms(terms, identity, await checks.rating_of(session, terms.game, identity))
    return await offered(session, identity, terms, kind, opponent)


async def offered(
    session: AsyncSession,
    identity: Identity,
    terms: ChallengeTerms,
    kind: Kind,
    opponent: str | None,
    *,
    rematch_of: str | None = None,
) -> tuple[ChallengeInfo, list[ChallengeInfo]]:
    """Return what `made` returns, for terms that were checked before or that are those of an earlier game."""
    if kind == "open":
        await store.lock_waiting(session)
    account = None
    if kind == "direct":
        account = await names.find(session, (opponent or "").strip())
        account = decisions.check_opponent(terms, identity, account)
        if await blocked_between(session, identity.id, account.id):
            raise decisions.unavailable_opponent()
        if terms.rated:
            await checks.check_rated_limit(session, identity.id, account.id)
    if account is None or account.computer_level is None:
        await checks.check_fair_play(session, identity.id, terms.control, rated=terms.rated)
    await checks.check_games(session, identity)
    await checks.check_open(session, identity, kind)
    challenge_id = await store.insert(session, identity.id, kind, account, terms, rematch_of=rematch_of)
    challenge = await queries.get(session, challenge_id)
    others: list[ChallengeInfo] = []
    if account is not None and account.computer_level is not None:
        challenge = await store.accept_for_computer(session, challenge, identity)
        others = await store.end_waiting(session, terms.control, [identity.id])
    await news.tell_opponent(session, challenge)
    return challenge, others


async def accepted(
    session: AsyncSession,
    challenge: ChallengeInfo,
    identity: Identity,
    side: str | None = None,
    searching: frozenset[int] = frozenset(),
    seen_as_rated: bool | None = None,
) -> tuple[ChallengeInfo, list[ChallengeInfo]]:
    """Return a challenge as the identity accepted it, and those that ended with that.

    It is closed if one of the accounts in `searching` does not search any more. Raise what `Lobby.accept`
    raises, BarredError if the maker may not play it any more.
    """
    maker_id = challenge.maker.id
    rated = challenge.terms.against(identity).rated
    await checks.lock_players(session, identity.id, maker_id, challenge.terms.control, rated=rated)
    challenge = await queries.get(session, challenge.id)  # guests may have brought it along meanwhile
    if challenge.maker.id != maker_id or await blocked_between(session, maker_id, identity.id):
        raise decisions.closed_error()
    if challenge.status == "open":  # else it says that it is closed
        decisions.check_rated(rated=rated, seen=seen_as_rated)
    if rated:
        await checks.check_rated_limit(session, identity.id, maker_id)
    await checks.check_games(session, identity)
    players = maker_id, identity.id
    if not await lock_searches(session, players) >= searching:
        raise decisions.closed_error()
    if is_realtime(challenge.terms.control):  # one lock: no two players who accept wait for each other
        await store.lock(session, or_(Challenge.id == challenge.id, store.is_waiting(players)))
    challenge = await store.accept(session, challenge, identity, side)
    await news.tell_accepted(session, challenge, identity)
    return challenge, await store.end_waiting(session, challenge.terms.control, players)
