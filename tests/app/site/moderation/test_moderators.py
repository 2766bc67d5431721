"""What moderators do, and what follows for the players."""

import re
from types import SimpleNamespace

import asyncpg
import pytest

from app.site.moderation.kinds import FINAL, ModeratorAction
from engine.golden_nugget.audit import audit
from tests.support.accounts import grant
from tests.support.answers import code
from tests.support.commands import json_lines
from tests.support.database import execute, fetch
from tests.support.games import lost_rated_game, move_once_each, post, rated_game
from tests.support.moderation import make_moderator, noticed, open_reports
from tests.support.nugget import new_record
from tests.support.players import PASSWORD, Match, Program, Visitor, fresh_name, make_old
from tests.support.tournaments import Cup, member, new_team
from tests.support.waiting import WITHIN, wait_until


@pytest.fixture
def moderator(server, database_url):
    return make_moderator(database_url, Program(server))


def act(moderator, about, action, **members):
    body = {"username": about.username, "action": action, "reason": f"Because of {action}", **members}
    return moderator.http.post("/moderation/actions", json=body)


def rating(program):
    return program.http.get("/me").json()["ratings"].get("jadejack")


def test_only_moderators_moderate_and_not_each_other(program, other, moderator, server, database_url):
    assert code(program.http.get("/moderation/reports")) == (403, "not_a_moderator")
    assert code(act(program, other, "warn")) == (403, "not_a_moderator")
    assert code(act(moderator, moderator, "warn")) == (403, "not_about_moderators")
    make_moderator(database_url, other)
    assert code(act(moderator, other, "warn")) == (403, "not_about_moderators")
    assert code(act(moderator, program, "warn", reason=" ")) == (422, "bad_reason")
    for path in ("/moderation", "/moderation/log", f"/moderation/players/{program.username}"):
        assert Visitor(server).register().http.get(path).status_code == 403


@pytest.mark.parametrize("right", ["moderator", "administrator"])
def test_reports_about_a_moderator_are_for_others(server, program, moderator, database_url, right):
    judge = Visitor(server).log_in(moderator.username)
    colleague = grant(database_url, Visitor(server).register(), right)
    make_old(database_url, moderator)
    sent = moderator.http.post(f"/messages/{program.username}", json={"text": "A rude word"}).json()["id"]
    reported(program, moderator, f"message:{sent}")
    case, message = f"/moderation/players/{moderator.username}", f"/moderation/messages/{sent}"
    assert open_reports(moderator, moderator) == []
    assert case not in judge.http.get("/moderation").text.split("<main")[1]
    assert [judge.http.get(path).status_code for path in (case, message)] == [403, 404]
    assert code(act(moderator, moderator, "dismiss")) == (403, "not_about_moderators")
    for page in ("/moderation", case, message):
        assert "A rude word" in colleague.http.get(page).text
    assert colleague.http.post(case, data={"action": "dismiss", "reason": "Fine"}).url.path == "/moderation"
    assert case not in colleague.http.get("/moderation").text


@pytest.mark.parametrize("who", ["moderator", "administrator", "computer"])
def test_reports_about_who_looks_after_the_site_or_plays_for_it_are_only_closed(
    server, program, moderator, database_url, who
):
    if who == "computer":
        name = fetch(database_url, "SELECT username FROM accounts WHERE computer_level = 1")["username"]
        about = SimpleNamespace(username=name)
    else:
        about = grant(database_url, Program(server), who)
    reported(program, about, "game:k7m2wq9xaa")
    for action in set(ModeratorAction) - {ModeratorAction.DISMISS}:
        answer = act(moderator, about, action, new_name=fresh_name())
        assert code(answer) == (403, "not_about_moderators"), action
    case = Visitor(server).log_in(moderator.username).http.get(f"/moderation/players/{about.username}").text
    assert re.findall(r'name="action" value="(\w+)"', case) == ["dismiss"]
    assert act(moderator, about, "dismiss").status_code == 201
    assert open_reports(moderator, about) == []


def test_a_report_opens_no_conversation_of_others(server, program, other, moderator, database_url):
    judge = Visitor(server).log_in(moderator.username)
    match = Match(server)
    make_old(database_url, match.black, match.white)
    match.play("d4", "pass", "e5", "pass", "pass")
    game = match.black.begin(match.white)
    text = {"text": "Between us"}
    said = match.black.http.post(f"/games/{game}/chat", json={"room": "players", **text}).json()["id"]
    sent = match.black.http.post(f"/messages/{match.white.username}", json=text).json()["id"]
    places = {f"chat:{said}": f"/moderation/chat/{said}", f"message:{sent}": f"/moderation/messages/{sent}"}
    # A stranger, and a reader about somebody who has not written it.
    for reporter, about in ((program, match.black), (match.white, other), (program, other)):
        reported(reporter, about, *places)
        assert {each["url"] for each in open_reports(moderator, about)} == {None}
        assert "Between us" not in judge.http.get(f"/moderation/players/{about.username}").text
    assert [judge.http.get(page).status_code for page in places.values()] == [404, 404]
    reported(match.white, match.black, *places)
    for page in (*places.values(), f"/moderation/players/{match.black.username}"):
        assert "Between us" in judge.http.get(page).text


def test_a_reason_keeps_its_lines_on_the_page_of_the_player(server, moderator):
    visitor = Visitor(server).register()
    act(moderator, visitor, "warn", reason="Rude.\nTwice.")
    assert '<p class="page-lines">Rude.\nTwice.</p>' in visitor.http.get("/account/moderation").text


def test_an_action_closes_the_reports_and_may_be_answered_once(program, other, moderator):
    report = {"username": other.username, "reason": "abuse", "text": "Rude"}
    program.http.post("/reports", json=report)
    mine = open_reports(moderator, other)
    assert [(each["reporter"], each["reason"], each["text"]) for each in mine] == [
        (program.username, "abuse", "Rude")
    ]
    action = act(moderator, other, "warn").json()["id"]
    assert open_reports(moderator, other) == []
    (told,) = other.http.get("/me/moderation").json()
    assert (told["id"], told["reason"], told["may_answer"]) == (action, "Because of warn", True)
    (news,) = other.http.get("/notifications").json()["notifications"]
    assert (news["kind"], news["url"]) == ("moderation", f"{other.server.url}/account/moderation")
    assert other.http.post(f"/me/moderation/{action}/answer", json={"text": "Sorry"}).status_code == 204
    answered = open_reports(moderator, other)
    assert [(each["reason"], each["text"]) for each in answered] == [("appeal", "Sorry")]
    assert code(other.http.post(f"/me/moderation/{action}/answer", json={"text": "!"})) == (409, "answered")
    assert code(program.http.post(f"/me/moderation/{action}/answer", json={"text": "!"})) == (
        404,
        "not_found",
    )


def test_an_excluded_player_plays_casual_games_only(program, other, moderator, clock):
    assert act(moderator, other, "ban", days=2).status_code == 201
    assert code(other.challenge(opponent=program.username, rated=True)) == (403, "no_rated_play")
    waiting = program.challenge(opponent=other.username, rated=True).json()["id"]
    assert code(post(other, f"/challenges/{waiting}/accept")) == (403, "no_rated_play")
    assert other.challenge(opponent=program.username).status_code == 201
    clock.advance(days=2, seconds=1)
    assert other.challenge(opponent=program.username, rated=True).status_code == 201
    act(moderator, other, "ban")
    assert act(moderator, other, "lift").status_code == 201
    assert code(act(moderator, other, "lift")) == (422, "nothing_to_lift")


def test_an_excluded_player_leaves_rated_tournaments_and_cannot_return(
    server, other, moderator, database_url, clock
):
    rated, casual = (Cup(server, clock, 0, "arena", minutes=20) for _ in range(2))
    execute(database_url, "UPDATE tournaments SET rated = true WHERE id = $1", rated.id)
    for cup in (rated, casual):
        cup.join(other)
    rated.start()
    assert act(moderator, other, "ban").status_code == 201
    assert [cup.standings[0]["status"] for cup in (rated, casual)] == ["withdrawn", "active"]
    assert code(post(other, f"/tournaments/{rated.id}/join")) == (403, "no_rated_play")
    assert act(moderator, other, "lift").status_code == 201
    assert post(other, f"/tournaments/{rated.id}/join").status_code == 200


def test_an_excluded_player_leaves_a_tournament_that_becomes_rated(
    server, other, moderator, database_url, clock
):
    cup = Cup(server, clock, 1, "arena", minutes=20, starts_in=60)
    cup.join(other)
    assert act(moderator, other, "ban").status_code == 201
    grant(database_url, cup.organiser, "organiser")
    terms = {name: cup.shown[name] for name in ("name", "kind", "game", "time_control", "starts_at")}
    edited = cup.organiser.http.put(f"/tournaments/{cup.id}", json={**terms, "minutes": 20, "rated": True})
    assert (edited.status_code, edited.json()["players"]) == (200, 1)
    assert other.username not in cup.points


def test_an_excluded_organiser_hosts_no_rated_simul(server, moderator, database_url, clock):
    cup = Cup(server, clock, 2, "simul")
    host = cup.organiser
    grant(database_url, host, "organiser")
    execute(database_url, "UPDATE tournaments SET rated = true WHERE id = $1", cup.id)
    terms = {name: cup.shown[name] for name in ("name", "kind", "game", "time_control", "starts_at")}
    assert act(moderator, host, "ban").status_code == 201
    refused = host.http.post("/tournaments", json={**terms, "rated": True})
    assert code(refused) == (403, "no_rated_play")
    clock.advance(minutes=3)
    cup.wait_for("cancelled")
    assert cup.shown["reason"] == "The host cannot play."


def test_a_closed_player_loses_games_and_comes_back_when_that_is_lifted(program, other, moderator):
    game = rated_game(other, program)
    other.move(game, "c4", 0)
    program.move(game, "f6", 1)
    assert act(moderator, other, "close").status_code == 201
    assert program.snapshot(game)["result"]["termination"] == "resign"
    assert other.http.get("/me").status_code == 401
    assert code(act(moderator, other, "close")) == (409, "closed")
    assert act(moderator, other, "lift").status_code == 201
    token = {"username": other.username, "password": PASSWORD}
    assert program.http.post("/tokens", json=token).status_code == 201


def test_who_is_closed_while_waiting_to_be_erased_cannot_come_back(program, other, moderator):
    token = {"username": other.username, "password": PASSWORD}
    close = {"password": PASSWORD, "erase": True}
    assert other.http.post("/me/close", json=close).status_code == 204
    assert act(moderator, other, "close").status_code == 201
    assert code(act(moderator, other, "close")) == (409, "closed")
    assert code(program.http.post("/tokens", json=token)) == (403, "account_closed")
    assert act(moderator, other, "lift").status_code == 201
    assert program.http.get(f"/players/{other.username}").json()["is_closed"]
    assert program.http.post("/tokens", json=token).status_code == 201


def test_what_a_lifted_closing_leaves_is_as_its_owner_left_it(program, other, moderator, database_url):
    close = {"password": PASSWORD, "keep_results": True}
    assert other.http.post("/me/close", json=close).status_code == 204
    state = "SELECT closed_at, keeps_results FROM accounts WHERE lower(username) = lower($1)"
    before = fetch(database_url, state, other.username)
    assert act(moderator, other, "close").status_code == 201
    assert not fetch(database_url, state, other.username)["keeps_results"]
    assert code(act(moderator, other, "close")) == (409, "closed")
    assert act(moderator, other, "lift").status_code == 201
    assert fetch(database_url, state, other.username) == before
    assert code(act(moderator, other, "lift")) == (422, "nothing_to_lift")


def test_a_closed_player_reads_why_and_answers_once_by_the_link_of_a_refused_log_in(
    server, program, moderator
):
    player = Visitor(server).register()
    assert act(moderator, player, "close").status_code == 201
    credentials = {"username": player.username, "password": PASSWORD}
    wrong = player.http.post("/login", data={**credentials, "password": "not the password"})
    assert wrong.status_code == 401
    page = player.http.post("/login", data=credentials)
    assert page.url.path == "/appeal"
    assert "Because of close" in page.text
    token = re.search(r'name="token" value="([^"]+)"', page.text)[1]
    path = re.search(r'action="(/appeal/\d+)"', page.text)[1]
    empty = player.http.post(path, data={"token": token})
    assert (empty.status_code, "Write your answer." in empty.text) == (422, True)
    assert "You have answered." in player.http.post(path, data={"token": token, "text": "Not me"}).text
    assert player.http.post(path, data={"token": token, "text": "Again"}).status_code == 409
    assert player.http.get("/account").url.path == "/login"
    mine = open_reports(moderator, player)
    assert [(each["reason"], each["text"]) for each in mine] == [("appeal", "Not me")]
    refused = program.http.post("/tokens", json=credentials)
    assert code(refused) == (403, "account_closed")
    assert refused.json()["appeal"].startswith("/appeal?token=")
    assert player.http.get("/appeal", params={"token": "no such token"}).status_code == 410


def test_a_renamed_player_is_found_by_the_old_name_which_nobody_else_gets(
    server, program, other, moderator, visitor, clock
):
    game = rated_game(program, other)
    assert program.snapshot(game)["players"]["white"]["username"] == other.username
    old, new = other.username, fresh_name("new")
    assert code(act(moderator, other, "rename", new_name="admin")) == (422, "bad_username")
    assert code(act(moderator, other, "rename", new_name=program.username)) == (422, "username_taken")
    assert act(moderator, other, "rename", new_name=new).status_code == 201
    assert program.snapshot(game)["players"]["white"]["username"] == new
    assert visitor.http.get(f"/players/{old}").url.path == f"/players/{new}"
    taken = program.http.post("/accounts", json={"username": old.upper(), "password": PASSWORD})
    assert code(taken) == (422, "username_taken")
    clock.advance(days=91)
    assert Visitor(server).http.get(f"/players/{old}").status_code == 404


def test_a_voided_game_changes_all_later_ratings(server, program, other, moderator, database_url):
    third = Program(server)
    voided = lost_rated_game(program, other)
    later = lost_rated_game(other, third)
    before = rating(third)
    assert code(act(moderator, program, "void_game", subject=later)) == (409, "not_rated")
    assert act(moderator, program, "void_game", subject=f"game:{voided}").status_code == 201
    snapshot = program.snapshot(voided)
    assert (snapshot["rated"], snapshot["voided"]) == (False, True)
    assert '[Voided "yes"]' in program.http.get(f"/games/{voided}/export").text
    assert "Voided by a moderator" in Visitor(server).http.get(f"/games/{voided}").text
    assert rating(program)["games"] == 0
    assert rating(other) == {"rating": 1338, "deviation": 290, "provisional": True, "games": 1}
    assert rating(third)["rating"] == 1662 < before["rating"]
    stored = fetch(database_url, "SELECT rating_changes FROM games WHERE id = $1", later)[0]
    assert [round(change) for change in stored] == [-162, 162]
    lost_rated_game(program, third)
    assert rating(program)["games"] == 1
    assert code(act(moderator, program, "void_game", subject=voided)) == (409, "not_rated")


def test_an_entry_is_withdrawn_for_a_public_reason(program, moderator, visitor):
    entry = program.http.post("/nugget/entries", json={"boards": new_record(detours=3)}).json()["id"]
    done = act(moderator, program, "withdraw_entry", subject=entry, reason="Copied from a book")
    assert done.status_code == 201
    page = visitor.http.get(f"/nugget/entries/{entry}").text
    assert "Copied from a book" in page
    shown = program.http.get(f"/nugget/entries/{entry}").json()
    assert (shown["rank"], shown["receipts"][1]["kind"]) == (None, "removal")
    assert audit(visitor.http.get("/nugget/ledger").text).valid
    assert code(act(moderator, program, "withdraw_entry", subject=entry)) == (409, "withdrawn")


def test_texts_are_shown_to_moderators_in_their_context_and_removed(server, other, moderator, database_url):
    judge = Visitor(server).log_in(moderator.username)
    match = Match(server)
    make_old(database_url, match.black, match.white, other)
    match.play("d4", "pass", "e5", "pass", "pass")
    spectators = {"room": "spectators"}
    chat = f"/games/{match.id}/chat"
    match.white.http.post(chat, json={**spectators, "text": "Well?"})
    line = match.black.http.post(chat, json={**spectators, "text": "You are a rude word"}).json()["id"]
    unreported = match.white.http.post(chat, json={**spectators, "greeting": "bye"}).json()["id"]
    sent = match.black.http.post(f"/messages/{other.username}", json={"text": "Another rude word"}).json()
    for place, words in (
        (f"chat:{line}", ("Well?", "You are a rude word", "Bye!")),
        (f"message:{sent['id']}", ("Another rude word",)),
    ):
        report = {"username": match.black.username, "reason": "abuse", "place": place}
        assert other.http.post("/reports", json=report).status_code == 201
        (mine,) = open_reports(moderator, match.black)
        page = judge.http.get(mine["url"])
        assert all(word in page.text for word in words)
        assert other.http.get("/me").status_code == 200
        assert Visitor(server).register().http.get(mine["url"]).status_code == 403
        assert act(moderator, match.black, "remove_text", subject=place).status_code == 201
        assert code(act(moderator, other, "remove_text", subject=place)) == (409, "no_such_text")
    said = match.white.http.get(chat, params=spectators).json()["messages"]
    assert [each["text"] for each in said] == ["Well?", "", "Bye!"]
    assert other.http.get(f"/messages/{match.black.username}").json()["messages"][0]["text"] == ""
    assert "removed by a moderator" in judge.http.get(f"/games/{match.id}").text
    assert code(act(moderator, match.white, "remove_text", subject=f"chat:{unreported}")) == (
        409,
        "no_such_text",
    )
    for number in (999_999_999, unreported):
        assert judge.http.get(f"/moderation/chat/{number}").status_code == 404


def on_game(author):
    match = Match(author.server)
    path = f"/games/{match.id}"
    said = post(author, f"{path}/chat", room="spectators", text="A rude word")
    return path, Visitor(author.server), f"chat:{said.json()['id']}"


def in_tournament(author):
    path = f"/tournaments/{Cup(author.server, None, 0, 'swiss', rounds=3).id}"
    said = post(author, f"{path}/chat", text="A rude word")
    return path, Visitor(author.server), f"chat:{said.json()['id']}"


def in_team(author):
    path = f"/teams/{new_team(author.server.database_url, author)}"
    said = post(author, f"{path}/chat", text="A rude word")
    reader = Program(author.server)
    assert post(reader, f"{path}/join", text="").is_success
    return path, member(author.server, reader.username), f"chat:{said.json()['id']}"


def in_thread(author):
    reader = Visitor(author.server).register()
    sent = post(author, f"/messages/{reader.username}", text="A rude word")
    return f"/messages/{author.username}", reader, f"message:{sent.json()['id']}"


def of_tournament(author):
    cup = Cup(author.server, None, 0, "swiss", rounds=3, organiser=author, description="A rude word")
    return f"/tournaments/{cup.id}", Visitor(author.server), f"tournament:{cup.id}"


@pytest.mark.parametrize("write", [on_game, in_tournament, in_team, in_thread, of_tournament])
def test_a_text_that_is_removed_leaves_open_pages(program, other, moderator, database_url, write):
    lost_rated_game(other, program)
    make_old(database_url, program)
    path, reader, place = write(program)
    with reader.live(f"{path}/live") as socket:
        wait_until(lambda: "A rude word" in socket.recv(WITHIN))
        assert act(moderator, program, "remove_text", subject=place).status_code == 201
        drawn = 'hx-target="#tournament-terms"' if write is of_tournament else "removed by a moderator"
        wait_until(lambda: drawn in (pushed := socket.recv(WITHIN)) and "A rude word" not in pushed)
    assert "A rude word" not in reader.http.get(path).text


def test_programs_are_sent_a_removed_line_again_without_its_text(program, other, moderator, database_url):
    lost_rated_game(other, program)
    make_old(database_url, program)
    path, _, place = on_game(program)
    with other.socket(path.rpartition("/")[2]) as socket:
        said = post(program, f"{path}/chat", room="spectators", text="Another one").json()
        assert socket.receive_until("chat")["text"] == "Another one"
        for subject in (place, f"chat:{said['id']}"):
            assert act(moderator, program, "remove_text", subject=subject).status_code == 201
            again = socket.receive_until("chat")
            assert (f"chat:{again['id']}", again["text"]) == (subject, "")


def test_what_the_server_notices_is_in_the_queue_and_actions_are_in_the_audit_log(
    program, other, moderator, database_url
):
    game = rated_game(program, other)
    move_once_each(program, other, game)
    position = program.snapshot(game)["position"]
    asked = program.http.post("/evaluations", json={"game": "jadejack", "position": position})
    assert code(asked) == (409, "game_under_way")
    assert noticed(moderator, program) == [("help", f"game:{game}")]
    source = program.http.post("/nugget/entries", json={"boards": new_record(detours=5)}).json()["id"]
    program.http.post(f"/nugget/entries/{source}/publish")
    derived = other.http.post("/nugget/entries", json={"boards": new_record(detours=5)}).json()["id"]
    assert noticed(moderator, other) == [("derived", f"entry:{derived}")]
    act(moderator, program, "warn")
    lines = json_lines(database_url, "audit", program.username)
    assert [line["action"] for line in lines] == ["moderation_warn", "registered"]
    assert (lines[0]["moderator"], lines[0]["reason"]) == (moderator.username, "Because of warn")


def test_the_log_is_append_only(program, moderator, database_url):
    act(moderator, program, "warn")
    for statement in (
        "UPDATE moderation_actions SET reason = ''",
        "DELETE FROM moderation_actions",
        "TRUNCATE moderation_actions",
    ):
        with pytest.raises(asyncpg.RaiseError, match="append-only"):
            execute(database_url, statement)


def test_the_pages_of_a_moderator(server, program, database_url):
    moderator = make_moderator(database_url, Visitor(server).register())
    other = Visitor(server).register()
    form = {"username": program.username, "reason": "cheating", "place": f"profile:{program.username}"}
    other.http.post("/report", data=form)
    assert f"/moderation/players/{program.username}" in moderator.http.get("/moderation").text
    case = f"/moderation/players/{program.username}"
    assert "Cheating" in moderator.http.get(case).text
    refused = moderator.http.post(case, data={"action": "lift", "reason": "Just so"})
    assert refused.status_code == 422
    assert "This player has no restrictions." in refused.text
    assert "Just so" in refused.text
    assert moderator.http.post(case, data={"action": "mute", "reason": "Calm down"}).status_code == 200
    log = moderator.http.get("/moderation/log").text
    assert "Calm down" in log
    assert re.search(r"No chat and messages\s+\(until <time", log)
    assert "No chat and messages until" in moderator.http.get(case).text


def reported(reporter, about, *places):
    for place in places:
        report = {"username": about.username, "reason": "abuse", "place": place}
        assert reporter.http.post("/reports", json=report).status_code == 201


def test_an_action_is_chosen_and_stays_after_an_error(server, program, moderator):
    judge = Visitor(server).log_in(moderator.username)
    case = f"/moderation/players/{program.username}"

    def chosen(answer):
        return re.findall(r'name="action" value="(\w+)" required checked> ([^<]+)<', answer.text)

    assert chosen(judge.http.get(case)) == []
    nothing = judge.http.post(case, data={"reason": "Because"})
    assert (nothing.status_code, chosen(nothing)) == (422, [])
    assert re.search(r'id="error-action"[^>]*>Fill in', nothing.text)
    assert chosen(judge.http.post(case, data={"action": "lift"})) == [("lift", "Lift the restrictions")]
    assert program.http.get("/me/moderation").json() == []


def test_the_queue_has_one_row_for_each_player(server, program, other, moderator):
    judge, third = Visitor(server).log_in(moderator.username), Program(server)
    reported(other, program, "game:k7m2wq9xaa", "game:k7m2wq9xab")
    spam = {"username": program.username, "reason": "spam", "text": "Buy my feathers!"}
    third.http.post("/reports", json=spam)
    reported(third, other, "game:k7m2wq9xaa")
    game = rated_game(program, other)
    move_once_each(program, other, game)
    asked = {"game": "jadejack", "position": program.snapshot(game)["position"]}
    assert code(program.http.post("/evaluations", json=asked)) == (409, "game_under_way")
    html = judge.http.get("/moderation").text

    def row(player):
        (found,) = re.findall(rf'href="/moderation/players/{player.username}">(.*?)</a>', html, re.DOTALL)
        return found

    assert "help in a rated game, Advertising or spam, Insults or threats<" in row(program)
    assert "Buy my feathers!" in row(program)
    origin = f">4 reports, by {third.username} and {other.username}, noticed by the server<"
    assert origin in row(program)
    assert f">by {third.username}<" in row(other)


def test_only_the_reports_concerned_are_closed(server, program, other, moderator, database_url):
    reported(other, program, "game:k7m2wq9xaa", "game:k7m2wq9xab", "game:k7m2wq9xac")
    first, second, third = sorted(each["id"] for each in open_reports(moderator, program))
    assert act(moderator, program, "warn", reports=[first]).status_code == 201
    assert {each["id"] for each in open_reports(moderator, program)} == {second, third}
    judge = Visitor(server).log_in(moderator.username)
    case = f"/moderation/players/{program.username}"
    shown = judge.http.get(case).text
    assert f'name="report-{second}" checked' in shown
    assert f'name="report-{first}"' not in shown
    form = {"action": "warn", "wording": "friendly", "choice": "yes", f"report-{second}": "on"}
    assert judge.http.post(case, data=form).url.path == "/moderation"
    assert {each["id"] for each in open_reports(moderator, program)} == {third}
    decision = program.http.get("/me/moderation").json()[0]
    assert decision["reason"] == "You insulted other players. Please stay friendly."
    assert judge.http.post(case, data={**form, f"report-{second}": ""}).status_code == 409
    assert {each["id"] for each in open_reports(moderator, program)} == {third}
    assert act(moderator, program, "dismiss").status_code == 201
    assert open_reports(moderator, program) == []


@pytest.mark.parametrize("action", ModeratorAction)
def test_a_report_is_decided_once(program, other, moderator, action):
    report = {"username": program.username, "reason": "spam", "place": f"profile:{program.username}"}
    reported = other.http.post("/reports", json=report).json()["id"]
    assert act(moderator, program, "dismiss", reports=[reported]).status_code == 201
    again = act(moderator, program, action, reports=[reported], new_name=fresh_name("new"))
    assert code(again) == (409, "decided")
    assert program.http.get("/me/moderation").json() == []
    assert program.http.get("/me").json()["username"] == program.username


@pytest.mark.parametrize("action", ["mute", "ban"])
def test_no_later_decision_shortens_an_earlier_one(program, moderator, action):
    assert act(moderator, program, action, days=30).status_code == 201
    assert code(act(moderator, program, action, days=7)) == (409, "restricted_longer")
    assert act(moderator, program, action, days=60).status_code == 201
    assert act(moderator, program, "lift").status_code == 201
    assert act(moderator, program, action, days=7).status_code == 201


@pytest.mark.parametrize("action", ModeratorAction)
def test_on_pages_what_cannot_be_undone_is_confirmed(server, program, moderator, action):
    judge = Visitor(server).log_in(moderator.username)
    case = f"/moderation/players/{program.username}"
    refused = judge.http.post(case, data={"action": action, "reason": "Because"})
    assert ("Confirm it: this cannot be undone." in refused.text) == (action in FINAL)
    confirmed = judge.http.post(case, data={"action": action, "reason": "Because", "confirmed": "true"})
    assert "Confirm it" not in confirmed.text


def test_a_case_shows_what_it_is_about_and_company_only_in_numbers(server, program, moderator, database_url):
    match = Match(server)
    make_old(database_url, match.black, match.white)
    match.play("d4", "pass", "e5", "pass", "pass")
    chat = f"/games/{match.id}/chat"
    line = match.black.http.post(chat, json={"room": "players", "text": "A rude word"}).json()["id"]
    reported(match.white, match.black, f"chat:{line}", f"profile:{match.black.username}", "game:k7m2wq9xab")
    page = Visitor(server).log_in(moderator.username).http.get(f"/moderation/players/{match.black.username}")
    assert f'id="mini-{match.id}"' in page.text
    assert page.text.count('<p class="letters-text">A rude word</p>') == 1
    browser = Visitor(server).register()
    first = browser.username
    browser.http.post("/logout")
    browser.register()
    page = Visitor(server).log_in(moderator.username).http.get(f"/moderation/players/{first}")
    assert re.search(r"Other accounts in the same browser</dt><dd>1</dd>", page.text)
    assert browser.username not in page.text.split("<main")[1]


def test_who_only_fails_at_the_password_of_an_account_is_not_its_company(server, program, moderator):
    stranger = Visitor(server)
    stranger.http.headers["X-Forwarded-For"] = "2001:db8:77::3"
    stranger.register()
    stranger.http.post("/login", data={"username": program.username, "password": "not that one"})
    judge, company = Visitor(server).log_in(moderator.username), r"from the same network</dt><dd>(\d+)</dd>"
    page = judge.http.get(f"/moderation/players/{stranger.username}")
    assert re.search(company, page.text)[1] == "0"


def test_moderators_see_the_number_of_open_reports_in_the_header(server, program, other, moderator):
    judge = Visitor(server).log_in(moderator.username)
    assert 'id="reports"' in judge.http.get("/").text
    assert 'id="reports"' not in Visitor(server).register().http.get("/").text
    reports = moderator.http.get("/moderation/reports", params={"from": "others"}).json()["reports"]
    before = len(reports)
    with judge.live("/account/live") as socket:
        reported(other, program, "game:k7m2wq9xad")
        wait_until(
            lambda: f'hx-target="#reports" hx-swap="innerMorph">{before + 1}<' in socket.recv(timeout=10)
        )


def test_the_page_of_a_case_says_why_a_new_name_is_refused(server, other, database_url):
    judge = make_moderator(database_url, Visitor(server).register())
    form = {"action": "rename", "reason": "Rude", "confirmed": "true", "new_name": "admin"}
    answer = judge.http.post(f"/moderation/players/{other.username}", data=form)
    assert "This username is reserved." in answer.text


def test_nobody_answers_a_decision_that_they_are_not_told(program, moderator):
    dismissed = act(moderator, program, "dismiss").json()["id"]
    answer = program.http.post(f"/me/moderation/{dismissed}/answer", json={"text": "Which report?"})
    assert code(answer) == (404, "not_found")
    assert open_reports(moderator, program) == []


def test_the_name_of_a_tournament_that_is_removed_leaves_open_pages(program, other, moderator, database_url):
    lost_rated_game(other, program)
    make_old(database_url, program)
    cup = Cup(program.server, None, 0, "swiss", rounds=3, organiser=program, name="A rude cup")
    with Visitor(program.server).live(f"/tournaments/{cup.id}/live") as socket:
        wait_until(lambda: "A rude cup" in socket.recv(WITHIN))
        assert act(moderator, program, "remove_text", subject=f"tournament:{cup.id}").status_code == 201
        wait_until(lambda: 'hx-target="#tournament-name"' in socket.recv(WITHIN))
