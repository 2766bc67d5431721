"""What players of correspondence games are notified of: their turn, a request, the end, a deadline."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    SQLColumnExpression,
    and_,
    case,
    exists,
    extract,
    func,
    or_,
    select,
    text,
)
from sqlalchemy.orm import aliased

from app.core.database.session import Database
from app.core.i18n.text import Text, _, ngettext
from app.core.realtime.bus import Bus
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import (
    ABOUT_TURNS,
    SOON,
    URGENT,
    Carriage,
    Channel,
    Kind,
    Listed,
    NewsKind,
    Sent,
    declare,
)
from app.people.inbox.models import Notification
from app.people.inbox.service import News, notify
from app.play.games.decisions import Decision
from app.play.games.events import Ended
from app.play.games.game import GameState
from app.play.games.models import Game
from app.play.games.offers import taken_back_by
from engine.game import Side, Termination

_RESULTS = {
    "won": _("You won against %(player)s"),
    "lost": _("You lost against %(player)s"),
    "drawn": _("A draw with %(player)s"),
    "aborted": _("The game against %(player)s was aborted"),
}
_TURN = (
    "SELECT FROM games WHERE games.id = notifications.subject AND games.status = 'started' "
    "AND games.ply = coalesce((notifications.data ->> 'ply')::int, games.ply)"
)
# Deadlines move by the length of a vacation, and by what is credited for the server's own short absences.
_IS_THE_DEADLINE = "games.deadline <= ({}.data ->> 'deadline')::timestamptz + interval '1 hour'"


def moves_text(moves: Iterable[tuple[int, str, bool]], opponent: str) -> tuple[Text, ...]:
    """Return moves as "your move 12 (e5)", each from its number, its text, and whether it is the reader's."""
    return tuple(
        _("your move %(ply)s (%(move)s)", ply=ply, move=move)
        if is_yours
        else _("%(player)s's move %(ply)s (%(move)s)", player=opponent, ply=ply, move=move)
        for ply, move, is_yours in moves
    )


def _takeback(item: Listed) -> Text:
    player = item.actor or ""
    moves = moves_text(item.data["moves"], player)
    return ngettext(
        "%(player)s asks to take back %(count)s move: %(moves)s",
        "%(player)s asks to take back %(count)s moves: %(moves)s",
        len(moves),
        player=player,
        moves=moves,
    )


declare(
    Kind(
        NewsKind.MY_TURN,
        _("Your turn against %(player)s"),
        "/games/{subject}",
        still_true=_TURN,
        sent=Sent(
            _("Your turn in correspondence games"),
            {Channel.EMAIL: Carriage(timedelta(minutes=5), 6), Channel.PUSH: Carriage(SOON, 30)},
        ),
    ),
    Kind(
        NewsKind.DEADLINE,
        _("Little time is left for your move against %(player)s"),
        "/games/{subject}",
        when=("deadline", _("You have until %(moment)s UTC to move.")),
        still_true=f"{_TURN} AND {_IS_THE_DEADLINE.format('notifications')}",
        sent=Sent(_("Little time left for a move"), URGENT),
    ),
    Kind(NewsKind.GAME_FINISHED, lambda item: _RESULTS[item.data["result"]], "/games/{subject}"),
    Kind(
        NewsKind.TAKEBACK,
        _takeback,
        "/games/{subject}",
        still_true=(
            "SELECT FROM games WHERE games.id = notifications.subject AND games.status = 'started' "
            "AND games.takeback IS NOT NULL"
        ),
    ),
)


def outdated(decision: Decision) -> Sequence[NewsKind]:
    """Return the kinds of notifications that a step makes outdated; those of `news` take their place."""
    before, after = decision.before, decision.after
    if not after.is_correspondence:
        return ()
    if _ends_turn(decision):
        return (*ABOUT_TURNS, NewsKind.TAKEBACK)
    return () if after.takeback == before.takeback else (NewsKind.TAKEBACK,)


def news(decision: Decision) -> list[News]:
    """Return whom to notify of a step; computer players need no notification."""
    before, after = decision.before, decision.after
    if not _ends_turn(decision):
        return _of_takeback(after)
    if after.result and not before.result:
        ended_by = _ended_by(decision)
        return [
            _news(after, side, NewsKind.GAME_FINISHED, result=_result(after, side))
            for side in after.rules.sides
            if side != ended_by and after.player_at(side).level is None
        ]
    to_move = after.side_to_move
    if to_move is None or after.player_at(to_move).level is not None:
        return []
    return [_news(after, to_move, NewsKind.MY_TURN, ply=after.ply)]


def _ends_turn(decision: Decision) -> bool:
    before, after = decision.before, decision.after
    return after.ply != before.ply or after.result != before.result


def _of_takeback(game: GameState) -> list[News]:
    if game.takeback is None:
        return []
    asked = next(side for side in game.rules.sides if side != game.takeback)
    return [_news(game, asked, NewsKind.TAKEBACK, moves=taken_back_by(game, game.takeback, asked))]


def _news(game: GameState, side: Side, kind: NewsKind, **data: Any) -> News:
    other = game.other_side(side)
    opponent = game.player_at(other).id if other else None
    return News(game.player_at(side).id, kind, game.id, opponent, {"game": game.game, **data})


def _ended_by(decision: Decision) -> Side | None:
    """Return the side that ended the game by a move or a command, and therefore knows."""
    before, step, after = decision.before, decision.step, decision.after
    if decision.is_answer:
        return None
    if not isinstance(step, Ended):
        return before.side_to_move
    winner = after.result.winner if after.result else None
    if step.termination == Termination.RESIGN and winner:
        return after.other_side(winner)
    if step.termination != Termination.ABORT or before.is_due(step.at):
        return None
    people = [side for side in after.rules.sides if after.player_at(side).level is None]
    return after.aborted_by if len(people) > 1 else people[0]  # nobody is to blame against a computer


def _result(game: GameState, side: Side) -> str:
    assert game.result is not None
    if game.status == "aborted":
        return "aborted"
    if game.result.winner is None:
        return "drawn"
    return "won" if game.result.winner == side else "lost"


_MOST = 500  # at a time
_AT_LEAST = 6 * 3_600_000  # milliseconds

# The notification of the turn says whose turn it is; both are deleted when the turn is over. No turn of a
# real-time game takes 6 hours, and a quarter of the longest turn is 7 days, not counting weekends. Nobody is
# reminded on vacation. Time that nothing interrupts is a difference: counting takes fifty times as long.
_turn, _reminder = aliased(Notification), aliased(Notification, name="reminder")
_OFF = Game.time_control.has_key("weekends_off")


def _counted_since(moment: SQLColumnExpression[Any]) -> ColumnElement[float]:
    """Return the milliseconds that count from a moment until the deadline."""
    counted = func.counted_between(moment, Game.deadline, _OFF, Game.stop_from, Game.stop_until)
    uninterrupted = extract("epoch", Game.deadline - moment) * 1000
    return case((or_(_OFF, Game.stop_from.is_not(None)), counted), else_=uninterrupted)


_WHOLE = _counted_since(Game.clock_since)
_DATA = _turn.data.op("||")(func.jsonb_build_object("deadline", Game.deadline))
_DUE = (
    select(_turn.account_id, _turn.subject, _turn.actor_id, _DATA.label("data"))
    .join(Game, and_(Game.id == _turn.subject, _turn.account_id.in_([Game.first_player, Game.second_player])))
    .where(
        _turn.kind == NewsKind.MY_TURN,
        Game.watch_at <= func.now() + timedelta(days=12),
        Game.status == "started",
        Game.deadline > func.now(),
        _WHOLE > _AT_LEAST,
        _counted_since(func.now()) <= func.greatest(_WHOLE / 4, _AT_LEAST),
        or_(Game.stop_from.is_(None), Game.stop_until <= func.now()),
        ~exists().where(
            _reminder.account_id == _turn.account_id,
            _reminder.kind == NewsKind.DEADLINE,
            _reminder.subject == _turn.subject,
            text(_IS_THE_DEADLINE.format("reminder")),
        ),
    )
    .limit(_MOST)
)


async def remind_of_deadlines(database: Database, bus: Bus) -> None:
    """Notify the players of whose time for a move a quarter is left, at least 6 hours before its end."""
    async with database.transaction() as session:
        rows = await session.execute(_DUE)
        news = [News(row.account_id, NewsKind.DEADLINE, row.subject, row.actor_id, row.data) for row in rows]
        if news:
            await notify(session, *news)
    if news:
        bus.publish(InboxChanged(tuple({item.account_id for item in news})))
