"""Draws the parts of open pages of tournaments, once for all readers to whom they look the same."""

from collections.abc import Iterable, Sequence
from typing import Any

from app.compete.tournaments.follow import Lists, Snapshot
from app.compete.tournaments.forms import LiveShown
from app.compete.tournaments.presenter import (
    ROWS,
    lists_view,
    own_view,
    past_view,
    rounds_view,
    row_views,
    tournament_page,
)
from app.compete.tournaments.queries.tournaments import TournamentInfo
from app.compete.tournaments.views import OwnView, TournamentPage
from app.core.web.render import fragment
from app.live.drawing import Parts
from app.people.identity.service import Identity
from app.play.chat.presenter import room_views
from app.play.chat.service import Conversation
from app.play.games.views import MiniView


class Drawing:
    """What one open page shows. Only parts that have changed are drawn for it again."""

    def __init__(self, viewer: Identity | None, shown: LiveShown) -> None:
        self._viewer = viewer
        self._shown = shown
        self.has_chat: bool | None = None  # not known before the first update
        self.first_game = ""  # of the viewer, if the page had none before the last update
        self._has_game = shown.has_game
        self._own: OwnView | None = None
        self._parts = Parts()

    def update(self, snapshot: Snapshot, featured: MiniView | None) -> str:
        """Return what brings the page up to date."""
        page = tournament_page(snapshot, featured, self._shown.number, rounds_view(snapshot, None))
        parts = {
            "status": self._drawn(snapshot, "status", (), page=page),
            "standings": self._drawn(snapshot, "standings", self._standings_key(snapshot), page=page),
            "board": self._drawn(snapshot, "board", (featured,), page=page),
            "terms": self._drawn(snapshot, "terms", (), page=page),
        }
        if self._shown.round is None:
            parts["rounds"] = self._drawn(snapshot, "rounds", (), page=page)
        changed = self._parts.changed(parts)
        own = own_view(snapshot, self._viewer)
        self.first_game = own.games[0][0] if own.games and not self._has_game else ""
        self._has_game = bool(own.games)
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
        return snapshot.drawn.once(lambda: self._fragment(name, page=page), name, *key)

    def _fragment(self, name: str, **context: Any) -> str:
        return fragment(
            "partials/tournament_update.html",
            part=name,
            source=f"partials/tournament_{name}.html",
            viewer=self._viewer,
            **context,
        )


def draw_lists(lists: Lists, when: str) -> str:
    """Return what brings the page of a list up to date."""
    part = "past" if when == "past" else "lists"

    def draw() -> str:
        return fragment(
            "partials/tournament_update.html",
            part=part,
            source=f"partials/tournament_{part}.html",
            lists=lists_view(lists, lists.coming),
            past=past_view(lists.past),
            cursor="",
        )

    return lists.drawn.once(draw, when)


def draw_own(infos: Iterable[TournamentInfo]) -> str:
    """Return what brings the list of a viewer's tournaments up to date."""
    source = "partials/tournament_yours.html"
    return fragment("partials/tournament_update.html", part="yours", source=source, own=row_views(infos))
