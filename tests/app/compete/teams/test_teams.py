"""Teams: joining, roles, caps, and what is left when players leave."""

import re
from datetime import timedelta
from html import unescape

import pytest

from app.compete.teams import queries
from app.core.moments import utc_now
from tests.support.alerts import alerts
from tests.support.answers import code
from tests.support.database import execute, fetch, on_database
from tests.support.games import lost_rated_game
from tests.support.moderation import make_moderator, open_reports
from tests.support.players import PASSWORD, Program, Visitor, fresh_name, make_old
from tests.support.tournaments import BULLET, Cup, member
from tests.support.waiting import WITHIN, wait_until


def make(program, **members):
    return program.http.post("/teams", json={"name": fresh_name("The team of"), "join": "open", **members})


@pytest.fixture
def leader(server, program, database_url):
    """Return a player who may make teams, and has played a game."""
    leader = Program(server)
    lost_rated_game(program, leader)
    make_old(database_url, leader)
    return leader


@pytest.fixture
def team(leader):
    """Return the path of a team whose leader lets players in."""
    made = make(leader, join="request", text="We meet on Fridays.")
    assert made.status_code == 201, made.text
    return f"/teams/{made.json()['id']}"


@pytest.fixture
def moderator(server, database_url):
    return make_moderator(database_url, Program(server))


def join(program, team, text=""):
    return program.http.post(f"{team}/join", json={"text": text})


def roles(program, team):
    return {each["username"]: each["role"] for each in program.http.get(f"{team}/members").json()["members"]}


def kinds(program):
    return [each["kind"] for each in program.http.get("/notifications").json()["notifications"]]


def test_a_new_account_makes_no_team_and_nobody_leads_more_than_three(program, leader, visitor):
    assert code(make(program)) == (403, "new_account")
    names = [fresh_name("Team") for _ in range(3)]
    assert [make(leader, name=name).status_code for name in names] == [201] * 3
    assert code(make(leader)) == (409, "too_many_teams")
    (own, *_) = leader.http.get("/me/teams").json()
    leader.http.post(f"/teams/{own['id']}/close")
    assert code(leader.http.get(f"/teams/{own['id']}")) == (404, "not_found")
    others = [name for name in names if name != own["name"]]
    assert code(make(leader, name=others[0].upper())) == (422, "name_taken")
    assert make(leader, name=own["name"]).status_code == 201
    found = program.http.get("/teams", params={"q": others[0][1:].upper()}).json()
    assert ([each["name"] for each in found["teams"]], found["has_more"]) == ([others[0]], False)
    assert others[0] in visitor.http.get("/teams", params={"q": others[0]}).text
    for bad in ({"name": " x "}, {"name": "x" * 41}, {"join": "never"}, {"text": "x" * 2001}):
        assert make(leader, **bad).status_code == 422


def test_the_list_of_teams_says_once_when_one_may_be_made(server, visitor):
    path, words = "/teams?q=nobody-has-this-name", "a day after registering"
    assert visitor.http.get(path).text.count(words) == 1
    assert Visitor(server).register().http.get(path).text.count(words) == 1


def test_a_leader_sees_no_words_of_a_player_whom_they_have_blocked(program, leader, team):
    assert leader.http.put(f"/players/{program.username}/block").is_success
    join(program, team, "Some choice words")
    assert "team_request" not in kinds(leader)
    (asking,) = leader.http.get(f"{team}/requests").json()
    assert (asking["username"], asking["text"]) == (program.username, "")


def decide(leader, team, player, decision):
    assert leader.http.post(f"{team}/requests/{player.username}/{decision}").status_code == 204


def test_officers_read_who_asks_to_join(program, leader, team):
    assert join(program, team, "Let me in").json() == {"status": "asked"}
    assert "team_request" in kinds(leader)
    assert code(program.http.get(f"{team}/requests")) == (403, "not_an_officer")
    (asking,) = leader.http.get(f"{team}/requests").json()
    assert (asking["username"], asking["text"], asking["is_refused"]) == (
        program.username,
        "Let me in",
        False,
    )


def test_who_is_let_in_is_a_member(program, other, leader, team):
    join(program, team)
    decide(leader, team, program, "accept")
    assert "team_joined" in kinds(program)
    assert "team_request" not in kinds(leader)
    assert code(join(program, team)) == (409, "joined")
    assert roles(other, team) == {leader.username: "leader", program.username: "member"}
    (member,) = [m for m in other.http.get(f"{team}/members").json()["members"] if m["role"] == "member"]
    assert member["ratings"]["jadejack"]["games"] == 1
    (game,) = other.http.get(f"{team}/games").json()
    assert (set(game["players"]), game["winner"]) == ({leader.username, program.username}, leader.username)


def test_who_is_declined_may_ask_again_when_an_officer_lets_them(other, leader, team):
    join(other, team)
    decide(leader, team, other, "decline")
    assert code(join(other, team)) == (403, "refused")
    decide(leader, team, other, "accept")
    assert join(other, team).json() == {"status": "asked"}
    assert other.http.post(f"{team}/leave").status_code == 204
    assert code(other.http.post(f"{team}/leave")) == (409, "not_a_member")


def test_the_last_games_are_the_same_wherever_they_are_looked_for(leader, team, database_url, monkeypatch):
    async def last(database):
        async with database.reading_now() as session:
            return await queries.latest_games(session, team.rpartition("/")[2])

    monkeypatch.setattr(queries, "_SHOWN_GAMES", 1)
    (among_the_last_of_the_site,) = on_database(database_url, last)
    monkeypatch.setattr(queries, "_SHOWN_GAMES", 2)  # then by member, since the site has no other
    assert on_database(database_url, last) == [among_the_last_of_the_site]


@pytest.fixture
def open_team(program, other, leader, team):
    """Return the path of a team that everybody may join, with two members, `other` being an officer."""
    assert leader.http.put(team, json={"name": fresh_name("Open team"), "join": "open"}).status_code == 204
    for player in (program, other):
        assert join(player, team).json() == {"status": "member"}
    officer = f"{team}/members/{other.username}"
    assert code(program.http.put(officer, json={"role": "officer"})) == (403, "not_the_leader")
    assert leader.http.put(officer, json={"role": "officer"}).status_code == 204
    return team


def test_officers_remove_members_and_no_more(server, program, other, leader, open_team):
    third = Program(server)
    assert join(third, open_team).json() == {"status": "member"}
    assert code(program.http.delete(f"{open_team}/members/{third.username}")) == (403, "not_an_officer")
    assert other.http.delete(f"{open_team}/members/{third.username}").status_code == 204
    stranger = other.http.delete(f"{open_team}/members/{Program(other.server).username}")
    assert code(stranger) == (409, "not_asked")
    assert "is not in the team" in stranger.json()["detail"]
    assert code(join(third, open_team)) == (403, "refused")
    assert code(other.http.delete(f"{open_team}/members/{leader.username}")) == (403, "not_the_leader")
    assert code(other.http.post(f"{open_team}/close")) == (403, "not_the_leader")


def test_an_officer_leads_when_the_leader_closes_the_account(program, other, leader, open_team):
    assert leader.http.post("/me/close", json={"password": PASSWORD, "erase": False}).status_code == 204
    assert roles(program, open_team) == {other.username: "leader", program.username: "member"}


def test_a_leader_who_names_another_one_is_an_officer(program, other, leader, open_team):
    heir = f"{open_team}/members/{program.username}"
    assert leader.http.put(heir, json={"role": "leader"}).status_code == 204
    assert roles(other, open_team) == {
        program.username: "leader",
        other.username: "officer",
        leader.username: "officer",
    }


def test_a_team_ends_when_its_last_member_leaves(server, program, other, leader, open_team):
    for player in (leader, other, program):
        assert player.http.post(f"{open_team}/leave").status_code == 204
    assert code(Program(server).http.get(open_team)) == (404, "not_found")


def test_the_leader_of_the_moment_is_notified_of_who_wants_to_join(server, program, other, leader, team):
    join(other, team)
    assert leader.http.post(f"{team}/requests/{other.username}/accept").status_code == 204
    join(program, team)
    assert kinds(leader).count("team_request") == 1
    assert leader.http.put(f"{team}/members/{other.username}", json={"role": "leader"}).status_code == 204
    assert ("team_request" in kinds(leader), kinds(other).count("team_request")) == (False, 1)
    assert leader.http.post(f"{team}/requests/{program.username}/decline").status_code == 204
    assert "team_request" not in kinds(other)
    asking, closing = Program(server), Program(server)
    for player in (asking, closing):
        join(player, team)
    assert other.http.post(f"{team}/leave").status_code == 204
    assert ("team_request" in kinds(other), kinds(leader).count("team_request")) == (False, 2)
    assert closing.http.post("/me/close", json={"password": PASSWORD, "erase": False}).status_code == 204
    assert kinds(leader).count("team_request") == 1
    assert leader.http.post(f"{team}/close").status_code == 204
    assert "team_request" not in kinds(leader)


def test_moderators_remove_the_text_and_close_the_team(server, program, leader, team, database_url):
    moderator = make_moderator(database_url, Program(server))
    place = team.removeprefix("/").replace("teams/", "team:")
    report = {"username": leader.username, "place": place, "reason": "spam"}
    assert program.http.post("/reports", json=report).status_code == 201
    (mine,) = open_reports(moderator, leader)
    assert (mine["place"], mine["url"]) == (place, team)
    assert mine["quote"].endswith("We meet on Fridays.")
    order = {"username": leader.username, "reason": "Spam"}
    removed = {**order, "action": "remove_text", "subject": place}
    assert moderator.http.post("/moderation/actions", json=removed).status_code == 201
    assert program.http.get(team).json()["text"] == ""
    closed = {**order, "action": "close_team", "subject": place.removeprefix("team:")}
    assert moderator.http.post("/moderation/actions", json=closed).status_code == 201
    assert code(program.http.get(team)) == (404, "not_found")
    assert code(moderator.http.post("/moderation/actions", json=closed)) == (409, "no_such_team")


@pytest.fixture
def reader(server):
    """Return the browser of somebody who has just registered."""
    return Visitor(server).register()


@pytest.fixture
def owner(server, leader):
    """Return the browser of the leader."""
    return member(server, leader.username)


def test_a_profile_names_the_teams_of_a_player(leader, team, reader):
    name = leader.http.get(team).json()["name"]
    profile = leader.http.get(f"/players/{leader.username}").json()
    assert profile["teams"] == [{"id": team.removeprefix("/teams/"), "name": name}]
    assert f'href="{team}"' in reader.http.get(f"/players/{leader.username}").text


def test_a_team_is_made_by_a_form_a_day_after_registering(owner, reader):
    too_early = reader.http.get("/teams/new")
    assert (too_early.status_code, "a day after registering" in too_early.text) == (403, True)
    assert 'action="/teams/new"' in owner.http.get("/teams/new").text
    made = owner.http.post("/teams/new", data={"name": fresh_name("Second"), "join": "open"})
    assert made.url.path.startswith("/teams/")


def test_the_page_of_a_team_lets_ask_to_join_it(team, owner, reader):
    page = reader.http.get(team).text
    assert "We meet on Fridays." in page
    assert "Ask to join" in page
    assert "You have asked to join." in reader.http.post(f"{team}/join", data={"text": "Hello"}).text
    assert "Hello" in owner.http.get(f"{team}/requests").text


def test_the_header_says_who_wants_to_join(server, team, owner, reader):
    reader.http.post(f"{team}/join", data={"text": ""})
    with alerts(owner) as following:
        wants_to_join = f"{reader.username} wants to join your team"
        assert wants_to_join in following()
        assert owner.http.post(f"{team}/requests/{reader.username}/accept").status_code == 200
        assert wants_to_join not in following()
        leaving = Program(server)
        join(leaving, team)
        wants_to_join = f"{leaving.username} wants to join your team"
        assert wants_to_join in following()
        assert leaving.http.post("/me/close", json={"password": PASSWORD, "erase": False}).status_code == 204
        assert wants_to_join not in following()


@pytest.fixture
def officer(team, owner, reader):
    """Return the browser of an officer of the team."""
    reader.http.post(f"{team}/join", data={"text": ""})
    assert owner.http.post(f"{team}/requests/{reader.username}/accept").status_code == 200
    assert owner.http.post(f"{team}/members/{reader.username}", data={"role": "officer"}).status_code == 200
    return reader


def test_the_settings_of_a_team_are_for_its_leader(team, owner, officer):
    refused = owner.http.post(f"{team}/settings", data={"name": "x", "text": "Kept"})
    assert (refused.status_code, "Kept" in refused.text) == (422, True)
    name = fresh_name("Renamed")
    assert name in owner.http.post(f"{team}/settings", data={"name": name}).text
    assert officer.http.get(f"{team}/settings").status_code == 403


def test_who_is_removed_cannot_join_again(team, owner, officer, database_url):
    assert "Officer" in officer.http.get(team).text
    assert owner.http.post(f"{team}/members/{officer.username}/remove").status_code == 200
    removed = officer.http.get(team).text
    assert "This team does not let you join." in removed
    assert "your request" not in removed
    assert owner.http.post(f"{team}/close").status_code == 200
    assert officer.http.get(team).status_code == 404
    assert fetch(database_url, "SELECT size FROM teams WHERE id = $1", team.removeprefix("/teams/"))[0] == 1


def test_leaving_a_team_says_what_becomes_of_it(server, program, leader, team):
    closes, passes_on, asks = (
        "You are the last member: if you leave, the team is closed for good.",
        "If you leave, another member leads the team.",
        "Do you want to leave this team?",
    )

    def told(username):
        shown = member(server, username).http.get(team).text
        return [text for text in (closes, passes_on, asks) if text in shown]

    assert told(leader.username) == [closes]
    join(program, team)
    leader.http.post(f"{team}/requests/{program.username}/accept")
    assert told(leader.username) == [passes_on]
    assert told(program.username) == [asks]


def test_a_member_makes_a_tournament_from_the_page_of_the_team(server, leader, team, visitor):
    owner, team_id = member(server, leader.username), team.removeprefix("/teams/")
    link = f"/tournaments/new?team={team_id}"
    assert link in owner.http.get(team).text
    assert link not in visitor.http.get(team).text
    of_kind = f"/tournaments/new?kind=swiss&amp;team={team_id}"
    assert f'href="{of_kind}"' in owner.http.get(link).text
    form = owner.http.get(unescape(of_kind)).text
    assert f'<option value="{team_id}" selected>' in form
    assert f"game=jumping_farther&amp;team={team_id}" in form


def test_all_tournaments_of_a_team_are_on_its_pages(server, leader, team, visitor, clock):
    coming = Cup(server, clock, 0, "arena", organiser=leader, minutes=20, team=team.removeprefix("/teams/"))
    execute(
        server.database_url,
        """
        INSERT INTO tournaments
        SELECT (jsonb_populate_record(tournaments, jsonb_build_object(
            'id', overlay(id placing n::text from 1), 'status', 'finished', 'due_at', null, 'ended_at', now()
        ))).*
        FROM tournaments, generate_series(10, 19) AS n WHERE id = $1
        """,
        coming.id,
    )
    first = visitor.http.get(team).text
    (onward,) = re.findall(rf'rel="next" href="({team}\?events=2)"', first)
    second = visitor.http.get(onward).text
    listed = [set(re.findall(r'href="(/tournaments/[0-9a-z]{10})"><b', page)) for page in (first, second)]
    assert [len(each) for each in listed] == [10, 1]
    assert listed[0].isdisjoint(listed[1])
    assert f'rel="prev" href="{team}?events=1"' in second


def test_the_page_of_a_team_lists_its_tournaments(server, leader, team, visitor):
    terms = {
        "name": fresh_name("Cup"),
        "kind": "swiss",
        "rounds": 3,
        "game": "jadejack",
        "time_control": BULLET,
        "starts_at": (utc_now() + timedelta(hours=1)).isoformat(),
        "team": team.removeprefix("/teams/"),
    }
    assert '<h2 class="page-perch">Tournaments</h2>' not in visitor.http.get(team).text
    made = leader.http.post("/tournaments", json=terms)
    assert made.status_code == 201, made.text
    path = f"/tournaments/{made.json()['id']}"
    assert f'href="{path}"' in visitor.http.get(team).text
    refused = Visitor(server).register().http.post(f"{path}/join")
    assert (refused.status_code, f'<a href="{team}">See the team</a>' in refused.text) == (403, True)
    assert f"only for {leader.http.get(team).json()['name']}" in visitor.http.get("/tournaments").text
    leader.http.post(f"{path}/cancel", json={"reason": "Too few of us."})
    assert f'href="{path}"' not in visitor.http.get(team).text


def test_members_chat_with_links_and_nobody_else_reads_it(server, program, leader, team, moderator):
    def read(reader):
        answer = reader.http.get(f"{team}/chat")
        return [each["text"] for each in answer.json()["messages"]] if answer.is_success else code(answer)

    text = "See https://example.org/a <b>now</b>"
    assert leader.http.post(f"{team}/chat", json={"text": text}).status_code == 201
    assert read(leader) == [text]
    assert read(program) == (403, "not_a_member")
    assert code(program.http.post(f"{team}/chat", json={"greeting": "hello"})) == (403, "not_a_member")
    join(program, team)
    leader.http.post(f"{team}/requests/{program.username}/accept")
    assert read(program) == [text]
    assert code(program.http.post(f"{team}/chat", json={"text": "Hi"})) == (403, "new_account")
    assert program.http.post(f"{team}/chat", json={"greeting": "hello"}).status_code == 201
    browser = Visitor(server).log_in(program.username)
    page = browser.http.get(team).text
    assert '<a href="https://example.org/a" rel="nofollow ugc noopener">https://example.org/a</a>' in page
    assert "&lt;b&gt;now&lt;/b&gt;" in page
    with browser.live(f"{team}/live") as socket:
        leader.http.post(f"{team}/chat", json={"text": "Heard?"})
        wait_until(lambda: "Heard?" in socket.recv(timeout=WITHIN))
        program.http.post(f"{team}/leave")
        leader.http.post(f"{team}/chat", json={"text": "Gone?"})
        assert read(program) == (403, "not_a_member")
        assert "Gone?" not in browser.http.get(team).text
    line = leader.http.get(f"{team}/chat").json()["messages"][0]["id"]
    report = {"username": leader.username, "reason": "abuse", "place": f"chat:{line}"}
    assert program.http.post("/reports", json=report).status_code == 201
    (mine,) = open_reports(moderator, leader)
    assert mine["quote"] == ""
    assert leader.http.post(f"{team}/close").is_success
    assert code(leader.http.get(f"{team}/chat")) == (404, "not_found")


HANDOVERS = {
    "hands it over": lambda leader, heir, team: leader.http.put(
        f"{team}/members/{heir.username}", json={"role": "leader"}
    ),
    "leaves": lambda leader, _heir, team: leader.http.post(f"{team}/leave"),
    "closes the account": lambda leader, _heir, _team: leader.http.post(
        "/me/close", json={"password": PASSWORD, "erase": False}
    ),
}


def order(moderator, player, action, subject):
    body = {"username": player.username, "reason": "Rude", "action": action, "subject": subject}
    return moderator.http.post("/moderation/actions", json=body)


@pytest.mark.parametrize("hand_over", HANDOVERS.values(), ids=HANDOVERS)
def test_the_words_of_a_team_are_those_of_who_wrote_them_whoever_leads_it(
    server, program, other, leader, team, moderator, hand_over
):
    place = team.removeprefix("/").replace("teams/", "team:")
    join(other, team)
    decide(leader, team, other, "accept")
    assert hand_over(leader, other, team).is_success
    assert roles(program, team)[other.username] == "leader"
    assert f"/report?player={leader.username}&" in member(server, program.username).http.get(team).text
    for reported in (leader, other):
        report = {"username": reported.username, "place": place, "reason": "abuse"}
        assert program.http.post("/reports", json=report).status_code == 201
    (of_author,), (of_heir,) = (open_reports(moderator, each) for each in (leader, other))
    assert of_author["quote"].endswith("We meet on Fridays.")
    assert of_heir["quote"] == ""
    assert code(order(moderator, other, "remove_text", place)) == (409, "no_such_text")
    assert order(moderator, leader, "remove_text", place).status_code == 201
    name = fresh_name("A team of")
    assert other.http.put(team, json={"name": name, "join": "open", "text": "New"}).status_code == 204
    assert code(order(moderator, leader, "remove_text", place)) == (409, "no_such_text")
    assert order(moderator, other, "remove_text", place).status_code == 201
    assert order(moderator, leader, "close_team", place.removeprefix("team:")).status_code == 409


def test_who_corrects_the_text_of_a_team_is_not_the_author_of_its_name(
    server, program, other, leader, team, moderator
):
    place = team.removeprefix("/").replace("teams/", "team:")
    join(other, team)
    decide(leader, team, other, "accept")
    assert HANDOVERS["hands it over"](leader, other, team).is_success
    name = program.http.get(team).json()["name"]
    corrected = {"name": name, "join": "request", "text": "We meet on Saturdays."}
    assert other.http.put(team, json=corrected).status_code == 204
    page = member(server, program.username).http.get(team).text
    for author, words in ((leader, name), (other, "We meet on Saturdays.")):
        assert f"/report?player={author.username}&" in page
        report = {"username": author.username, "place": place, "reason": "abuse"}
        assert program.http.post("/reports", json=report).status_code == 201
        assert [each["quote"] for each in open_reports(moderator, author)] == [words]
    assert order(moderator, leader, "remove_text", place).status_code == 201
    shown = program.http.get(team).json()
    assert (shown["name"], shown["text"]) == (f"Team {shown['id']}", "We meet on Saturdays.")
    assert order(moderator, other, "remove_text", place).status_code == 201
    assert program.http.get(team).json()["text"] == ""


def test_nobody_takes_the_name_that_a_team_gets_when_its_own_is_removed(program, leader, team, moderator):
    name = f"Team {team.removeprefix('/teams/')}"
    for taken in (name, name.upper()):
        assert code(make(leader, name=taken)) == (422, "name_taken")
    place = f"team:{team.removeprefix('/teams/')}"
    assert order(moderator, leader, "remove_text", place).status_code == 201
    assert program.http.get(team).json()["name"] == name


def test_the_header_forgets_who_asked_and_joined_when_the_team_had_opened(team, owner, reader):
    reader.http.post(f"{team}/join", data={"text": ""})
    with alerts(owner) as following:
        wants_to_join = f"{reader.username} wants to join your team"
        assert wants_to_join in following()
        opened = {"name": fresh_name("The team of"), "text": "", "join": "open"}
        assert owner.http.post(f"{team}/settings", data=opened).status_code == 200
        assert reader.http.post(f"{team}/join", data={"text": ""}).status_code == 200
        assert wants_to_join not in following()
