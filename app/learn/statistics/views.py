"""What the pages of statistics show."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.i18n.text import Text, _
from app.learn.statistics.lines import RATED_ABOVE

RATING_CHOICES: Sequence[tuple[str, Text]] = (
    ("", _("Any rating")),
    *((str(rating), _("Rated above %(rating)s", rating=rating)) for rating in RATED_ABOVE),
)
"""The ratings above which the explorer looks at games, as a select shows them."""


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
    """All subjects of a board; `boards` links to it and the others: label, address, whether it is shown."""

    boards: Sequence[tuple[Text, str, bool]]
    games: int
    sections: Sequence[Section]
