"""Reading studies."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import read, read_row, readable_page
from app.learn.studies.analysis import Analysis, Ground, tree_of
from app.learn.studies.models import StudyRow
from app.people.identity.models import Account, Erasure
from app.people.identity.ranked import is_open
from app.play.games.models import Game
from engine.game import with_defaults
from engine.registry import GAMES, rules_for


class Visibility(StrEnum):
    """Who sees a study: its author, everybody who knows its address, or everybody."""

    PRIVATE = "private"
    LINK = "link"
    PUBLIC = "public"


@dataclass(frozen=True)
class Study:
    """A study as it is stored. `shared_game` is the game of which it is the shared board, or None."""

    id: str
    author_id: int
    author: str
    title: str
    visibility: Visibility
    game: str
    players: int
    options: Mapping[str, int]
    position: str
    moves: str
    shown: str
    version: int
    updated_at: datetime
    shared_game: str | None

    @cached_property
    def analysis(self) -> Analysis:
        """Return its tree, at the node that was shown last. A long one takes many milliseconds to build.

        Raise UnreadableError.
        """
        return read(StudyRow.__tablename__, self.id, _analysis, self)

    @property
    def game_title(self) -> str:
        """Return the title of its game."""
        return GAMES[self.game].title

    @property
    def heading(self) -> str:
        """Return its title, or that of its game if it has none."""
        return self.title or self.game_title

    @property
    def path(self) -> str:
        """Return its address."""
        return f"/studies/{self.id}"

    @property
    def is_shared(self) -> bool:
        """Return whether it is the shared board of a game."""
        return self.shared_game is not None


async def find(session: AsyncSession, study_id: str, *, to_change: bool) -> Study | None:
    """Return a study, locked until the transaction ends if it is to be changed."""
    query = _studies().where(StudyRow.id == study_id)
    if to_change:
        query = query.with_for_update(of=StudyRow)
    row = (await session.execute(query)).one_or_none()
    return None if row is None else read_row(_study, *row)


async def shared_board(session: AsyncSession, game_id: str) -> str | None:
    """Return the id of the shared board of a game, or None."""
    return await session.scalar(select(StudyRow.id).where(StudyRow.game_id == game_id))


async def latest(
    session: AsyncSession, condition: ColumnElement[bool], *, number: int, limit: int
) -> tuple[list[Study], bool]:
    """Return a page of the studies that meet a condition, the last changed first, and whether there are more.

    Shared boards of games are left out.
    """
    query = _studies().where(condition, StudyRow.game_id.is_(None))
    latest_first = query.order_by(StudyRow.updated_at.desc(), StudyRow.id)
    rows = await session.execute(latest_first.offset(limit * (number - 1)).limit(limit + 1))
    return readable_page(_study, rows.all(), limit)


async def pass_on_shared_boards(session: AsyncSession, account_id: int) -> None:
    """Make the shared boards of an account that is being erased those of the other players.

    A board whose other player has been erased stays with the account.
    """
    other = case((Game.first_player == account_id, Game.second_player), else_=Game.first_player)
    is_erased = exists().where(Erasure.account_id == other, Erasure.done_at.is_not(None))
    await session.execute(
        update(StudyRow)
        .where(StudyRow.account_id == account_id, StudyRow.game_id == Game.id, ~is_erased)
        .values(account_id=other)
        .execution_options(synchronize_session=False)
    )


def is_public() -> ColumnElement[bool]:
    """Return the condition that everybody sees a study in lists, in which closed accounts have none."""
    return and_(StudyRow.visibility == Visibility.PUBLIC, is_open(StudyRow.account_id))


def is_by(*account_ids: int) -> ColumnElement[bool]:
    """Return the condition that one of some accounts has saved a study."""
    return StudyRow.account_id.in_(account_ids)


def count_of(account_id: int) -> Select[int]:
    """Return the query for the number of an account's studies."""
    return select(func.count()).where(is_by(account_id), StudyRow.game_id.is_(None))


def _studies() -> Select[StudyRow, str]:
    return select(StudyRow, Account.username).join(Account, Account.id == StudyRow.account_id)


def _analysis(study: Study) -> Analysis:
    ground = Ground(rules_for(study.game, study.players), study.options, study.position)
    analysis = ground.analysis(tree_of(study.moves), study.shown)
    _ = analysis.all_positions  # every move can be played
    return analysis


def _study(row: StudyRow, author: str) -> Study:
    rules = rules_for(row.game, row.players)
    return Study(
        id=row.id,
        author_id=row.account_id,
        author=author,
        title=row.title,
        visibility=Visibility(row.visibility),
        game=row.game,
        players=row.players,
        options=with_defaults(rules.options, row.options),
        position=row.position,
        moves=row.moves,
        shown=row.shown,
        version=row.version,
        updated_at=row.updated_at,
        shared_game=row.game_id,
    )
