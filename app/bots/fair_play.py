"""No help where it would spoil the play: in rated games under way, and with puzzles that are being solved."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.bots.models import OpenPuzzle
from app.database.session import Database
from app.database.unreadable import readable
from app.errors import ConflictError
from app.games.game import GameState
from app.games.service import Games
from app.i18n.text import _
from app.identity.suspicions import Suspicion
from engine import symmetry
from engine.game import Game

_Image = tuple[str, tuple[str, ...]]
"""What is on each square, and all else that is compared of a position."""


async def check_no_help(
    games: Games, account_ids: Collection[int], rules: Game[Any], line: Sequence[Any]
) -> None:
    """Raise ConflictError `game_under_way` if help with a line of positions would help in a rated game.

    It would if its last position occurs in a rated game that one of the accounts is playing or could occur
    there after the next move, or if the line leads through the present position of such a game.
    """
    if not account_ids:
        return
    under_way = await games.rated_under_way(account_ids, rules.key)
    if not under_way:
        return
    helped = await asyncio.to_thread(_helped, under_way, rules, line)
    if helped is not None:
        players = {player.id for player in helped.players}
        await games.suspect(players & set(account_ids), Suspicion.HELP, helped)
        raise ConflictError(
            "game_under_way",
            _(
                "This position belongs to a rated game that you are playing. You can analyse it after "
                "the game."
            ),
        )


async def open_puzzle(session: AsyncSession, account_id: int, game: str, position: str) -> None:
    """Note that an account has a puzzle before it, instead of the one before."""
    shown = {"game": game, "position": position}
    row = insert(OpenPuzzle).values(account_id=account_id, **shown)
    await session.execute(row.on_conflict_do_update(index_elements=["account_id"], set_=shown))


async def close_puzzle(session: AsyncSession, account_id: int, game: str, position: str) -> None:
    """Note that an account has tried a puzzle."""
    await session.execute(
        delete(OpenPuzzle).where(
            OpenPuzzle.account_id == account_id, OpenPuzzle.game == game, OpenPuzzle.position == position
        )
    )


async def check_no_puzzle(
    database: Database, account_ids: Collection[int], rules: Game[Any], line: Sequence[Any]
) -> None:
    """Raise ConflictError `puzzle_open` if help with a line of positions would solve an account's puzzle.

    It would if the line leads through the puzzle's position, or ends a move after it.
    """
    query = select(OpenPuzzle).where(OpenPuzzle.account_id.in_(account_ids), OpenPuzzle.game == rules.key)
    async with database.reading_now() as session:
        puzzles = (await session.scalars(query)).all()
    starts = readable(lambda puzzle: rules.parse(puzzle.position), puzzles)
    if not starts:
        return
    if await asyncio.to_thread(_solves, starts, rules, line):
        raise ConflictError(
            "puzzle_open",
            _(
                "This position belongs to the puzzle that you are solving. Solve it or give it up first; "
                "then the computer shows what it thinks."
            ),
        )


def _solves(puzzles: Iterable[Any], rules: Game[Any], line: Sequence[Any]) -> bool:
    through = {image for position in line for image in _images(rules, position)}
    last = _images(rules, line[-1])
    return any(
        _image(rules, puzzle) in through
        or not last.isdisjoint(_image(rules, rules.play(puzzle, move)) for move in rules.legal_moves(puzzle))
        for puzzle in puzzles
    )


def _helped(under_way: Iterable[GameState], rules: Game[Any], line: Sequence[Any]) -> GameState | None:
    """Return a game in which a line of positions would help, or None."""
    last = _images(rules, line[-1])
    through = {image for position in line for image in _images(rules, position)}
    return next(
        (state for state in under_way if state.ply > 0 and _is_helped(state, through, last)),
        None,
    )


def _is_helped(state: GameState, through: set[_Image], last: set[_Image]) -> bool:
    """Return whether a line through these positions, with this last one, would help in a game."""
    # Everybody knows the empty board, with which a second round begins, too.
    start = _image(state.rules, state.rules.initial(state.options))
    helping = (through & {_image(state.rules, state.position)}) | last.intersection(_occurring(state))
    return not helping <= {start}


def _occurring(state: GameState) -> Iterable[_Image]:
    """Yield the positions of a game after its first move, and those that the next move may lead to."""
    rules = state.rules
    for position in state.positions()[1:]:
        yield _image(rules, position)
    for move in state.legal_moves:
        yield _image(rules, rules.play(position, move))


def _image(rules: Game[Any], position: Any) -> _Image:
    """Return what is compared of a position: earlier rounds and passes make no difference."""
    contents, rest = rules.in_progress(position)
    return rest, tuple(contents)


def _images(rules: Game[Any], position: Any) -> set[_Image]:
    """Return what is compared of a position for the board turned and mirrored as well."""
    contents, rest = rules.in_progress(position)
    return {(rest, image) for image in symmetry.images(contents)}
