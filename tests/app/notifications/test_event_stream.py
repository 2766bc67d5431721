"""What an event stream remembers of what it sent."""

import pytest

from app.events import GameStarted, MessageSent, Resync
from app.lobby.friends import Friend
from app.lobby.service import Lobby
from app.messages.queries import Letter
from app.messages.service import Messages
from app.moments import utc_now
from app.notifications.event_stream import EventStream
from app.tournaments.service import Tournaments
from tests.support.web_processes import web_processes


class Reader:
    """The subscription of a stream, which here hears of nothing."""

    def listen_to(self, *topics):
        pass


def event_stream(process, account_id, lobby, messages):
    tournaments = Tournaments(process.database, process.bus)
    return EventStream(account_id, process.games, lobby, messages, tournaments)


async def test_what_a_failed_rendering_found_is_sent_by_the_next_one(database_url, monkeypatch):
    async with web_processes(database_url, 1) as [process]:
        state = await process.new_game()
        reader, friend = state.players
        lobby = Lobby(process.database, process.bus, process.presence, process.games)
        stream = event_stream(process, reader.id, lobby, Messages(process.database, process.bus))
        online = [Friend(friend.id, friend.username, True, None)]

        async def away(_account_id):
            raise ConnectionRefusedError

        async def there(_account_id):
            return online

        monkeypatch.setattr(lobby, "friends", away)
        for _ in range(2):
            with pytest.raises(ConnectionRefusedError):
                await stream.render(Resync(), Reader())
        monkeypatch.setattr(lobby, "friends", there)
        lines = await stream.render(Resync(), Reader())
        for kind in ("game_started", "my_turn", "friend_online"):
            assert lines.count(f'"{kind}"') == 1
        assert await stream.render(GameStarted(state.id, (reader.id, friend.id)), Reader()) == ""


async def test_a_long_stream_remembers_the_latest_messages_only(database_url, monkeypatch):
    async with web_processes(database_url, 1) as [process]:
        state = await process.new_game()
        reader, friend = state.players
        lobby = Lobby(process.database, process.bus, process.presence, process.games)
        messages = Messages(process.database, process.bus)
        stream = event_stream(process, reader.id, lobby, messages)

        async def heard(_account_id, message_id):
            return Letter(message_id, friend.username, "Hello!", utc_now())

        async def waiting(_account_id):
            return [await heard(reader.id, number) for number in range(951, 1001)]

        monkeypatch.setattr(messages, "heard", heard)
        monkeypatch.setattr(messages, "waiting", waiting)
        for number in range(1, 1001):
            event = MessageSent(number, friend.id, reader.id)
            assert "Hello!" in await stream.render(event, Reader())
        assert "Hello!" not in await stream.render(Resync(), Reader())
        assert len(stream._sent.messages) < 1000
