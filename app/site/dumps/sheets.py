"""What a dump has: a sheet for each kind of thing, with the rows that are public.

Names are those of open accounts with a password; in their place, guests and closed accounts have none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from sqlalchemy import ColumnElement, DateTime, Select, and_, bindparam, case, exists, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app.core.database.base import Base
from app.learn.puzzles.models import StoredPuzzle
from app.nugget.commitments.models import Commitment
from app.nugget.models import Entry, LedgerLink
from app.nugget.visibility import IS_SEALED
from app.people.identity.models import Account
from app.people.identity.ranked import is_ranked
from app.play.bots.service import was_helped
from app.play.games.models import Game, Move
from app.play.ratings.models import RatingChange
from app.play.solitaire.models import Race, RacePlayer, Score
from app.site.dumps.schemas import EntryRow, GameRow, LinkRow, PlayerRow, PuzzleRow, ScoreRow
from engine.golden_nugget import ledger
from engine.golden_nugget.audit import read
from engine.golden_nugget.ledger import Named


@dataclass(frozen=True, slots=True)
class Sheet:
    """A kind of rows: their schema, their query without an order, the column that they are ordered by.

    The query takes the moment of the dump, `at`. `shown` makes what is written of the members of a row.
    """

    name: str
    schema: type[BaseModel]
    query: Select[*tuple[Any, ...]]
    key: InstrumentedAttribute[Any]
    shown: Callable[[dict[str, Any]], Mapping[str, Any]] = lambda members: members

    @property
    def members(self) -> list[str]:
        """Return the names of the members of a row."""
        return list(self.schema.model_fields)

    @property
    def files(self) -> tuple[str, str]:
        """Return the names of its files: JSON lines and CSV."""
        return f"{self.name}.jsonl.zst", f"{self.name}.csv.zst"


_AT = bindparam("at", type_=DateTime(timezone=True))
"""The moment of the dump. The parts of a dump are written one after the other, while games end: what was not
public at this moment is in none of them, so that sheets refer to no game that another one lacks."""

_first, _second = aliased(Account), aliased(Account)
_has_name = and_(Account.closed_at.is_(None), Account.password_hash.is_not(None))


def _name(account: Any) -> ColumnElement[str | None]:
    return case((and_(account.closed_at.is_(None), account.password_hash.is_not(None)), account.username))


_is_public = and_(
    Game.status == "finished",
    Game.ended_at <= _AT,
    Game.voided_at.is_(None),
    # A solitaire may be taken back until it is submitted, and the boards of a race are secret to its end.
    or_(Game.second_player.is_not(None), Game.submitted),
    ~exists(select(Score.game_id).where(Score.game_id == Game.id, Score.submitted_at > _AT).correlate(Game)),
    ~exists(
        select(RacePlayer.race_id)
        .join(Race, Race.id == RacePlayer.race_id)
        .where(RacePlayer.game_id == Game.id, Race.ends_at > _AT)
        .correlate(Game)
    ),
)


def _of_moves(column: InstrumentedAttribute[Any]) -> ColumnElement[Any]:
    moves = select(column).where(Move.game_id == Game.id).order_by(Move.ply).correlate(Game)
    return func.array(moves.scalar_subquery())


def _columns(schema: type[BaseModel], model: type[Base], **others: Any) -> list[Any]:
    """Return what a query has for each member of a row: the column of that name, but for the others given."""
    return [
        others[name].label(name) if name in others else getattr(model, name) for name in schema.model_fields
    ]


_rated_at = select(RatingChange.changed_at).where(
    RatingChange.game_id == Game.id, RatingChange.account_id == Game.first_player
)
_games = (
    select(
        *_columns(
            GameRow,
            Game,
            seats=case((Game.second_player.is_(None), 1), else_=2),
            first=_name(_first),
            second=_name(_second),
            moves=_of_moves(Move.move),
            spent=_of_moves(Move.spent),
            rated_at=_rated_at.scalar_subquery(),
            helped=was_helped(),
        )
    )
    .join(_first, _first.id == Game.first_player)
    .outerjoin(_second, _second.id == Game.second_player)
    .where(_is_public)
)

_scores = (
    select(*_columns(ScoreRow, Score, username=_name(Account)))
    .join(Account, Account.id == Score.account_id)
    .join(Game, Game.id == Score.game_id)
    .where(_is_public, is_ranked(Score.account_id))
)

_entries = (
    select(*_columns(EntryRow, Entry, username=_name(Account)))
    .join(Account, Account.id == Entry.account_id)
    .where(
        Entry.published_at.is_not(None), Entry.withdrawn_at.is_(None), ~IS_SEALED, is_ranked(Entry.account_id)
    )
)

_links = (
    select(
        *_columns(LinkRow, LedgerLink, entry=LedgerLink.entry_id, line=LedgerLink.text),
        _has_name.label("has_name"),
    )
    .outerjoin(Entry, Entry.id == LedgerLink.entry_id)
    .outerjoin(Commitment, Commitment.id == LedgerLink.commitment_id)
    .join(Account, Account.id == func.coalesce(Entry.account_id, Commitment.account_id))
)

_game_of_puzzle = select(Game.id).where(Game.id == StoredPuzzle.game_id, _is_public)
_puzzles = select(*_columns(PuzzleRow, StoredPuzzle, game_id=_game_of_puzzle.scalar_subquery()))


def _link(members: dict[str, Any]) -> Mapping[str, Any]:
    """Return a link without the name of a player who has none here; the chain of hashes stays valid."""
    has_name, link = members.pop("has_name"), read(members["line"])
    if not has_name and isinstance(link, Named):
        members["line"] = ledger.to_line(ledger.erase(link))
    return members


SHEETS = (
    Sheet("games", GameRow, _games, Game.id),
    Sheet("scores", ScoreRow, _scores, Score.game_id),
    Sheet("nugget_entries", EntryRow, _entries, Entry.id),
    Sheet("nugget_ledger", LinkRow, _links, LedgerLink.sequence, _link),
    Sheet("puzzles", PuzzleRow, _puzzles, StoredPuzzle.id),
    # The last one, so that it has those who register while the others are written.
    Sheet("players", PlayerRow, select(*_columns(PlayerRow, Account)).where(_has_name), Account.username),
)
"""The sheets of a dump, in the order in which they are written."""
