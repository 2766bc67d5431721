"""The uncertainty of a rating is the same number in rankings and statistics: twice the deviation."""

import re

from hypothesis import given
from hypothesis import strategies as st

from app.core.moments import utc_now
from app.learn.statistics.presenter import statistics_view
from app.learn.statistics.service import Statistics
from app.play.ratings.counting import PlayersRating
from app.play.ratings.leaderboard import RankedRating
from app.site.leaderboards.presenter import ratings_table
from engine.glicko2 import MAX_DEVIATION
from engine.speed import Speed


def on_leaderboard(rating):
    row = RankedRating(1, 1, "wren", False, rating, rating.games, utc_now(), None)
    return re.findall(r"±(\d+)", ratings_table([row], {}, None))


def in_statistics(rating):
    statistics = Statistics([("jadejack", 9, 1)], {"length": {"0": (1, 9)}}, {Speed.BLITZ: rating})
    shown = statistics_view(statistics, "/players/wren/statistics", is_player=True)
    return [cell[1:] for cell in shown.sections[0].rows[0] if str(cell).startswith("±")]


@given(deviation=st.floats(20, MAX_DEVIATION))
def test_rankings_and_statistics_show_the_same_uncertainty(deviation):
    rating = PlayersRating(1500, deviation, opponents=10, games=20)
    assert on_leaderboard(rating) == in_statistics(rating) == [f"{2 * deviation:.0f}"]
