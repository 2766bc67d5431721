"""Runs: started, played, forked, named and deleted. Every command is saved before it is answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from sqlalchemy import Select, and_, delete, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.session import Database
from app.core.database.statements import made_once
from app.core.database.unreadable import read_row
from app.core.errors import ConflictError, FieldError, InvalidError, found
from app.core.i18n.text import _, ngettext, reason_of
from app.core.ids import new_id
from app.core.moments import utc_now
from app.core.web.shown import Id, example
from app.nugget.commands import RefusedCommand, check_number, named
from app.nugget.lineage import remember_help
from app.nugget.models import Run, RunBoard
from app.nugget.run_names import LONGEST_NAME, given, unused
from app.people.identity.locking import lock_account
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board, IllegalPush, Move
from engine.golden_nugget.lineage import DERIVED_FROM
from engine.golden_nugget.play import Play, read_moves, write_moves

MOST_RUNS = 200
_MOST_COUNTED = (1 << 15) - 1  # hints and finished boards of a run

RunName = Annotated[str, example("Evening run")]


@dataclass(frozen=True, slots=True)
class RunState:
    """A run: the moves on its solved boards in order (`counts`), and the board in play.

    `hints` counts the moves that the computer suggested, `finished` the boards that it finished. Boards
    before `first_board` are those of somebody else.
    """

    id: str
    account_id: int
    name: str
    version: int
    updated_at: datetime
    counts: tuple[int, ...]
    play: Play
    hints: int
    finished: int
    first_board: int

    @property
    def is_common(self) -> bool:
        """Return whether enough boards are those of other players that this is a common record."""
        return self.first_board > DERIVED_FROM and not self.is_assisted

    @property
    def is_assisted(self) -> bool:
        """Return whether the computer helped."""
        return self.hints + self.finished > 0

    @property
    def solved_counts(self) -> tuple[int, ...]:
        """Return the moves on each solved board, including the one in play if it is solved."""
        return (*self.counts, len(self.play.made)) if self.play.is_solved else self.counts


@dataclass(frozen=True, slots=True)
class RunListed:
    """A run in a list of runs."""

    id: Id
    name: RunName
    updated_at: datetime
    counts: tuple[int, ...]


class StaleRunError(ConflictError):
    """The run is not at the version that the client knows; `state` is the current run."""

    def __init__(self, state: RunState) -> None:
        super().__init__("stale_run", _("This run has changed elsewhere. This is its current state."))
        self.state = state


class Runs:
    """The runs of all players. Methods raise NotFoundError for runs of other accounts, too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, account_id: int, name: str = "") -> RunState:
        """Start a run. Raise ConflictError if the player has too many, FieldError for a bad name."""
        async with self._database.transaction() as session:
            run = await _add(session, account_id, board=1, name=given(name))
            session.add(RunBoard(run_id=run.id, number=1, start=bytes(START.cells)))
            await session.flush()
            return (await _load(session, run.id, account_id))[1]

    async def begin_after(
        self, account_id: int, name: str, boards: Sequence[Play], *, first_board: int = 1, finished: int = 0
    ) -> RunState:
        """Start a run with solved boards; `first_board` and `finished` are those of its state.

        Raise InvalidError if a run has no board after these, ConflictError if the player has too many runs.
        """
        try:
            plays = [*boards, boards[-1].turned()]
        except IllegalPush as refusal:
            raise InvalidError(refusal.reason, reason_of(refusal)) from None
        async with self._database.transaction() as session:
            run = await _add(session, account_id, board=len(plays), about=name)
            run.finished, run.first_board = finished, first_board
            for play in plays:
                await _save(session, run, play)
            return (await _load(session, run.id, account_id))[1]

    async def get(self, run_id: str, account_id: int) -> RunState:
        """Return a run."""
        async with self._database.reading_now() as session:
            return (await _load(session, run_id, account_id))[1]

    async def of_account(self, account_id: int) -> list[RunListed]:
        """Return an account's runs, the last played first."""
        async with self._database.reading_now() as session:
            rows = await session.execute(*_of_account(account_id))
        return [
            RunListed(run_id, name, at, tuple(filter(None, solved or ())))
            for run_id, name, at, solved in rows
        ]

    async def board(self, run_id: str, account_id: int, number: int) -> tuple[RunState, Play]:
        """Return a run, and one of its boards."""
        async with self._database.reading_now() as session:
            _rest, state = await _load(session, run_id, account_id)
            return state, read_row(_play, found(await session.get(RunBoard, (run_id, number)), "board"))

    async def solved_boards(self, run_id: str, account_id: int) -> tuple[RunState, list[tuple[Move, ...]]]:
        """Return a run, and the moves of its solved boards in order."""
        # In one statement, so that the run and its boards are those of one moment.
        query = select(Run, RunBoard).join(RunBoard, RunBoard.run_id == Run.id).order_by(RunBoard.number)
        async with self._database.reading_now() as session:
            rows = await session.execute(query.where(Run.id == run_id, Run.account_id == account_id))
        run_and_boards = found(rows.all() or None, "run")
        plays = [read_row(_play, board) for _run, board in run_and_boards]
        counts = tuple(len(play.made) for play in plays[:-1])
        solved = [play.made for play in plays if play.is_solved]
        return _state(run_and_boards[0][0], counts, plays[-1]), solved

    async def act(
        self, run_id: str, account_id: int, commands: Sequence[str], version: int, request_id: UUID
    ) -> tuple[RunState, RefusedCommand | None]:
        """Carry out commands in order. Return the run after them, and the first refusal if there is any.

        Commands are independent: those after a refused one are carried out. A request that is sent
        again changes nothing, and has the refusal that it had. Raise StaleRunError unless the run is at
        `version`, InvalidError `too_many_commands`.
        """
        check_number(commands)
        request = named(request_id, commands)
        async with self._database.transaction() as session:
            run, state = await _load(session, run_id, account_id, for_update=True)
            if run.last_request == request:
                return state, RefusedCommand.stored(run.last_refusal)
            if run.version != version:
                raise StaleRunError(state)
            after, refusal = await _apply(session, run, state, commands)
            if after.version > version:
                run.last_request = request
                run.last_refusal = refusal.as_json() if refusal else None
            return after, refusal

    async def count_hint(self, run_id: str, account_id: int, forces: Sequence[str], version: int) -> RunState:
        """Count one more hint of the computer, which would solve the board by these forces; return the run.

        Raise StaleRunError unless the run is at `version`: the hint is for another board then.
        """
        async with self._database.transaction() as session:
            run, state = await _load(session, run_id, account_id, for_update=True)
            if run.version != version:
                raise StaleRunError(state)
            run.hints = min(run.hints + 1, _MOST_COUNTED)
            await remember_help(session, state.play.board, forces)
            return _state(run, state.counts, state.play)

    async def finish_board(
        self, run_id: str, account_id: int, forces: Sequence[str], version: int
    ) -> RunState:
        """Make the computer's moves on the board in play, count it as finished, and return the run.

        Raise StaleRunError unless the run is at `version`, InvalidError if a move is illegal.
        """
        async with self._database.transaction() as session:
            run, state = await _load(session, run_id, account_id, for_update=True)
            if run.version != version:
                raise StaleRunError(state)
            run.finished = min(run.finished + 1, _MOST_COUNTED)
            after, refusal = await _apply(session, run, state, forces)
            if refusal is not None:
                raise refusal.problem
            await remember_help(session, state.play.board, forces)
            return _state(run, after.counts, after.play)

    async def reopen(self, run_id: str, account_id: int) -> None:
        """Go back to the previous board. Raise InvalidError if the one in play has moves or is the first."""
        async with self._database.transaction() as session:
            run, state = await _load(session, run_id, account_id, for_update=True)
            if state.play.number == 1 or state.play.made or state.play.undone:
                raise InvalidError(
                    "cannot_reopen",
                    _("You can go back to the previous board only from a board without moves."),
                )
            await session.execute(
                delete(RunBoard).where(RunBoard.run_id == run_id, RunBoard.number == run.board)
            )
            run.board, run.version = run.board - 1, run.version + 1
            run.first_board = min(run.first_board, run.board)

    async def fork(self, run_id: str, account_id: int, board: int) -> RunState:
        """Start a run with the first boards of another, up to the start of `board`."""
        async with self._database.transaction() as session:
            await lock_account(session, account_id)  # which may take long, and the run may change meanwhile
            run, source = await _load(session, run_id, account_id, for_update=True)
            if not 1 <= board <= source.play.number:
                raise InvalidError(
                    "no_such_board", _("This run has boards 1 to %(number)s.", number=source.play.number)
                )
            about = _("%(run)s, from board %(board)s", run=source.name[: LONGEST_NAME - 26], board=board)
            copy = await _add(session, account_id, board=board, about=about.translated())
            copy.hints, copy.finished = run.hints, run.finished
            copy.first_board = min(run.first_board, board)
            boards = await session.scalars(
                select(RunBoard).where(RunBoard.run_id == run_id, RunBoard.number <= board)
            )
            session.add_all(_copied(row, copy) for row in boards)
            await session.flush()
            return (await _load(session, copy.id, account_id))[1]

    async def rename(self, run_id: str, account_id: int, name: str) -> None:
        """Rename a run. Raise FieldError for an empty name or a long one."""
        new_name = given(name)
        if not new_name:
            raise FieldError("name", "bad_name", _("Enter a name."))
        async with self._database.transaction() as session:
            run, _rest = await _load(session, run_id, account_id, for_update=True)
            run.name = new_name

    async def delete(self, run_id: str, account_id: int) -> None:
        """Delete a run, but not the entries that were made from it."""
        async with self._database.transaction() as session:
            run, _rest = await _load(session, run_id, account_id, for_update=True)
            await session.delete(run)


@made_once
def _of_account(account_id: int) -> Select[*tuple[Any, ...]]:
    in_order = aggregate_order_by(RunBoard.solved_in, RunBoard.number)
    counts = func.array_agg(in_order).filter(RunBoard.solved_in.is_not(None))
    return (
        select(Run.id, Run.name, Run.updated_at, counts)
        .join(RunBoard, RunBoard.run_id == Run.id)
        .where(Run.account_id == account_id)
        .group_by(Run.id)
        .order_by(Run.updated_at.desc())
    )


async def _load(
    session: AsyncSession, run_id: str, account_id: int, *, for_update: bool = False
) -> tuple[Run, RunState]:
    if for_update:
        own = select(Run.id).where(Run.id == run_id, Run.account_id == account_id)
        await session.execute(own.with_for_update())
    # In one statement, so that the run and its boards are those of one moment.
    row = (await session.execute(*_with_board_in_play(run_id, account_id))).one_or_none()
    run, in_play, counts = found(row, "run")
    return run, _state(run, tuple(count or 0 for count in counts or ()), read_row(_play, in_play))


@made_once
def _with_board_in_play(run_id: str, account_id: int) -> Select[*tuple[Any, ...]]:
    """Return the query for a run, its board in play, and the moves on each of those before it."""
    before = aliased(RunBoard)
    counts = (
        select(func.array_agg(aggregate_order_by(before.solved_in, before.number)))
        .where(before.run_id == Run.id, before.number < Run.board)
        .scalar_subquery()
    )
    return (
        select(Run, RunBoard, counts)
        .join(RunBoard, and_(RunBoard.run_id == Run.id, RunBoard.number == Run.board))
        .where(Run.id == run_id, Run.account_id == account_id)
    )


async def _add(session: AsyncSession, account_id: int, *, board: int, name: str = "", about: str = "") -> Run:
    """Add a run without boards. Raise ConflictError if the player has too many.

    Without a name that the player gives, it gets one that no other run of theirs has.
    """
    # Two simultaneous requests must not both pass the limit.
    await lock_account(session, account_id)
    names = (await session.scalars(select(Run.name).where(Run.account_id == account_id))).all()
    if len(names) >= MOST_RUNS:
        raise ConflictError(
            "too_many_runs",
            ngettext(
                "You have %(count)s run. Delete it before you start another.",
                "You have %(count)s runs. Delete one before you start another.",
                len(names),
            ),
        )
    run = Run(id=new_id(), account_id=account_id, name=name or unused(about, names), board=board)
    session.add(run)
    await session.flush()
    return run


async def _apply(
    session: AsyncSession, run: Run, state: RunState, commands: Sequence[str]
) -> tuple[RunState, RefusedCommand | None]:
    """Carry out commands on a locked run and save it; see `Runs.act`."""
    play, counts, refusal = state.play, state.counts, None
    for index, command in enumerate(commands):
        try:
            after = play.commanded(command)
        except IllegalPush as error:
            refusal = refusal or RefusedCommand(index, command, error)
            continue
        if after.number > play.number:
            await _save(session, run, play)
            counts = (*counts, len(play.made))
        play = after
    if play != state.play:
        await _save(session, run, play)
        run.board, run.version, run.updated_at = play.number, run.version + 1, utc_now()
    return _state(run, counts, play), refusal


async def _save(session: AsyncSession, run: Run, play: Play) -> None:
    values = {
        "moves": write_moves(play.made),
        "undone": write_moves(play.undone),
        "solved_in": len(play.made) if play.is_solved else None,
    }
    statement = insert(RunBoard).values(
        run_id=run.id, number=play.number, start=bytes(play.start.cells), **values
    )
    await session.execute(statement.on_conflict_do_update(index_elements=["run_id", "number"], set_=values))


def _copied(row: RunBoard, copy: Run) -> RunBoard:
    """Return a board for the copy of its run, without its moves if the copy continues from there."""
    board = RunBoard(run_id=copy.id, number=row.number, start=row.start)
    if row.number < copy.board:
        board.moves, board.solved_in = row.moves, row.solved_in
    return board


def _play(row: RunBoard) -> Play:
    start = Board(Face.A if row.number % 2 else Face.B, tuple(row.start))
    play = Play(row.number, start, read_moves(row.moves), read_moves(row.undone))
    _ = play.board  # every move can be made
    return play


def _state(run: Run, counts: tuple[int, ...], play: Play) -> RunState:
    return RunState(
        run.id,
        run.account_id,
        run.name,
        run.version,
        run.updated_at,
        counts,
        play,
        run.hints,
        run.finished,
        run.first_board,
    )
