"""What a dump has: a sheet for each kind of thing, with the rows that are public.

Names are those of open accounts with a password; in their place, guests and closed accounts have none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app.learn.puzzles.models import StoredPuzzle
from app.nugget.commitments.models import Commitment
from app.nugget.models import Entry, LedgerLink
from app.nugget.visibility import IS_SEALED
from app.people.identity.models import Account
from app.people.identity.ranked import is_ranked
from app.play.games.models import Game, Move
from app.play.solitaire.models import Race, RacePlayer, Score
from app.site.dumps.schemas import EntryRow, GameRow, LinkRow, PlayerRow, PuzzleRow, ScoreRow
from engine.golden_nugget import ledger
from engine.golden_nugget.audit import read
from engine.golden_nugget.ledger import Named


@dataclass(frozen=True, slots=True)
class Sheet:
    """A kind of rows: their schema, their query without an order, the column that they are ordered by.

    `shown` makes what is written of the members that the query returns.
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


_first, _second = aliased(Account), aliased(Account)
_has_name = and_(Account.closed_at.is_(None), Account.password_hash.is_not(None))


def _name(account: Any) -> ColumnElement[str | None]:
    return case((and_(account.closed_at.is_(None), account.password_hash.is_not(None)), account.username))


_is_public = and_(
    Game.status == "finished",
    Game.ended_at.is_not(None),
    Game.voided_at.is_(None),
    # A solitaire may be taken back until it is submitted, and the boards of a race are secret to its end.
    or_(Game.second_player.is_not(None), Game.submitted),
    ~exists(
        select(RacePlayer.race_id)
        .join(Race, Race.id == RacePlayer.race_id)
        .where(RacePlayer.game_id == Game.id, Race.ends_at > func.now())
        .correlate(Game)
    ),
)


def _of_moves(column: InstrumentedAttribute[Any]) -> ColumnElement[Any]:
    moves = select(column).where(Move.game_id == Game.id).order_by(Move.ply).correlate(Game)
    return func.array(moves.scalar_subquery())


_games = (
    select(
        Game.id,
        Game.game,
        Game.options,
        case((Game.second_player.is_(None), 1), else_=2).label("seats"),
        _name(_first).label("first"),
        _name(_second).label("second"),
        Game.rated,
        Game.time_control,
        Game.ratings,
        Game.deviations,
        Game.winner_seat,
        Game.termination,
        Game.first_ply,
        Game.undos,
        _of_moves(Move.move).label("moves"),
        _of_moves(Move.spent).label("spent"),
        Game.created_at,
        Game.ended_at,
    )
    .join(_first, _first.id == Game.first_player)
    .outerjoin(_second, _second.id == Game.second_player)
    .where(_is_public)
)

_scores = (
    select(
        Score.game_id,
        _name(Account).label("username"),
        Score.game,
        Score.size,
        Score.points,
        Score.tie_break,
        Score.undos,
        Score.is_best,
        Score.submitted_at,
    )
    .join(Account, Account.id == Score.account_id)
    .join(Game, Game.id == Score.game_id)
    .where(_is_public, is_ranked(Score.account_id))
)

_entries = (
    select(
        Entry.id,
        _name(Account).label("username"),
        Entry.counts,
        Entry.record,
        Entry.record_sha256,
        Entry.assisted,
        Entry.common,
        Entry.submitted_at,
        Entry.revealed_at,
        Entry.published_at,
    )
    .join(Account, Account.id == Entry.account_id)
    .where(
        Entry.published_at.is_not(None), Entry.withdrawn_at.is_(None), ~IS_SEALED, is_ranked(Entry.account_id)
    )
)

_links = (
    select(
        LedgerLink.sequence,
        LedgerLink.entry_id.label("entry"),
        LedgerLink.hash,
        LedgerLink.text.label("line"),
        _has_name.label("has_name"),
    )
    .outerjoin(Entry, Entry.id == LedgerLink.entry_id)
    .outerjoin(Commitment, Commitment.id == LedgerLink.commitment_id)
    .join(Account, Account.id == func.coalesce(Entry.account_id, Commitment.account_id))
)

_puzzles = select(
    StoredPuzzle.id,
    StoredPuzzle.game,
    StoredPuzzle.position,
    StoredPuzzle.solution,
    StoredPuzzle.themes,
    StoredPuzzle.rating,
    StoredPuzzle.deviation,
    StoredPuzzle.volatility,
    StoredPuzzle.attempts,
    StoredPuzzle.solved,
    select(Game.id).where(Game.id == StoredPuzzle.game_id, _is_public).scalar_subquery().label("game_id"),
    StoredPuzzle.ply,
    StoredPuzzle.created_at,
)


def _link(members: dict[str, Any]) -> Mapping[str, Any]:
    """Return a link without the name of a player who has none here; the chain of hashes stays valid."""
    has_name, link = members.pop("has_name"), read(members["line"])
    if not has_name and isinstance(link, Named):
        members["line"] = ledger.to_line(ledger.erase(link))
    return members


SHEETS = (
    Sheet(
        "players", PlayerRow, select(Account.username, Account.is_computer).where(_has_name), Account.username
    ),
    Sheet("games", GameRow, _games, Game.id),
    Sheet("scores", ScoreRow, _scores, Score.game_id),
    Sheet("nugget_entries", EntryRow, _entries, Entry.id),
    Sheet("nugget_ledger", LinkRow, _links, LedgerLink.sequence, _link),
    Sheet("puzzles", PuzzleRow, _puzzles, StoredPuzzle.id),
)
"""The sheets of a dump, in the order in which they can be loaded."""
