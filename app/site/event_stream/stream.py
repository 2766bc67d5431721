"""The event stream of an account: everything that concerns it, once each (docs/api.md).

An event may arrive late. What a line says is read from PostgreSQL right before, and a line that is no longer
true is left out.
"""

import contextlib
from copy import copy
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from app.compete.tournaments.events import TournamentFinished, TournamentPaired, TournamentStarted
from app.compete.tournaments.queries import OPEN
from app.compete.tournaments.service import Tournaments
from app.core import json
from app.core.database.unreadable import UnreadableError
from app.core.events import Event, Resync, account_topic, player_topic
from app.core.moments import utc_now
from app.core.realtime.events import OnlineChanged
from app.live.pushing import LiveSubscription
from app.nugget.records.events import RecordBeaten
from app.nugget.records.reading import Records
from app.nugget.records.schemas import RecordBeatenEvent, beaten
from app.people.inbox.api import ListedNotification
from app.people.inbox.kinds import NewsKind
from app.people.inbox.queries import is_of_kind
from app.people.inbox.service import Inbox
from app.people.social.events import RelationsChanged
from app.play.games.events import (
    GameChanged,
    GameStarted,
    PauseRequested,
    Played,
    TakebackRequested,
    TakenBack,
)
from app.play.games.game import GameState
from app.play.games.schemas import snapshot
from app.play.games.service import Games
from app.play.lobby.challenges import ChallengeChanged, ChallengeInfo
from app.play.lobby.schemas import ChallengeShown
from app.play.lobby.service import Lobby
from app.play.solitaire.races import RaceStarted
from app.play.solitaire.service import Races
from app.site.event_stream.service import situation
from app.site.messages.events import MessageRemoved, MessageSent, MessagesRead
from app.site.messages.queries import MessageShown
from app.site.messages.service import Messages
from app.site.privacy.events import ExportReady
from engine.game import Side

if TYPE_CHECKING:
    from app.play.lobby.challenges import FollowedPlayer

_Line = dict[str, Any]

_MESSAGE = TypeAdapter(MessageShown)
_RECORD_BEATEN = TypeAdapter(RecordBeatenEvent)
_REMEMBERED = 200  # messages, and notifications; more than are read at once after a loss
_PENDING = 50  # notifications
_REPEATED = (NewsKind.MY_TURN, NewsKind.CHALLENGE, NewsKind.MESSAGE)
"""The kinds of notifications of which other lines tell, at the start of a stream, too."""
_TOLD_LIVE = (
    *(NewsKind.CHALLENGE_ACCEPTED, NewsKind.CHALLENGE_DECLINED, NewsKind.GAME_FINISHED),
    *(NewsKind.RECORD_BEATEN, NewsKind.EXPORT_READY),
)
"""Those of which other lines tell as they happen, and never again."""


@dataclass(slots=True)
class _Sent:
    """What a reader was sent: challenges, running games, messages, and the friends as they were then.

    `turns` has the ply of the last turn of each game that was sent, `playing` friends with their games,
    `tournaments` those that are not over with their status, `races` the games in races under way, `messages`
    and `notifications` only the latest ones. Records that were lost until `records_until` were sent.
    """

    challenges: set[str] = field(default_factory=set)
    turns: dict[str, int | None] = field(default_factory=dict)
    messages: set[int] = field(default_factory=set)
    notifications: set[int] = field(default_factory=set)
    races: dict[str, str] = field(default_factory=dict)
    tournaments: dict[str, str] = field(default_factory=dict)
    friends: "dict[int, FollowedPlayer]" = field(default_factory=dict)
    playing: set[tuple[int, str]] = field(default_factory=set)
    records_until: datetime = field(default_factory=utc_now)

    def copy(self) -> "_Sent":
        """Return a copy, which can be changed by itself."""
        return _Sent(*(copy(getattr(self, each.name)) for each in fields(self)))


@dataclass(frozen=True, slots=True)
class StreamParts:
    """What streams read from."""

    games: Games
    lobby: Lobby
    messages: Messages
    tournaments: Tournaments
    records: Records
    races: Races
    inbox: Inbox


class EventStream:
    """One reader's stream. It remembers what it sent, to make up for lost events and repeat none.

    `site_url` is the site's address, for the links of notifications.
    """

    def __init__(self, account_id: int, parts: StreamParts, site_url: str) -> None:
        self._account_id = account_id
        self._parts = parts
        self._site_url = site_url
        self._sent = _Sent()

    async def render(self, event: Event | Resync | None, subscription: LiveSubscription) -> str:
        """Return the lines for an event; at the start and after a loss, for everything that is new.

        If that fails, nothing counts as sent.
        """
        before, self._sent = self._sent, self._sent.copy()
        try:
            return await self._text(event, subscription)
        except BaseException:
            self._sent = before
            raise

    async def _text(self, event: Event | Resync | None, subscription: LiveSubscription) -> str:
        lines: list[_Line] = []
        with contextlib.suppress(UnreadableError):
            lines += await self._lines(event) if self._concerns_account(event) else []
        lines += await self._offers(event)
        lines += await self._news_of_messages(event)
        lines += await self._news_of_races(event)
        if self._may_notify(event):
            lines += await self._notifications(event)
        if isinstance(event, ExportReady):
            lines.append({"type": "export_ready", "url": f"/api/v1/me/exports/{event.export_id}"})
        lines += await self._news_of_tournaments(event)
        if isinstance(event, RecordBeaten | Resync):
            lines += await self._lost_records()
        if self._concerns_friends(event):
            lines += await self._news_of_friends(event)
            topics = (player_topic(account_id) for account_id in self._sent.friends)
            subscription.listen_to(account_topic(self._account_id), *topics)
        return "\n".join(json.encode(line).decode() for line in lines)

    def _concerns_account(self, event: Event | Resync | None) -> bool:
        match event:
            case GameStarted(players=players) | GameChanged(players=players):
                return self._account_id in players
        return True

    def _may_notify(self, event: Event | Resync | None) -> bool:
        """Return whether notifications of the account may have been committed with an event."""
        match event:
            case GameChanged(is_over=False):
                return False
            case Event():
                return account_topic(self._account_id) in event.topics
        return True

    def _concerns_friends(self, event: Event | Resync | None) -> bool:
        match event:
            case GameStarted(players=players) | GameChanged(players=players, is_over=True):
                return not self._sent.friends.keys().isdisjoint(players)
            case None | Resync() | OnlineChanged() | RelationsChanged():
                return True
        return False

    async def _lines(self, event: Event | Resync | None) -> list[_Line]:
        match event:
            case GameStarted(game_id):
                return await self._started(game_id)
            case GameChanged(is_over=True):
                return await self._finished(event.game_id)
            case GameChanged(step=Played() | TakenBack() | None):
                state = await self._parts.games.after(event)
                if self._may_move(state):  # or the turn may have been played meanwhile, on another process
                    state = await self._parts.games.get(state.id)
                started = await self._started(state.id)
                return [*started, *self._turn(state.id, state.ply, self._may_move(state))]
            case ChallengeChanged(challenge_id):
                return self._challenge(await self._parts.lobby.get(challenge_id))
            case None | Resync():
                return await self._missed()
        return []

    async def _missed(self) -> list[_Line]:
        """Return what has happened since the reader was last sent something."""
        present = await situation(self._account_id, self._parts.games, self._parts.lobby)
        seeks = {each.id: each for each in await self._parts.lobby.seeks_of(self._account_id)}
        challenges = present.challenges | seeks
        lines: list[_Line] = []
        for challenge in challenges.values():
            lines += self._challenge(challenge)
        for challenge_id in self._sent.challenges - challenges.keys():
            with contextlib.suppress(UnreadableError):
                lines += self._challenge(await self._parts.lobby.get(challenge_id))
        for game in present.games.values():
            with contextlib.suppress(UnreadableError):
                lines += await self._started(game.id)
                lines += self._turn(game.id, game.ply, game.is_my_turn)
        for game_id in self._sent.turns.keys() - present.games.keys():
            with contextlib.suppress(UnreadableError):
                lines += await self._finished(game_id)
        for message in await self._parts.messages.waiting(self._account_id):
            lines += self._message(message)
        return lines

    async def _offers(self, event: Event | Resync | None) -> list[_Line]:
        """Return what the opponent asks for in a game. What waits as a game is sent is in its snapshot."""
        match event:
            case GameChanged(step=TakebackRequested(seat=int())):
                state = await self._parts.games.get(event.game_id)
                return self._offer(state, "takeback_requested", state.takeback)
            case GameChanged(step=PauseRequested(seat=int())):
                state = await self._parts.games.get(event.game_id)
                return self._offer(state, "pause_requested", state.pause)
        return []

    def _offer(self, state: GameState, kind: str, side: Side | None) -> list[_Line]:
        is_news = side is not None and side != state.side_of(self._account_id)
        return [{"type": kind, "game_id": state.id, "ply": state.ply}] if is_news else []

    async def _news_of_messages(self, event: Event | Resync | None) -> list[_Line]:
        match event:
            case MessageSent(message_id=message_id):
                message = await self._parts.messages.visible(self._account_id, message_id)
                return self._message(message) if message else []
            case MessageRemoved(message_id=message_id):
                return [{"type": "message_removed", "id": message_id}]
            case MessagesRead(username=username, until=until):
                return [{"type": "messages_read", "username": username, "until": until}]
        return []

    async def _news_of_races(self, event: Event | Resync | None) -> list[_Line]:
        """Return the races of the account that have started since the last look."""
        if not isinstance(event, RaceStarted | Resync | None):
            return []
        before, self._sent.races = self._sent.races, await self._parts.races.running(self._account_id)
        return [
            {"type": "race_started", "race_id": race_id, "game_id": game_id}
            for race_id, game_id in self._sent.races.items()
            if race_id not in before
        ]

    async def _notifications(self, event: Event | Resync | None) -> list[_Line]:
        """Return the notifications that are new, but those that other lines tell of.

        At the start and after a loss nothing else tells of what was over by then.
        """
        unread = await self._parts.inbox.unread(self._account_id, ~is_of_kind(*_REPEATED), limit=_PENDING)
        told = _TOLD_LIVE if isinstance(event, Event) else ()
        new = [item for item in reversed(unread) if _remember(self._sent.notifications, item.id)]
        shown = (ListedNotification.of(item, self._site_url) for item in new if item.kind not in told)
        return [{"type": "notification", "notification": each.model_dump(mode="json")} for each in shown]

    async def _news_of_tournaments(self, event: Event | Resync | None) -> list[_Line]:
        """Return which of the account's tournaments started, paired it or ended since the last look."""
        match event:
            case TournamentStarted(tournament_id=tournament_id):
                status = (await self._parts.tournaments.get(tournament_id)).status
                return self._tournament(tournament_id, "started") if status == "started" else []
            case TournamentPaired(tournament_id, number, game_id):
                if (await self._parts.games.get(game_id)).result:
                    return []
                paired = {"tournament_id": tournament_id, "round": number, "game_id": game_id}
                return [{"type": "tournament_paired", **paired}]
            case TournamentFinished(tournament_id=tournament_id):
                return self._tournament(tournament_id, "finished")
            case None | Resync():
                running = await self._parts.tournaments.of_account(self._account_id)
                return await self._changed_tournaments({each.id: each.status for each in running}, event)
        return []

    async def _changed_tournaments(self, statuses: dict[str, str], event: Resync | None) -> list[_Line]:
        if event is None:
            self._sent.tournaments = statuses
            return []
        lines: list[_Line] = []
        open_ = {known for known, status in self._sent.tournaments.items() if status in OPEN}
        for tournament_id in open_ - statuses.keys():
            if (await self._parts.tournaments.get(tournament_id)).status in OPEN:
                del self._sent.tournaments[tournament_id]  # the account has withdrawn
            else:
                lines += self._tournament(tournament_id, "finished")
        for tournament_id, status in statuses.items():
            lines += self._tournament(tournament_id, status)
        return lines

    def _tournament(self, tournament_id: str, status: str) -> list[_Line]:
        is_new = self._sent.tournaments.get(tournament_id) != status
        self._sent.tournaments[tournament_id] = status
        is_news = is_new and status != "created"
        return [{"type": f"tournament_{status}", "tournament_id": tournament_id}] if is_news else []

    async def _lost_records(self) -> list[_Line]:
        """Return the records of the account that others have taken since the last look."""
        lost = await self._parts.records.lost_by(self._account_id, self._sent.records_until)
        self._sent.records_until = max((each.at for each in lost), default=self._sent.records_until)
        return [_RECORD_BEATEN.dump_python(beaten(each), mode="json") for each in lost]

    async def _news_of_friends(self, event: Event | Resync | None) -> list[_Line]:
        """Return who came online or went offline and which games they started, since the last look."""
        if isinstance(event, GameChanged):  # it is over
            self._sent.playing = {
                (friend, game) for friend, game in self._sent.playing if game != event.game_id
            }
        before = self._sent.friends
        self._sent.friends = {
            friend.account_id: friend for friend in await self._parts.lobby.friends(self._account_id)
        }
        lines: list[_Line] = []
        for friend in self._sent.friends.values():
            known = before.get(friend.account_id)
            if friend.is_online != (known is not None and known.is_online):
                state = "online" if friend.is_online else "offline"
                lines.append({"type": f"friend_{state}", "username": friend.username})
            if friend.game_id is not None and (friend.account_id, friend.game_id) not in self._sent.playing:
                self._sent.playing.add((friend.account_id, friend.game_id))
                lines.append(
                    {"type": "friend_playing", "username": friend.username, "game_id": friend.game_id}
                )
        return lines

    def _challenge(self, challenge: ChallengeInfo) -> list[_Line]:
        is_own = challenge.maker.id == self._account_id
        if challenge.status == "open" and (challenge.kind != "open" or is_own):
            is_new = challenge.id not in self._sent.challenges
            self._sent.challenges.add(challenge.id)
            if is_new and not is_own:
                return [_challenge_line("challenge", challenge)]
        elif challenge.id in self._sent.challenges:
            self._sent.challenges.remove(challenge.id)
            is_declined = challenge.status == "declined"
            return [_challenge_line("challenge_declined" if is_declined else "challenge_closed", challenge)]
        return []

    def _message(self, message: MessageShown) -> list[_Line]:
        if not _remember(self._sent.messages, message.id):
            return []
        shown = _MESSAGE.dump_python(message, mode="json")
        return [{"type": "message", "message": shown}]

    async def _started(self, game_id: str) -> list[_Line]:
        if game_id in self._sent.turns:
            return []
        state = await self._parts.games.get(game_id)
        if state.is_solitaire or state.result:
            return []
        self._sent.turns[game_id] = None
        return [
            {"type": "game_started", "game": snapshot(state)},
            *self._turn(game_id, state.ply, self._may_move(state)),
        ]

    def _may_move(self, state: GameState) -> bool:
        return state.player_to_move is not None and state.player_to_move.id == self._account_id

    def _turn(self, game_id: str, ply: int, is_my_turn: bool) -> list[_Line]:
        if game_id not in self._sent.turns:
            return []
        is_new = self._sent.turns[game_id] != ply
        self._sent.turns[game_id] = ply if is_my_turn else None
        return [{"type": "my_turn", "game_id": game_id, "ply": ply}] if is_my_turn and is_new else []

    async def _finished(self, game_id: str) -> list[_Line]:
        if game_id not in self._sent.turns:
            return []
        finished = snapshot(await self._parts.games.get(game_id))
        del self._sent.turns[game_id]
        return [{"type": "game_finished", "game": finished}]


def _remember(ids: set[int], new: int) -> bool:
    """Add an id to those that were sent, of which the latest are kept. Return False if it was sent before."""
    if new in ids:
        return False
    ids.add(new)
    if len(ids) > _REMEMBERED:
        ids.remove(min(ids))
    return True


def _challenge_line(kind: str, challenge: ChallengeInfo) -> _Line:
    return {"type": kind, "challenge": ChallengeShown.of(challenge).model_dump(mode="json")}
