"""Runs: made, played, forked, named and thrown away. Every command is saved before it is answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import NAMESPACE_URL, UUID, uuid5

from sqlalchemy import Select, delete, func, literal, select, update
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, FieldError, InvalidError, NotFoundError
from app.ids import new_id
from app.moments import utc_now
from app.nugget.models import Run, RunBoard
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board, IllegalPush, Move
from engine.golden_nugget.play import Play, read_moves, write_moves

_MOST_RUNS = 200
_LONGEST_NAME = 60
_MOST_COMMANDS = 100


@dataclass(frozen=True, slots=True)
class RunState:
    """A run as it stands: the moves on its solved boards in order, and the board being played.

    `hints` counts the moves that the computer named, `finished` the boards that it finished.
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

    @property
    def is_assisted(self) -> bool:
        """Tell whether the computer helped."""
        return self.hints + self.finished > 0

    @property
    def solved_counts(self) -> tuple[int, ...]:
        """Give the moves on each solved board, the one being played included when it is solved."""
        return (*self.counts, len(self.play.made)) if self.play.is_solved else self.counts


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in a list of runs."""

    id: str
    name: str
    updated_at: datetime
    counts: tuple[int, ...]


async def create(session: AsyncSession, account_id: int, name: str = "") -> str:
    """Begin a run and give its id. Raises ConflictError when the player has too many."""
    count = await session.scalar(select(func.count()).where(Run.account_id == account_id)) or 0
    if count >= _MOST_RUNS:
        raise ConflictError(
            "too_many_runs", f"You have {count} runs. Throw one away before beginning another."
        )
    run = Run(id=new_id(), account_id=account_id, name=_name(name) or f"Run {count + 1}")
    session.add(run)
    await session.flush()
    session.add(RunBoard(run_id=run.id, number=1, start=bytes(START.cells)))
    await session.flush()
    return run.id


async def get(session: AsyncSession, run_id: str, account_id: int | None) -> RunState:
    """Give a run of that account. Raises NotFoundError for everybody else's too."""
    return (await _load(session, run_id, account_id, select(Run)))[1]


async def act(
    session: AsyncSession,
    run_id: str,
    account_id: int,
    words: Sequence[str],
    version: int,
    request_id: UUID,
) -> tuple[RunState, IllegalPush | None]:
    """Carry out commands in order; gives the run after them, and the refusal of the first that cannot be.

    Each counts for itself, as if it came alone: after a refused one the others go on. A request sent again
    changes nothing. Raises StaleRunError when the run is not at that version.
    """
    run, state = await _load(session, run_id, account_id, select(Run).with_for_update())
    if run.last_request == request_id:
        return state, None
    if run.version != version:
        raise StaleRunError(state)
    if len(words) > _MOST_COMMANDS:
        raise InvalidError("too_many_commands", f"Send at most {_MOST_COMMANDS} commands at once.")
    play, counts, refusal = state.play, state.counts, None
    for word in words:
        try:
            after = play.commanded(word)
        except IllegalPush as error:
            refusal = refusal or error
            continue
        if after.number > play.number:
            await _save(session, run_id, play)
            counts = (*counts, len(play.made))
        play = after
    if play != state.play:
        await _save(session, run_id, play)
        run.board, run.version, run.last_request = play.number, run.version + 1, request_id
        run.updated_at = utc_now()
        await session.flush()
    return _state(run, counts, play), refusal


async def count_hint(session: AsyncSession, run_id: str, account_id: int) -> RunState:
    """Count one more hint of the computer."""
    run, _ = await _load(session, run_id, account_id, select(Run).with_for_update())
    run.hints += 1
    await session.flush()
    return await get(session, run_id, account_id)


async def finish(
    session: AsyncSession, run_id: str, account_id: int, forces: Sequence[str], version: int
) -> RunState:
    """Make the computer's moves on the board, and count it as finished by it. Raises StaleRunError."""
    request_id = uuid5(NAMESPACE_URL, f"gorrion:finish:{run_id}:{version}")
    await act(session, run_id, account_id, forces, version, request_id)
    run, _ = await _load(session, run_id, account_id, select(Run))
    run.finished += 1
    await session.flush()
    return await get(session, run_id, account_id)


class StaleRunError(ConflictError):
    """The run has gone on, on another device perhaps; `state` is how it stands."""

    def __init__(self, state: RunState) -> None:
        super().__init__("stale_run", "This run has gone on elsewhere. Here is how it stands.")
        self.state = state


async def reopen(session: AsyncSession, run_id: str, account_id: int) -> RunState:
    """Go back to the board before, when nothing was done on this one yet. Raises InvalidError."""
    run, state = await _load(session, run_id, account_id, select(Run).with_for_update())
    if state.play.number == 1 or state.play.made or state.play.undone:
        raise InvalidError("cannot_reopen", "Only a board without moves leads back to the one before.")
    await session.execute(delete(RunBoard).where(RunBoard.run_id == run_id, RunBoard.number == run.board))
    run.board, run.version = run.board - 1, run.version + 1
    await session.flush()
    return (await _load(session, run_id, account_id, select(Run)))[1]


async def fork(session: AsyncSession, run_id: str, account_id: int, board: int) -> str:
    """Begin another run with the first boards of this one, up to the start of `board`, and give its id."""
    source = await get(session, run_id, account_id)
    if not 1 <= board <= source.play.number:
        raise InvalidError("no_such_board", f"This run has boards 1 to {source.play.number}.")
    copy_id = await create(session, account_id, f"{source.name[: _LONGEST_NAME - 12]}, from {board}")
    await session.execute(delete(RunBoard).where(RunBoard.run_id == copy_id))
    rows = select(
        literal(copy_id), RunBoard.number, RunBoard.start, RunBoard.moves, RunBoard.solved_in
    ).where(RunBoard.run_id == run_id, RunBoard.number < board)
    await session.execute(
        insert(RunBoard).from_select(["run_id", "number", "start", "moves", "solved_in"], rows)
    )
    start = await session.scalar(
        select(RunBoard.start).where(RunBoard.run_id == run_id, RunBoard.number == board)
    )
    session.add(RunBoard(run_id=copy_id, number=board, start=start))
    await session.execute(
        update(Run).where(Run.id == copy_id).values(board=board, hints=source.hints, finished=source.finished)
    )
    return copy_id


async def rename(session: AsyncSession, run_id: str, account_id: int, name: str) -> None:
    """Give a run another name. Raises FieldError for an empty or a long one."""
    run, _ = await _load(session, run_id, account_id, select(Run).with_for_update())
    if not _name(name):
        raise FieldError("name", "bad_name", "Give the run a name.")
    run.name = _name(name)


async def throw_away(session: AsyncSession, run_id: str, account_id: int) -> None:
    """Delete a run for good; entries that were made of it stay."""
    run, _ = await _load(session, run_id, account_id, select(Run).with_for_update())
    await session.delete(run)


async def of_account(session: AsyncSession, account_id: int) -> list[RunSummary]:
    """List an account's runs, the last played first."""
    in_order = aggregate_order_by(RunBoard.solved_in, RunBoard.number)
    counts = func.array_agg(in_order).filter(RunBoard.solved_in.is_not(None))
    rows = await session.execute(
        select(Run.id, Run.name, Run.updated_at, counts)
        .join(RunBoard, RunBoard.run_id == Run.id)
        .where(Run.account_id == account_id)
        .group_by(Run.id)
        .order_by(Run.updated_at.desc())
    )
    return [
        RunSummary(run_id, name, at, tuple(filter(None, solved or ()))) for run_id, name, at, solved in rows
    ]


async def board(session: AsyncSession, run_id: str, number: int) -> Play:
    """Give one board of a run. Raises NotFoundError."""
    found = await session.get(RunBoard, (run_id, number))
    if found is None:
        raise NotFoundError("board")
    return _play(found)


async def first_boards(
    session: AsyncSession, run_id: str, account_id: int, count: int
) -> list[tuple[Move, ...]]:
    """Give the moves of the first solved boards of a run. Raises InvalidError when there are fewer."""
    await get(session, run_id, account_id)
    rows = await session.scalars(
        select(RunBoard.moves)
        .where(RunBoard.run_id == run_id, RunBoard.solved_in.is_not(None))
        .order_by(RunBoard.number)
    )
    solved = [read_moves(moves) for moves in rows]
    if not 1 <= count <= len(solved):
        raise InvalidError("no_such_board", f"This run has {len(solved)} solved boards, not {count}.")
    return solved[:count]


async def _load(
    session: AsyncSession, run_id: str, account_id: int | None, rows: Select[Run]
) -> tuple[Run, RunState]:
    run = await session.scalar(rows.where(Run.id == run_id)) if run_id.isalnum() else None
    if run is None or run.account_id != account_id:
        raise NotFoundError("run")
    counts = await session.scalars(
        select(RunBoard.solved_in)
        .where(RunBoard.run_id == run_id, RunBoard.number < run.board)
        .order_by(RunBoard.number)
    )
    last = await session.get_one(RunBoard, (run_id, run.board))
    return run, _state(run, tuple(count or 0 for count in counts), _play(last))


def _play(row: RunBoard) -> Play:
    start = Board(Face.A if row.number % 2 else Face.B, tuple(row.start))
    return Play(row.number, start, read_moves(row.moves), read_moves(row.undone))


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
    )


async def _save(session: AsyncSession, run_id: str, play: Play) -> None:
    values = {
        "moves": write_moves(play.made),
        "undone": write_moves(play.undone),
        "solved_in": len(play.made) if play.is_solved else None,
    }
    statement = insert(RunBoard).values(
        run_id=run_id, number=play.number, start=bytes(play.start.cells), **values
    )
    await session.execute(statement.on_conflict_do_update(index_elements=["run_id", "number"], set_=values))


def _name(name: str) -> str:
    """Give a name without what does not show; at most 60 characters. Raises FieldError."""
    name = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    if len(name) > _LONGEST_NAME:
        raise FieldError("name", "bad_name", f"A name has at most {_LONGEST_NAME} characters.")
    return name
