"""Draws the parts of an open page of a tournament, once for all readers to whom they look the same."""

from collections.abc import Sequence
from typing import Any

from app.chat.posting import Conversation
from app.chat.presenter import room_views
from app.games.views import MiniView
from app.i18n.languages import current
from app.identity.service import Identity
from app.tournaments.follow import Snapshot
from app.tournaments.forms import Shown
from app.tournaments.presenter import ROWS, own_view, rounds_view, tournament_page
from app.tournaments.views import OwnView, TournamentPage
from app.web.render import fragment


class Drawing:
    """What one open page shows. Only parts that have changed are drawn for it again."""

    def __init__(self, viewer: Identity | None, shown: Shown) -> None:
        self._viewer = viewer
        self._shown = shown
        self.has_chat: bool | None = None  # not known before the first update
        self._own: OwnView | None = None
        self._parts: dict[str, str] = {}

    def update(self, snapshot: Snapshot, featured: MiniView | None) -> str:
        """Return what brings the page up to date."""
        page = tournament_page(snapshot, featured, self._shown.number, rounds_view(snapshot, None))
        parts = {
            "status": self._drawn(snapshot, "status", (), page=page),
            "standings": self._drawn(snapshot, "standings", self._standings_key(snapshot), page=page),
            "board": self._drawn(snapshot, "board", (featured,), page=page),
        }
        if self._shown.round is None:
            parts["rounds"] = self._drawn(snapshot, "rounds", (), page=page)
        changed = [html for name, html in parts.items() if self._parts.get(name) != html]
        self._parts = parts
        own = own_view(snapshot, self._viewer)
        if own != self._own:
            self._own = own
            changed.append(self._fragment("own", page=page, own=own))
        return "".join(changed)

    def update_chat(self, snapshot: Snapshot, conversations: Sequence[Conversation]) -> str:
        """Return what shows the chat: what was said meanwhile, or all of it if it was switched on or off."""
        was_on, self.has_chat = self.has_chat, snapshot.info.terms.chat
        rooms = room_views(conversations)
        if was_on in (None, self.has_chat):
            return fragment("partials/chat_update.html", rooms=rooms, viewer=self._viewer)
        return self._fragment("chat", page=snapshot, rooms=rooms)

    def _standings_key(self, snapshot: Snapshot) -> tuple[object, ...]:
        """Return what distinguishes the standings: readers whose row is among those shown see it marked."""
        place = snapshot.places.get(self._viewer.id) if self._viewer else None
        number = self._shown.number
        is_shown = place is not None and place // ROWS + 1 == number
        return (number, place if is_shown else None)

    def _drawn(self, snapshot: Snapshot, name: str, key: tuple[object, ...], *, page: TournamentPage) -> str:
        of_all = (name, current(), *key)
        if of_all not in snapshot.drawn:
            snapshot.drawn[of_all] = self._fragment(name, page=page)
        return snapshot.drawn[of_all]

    def _fragment(self, name: str, **context: Any) -> str:
        return fragment(
            "partials/tournament_update.html",
            part=name,
            source=f"partials/tournament_{name}.html",
            viewer=self._viewer,
            refusal=None,
            **context,
        )
