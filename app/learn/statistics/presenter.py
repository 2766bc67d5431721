"""Statistics as pages show them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from app.core.i18n.formats import number
from app.core.i18n.text import NO_TEXT, Text, _, joined, ngettext
from app.core.web.charts import histogram, lines
from app.core.web.filters import side_name
from app.learn.statistics.counting import RATED_ABOVE, Measure
from app.learn.statistics.explorer import Explored
from app.learn.statistics.service import Counts, Statistics
from app.play.games.wording import SPEEDS, rating_text, uncertainty
from app.play.ratings.speeds import BySpeed
from engine.registry import FOR_TWO
from engine.speed import BLITZ_BELOW, MOVES_OF_SPEED

RATING_CHOICES: Sequence[tuple[str, Text]] = (
    ("", _("Any rating")),
    *((str(rating), _("Rated above %(rating)s", rating=rating)) for rating in RATED_ABOVE),
)
"""The ratings above which the explorer looks at games, as a select shows them."""

_MOST_OPENINGS = 20
_ENOUGH = 100  # games, before they say anything about the komi
_KOMIS = (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5)


@dataclass(frozen=True, slots=True)
class Section:
    """One subject: a chart, if there is one, and its figures as a table."""

    title: Text
    note: Text
    chart: Markup | None
    columns: Sequence[Text]
    rows: Sequence[Sequence[object]]


@dataclass(frozen=True, slots=True)
class StatisticsView:
    """All subjects of a board; `boards` links to it and the others: label, address, whether it is shown.

    Without subjects no games match what was chosen.
    """

    boards: Sequence[tuple[Text, str, bool]]
    games: int
    sections: Sequence[Section]


def explored_rows(explored: Explored) -> list[tuple[str, int, list[tuple[str, int]]]]:
    """Return moves with their games and the percentage that each side won of them."""
    return [
        (each.move, each.games, [(side, round(100 * won / each.games)) for side, won in each.wins.items()])
        for each in explored.moves
    ]


def statistics_view(statistics: Statistics, path: str, *, is_player: bool) -> StatisticsView:
    """Return the statistics of a board, those of a player from the player's point of view."""
    is_found = bool(statistics.counts)
    boards = [
        (
            _("%(game)s %(board)s", game=FOR_TWO[game].title, board=f"{size}×{size}"),
            f"{path}?game={game}&size={size}",
            is_found and place == 0,
        )
        for place, (game, size, _games) in enumerate(statistics.boards)
    ]
    if not is_found:
        return StatisticsView(boards, 0, [])
    game, _size, games = statistics.boards[0]
    counts = {measure: statistics.counts.get(measure, {}) for measure in Measure}
    sections = [
        _speeds(statistics.ratings),
        _results(counts[Measure.RESULT], game, is_player=is_player),
        _komi(counts[Measure.MARGIN], game),
        _komis_played(counts[Measure.KOMI], counts[Measure.RESULT], game),
        _openings(counts[Measure.OPENING]),
        _lengths(counts[Measure.LENGTH]),
        _hijacks(counts[Measure.HIJACKS]),
        _times(counts[Measure.TIME]),
    ]
    return StatisticsView(boards, games, [section for section in sections if section.rows])


def _speeds(ratings: BySpeed) -> Section:
    """Return a player's ratings by speed, none without rated games."""
    note = _(
        "From the last rated games on all boards. A game is blitz if a player has less than %(minutes)s "
        "minutes for %(moves)s moves. Opponents are found by the rating of all games together.",
        minutes=BLITZ_BELOW // 60,
        moves=MOVES_OF_SPEED,
    )
    columns = (_("Speed"), _("Rating"), _("Uncertainty"), _("Games"))
    rows = [
        (SPEEDS[speed], rating_text(rating), f"±{uncertainty(rating)}", rating.games)
        for speed, rating in ratings.items()
    ]
    return Section(_("Rating by speed"), note, None, columns, rows)


def _results(counts: Counts, game: str, *, is_player: bool) -> Section:
    """Return what each side won, with a column for each side: fewer than there are figures."""
    sides = FOR_TWO[game].sides
    columns: list[tuple[object, ...]] = []
    for seat in range(len(sides)):
        won, lost, drawn = (counts.get(f"{seat}:{fared}", (0, 0))[0] for fared in ("won", "lost", "drawn"))
        if not is_player and seat == 1:  # for everybody the first side is counted
            won, lost, drawn = (counts.get(f"0:{fared}", (0, 0))[0] for fared in ("lost", "won", "drawn"))
        games = won + lost + drawn
        columns.append((games, won, lost, drawn, _percent(won, games)))
    labels = (_("Games"), _("Won"), _("Lost"), _("Drawn"), _("Won (%%)"))
    rows: list[Sequence[object]] = list(zip(labels, *columns, strict=True)) if counts else []
    return Section(_("Results by side"), NO_TEXT, None, (_("Side"), *map(side_name, sides)), rows)


def _komi(counts: Counts, game: str) -> Section:
    """Return how often the first side would win with other points for the second at the start."""
    rules = FOR_TWO[game]
    start = rules.score(rules.initial({}))
    komi = start[rules.sides[1]] - start[rules.sides[0]]
    margins = sorted((float(bucket), count) for bucket, (count, _total) in counts.items())
    games = sum(count for _margin, count in margins)
    if not komi or not games:
        return Section(NO_TEXT, NO_TEXT, None, (), [])
    rows: list[tuple[str, int, int, str]] = []
    for value in _KOMIS:
        won = sum(count for margin, count in margins if margin > value)
        rows.append((number(value), won, games - won, _percent(won, games)))
    note = _(
        "The points by which %(side)s led in games that were played out, without the komi of %(komi)s.",
        side=side_name(rules.sides[0]),
        komi=komi,
    )
    if games >= _ENOUGH:
        fair, *_others = min(rows, key=lambda row: abs(2 * row[1] - games))
        closest = _("With %(fair)s, the results would have been closest to even.", fair=fair)
        note = joined(note, closest)
    return Section(
        _("Does the komi fit?"),
        note,
        histogram(_("Lead without komi"), _bins(margins)),
        (
            _("Komi"),
            _("%(side)s wins", side=side_name(rules.sides[0])),
            _("%(side)s wins", side=side_name(rules.sides[1])),
            _("%(side)s wins (%%)", side=side_name(rules.sides[0])),
        ),
        rows,
    )


def _komis_played(unusual: Counts, results: Counts, game: str) -> Section:
    """Return how often the first side won with each komi that was played; without a choice there is none."""
    rules = FOR_TWO[game]
    start = rules.score(rules.initial({}))
    usual = start[rules.sides[1]] - start[rules.sides[0]]
    won: Counter[float] = Counter()
    games: Counter[float] = Counter()
    for bucket, (count, _total) in unusual.items():
        komi, _colon, fared = bucket.partition(":")
        games[float(komi)] += count
        won[float(komi)] += count if fared == "won" else 0
    counted = sum(count for bucket, (count, _total) in results.items() if bucket.startswith("0:"))
    of_usual = counted - games.total(), results.get("0:won", (0, 0))[0] - won.total()
    games[usual], won[usual] = of_usual
    rows = [
        (number(komi), games[komi], won[komi], games[komi] - won[komi], _percent(won[komi], games[komi]))
        for komi in sorted(games)
    ]
    first, second = map(side_name, rules.sides)
    return Section(
        _("Results by komi"),
        _("All games on this board. With a fair komi, both sides win half of them."),
        None,
        (
            _("Komi"),
            _("Games"),
            _("%(side)s wins", side=first),
            _("%(side)s wins", side=second),
            _("%(side)s wins (%%)", side=first),
        ),
        rows if unusual else [],
    )


def _bins(values: Sequence[tuple[float, int]]) -> list[tuple[str, int]]:
    """Return counted whole numbers as at most about 30 bins of equal width."""
    low, high = int(values[0][0]), int(values[-1][0])
    width = (high - low) // 30 + 1
    bins = dict.fromkeys(range(low, high + 1, width), 0)
    for value, count in values:
        bins[low + (int(value) - low) // width * width] += count
    return [(str(start), count) for start, count in bins.items()]


def _openings(counts: Counts) -> Section:
    games = sum(count for count, _total in counts.values())
    ordered = sorted(counts.items(), key=lambda item: (-item[1][0], item[0]))
    rows = [
        (move, count, _percent(count, games)) for move, (count, _total) in islice(ordered, _MOST_OPENINGS)
    ]
    return Section(
        _("First moves"),
        _("Squares that mirror each other count as one."),
        histogram(_("First moves"), [(move, count) for move, count, _share in rows]),
        (_("Move"), _("Games"), _("Share (%%)")),
        rows,
    )


def _lengths(counts: Counts) -> Section:
    ranges = _ranges(counts)
    games = sum(count for _start, count, _total in ranges)
    plies = sum(total for _start, _count, total in ranges)
    return Section(
        _("Length of games"),
        ngettext("%(count)s move on average", "%(count)s moves on average", round(plies / max(games, 1), 1)),
        histogram(_("Length of games"), [(start, count) for start, count, _total in ranges]),
        (_("From move"), _("Games")),
        [(start, count) for start, count, _total in ranges],
    )


def _hijacks(counts: Counts) -> Section:
    ordered = sorted((int(bucket), count) for bucket, (count, _total) in counts.items())
    hijacks = sum(each * count for each, count in ordered)
    games = sum(count for _each, count in ordered)
    if not hijacks:
        return Section(NO_TEXT, NO_TEXT, None, (), [])
    return Section(
        _("Hijacks a game"),
        ngettext("%(count)s hijack on average", "%(count)s hijacks on average", round(hijacks / games, 1)),
        histogram(_("Hijacks a game"), [(str(each), count) for each, count in ordered]),
        (_("Hijacks"), _("Games")),
        ordered,
    )


def _times(counts: Counts) -> Section:
    # They are stored by the plies before the move; moves are numbered from 1.
    ranges = [(str(int(start) + 1), count, total) for start, count, total in _ranges(counts)]
    seconds = [(start, round(total / count / 1000, 1)) for start, count, total in ranges]
    return Section(
        _("Thinking time"),
        _("Seconds for a move, on average, by its number in the game."),
        lines(_("Thinking time"), [[value for _start, value in seconds]], (seconds[0][0], seconds[-1][0]))
        if len(seconds) > 1
        else None,
        (_("From move"), _("Moves"), _("Seconds")),
        [
            (start, count, number(value))
            for (start, value), (_start, count, _total) in zip(seconds, ranges, strict=True)
        ],
    )


def nugget_section(boards: Mapping[int, Mapping[int, int]]) -> Section:
    """Return the distribution of moves by the number of the board."""
    rows = []
    for board in sorted(boards):
        counts = sorted(boards[board].items())
        rows.append((board, *(_quantile(counts, share) for share in (0, 0.25, 0.5, 0.75, 1))))
    chart = None
    if len(rows) > 1:
        chart = lines(
            _("Moves by board"),
            [[row[3] for row in rows], [row[1] for row in rows]],
            (str(rows[0][0]), str(rows[-1][0])),
        )
    return Section(
        _("Moves by board"),
        _("Solid: half of the entries took at most so many moves. Dashed: the fewest."),
        chart,
        (_("Board"), _("Fewest"), _("A quarter"), _("Half"), _("Three quarters"), _("Most")),
        rows,
    )


def _quantile(counts: Sequence[tuple[int, int]], share: float) -> int:
    """Return the smallest value that at least a share of all counted ones does not exceed."""
    wanted = share * sum(count for _value, count in counts)
    seen = 0
    for value, count in counts:
        seen += count
        if seen >= wanted:
            return value
    return counts[-1][0]


def _ranges(counts: Counts) -> list[tuple[str, int, int]]:
    ordered = sorted((int(bucket), *counted) for bucket, counted in counts.items())
    return [(str(start), count, total) for start, count, total in ordered]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}" if whole else "-"
