"""What a guest has besides games, runs, challenges and races: which rows come along into an account, or stay.

Each table declares it as its `handover`.
"""

from sqlalchemy import (
    ColumnElement,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    and_,
    delete,
    exists,
    false,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.base import personal_tables, rows_of, table
from app.core.database.personal import Handover
from app.learn.puzzles.models import PuzzleAttempt, PuzzleRating, StoredPuzzle
from app.people.inbox.models import Notification
from app.play.games.models import Game
from app.play.games.queries import played_by
from app.play.lobby.models import Challenge
from app.site.awards.models import Award

_BY_TABLE = (Handover.WITH_GAMES, Handover.UNLESS_KNOWN, Handover.ONCE)
_NOT_ASKED_FOR = (Notification.__tablename__, Challenge.__tablename__)
"""What is not a reason to ask guests: they ended, or are about things that are."""


def is_open_challenge(guest_id: int) -> ColumnElement[bool]:
    """Return the condition that a challenge of a guest, or to them, is open."""
    is_theirs = or_(Challenge.maker_id == guest_id, Challenge.opponent_id == guest_id)
    return (Challenge.status == "open") & is_theirs


async def has_any(session: AsyncSession, guest_id: int) -> bool:
    """Return whether a guest has anything to choose about."""
    rows = (
        exists().where(rows_of(guest_id, name, personal.exported_by or personal.owners))
        for name, personal in personal_tables().items()
        if personal.handover is not Handover.STAY and name not in _NOT_ASKED_FOR
    )
    has_challenge = exists().where(is_open_challenge(guest_id))
    return bool(await session.scalar(select(or_(has_challenge, *rows))))


async def come_along(session: AsyncSession, guest_id: int, account_id: int) -> bool:
    """Return whether any rows of a guest would come along besides those of games."""
    rows = (
        exists().where(*_coming(table(name), personal.owners[0], guest_id, account_id))
        for name, personal in personal_tables().items()
        if personal.handover in _BY_TABLE and name not in _NOT_ASKED_FOR
    )
    return bool(await session.scalar(select(or_(*rows))))


async def count_known(session: AsyncSession, guest_id: int, account_id: int) -> int:
    """Return how many things stay with a guest because the account has its own."""
    counts = [
        select(func.count())
        .select_from(table(name))
        .where(table(name).c[column] == guest_id, _is_known(table(name), column, account_id))
        .where(~_belongs_to_what_stays(table(name), guest_id, account_id))
        .scalar_subquery()
        for name, column in _columns(Handover.UNLESS_KNOWN)
    ]
    return sum((await session.execute(select(*counts))).one())


async def move(session: AsyncSession, guest_id: int, account_id: int) -> None:
    """Hand the other rows of a guest over to an account, after the games and challenges."""
    for name, column in _columns(*_BY_TABLE):
        rows = table(name)
        coming = _coming(rows, column, guest_id, account_id)
        await session.execute(update(rows).where(*coming).values({column: account_id}))
    for name, column in _columns(Handover.ONCE):  # what is left of these, the account has as well
        rows = table(name)
        is_alike = rows.c[column] == guest_id, ~_belongs_to_what_stays(rows, guest_id, account_id)
        await session.execute(delete(rows).where(*is_alike))


def _columns(*handovers: Handover) -> list[tuple[str, str]]:
    """Return the tables that are handed over in some way, each with its columns that may be the guest."""
    return [
        (name, column)
        for name, personal in personal_tables().items()
        if personal.handover in handovers
        for column in personal.owners
    ]


def _coming(rows: Table, column: str, guest_id: int, account_id: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the rows with a guest in a column that come along to an account."""
    others = [name for name in personal_tables()[rows.name].owners if name != column]
    return (
        rows.c[column] == guest_id,
        *(rows.c[name].is_distinct_from(account_id) for name in others),  # nobody blocks their own account
        ~_is_known(rows, column, account_id),
        ~_belongs_to_what_stays(rows, guest_id, account_id),
    )


def _is_known(rows: Table, column: str, account_id: int) -> ColumnElement[bool]:
    """Return the condition that an account has a row of a guest as well, by any key with the column."""
    known = rows.alias("known")
    keys = (
        each.columns.keys()
        for each in rows.constraints
        if isinstance(each, PrimaryKeyConstraint | UniqueConstraint) and column in each.columns
    )
    same = [and_(true(), *(known.c[name] == rows.c[name] for name in key if name != column)) for key in keys]
    return exists().where(known.c[column] == account_id, or_(*same)) if same else false()


def _belongs_to_what_stays(rows: Table, guest_id: int, account_id: int) -> ColumnElement[bool]:
    """Return the condition that a row is about a game that a guest plays, or another thing that stays.

    Attempts at puzzles belong to the rating that they have changed.
    """
    if rows.name == PuzzleAttempt.__tablename__:
        mine, theirs = aliased(PuzzleRating), aliased(PuzzleRating)
        have_ratings = (
            StoredPuzzle.id == rows.c.puzzle_id,
            and_(mine.game == StoredPuzzle.game, mine.account_id == guest_id),
            and_(theirs.game == StoredPuzzle.game, theirs.account_id == account_id),
        )
        return exists().where(*have_ratings)
    if rows.name == Notification.__tablename__:
        return or_(
            exists().where(Game.id == rows.c.subject, played_by(guest_id)),
            exists().where(Challenge.id == rows.c.subject, is_open_challenge(guest_id)),
        )
    if rows.name == Award.__tablename__:
        return exists().where(Game.id == func.split_part(rows.c.proof, ":", 2), played_by(guest_id))
    return exists().where(Game.id == rows.c.game_id, played_by(guest_id)) if "game_id" in rows.c else false()
