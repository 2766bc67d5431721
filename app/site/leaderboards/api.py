"""Leaderboards for programs: ratings of the games for two, best scores of the solitaires."""

from typing import Annotated

from fastapi import Query

from app.core.errors import InvalidError, NotFoundError
from app.core.i18n.text import _
from app.core.web.deps import Part
from app.core.web.params import PageDep
from app.core.web.routes import Router
from app.play.ratings.leaderboard import settled
from app.play.solitaire.scores import ranking
from app.site.leaderboards import findings
from app.site.leaderboards.schemas import BestScores, KnownScores, RatedPlayers
from app.site.leaderboards.service import Leaderboards
from engine.registry import FOR_TWO, SOLITAIRE
from engine.speed import Speed

router = Router(prefix="/api/v1", tags=["leaderboards"])


@router.get("/leaderboards/{game:game}")
async def leaderboard_of(
    game: str,
    leaderboards: Part[Leaderboards],
    page: PageDep,
    size: Annotated[int | None, Query(ge=1, le=99)] = None,
    speed: Speed | None = None,
) -> RatedPlayers | BestScores:
    """List the settled ratings at a game for two, or the best scores of a solitaire.

    A game that is both returns its ratings, and with a size the best scores of its solitaire. Without a
    size, a solitaire returns those of its default board. With a speed, ratings are those of games at it.
    """
    if game in FOR_TWO and (size is None or game not in SOLITAIRE):
        return RatedPlayers.of(await leaderboards.page(settled(game, speed=speed), *page))
    sizes = SOLITAIRE[game].options["size"]
    chosen = sizes.default if size is None else size
    if not sizes.minimum <= chosen <= sizes.maximum:
        raise InvalidError(
            "bad_options",
            _("Choose a size from %(minimum)s to %(maximum)s.", minimum=sizes.minimum, maximum=sizes.maximum),
        )
    return BestScores.of(await leaderboards.page(ranking(game, chosen), *page), size=chosen)


@router.get("/records/{game:game}")
async def known_scores(game: str, leaderboards: Part[Leaderboards]) -> KnownScores:
    """Return what is known of a number game: the best scores by board size, and the value of best play."""
    if game not in SOLITAIRE:
        raise NotFoundError("record")
    return KnownScores.model_validate(
        {"boards": await leaderboards.known(game), "rounds": findings.values_of_play(game)}
    )
