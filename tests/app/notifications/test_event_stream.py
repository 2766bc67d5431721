"""What an event stream remembers of what it sent."""

from uuid import uuid4

import pytest

from app.bots.fair_play import FairPlay
from app.events import GameChanged, GameStarted, MessageSent, Resync, account_topic
from app.lobby.friends import Friend
from app.lobby.service import Lobby
from app.messages.queries import Letter
from app.messages.service import Messages
from app.moments import now, utc_now
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
        fair_play = FairPlay(process.database, process.games)
        lobby = Lobby(process.database, process.bus, process.presence, process.games, fair_play)
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
        fair_play = FairPlay(process.database, process.games)
        lobby = Lobby(process.database, process.bus, process.presence, process.games, fair_play)
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


async def test_a_turn_that_was_played_meanwhile_is_not_announced_again(database_url):
    async with web_processes(database_url, 1) as [process]:
        state = await process.new_game()
        reader, other = (player.id for player in state.players)
        fair_play = FairPlay(process.database, process.games)
        lobby = Lobby(process.database, process.bus, process.presence, process.games, fair_play)
        stream = event_stream(process, reader, lobby, Messages(process.database, process.bus))
        assert '"my_turn"' in await stream.render(None, Reader())
        await process.games.play_move(state.id, reader, "c4", 0, uuid4(), at=now())
        late = GameChanged(state.id, state.version, (reader, other), reader, is_over=False, step=None)
        assert await stream.render(late, Reader()) == ""


async def test_a_move_that_is_sent_again_is_announced_again(database_url):
    async with web_processes(database_url, 1) as [process]:
        state = await process.new_game()
        mover, move_id, heard = state.players[0].id, uuid4(), []
        await process.games.play_move(state.id, mover, "c4", 0, move_id, at=now())
        process.hub.listen(heard.append, [account_topic(state.players[1].id)])
        again = await process.games.play_move(state.id, mover, "c4", 0, move_id, at=now())
        assert [(event.version, event.step) for event in heard] == [(again.version, None)]
