"""Tournaments in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.standings import PairingShown
from app.compete.tournaments.terms import TournamentKind, TournamentTerms
from app.core.i18n.text import NO_TEXT, Text, _, joined, ngettext, pgettext
from app.play.games.boards import BOARDS
from app.play.games.wording import control_text
from app.play.lobby.challenges import rating_range_text
from engine.registry import FOR_TWO
from engine.tournaments.standings import ROUND_ROBIN, SWISS

KINDS: Mapping[TournamentKind, Text] = {
    TournamentKind.ARENA: pgettext("a tournament", "Arena"),
    TournamentKind.SWISS: pgettext("a tournament", "Swiss"),
    TournamentKind.ROUND_ROBIN: _("Round robin"),
    TournamentKind.KNOCK_OUT: _("Knock-out"),
    TournamentKind.SIMUL: _("Simul"),
}
EXPLAINED: Mapping[TournamentKind, Text] = {
    TournamentKind.ARENA: _(
        "You are paired as soon as you have no other game or tournament to play, until the time is up."
    ),
    TournamentKind.SWISS: _(
        "In each round you meet somebody with about as many points as you, and nobody twice."
    ),
    TournamentKind.ROUND_ROBIN: _("Everybody meets everybody."),
    TournamentKind.KNOCK_OUT: _("Lose a match, and you are out."),
    TournamentKind.SIMUL: _("One player meets all others at the same time. They move first."),
}
_IN_GROUPS = _("Everybody meets everybody in their group.")
_WITH_FINAL = _("Everybody meets everybody in their group, and the best of the groups meet in a final.")
_BY_POINTS = (_("1 point for a win."), _("1 point for a win, ½ for a draw."))
_POINTS: Mapping[TournamentKind, tuple[Text, Text]] = {
    TournamentKind.ARENA: (
        _("2 points for a win, twice as many after two wins in a row."),
        _("2 points for a win, 1 for a draw, twice as many after two wins in a row."),
    ),
    TournamentKind.SWISS: _BY_POINTS,
    TournamentKind.ROUND_ROBIN: _BY_POINTS,
}
"""What games give at games without draws, and at those with draws."""

_OUTCOMES = {"first": "1-0", "second": "0-1", "draw": "½-½", "neither": "0-0"}
TIE_BREAKS: Mapping[TournamentKind, Sequence[str]] = {
    TournamentKind.SWISS: SWISS,
    TournamentKind.ROUND_ROBIN: ROUND_ROBIN,
    TournamentKind.ARENA: ("wins",),
}
"""The names of the tie-breaks of each kind that has some."""

_QUARTERS: Mapping[str, Callable[[str], Text]] = {
    "1": lambda year: _("January to March %(year)s", year=year),
    "2": lambda year: _("April to June %(year)s", year=year),
    "3": lambda year: _("July to September %(year)s", year=year),
    "4": lambda year: _("October to December %(year)s", year=year),
}

_MEANINGS: Mapping[str, tuple[Text, Text]] = {
    "buchholz_cut_1": (_("BC1"), _("Buchholz cut 1: the points of the opponents without the lowest ones")),
    "buchholz": (_("Buch"), _("Buchholz: the points of the opponents")),
    "sonneborn_berger": (
        _("SB"),
        _("Sonneborn-Berger: the points of the opponents beaten, and half of those drawn with"),
    ),
    "head_to_head": (_("H2H"), _("Head to head: the points against those with equal figures")),
    "wins": (_("Wins"), _("Games won")),
}


def explained(terms: TournamentTerms) -> Text:
    """Return how a tournament is played, and what counts."""
    how = EXPLAINED[terms.kind]
    if terms.has_groups:
        how = _WITH_FINAL if terms.has_final else _IN_GROUPS
    points = _POINTS.get(terms.kind)
    return how if points is None else joined(how, points[FOR_TWO[terms.game].has_draws])


def board_text(terms: TournamentTerms) -> Text:
    """Return the game and its board: "JadeJack 9×9"."""
    rules = FOR_TWO[terms.game]
    return _("%(game)s %(board)s", game=rules.title, board=BOARDS[rules].size_text(terms.options))


def summary(terms: TournamentTerms) -> tuple[Text, ...]:
    """Return the terms in a few words: the kind, the game, the clock, the length, whether it is rated."""
    return (
        KINDS[terms.kind],
        board_text(terms),
        control_text(terms.control),
        *_length(terms),
        _("rated") if terms.rated else _("casual"),
    )


def _length(terms: TournamentTerms) -> tuple[Text, ...]:
    """Return how long a tournament is in words, if that is known: "45 minutes", "5 rounds"."""
    match terms.kind:
        case TournamentKind.ARENA:
            return (ngettext("%(count)s minute", "%(count)s minutes", terms.plan.minutes),)
        case TournamentKind.SWISS:
            return (ngettext("%(count)s round", "%(count)s rounds", terms.plan.rounds),)
    return ()


def players_text(info: TournamentInfo) -> Text:
    """Return how many players there are, and how many places while they are scarce and can be taken."""
    if info.status == "created" and info.terms.has_few_places:
        return _("%(count)s of %(most)s players", count=info.size, most=info.terms.max_players)
    return ngettext("%(count)s player", "%(count)s players", info.size)


def facts(info: TournamentInfo) -> Iterator[tuple[Text, Text]]:
    """Yield the terms of a tournament as pairs of label and text."""
    terms = info.terms
    yield _("Game"), board_text(terms)
    yield _("Clock"), control_text(terms.control)
    for length in _length(terms):
        yield _("Length"), length
    yield _("Rated?"), _("Rated") if terms.rated else _("Casual")
    yield _("Players"), players_text(info)
    yield from _plan_facts(terms)
    if limits := rating_range_text(terms.rating_min, terms.rating_max):
        yield _("For ratings"), limits
    if terms.min_games:
        yield _("Rated games needed"), Text(str(terms.min_games))
    if info.has_password:
        yield _("Password"), _("needed to join")
    if terms.computers:
        yield _("Programs"), _("may join")


def _plan_facts(terms: TournamentTerms) -> Iterator[tuple[Text, Text]]:
    plan = terms.plan
    match terms.kind:
        case TournamentKind.ARENA:
            counts = plan.late_games == "count"
            yield _("Games under way at the end"), _("count too") if counts else _("do not count")
        case TournamentKind.KNOCK_OUT if plan.best_of > 1:
            yield _("A match"), _("best of %(count)s games", count=plan.best_of)
        case TournamentKind.ROUND_ROBIN:
            if terms.has_groups:
                yield _("Groups"), Text(str(plan.groups))
            if terms.has_final:
                yield _("To the final"), _("%(count)s of each group", count=plan.promoted)
            if plan.is_double:
                yield _("Everybody meets"), _("twice, with sides exchanged")
            if plan.at_once and not terms.is_realtime:
                yield _("Games at a time"), Text(str(plan.at_once))


def tie_breaks(kind: TournamentKind) -> tuple[tuple[Text, Text], ...]:
    """Return the short name and the meaning of each tie-break of a kind."""
    return tuple(_MEANINGS[name] for name in TIE_BREAKS.get(kind, ()))


def result_text(pairing: PairingShown) -> Text:
    """Return how a pairing ended: "1-0", "½-½", "1-0, not played", "bye, 1 point"; empty if it has not."""
    return _result_text(
        pairing.outcome, pairing.second is not None, pairing.game_id is not None, pairing.is_played
    )


@cache
def _result_text(outcome: str | None, has_opponent: bool, has_game: bool, is_played: bool) -> Text:
    if outcome is None:
        return NO_TEXT
    if not has_opponent:
        return _("bye, 1 point") if outcome == "first" else _("bye, ½ point")
    if outcome == "neither" and has_game and not is_played:
        return _("does not count")
    score = Text(_OUTCOMES[outcome])
    return score if is_played else _("%(score)s, not played", score=score)


def left_out_text(left_out: Sequence[str], players: int) -> Text:
    """Return in words that other terms would leave out some players, by their names, of all."""
    return ngettext(
        "%(names)s (%(count)s of %(players)s players) would no longer fit, and is told why.",
        "%(names)s (%(count)s of %(players)s players) would no longer fit, and are told why.",
        len(left_out),
        players=players,
        names=tuple(left_out),
    )


def season_text(season: str) -> Text:
    """Return a season, such as `2026-4`, in words: "October to December 2026"."""
    year, _dash, quarter = season.partition("-")
    return _QUARTERS[quarter](year)
