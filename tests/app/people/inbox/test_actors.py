"""What one player's command tells another one names the player, and is told once."""

from datetime import timedelta

import pytest

from app.core.moments import utc_now
from app.people.inbox.kinds import NewsKind
from tests.support.accounts import grant, id_of
from tests.support.database import execute
from tests.support.players import fresh_name
from tests.support.tournaments import BULLET, new_team


class Site:
    """Two players, of whom one does what the other one is told."""

    def __init__(self, database_url, actor, told):
        self.database_url, self.actor, self.told = database_url, actor, told

    def do(self, method, path, body=None):
        answer = self.actor.http.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer

    def join(self, path):
        answer = self.told.http.post(f"{path}/join", json={})
        assert answer.is_success, answer.text

    def news(self, kind):
        listed = self.told.http.get("/notifications").json()["notifications"]
        return [each for each in listed if each["kind"] == kind]


def member_of_team(site):
    team = f"/teams/{new_team(site.database_url, site.actor)}"
    site.join(team)
    return team, f"{team}/members/{site.told.username}"


def role(site):
    _team, member = member_of_team(site)
    return lambda: site.do("PUT", member, {"role": "officer"})


def removed(site):
    _team, member = member_of_team(site)
    return lambda: site.do("DELETE", member)


def refused(site):
    team = new_team(site.database_url, site.actor)
    execute(site.database_url, "UPDATE teams SET is_open = false WHERE id = $1", team)
    site.join(f"/teams/{team}")
    return lambda: site.do("POST", f"/teams/{team}/requests/{site.told.username}/decline")


def led(site):
    team, _member = member_of_team(site)
    return lambda: site.do("POST", f"{team}/leave")


def closed(site):
    team, _member = member_of_team(site)
    return lambda: site.do("POST", f"{team}/close")


def terms(**members):
    return {
        "name": fresh_name("Cup"),
        "kind": "swiss",
        "game": "jadejack",
        "options": {"size": 8},
        "time_control": BULLET,
        "rounds": 3,
        "starts_at": (utc_now() + timedelta(hours=2)).isoformat(),
        **members,
    }


def tournament(site, **members):
    first = terms(**members)
    path = f"/tournaments/{site.do('POST', '/tournaments', first).json()['id']}"
    site.join(path)
    return path, first


def changed(site):
    path, first = tournament(site)
    return lambda: site.do("PUT", path, {**first, "rounds": 5})


def moved(site):
    path, first = tournament(site)
    later = (utc_now() + timedelta(hours=4)).isoformat()
    return lambda: site.do("PUT", path, {**first, "starts_at": later})


def cancelled(site):
    path, _terms = tournament(site)
    return lambda: site.do("POST", f"{path}/cancel", {"reason": "It rains."})


def cancelled_with_its_team(site):
    team, _member = member_of_team(site)
    tournament(site, team=team.removeprefix("/teams/"))
    return lambda: site.do("POST", f"{team}/close")


def competition(site):
    grant(site.database_url, site.actor, "organiser")
    start = utc_now() - timedelta(hours=1)
    times = {"starts_at": start.isoformat(), "ends_at": (start + timedelta(hours=3)).isoformat()}
    made = site.do("POST", "/nugget/competitions", {"title": "Cup", **times}).json()["id"]
    execute(
        site.database_url,
        "INSERT INTO nugget_commitments (id, account_id, competition_id, sha256, committed_at) "
        "VALUES ($1, $2, $1, $1, now())",
        *(made, id_of(site.database_url, site.told)),
    )
    return f"/nugget/competitions/{made}"


def ended_early(site):
    path = competition(site)
    return lambda: site.do("POST", f"{path}/end", {"reason": "It rains."})


def called_off(site):
    path = competition(site)
    return lambda: site.do("POST", f"{path}/cancel", {"reason": "It rains."})


COMMANDS = [
    (NewsKind.TEAM_ROLE, role),
    (NewsKind.TEAM_ROLE, led),
    (NewsKind.TEAM_REMOVED, removed),
    (NewsKind.TEAM_REMOVED, refused),
    (NewsKind.TEAM_CLOSED, closed),
    (NewsKind.TOURNAMENT_CHANGED, changed),
    (NewsKind.TOURNAMENT_MOVED, moved),
    (NewsKind.TOURNAMENT_CANCELLED, cancelled),
    (NewsKind.TOURNAMENT_CANCELLED, cancelled_with_its_team),
    (NewsKind.COMPETITION_ENDED, ended_early),
    (NewsKind.COMPETITION_CANCELLED, called_off),
]
REPEATABLE = [(NewsKind.TEAM_ROLE, role), (NewsKind.TEAM_REMOVED, refused)] + [
    (kind, prepare) for kind, prepare in COMMANDS if prepare in {changed, moved}
]


@pytest.mark.parametrize(("kind", "prepare"), COMMANDS)
def test_what_a_command_tells_others_names_who_gave_it(database_url, program, other, kind, prepare):
    site = Site(database_url, program, other)
    prepare(site)()
    (news,) = site.news(kind)
    assert news["actor"] == program.username


@pytest.mark.parametrize(("kind", "prepare"), REPEATABLE)
def test_a_command_that_changes_nothing_tells_nobody(database_url, program, other, kind, prepare):
    site = Site(database_url, program, other)
    command = prepare(site)
    command()
    before = site.news(kind)
    other.http.post("/notifications/read", json={})
    command()
    (after,) = site.news(kind)
    assert (after["id"], after["is_read"]) == (before[0]["id"], True)


def test_a_request_to_join_that_says_the_same_again_tells_nobody(database_url, program, other):
    team = new_team(database_url, other)
    execute(database_url, "UPDATE teams SET is_open = false WHERE id = $1", team)
    site = Site(database_url, program, other)
    told = []
    for words in ("Let me in", "Let me in", "Please"):
        site.do("POST", f"/teams/{team}/join", {"text": words})
        told.append([each["id"] for each in site.news(NewsKind.TEAM_REQUEST)])
    assert told[0] == told[1] != told[2]
