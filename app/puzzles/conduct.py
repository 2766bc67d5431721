"""Fair play: nobody is shown the solution of a position in a rated game of theirs."""

from collections.abc import Collection

from app.bots.fair_play import check_no_help
from app.games.service import Games
from app.puzzles.queries import PuzzleInfo
from engine.registry import FOR_TWO


async def check_may_see(games: Games, account_ids: Collection[int], info: PuzzleInfo) -> None:
    """Raise ConflictError `game_under_way` if a puzzle would help in a rated game of one of the accounts."""
    rules = FOR_TWO.get(info.puzzle.game)
    if rules is not None:
        await check_no_help(games, account_ids, rules, [info.puzzle.start])
