"""Builds what the pages of rankings show."""

from typing import Any

from app.core.database.ranking import RankedPage
from app.nugget.competitions import CompetitionInfo, Competitions
from app.nugget.rankings import Rankings
from app.nugget.standings import RankedEntry
from app.people.identity.service import Identity

_ROWS = 50


async def ranking_context(
    rankings: Rankings, viewer: Identity | None, players: str, period: str, cursor: str
) -> dict[str, Any]:
    """Return a page of a ranking as the templates show it, with the viewer's own row if it is on another."""
    ranking = await rankings.page(players, period, cursor, _ROWS)
    mine = await rankings.row_of(players, period, viewer.id) if viewer else None
    return {**_context(ranking, mine, cursor), "players": players, "period": period}


async def competition_context(
    competitions: Competitions, competition: CompetitionInfo, viewer: Identity | None, cursor: str
) -> dict[str, Any]:
    """Return a page of a competition's ranking likewise; `rows` is None while that is not shown."""
    if not competition.shows_scores:
        return {"rows": None}
    ranking = await competitions.ranking(competition.id, cursor, _ROWS)
    mine = await competitions.row_of(competition.id, viewer.id) if viewer else None
    return _context(ranking, mine, cursor)


def _context(ranking: RankedPage[RankedEntry], mine: RankedEntry | None, cursor: str) -> dict[str, Any]:
    return {
        "rows": ranking.rows,
        "next": ranking.next,
        "cursor": cursor,
        "mine": mine if mine not in ranking.rows else None,
    }
