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
from app.people.social.events import RelationsChanged
from app.play.games.events import GameChanged, GameStarted, Played, TakenBack
from app.play.games.game import GameState
from app.play.games.schemas import snapshot
from app.play.games.service import Games
from app.play.lobby.challenges import ChallengeChanged, ChallengeInfo
from app.play.lobby.schemas import ChallengeShown
from app.play.lobby.service import Lobby
from app.site.event_stream.service import situation
from app.site.messages.events import MessageSent
from app.site.messages.queries import MessageShown
from app.site.messages.service import Messages
from app.site.privacy.events import ExportReady

if TYPE_CHECKING:
    from app.play.lobby.challenges import FollowedPlayer

_Line = dict[str, Any]

_MESSAGE = TypeAdapter(MessageShown)
_RECORD_BEATEN = TypeAdapter(RecordBeatenEvent)
_REMEMBERED = 200  # messages, more than are read at once after a loss


@dataclass(slots=True)
class _Sent:
    """What a reader was sent: challenges, running games, messages, and the friends as they were then.

    `turns` has the ply of the last turn of each game that was sent, `playing` friends with their games,
    `tournaments` those that are not over with their status, and `messages` only the latest ones. Records that
    were lost until `records_until` were sent.
    """

    challenges: set[str] = field(default_factory=set)
    turns: dict[str, int | None] = field(default_factory=dict)
    messages: set[int] = field(default_factory=set)
    tournaments: dict[str, str] = field(default_factory=dict)
    friends: "dict[int, FollowedPlayer]" = field(default_factory=dict)
    playing: set[tuple[int, str]] = field(default_factory=set)
    records_until: datetime = field(default_factory=utc_now)

    def copy(self) -> "_Sent":
        """Return a copy, which can be changed by itself."""
        return _Sent(*(copy(getattr(self, each.name)) for each in fields(self)))


class EventStream:
    """One reader's stream. It remembers what it sent, to make up for lost events and repeat none."""

    def __init__(
        self,
        account_id: int,
        games: Games,
        lobby: Lobby,
        messages: Messages,
        tournaments: Tournaments,
        records: Records,
    ) -> None:
        self._account_id = account_id
        self._games = games
        self._lobby = lobby
        self._messages = messages
        self._tournaments = tournaments
        self._records = records
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
        if isinstance(event, MessageSent):
            letter = await self._messages.heard(self._account_id, event.message_id)
            lines += self._message(letter) if letter else []
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
                state = await self._games.after(event)
                if self._may_move(state):  # or the turn may have been played meanwhile, on another process
                    state = await self._games.get(state.id)
                started = await self._started(state.id)
                return [*started, *self._turn(state.id, state.ply, self._may_move(state))]
            case ChallengeChanged(challenge_id):
                return self._challenge(await self._lobby.get(challenge_id))
            case None | Resync():
                return await self._missed()
        return []

    async def _missed(self) -> list[_Line]:
        """Return what has happened since the reader was last sent something."""
        present = await situation(self._account_id, self._games, self._lobby)
        lines: list[_Line] = []
        for challenge in present.challenges.values():
            lines += self._challenge(challenge)
        for challenge_id in self._sent.challenges - present.challenges.keys():
            with contextlib.suppress(UnreadableError):
                lines += self._challenge(await self._lobby.get(challenge_id))
        for game in present.games.values():
            with contextlib.suppress(UnreadableError):
                lines += await self._started(game.id)
                lines += self._turn(game.id, game.ply, game.is_my_turn)
        for game_id in self._sent.turns.keys() - present.games.keys():
            with contextlib.suppress(UnreadableError):
                lines += await self._finished(game_id)
        for letter in await self._messages.waiting(self._account_id):
            lines += self._message(letter)
        return lines

    async def _news_of_tournaments(self, event: Event | Resync | None) -> list[_Line]:
        """Return which of the account's tournaments started, paired it or ended since the last look."""
        match event:
            case TournamentStarted(tournament_id=tournament_id):
                status = (await self._tournaments.get(tournament_id)).status
                return self._tournament(tournament_id, "started") if status == "started" else []
            case TournamentPaired(tournament_id, number, game_id):
                if (await self._games.get(game_id)).result:
                    return []
                paired = {"tournament_id": tournament_id, "round": number, "game_id": game_id}
                return [{"type": "tournament_paired", **paired}]
            case TournamentFinished(tournament_id=tournament_id):
                return self._tournament(tournament_id, "finished")
            case None | Resync():
                running = await self._tournaments.of_account(self._account_id)
                return await self._changed_tournaments({each.id: each.status for each in running}, event)
        return []

    async def _changed_tournaments(self, statuses: dict[str, str], event: Resync | None) -> list[_Line]:
        if event is None:
            self._sent.tournaments = statuses
            return []
        lines: list[_Line] = []
        open_ = {known for known, status in self._sent.tournaments.items() if status in OPEN}
        for tournament_id in open_ - statuses.keys():
            if (await self._tournaments.get(tournament_id)).status in OPEN:
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
        lost = await self._records.lost_by(self._account_id, self._sent.records_until)
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
            friend.account_id: friend for friend in await self._lobby.friends(self._account_id)
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
        if challenge.status == "open" and challenge.kind != "open":
            is_new = challenge.id not in self._sent.challenges
            self._sent.challenges.add(challenge.id)
            if is_new and challenge.maker.id != self._account_id:
                return [_challenge_line("challenge", challenge)]
        elif challenge.id in self._sent.challenges:
            self._sent.challenges.remove(challenge.id)
            is_declined = challenge.status == "declined"
            return [_challenge_line("challenge_declined" if is_declined else "challenge_closed", challenge)]
        return []

    def _message(self, letter: MessageShown) -> list[_Line]:
        if letter.id in self._sent.messages:
            return []
        self._sent.messages.add(letter.id)
        if len(self._sent.messages) > _REMEMBERED:
            self._sent.messages.remove(min(self._sent.messages))
        shown = _MESSAGE.dump_python(letter, mode="json")
        return [{"type": "message", "message": shown}]

    async def _started(self, game_id: str) -> list[_Line]:
        if game_id in self._sent.turns:
            return []
        state = await self._games.get(game_id)
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
        finished = snapshot(await self._games.get(game_id))
        del self._sent.turns[game_id]
        return [{"type": "game_finished", "game": finished}]


def _challenge_line(kind: str, challenge: ChallengeInfo) -> _Line:
    return {"type": kind, "challenge": ChallengeShown.of(challenge).model_dump(mode="json")}
