"""What an event stream remembers of what it sent."""

import pytest

from app.events import GameStarted, Resync
from app.lobby.friends import Friend
from app.lobby.service import Lobby
from app.messages.service import Messages
from app.notifications.event_stream import EventStream
from tests.support.web_processes import web_processes


class Reader:
    """The subscription of a stream, which here hears of nothing."""

    def listen_to(self, *topics):
        pass


async def test_what_a_failed_rendering_found_is_sent_by_the_next_one(database_url, monkeypatch):
    async with web_processes(database_url, 1) as [process]:
        state = await process.new_game()
        reader, friend = state.players
        lobby = Lobby(process.database, process.bus, process.presence, process.games)
        stream = EventStream(reader.id, process.games, lobby, Messages(process.database, process.bus))
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
