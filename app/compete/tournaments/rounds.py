"""Tournaments in rounds: who meets next, and when the next round begins."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta

from app.compete.tournaments import knock_outs, results
from app.compete.tournaments.field import Field, Seating, value_of
from app.compete.tournaments.models import TournamentPairing, TournamentPlayer
from app.compete.tournaments.terms import TournamentKind
from engine.tournaments import round_robin, swiss
from engine.tournaments.pairings import Outcome, seats_of


def go_on(field: Field, ended: Collection[TournamentPairing], now: datetime) -> bool:
    """Count pairings that have ended, do what is due, and return whether the tournament is over.

    All rounds that were announced take place, each after its pause, however many players are there. A
    round robin is over earlier if no game is left to be played.
    """
    results.pause_absent(field, ended)
    results.restand(field)
    is_over = _advance(field, now)
    results.restand(field)
    return is_over


def _advance(field: Field, now: datetime) -> bool:
    tournament, terms = field.tournament, field.terms
    _forfeit_games_of_withdrawn(field)
    while terms.kind is TournamentKind.KNOCK_OUT and knock_outs.further_games(field):
        _forfeit_games_of_withdrawn(field)
    field.starting += _startable(field)
    if is_under_way(field):
        return False
    seatings = _next_round(field)
    if not seatings and not field.undecided:
        return True
    if tournament.round and terms.is_realtime:
        tournament.pause_until = tournament.pause_until or now + timedelta(seconds=terms.plan.pause)
        if now < tournament.pause_until:
            tournament.due_at = tournament.pause_until
            return False
    tournament.pause_until = None
    tournament.round += 1
    for number, seatings_of_round in seatings.items():
        field.add(number, seatings_of_round)
    _forfeit_games_of_withdrawn(field)
    field.starting += _startable(field)
    tournament.due_at = None if field.starting else now
    return False


def is_under_way(field: Field) -> bool:
    """Return whether games are to be played before the next round begins."""
    undecided = field.undecided
    if _is_all_at_once(field):
        return bool(undecided)
    return any(pairing.round == field.tournament.round for pairing in undecided)


def _is_all_at_once(field: Field) -> bool:
    """Return whether the games of all rounds are played at the same time."""
    return field.terms.kind is TournamentKind.ROUND_ROBIN and not field.terms.is_realtime


def _startable(field: Field) -> list[TournamentPairing]:
    """Return the pairings whose games start now."""
    waiting = [pairing for pairing in field.undecided if pairing.game_id is None]
    if not _is_all_at_once(field):
        return [pairing for pairing in waiting if pairing.round == field.tournament.round]
    most = field.terms.plan.at_once or len(field.pairings)
    busy = Counter(
        player for pairing in field.undecided if pairing.game_id for player in value_of(pairing).players
    )
    chosen = []
    for pairing in waiting:
        if all(busy[player] < most for player in value_of(pairing).players):
            busy.update(value_of(pairing).players)
            chosen.append(pairing)
    return chosen


def _forfeit_games_of_withdrawn(field: Field) -> None:
    """Decide pairings that have not started and that a player who has withdrawn would have played."""
    gone = {player.account_id for player in field.players if player.status == "withdrawn"}
    for pairing in field.undecided:
        if pairing.game_id is None and (absent := gone & set(value_of(pairing).players)):
            pairing.is_played = False
            if len(absent) == 2:
                pairing.outcome = Outcome.NEITHER
            else:
                pairing.outcome = Outcome.SECOND if pairing.first_id in absent else Outcome.FIRST


def _next_round(field: Field) -> dict[int, list[Seating]]:
    """Return the pairs of the next round by its number, or of all further rounds if these are known.

    Return nothing if the last round has been played, or a known one comes next.
    """
    following = field.tournament.round + 1
    match field.terms.kind:
        case TournamentKind.SWISS if field.tournament.round < field.terms.plan.rounds:
            return {following: _swiss_round(field)}
        case TournamentKind.KNOCK_OUT:
            seatings = knock_outs.next_round(field)
            return {following: seatings} if seatings else {}
        case TournamentKind.ROUND_ROBIN if field.tournament.round == 0:
            return _all_rounds(field, 1, _groups(field))
        case TournamentKind.ROUND_ROBIN if not field.undecided:
            return _final(field)
        case TournamentKind.SIMUL if field.tournament.round == 0:
            return {1: _simul(field)}
    return {}


def _swiss_round(field: Field) -> list[Seating]:
    values = [value_of(pairing) for pairing in field.pairings]
    entrants = []
    for player in field.active:
        own = [value for value in values if player.account_id in value.players]
        others = (value.opponent_of(player.account_id) for value in own)
        entrants.append(
            swiss.Entrant(
                player.account_id,
                player.points,
                player.rating,
                frozenset(other for other in others if other is not None),
                seats_of(player.account_id, own),
                any(value.is_bye and value.outcome is Outcome.FIRST for value in own),
            )
        )
    return [Seating(one, other, board) for board, (one, other) in enumerate(swiss.pair(entrants), start=1)]


def _groups(field: Field) -> dict[int, list[int]]:
    """Return the players of each group, after dealing them out; a single group has the number 0.

    If few players came there are fewer groups than announced, so that nobody is alone in one.
    """
    count = min(field.terms.plan.groups, len(field.active) // 2)
    if count <= 1:
        return {0: [player.account_id for player in field.active]}
    dealt = dict(enumerate(round_robin.groups([p.account_id for p in field.active], count), start=1))
    numbers = {player: number for number, players in dealt.items() for player in players}
    for player in field.active:
        player.group_number = numbers[player.account_id]
    return dealt


def _all_rounds(field: Field, first: int, groups: dict[int, list[int]]) -> dict[int, list[Seating]]:
    rounds: dict[int, list[Seating]] = {}
    for group, players in groups.items():
        table = round_robin.schedule(players, is_double=field.terms.plan.is_double)
        for number, pairs in enumerate(table, start=first):
            seatings = rounds.setdefault(number, [])
            for one, other in pairs:
                seatings.append(Seating(one, other, len(seatings) + 1, group=group))
    return rounds


def _final(field: Field) -> dict[int, list[Seating]]:
    """Return the rounds of the final of the best of each group, if there is one to come.

    Its players are chosen once: when the pause before it is over, their points are those of the final.
    """
    has_begun = any(pairing.group_number == 0 for pairing in field.pairings)
    if not field.terms.has_final or has_begun:
        return {}
    if not any(player.stage for player in field.players):
        for number in range(1, field.terms.plan.groups + 1):
            for player in _best_of_group(field, number):
                player.stage = 1
    finalists = [player.account_id for player in field.players if player.stage]
    last = max((pairing.round for pairing in field.pairings), default=0)
    return _all_rounds(field, last + 1, {0: finalists}) if len(finalists) > 1 else {}


def _best_of_group(field: Field, number: int) -> list[TournamentPlayer]:
    group = [player for player in field.active if player.group_number == number]
    group.sort(key=lambda player: (-player.points, [-figure for figure in player.tie_breaks], player.seed))
    return group[: field.terms.plan.promoted]


def _simul(field: Field) -> list[Seating]:
    """Return the games of the organiser against everybody else, who move first.

    The first move of a game has to be made within a minute, too little for one player on many boards.
    """
    host = field.tournament.organiser_id
    others = [player.account_id for player in field.active if player.account_id != host]
    return [Seating(other, host, board) for board, other in enumerate(others, start=1) if host is not None]
