"""What an event stream remembers of what it sent."""

from functools import partial
from uuid import uuid4

import pytest

from app.compete.tournaments.events import TournamentPaired, TournamentStarted
from app.core.events import Resync, account_topic
from app.core.moments import now, utc_now
from app.play.games.events import GameChanged, GameStarted
from app.play.lobby.challenges import ChallengeChanged, FollowedPlayer
from app.play.lobby.service import Lobby
from app.site.event_stream.stream import EventStream, StreamParts
from app.site.messages.events import MessageSent
from app.site.messages.queries import MessageShown
from app.site.messages.service import Messages
from tests.support.players import Match, Program
from tests.support.tournaments import Cup
from tests.support.waiting import wait_until
from tests.support.web_processes import web_processes


class Reader:
    """The subscription of a stream, which here hears of nothing."""

    def listen_to(self, *topics):
        pass


def event_stream(process, account_id):
    return EventStream(account_id, process.parts.get(StreamParts), "https://play.example")


async def test_what_a_failed_rendering_found_is_sent_by_the_next_one(database_url, monkeypatch):
    async with web_processes(database_url, 1) as [process]:
        state = await process.new_game()
        reader, friend = state.players
        lobby = process.parts.get(Lobby)
        stream = event_stream(process, reader.id)
        online = [FollowedPlayer(friend.id, friend.username, True, None)]

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
        messages = process.parts.get(Messages)
        stream = event_stream(process, reader.id)

        async def visible(_account_id, message_id):
            return MessageShown(message_id, friend.username, "Hello!", utc_now())

        async def waiting(_account_id):
            return [await visible(reader.id, number) for number in range(951, 1001)]

        monkeypatch.setattr(messages, "visible", visible)
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
        stream = event_stream(process, reader)
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


async def stream_of(process, program):
    """Return the event stream of a program, which has seen how things are."""
    row = await process.database.pool.fetchrow(
        "SELECT id FROM accounts WHERE username = $1", program.username
    )
    stream = event_stream(process, row["id"])
    await stream.render(None, Reader())
    return stream, row["id"]


def a_turn_that_was_played(server, _clock):
    match = Match(server)
    match.play("c4")
    begun = partial(GameChanged, match.id, 1, to_move=None, is_over=False, step=None)
    return match.white, lambda reader: begun(players=(reader,)), lambda: match.play("f6")


def a_game_that_has_ended(server, _clock):
    match = Match(server)
    return (
        match.white,
        lambda reader: GameStarted(match.id, (reader,)),
        lambda: match.black.http.post(f"/games/{match.id}/abort"),
    )


def a_challenge_that_was_withdrawn(server, _clock):
    maker, opponent = Program(server), Program(server)
    made = maker.challenge(opponent=opponent.username).json()["id"]
    return (
        opponent,
        lambda reader: ChallengeChanged(made, "open", (reader,)),
        lambda: maker.http.post(f"/challenges/{made}/cancel"),
    )


def a_tournament_that_was_cancelled(server, clock):
    cup = Cup(server, clock, 2, "swiss", rounds=3)
    player = next(iter(cup.programs.values()))
    return (
        player,
        lambda reader: TournamentStarted((reader,), cup.id),
        lambda: cup.organiser.http.post(f"/tournaments/{cup.id}/cancel", json={"reason": "Rain."}),
    )


def a_pairing_that_was_played(server, clock):
    cup = Cup(server, clock, 2, "swiss", rounds=3).start()
    [pairing] = wait_until(lambda: cup.running)
    player = cup.programs[pairing["first"]]
    paired = partial(TournamentPaired, cup.id, 1, pairing["game_id"])
    return (
        player,
        lambda reader: paired((reader,)),
        lambda: player.http.post(f"/games/{pairing['game_id']}/resign"),
    )


@pytest.mark.parametrize(
    ("over", "kind"),
    [
        (a_turn_that_was_played, "my_turn"),
        (a_game_that_has_ended, "game_started"),
        (a_challenge_that_was_withdrawn, "challenge"),
        (a_tournament_that_was_cancelled, "tournament_started"),
        (a_pairing_that_was_played, "tournament_paired"),
    ],
)
async def test_what_is_over_when_its_event_arrives_is_not_sent(server, database_url, clock, over, kind):
    program, event, end = over(server, clock)
    async with web_processes(database_url, 1) as [process]:
        stream, reader = await stream_of(process, program)  # which remembers the game as it is now
        stream._sent = type(stream._sent)()
        end()
        assert f'"type":"{kind}"' not in await stream.render(event(reader), Reader())
