"""Builds what the pages of rankings show."""

from typing import Any

from app.identity.service import Identity
from app.nugget.rankings import Rankings

_ROWS = 50


async def ranking_context(
    rankings: Rankings, viewer: Identity | None, players: str, period: str, cursor: str
) -> dict[str, Any]:
    """Return a page of a ranking as the templates show it, with the viewer's own row if it is on another."""
    ranking = await rankings.page(players, period, cursor, _ROWS)
    mine = await rankings.row_of(players, period, viewer.id) if viewer else None
    return {
        "rows": ranking.rows,
        "next": ranking.next,
        "cursor": cursor,
        "mine": mine if mine not in ranking.rows else None,
        "players": players,
        "period": period,
    }
