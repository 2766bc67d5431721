"""What the page of a tournament offers its readers is what its commands accept, and who may end it."""

import pytest

from app.people.identity.service import ORGANISER
from tests.support.accounts import grant
from tests.support.answers import code
from tests.support.database import execute
from tests.support.games import post
from tests.support.moderation import make_moderator
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.tournaments import Cup, member, new_team

BAN = """
INSERT INTO sanctions (account_id, kind, until)
SELECT id, 'no_rated', now() + interval '9 days' FROM accounts WHERE username = $1
"""


def registered(server):
    return Visitor(server).register()


def guest(server):
    visitor = Visitor(server)
    visitor.http.post("/challenges", data={"clock": "realtime"})
    return visitor


def program(server):
    visitor = registered(server)
    execute(
        server.database_url, "UPDATE accounts SET is_computer = true WHERE username = $1", visitor.username
    )
    return visitor


def excluded(server):
    visitor = registered(server)
    execute(server.database_url, BAN, visitor.username)
    return visitor


# Terms of a tournament, a reader, and what the page says instead of "Join".
READERS = {
    "a visitor": ({}, Visitor, "Register to join"),
    "a guest": ({}, guest, "Register to join"),
    "a player": ({}, registered, None),
    "one outside the range": ({"rating_min": 2000}, registered, "Your rating is not in the range"),
    "one without games": ({"min_games": 5}, registered, "You have too few rated games"),
    "a program": ({}, program, "Only people may take part"),
    "a program among programs": ({"computers": True}, program, None),
    "one who is excluded": ({"rated": True}, excluded, "A moderator has excluded you from rated games"),
    "one who is excluded from others": ({}, excluded, None),
    "one of no team": ({"team": True}, registered, "This tournament is for the members of a team."),
    "one who is late": ({"max_players": 2}, registered, "This tournament is full."),
}


def joins(server, team):
    program = Program(server)
    assert post(program, f"{team}/join", text="").is_success
    return program


def offers_to_join(page, path):
    return f'action="{path}/join"' in page


def leads_to_joining(page, path):
    return f'<a class="button" href="{path}" aria-label="Join' in page


@pytest.mark.parametrize(("terms", "reader", "instead"), READERS.values(), ids=READERS)
def test_a_page_offers_to_join_only_to_those_whom_the_command_admits(server, clock, terms, reader, instead):
    organiser = Program(server)
    grant(server.database_url, organiser, ORGANISER)
    if "team" in terms:
        terms = {"team": new_team(server.database_url, organiser)}
    count = 0 if "max_players" not in terms else 2
    cup = Cup(server, clock, count, "swiss", organiser=organiser, rounds=3, **terms)
    path, visitor = f"/tournaments/{cup.id}", reader(server)
    page, listed = visitor.http.get(path).text, visitor.http.get("/tournaments").text
    assert offers_to_join(page, path) is (instead is None)
    assert instead is None or instead in page
    assert offers_to_join(listed, path) is (instead is None)
    assert leads_to_joining(listed, path) is (instead == "Register to join")
    joined = visitor.http.post(f"{path}/join")
    assert joined.is_success is (instead is None)


def test_a_password_is_asked_on_the_page_of_those_who_have_not_joined_before(server, clock):
    cup = Cup(server, clock, 0, "arena", minutes=30, password="nightingale")
    path, player = f"/tournaments/{cup.id}", Program(server)
    assert post(player, f"{path}/join", password="nightingale").is_success
    cup.start()
    assert post(player, f"{path}/withdraw").is_success
    before, other = member(server, player.username), registered(server)
    for reader, is_asked in ((before, False), (other, True)):
        page, listed = reader.http.get(path).text, reader.http.get("/tournaments").text
        assert ('type="password"' in page) is is_asked
        assert leads_to_joining(listed, path) is is_asked
        assert offers_to_join(listed, path) is not is_asked


def test_a_player_whom_the_terms_exclude_in_the_meantime_is_told_why(server, clock, database_url):
    leader = Program(server)
    team = new_team(database_url, leader)
    cup = Cup(server, clock, 0, "arena", minutes=30, team=team, organiser=leader)
    players = [joins(server, f"/teams/{team}") for _ in range(3)]
    for player in players:
        cup.join(player)
    cup.start()
    post(players[0], f"/teams/{team}/leave")
    page = member(server, players[0].username).http.get(f"/tournaments/{cup.id}").text
    assert "Come back" not in page
    assert "This tournament is for the members of a team." in page


@pytest.fixture
def leader(server):
    return Program(server)


@pytest.fixture
def team(leader, database_url):
    """Return the path of a team that everybody may join."""
    return f"/teams/{new_team(database_url, leader)}"


LEAVING = {
    "leaves": lambda _leader, maker, team: post(maker, f"{team}/leave"),
    "is removed": lambda leader, maker, team: leader.http.delete(f"{team}/members/{maker.username}"),
    "closes the account": lambda _leader, maker, _team: maker.http.post(
        "/me/close", json={"password": PASSWORD, "erase": False}
    ),
}


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_what_is_held_in_the_name_of_a_team_is_changed_and_ended_by_those_who_answer_for_it(
    server, clock, leader, team, leave
):
    maker, officer, other = (joins(server, team) for _ in range(3))
    leader.http.put(f"{team}/members/{officer.username}", json={"role": "officer"})
    first, second = (
        Cup(server, clock, 0, "swiss", rounds=3, organiser=maker, team=team.removeprefix("/teams/"))
        for _ in range(2)
    )
    for cup in (first, second):
        cup.organiser = leader  # who looks at it from now on
    path = f"/tournaments/{first.id}"
    assert maker.http.put(f"{path}/chat", json={"chat": False}).json()["chat"] is False
    visitor = member(server, maker.username)
    assert f'href="{path}/edit"' in visitor.http.get(path).text
    assert maker.http.put(path, json=first.terms).is_success
    assert leave(leader, maker, team).is_success
    assert code(other.http.put(f"{path}/chat", json={"chat": True})) == (403, "not_yours")
    if leave is not LEAVING["closes the account"]:
        assert code(post(maker, f"{path}/cancel", reason="For myself")) == (403, "not_yours")
        terms = {**first.terms, "team": None}
        for taken_away in (maker.http.put(path, json=terms), post(maker, f"{path}/preview", **terms)):
            assert code(taken_away) == (403, "not_yours")
        assert f'href="{path}/edit"' not in visitor.http.get(path).text
        assert visitor.http.post(f"{path}/edit", data={"name": "My own cup"}).status_code == 403
    page = member(server, officer.username).http.get(path).text
    assert f'action="{path}/cancel"' in page
    assert 'name="reason"' not in page  # all words of a tournament are its organiser's
    assert officer.http.put(f"{path}/chat", json={"chat": True}).json()["chat"] is True
    assert post(officer, f"{path}/cancel", reason="Its maker has left us.").is_success
    assert post(leader, f"/tournaments/{second.id}/cancel", reason="This one, too.").is_success
    assert [(cup.shown["status"], cup.shown["reason"]) for cup in (first, second)] == [("cancelled", "")] * 2


def test_a_moderator_who_ends_a_tournament_is_not_named(server, clock, database_url):
    cup = Cup(server, clock, 1, "swiss", rounds=3)
    (player,) = cup.programs.values()
    moderator = make_moderator(database_url, Program(server))
    assert post(moderator, f"/tournaments/{cup.id}/cancel", reason="Spam").json()["reason"] == "Spam"
    told = player.http.get("/notifications").json()["notifications"]
    assert [(each["kind"], each["actor"]) for each in told] == [("tournament_cancelled", None)]


def test_who_is_excluded_from_rated_games_reads_it_in_place_of_the_button(
    server, clock, database_url, program
):
    cup = Cup(server, clock, 0, "swiss", rounds=3)
    execute(database_url, "UPDATE tournaments SET rated = true WHERE id = $1", cup.id)
    execute(database_url, BAN, program.username)
    page = member(server, program.username).http.get(f"/tournaments/{cup.id}").text
    assert not offers_to_join(page, f"/tournaments/{cup.id}")
    assert "excluded" in page
