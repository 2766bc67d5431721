"""The chat of tournaments: who writes, who reads, and who switches it off."""

from datetime import timedelta

from app.core.moments import utc_now
from app.site.accounts.service import grant
from tests.support.answers import code
from tests.support.database import on_database
from tests.support.games import post
from tests.support.players import Program, Visitor, make_old
from tests.support.tournaments import BULLET, Cup, new_team


def read(program, cup):
    answer = program.http.get(f"/tournaments/{cup.id}/chat")
    return [message["text"] for message in answer.json()["messages"]] if answer.is_success else code(answer)


def say(program, cup, **words):
    return post(program, f"/tournaments/{cup.id}/chat", **(words or {"greeting": "hello"}))


def test_everybody_with_an_account_greets_and_those_who_have_played_write(server, database_url, clock):
    cup, guest = Cup(server, clock, 2, "swiss", rounds=3).start(), Program(server)
    first, second = cup.programs.values()
    assert say(first, cup).json()["text"] == "Hello!"
    assert code(say(first, cup, text="Good luck to all")) == (403, "new_account")
    cup.play_round()
    make_old(database_url, first)
    assert say(first, cup, text="Good luck to all").status_code == 201
    assert say(guest, cup, greeting="have_fun").status_code == 201
    assert read(second, cup) == ["Hello!", "Good luck to all", "Have fun!"]
    assert second.http.put(f"/players/{guest.username}/block").status_code == 204
    assert read(second, cup) == ["Hello!", "Good luck to all"]
    page = Visitor(server).http.get(f"/tournaments/{cup.id}").text
    assert "Good luck to all" in page


def test_the_chat_is_switched_off_by_the_organiser_and_moderators_and_closes_a_day_after_the_end(
    server, database_url, clock
):
    cup = Cup(server, clock, 1, "swiss", rounds=3)
    (player,) = cup.programs.values()
    say(player, cup)
    path = f"/tournaments/{cup.id}"
    assert code(player.http.put(f"{path}/chat", json={"chat": False})) == (403, "not_yours")
    assert cup.organiser.http.put(f"{path}/chat", json={"chat": False}).json()["chat"] is False
    assert code(say(player, cup)) == read(player, cup) == (403, "no_chat")
    assert 'id="chat"' not in Visitor(server).http.get(path).text
    on_database(database_url, lambda database: grant(database, player.username, "moderator"))
    assert player.http.put(f"{path}/chat", json={"chat": True}).json()["chat"] is True
    assert read(player, cup) == ["Hello!"]
    assert post(cup.organiser, f"{path}/cancel", reason="The power is out.").status_code == 200
    assert say(player, cup, greeting="bye").status_code == 201
    clock.advance(days=1)
    assert code(say(player, cup)) == (409, "chat_closed")
    assert read(player, cup) == ["Hello!", "Bye!"]


def test_only_members_write_in_the_tournament_of_a_team(program, other, database_url):
    team = new_team(database_url, program)
    terms = {
        "name": "A team's cup",
        "kind": "swiss",
        "game": "jadejack",
        "time_control": BULLET,
        "rounds": 3,
        "starts_at": (utc_now() + timedelta(hours=1)).isoformat(),
        "team": team,
    }
    path = f"/tournaments/{program.http.post('/tournaments', json=terms).json()['id']}"
    assert post(program, f"{path}/chat", greeting="hello").status_code == 201
    assert code(post(other, f"{path}/chat", greeting="hello")) == (403, "not_a_member")
    assert code(post(other, f"{path}/join")) == (403, "not_a_member")
    assert f"Team {team}" in Visitor(program.server).http.get(path).text
    for each, may_write in ((program, True), (other, False)):
        page = Visitor(program.server).log_in(each.username).http.get(path).text
        assert (f'action="{path}/chat"' in page) == may_write


def test_the_players_of_a_team_write_on_when_it_is_closed(server, program, database_url, clock):
    team = new_team(database_url, program)
    cup = Cup(server, clock, 0, "swiss", rounds=3, organiser=program, team=team)
    players = [Program(server) for _ in range(2)]
    for each in (*players, watching := Program(server)):
        assert post(each, f"/teams/{team}/join", text="").is_success
    for each in players:
        cup.join(each)
    cup.start()
    assert say(watching, cup).status_code == 201
    assert post(program, f"/teams/{team}/close").is_success
    assert cup.shown["status"] == "started"
    for each in players:
        assert say(each, cup).status_code == 201
    assert post(players[0], f"/tournaments/{cup.id}/withdraw").is_success
    for each in (players[0], watching, Program(server)):
        assert code(say(each, cup)) == (403, "not_a_member")
