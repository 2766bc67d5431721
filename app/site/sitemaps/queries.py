"""Which pages of the database are for everybody: the latest of each kind."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sqlalchemy import Select, func, null, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.models import Team
from app.compete.tournaments.models import Tournament
from app.core.web.paths import register_choice
from app.learn.studies.models import StudyRow
from app.learn.studies.queries import is_public
from app.nugget.models import Competition
from app.people.identity.models import Account
from app.play.games.models import Game
from app.site.sitemaps.documents import Listed

_MOST = 5_000
"""Pages of a sitemap, which may have 50,000 addresses and 50 MB. Search engines find older ones by links."""

_tournament_changed_at = func.coalesce(Tournament.ended_at, Tournament.started_at)
_QUERIES: Mapping[str, Select[str, Any]] = {
    "/games/": select(Game.id, Game.ended_at)
    .where(Game.ended_at.is_not(None), Game.second_player.is_not(None), Game.status == "finished")
    .order_by(Game.ended_at.desc()),
    "/nugget/competitions/": select(Competition.id, null())
    .where(Competition.cancelled_at.is_(None))
    .order_by(Competition.starts_at.desc()),
    "/players/": select(Account.username, null())
    .where(Account.password_hash.is_not(None), Account.closed_at.is_(None))
    .order_by(Account.id.desc()),
    "/studies/": select(StudyRow.id, StudyRow.updated_at)
    .where(is_public(), StudyRow.game_id.is_(None))
    .order_by(StudyRow.updated_at.desc()),
    "/teams/": select(Team.id, null()).where(Team.closed_at.is_(None)).order_by(Team.size.desc(), Team.id),
    "/tournaments/": select(Tournament.id, _tournament_changed_at)
    .where(Tournament.status != "cancelled")
    .order_by(Tournament.created_at.desc()),
}

KINDS = {path.strip("/").rpartition("/")[2]: path for path in _QUERIES}
"""The start of the paths of a kind of pages, by the name of the kind."""

register_choice("listed", KINDS)


async def latest(session: AsyncSession, kind: str) -> list[Listed]:
    """Return the latest pages of one of the KINDS."""
    start = KINDS[kind]
    rows = await session.execute(_QUERIES[start].limit(_MOST))
    return [Listed(start + quote(name), changed_at) for name, changed_at in rows.all()]
