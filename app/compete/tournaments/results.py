"""Recording how games of a tournament ended, once each, and what that means for the standings."""

from collections.abc import Collection, Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments import knock_outs
from app.compete.tournaments.field import Field, value_of
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.terms import TournamentKind
from app.play.games.models import Game
from engine.tournaments.arena import Score
from engine.tournaments.pairings import Outcome
from engine.tournaments.standings import ROUND_ROBIN, SWISS, Standing, standings

_BY_SEAT = (Outcome.FIRST, Outcome.SECOND)


async def record(session: AsyncSession, tournament: Tournament) -> list[TournamentPairing]:
    """Store the outcomes of games that have ended, and return their pairings in the order of the ends."""
    rows = await session.execute(
        select(TournamentPairing, Game.status, Game.winner_seat, Game.aborted_by, Game.ended_at)
        .join(Game, Game.id == TournamentPairing.game_id)
        .where(
            TournamentPairing.tournament_id == tournament.id,
            TournamentPairing.outcome.is_(None),
            Game.ended_at.is_not(None),
        )
        .order_by(Game.ended_at, TournamentPairing.id)
    )
    ended = []
    for pairing, status, winner_seat, aborted_by, ended_at in rows:
        pairing.outcome = _outcome(winner_seat, aborted_by, is_aborted=status == "aborted")
        pairing.is_played = status == "finished"
        pairing.ended_at = ended_at
        ended.append(pairing)
    return ended


def _outcome(winner_seat: int | None, aborted_by: int | None, *, is_aborted: bool) -> Outcome:
    """Return the outcome of a game. One that was aborted is lost by the player who is to blame, if any."""
    if is_aborted:
        return Outcome.NEITHER if aborted_by is None else _BY_SEAT[1 - aborted_by]
    return Outcome.DRAW if winner_seat is None else _BY_SEAT[winner_seat]


def score_arena(pairing: TournamentPairing, players: Mapping[int, TournamentPlayer]) -> None:
    """Add an ended game of an arena to the scores of its players, who are free from its end on.

    A player who did not turn up is paused.
    """
    value = value_of(pairing)
    for seat, account_id in enumerate(value.players):
        player = players[account_id]
        player.game_id = None
        player.free_since = pairing.ended_at
        if pairing.outcome == Outcome.NEITHER:
            continue
        points = value.points_of(account_id)
        score = Score(round(player.points), player.streak, player.wins, player.games).after(points)
        player.points, player.streak = score.points, score.streak
        player.wins, player.games = score.wins, score.games
        player.tie_breaks = [float(score.wins)]
        if pairing.is_played:
            player.seats = [*player.seats, seat]
        elif points == 0 and player.status == "active":
            player.status = "paused"


def pause_absent(field: Field, ended: Collection[TournamentPairing]) -> None:
    """Pause the players of a Swiss tournament who did not turn up, so that nobody else waits for them."""
    absent = {
        player
        for value in map(value_of, ended)
        if not value.is_played and value.outcome is not Outcome.NEITHER
        for player in value.players
        if value.points_of(player) == 0
    }
    for player in field.active:
        if player.account_id in absent and field.terms.kind is TournamentKind.SWISS:
            player.status = "paused"


def restand(field: Field) -> None:
    """Compute the points and tie-breaks of all players of a tournament in rounds."""
    if field.terms.kind is TournamentKind.KNOCK_OUT:
        knock_outs.restand(field)
        return
    groups = {player.group_number for player in field.players} if field.terms.has_groups else {0}
    for group in groups:
        _restand_group(field, group, [player for player in field.players if player.group_number == group])
    finalists = [player for player in field.players if player.stage > 0]
    if finalists:
        _restand_group(field, 0, finalists)


def _restand_group(field: Field, group: int, players: Collection[TournamentPlayer]) -> None:
    kind = field.terms.kind
    tie_breaks = {TournamentKind.SWISS: SWISS, TournamentKind.ROUND_ROBIN: ROUND_ROBIN}.get(kind, ())
    pairings = [pairing for pairing in field.pairings if pairing.group_number == group]
    undecided = {pairing.round for pairing in pairings if pairing.outcome is None}
    rounds = len({pairing.round for pairing in pairings} - undecided) if kind is TournamentKind.SWISS else 0
    rows = standings([p.account_id for p in players], map(value_of, pairings), tie_breaks, rounds=rounds)
    by_id = {player.account_id: player for player in players}
    for row in rows:
        _store(by_id[row.player], row)


def _store(player: TournamentPlayer, row: Standing) -> None:
    player.points, player.games = row.points, row.games
    if player.tie_breaks != list(row.tie_breaks):  # a changed list is written even if it is equal
        player.tie_breaks = list(row.tie_breaks)
