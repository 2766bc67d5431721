"""Guests who log in are asked whether their games and runs come along into the account, or stay apart.

What comes along belongs to the account from then on. The rest stays with the guest, whose session the browser
keeps aside: after logging out, one goes on as the guest.
"""

from app.core.database.session import Database
from app.core.realtime.bus import Bus
from app.people.identity.events import PlayersChanged
from app.people.identity.locking import lock_open_accounts
from app.people.identity.service import Identity
from app.people.inbox.events import InboxChanged
from app.play.games.events import GameChanged
from app.play.lobby.challenges import ChallengeChanged
from app.site.accounts import belongings, keys
from app.site.accounts.belongings import Plan


class Guests:
    """What guests have, and bringing it along."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def has_any(self, viewer: Identity | None) -> bool:
        """Return whether a viewer is a guest who has something to bring along."""
        if viewer is None or not viewer.is_guest:
            return False
        async with self._database.reading_now() as session:
            return await belongings.has_any(session, viewer.id)

    async def plan(self, guest: Identity, identity: Identity) -> Plan:
        """Return what of a guest may come along into an account, and what stays."""
        async with self._database.reading_now() as session:
            return await belongings.plan(session, guest.id, identity.id)

    async def bring(self, guest: Identity, identity: Identity) -> Plan:
        """Bring along what may come, and return it. A guest who has nothing left ends."""
        ended: list[bytes] = []
        async with self._database.transaction() as session:
            if await lock_open_accounts(session, (guest.id, identity.id)) != {guest.id, identity.id}:
                return Plan((), (), (), {})
            brought = await belongings.plan(session, guest.id, identity.id)
            games = await belongings.hand_over(session, brought, guest.id, identity.id)
            if not brought.left:
                ended = await keys.revoke_all(session, guest.id)
        keys.announce(self._bus, ended)
        both = (guest.id, identity.id)
        self._bus.publish(PlayersChanged(both))
        self._bus.publish(InboxChanged(both))
        for game_id, version in games:
            self._bus.publish(GameChanged(game_id, version, both, None, is_over=False, step=None))
        for challenge_id in brought.challenges:
            self._bus.publish(ChallengeChanged(challenge_id, "open", both))
        return brought
