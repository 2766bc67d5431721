"""What a step changes beside its game: ratings, scores, conditional moves and news, in its transaction."""

from collections.abc import Sequence

from msgspec.structs import replace

from app.core import json
from app.core.database.statements import Connection
from app.people.inbox import service as inbox
from app.people.inbox.kinds import NewsKind
from app.play.conditions import store as conditions
from app.play.games import news
from app.play.games.decisions import Decision
from app.play.games.game import GameState
from app.play.ratings import service as ratings
from app.play.solitaire import scores
from engine.registry import SOLITAIRE

_FORGET = """
DELETE FROM notifications WHERE subject = $1 AND account_id = ANY($2::bigint[]) AND kind = ANY($3::text[])
"""
_DELETE_MOVES = "DELETE FROM moves WHERE game_id = $1 AND ply > $2"
_MARK_CLOCKS = "UPDATE games SET clock_marks = $2 WHERE id = $1"


def has_consequences(decision: Decision) -> bool:
    """Return whether a step changes more than its game and the moves that it adds."""
    before, after = decision.before, decision.after
    return (
        _ends_rated(before, after)
        or after.submitted != before.submitted
        or after.ply < before.ply
        or after.pause != before.pause
        or bool(decision.lines)
        or bool(news.outdated(decision))
    )


def _ends_rated(before: GameState, after: GameState) -> bool:
    has_ended = after.status == "finished" and before.status == "started"
    return has_ended and after.rated and not after.is_too_short_to_rate


async def write_consequences(connection: Connection, decision: Decision) -> Decision:
    """Write the consequences of a step in its transaction, and return it with its rating changes."""
    before, after = decision.before, decision.after
    if after.ply < before.ply:
        await connection.execute(_DELETE_MOVES, after.id, after.ply)
    if after.clock_marks != before.clock_marks:
        marks = [[mark.ply, *mark.left, *mark.used] for mark in after.clock_marks]
        await connection.execute(_MARK_CLOCKS, after.id, json.encode(marks).decode())
    if after.pause != before.pause:
        await connection.execute("UPDATE games SET pause = $2 WHERE id = $1", after.id, after.pause)
    if decision.lines and before.player_to_move is not None:
        await conditions.save_on(connection, after, before.player_to_move.id, decision.lines)
        after = replace(after, conditional=True)
        decision = replace(decision, after=after)
    if outdated := news.outdated(decision):
        await _notify(connection, decision, outdated)
    if after.submitted and not before.submitted:
        await scores.enter(
            connection,
            after.id,
            after.players[0].id,
            after.game,
            after.options["size"],
            scores.merit(SOLITAIRE[after.game], after.position),
            after.undos,
        )
    if _ends_rated(before, after):
        ids = [player.id for player in after.players]
        changes = await ratings.rate_game(connection, after.id, after.game, ids, after.winner_seat)
        if changes is None:
            return decision
        await connection.execute("UPDATE games SET rating_changes = $2 WHERE id = $1", after.id, changes)
        players = zip(after.players, changes, strict=True)
        rated = tuple(replace(player, change=change) for player, change in players)
        return replace(decision, after=replace(after, players=rated))
    return decision


async def _notify(connection: Connection, decision: Decision, outdated: Sequence[NewsKind]) -> None:
    """Notify the players of a correspondence game of a step, instead of what it makes outdated."""
    game = decision.after
    players = [player.id for player in game.players]
    await connection.execute(_FORGET, game.id, players, outdated)
    await inbox.notify_on(connection, news.news(decision))
