"""No help where it would spoil the play: in rated games under way, and with puzzles that are being solved.

Positions are compared by what decides the continuation (`Game.canonical_form`), so no disguise that the rules
do not see makes a difference.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import readable
from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.people.identity.suspicions import Suspicion
from app.play.bots.models import ShownPuzzle
from app.play.games.game import GameState
from app.play.games.service import Games
from engine import replay
from engine.canonical import Rows, leads_to
from engine.puzzles.rules import RULES, PuzzleRules
from engine.registry import FOR_TWO

_NEAR = 2
"""How many plies may lie between two positions for help with one to be help with the other."""

_MOST_SHOWN = 20
"""How many puzzles of an account are remembered; comparing a position with them takes milliseconds each."""

_Forms = Mapping[Rows, Any]
"""Positions by their canonical form."""


@dataclass(frozen=True, slots=True)
class FairPlay:
    """What asks before the computer, or what others have played, helps somebody with a position."""

    database: Database
    games: Games

    async def check(self, account_ids: Collection[int], rules: PuzzleRules, line: Sequence[Any]) -> None:
        """Raise ConflictError as `check_games` and `check_puzzles` do."""
        await self.check_games(account_ids, rules, line)
        await self.check_puzzles(account_ids, rules, line)

    async def check_games(
        self, account_ids: Collection[int], rules: PuzzleRules, line: Sequence[Any]
    ) -> None:
        """Raise ConflictError `game_under_way` if help with a line of positions would help in a rated game.

        It would if a rated game that one of the accounts is playing can reach one of the positions within two
        plies, or if its present position follows the last one within two plies, or if the last one occurred
        in it. Everybody knows the empty board, and no help is needed where all moves are forced.
        """
        if not account_ids:
            return
        under_way = await self.games.rated_under_way(account_ids, rules.key)
        if not under_way:
            return
        helped = await asyncio.to_thread(_helped, under_way, line)
        if helped is not None:
            players = {player.id for player in helped.players}
            await self.games.suspect(players & set(account_ids), Suspicion.HELP, helped)
            raise ConflictError(
                "game_under_way",
                _(
                    "This position belongs to a rated game that you are playing. You can analyse it after "
                    "the game."
                ),
            )

    async def check_puzzles(
        self, account_ids: Collection[int], rules: PuzzleRules, line: Sequence[Any]
    ) -> None:
        """Raise ConflictError `puzzle_open` if help with a line of positions would solve an account's puzzle.

        It would if one of the positions follows that of the puzzle within two plies, or the last one comes
        before it by as much.
        """
        query = select(ShownPuzzle).where(
            ShownPuzzle.account_id.in_(account_ids), ShownPuzzle.game == rules.key
        )
        async with self.database.reading_now() as session:
            rows = (await session.scalars(query)).all()
        puzzles = readable(_position, rows)
        if not puzzles:
            return
        if await asyncio.to_thread(_solves, puzzles, RULES[rules.key], line):
            raise ConflictError(
                "puzzle_open",
                _(
                    "This position belongs to the puzzle that you are solving. Solve it or give it up "
                    "first; then the computer shows what it thinks."
                ),
            )


async def open_puzzle(
    session: AsyncSession, account_id: int, puzzle_id: str, game: str, position: str
) -> None:
    """Note that an account was shown a puzzle; the latest ones that it has not tried are remembered."""
    shown = insert(ShownPuzzle).values(
        account_id=account_id, puzzle_id=puzzle_id, game=game, position=position
    )
    await session.execute(
        shown.on_conflict_do_update(
            index_elements=["account_id", "puzzle_id"], set_={"shown_at": func.clock_timestamp()}
        )
    )
    mine = select(ShownPuzzle.puzzle_id).where(ShownPuzzle.account_id == account_id)
    # Another page of the account may forget the same ones.
    older = mine.order_by(ShownPuzzle.shown_at.desc()).offset(_MOST_SHOWN).with_for_update(skip_locked=True)
    await session.execute(
        delete(ShownPuzzle).where(ShownPuzzle.account_id == account_id, ShownPuzzle.puzzle_id.in_(older))
    )


async def close_puzzle(session: AsyncSession, account_id: int, puzzle_id: str) -> None:
    """Note that an account has tried a puzzle."""
    await session.execute(
        delete(ShownPuzzle).where(ShownPuzzle.account_id == account_id, ShownPuzzle.puzzle_id == puzzle_id)
    )


def _helped(under_way: Iterable[GameState], line: Sequence[Any]) -> GameState | None:
    """Return a game in which a line of positions would help, or None."""
    return next((state for state in under_way if state.ply > 0 and _is_helped(state, line)), None)


def _is_helped(state: GameState, line: Sequence[Any]) -> bool:
    rules = state.rules
    start = rules.canonical_form(rules.initial(state.options))
    positions = _with_a_choice(rules, line)
    positions.pop(start, None)
    last = rules.canonical_form(line[-1])
    if last in positions and last in _occurred(state.game, tuple(state.options.items()), _moves(state)):
        return True
    return _is_near(rules, state.position, positions, None if last == start else line[-1])


def _position(puzzle: ShownPuzzle) -> Any:
    return RULES[puzzle.game].parse(puzzle.position)


def _solves(puzzles: Iterable[Any], rules: PuzzleRules, line: Sequence[Any]) -> bool:
    positions = _with_a_choice(rules, line)
    return any(_is_near(rules, puzzle, positions, line[-1]) for puzzle in puzzles)


def _is_near(rules: PuzzleRules, present: Any, positions: _Forms, last: Any) -> bool:
    """Return whether a position leads to one of others, or the last one of these leads to it."""
    if leads_to(rules, present, positions, _NEAR):
        return True
    return last is not None and leads_to(rules, last, _with_a_choice(rules, [present]), _NEAR)


def _with_a_choice(rules: PuzzleRules, positions: Iterable[Any]) -> dict[Rows, Any]:
    """Return the positions from which not all moves are forced, by their form."""
    return {
        rules.canonical_form(position): position for position in positions if _has_a_choice(rules, position)
    }


def _has_a_choice(rules: PuzzleRules, position: Any) -> bool:
    while len(moves := rules.legal_moves(position)) == 1:
        position = rules.play(position, moves[0])
    return bool(moves)


@lru_cache(maxsize=1024)
def _occurred(game: str, options: Sequence[tuple[str, int]], moves: Sequence[str]) -> frozenset[Rows]:
    """Return the forms of the positions of a game for two."""
    rules = FOR_TWO[game]
    return frozenset(map(rules.canonical_form, replay.positions(rules, dict(options), moves)))


def _moves(state: GameState) -> tuple[str, ...]:
    return tuple(played.move for played in state.moves)
