"""PgQueuer on this application's connections and events."""

from typing import TYPE_CHECKING

from pgqueuer.db import AsyncpgPoolDriver
from pgqueuer.domain.models import TableChangedEvent, utc_now
from pgqueuer.domain.settings import db_settings

from app.core.events import Event, Resync
from app.core.jobs.events import JOBS
from app.core.realtime.hub import Hub

if TYPE_CHECKING:
    import asyncpg
    from pgqueuer.ports.driver import NotifyCallback


class HubDriver(AsyncpgPoolDriver):
    """PgQueuer's access to PostgreSQL, with the hub instead of LISTEN and NOTIFY.

    PgQueuer's trigger would send a NOTIFY in every transaction that adds a job, a player's move included,
    and PostgreSQL lets transactions that notify commit only one after the other. `JobAdded` is published
    after the commit and wakes PgQueuer just as well.
    """

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", hub: Hub) -> None:
        super().__init__(pool)
        self._hub = hub
        self._callbacks: list[NotifyCallback] = []

    async def notify(self, channel: str, payload: str) -> None:  # noqa: ARG002 - there is one channel
        """Pass a message to the listeners of this process."""
        for callback in self._callbacks:
            callback(payload)

    async def add_listener(self, channel: str, callback: "NotifyCallback") -> None:  # noqa: ARG002
        """Wake a listener whenever jobs are added."""
        self._hub.listen(self._on_event, (JOBS,))
        self._callbacks.append(callback)

    async def __aexit__(self, *exception: object) -> None:
        self._hub.ignore(self._on_event, (JOBS,))
        self._callbacks.clear()
        await super().__aexit__(*exception)

    def wake(self) -> None:
        """Make PgQueuer look for jobs now."""
        event = TableChangedEvent(
            channel=db_settings().channel,
            sent_at=utc_now(),
            type="table_changed_event",
            operation="insert",
            table=db_settings().queue_table,
        ).model_dump_json()
        for callback in self._callbacks:
            callback(event)

    def _on_event(self, _event: Event | Resync) -> None:
        self.wake()
