"""Builds the views of players."""

from markupsafe import Markup

from app.games.wording import change_text, rating_text
from app.players.queries import GameRating
from app.players.views import RatingView
from app.web.charts import lines
from engine.registry import GAMES


def rating_view(rating: GameRating) -> RatingView:
    """Return a player's rating at one game, with a chart of its history."""
    return RatingView(
        title=GAMES[rating.game].title,
        key=rating.game,
        text=rating_text(rating.rating),
        deviation=round(rating.rating.deviation),
        games=rating.rated_games,
        place=rating.place,
        chart=_chart(rating),
        history=[
            (f"{at:%Y-%m-%d}", f"{after:.0f}", change_text(after - before))
            for at, before, after in rating.history
        ],
    )


def _chart(rating: GameRating) -> Markup | None:
    if not rating.history:
        return None
    (first_at, start, _), (last_at, *_) = rating.history[0], rating.history[-1]
    return lines(
        f"Rating at {GAMES[rating.game].title} by game",
        [[start, *(after for _, _, after in rating.history)]],
        (f"{first_at:%Y-%m-%d}", f"{last_at:%Y-%m-%d}"),
    )
