"""Matches of a knock-out: their winners, further games, and the next round."""

from collections import defaultdict

from app.compete.tournaments.field import Field, Seating, value_of
from app.compete.tournaments.models import TournamentPairing
from engine.tournaments import knock_out


def restand(field: Field) -> None:
    """Award each player a point for each match won; of the games played, only the number counts."""
    points: defaultdict[int, int] = defaultdict(int)
    games: defaultdict[int, int] = defaultdict(int)
    for number in {pairing.round for pairing in field.pairings}:
        for legs in _matches(field, number):
            if (winner := _winner(field, legs)) is not None:
                points[winner] += 1
            for value in map(value_of, legs):
                if value.is_game and value.outcome is not None:
                    for account_id in value.players:
                        games[account_id] += 1
    for player in field.players:
        player.points, player.games = points[player.account_id], games[player.account_id]


def further_games(field: Field) -> list[TournamentPairing]:
    """Add the next games of the matches of this round that are not decided, and return them."""
    number = field.tournament.round
    added = []
    for legs in _matches(field, number):
        if all(leg.outcome is not None for leg in legs) and _winner(field, legs) is None:
            last = legs[-1]
            seed, other = _seeded(field, last)
            first, second = knock_out.seated(seed, other, last.leg + 1)
            added += field.add(number, [Seating(first, second, last.board, last.leg + 1)])
    return added


def next_round(field: Field) -> list[Seating]:
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
            seed, weaker = sorted((one, other), key=_seeds(field).__getitem__)
            seatings.append(Seating(*knock_out.seated(seed, weaker, 1), board))
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
    seed, other = _seeded(field, legs[0])
    return knock_out.winner(seed, other, [value_of(leg) for leg in legs], field.terms.plan.best_of)


def _seeded(field: Field, pairing: TournamentPairing) -> tuple[int, int]:
    """Return the players of a pairing, the better seed first."""
    assert pairing.second_id is not None
    one, other = sorted((pairing.first_id, pairing.second_id), key=_seeds(field).__getitem__)
    return one, other


def _seeds(field: Field) -> dict[int, int]:
    return {player.account_id: player.seed for player in field.players}
