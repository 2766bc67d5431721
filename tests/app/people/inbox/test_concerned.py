"""Everybody concerned is told once, and not who did it: each row of docs/notifications.md is done."""

import re
from datetime import timedelta

import pytest

from app.core.moments import utc_now
from app.core.settings import ROOT
from app.people.inbox.kinds import NewsKind, kinds
from tests.support.accounts import grant
from tests.support.database import execute, fetch
from tests.support.games import lost_rated_game, post
from tests.support.ladders import Climbers
from tests.support.moderation import make_moderator
from tests.support.nugget import commit, hide_boards, new_record, reveal, run_of, sealed
from tests.support.players import PASSWORD, Match, Program, fresh_name, make_old
from tests.support.routes import calls
from tests.support.solitaire import random_games, submit
from tests.support.tournaments import Cup

DAYS = {"kind": "correspondence", "days": 3}
TEXT = (ROOT / "docs/notifications.md").read_text()
ROWS = dict(re.findall(r"^\| ([A-Z][^|]+) \| `[A-Z]+ [^|]+ \| [^|]+ \| `(\w+)` \|$", TEXT, re.MULTILINE))
REASON = {"reason": "The hall is flooded."}
ACTS = {}
_PARAMETER = re.compile(r":[a-z_]+\}")


class Scene:
    """A server on which something is about to happen."""

    def __init__(self, server, database_url, clock):
        self.server, self.database_url, self.clock = server, database_url, clock

    def player(self):
        return Program(self.server)

    def leader(self):
        """Return a player who may make teams and write texts."""
        leader, other = self.player(), self.player()
        lost_rated_game(other, leader)
        make_old(self.database_url, leader)
        return leader

    def team(self, *members, join="open"):
        leader = self.leader()
        made = done(leader.http.post("/teams", json={"name": fresh_name("Team"), "join": join}))
        path = f"/teams/{made.json()['id']}"
        for member in members:
            done(member.http.post(f"{path}/join", json={"text": ""}))
        return leader, path

    def organiser(self):
        return grant(self.database_url, self.player(), "organiser")

    def moderator(self):
        return make_moderator(self.database_url, self.player())


def act(name):
    """Register a function that prepares a row of the table.

    It returns the one who does it, a function that does it, and those whom it concerns.
    """

    def register(function):
        ACTS[name] = function
        return function

    return register


def done(answer):
    assert answer.is_success, answer.text
    return answer


@act("A player is challenged")
def challenge(scene):
    maker, opponent = scene.player(), scene.player()
    return maker, lambda: maker.challenge(opponent=opponent.username), [opponent]


@act("A challenge is declined")
def decline(scene):
    maker, opponent = scene.player(), scene.player()
    made = maker.challenge(opponent=opponent.username).json()["id"]
    return opponent, lambda: opponent.http.post(f"/challenges/{made}/decline"), [maker]


@act("A challenge to a correspondence game is accepted")
def accept(scene):
    maker, opponent = scene.player(), scene.player()
    made = maker.challenge(opponent=opponent.username, time_control=DAYS).json()["id"]
    return opponent, lambda: opponent.http.post(f"/challenges/{made}/accept"), [maker]


@act("A rematch is offered")
def offer_rematch(scene):
    match = Match(scene.server)
    done(match.black.http.post(f"/games/{match.id}/resign"))
    return match.white, lambda: match.white.http.post(f"/games/{match.id}/rematch"), [match.black]


SLOW = {"game": "jadejack", "options": {"size": 12}, "time_control": {"kind": "correspondence", "days": 5}}


@act("An open challenge to a correspondence game is found by its terms")
def pair(scene):
    maker, other = scene.player(), scene.player()
    done(maker.http.post("/challenges", json=SLOW))
    return other, lambda: other.http.post("/challenges/pair", json=SLOW), [maker]


@act("A search for a correspondence game is met in the lobby")
def meet(scene):
    searcher, other = scene.player(), scene.player()
    done(searcher.http.put("/me/search", json={"wanted": [SLOW]}))
    accept = f"/searches/{searcher.username}/accept"
    return other, lambda: other.http.post(accept, json=SLOW), [searcher]


@act("Two searches for a correspondence game meet")
def search(scene):
    earlier, later = scene.player(), scene.player()
    wanted = {"wanted": [SLOW]}
    done(earlier.http.put("/me/search", json=wanted))
    return later, lambda: later.http.put("/me/search", json=wanted), [earlier]


@act("A move is played in a correspondence game")
def move(scene):
    match = Match(scene.server, time_control=DAYS)
    return match.black, lambda: match.black.move(match.id, "c4", 0), [match.white]


@act("A takeback is requested in a correspondence game")
def takeback(scene):
    match = Match(scene.server, time_control=DAYS)
    match.play("c4")
    return match.black, lambda: match.black.http.post(f"/games/{match.id}/takeback"), [match.white]


@act("A takeback is requested by a command that accepts none")
def ask_for_takeback(scene):
    match = Match(scene.server, time_control=DAYS)
    match.play("c4")
    return match.black, lambda: match.black.http.post(f"/games/{match.id}/takeback/ask"), [match.white]


@act("A takeback is granted in a correspondence game")
def grant_takeback(scene):
    match = Match(scene.server, time_control=DAYS)
    match.play("c4")
    path = f"/games/{match.id}/takeback"
    done(match.black.http.post(path))
    return match.white, lambda: match.white.http.post(f"{path}/accept"), [match.black]


@act("A correspondence game is aborted")
def abort(scene):
    match = Match(scene.server, time_control=DAYS)
    return match.black, lambda: match.black.http.post(f"/games/{match.id}/abort"), [match.white]


@act("A correspondence game is resigned")
def resign(scene):
    match = Match(scene.server, time_control=DAYS)
    match.play("c4", "f6")
    return match.black, lambda: match.black.http.post(f"/games/{match.id}/resign"), [match.white]


def climb(scene):
    climbers = Climbers(scene.server, 2)
    defender, challenger = climbers.programs
    path = f"{climbers.path}/challenges"
    return defender, challenger, path, {"opponent": defender.username}


@act("A player is challenged on a ladder")
def challenge_on_ladder(scene):
    defender, challenger, path, body = climb(scene)
    return challenger, lambda: challenger.http.post(path, json=body), [defender]


@act("A challenge on a ladder is accepted")
def accept_on_ladder(scene):
    defender, challenger, path, body = climb(scene)
    made = done(challenger.http.post(path, json=body)).json()["id"]
    return defender, lambda: defender.http.post(f"{path}/{made}/accept"), [challenger]


@act("A challenge on a ladder is declined")
def decline_on_ladder(scene):
    defender, challenger, path, body = climb(scene)
    made = done(challenger.http.post(path, json=body)).json()["id"]
    return defender, lambda: defender.http.post(f"{path}/{made}/decline"), [challenger]


@act("A player leaves a ladder before a challenge is answered")
def leave_ladder(scene):
    defender, challenger, path, body = climb(scene)
    done(challenger.http.post(path, json=body))
    ladder = path.removesuffix("/challenges")
    return defender, lambda: defender.http.post(f"{ladder}/leave"), [challenger]


@act("A message is written")
def write(scene):
    author, reader = scene.leader(), scene.player()
    return author, lambda: author.http.post(f"/messages/{reader.username}", json={"text": "Hello"}), [reader]


@act("A finished game is looked at together")
def look_together(scene):
    match = Match(scene.server)
    match.play("c4", "pass", "pass")
    return match.black, lambda: match.black.http.post(f"/games/{match.id}/together"), [match.white]


@act("A player asks to join a team")
def ask(scene):
    leader, path = scene.team(join="request")
    player = scene.player()
    return player, lambda: player.http.post(f"{path}/join", json={"text": ""}), [leader]


@act("A player is admitted to a team")
def admit(scene):
    player = scene.player()
    leader, path = scene.team(player, join="request")
    return leader, lambda: leader.http.post(f"{path}/requests/{player.username}/accept"), [player]


@act("A player is refused by a team")
def refuse(scene):
    player = scene.player()
    leader, path = scene.team(player, join="request")
    return leader, lambda: leader.http.post(f"{path}/requests/{player.username}/decline"), [player]


@act("A member is removed from a team")
def remove(scene):
    player = scene.player()
    leader, path = scene.team(player)
    return leader, lambda: leader.http.delete(f"{path}/members/{player.username}"), [player]


@act("A member gets another role")
def promote(scene):
    player = scene.player()
    leader, path = scene.team(player)
    member = f"{path}/members/{player.username}"
    return leader, lambda: leader.http.put(member, json={"role": "officer"}), [player]


@act("The leader leaves a team")
def leave(scene):
    players = [scene.player(), scene.player()]
    leader, path = scene.team(*players)
    return leader, lambda: leader.http.post(f"{path}/leave"), players[:1]


@act("The leader of a team closes the account")
def close_account(scene):
    players = [scene.player(), scene.player()]
    leader, _ = scene.team(*players)
    return leader, lambda: leader.http.post("/me/close", json={"password": PASSWORD}), players[:1]


@act("A team is closed")
def close(scene):
    players = [scene.player(), scene.player()]
    leader, path = scene.team(*players)
    return leader, lambda: leader.http.post(f"{path}/close"), players


def cup(scene):
    """Return a cup, its players, and its terms as its organiser sends them."""
    cup = Cup(scene.server, scene.clock, 2, "swiss", starts_in=60, rounds=3)
    terms = {
        "name": "A cup",
        "kind": "swiss",
        "rounds": 3,
        "game": "jadejack",
        "options": {"size": 8},
        "time_control": {"kind": "realtime", "limit": 60, "increment": 1},
        "starts_at": cup.shown["starts_at"],
    }
    done(cup.organiser.http.put(f"/tournaments/{cup.id}", json=terms))  # under another name
    post(cup.organiser, f"/tournaments/{cup.id}/join")
    return cup, list(cup.programs.values()), terms


@act("A tournament gets other terms")
def change(scene):
    it, players, terms = cup(scene)
    body = {**terms, "options": {"size": 9}}
    return it.organiser, lambda: it.organiser.http.put(f"/tournaments/{it.id}", json=body), players


@act("A tournament starts at another time")
def put_off(scene):
    it, players, terms = cup(scene)
    body = {**terms, "options": {"size": 9}, "starts_at": (utc_now() + timedelta(hours=3)).isoformat()}
    return it.organiser, lambda: it.organiser.http.put(f"/tournaments/{it.id}", json=body), players


@act("A tournament is cancelled")
def cancel(scene):
    it, players, _ = cup(scene)
    return it.organiser, lambda: it.organiser.http.post(f"/tournaments/{it.id}/cancel", json=REASON), players


@act("A moderator cancels a tournament")
def cancel_by_moderator(scene):
    it, players, _ = cup(scene)
    moderator = scene.moderator()
    path = f"/tournaments/{it.id}/cancel"
    return moderator, lambda: moderator.http.post(path, json=REASON), [*players, it.organiser]


def competition(scene):
    hide_boards(scene.database_url)
    organiser, players = scene.organiser(), [scene.player(), scene.player()]
    start = utc_now() - timedelta(hours=1)
    terms = {
        "title": "Cup of winter",
        "starts_at": start.isoformat(),
        "ends_at": (start + timedelta(hours=3)).isoformat(),
    }
    competition_id = done(organiser.http.post("/nugget/competitions", json=terms)).json()["id"]
    for player in players:
        enter = f"/nugget/entries?competition={competition_id}"
        done(player.http.post(enter, json={"boards": new_record(detours=3)}))
    return organiser, players, f"/nugget/competitions/{competition_id}"


@act("A competition is ended early")
def end_competition(scene):
    organiser, players, path = competition(scene)
    return organiser, lambda: organiser.http.post(f"{path}/end", json=REASON), players


@act("A competition is cancelled")
def cancel_competition(scene):
    organiser, players, path = competition(scene)
    return organiser, lambda: organiser.http.post(f"{path}/cancel", json=REASON), players


@act("A better solitaire score is submitted")
def score(scene):
    size = 3
    execute(scene.database_url, "DELETE FROM scores WHERE game = 'up_and_up' AND size = $1", size)
    games = random_games("up_and_up", size)
    *_, worst, second, best = sorted(games, key=lambda key: (key[0], -key[1]))
    first, last, winner = scene.player(), scene.player(), scene.player()
    submit(last, "up_and_up", size, games[worst])
    submit(first, "up_and_up", size, games[second])
    return winner, lambda: submit(winner, "up_and_up", size, games[best]) and None, [first]


@act("A better entry of Golden Nugget is submitted")
def enter_golden_nugget(scene):
    execute(scene.database_url, "DELETE FROM nugget_standings")
    hide_boards(scene.database_url)
    first, last, winner = scene.player(), scene.player(), scene.player()
    for player, detours in ((last, 9), (first, 8)):
        done(player.http.post("/nugget/entries", json={"boards": new_record(detours=detours)}))
    best = {"boards": new_record(detours=7)}
    return winner, lambda: winner.http.post("/nugget/entries", json=best), [first]


@act("A better run of Golden Nugget is submitted")
def submit_run(scene):
    winner, _, concerned = enter_golden_nugget(scene)
    run = run_of(winner, new_record(detours=7))
    return winner, lambda: winner.http.post(f"/nugget/runs/{run}/submit", json={"boards": 20}), concerned


@act("A better record of Golden Nugget is revealed")
def reveal_golden_nugget(scene):
    winner, _, concerned = enter_golden_nugget(scene)
    file = sealed(new_record(detours=7))
    made = commit(winner, file)
    return winner, lambda: reveal(winner, made, file), concerned


@act("A record of Golden Nugget is beaten")
def beat_golden_nugget(scene):
    execute(scene.database_url, "DELETE FROM nugget_record_changes")
    hide_boards(scene.database_url)
    holder, winner = scene.player(), scene.player()
    done(holder.http.post("/nugget/entries", json={"boards": new_record(detours=6)}))
    best = {"boards": new_record(detours=5)}
    return winner, lambda: winner.http.post("/nugget/entries", json=best), [holder]


def moderate(scene, action):
    moderator, bad, reporters = scene.moderator(), scene.player(), [scene.player(), scene.player()]
    for reporter in reporters:
        for place in ("", f"profile:{bad.username}"):
            report = {"username": bad.username, "reason": "abuse", "place": place}
            done(reporter.http.post("/reports", json=report))
    body = {"username": bad.username, "action": action, "reason": "It was seen."}
    return moderator, bad, reporters, lambda: moderator.http.post("/moderation/actions", json=body)


@act("A moderator warns a player")
def warn(scene):
    moderator, bad, _, do = moderate(scene, "warn")
    return moderator, do, [bad]


@act("A moderator acts on a report")
def act_on_report(scene):
    moderator, _, reporters, do = moderate(scene, "warn")
    return moderator, do, reporters


@act("A moderator closes a report without consequences")
def dismiss(scene):
    moderator, _, reporters, do = moderate(scene, "dismiss")
    return moderator, do, reporters


@act("A moderator closes a team")
def close_team(scene):
    players = [scene.player(), scene.player()]
    leader, path = scene.team(*players)
    order = {"username": leader.username, "action": "close_team", "reason": "It was seen."}
    order["subject"] = path.removeprefix("/teams/")
    moderator = scene.moderator()
    return moderator, lambda: moderator.http.post("/moderation/actions", json=order), players


def reach_by_all_channels(database_url, player):
    execute(
        database_url,
        "INSERT INTO notification_channels (account_id, channel, is_active) "
        "SELECT id, channel, true FROM accounts, unnest(ARRAY['email', 'push']) AS channel "
        "WHERE username = $1 ON CONFLICT (account_id, channel) DO UPDATE SET is_active = true",
        player.username,
    )


def told(database_url, player, kind, since):
    """Return how often a player was told of a kind since then, and by which channels."""
    row = fetch(
        database_url,
        "SELECT count(DISTINCT n.id), coalesce(array_agg(d.channel ORDER BY d.channel) "
        "FILTER (WHERE d.id IS NOT NULL), '{}') "
        "FROM notifications n JOIN accounts ON accounts.id = n.account_id "
        "LEFT JOIN deliveries d ON d.notification_id = n.id "
        "WHERE username = $1 AND n.kind = $2 AND n.id > $3",
        *(player.username, kind, since),
    )
    return row[0], row[1]


def latest(database_url):
    return fetch(database_url, "SELECT coalesce(max(id), 0) FROM notifications")[0]


@pytest.mark.parametrize("happening", sorted(ROWS))
def test_everybody_concerned_is_told_once_and_not_who_did_it(server, database_url, clock, happening):
    kind = NewsKind(ROWS[happening])
    carriage = kinds()[kind].sent.by
    doer, do, concerned = ACTS[happening](Scene(server, database_url, clock))
    for player in concerned:
        reach_by_all_channels(database_url, player)
    muffled = concerned[-1] if len(concerned) > 1 else None
    if muffled and carriage:
        off = {str(channel): {str(kind): "off"} for channel in carriage}
        done(muffled.http.put("/me/notifications", json=off))
    since = latest(database_url)
    if (answer := do()) is not None:
        done(answer)
    for player in concerned:
        channels = [] if player is muffled else sorted(carriage)
        assert told(database_url, player, kind, since) == (1, channels), player.username
        lines = player.http.get("/notifications").json()["notifications"]
        assert [line["kind"] for line in lines].count(kind) == 1
    assert told(database_url, doer, kind, since) == (0, [])
    everybody = fetch(
        database_url, "SELECT count(*) FROM notifications WHERE kind = $1 AND id > $2", kind, since
    )
    assert everybody[0] == len(concerned)


def test_every_row_of_the_table_is_done():
    assert set(ROWS) == set(ACTS)


def test_every_command_is_in_one_list():
    listed = re.findall(r"`((?:POST|PUT|DELETE) /\S+)`", TEXT)
    commands = [each for each in calls() if each.method in ("POST", "PUT", "DELETE", "PATCH")]
    paths = [(each.method, each.path.partition("/api/v1")[2]) for each in commands]
    known = {_PARAMETER.sub("}", f"{method} {path}") for method, path in paths if path}
    assert set(listed) == known, "docs/notifications.md lists each command of the API"
    rows = re.findall(r"^\| .*\| `(\w+ /\S+)` \|", TEXT, re.MULTILINE)
    assert len(set(listed)) == len(listed) - len(rows) + len(set(rows))  # none is in two lists
