"""Crosstables of round robins and brackets of knock-outs, as values."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from app.compete.tournaments.queries.pairings import PairingShown, PlayerName
from app.compete.tournaments.queries.standings import StandingShown

_POINTS = {"first": ("1", "0"), "second": ("0", "1"), "draw": ("½", "½"), "neither": ("0", "0")}
_GAINED = {"first": (1.0, 0.0), "second": (0.0, 1.0), "draw": (0.5, 0.5)}
_RUNNING = "*"


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A player's row of a crosstable: for each opponent, what each game gave and the game's id."""

    place: int
    username: str | None
    points: float
    cells: Sequence[Sequence[tuple[str, str | None]] | None]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The games of a group; `group` is 0 if there is only one, or for the final of groups."""

    group: int
    is_final: bool
    rows: Sequence[CrossRow]


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a knock-out: its players with their points, one if it is free; the last game, if any."""

    players: Sequence[tuple[PlayerName, float]]
    winner: int | None
    game_id: str | None


def crosstables(standings: Sequence[StandingShown], pairings: Sequence[PairingShown]) -> list[Crosstable]:
    """Return a table for each group, the final first; players are in the order of the standings."""
    tables = []
    for group in sorted({pairing.group for pairing in pairings}):
        games = [pairing for pairing in pairings if pairing.group == group]
        members = {player.id for pairing in games for player in (pairing.first, pairing.second) if player}
        rows = [row for row in standings if row.account_id in members]
        is_final = group == 0 and any(row.stage for row in rows)
        tables.append(Crosstable(group, is_final, _rows(rows, games)))
    return tables


def _rows(players: Sequence[StandingShown], pairings: Iterable[PairingShown]) -> list[CrossRow]:
    cells: dict[tuple[int, int], list[tuple[str, str | None]]] = {}
    for pairing in pairings:
        if pairing.second is not None:
            one, other = _POINTS.get(pairing.outcome or "", (_mark(pairing), _mark(pairing)))
            cells.setdefault((pairing.first.id, pairing.second.id), []).append((one, pairing.game_id))
            cells.setdefault((pairing.second.id, pairing.first.id), []).append((other, pairing.game_id))
    return [
        CrossRow(
            place,
            row.username,
            row.points,
            [
                None if row is other else cells.get((row.account_id, other.account_id), [])
                for other in players
            ],
        )
        for place, row in enumerate(players, start=1)
    ]


def _mark(pairing: PairingShown) -> str:
    return _RUNNING if pairing.game_id else ""


def bracket(pairings: Iterable[PairingShown], champion: int | None) -> list[list[Match]]:
    """Return the matches of each round, in the order of the bracket; `champion` is who has won the final."""
    ordered = sorted(pairings, key=lambda pairing: (pairing.round, pairing.board, pairing.leg))
    rounds = [
        [list(legs) for _, legs in groupby(of_round, key=lambda pairing: pairing.board)]
        for _, of_round in groupby(ordered, key=lambda pairing: pairing.round)
    ]
    gone_on = [{player.id for legs in matches for player in _players(legs[0])} for matches in rounds[1:]]
    winners = [*gone_on, set() if champion is None else {champion}]
    return [
        [_match(legs, won) for legs in matches] for matches, won in zip(rounds, winners, strict=bool(rounds))
    ]


def _players(pairing: PairingShown) -> list[PlayerName]:
    return [player for player in (pairing.first, pairing.second) if player is not None]


def _match(legs: Sequence[PairingShown], winners: Container[int]) -> Match:
    players = _players(legs[0])
    points = dict.fromkeys((player.id for player in players), 0.0)
    for leg in legs:
        for player, gained in zip(_players(leg), _GAINED.get(leg.outcome or "", (0.0, 0.0)), strict=False):
            points[player.id] += gained
    return Match(
        players=[(player, points[player.id]) for player in players],
        winner=next((player.id for player in players if player.id in winners), None),
        game_id=legs[-1].game_id,
    )
