"""Each event about an account has a line in the stream, or a reason for having none."""

import inspect
import typing
from uuid import uuid4

import pytest

import app.main  # noqa: F401 - all features
from app.core.events import AccountsEvent, Event
from app.people.inbox.kinds import NewsKind
from app.site.event_stream import schemas
from app.site.features import FEATURES
from tests.support.accounts import id_of
from tests.support.event_stream import Follower
from tests.support.games import BLITZ, move_once_each, post, rated_game
from tests.support.moderation import make_moderator
from tests.support.news import tell, true_news
from tests.support.players import Program

LINES = {
    "ChallengeChanged": ("challenge", "challenge_declined", "challenge_closed"),
    "ExportReady": ("export_ready",),
    "GameChanged": ("my_turn", "takeback_requested", "pause_requested", "game_finished"),
    "GameStarted": ("game_started", "friend_playing"),
    "InboxChanged": ("notification",),
    "MessageRemoved": ("message_removed",),
    "MessageSent": ("message",),
    "MessagesRead": ("messages_read",),
    "OnlineChanged": ("friend_online", "friend_offline"),
    "RaceStarted": ("race_started",),
    "RecordBeaten": ("record_beaten",),
    "TournamentFinished": ("tournament_finished",),
    "TournamentPaired": ("tournament_paired",),
    "TournamentStarted": ("tournament_started",),
}
"""The lines of each event."""

NO_LINE = {
    "RelationsChanged": "only the account itself does this; who it follows now has lines of its own",
    "SearchChanged": "only the account itself does this; its end is a game that has started",
}


def kinds(base):
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def concerns_accounts(kind):
    topics = kind.topics
    source = inspect.getsource(topics.fget if isinstance(topics, property) else kind)
    return kind is not AccountsEvent and ("account_topic" in source or "player_topic" in source)


def test_each_event_about_an_account_has_a_line_or_a_reason_for_none():
    found = {kind.__name__ for kind in kinds(Event) if concerns_accounts(kind)}
    assert found == LINES.keys() | NO_LINE.keys()


def test_each_line_is_described_and_is_that_of_an_event():
    [channel] = next(each for each in FEATURES if each.package == "app.site.event_stream").channels
    types = (typing.get_type_hints(line)["type"] for line in channel.sent)
    described = {name for each in types for name in typing.get_args(each)}
    assert described - {"restart"} == {line for lines in LINES.values() for line in lines}
    assert schemas.NotificationEvent in channel.sent


def ask(player, offer, game):
    assert post(player, f"/games/{game}/{offer}").is_success


@pytest.mark.parametrize(
    ("offer", "line"), [("takeback", "takeback_requested"), ("pause", "pause_requested")]
)
def test_a_request_of_the_opponent_is_a_line_each_time_it_is_made(server, program, other, offer, line):
    game = rated_game(program, other, rated=False, time_control=BLITZ)
    move_once_each(program, other, game)
    asked, asking = Follower(other), Follower(program)
    for number in (1, 2):
        ask(program, offer, game)
        assert asked.wait_for(line, number) == {"type": line, "game_id": game, "ply": 2}
        ask(other, f"{offer}/decline", game)
    assert not [event for event in asking.events if event["type"] == line]
    for follower in (asked, asking):
        follower.over.set()


def test_the_start_of_a_race_is_a_line_for_each_of_its_players(server, program, other):
    race = post(program, "/races", game="up_and_up", options={"size": 3}, minutes=5, starts="later").json()[
        "id"
    ]
    post(other, f"/races/{race}/join")
    followers = Follower(program), Follower(other)
    assert post(program, f"/races/{race}/start").is_success
    games = [follower.wait_for("race_started")["game_id"] for follower in followers]
    assert len(set(games)) == 2
    later = Follower(other)
    assert later.wait_for("race_started") == {"type": "race_started", "race_id": race, "game_id": games[1]}
    for follower in (*followers, later):
        follower.over.set()


def test_what_has_no_line_of_its_own_is_a_notification_until_it_is_read(server, program, other, database_url):
    follower, moderator = Follower(other), make_moderator(database_url, Program(server))
    post(moderator, "/moderation/actions", username=other.username, action="warn", reason="Rude")
    told = follower.wait_for("notification")["notification"]
    assert [told] == other.http.get("/notifications").json()["notifications"]
    again = Follower(other)
    assert again.wait_for("notification")["notification"] == told
    post(other, "/notifications/read", ids=[told["id"]])
    program.challenge(opponent=other.username)
    last = Follower(other)
    last.wait_for("challenge")
    assert "notification" not in {event["type"] for event in last.events}
    for each in (follower, again, last):
        each.over.set()


def test_messages_that_are_read_elsewhere_or_removed_are_lines(server, program, other, database_url):
    writer, reader = Follower(program), Follower(other)
    message = post(program, f"/messages/{other.username}", text="Hello").json()["id"]
    reader.wait_for("message")
    post(other, f"/messages/{program.username}/read", until=message)
    read = {"type": "messages_read", "username": program.username, "until": message}
    assert reader.wait_for("messages_read") == read
    order = {"username": program.username, "action": "remove_text", "subject": f"message:{message}"}
    moderator = make_moderator(database_url, Program(server))
    for status in (201, 409):
        assert post(moderator, "/moderation/actions", **order, reason="Rude").status_code == status
    a_message(program, other)
    reader.wait_for("message", 2)
    for follower in (writer, reader):
        assert follower.wait_for("message_removed") == {"type": "message_removed", "id": message}
        assert [event["type"] for event in follower.events].count("message_removed") == 1
        follower.over.set()


def test_the_end_of_a_challenge_in_the_lobby_is_a_line_for_its_maker(program):
    follower = Follower(program)
    challenge = program.challenge().json()["id"]
    later = Follower(program)
    post(program, f"/challenges/{challenge}/cancel")
    for each in (follower, later):
        assert each.wait_for("challenge_closed")["challenge"]["id"] == challenge
        each.over.set()


def test_a_request_of_the_opponent_is_not_a_line_again_when_another_one_comes(server, program, other):
    game = rated_game(program, other, rated=False, time_control=BLITZ)
    move_once_each(program, other, game)
    asked = Follower(other)
    for offer in ("takeback", "pause"):
        ask(program, offer, game)
    asked.wait_for("pause_requested")
    asked.over.set()
    assert [each["type"] for each in asked.events].count("takeback_requested") == 1


def a_turn(program, other):
    game = rated_game(program, other, rated=False, time_control=BLITZ)
    post(program, f"/games/{game}/moves", move="c4", ply=0, move_id=str(uuid4()))


def a_challenge(program, other):
    program.challenge(opponent=other.username)


def a_message(program, other):
    post(program, f"/messages/{other.username}", text="Hello")


REPEATED = {
    NewsKind.MY_TURN: ("my_turn", a_turn),
    NewsKind.CHALLENGE: ("challenge", a_challenge),
    NewsKind.MESSAGE: ("message", a_message),
}
"""The kinds of notifications of which other lines tell at the start of a stream."""


@pytest.mark.parametrize("kind", NewsKind)
def test_a_stream_starts_with_each_unread_notification_or_a_line_that_says_it(
    server, program, other, database_url, kind
):
    line, cause = REPEATED.get(kind, ("notification", None))
    if cause is None:
        reader, actor = id_of(database_url, other), id_of(database_url, program)
        tell(database_url, true_news(database_url, kind, reader, actor))
    else:
        cause(program, other)
    follower = Follower(other)
    told = follower.wait_for(line)
    assert kind in REPEATED or told["notification"]["kind"] == kind
    assert kind not in REPEATED or "notification" not in {event["type"] for event in follower.events}
    follower.over.set()


def test_what_a_line_tells_as_it_happens_is_a_notification_only_in_later_streams(server, program, other):
    follower = Follower(program)
    challenge = program.challenge(opponent=other.username).json()["id"]
    post(other, f"/challenges/{challenge}/decline")
    follower.wait_for("challenge_declined")
    a_message(other, program)
    follower.wait_for("message")
    assert "notification" not in {event["type"] for event in follower.events}
    later = Follower(program)
    assert later.wait_for("notification")["notification"]["kind"] == "challenge_declined"
    for each in (follower, later):
        each.over.set()
