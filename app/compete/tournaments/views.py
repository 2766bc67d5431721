"""Plain values that the templates of tournaments draw, with crosstables and brackets."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.standings import PairingShown, PlayerName, StandingShown
from app.core.i18n.text import Text
from app.play.games.views import MiniView

_POINTS = {"first": ("1", "0"), "second": ("0", "1"), "draw": ("½", "½"), "neither": ("0", "0")}
_UNPLAYED = {
    "first": ("+", "\N{MINUS SIGN}"),
    "second": ("\N{MINUS SIGN}", "+"),
    "neither": ("\N{MINUS SIGN}", "\N{MINUS SIGN}"),
}
_GAINED = {"first": (1.0, 0.0), "second": (0.0, 1.0), "draw": (0.5, 0.5)}
_RUNNING = "*"


CrossRow = tuple[str | None, tuple[tuple[tuple[str, str | None], ...] | None, ...]]
"""A player's row of a crosstable: the name, and for each opponent what each game gave and the game's id."""


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The games of a group; `group` is 0 if there is only one, or for the final of groups.

    `has_unplayed` is whether some were decided without being played.
    """

    group: int
    is_final: bool
    has_unplayed: bool
    rows: tuple[CrossRow, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a knock-out: its players with their points, one if it is free, and the winner, if any."""

    players: tuple[tuple[PlayerName, float], ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament in a list: whether it can be joined, and there at once or on its page."""

    info: TournamentInfo
    summary: Sequence[Text]
    players: Text
    has_joined: bool
    may_join: bool
    joins_at_once: bool


@dataclass(frozen=True, slots=True)
class StandingsView:
    """A page of the standings; `number` counts pages."""

    rows: tuple[StandingShown, ...]
    tie_breaks: tuple[tuple[Text, Text], ...]
    has_groups: bool
    number: int
    has_more: bool
    streak: int  # the wins in a row from which points count double; 0 if they never do


@dataclass(frozen=True, slots=True)
class RoundsView:
    """The pairings of a round (0: the latest ones of an arena), and what shows all rounds at once.

    `rows` are pairings with their results in words; `has_more` is whether the round has more.
    """

    number: int
    numbers: Sequence[int]
    rows: tuple[tuple[PairingShown, Text], ...]
    has_more: bool
    crosstables: tuple[Crosstable, ...]
    bracket: tuple[tuple[Match, ...], ...]


@dataclass(frozen=True, slots=True)
class OwnView:
    """All that the part of the page for the viewer depends on: how they stand, and what they may do."""

    path: str
    status: str
    terms: str  # their fingerprint
    has_chat: bool
    standing: StandingShown | None
    games: Sequence[tuple[str, str]]  # the games under way: id and opponent
    is_out: bool
    is_finalist: bool
    awaits_final: bool  # after all games in a group
    sits_out: bool  # of the round that is played
    awaits_game: bool  # in real time, which opens on the page
    may_join: bool
    may_come_back: bool
    must_register: bool  # to join
    refusal: Text  # why they cannot join or come back
    needs_password: bool
    may_pause: bool
    may_withdraw: bool
    may_switch_chat: bool
    may_edit: bool
    may_cancel: bool
    may_say_why: bool  # on cancelling


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """What everybody sees of a tournament.

    `podium` are the first three, each with the points and the end of the last game won, or else played.
    """

    info: TournamentInfo
    kind: Text
    explained: Text
    facts: Sequence[tuple[Text, Text]]
    reason: str
    podium: Sequence[tuple[StandingShown, Text, MiniView | None]]
    standings: StandingsView
    rounds: RoundsView
    featured: MiniView | None


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A game of a player in a tournament. `points` is None until it has ended."""

    pairing: PairingShown
    opponent: str | None
    side: str
    points: float | None
    result: Text


def crosstables(
    standings: Sequence[StandingShown], pairings: Sequence[PairingShown]
) -> tuple[Crosstable, ...]:
    """Return a table for each group, the final first; players are in the order of the standings."""
    tables = []
    for group in sorted({pairing.group for pairing in pairings}):
        games = [pairing for pairing in pairings if pairing.group == group]
        members = {player.id for pairing in games for player in (pairing.first, pairing.second) if player}
        rows = [row for row in standings if row.account_id in members]
        is_final = group == 0 and any(row.stage for row in rows)
        has_unplayed = not all(pairing.is_played for pairing in games)
        tables.append(Crosstable(group, is_final, has_unplayed, _rows(rows, games)))
    return tuple(tables)


def _rows(players: Sequence[StandingShown], pairings: Iterable[PairingShown]) -> tuple[CrossRow, ...]:
    cells: dict[tuple[int, int], list[tuple[str, str | None]]] = {}
    for pairing in pairings:
        if pairing.second is not None:
            marks = _POINTS if pairing.is_played else _UNPLAYED
            one, other = marks.get(pairing.outcome or "", (_mark(pairing), _mark(pairing)))
            cells.setdefault((pairing.first.id, pairing.second.id), []).append((one, pairing.game_id))
            cells.setdefault((pairing.second.id, pairing.first.id), []).append((other, pairing.game_id))
    return tuple(
        (
            row.username,
            tuple(
                None if row is other else tuple(cells.get((row.account_id, other.account_id), ()))
                for other in players
            ),
        )
        for row in players
    )


def _mark(pairing: PairingShown) -> str:
    return _RUNNING if pairing.game_id else ""


def bracket(pairings: Iterable[PairingShown], champion: int | None) -> tuple[tuple[Match, ...], ...]:
    """Return the matches of each round, in the order of the bracket; `champion` is who has won the final."""
    ordered = sorted(pairings, key=lambda pairing: (pairing.round, pairing.board, pairing.leg))
    rounds = [
        [list(legs) for _, legs in groupby(of_round, key=lambda pairing: pairing.board)]
        for _, of_round in groupby(ordered, key=lambda pairing: pairing.round)
    ]
    gone_on = [{player.id for legs in matches for player in _players(legs[0])} for matches in rounds[1:]]
    winners = [*gone_on, set() if champion is None else {champion}]
    return tuple(
        tuple(_match(legs, won) for legs in matches)
        for matches, won in zip(rounds, winners, strict=bool(rounds))
    )


def winner_of_final(pairings: Sequence[PairingShown]) -> int | None:
    """Return who has won the final of a knock-out that is over, None if it had none.

    That is the better seed, who moves second in the first game, if the points are equal.
    """
    last = max((pairing.round for pairing in pairings), default=0)
    legs = sorted((each for each in pairings if each.round == last), key=lambda pairing: pairing.leg)
    if not legs or legs[0].second is None:
        return None
    (weaker, points), (seed, points_of_seed) = _match(legs, ()).players
    return weaker.id if points > points_of_seed else seed.id


def _players(pairing: PairingShown) -> list[PlayerName]:
    return [player for player in (pairing.first, pairing.second) if player is not None]


def _match(legs: Sequence[PairingShown], winners: Container[int]) -> Match:
    players = _players(legs[0])
    points = dict.fromkeys((player.id for player in players), 0.0)
    for leg in legs:
        for player, gained in zip(_players(leg), _GAINED.get(leg.outcome or "", (0.0, 0.0)), strict=False):
            points[player.id] += gained
    return Match(
        players=tuple((player, points[player.id]) for player in players),
        winner=next((player.id for player in players if player.id in winners), None),
    )
