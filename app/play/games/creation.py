"""Creating games: their rules, their options, and their first row."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import InvalidError
from app.core.i18n.text import _, reason_of
from app.core.ids import new_id
from app.core.moments import from_datetime, now, to_datetime, utc_now
from app.people.identity.models import Account, Vacation
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify
from app.play.games.models import Game as GameRow
from app.play.games.models import Move
from app.play.pairing.store import lock_searches
from app.play.ratings import queries as ratings
from engine.clock import Clock, TimeControl, control_to_dict, is_realtime, started
from engine.game import ExplainedError, Game, is_variant, with_defaults
from engine.registry import GAMES, rules_for


def rules_of(game: str, players: int) -> Game[Any]:
    """Return the rules of a game for a number of players.

    Raise InvalidError `unknown_game` for a key that is not in the registry, `solitaire` for a game that can
    only be played alone, `not_solitaire` for a game that cannot.
    """
    if game not in GAMES:
        raise InvalidError(
            "unknown_game",
            _(
                "There is no game called %(game)s; choose one of %(games)s.",
                game=game,
                games=", ".join(GAMES),
            ),
        )
    try:
        return rules_for(game, players)
    except KeyError:
        title = GAMES[game].title
    if players == 1:
        raise InvalidError(
            "not_solitaire", _("%(title)s is for two. Make a challenge for it in the lobby.", title=title)
        )
    raise InvalidError("solitaire", _("%(title)s is played alone. Choose a game for two.", title=title))


def proposed_options(rules: Game[Any]) -> dict[str, int]:
    """Return the options that a challenge to a game proposes."""
    return with_defaults(rules.options, {name: each.proposed for name, each in rules.options.items()})


def complete_options(rules: Game[Any], options: Mapping[str, int]) -> dict[str, int]:
    """Return a game's options, with the proposed values of those not given.

    Raise InvalidError `bad_options`.
    """
    try:
        return with_defaults(rules.options, {**proposed_options(rules), **options})
    except ExplainedError as error:
        raise InvalidError("bad_options", reason_of(error)) from None


def check_rated(rules: Game[Any], options: Mapping[str, int]) -> None:
    """Raise InvalidError `casual_only` if games with some options do not count for a rating."""
    if is_variant(rules.options, options):
        raise InvalidError(
            "casual_only", _("Rated games have the usual komi. Choose that, or a casual game.")
        )


async def create(
    session: AsyncSession,
    game: str,
    options: Mapping[str, int],
    players: Sequence[int],
    *,
    control: TimeControl | None = None,
    rated: bool = False,
    opening: Sequence[str] = (),
) -> str:
    """Start a game between accounts, given in the order of its sides, and return its id.

    It begins after the moves of an opening, which are none of its own: `first_ply` is their number.
    """
    (game_id,) = await create_all(
        session, game, options, [players], control=control, rated=rated, opening=opening
    )
    return game_id


async def create_all(
    session: AsyncSession,
    game: str,
    options: Mapping[str, int],
    seatings: Sequence[Sequence[int]],
    *,
    control: TimeControl | None,
    rated: bool,
    opening: Sequence[str] = (),
    tournament_id: str | None = None,
) -> list[str]:
    """Start a game for each of some seatings, which are as in `create`, and return the ids of the games."""
    await lock_searches(session, {player for players in seatings for player in players})
    of_two = {player for players in seatings if len(players) == 2 for player in players}
    known = await ratings.current(session, game, list(of_two)) if of_two else {}
    position, seat, clock = _start(rules_for(game, len(seatings[0])), options, control, opening)
    rows = [
        GameRow(
            id=new_id(),
            game=game,
            options=dict(options),
            status="started",
            first_player=players[0],
            second_player=players[1] if len(players) == 2 else None,
            ply=len(opening),
            first_ply=len(opening),
            position=position,
            rated=rated,
            time_control=control_to_dict(control),
            clock_left=list(clock.left) if clock else None,
            clock_since=to_datetime(clock.since) if clock else None,
            deadline=to_datetime(clock.deadline) if clock and clock.deadline else None,
            watch_at=to_datetime(clock.deadline) if clock and clock.deadline else None,
            ratings=[known[player].rating for player in players if player in known],
            deviations=[known[player].deviation for player in players if player in known],
            tournament_id=tournament_id,
        )
        for players in seatings
    ]
    session.add_all(rows)
    await session.flush()
    session.add_all(
        Move(game_id=row.id, ply=ply, move=move, move_id=uuid4())
        for row in rows
        for ply, move in enumerate(opening, start=1)
    )
    if seat is not None:
        movers = [players[seat] for players in seatings]
        await _begin_turns(session, rows, movers, control, clock)
    return [row.id for row in rows]


def _start(
    rules: Game[Any], options: Mapping[str, int], control: TimeControl | None, opening: Sequence[str]
) -> tuple[str, int | None, Clock | None]:
    """Return how games begin: their position, the seat that moves (None if they are over), their clock."""
    position = rules.initial(options)
    for move in opening:
        position = rules.play(position, move)
    side = rules.side_to_move(position)
    if side is None:
        return rules.format(position), None, None
    seat = rules.sides.index(side)
    clock = None if control is None else started(control, len(rules.sides), seat, now())
    return rules.format(position), seat, clock


async def _begin_turns(
    session: AsyncSession,
    rows: Sequence[GameRow],
    movers: Sequence[int],
    control: TimeControl | None,
    clock: Clock | None,
) -> None:
    """Begin the first turn of each of some games, which are all alike; `movers` are the players who move."""
    is_computer = Account.id.in_(frozenset(movers)) & Account.computer_level.is_not(None)
    computers = frozenset(await session.scalars(select(Account.id).where(is_computer)))
    for row, mover in zip(rows, movers, strict=True):
        if clock is not None and row.second_player is not None and not is_realtime(control):
            await _stop_for_vacation(session, row, clock, mover)
        await _announce_first_turn(session, row, mover, control, computers)


async def _stop_for_vacation(session: AsyncSession, row: GameRow, clock: Clock, mover: int) -> None:
    """Stop the clock of a new game if the player who begins is on vacation.

    The row refers to the account by now, so no vacation begins before the end of the transaction.
    """
    vacation = await session.get(Vacation, mover)
    if vacation is None or vacation.since is None or vacation.until is None or vacation.until <= utc_now():
        return
    clock = clock.standing_still((from_datetime(vacation.since), from_datetime(vacation.until)))
    assert clock.deadline is not None
    row.stop_from, row.stop_until = vacation.since, vacation.until
    row.deadline = row.watch_at = to_datetime(clock.deadline)
    await session.flush()


async def _announce_first_turn(
    session: AsyncSession, row: GameRow, mover: int, control: TimeControl | None, computers: frozenset[int]
) -> None:
    """Request the first move from a computer, or notify the player who makes it if there is much time.

    The journal does so for all other moves.
    """
    if mover in computers:
        await session.execute(select(func.request_computer_move(row.id, 0)))
    elif control is not None and row.second_player is not None and not is_realtime(control):
        opponent = row.second_player if mover == row.first_player else row.first_player
        await notify(session, News(mover, NewsKind.MY_TURN, row.id, opponent, {"game": row.game}))
