"""The list of notifications: what is in it, what leaves it, and reading it."""

from app.people.inbox.service import MOST, delete_old_notifications
from tests.support.answers import code, until_in
from tests.support.database import execute, fetch, on_database
from tests.support.players import Match, Program

SLOW = {"kind": "correspondence", "days": 3}


def listed(program):
    """Return the kinds of a program's notifications, the newest first."""
    return [line["kind"] for line in program.http.get("/notifications").json()["notifications"]]


def test_a_challenge_is_listed_until_it_is_answered_and_its_maker_learns_the_answer(server, program, other):
    declined = program.challenge(opponent=other.username, time_control=SLOW).json()["id"]
    [line] = other.http.get("/notifications").json()["notifications"]
    assert (line["kind"], line["actor"], line["url"], line["is_read"]) == (
        "challenge",
        program.username,
        f"{server.url}/challenges/{declined}",
        False,
    )
    other.http.post(f"/challenges/{declined}/decline")
    assert (listed(other), listed(program)) == ([], ["challenge_declined"])
    accepted = program.challenge(opponent=other.username, time_control=SLOW, side="white").json()["id"]
    other.http.post(f"/challenges/{accepted}/accept")
    assert listed(other) == ["my_turn"]
    assert listed(program) == ["challenge_accepted", "challenge_declined"]
    cancelled = program.challenge(opponent=other.username).json()["id"]
    program.http.post(f"/challenges/{cancelled}/cancel")
    assert listed(other) == ["my_turn"]


def test_a_turn_of_a_correspondence_game_is_listed_until_it_is_played(server):
    match = Match(server, time_control=SLOW)
    black, white = match.black, match.white
    assert (listed(black), listed(white)) == (["challenge_accepted", "my_turn"], [])
    match.play("c4")
    assert (listed(black), listed(white)) == (["challenge_accepted"], ["my_turn"])
    match.play("f6", "c5")
    assert (listed(black), listed(white)) == (["challenge_accepted"], ["my_turn"])
    black.http.post(f"/games/{match.id}/resign")
    assert listed(white) == ["game_finished"]
    assert listed(black) == ["challenge_accepted"]  # who resigns knows
    [line] = white.http.get("/notifications").json()["notifications"]
    assert line["text"] == f"You won against {black.username}"


def test_a_request_for_a_takeback_is_listed_until_it_is_over(server):
    match = Match(server, time_control=SLOW)
    black, white, path = match.black, match.white, f"/games/{match.id}"
    match.play("c4", "f6")
    accepted, turn = "challenge_accepted", "my_turn"
    for ending in ("decline", "withdraw", "move", "accept"):
        assert listed(white) == []
        black.http.post(f"{path}/takeback")
        [line] = white.http.get("/notifications").json()["notifications"]
        assert (line["kind"], line["url"]) == ("takeback", f"{server.url}{path}")
        first = match.ply - 1
        first_move = f"{black.username}'s move {first} ({line['text'].split('(')[1][:2]})"
        words = f"{first_move} and your move {match.ply} ("
        assert line["text"].startswith(f"{black.username} asks to take back 2 moves: {words}")
        if ending == "move":
            match.play("e5", "f5")
        elif ending == "accept":
            white.http.post(f"{path}/takeback/accept")
        else:
            (white if ending == "decline" else black).http.post(f"{path}/takeback/decline")
        assert (listed(black), listed(white)) in (([accepted, turn], []), ([turn, accepted], []))


def test_a_game_in_real_time_lists_no_turns(server):
    match = Match(server, time_control={"kind": "realtime", "limit": 300, "increment": 5})
    match.play("c4")
    assert (listed(match.black), listed(match.white)) == ([], [])


def test_notifications_are_read_one_by_one_or_all_together_and_in_pages(server, program):
    for _ in range(3):
        Program(server).challenge(opponent=program.username)
    answer = program.http.get("/notifications", params={"limit": 2}).json()
    assert (len(answer["notifications"]), answer["unread"]) == (2, 3)
    rest = program.http.get("/notifications", params={"before": answer["next"]}).json()
    assert (len(rest["notifications"]), rest["next"]) == (1, None)
    first = answer["notifications"][0]["id"]
    assert program.http.post("/notifications/read", json={"ids": [first]}).json() == {"unread": 2}
    assert program.http.get("/notifications").json()["notifications"][0]["is_read"]
    stranger = Program(server)
    assert stranger.http.post(
        "/notifications/read", json={"ids": [rest["notifications"][0]["id"]]}
    ).json() == {"unread": 0}
    assert program.http.get("/notifications").json()["unread"] == 2
    assert program.http.post("/notifications/read", json={}).json() == {"unread": 0}
    assert code(program.http.post("/notifications/read", json={"ids": ["1"]})) == (422, "invalid_request")


NEW = '<small class="row-mark">new</small>'


def test_a_page_marks_as_read_what_it_shows_and_not_what_has_come_since(server, visitor):
    owner = visitor.register()
    Program(server).challenge(opponent=owner.username)
    fields = {"until": until_in(visitor.http.get("/notifications").text)}
    Program(server).challenge(opponent=owner.username)
    shown = visitor.http.post("/notifications/read", data=fields).text
    assert shown.count(NEW) == 1
    fields = {"until": until_in(shown)}
    assert NEW not in visitor.http.post("/notifications/read", data=fields).text


def test_notifications_that_are_old_or_too_many_are_deleted_but_those_of_turns_stay(server, database_url):
    old, busy = (Match(server, time_control=SLOW).black for _ in range(2))
    assert listed(old) == ["challenge_accepted", "my_turn"]
    of_account = "account_id = (SELECT id FROM accounts WHERE username = $1)"
    make_old = f"UPDATE notifications SET created_at = now() - interval '31 days' WHERE {of_account}"
    execute(database_url, make_old, old.username)
    add = "INSERT INTO notifications (account_id, kind, subject) SELECT id, 'achievement', n FROM accounts"
    execute(database_url, f"{add}, generate_series(1, {MOST}) AS n WHERE username = $1", busy.username)
    on_database(database_url, delete_old_notifications)
    assert listed(old) == ["my_turn"]
    kinds = "SELECT array_agg(kind), count(*) FROM notifications WHERE"
    kept, number = fetch(database_url, f"{kinds} {of_account}", busy.username)
    assert (number, "my_turn" in kept) == (MOST + 1, True)
