"""How a game begins: its name, its options, and its first row."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import InvalidError
from app.games.models import Game as GameRow
from app.moments import now, to_datetime
from app.ratings import service as ratings
from engine.clock import TimeControl, control_to_dict, started
from engine.game import Game, choose
from engine.registry import GAMES

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters or digits that look alike
_ID_LENGTH = 10


def new_id() -> str:
    """Give a fresh random name for a URL: 10 letters, some 49 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


def rules_of(game: str) -> Game[Any]:
    """Give the rules of a game of the registry. Raises InvalidError for a key that is not in it."""
    if game not in GAMES:
        raise InvalidError(
            "unknown_game", f"There is no game called {game!r}; choose one of {', '.join(GAMES)}."
        )
    return GAMES[game]


def complete_options(game: str, options: Mapping[str, int]) -> dict[str, int]:
    """Give a game's options with the defaults filled in. Raises InvalidError for one that cannot be."""
    try:
        return choose(rules_of(game).options, options)
    except ValueError as error:
        raise InvalidError("bad_options", str(error)) from None


async def create(
    session: AsyncSession,
    game: str,
    options: Mapping[str, int],
    players: Sequence[int],
    *,
    control: TimeControl | None = None,
    rated: bool = False,
) -> str:
    """Start a game between accounts, given in the order of its sides, and return its id."""
    rules = rules_of(game)
    position = rules.initial(options)
    side = rules.side_to_move(position)
    clock = started(control, len(players), rules.sides.index(side), now()) if control and side else None
    known = await ratings.current(session, game, players) if len(players) == 2 else {}
    first, second = (*players, None)[:2]
    row = GameRow(
        id=new_id(),
        game=game,
        options=dict(options),
        status="started",
        first_player=first,
        second_player=second,
        position=rules.format(position),
        rated=rated,
        time_control=control_to_dict(control),
        clock_left=list(clock.left) if clock else None,
        clock_since=to_datetime(clock.since) if clock else None,
        deadline=to_datetime(clock.deadline) if clock and clock.deadline else None,
        ratings=[known[player].rating for player in players if player in known],
        deviations=[known[player].deviation for player in players if player in known],
    )
    session.add(row)
    await session.flush()
    return row.id
