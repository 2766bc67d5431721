"""The feed of a player's games: what the list on the profile shows a visitor."""

import pytest

from tests.support.accounts import erase_now, id_of
from tests.support.database import execute
from tests.support.feeds import read_feed
from tests.support.games import lost_rated_game, post
from tests.support.moderation import make_moderator
from tests.support.players import PASSWORD, Program, Visitor, fresh_name

ALONE = {"game": "up_and_up", "options": {"size": 8}}
MANY = """
INSERT INTO games (id, game, options, first_player, status, position, termination, ended_at, updated_at)
SELECT 'fed' || n, game, options, first_player, status, position, termination, ended_at, updated_at
FROM games, generate_series(1, 60) n WHERE id = $1
"""


@pytest.fixture
def moderator(server, database_url):
    return make_moderator(database_url, Program(server))


def feed_of(player):
    return f"/feeds/players/{player.username}.atom"


def games_in(entries):
    return [entry.url.rsplit("/", 1)[1] for entry in entries]


def given_up_alone(program):
    game = post(program, "/games", **ALONE).json()["id"]
    assert post(program, f"/games/{game}/resign").is_success
    return game


def test_the_feed_has_the_finished_games_the_latest_first(program, other, visitor, moderator):
    assert read_feed(visitor.http, feed_of(program)) == []
    won, lost = lost_rated_game(other, program), lost_rated_game(program, other)
    alone = given_up_alone(program)
    under_way = post(program, "/games", **ALONE).json()["id"]
    entries = read_feed(visitor.http, feed_of(program))
    assert games_in(entries) == [alone, lost, won]
    assert under_way not in visitor.http.get(feed_of(program)).text
    assert {entry.author for entry in entries} == {program.username}
    assert entries[0].title == f"{program.username}, Up And Up: 0 points"
    against = f"{program.username} against {other.username}:"
    assert entries[1].title.startswith(f"{against} lost \N{MINUS SIGN}")
    assert entries[2].title.startswith(f"{against} won +")
    assert entries[2].lines[0].startswith("JadeJack ")
    assert ". Rated, " in entries[2].lines[0]
    theirs = read_feed(visitor.http, feed_of(other))
    assert games_in(theirs) == [lost, won]
    assert not {entry.id for entry in entries} & {entry.id for entry in theirs}
    order = {"username": other.username, "action": "void_game", "reason": "Arranged."}
    assert post(moderator, "/moderation/actions", **order, subject=f"game:{won}").is_success
    voided = read_feed(visitor.http, feed_of(program))
    assert [entry.id for entry in voided] == [entry.id for entry in entries]
    assert voided[2].title == f"{against} won"


def test_what_a_visitor_may_not_see_is_in_nobodys_feed(program, server):
    race = post(program, "/races", **ALONE, minutes=60).json()["id"]
    private = post(program, f"/races/{race}/join").json()["game_id"]
    assert post(program, f"/games/{private}/resign").is_success
    owner = Visitor(server).log_in(program.username)
    assert private in owner.http.get(f"/players/{program.username}").text
    for reader in (owner, Visitor(server)):
        assert read_feed(reader.http, feed_of(program)) == []


def test_the_feed_is_bounded(program, visitor, database_url):
    execute(database_url, MANY, given_up_alone(program))
    try:
        assert len(read_feed(visitor.http, feed_of(program))) == 50
    finally:
        execute(database_url, "DELETE FROM games WHERE starts_with(id, 'fed')")


def test_a_feed_follows_its_player_as_the_profile_does(program, other, server, moderator, database_url):
    game = lost_rated_game(program, other)
    reader = Visitor(server)
    former, old_ids = feed_of(program), [each.id for each in read_feed(reader.http, feed_of(program))]
    program_id, new_name = id_of(database_url, program), fresh_name("renamed")
    order = {"username": program.username, "action": "rename", "reason": "Because", "new_name": new_name}
    assert post(moderator, "/moderation/actions", **order).is_success
    program.username = new_name
    moved = reader.http.get(former)
    assert (moved.status_code, moved.url.path) == (200, feed_of(program))
    entries = read_feed(reader.http, feed_of(program))
    assert games_in(entries) == [game]
    assert [entry.id for entry in entries] == old_ids
    assert (
        reader.http.get(f"/feeds/players/{new_name.upper()}.atom").content
        == reader.http.get(feed_of(program)).content
    )
    assert program.http.post("/me/close", json={"password": PASSWORD}).is_success
    same_as_profile(reader, program)
    erase_now(database_url, program_id)
    same_as_profile(reader, program)


def same_as_profile(reader, player):
    """Check that a feed is found where the profile is, and leads to the same name."""
    profile, feed = reader.http.get(f"/players/{player.username}"), reader.http.get(feed_of(player))
    assert feed.status_code == profile.status_code
    assert feed.url.path.removesuffix(".atom") == f"/feeds{profile.url.path}"


def test_nobody_has_no_feed_and_profiles_lead_to_theirs(program, visitor):
    for name in ("nobody-at-all", "a%00b", "%E2%9C%93", ".."):
        assert visitor.http.get(f"/feeds/players/{name}.atom").status_code == 404
    html = visitor.http.get(f"/players/{program.username}").text
    assert f'title="Games of {program.username}" href="{feed_of(program)}">' in html
    assert f'<a href="{feed_of(program)}">Feed</a>' in html
