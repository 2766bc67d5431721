"""Chat beside games: who says and hears what in which room, on all processes."""

import contextlib
from datetime import timedelta

import pytest

from app.core.moments import utc_now
from app.core.web.throttle import Limit
from tests.support.answers import code
from tests.support.database import execute
from tests.support.open_rooms import OpenRooms
from tests.support.players import Match, Program, Visitor, make_old
from tests.support.server import start_server
from tests.support.solitaire import begin
from tests.support.tournaments import Cup, new_team
from tests.support.waiting import wait_until

AGREED = ("d4", "pass", "e5", "pass", "pass")


def say(program, game_id, room="players", **words):
    return program.http.post(
        f"/games/{game_id}/chat", json={"room": room, **(words or {"greeting": "hello"})}
    )


def read(program, game_id, room="players"):
    answer = program.http.get(f"/games/{game_id}/chat", params={"room": room})
    return [message["text"] for message in answer.json()["messages"]] if answer.is_success else code(answer)


@pytest.fixture
def match(server, database_url):
    """Return a game of two players who have played before."""
    match = Match(server)
    make_old(database_url, match.black, match.white)
    match.play(*AGREED)
    match.id = match.black.begin(match.white, side="black")
    match.ply = 0
    return match


def test_players_and_spectators_have_a_room_each_until_the_game_is_over(server, match):
    spectator = Program(server)
    assert say(match.black, match.id, text="  good\u202e \n luck ").json()["text"] == "good luck"
    assert say(spectator, match.id, "spectators").status_code == 201
    assert read(match.white, match.id) == ["good luck"]
    assert read(spectator, match.id, "spectators") == ["Hello!"]
    for reader, room in ((spectator, "players"), (match.white, "spectators")):
        assert read(reader, match.id, room) == code(say(reader, match.id, room)) == (403, "other_room")
    match.play(*AGREED)
    assert read(spectator, match.id) == ["good luck"]
    assert code(say(spectator, match.id)) == (403, "other_room")
    assert say(match.white, match.id, "spectators", text="Thanks for watching").status_code == 201
    assert read(spectator, match.id, "spectators") == ["Hello!", "Thanks for watching"]
    with_chat = match.black.http.get(f"/games/{match.id}/export").text
    assert f"; {match.black.username}: good luck\n" in with_chat
    assert match.black.http.post("/records/check", json={"record": with_chat}).status_code == 200
    assert ";" not in spectator.http.get(f"/games/{match.id}/export").text


def test_an_empty_room_says_who_will_read_it(server, match):
    def page():
        return Visitor(server).http.get(f"/games/{match.id}").text

    assert "Nothing has been said yet. The players cannot read it while the game is played." in page()
    assert say(Program(server), match.id, "spectators").status_code == 201
    assert "Nothing has been said yet" not in page()


def test_open_pages_have_at_the_end_the_rooms_of_new_ones(server, match):
    path, spectator = f"/games/{match.id}", Program(server)
    names = (match.black.username, match.white.username, spectator.username)
    readers = [*(Visitor(server).log_in(name) for name in names), Visitor(server)]
    with contextlib.ExitStack() as opened:
        pages = [OpenRooms(each, path, opened.enter_context(each.live(f"{path}/live"))) for each in readers]
        assert say(match.black, match.id, text="Good luck").status_code == 201
        assert say(spectator, match.id, "spectators", greeting="thanks").status_code == 201
        assert match.black.http.post(f"{path}/resign").is_success
        for page in pages:
            wait_until(page.is_as_after_a_reload)
            assert "Good luck" in page.shown
            assert "Thank you!" in page.shown
            assert "cannot read it" not in page.shown


def test_an_open_page_has_at_the_end_of_a_game_against_the_computer_the_room_of_spectators(server):
    player = Program(server)
    game = player.challenge(opponent="Gorrion-1", side="black").json()["game_id"]
    visitor = Visitor(server).log_in(player.username)
    with visitor.live(f"/games/{game}/live") as socket:
        page = OpenRooms(visitor, f"/games/{game}", socket)
        assert page.shown == ""
        assert say(Program(server), game, "spectators", greeting="have_fun").status_code == 201
        assert player.http.post(f"/games/{game}/resign").is_success
        wait_until(page.is_as_after_a_reload)
        assert "Have fun!" in page.shown


def test_new_accounts_and_guests_send_greetings_only(server, database_url):
    match = Match(server)
    assert code(say(match.black, match.id, text="Hi")) == (403, "new_account")
    make_old(database_url, match.black)
    assert code(say(match.black, match.id, text="Hi")) == (403, "new_account")  # no finished game
    assert say(match.black, match.id).status_code == 201
    guest = Visitor(server)
    guest.http.post("/guest")
    page = guest.http.post(f"/games/{match.id}/chat", data={"room": "spectators", "text": "Hi"})
    assert page.status_code == 403
    page = guest.http.post(f"/games/{match.id}/chat", data={"room": "spectators", "greeting": "good_luck"})
    assert "Good luck!" in page.text
    assert "Viel Glück!" in guest.http.get(f"/games/{match.id}?lang=de").text


def test_two_who_met_by_a_link_write_to_each_other_at_once(server):
    maker, friend = Program(server), Visitor(server)
    friend.http.post("/guest")
    made = maker.challenge(opponent="link").json()["id"]
    friend.http.post(f"/challenges/{made}/accept")
    game = maker.http.get(f"/challenges/{made}").json()["game_id"]
    assert say(maker, game, text="Found the link?").status_code == 201
    page = friend.http.post(f"/games/{game}/chat", data={"room": "players", "text": "Here I am"})
    assert "Found the link?" in page.text
    assert "Here I am" in page.text
    stranger = Program(server)
    assert code(say(stranger, game, "spectators", text="Me too")) == (403, "new_account")
    maker.http.post(f"/games/{game}/resign")
    other = maker.begin(stranger)
    assert code(say(maker, other, text="Hi")) == (403, "new_account")


def test_the_page_says_why_and_when_the_chat_opens(server, database_url):
    match = Match(server)
    page = Visitor(server).log_in(match.black.username)
    assert (
        "New accounts can write after a day and a finished game: you in 24 hours."
        in page.http.get(f"/games/{match.id}").text
    )
    match.play(*AGREED)
    assert "you in 24 hours." in page.http.get(f"/games/{match.id}").text
    make_old(database_url, match.black)
    shown = page.http.get(f"/games/{match.id}").text
    assert "New accounts can write" not in shown
    assert 'name="text" maxlength="140"' in shown


def test_what_is_not_a_message_is_refused(match, program):
    for words in ({"text": ""}, {"text": " \u202e\n"}, {"text": "x" * 141}, {"text": "a", "greeting": "bye"}):
        assert code(say(match.black, match.id, **words)) == (422, "invalid_request"), words
    assert code(say(match.black, match.id, greeting="rude")) == (422, "bad_greeting")
    assert code(say(match.black, match.id, "kitchen")) == (422, "invalid_request")


@pytest.mark.parametrize(
    ("beside", "room", "told"),
    [
        ("alone", "players", "played alone"),
        ("alone", "spectators", "played alone"),
        ("computer", "players", "does not chat"),
        ("computer", "spectators", "for the spectators until"),
        ("people", "spectators", "for the spectators until"),
        ("others", "players", "for the players"),
    ],
)
def test_who_has_no_room_is_told_why(program, match, beside, room, told):
    if beside == "alone":
        game = begin(program)
    elif beside == "computer":
        game = program.challenge(opponent="Gorrion-1", side="black").json()["game_id"]
    else:
        game = match.id
    caller = match.black if beside == "people" else program
    answers = caller.http.get(f"/games/{game}/chat", params={"room": room}), say(caller, game, room)
    for answer in answers:
        assert code(answer) == (403, "other_room")
        assert told in answer.json()["detail"]


def test_words_are_heard_at_once_on_every_process_but_not_by_who_muted_their_author(two_workers):
    match = Match(two_workers)
    deaf = Program(two_workers)
    deaf.http.put(f"/players/{match.black.username}/mute")
    stranger = Program(two_workers)
    match.play(*AGREED)
    listeners = [match.white.socket(match.id), stranger.socket(match.id), deaf.socket(match.id)]
    make_old(two_workers.database_url, match.black)
    for number in range(4):  # whichever process answers
        assert say(match.black, match.id, text=f"number {number}").status_code == 201
        for listener in listeners[:2]:
            heard = listener.receive_until("chat")
            assert (heard["room"], heard["username"]) == ("players", match.black.username)
            assert heard["text"] == f"number {number}"
    assert say(match.white, match.id).status_code == 201
    assert listeners[2].receive_until("chat")["greeting"] == "hello"
    assert read(deaf, match.id) == ["Hello!"]


def test_a_page_says_why_nothing_can_be_said_and_offers_no_field(match, database_url):
    reader = Visitor(match.black.server).log_in(match.black.username)
    field, greeting = 'id="chat-text-players"', 'name="greeting"'
    open_page = reader.http.get(f"/games/{match.id}").text
    assert (field in open_page, greeting in open_page) == (True, True)
    match.white.http.put(f"/players/{match.black.username}/block")
    blocked = reader.http.get(f"/games/{match.id}").text
    assert "You cannot write to this player." in blocked
    assert (field in blocked, greeting in blocked) == (False, False)
    match.white.http.delete(f"/players/{match.black.username}/block")
    mute(database_url, match.black.username)
    muted = reader.http.get(f"/games/{match.id}").text
    assert "A moderator has muted you until" in muted
    assert (field in muted, greeting in muted) == (False, False)
    assert code(say(match.black, match.id)) == (403, "muted")


def mute(database_url, username):
    execute(
        database_url,
        "INSERT INTO sanctions (account_id, kind, until)"
        " SELECT id, 'mute', now() + interval '1 day' FROM accounts WHERE username = $1",
        username,
    )


def test_nothing_is_said_to_a_blocked_player_or_heard_from_one(match):
    socket = match.white.socket(match.id)
    assert say(match.black, match.id, text="before").status_code == 201
    assert socket.receive_until("chat")["text"] == "before"
    match.white.http.put(f"/players/{match.black.username}/block")
    for player in (match.black, match.white):
        assert code(say(player, match.id)) == (403, "blocked")
    assert read(match.white, match.id) == []


def test_chat_may_be_switched_off(server, match):
    reader = Visitor(server).register()
    say(match.black, match.id, text="<b>bold</b> https://example.com")
    match.play(*AGREED)
    shown = reader.http.get(f"/games/{match.id}").text
    assert "&lt;b&gt;bold&lt;/b&gt; https://example.com" in shown
    assert 'href="https://example.com' not in shown
    reader.http.post("/account/preferences", data={"chat": "off"})
    assert 'id="chat"' not in reader.http.get(f"/games/{match.id}").text
    greeting = {"room": "spectators", "greeting": "hello"}
    assert reader.http.post(f"/games/{match.id}/chat", data=greeting).status_code == 403


def test_messages_that_come_too_fast_are_refused(new_database):
    server = start_server(new_database("chatty"), throttle="on")
    try:
        match = Match(server)
        statuses = [say(match.black, match.id).status_code for _ in range(9)]
    finally:
        server.stop()
    most = Limit.CHAT.most
    assert statuses == [201] * most + [429] * (9 - most)


MOST = 100  # messages of an account in a room within a day


@pytest.mark.parametrize("ago", [timedelta(hours=23), timedelta(hours=25)], ids=str)
@pytest.mark.parametrize("kind", ["game", "tournament", "team"])
def test_as_much_may_be_said_in_a_room_on_each_day(server, database_url, program, kind, ago):
    place, room, path = PLACES[kind](server, database_url, program)
    execute(
        database_url,
        f"INSERT INTO chat_messages ({kind}_id, room, account_id, greeting, at) "
        "SELECT $1, $2, id, 'hello', $3::timestamptz FROM accounts, generate_series(1, $4::int) "
        "WHERE username = $5",
        *(place, room, utc_now() - ago, MOST, program.username),
    )
    words = {"greeting": "hello"} | ({"room": room} if kind == "game" else {})
    said = program.http.post(f"{path}/chat", json=words)
    if ago > timedelta(days=1):
        assert said.status_code == 201
    else:
        assert code(said) == (409, "too_many_messages")


def _game(server, _database_url, _program):
    match = Match(server)
    return match.id, "spectators", f"/games/{match.id}"


def _tournament(server, _database_url, _program):
    cup = Cup(server, None, 0, "swiss", rounds=3)
    return cup.id, "tournament", f"/tournaments/{cup.id}"


def _team(_server, database_url, program):
    team = new_team(database_url, program)
    return team, "team", f"/teams/{team}"


PLACES = {"game": _game, "tournament": _tournament, "team": _team}
