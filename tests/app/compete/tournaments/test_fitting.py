"""Who no longer fits the terms leaves a tournament, whatever has changed, and is told why."""

import pytest

from app.people.eligibility import Ineligibility
from tests.support.accounts import grant
from tests.support.database import execute
from tests.support.forms import sent_by
from tests.support.games import lost_rated_game, post
from tests.support.players import Program, fresh_name, make_old
from tests.support.tournaments import Cup, member
from tests.support.waiting import wait_until

OF_ACCOUNT = "(SELECT id FROM accounts WHERE username = $1)"
RATE = (
    f"INSERT INTO ratings (account_id, game, rating, deviation, volatility, games) "
    f"VALUES ({OF_ACCOUNT}, 'jadejack', 1500, 60, 0.06, 5) "
    f"ON CONFLICT (account_id, game) DO UPDATE SET rating = 1500, games = 5"
)
CHANGES = {
    Ineligibility.CLOSED: "UPDATE accounts SET closed_at = now() WHERE username = $1",
    Ineligibility.EXCLUDED: (
        "INSERT INTO sanctions (account_id, kind, until) "
        f"VALUES ({OF_ACCOUNT}, 'no_rated', now() + interval '1 day')"
    ),
    Ineligibility.COMPUTER: "UPDATE accounts SET is_computer = true WHERE username = $1",
    Ineligibility.NOT_A_MEMBER: f"DELETE FROM team_members WHERE account_id = {OF_ACCOUNT}",
    Ineligibility.RATING: f"UPDATE ratings SET rating = 1700 WHERE account_id = {OF_ACCOUNT}",
    Ineligibility.TOO_FEW_GAMES: f"UPDATE ratings SET games = 1 WHERE account_id = {OF_ACCOUNT}",
}
"""What makes an account ineligible, without a word to the application."""

AT_THE_START = {Ineligibility.RATING, Ineligibility.TOO_FEW_GAMES}
"""What matters only until the tournament begins."""


class Club:
    """A team with a tournament that asks for all that can be asked, and its members, one for each reason."""

    def __init__(self, server, clock, kind, **terms):
        self.server = server
        self.leader = Program(server)
        self.members = {reason: Program(server) for reason in Ineligibility}
        lost_rated_game(Program(server), self.leader)
        make_old(server.database_url, self.leader)
        grant(server.database_url, self.leader, "organiser")
        made = self.leader.http.post("/teams", json={"name": fresh_name("The team of"), "join": "open"})
        self.team = made.json()["id"]
        asks = {"rated": True, "rating_min": 1400, "rating_max": 1600, "min_games": 5, "team": self.team}
        self.cup = Cup(server, clock, 0, kind, organiser=self.leader, **terms, **asks)
        for program in (self.leader, *self.members.values()):
            post(program, f"/teams/{self.team}/join", text="")
            execute(server.database_url, RATE, program.username)
            self.cup.join(program)

    def spoil(self):
        for reason, program in self.members.items():
            execute(self.server.database_url, CHANGES[reason], program.username)

    def with_status(self, status):
        return {row["username"] for row in self.cup.standings if row["status"] == status}

    def told(self, reason):
        listed = self.members[reason].http.get("/notifications").json()["notifications"]
        return [each["text"] for each in listed if each["kind"] == "left_out"]


def test_who_does_not_fit_any_more_leaves_before_the_start_and_cannot_come_back(server, clock):
    club = Club(server, clock, "swiss", rounds=3, starts_in=20)
    club.spoil()
    wait_until(lambda: club.with_status("active") == {club.leader.username}, within=70)
    assert club.cup.shown["players"] == 1
    for reason in set(Ineligibility) - {Ineligibility.CLOSED}:
        (text,) = club.told(reason)
        assert text.startswith("You no longer take part, since ")
        refused = post(club.members[reason], f"/tournaments/{club.cup.id}/join")
        assert (refused.status_code, refused.json()["code"]) == (403, reason)
    execute(server.database_url, RATE, club.members[Ineligibility.RATING].username)
    club.cup.join(club.members[Ineligibility.RATING])
    assert club.told(Ineligibility.RATING) == []


@pytest.mark.parametrize("kind", ["arena", "round_robin"])
def test_who_does_not_fit_any_more_leaves_a_tournament_that_has_begun(server, clock, kind):
    club = Club(server, clock, kind, **({"minutes": 20} if kind == "arena" else {}))
    club.cup.start()
    club.spoil()
    stay = {club.leader.username, *(club.members[reason].username for reason in AT_THE_START)}
    wait_until(lambda: club.with_status("active") == stay, within=70)
    for reason in set(Ineligibility) - {Ineligibility.CLOSED} - AT_THE_START:
        assert len(club.told(reason)) == 1
        refused = post(club.members[reason], f"/tournaments/{club.cup.id}/join")
        assert refused.json()["code"] == (reason if kind == "arena" else "tournament_started")
    if kind == "arena":
        away = club.members[Ineligibility.RATING]
        assert post(away, f"/tournaments/{club.cup.id}/pause").status_code == 200
        assert post(away, f"/tournaments/{club.cup.id}/join").status_code == 200


def test_who_is_no_member_any_more_is_out_at_once_and_a_closed_team_has_no_tournaments(server, clock):
    club = Club(server, clock, "arena", minutes=20, starts_in=20)
    removed, leaves, *others = club.members.values()
    path = f"/teams/{club.team}"
    assert club.leader.http.delete(f"{path}/members/{removed.username}").status_code == 204
    assert post(leaves, f"{path}/leave").status_code == 204
    assert club.with_status("active") == {club.leader.username, *(each.username for each in others)}
    assert post(club.leader, f"{path}/close").status_code == 204
    shown = club.cup.shown
    assert (shown["status"], shown["reason"]) == ("cancelled", "Its team was closed.")


def test_organisers_see_whom_other_terms_leave_out_before_they_decide(server, clock):
    cup = Cup(server, clock, 3, "swiss", rounds=3, starts_in=20)
    strong, *_others = sorted(cup.programs)
    execute(server.database_url, RATE.replace("1500", "2100"), strong)
    others = {name for name in cup.programs if name != strong}
    terms = {
        name: cup.shown[name] for name in ("name", "kind", "game", "options", "time_control", "starts_at")
    }
    terms |= {"rounds": 3, "rating_min": 2000}
    preview = cup.organiser.http.post(f"/tournaments/{cup.id}/preview", json=terms)
    assert preview.status_code == 200, preview.text
    assert preview.json()["players"] == 3
    left_out = [(each["username"], each["reasons"]) for each in preview.json()["left_out"]]
    assert sorted(left_out) == [(name, ["rating_out_of_range"]) for name in sorted(others)]
    assert len(cup.standings) == 3
    refused = cup.programs[strong].http.post(f"/tournaments/{cup.id}/preview", json=terms)
    assert refused.json()["code"] == "not_yours"

    organiser = member(server, cup.organiser.username)
    action = f"/tournaments/{cup.id}/edit"
    fields = sent_by(organiser.http.get(action).text, action)
    asked = organiser.http.post(action, data={**fields, "name": "Cup of the strong", "rating_min": "2000"})
    assert "(2 of 3 players) would no longer fit, and are told why." in asked.text
    assert len(cup.standings) == 3
    shown = sent_by(asked.text, action)
    assert set(shown["left_out"].split()) == others
    organiser.http.post(action, data={**fields, "description": "Bring cake."})  # in another tab
    saved = organiser.http.post(action, data=shown)
    assert saved.url.path == f"/tournaments/{cup.id}"
    assert (cup.shown["name"], cup.shown["description"]) == ("Cup of the strong", "Bring cake.")
    assert [row["username"] for row in cup.standings] == [strong]
    for name in others:
        listed = cup.programs[name].http.get("/notifications").json()["notifications"]
        assert "left_out" in {each["kind"] for each in listed}


def test_who_becomes_a_program_is_out_of_tournaments_for_people_at_once(server, clock):
    cup = Cup(server, clock, 2, "swiss", rounds=3, starts_in=20)
    program = next(iter(cup.programs.values()))
    assert post(program, "/me/computer").status_code == 204
    assert program.username not in cup.points
    (told,) = program.http.get("/notifications").json()["notifications"]
    assert told["kind"] == "left_out"
    assert told["url"].endswith(f"/tournaments/{cup.id}")
    assert told["text"] == "You no longer take part, since only people may take part"
