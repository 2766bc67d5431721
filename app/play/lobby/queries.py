"""Challenges, read from the database."""

from datetime import timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select, union_all
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.statements import made_once
from app.core.database.unreadable import read_row, readable
from app.core.errors import found
from app.people.identity.models import Account
from app.people.social.queries import not_blocked
from app.play.games.models import Game, Move
from app.play.games.queries import cut_short_by, is_under_way, played_by
from app.play.lobby.challenges import CHOICE, RANDOM, ChallengeInfo, ChallengeTerms, Kind
from app.play.lobby.decisions import LAST_GAMES, Aborts
from app.play.lobby.models import Challenge
from app.play.ratings import queries as ratings
from app.play.ratings.counting import RATED_A_DAY, PlayersRating
from app.play.ratings.models import PlayerRating, RatingChange
from engine.clock import control_from_dict, control_to_dict
from engine.game import Side, with_defaults
from engine.registry import FOR_TWO

_MOST_LISTED = 100
_DAY = timedelta(days=1)

_maker, _opponent = aliased(Account), aliased(Account)
_CHALLENGES = (  # made once: that takes much longer than adding conditions
    select(Challenge, _maker, _opponent, PlayerRating)
    .join(_maker, _maker.id == Challenge.maker_id)
    .outerjoin(_opponent, _opponent.id == Challenge.opponent_id)
    .outerjoin(
        PlayerRating, and_(PlayerRating.account_id == Challenge.maker_id, PlayerRating.game == Challenge.game)
    )
    .order_by(Challenge.created_at.desc())
    .limit(_MOST_LISTED)
)
_LISTED = (  # guests cost nothing, so as many as there may be push nobody else out
    _CHALLENGES.where(Challenge.status == "open", Challenge.kind == "open", _maker.closed_at.is_(None))
    .order_by(None)
    .order_by(_maker.password_hash.is_(None), Challenge.created_at.desc())
)


async def get(session: AsyncSession, challenge_id: str) -> ChallengeInfo:
    """Return a challenge as it is now. Raise NotFoundError, UnreadableError."""
    query = _CHALLENGES.where(Challenge.id == challenge_id).execution_options(populate_existing=True)
    row = found((await session.execute(query)).one_or_none(), "challenge")
    return read_row(_info, *row)


async def concerning(session: AsyncSession, account_id: int) -> list[ChallengeInfo]:
    """Return the open challenges to an account, and its own that are not in the lobby."""
    return readable(_info, await session.execute(*_concerning(account_id)))


@made_once
def _concerning(account_id: int) -> Select[*tuple[Any, ...]]:
    is_own = and_(Challenge.maker_id == account_id, Challenge.kind != "open")
    is_to_it = and_(
        Challenge.opponent_id == account_id,
        _maker.closed_at.is_(None),
        not_blocked(account_id, Challenge.maker_id),
    )
    return _CHALLENGES.where(Challenge.status == "open", or_(is_own, is_to_it))


async def listed(
    session: AsyncSession, *conditions: ColumnElement[bool], most: int = _MOST_LISTED
) -> list[ChallengeInfo]:
    """Return the open challenges of the lobby that meet some conditions, the newest first.

    If there are more than `most`, those of guests are left out first, then the oldest ones. Those of a closed
    account, which are withdrawn soon, are left out as well.
    """
    rows = await session.execute(_LISTED.where(*conditions).limit(most) if conditions else _LISTED)
    return sorted(readable(_info, rows), key=lambda challenge: challenge.created_at, reverse=True)


async def matching(session: AsyncSession, account_id: int, terms: ChallengeTerms) -> list[ChallengeInfo]:
    """Return the open challenges of the lobby at this game, clock and board, the oldest first.

    Those of players whom the account has blocked, or who have blocked it, are left out.
    """
    challenges = await listed(
        session,
        Challenge.game == terms.game,
        Challenge.options == terms.options,
        Challenge.time_control == control_to_dict(terms.control),
        Challenge.side == RANDOM,
        not_blocked(account_id, Challenge.maker_id),
    )
    return challenges[::-1]


async def seeks_of(session: AsyncSession, account_id: int) -> list[ChallengeInfo]:
    """Return an account's open challenges of the lobby, the newest first."""
    return await listed(session, Challenge.maker_id == account_id)


async def seek_of(session: AsyncSession, account_id: int, terms: ChallengeTerms) -> ChallengeInfo | None:
    """Return an account's open challenge of the lobby with these terms, or None."""
    return next((each for each in await seeks_of(session, account_id) if each.terms == terms), None)


async def rematch_of(session: AsyncSession, game_id: str) -> ChallengeInfo | None:
    """Return the open offer of a rematch of a game, or that which led to a game under way, or None."""
    is_played = exists().where(Game.id == Challenge.game_id, is_under_way())
    return await latest_rematch(session, game_id, or_(Challenge.status == "open", is_played))


async def latest_rematch(
    session: AsyncSession, game_id: str, *conditions: ColumnElement[bool]
) -> ChallengeInfo | None:
    """Return the latest offer of a rematch of a game that meets some conditions, or None."""
    return next(iter(await where(session, Challenge.rematch_of == game_id, *conditions)), None)


async def opening_of(session: AsyncSession, game_id: str) -> list[str]:
    """Return the moves that led to the position in which a game began."""
    led_there = Move.game_id == Game.id, Move.ply <= Game.first_ply
    moves = await session.scalars(select(Move.move).where(Game.id == game_id, *led_there).order_by(Move.ply))
    return list(moves)


def count_open(maker_id: int, *conditions: ColumnElement[bool]) -> Select[int]:
    """Return the query for the number of an account's open challenges that meet some conditions."""
    return select(func.count()).where(Challenge.maker_id == maker_id, Challenge.status == "open", *conditions)


async def aborts(session: AsyncSession, account_id: int) -> Aborts:
    """Return how many of an account's last games between people it aborted, or left before they counted."""
    computers = select(Account.id).where(Account.computer_level.is_not(None))
    seats = (Game.first_player, Game.second_player)
    latest = union_all(
        *(
            select(Game.updated_at, (func.coalesce(cut_short_by(), -1) == seat).label("is_aborted"))
            .where(player == account_id, Game.status != "started")
            .where(Game.second_player.is_not(None), seats[1 - seat].not_in(computers))
            .order_by(Game.updated_at.desc())
            .limit(LAST_GAMES)
            for seat, player in enumerate(seats)
        )
    ).subquery()
    last = select(latest).order_by(latest.c.updated_at.desc()).limit(LAST_GAMES).subquery()
    aborted = select(func.count(), func.max(last.c.updated_at)).where(last.c.is_aborted)
    return Aborts(*(await session.execute(aborted)).one())


async def at_rated_limit(session: AsyncSession, account_id: int) -> frozenset[int]:
    """Return the accounts with which another rated game would not count today.

    Games that were rated within 24 hours count, and those under way.
    """
    mine, theirs = aliased(RatingChange), aliased(RatingChange)
    rated = (
        select(theirs.account_id.label("opponent"))
        .join(mine, mine.game_id == theirs.game_id)
        .where(mine.account_id == account_id, theirs.account_id != account_id)
        .where(mine.changed_at > func.now() - _DAY)
    )
    opponent = case((Game.first_player == account_id, Game.second_player), else_=Game.first_player)
    under_way = select(opponent).where(played_by(account_id), is_under_way(), Game.rated)
    games = union_all(rated, under_way).subquery()
    counts = select(games.c.opponent).group_by(games.c.opponent).having(func.count() >= RATED_A_DAY)
    return frozenset(await session.scalars(counts))


async def where(
    session: AsyncSession, *conditions: ColumnElement[bool], most: int | None = _MOST_LISTED
) -> list[ChallengeInfo]:
    """Return the challenges that meet some conditions, the newest first; all of them if `most` is None."""
    rows = await session.execute(_CHALLENGES.where(*conditions).limit(most))
    return readable(_info, rows)


def _info(
    row: Challenge, maker: Account, opponent: Account | None, rating: PlayerRating | None
) -> ChallengeInfo:
    rules = FOR_TWO[row.game]
    return ChallengeInfo(
        id=row.id,
        terms=ChallengeTerms(
            row.game,
            with_defaults(rules.options, row.options),
            row.side if row.side in (RANDOM, CHOICE) else Side(row.side),
            control_from_dict(row.time_control),
            row.rated,
            row.rating_min,
            row.rating_max,
            row.casual_with_guests,
        ),
        kind=cast("Kind", row.kind),
        maker=maker,
        maker_rating=ratings.as_of_now(rating) if rating else PlayersRating(),
        opponent=opponent,
        status=row.status,
        decline_reason=row.decline_reason,
        rematch_of=row.rematch_of,
        game_id=row.game_id,
        created_at=row.created_at,
    )
