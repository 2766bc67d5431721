"""Following, muting and blocking players. Nobody learns who follows, mutes or blocks them."""

from collections.abc import Collection

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, reads_now
from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.people.identity.locking import Most, lock_account
from app.people.identity.models import Account
from app.people.identity.names import other_player
from app.people.identity.service import Identity, check_registered
from app.people.inbox.kinds import NewsKind, kinds
from app.people.inbox.service import withdraw_of
from app.people.social import queries
from app.people.social.events import RelationsChanged
from app.people.social.models import RelationRow
from app.people.social.relations import Relation

_MOST_RELATED = Most(
    500,
    "too_many_players",
    "You have chosen %(count)s player already. Remove one before you choose another.",
    "You have chosen %(count)s players already. Remove one before you choose another.",
)


class Social:
    """The relations between players."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    related = reads_now(queries.related)

    async def relate(self, identity: Identity, username: str, relation: Relation) -> None:
        """Follow, mute or block a player; a block ends following them.

        Notifications that the relation would have prevented are deleted, with what is still to be sent of
        them.

        Raise NotFoundError, NeedsAccountError for a guest who follows, InvalidError `yourself`,
        ConflictError `too_many_players`, `blocked` for who follows a player whom they block.
        """
        if relation is Relation.FOLLOW:
            check_registered(identity, _("Register or log in to follow players."))
        written = [name for name, kind in kinds().items() if kind.is_written]
        async with self._database.transaction() as session:
            other = await other_player(session, username, identity.id)
            await lock_account(session, identity.id)
            present = await queries.relations_to(session, identity.id, other.id)
            if relation is Relation.FOLLOW and Relation.BLOCK in present:
                raise ConflictError("blocked", _("You block this player. Unblock them first."))
            if relation not in present:
                count = queries.count_related(identity.id, relation)
                await _MOST_RELATED.check(session, identity.id, count)
            row = {"account_id": identity.id, "relation": relation, "other_id": other.id}
            await session.execute(insert(RelationRow).values(row).on_conflict_do_nothing())
            if relation is Relation.MUTE:
                await withdraw_of(session, other.id, identity.id, *written)
            if relation is Relation.BLOCK:
                await _remove(session, identity, other, Relation.FOLLOW)
                # In one order for both players, so that they can block each other at the same time.
                for actor_id, account_id in sorted(((identity.id, other.id), (other.id, identity.id))):
                    await withdraw_of(session, actor_id, account_id, *written, NewsKind.CHALLENGE)
        self._bus.publish(RelationsChanged((identity.id, other.id)))

    async def undo(self, identity: Identity, username: str, relation: Relation) -> None:
        """Undo following, muting or blocking a player. Raise NotFoundError, InvalidError `yourself`."""
        async with self._database.transaction() as session:
            other = await other_player(session, username, identity.id)
            await _remove(session, identity, other, relation)
        self._bus.publish(RelationsChanged((identity.id, other.id)))

    async def showing(self, account_ids: Collection[int], viewer: Identity | None) -> frozenset[int]:
        """Return those accounts whose presence a viewer may see."""
        async with self._database.reading_now() as session:
            return await queries.showing(session, account_ids, viewer.id if viewer else None)


async def _remove(session: AsyncSession, identity: Identity, other: Account, relation: Relation) -> None:
    await session.execute(
        delete(RelationRow).where(
            RelationRow.account_id == identity.id,
            RelationRow.other_id == other.id,
            RelationRow.relation == relation,
        )
    )
