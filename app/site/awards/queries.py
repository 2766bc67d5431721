"""What the database has of achievements, and of what may prove them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    SQLColumnExpression,
    case,
    exists,
    func,
    or_,
    select,
    true,
    union,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app.core.database.statements import is_one_of, made_once
from app.core.database.unreadable import UnreadableError, read, readable
from app.nugget.models import Competition, Entry
from app.people.achievements import Achievement
from app.people.identity.models import Account
from app.play.bots.service import was_helped
from app.play.games.models import Game, Move
from app.play.games.queries import counts
from app.play.solitaire.models import Score
from app.site.awards.models import Award, AwardMark
from app.site.awards.proofs import WonGame, by_entry, by_score, by_winning
from engine.game import Termination

_GAMES_AT_ONCE = 200
_DAYS = ("correspondence", "days_bank")


PROOFS = {"game": Game.__tablename__, "entry": Entry.__tablename__}
"""The tables of what proves achievements, by the first word of a place."""


@dataclass(frozen=True, slots=True)
class AwardCandidate:
    """A game or an entry of an account, and the function that says what it proves."""

    account_id: int
    place: str
    at: datetime
    judge: Callable[[], Iterable[Achievement]]

    def judged(self) -> list[Achievement]:
        """Return what it proves: nothing if it cannot be read."""
        kind, _colon, id_ = self.place.partition(":")
        try:
            return read(PROOFS[kind], id_, _judged, self.judge)
        except UnreadableError:
            return []


def _judged(judge: Callable[[], Iterable[Achievement]]) -> list[Achievement]:
    return list(judge())


@dataclass(frozen=True, slots=True)
class Window:
    """The games and entries to look at: those of some accounts (None: all) after a moment, up to another."""

    since: datetime
    until: datetime
    accounts: Sequence[int] | None = None

    def has(self, moment: SQLColumnExpression[Any]) -> ColumnElement[bool]:
        """Return the condition that a moment is in the window."""
        return (moment > self.since) & (moment <= self.until)

    def is_of(self, *columns: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
        """Return the condition that one of some columns is one of the accounts."""
        if self.accounts is None:
            return true()
        return or_(*(is_one_of(column, self.accounts) for column in columns))


async def of_account(session: AsyncSession, account_id: int) -> list[Award]:
    """Return the achievements of an account, the earliest first."""
    return readable(_known, await session.scalars(*_of_account(account_id)))


@made_once
def _of_account(account_id: int) -> Select[Award]:
    return select(Award).where(Award.account_id == account_id).order_by(Award.earned_at, Award.achievement)


def _known(award: Award) -> Award:
    """Return an award. Raise ValueError if there is no such achievement, or no such proof."""
    Achievement(award.achievement)
    if award.proof.partition(":")[0] not in PROOFS:
        raise ValueError(f"There is no proof like {award.proof!r}.")
    return award


_SINCE = select(AwardMark.judged_until).scalar_subquery()
_MOMENTS = (
    *(Game.ended_at, Game.voided_at, Score.submitted_at, Competition.ends_at),
    *(Entry.submitted_at, Entry.revealed_at, Entry.withdrawn_at, Entry.assisted_at),
)


def has_news(lag: timedelta) -> ColumnElement[bool]:
    """Return the condition that what happened since the mark proves or no longer proves an achievement.

    What happened within `lag` is left for later.
    """
    until = func.now() - lag
    return or_(*(exists().where(moment > _SINCE, moment <= until) for moment in _MOMENTS))


async def end_of_games(session: AsyncSession, window: Window) -> datetime:
    """Return the moment by which 200 games of a window have ended, or the end of the window."""
    last = (
        select(Game.ended_at)
        .where(window.has(Game.ended_at), window.is_of(Game.first_player, Game.second_player))
        .order_by(Game.ended_at)
        .offset(_GAMES_AT_ONCE - 1)
        .limit(1)
    )
    return await session.scalar(last) or window.until


async def candidates(session: AsyncSession, window: Window) -> list[AwardCandidate]:
    """Return all games and entries in a window."""
    return [
        *await _won_games(session, window),
        *await _solitaire_games(session, window),
        *await _entries(session, window),
    ]


async def _won_games(session: AsyncSession, window: Window) -> Iterable[AwardCandidate]:
    moves = select(func.array_agg(aggregate_order_by(Move.move, Move.ply))).where(Move.game_id == Game.id)
    first, second = aliased(Account), aliased(Account)
    rows = await session.execute(
        select(Game, was_helped(), first.computer_level, second.computer_level, moves.scalar_subquery())
        .join(first, first.id == Game.first_player)
        .join(second, second.id == Game.second_player)
        .where(
            window.has(Game.ended_at),
            window.is_of(Game.first_player, Game.second_player),
            counts(),
            Game.winner_seat.is_not(None),
        )
    )
    return readable(
        _won, ((game, is_helped, levels, played or ()) for game, is_helped, *levels, played in rows)
    )


def _won(game: Game, is_helped: bool, levels: Sequence[int | None], moves: Sequence[str]) -> AwardCandidate:
    assert game.winner_seat is not None
    assert game.second_player is not None
    assert game.ended_at is not None
    winner, loser = game.winner_seat, 1 - game.winner_seat
    won = WonGame(
        game=game.game,
        options=game.options,
        moves=moves,
        first_ply=game.first_ply,
        winner_seat=winner,
        termination=Termination(game.termination or ""),
        lead=game.ratings[winner] - game.ratings[loser] if game.rating_changes else None,
        level=levels[loser],
        is_own=levels[loser] is None or not is_helped,
        has_days=game.time_control is not None and game.time_control["kind"] in _DAYS,
    )
    account_id = (game.first_player, game.second_player)[winner]
    return AwardCandidate(account_id, f"game:{game.id}", game.ended_at, partial(by_winning, won))


async def _solitaire_games(session: AsyncSession, window: Window) -> Iterable[AwardCandidate]:
    rows = await session.execute(
        select(Score, Game.ply)
        .join(Game, Game.id == Score.game_id)
        .where(window.has(Score.submitted_at), window.is_of(Score.account_id))
    )
    return [
        AwardCandidate(
            score.account_id,
            f"game:{score.game_id}",
            score.submitted_at,
            partial(by_score, score.game, score.size, numbers),
        )
        for score, numbers in rows
    ]


async def _entries(session: AsyncSession, window: Window) -> Iterable[AwardCandidate]:
    ended_at = case((Competition.visibility == "sealed", Competition.ends_at))
    known_at = func.greatest(ended_at, Entry.received_at)
    entries = (
        select(Entry, known_at)
        .outerjoin(Competition, Competition.id == Entry.competition_id)
        .where(window.has(known_at), window.is_of(Entry.account_id), Entry.withdrawn_at.is_(None))
    )
    # Three statements, each of which has an index: a single one with OR would read all entries.
    rows = [*await session.execute(entries.where(window.has(Entry.submitted_at)))]
    rows += await session.execute(
        entries.where(window.has(Entry.revealed_at), Entry.submitted_at <= window.since)
    )
    ended = list(await session.scalars(select(Competition.id).where(window.has(Competition.ends_at))))
    if ended:
        rows += await session.execute(
            entries.where(Entry.competition_id.in_(ended), Entry.received_at <= window.since)
        )
    return [
        AwardCandidate(
            entry.account_id,
            f"entry:{entry.id}",
            at,
            partial(by_entry, entry.counts, is_own=entry.is_own),
        )
        for entry, at in rows
    ]


async def lost_proofs(session: AsyncSession, window: Window) -> list[int]:
    """Return the accounts of which a game was voided in a window, or an entry withdrawn or found assisted."""
    seats = (
        select(seat).where(window.has(Game.voided_at)) for seat in (Game.first_player, Game.second_player)
    )
    entries = (
        select(Entry.account_id).where(window.has(moment))
        for moment in (Entry.withdrawn_at, Entry.assisted_at)
    )
    return sorted(await session.scalars(union(*seats, *entries)))
