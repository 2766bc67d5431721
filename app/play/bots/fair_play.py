"""No help where it would spoil the play: in rated games under way, with puzzles, and on boards of the day.

A computer player's answer in a game is help, too. It is a person who is helped: all accounts that have
logged in in the same browser count.
Positions are compared by what decides the continuation (`Game.canonical_form`), so no disguise that the rules
do not see makes a difference.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
from app.core.moments import now
from app.people.identity import devices, suspicions
from app.people.identity.devices import Person
from app.people.identity.suspicions import Suspicion
from app.play.bots.models import ShownPuzzle
from app.play.days.days import today
from app.play.games.game import GameState
from app.play.games.refusals import unsettled
from app.play.games.service import Games
from app.play.solo_days import service as solo_days
from engine import replay
from engine.canonical import Rows, leads_to
from engine.puzzles.rules import RULES, PuzzleRules
from engine.registry import FOR_TWO, SOLITAIRE
from engine.solo_lottery import draw

NEAR = 2
"""How many plies may lie between two positions for help with one to be help with the other."""

_AHEAD = 8
"""How many moves of a computer player are followed while its opponent has to pass."""

PUZZLES_REMEMBERED = 20
"""How many puzzles of an account are remembered; to compare a position with one takes milliseconds."""

_Forms = Mapping[Rows, Any]
"""Positions by their canonical form."""


@dataclass(frozen=True, slots=True)
class FairPlay:
    """What asks before the computer, or what others have played, helps somebody with a position."""

    database: Database
    games: Games

    async def check(self, person: Person, rules: PuzzleRules, line: Sequence[Any]) -> None:
        """Raise ConflictError as `check_games`, `check_puzzles` and `check_day` do."""
        await self.check_games(person, rules, line)
        await self.check_puzzles(person, rules, line)
        await self.check_day(rules, line[-1])

    async def check_games(self, person: Person, rules: PuzzleRules, line: Sequence[Any]) -> None:
        """Raise ConflictError `game_under_way` if help with a line of positions would help in a rated game.

        It would if a rated game that the person is playing can reach one of the positions within two
        plies, or if its present position follows the last one within two plies, or if the last one occurred
        in it. Everybody knows the empty board, and no help is needed where all moves are forced.
        """
        account_ids = await self._accounts(person)
        helped = await self._first_under_way(account_ids, rules, _is_helped, line)
        if helped is not None:
            players = {player.id for player in helped.players}
            async with self.database.transaction() as session:
                for account_id in players & account_ids:
                    await suspicions.note(session, account_id, Suspicion.HELP, f"game:{helped.id}")
            raise ConflictError(
                "game_under_way",
                _(
                    "This position belongs to a rated game that you are playing. You can analyse it after "
                    "the game."
                ),
            )

    async def begin(self) -> None:
        """Check the moves that computer players would answer from now on."""
        self.games.before_answers(self.check_answer)

    async def check_answer(self, state: GameState, account_id: int, device: str | None) -> None:
        """Raise ConflictError `position_in_rated_game` if the computer may give a player no answer in a game.

        It would help in a rated game of the person whose present position is within two plies of the game's,
        or of one in which the computer would move again because the player has to pass. Where the rated game
        has been before does not matter, so that its opening can be played against the computer; and since
        openings are alike by chance, this is no suspicion.
        """
        account_ids = await self._accounts(Person(account_id, device))
        near = await self._first_under_way(account_ids, state.rules, _is_answered_near, [state.position])
        if near is not None:
            raise ConflictError(
                "position_in_rated_game",
                _(
                    "This position is in one of your rated games. Play another move, or finish that game "
                    "first."
                ),
            )

    async def _accounts(self, person: Person) -> frozenset[int]:
        async with self.database.reading_now() as session:
            return await devices.accounts(session, person)

    async def _first_under_way(
        self,
        account_ids: Collection[int],
        rules: PuzzleRules,
        is_met: Callable[[GameState, Sequence[Any]], bool],
        line: Sequence[Any],
    ) -> GameState | None:
        """Return a rated game that one of the accounts is playing and that a line meets, or None."""
        if not account_ids:
            return None
        under_way = [state for state in await self.games.rated_under_way(account_ids, rules.key) if state.ply]
        if not under_way:
            return None
        return await asyncio.to_thread(lambda: next((each for each in under_way if is_met(each, line)), None))

    async def check_puzzles(self, person: Person, rules: PuzzleRules, line: Sequence[Any]) -> None:
        """Raise ConflictError `puzzle_open` if help with a line of positions would solve a person's puzzle.

        It would if one of the positions follows that of the puzzle within two plies, or the last one comes
        before it by as much.
        """
        async with self.database.reading_now() as session:
            account_ids = await devices.accounts(session, person)
            query = select(ShownPuzzle).where(
                ShownPuzzle.account_id.in_(account_ids), ShownPuzzle.game == rules.key
            )
            rows = (await session.scalars(query)).all()
        puzzles = readable(lambda puzzle: RULES[puzzle.game].parse(puzzle.position), rows)
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

    async def check_day(self, rules: PuzzleRules, position: Any) -> None:
        """Raise ConflictError `not_over` for a position of a game for one that began like the board of today.

        The board may be turned or mirrored, and the game may be any: nobody is to play the day with the help
        of the computer.
        """
        for_one = SOLITAIRE.get(rules.key)
        if for_one is None or rules is not for_one:
            return
        stored = await solo_days.of_game(self.database, rules.key).get(today())
        if draw(for_one, stored.seed).begins(for_one, position):
            raise ConflictError(
                "not_over",
                _(
                    "This game begins like the board of the day. The computer looks at it when the day is "
                    "over."
                ),
            )


def check_settled(state: GameState) -> None:
    """Raise what `unsettled` returns, if anything."""
    if (refusal := unsettled(state, now())) is not None:
        raise refusal


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
    latest_first = mine.order_by(ShownPuzzle.shown_at.desc())
    older = latest_first.offset(PUZZLES_REMEMBERED).with_for_update(skip_locked=True)
    await session.execute(
        delete(ShownPuzzle).where(ShownPuzzle.account_id == account_id, ShownPuzzle.puzzle_id.in_(older))
    )


async def close_puzzle(session: AsyncSession, account_id: int, puzzle_id: str) -> None:
    """Note that an account has tried a puzzle."""
    await session.execute(
        delete(ShownPuzzle).where(ShownPuzzle.account_id == account_id, ShownPuzzle.puzzle_id == puzzle_id)
    )


def _is_helped(state: GameState, line: Sequence[Any]) -> bool:
    return _has_occurred(state, line[-1]) or _stands_near(state, line)


def _has_occurred(state: GameState, position: Any) -> bool:
    form = state.rules.canonical_form(position)
    if form == _first_form(state) or not _has_a_choice(state.rules, position):
        return False
    return form in _occurred(
        state.game, tuple(state.options.items()), tuple(played.move for played in state.moves)
    )


def _stands_near(state: GameState, line: Sequence[Any]) -> bool:
    """Return whether the present position of a game is near one of a line, or near after its last one."""
    rules, start = state.rules, _first_form(state)
    positions = _with_a_choice(rules, line)
    positions.pop(start, None)
    last = None if rules.canonical_form(line[-1]) == start else line[-1]
    return _is_near(rules, state.position, positions, last)


def _is_answered_near(state: GameState, line: Sequence[Any]) -> bool:
    """Return whether a computer that moves after a line moves near the present position of a game.

    That is before its opponent has a choice: now, or after moves that leave the opponent nothing but to pass.
    """
    rules, seen, waiting = state.rules, set[Rows](), [line[-1]]
    while waiting:
        position = waiting.pop()
        form = rules.canonical_form(position)
        if form in seen:
            continue
        if _stands_near(state, [position]):
            return True
        seen.add(form)
        for move in rules.moves_towards(position, [state.position], _AHEAD):
            after = rules.play(position, move)
            if (forced := rules.forced_move(after)) is not None:
                waiting.append(rules.play(after, forced))
    return False


def _first_form(state: GameState) -> Rows:
    return state.rules.canonical_form(state.rules.initial(state.options))


def _solves(puzzles: Iterable[Any], rules: PuzzleRules, line: Sequence[Any]) -> bool:
    positions = _with_a_choice(rules, line)
    return any(_is_near(rules, puzzle, positions, line[-1]) for puzzle in puzzles)


def _is_near(rules: PuzzleRules, present: Any, positions: _Forms, last: Any) -> bool:
    """Return whether a position leads to one of others, or the last one of these leads to it."""
    if leads_to(rules, present, positions, NEAR):
        return True
    return last is not None and leads_to(rules, last, _with_a_choice(rules, [present]), NEAR)


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
