"""Tournaments in rounds: who meets next, and when the next round begins."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from app.compete.tournaments.field import Field, Seating, value_of
from app.compete.tournaments.models import TournamentPairing, TournamentPlayer
from app.compete.tournaments.terms import TournamentKind
from engine.tournaments import knock_out, round_robin, swiss
from engine.tournaments.pairings import Pairing, PairingOutcome, seats_of
from engine.tournaments.standings import ROUND_ROBIN, SWISS, Standing, standings


def go_on(field: Field, ended: Collection[TournamentPairing], now: datetime) -> bool:
    """Count pairings that have ended, do what is due, and return whether the tournament is over.

    All rounds that were announced take place, each after its pause, however many players are there. A
    round robin is over earlier if no game is left to be played.
    """
    _pause_absent(field, ended)
    _update_standings(field)
    counted = _counted(field)
    is_over = _advance(field, now)
    if _counted(field) != counted:
        _update_standings(field)
    return is_over


def _counted(field: Field) -> tuple[int, int]:
    """Return how many pairings and finalists there are that standings count."""
    decided = sum(pairing.outcome is not None for pairing in field.pairings)
    return decided, sum(player.stage for player in field.players)


def _advance(field: Field, now: datetime) -> bool:
    tournament, terms = field.tournament, field.terms
    _forfeit_games_of_withdrawn(field)
    while terms.kind is TournamentKind.KNOCK_OUT and _further_games(field):
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
    if field.terms.is_all_at_once:
        return bool(undecided)
    return any(pairing.round == field.tournament.round for pairing in undecided)


def _startable(field: Field) -> list[TournamentPairing]:
    waiting = [pairing for pairing in field.undecided if pairing.game_id is None]
    if not field.terms.is_all_at_once:
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
                pairing.outcome = PairingOutcome.NEITHER
            else:
                pairing.outcome = (
                    PairingOutcome.SECOND if pairing.first_id in absent else PairingOutcome.FIRST
                )


def _next_round(field: Field) -> dict[int, list[Seating]]:
    """Return the pairs of the next round by its number, or of all further rounds if these are known.

    Return nothing if the last round has been played, or a known one comes next.
    """
    following = field.tournament.round + 1
    match field.terms.kind:
        case TournamentKind.SWISS if field.tournament.round < field.terms.plan.rounds:
            return {following: _swiss_round(field)}
        case TournamentKind.KNOCK_OUT:
            seatings = _next_matches(field)
            return {following: seatings} if seatings else {}
        case TournamentKind.ROUND_ROBIN if field.tournament.round == 0:
            return _all_rounds(field, 1, _groups(field))
        case TournamentKind.ROUND_ROBIN if not field.undecided:
            return _final(field)
        case TournamentKind.SIMUL if field.tournament.round == 0:
            return {1: _simul(field)}
    return {}


def _swiss_round(field: Field) -> list[Seating]:
    of: defaultdict[int, list[Pairing]] = defaultdict(list)
    for value in map(value_of, field.pairings):
        for account_id in value.players:
            of[account_id].append(value)
    entrants = [_entrant(player, of[player.account_id]) for player in field.active]
    return [Seating(one, other, board) for board, (one, other) in enumerate(swiss.pair(entrants), start=1)]


def _entrant(player: TournamentPlayer, own: Sequence[Pairing]) -> swiss.Entrant:
    """Return a player with what they had in the rounds before."""
    others = (value.opponent_of(player.account_id) for value in own)
    return swiss.Entrant(
        player.account_id,
        player.points,
        player.rating,
        frozenset(other for other in others if other is not None),
        seats_of(player.account_id, own),
        any(value.is_bye and value.outcome is PairingOutcome.FIRST for value in own),
    )


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


def _update_matches(field: Field) -> None:
    """Award each player a point for each match won, and count the games that were played and won."""
    points: Counter[int] = Counter()
    games: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for number in {pairing.round for pairing in field.pairings}:
        for legs in _matches(field, number):
            if (winner := _winner(field, legs)) is not None:
                points[winner] += 1
            for value in map(value_of, legs):
                if value.is_game and value.outcome is not None:
                    for account_id in value.players:
                        games[account_id] += 1
                        wins[account_id] += value.is_won_by(account_id)
    for player in field.players:
        one = player.account_id
        player.points, player.games, player.wins = points[one], games[one], wins[one]


def _further_games(field: Field) -> list[TournamentPairing]:
    """Add the next games of the matches of this round that are not decided, and return them."""
    number = field.tournament.round
    added = []
    for legs in _matches(field, number):
        if all(leg.outcome is not None for leg in legs) and _winner(field, legs) is None:
            last = legs[-1]
            seed, other = _seeded(field, value_of(last).players)
            first, second = knock_out.seated(seed, other, last.leg + 1)
            added += field.add(number, [Seating(first, second, last.board, last.leg + 1)])
    return added


def _next_matches(field: Field) -> list[Seating]:
    """Return the first games of the next round; none if the final has been played."""
    if field.tournament.round == 0:
        matches = knock_out.first_round([player.account_id for player in field.active])
    else:
        winners = [_winner(field, legs) for legs in _matches(field, field.tournament.round)]
        matches = knock_out.next_round([winner for winner in winners if winner is not None])
    seatings = []
    for board, (one, other) in enumerate(matches, start=1):
        if other is None:
            seatings.append(Seating(one, None, board))
        else:
            seatings.append(Seating(*knock_out.seated(*_seeded(field, (one, other)), 1), board))
    return seatings


def _matches(field: Field, number: int) -> list[list[TournamentPairing]]:
    """Return the games of each match of a round, in the order of the boards."""
    matches: defaultdict[int, list[TournamentPairing]] = defaultdict(list)
    for pairing in field.of_round(number):
        matches[pairing.board].append(pairing)
    return [sorted(matches[board], key=lambda leg: leg.leg) for board in sorted(matches)]


def _winner(field: Field, legs: list[TournamentPairing]) -> int | None:
    """Return the winner of a match so far, None if another game is to be played or goes on."""
    if legs[0].second_id is None:
        return legs[0].first_id
    if any(leg.outcome is None for leg in legs):
        return None
    seed, other = _seeded(field, value_of(legs[0]).players)
    return knock_out.winner(seed, other, [value_of(leg) for leg in legs], field.terms.plan.best_of)


def _seeded(field: Field, pair: Collection[int]) -> tuple[int, int]:
    """Return two players, the better seed first: all players are in that order."""
    better, other = (player.account_id for player in field.players if player.account_id in pair)
    return better, other


def _pause_absent(field: Field, ended: Collection[TournamentPairing]) -> None:
    """Pause the players of a Swiss tournament who did not turn up, so that nobody else waits for them."""
    absent = {
        player
        for value in map(value_of, ended)
        if not value.is_played and value.outcome is not PairingOutcome.NEITHER
        for player in value.players
        if value.points_of(player) == 0
    }
    for player in field.active:
        if player.account_id in absent and field.terms.kind is TournamentKind.SWISS:
            player.status = "paused"


def _update_standings(field: Field) -> None:
    """Compute the points and tie-breaks of all players of a tournament in rounds."""
    if field.terms.kind is TournamentKind.KNOCK_OUT:
        _update_matches(field)
        return
    groups = {player.group_number for player in field.players} if field.terms.has_groups else {0}
    for group in groups:
        _update_group(field, group, [player for player in field.players if player.group_number == group])
    finalists = [player for player in field.players if player.stage > 0]
    if finalists:
        _update_group(field, 0, finalists)


def _update_group(field: Field, group: int, players: Collection[TournamentPlayer]) -> None:
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
    player.points, player.games, player.wins = row.points, row.games, row.wins
    if player.tie_breaks != list(row.tie_breaks):  # a changed list is written even if it is equal
        player.tie_breaks = list(row.tie_breaks)
