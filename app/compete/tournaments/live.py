"""The live connections of the pages of tournaments and their lists, drawn once for all who see the same."""

from collections.abc import Sequence
from types import NoneType
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket

from app.compete.tournaments import events, presenter
from app.compete.tournaments.chat import TournamentChat
from app.compete.tournaments.follow import Followed, Lists, TournamentSnapshot
from app.compete.tournaments.forms import ListShown, LiveShown
from app.compete.tournaments.offering import ListReader
from app.compete.tournaments.service import TournamentReader, Tournaments
from app.compete.tournaments.views import OwnView, TournamentPage
from app.core.events import Event, Resync, account_topic, game_topic
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.messages import visit
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.live.sharing import DrawnParts
from app.people.identity.service import Identity
from app.play.chat.presenter import rooms_update, said_update
from app.play.chat.rooms import ChatSaid, Conversation, LineRemoved, chat_topic
from app.play.games.events import GameChanged
from app.play.games.presenter.cards import mini_view
from app.play.games.service import Games

router = APIRouter(include_in_schema=False)

_SHOWN_IN_LISTS = (
    NoneType,
    Resync,
    events.TournamentChanged,
    events.TournamentStarted,
    events.TournamentFinished,
)


class TournamentDrawing:
    """What one open page shows. Only parts that have changed are drawn for it again."""

    def __init__(self, viewer: Identity | None, shown: LiveShown) -> None:
        self._viewer = viewer
        self._shown = shown
        self.has_chat: bool | None = None  # not known before the first update
        self.first_game = ""  # of the viewer, if the page had none before the last update
        self._has_game = shown.has_game
        self._own: OwnView | None = None
        self._reader: TournamentReader | None = None
        self._known_by: tuple[object, ...] = ()
        self._parts = DrawnParts()

    async def look(self, snapshot: TournamentSnapshot, tournaments: Tournaments) -> None:
        """Read what the viewer may do, unless that is known for these terms and how the viewer stands."""
        standing = snapshot.standing_of(self._viewer.id) if self._viewer else None
        known_by = snapshot.info.terms, snapshot.info.status, standing and standing.status
        if known_by != self._known_by:
            self._reader = await tournaments.reader(snapshot.info.id, self._viewer)
            self._known_by = known_by

    def update(self, snapshot: TournamentSnapshot, pictured: presenter.Pictured) -> str:
        """Return what brings the page up to date after a look, with the games whose boards it shows."""
        assert self._reader is not None
        rounds = presenter.rounds_view(snapshot, None)
        page = presenter.tournament_page(snapshot, pictured, self._shown.number, rounds)
        parts = {
            "name": self._drawn(snapshot, "name", (), page=page),
            "status": self._drawn(snapshot, "status", (), page=page),
            "standings": self._standings(snapshot, page),
            "board": self._drawn(snapshot, "board", (pictured.featured,), page=page),
            "terms": self._drawn(snapshot, "terms", (), page=page),
        }
        if self._shown.round is None:
            parts["rounds"] = self._drawn(snapshot, "rounds", (), page=page)
        changed = self._parts.changed(parts)
        own = presenter.own_view(snapshot, self._viewer, self._reader)
        self.first_game = own.games[0][0] if own.games and not self._has_game else ""
        self._has_game = bool(own.games)
        if own != self._own:
            self._own = own
            changed.append(self._part("own", own=own))
        return "".join(changed)

    def update_chat(self, snapshot: TournamentSnapshot, conversations: Sequence[Conversation]) -> str:
        """Return what shows the chat: what was said meanwhile, or all of it if it was switched on or off."""
        was_on, self.has_chat = self.has_chat, snapshot.info.terms.chat
        if was_on in (None, self.has_chat):
            return rooms_update(conversations, self._viewer)
        return self._part("chat", rooms=conversations)

    def _standings(self, snapshot: TournamentSnapshot, page: TournamentPage) -> str:
        """Return the standings, in which the reader's row is marked, or there is a link to it."""
        number = self._shown.number
        jumps = presenter.is_on_another_page(snapshot, self._viewer, number)
        place = snapshot.places.get(self._viewer.id) if self._viewer and not jumps else None
        return self._drawn(snapshot, "standings", (number, jumps, place), page=page, jumps=jumps)

    def _drawn(self, snapshot: TournamentSnapshot, name: str, key: tuple[object, ...], **context: Any) -> str:
        return snapshot.drawn.once(lambda: self._part(name, **context), name, *key)

    def _part(self, name: str, **context: Any) -> str:
        return _part(name, viewer=self._viewer, **context)


def _part(name: str, **context: Any) -> str:
    """Return what replaces one part of an open page."""
    source = f"partials/tournament_{name}.html"
    return fragment("partials/tournament_update.html", part=name, source=source, **context)


def _draw_lists(lists: Lists, reader: ListReader | None, *, is_past: bool) -> str:
    """Return what brings the page of a list up to date, for all readers to whom it offers the same."""

    def draw() -> str:
        if is_past:
            return _part("past", past=presenter.page_view(lists.past, None), shown=ListShown())
        return _part("lists", lists=presenter.lists_view(lists, reader), shown=ListShown())

    return lists.drawn.once(draw, is_past, reader)


@router.websocket("/tournaments/live")
async def live_tournaments(
    websocket: WebSocket,
    live: Part[Live],
    followed: Part[Followed],
    tournaments: Part[Tournaments],
    shown: Annotated[ListShown, Query()],
) -> None:
    """Push the first page of a list of tournaments whenever it changes."""
    async with live.page(websocket) as socket:
        viewer = socket.identity
        parts = DrawnParts()

        async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            if not isinstance(event, _SHOWN_IN_LISTS):
                return ""
            is_past = shown.when == "past"
            own = [] if viewer is None or is_past else await tournaments.of_account(viewer.id)
            lists = await followed.lists()
            reader = None if is_past else await tournaments.list_reader(viewer, (*own, *lists.open))
            drawn = _draw_lists(lists, reader, is_past=is_past)
            yours = "" if is_past else _part("yours", own=presenter.row_views(own, reader))
            return "".join(parts.changed({"lists": drawn, "yours": yours}))

        push(socket, render, events.TOURNAMENTS, *((account_topic(viewer.id),) if viewer else ()))


@router.websocket("/tournaments/{tournament_id:id}/live")
async def live_tournament(
    websocket: WebSocket,
    tournament_id: str,
    live: Part[Live],
    followed: Part[Followed],
    tournaments: Part[Tournaments],
    chat: Part[TournamentChat],
    games: Part[Games],
    shown: Annotated[LiveShown, Query()],
) -> None:
    """Push a tournament to its page, and send players to their real-time games when they are paired.

    A page that was not connected when its player was paired is sent to the game when it connects.
    """
    async with live.page(websocket) as socket:
        viewer = socket.identity
        drawing = TournamentDrawing(viewer, shown)
        of_viewer = (account_topic(viewer.id),) if viewer else ()
        topics = (events.tournament_topic(tournament_id), chat_topic(tournament_id), *of_viewer)

        async def render(event: Event | Resync | None, subscription: LiveSubscription) -> str:
            match event:
                case ChatSaid():
                    is_shown = drawing.has_chat and await chat.shows(viewer, event)
                    return said_update(event, viewer) if is_shown else ""
                case LineRemoved():
                    info = (await followed.read(tournament_id)).info
                    return rooms_update(await chat.conversations(viewer, info), viewer)
                case GameChanged(is_over=False):
                    mini = mini_view(await games.after(event))
                    return fragment("partials/mini_update.html", mini=mini)
                case events.TournamentPaired(paired, game_id=game_id) if paired == tournament_id:
                    snapshot = await followed.read(tournament_id)
                    if snapshot.info.terms.is_realtime:
                        socket.send(visit(f"/games/{game_id}"))
                case None | Resync() | events.TournamentChanged() | GameChanged():
                    snapshot = await followed.read(tournament_id)
                    pictured = await presenter.pictured(snapshot, games)
                    top = pictured.featured
                    subscription.listen_to(*topics, *((game_topic(top.id),) if top else ()))
                    await drawing.look(snapshot, tournaments)
                    info, rooms = snapshot.info, None
                    if isinstance(event, Resync | None) or drawing.has_chat != info.terms.chat:
                        rooms = await chat.conversations(viewer, info)
                    # Nothing that may fail follows: what is drawn counts as sent.
                    html = drawing.update(snapshot, pictured)
                    if info.terms.is_realtime and (game_id := drawing.first_game):
                        socket.send(visit(f"/games/{game_id}"))
                    return html if rooms is None else html + drawing.update_chat(snapshot, rooms)
            return ""

        push(socket, render, *topics)
