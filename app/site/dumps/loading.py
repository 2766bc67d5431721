"""Loading a dump into an empty server: everything is checked, and either all of it is loaded or nothing.

The accounts of its players have no password. Players without a name, or with one that is missing from the
players since they were renamed or closed their account while the dump was written, share two closed accounts,
and are not ranked. What is said of games that a dump lacks, since they could not be read, is left out.
"""

import hashlib
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import zstandard
from pydantic import ValidationError
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import json
from app.core.database.session import Database
from app.core.errors import OperatorError
from app.learn.puzzles.models import StoredPuzzle
from app.nugget import ledger, standings
from app.nugget.commitments.models import Commitment
from app.nugget.models import Entry, LedgerLink
from app.people.identity.models import Account
from app.people.identity.ranked import keep_results
from app.play.bots.models import HelpedGame
from app.play.games.models import Game, Move
from app.play.ratings.counting import RatedGame
from app.play.ratings.rerating import add_missing, note_rated
from app.play.solitaire.models import Score
from app.site.awards.models import AwardMark
from app.site.dumps import writing
from app.site.dumps.schemas import EntryRow, GameRow, LinkRow, PlayerRow, PuzzleRow, ScoreRow
from app.site.dumps.sheets import SHEETS
from engine.golden_nugget import ledger as chains
from engine.golden_nugget.audit import audit, read
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.ranking import mean_of
from engine.registry import rules_for
from engine.replay import ReplayError, positions

_NOT_OF_GAMES = {"seats", "first", "second", "moves", "spent", "rated_at", "helped"}
"""The members of the rows of games that are no columns of the table."""
_NO_PASSWORD = "loaded"  # noqa: S105 - a hash that no password has
_NAMELESS = ("closed-first", "closed-second")
_AT_ONCE = 500  # rows

_MARK_BEST = text("""
UPDATE scores SET is_best = true WHERE game_id IN (
    SELECT DISTINCT ON (account_id, game, size) game_id FROM scores WHERE account_id <> ALL(:nameless)
    ORDER BY account_id, game, size, points DESC, tie_break, submitted_at, game_id
)
""")

RowT = TypeVar("RowT", PlayerRow, GameRow, ScoreRow, EntryRow, LinkRow, PuzzleRow)


async def load(database: Database, folder: Path) -> dict[str, int]:
    """Load the dump in a folder, and return the number of rows that were loaded by sheet.

    Raise OperatorError if the server has players, games or entries, or if the dump is damaged.
    """
    check_files(folder)
    async with database.transaction() as session:
        await _check_is_empty(session)
        loader = _Loader(session, folder)
        await loader.load()
    return loader.loaded


def check_files(folder: Path) -> None:
    """Raise OperatorError unless the files of a dump have the checksums of its manifest."""
    try:
        told: dict[str, Any] = json.decode((folder / writing.MANIFEST).read_bytes())
        if told["version"] != writing.VERSION:
            raise OperatorError(
                f"The dump has version {told['version']}; this Gorrion loads {writing.VERSION}."
            )
        for file in (file for sheet in told["sheets"] for file in sheet["files"]):
            with (folder / Path(file["name"]).name).open("rb") as opened:
                if hashlib.file_digest(opened, "sha256").hexdigest() != file["sha256"]:
                    raise OperatorError(f"{file['name']} is damaged: its checksum is another one.")
    except OSError as error:
        raise OperatorError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise OperatorError(f"{folder / writing.MANIFEST} is no manifest of a dump.") from None


async def _check_is_empty(session: AsyncSession) -> None:
    for kind, some in (
        ("players", select(Account.id).where(Account.computer_level.is_(None))),
        ("games", select(Game.id)),
        ("entries", select(Entry.id)),
    ):
        if await session.scalar(select(some.exists())):
            raise OperatorError(f"The server has {kind} already. A dump is loaded into an empty one.")


class _Loader:
    """Loads the sheets of a folder, one after the other."""

    def __init__(self, session: AsyncSession, folder: Path) -> None:
        self._session = session
        self._folder = folder
        self._accounts: dict[str, Account] = {}
        self._rated: defaultdict[str, list[RatedGame]] = defaultdict(list)
        self.loaded = dict.fromkeys((sheet.name for sheet in SHEETS), 0)

    async def load(self) -> None:
        """Load all sheets."""
        await self._players()
        for games in self._batches("games", GameRow):
            await self._games(games)
        await self._note_rated()
        for scores in self._batches("scores", ScoreRow):
            await self._scores(scores)
        nameless = [account.id for account in self._nameless]
        await self._session.execute(_MARK_BEST, {"nameless": nameless})
        moment = await ledger.lock(self._session)
        entries = [row for rows in self._batches("nugget_entries", EntryRow) for row in rows]
        links = [row for rows in self._batches("nugget_ledger", LinkRow) for row in rows]
        await self._nugget(entries, links, moment)
        for puzzles in self._batches("puzzles", PuzzleRow):
            await self._puzzles(puzzles)
        # What is judged anew is all that was loaded, and nobody is notified of it.
        await self._session.execute(update(AwardMark).values(judged_until=func.now()))

    async def _players(self) -> None:
        now = datetime.now(UTC)
        known = {
            account.username.lower(): account for account in await self._session.scalars(select(Account))
        }
        for rows in self._batches("players", PlayerRow):
            for row in rows:
                account = known.get(row.username.lower()) or Account(
                    username=row.username, password_hash=_NO_PASSWORD, is_computer=row.is_computer
                )
                self._accounts[row.username] = account
        self._nameless = [
            Account(username=name, password_hash=_NO_PASSWORD, closed_at=now) for name in _NAMELESS
        ]
        self._session.add_all([*self._accounts.values(), *self._nameless])
        await self._session.flush()
        for account in self._nameless:
            await keep_results(self._session, account.id, keep=True)

    def _account(self, name: str | None, seat: int = 0) -> int:
        """Return the account with a name, or the one of those without a name that play on a seat."""
        return (self._accounts.get(name or "") or self._nameless[seat]).id

    async def _games(self, games: Sequence[GameRow]) -> None:
        rows, moves = [], []
        for row in games:
            rules = rules_for(row.game, row.seats)
            try:
                *_, end = positions(rules, row.options, row.moves)
            except (ReplayError, ValueError) as error:
                raise OperatorError(f"The game {row.id} cannot be replayed: {error}") from None
            members = row.model_dump(exclude=_NOT_OF_GAMES)
            members |= {
                "status": "finished",
                "first_player": self._account(row.first),
                "second_player": self._account(row.second, 1) if row.seats == 2 else None,
                "version": len(row.moves),
                "ply": len(row.moves),
                "position": rules.format(end),
                "submitted": row.seats == 1,
            }
            rows.append(members)
            moves += [
                {"game_id": row.id, "ply": ply, "move": move, "spent": spent, "played_at": row.ended_at}
                for ply, (move, spent) in enumerate(zip(row.moves, row.spent, strict=True), 1)
            ]
            if row.rated_at is not None:
                players = members["first_player"], members["second_player"]
                self._rated[row.game].append(RatedGame(row.id, players, row.winner_seat, row.rated_at))
        await self._insert(Game, rows)
        await self._insert(HelpedGame, [{"game_id": row.id} for row in games if row.helped])
        for start in range(0, len(moves), _AT_ONCE):
            await self._insert(Move, moves[start : start + _AT_ONCE])

    async def _note_rated(self) -> None:
        """Note which games are rated, so that their ratings can be computed."""
        for game, rated in self._rated.items():
            for start in range(0, len(rated), _AT_ONCE):
                await note_rated(self._session, game, rated[start : start + _AT_ONCE])
        await add_missing(self._session)

    async def _scores(self, rows: Sequence[ScoreRow]) -> None:
        """Load the scores of the games that are there; which are the best ones is found afterwards."""
        known = await self._known_games([row.game_id for row in rows])
        scores = [
            row.model_dump(exclude={"username", "is_best"})
            | {"account_id": self._account(row.username), "is_best": False}
            for row in rows
            if row.game_id in known
        ]
        self.loaded["scores"] -= len(rows) - len(scores)
        await self._insert(Score, scores)

    async def _known_games(self, ids: Sequence[str | None]) -> frozenset[str | None]:
        """Return those of some ids that are of games, and None."""
        games = select(Game.id).where(Game.id.in_([game_id for game_id in ids if game_id is not None]))
        return frozenset({None, *await self._session.scalars(games)})

    async def _nugget(self, entries: Sequence[EntryRow], links: Sequence[LinkRow], at: datetime) -> None:
        if not audit("".join(f"{row.line}\n" for row in links)).valid:
            raise OperatorError("The ledger of the dump is no valid chain: see `gorrion verify-ledger`.")
        loaded = [self._entry(row) for row in entries]
        known = {entry.id for entry in loaded}
        chain = [read(row.line) for row in links]
        receipts = (link for link in chain if isinstance(link, chains.AnyReceipt))
        commitments = (link for link in chain if isinstance(link, chains.AnyCommitment))
        entry_of = {link.commitment: link.entry for link in chain if isinstance(link, chains.AnyReveal)}
        self._session.add_all(loaded)
        self._session.add_all(self._secret(receipt) for receipt in receipts if receipt.entry not in known)
        await self._session.flush()
        self._session.add_all(self._commitment(link, entry_of.get(link.commitment)) for link in commitments)
        await self._session.flush()
        for part in (chain[start : start + _AT_ONCE] for start in range(0, len(chain), _AT_ONCE)):
            await self._insert(LedgerLink, [ledger.columns_of(link) for link in part])
        accounts = {account.id: account for account in self._accounts.values()}
        for entry in loaded:
            if entry.account_id in accounts:
                await standings.place(self._session, entry, accounts[entry.account_id], at)

    def _entry(self, row: EntryRow) -> Entry:
        verdict = verify_file(row.record.encode())
        if (verdict.sha256, list(verdict.counts)) != (row.record_sha256, row.counts):
            raise OperatorError(f"The record of the entry {row.id} is not what the dump says of it.")
        members = row.model_dump(exclude={"username"})
        return Entry(**members, account_id=self._account(row.username), mean_key=mean_of(row.counts).key)

    def _commitment(self, link: chains.AnyCommitment, entry_id: str | None) -> Commitment:
        """Return a commitment of the ledger; its competition is not part of a dump."""
        return Commitment(
            id=link.commitment,
            account_id=self._owner(link),
            sha256=link.sha256,
            committed_at=datetime.fromisoformat(link.committed_at),
            entry_id=entry_id,
        )

    def _owner(self, link: chains.Link) -> int:
        """Return the account with the name in a link, or the one of those without a name."""
        named = self._accounts.get(link.player) if isinstance(link, chains.Named) else None
        return (named or self._nameless[0]).id

    def _secret(self, receipt: chains.AnyReceipt) -> Entry:
        """Return what stands for an entry that is not public, but has a receipt in the ledger."""
        received_at = receipt.revealed_at if isinstance(receipt, chains.AnyReveal) else receipt.submitted_at
        submitted_at = datetime.fromisoformat(received_at)
        return Entry(
            id=receipt.entry,
            account_id=self._owner(receipt),
            counts=[],
            mean_key=0,
            record="",
            record_sha256=receipt.record_sha256,
            submitted_at=submitted_at,
            withdrawn_at=submitted_at,
            positions=[],
        )

    async def _puzzles(self, rows: Sequence[PuzzleRow]) -> None:
        known = await self._known_games([row.game_id for row in rows])
        values = [
            row.model_dump() | {"game_id": row.game_id if row.game_id in known else None} for row in rows
        ]
        statement = upsert(StoredPuzzle).values(values)
        rest = {name: statement.excluded[name] for name in PuzzleRow.model_fields if name != "id"}
        await self._session.execute(statement.on_conflict_do_update(index_elements=["id"], set_=rest))

    async def _insert(self, model: Any, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            await self._session.execute(insert(model), [*rows])

    def _batches(self, sheet: str, schema: type[RowT]) -> Iterator[list[RowT]]:
        """Yield the rows of a sheet, some at a time. Raise OperatorError with the line that is wrong."""
        batch: list[RowT] = []
        path = self._folder / f"{sheet}.jsonl.zst"
        with path.open("rb") as file:
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            for number, line in enumerate(io.TextIOWrapper(reader, "utf-8"), 1):
                try:
                    batch.append(schema.model_validate_json(line))
                except ValidationError as error:
                    raise OperatorError(f"{path.name}, line {number}: {error.errors()[0]['msg']}.") from None
                self.loaded[sheet] += 1
                if len(batch) == _AT_ONCE:
                    yield batch
                    batch = []
        if batch:
            yield batch
