"""What workers do about ratings: they tell all processes that a command has computed them again."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from app.core.database.session import Database
from app.core.jobs.worker import Job, Jobs
from app.core.realtime.bus import Bus
from app.people.identity.events import PlayersChanged
from app.play.ratings.models import PlayerRating
from app.play.ratings.rerating import TELL_OF_RATINGS


async def tell_of_ratings(job: Job, database: Database, bus: Bus) -> Mapping[str, Any]:
    """Make all processes reload the games of every player who has a rating in a game."""
    async with database.reading_now() as session:
        query = select(PlayerRating.account_id).where(PlayerRating.game == job.payload["game"])
        players = tuple(await session.scalars(query))
    bus.publish(PlayersChanged(players))
    return {"players": len(players)}


JOBS: Jobs = {TELL_OF_RATINGS: tell_of_ratings}
