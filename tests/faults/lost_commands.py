"""Commands of every kind, each with the readers that have to hear of it.

Each function makes what its command is about, opens the readers, and returns the command.
"""

import contextlib
import uuid
from datetime import timedelta
from functools import partial

from app.core.moments import utc_now
from tests.faults import readers
from tests.support.games import BLITZ, lost_rated_game, move_once_each, post, rated_game
from tests.support.nugget import new_record
from tests.support.players import Match, Program, fresh_name, make_old
from tests.support.waiting import WITHIN

DAYS = {"kind": "correspondence", "days": 3}
STUDY = {"game": "jadejack", "title": "Corners", "visibility": "link", "options": {"size": 9}, "tree": "c4"}


class Site:
    """Two servers on one database, and who reads what on both of them. Commands go to the first one."""

    def __init__(self, servers, database_url):
        self.servers = servers
        self.database_url = database_url
        self.expected = []

    @contextlib.contextmanager
    def reading(self, prepare):
        """Prepare a command, and keep its readers open within the block. They forget what came before.

        Each of them is sent something first, after which it hears of everything.
        """
        self.expected.clear()
        command = prepare(self)
        for reader, _ in self.expected:
            reader.wait_for("", WITHIN)
            reader.forget()
        try:
            yield command
        finally:
            for reader, _ in self.expected:
                reader.close()

    def program(self):
        """Return a program that has used its token, which is a commit of its own the first time."""
        program = Program(self.servers[0])
        assert program.http.get("/me").is_success
        return program

    def match(self, **terms):
        return Match(self.servers[0], **terms)

    def page(self, path, text, program=None):
        """Expect a text on an open page."""
        self._open(partial(readers.page, path=path, program=program), text)

    def game(self, match, json, html, reader):
        """Expect texts on the open pages and sockets of a game that a program reads."""
        self.page(f"/games/{match.id}/live", html, reader)
        path = f"/games/{match.id}/socket"
        self._open(partial(readers.socket, path=path, program=reader), json)

    def events(self, program, kind):
        """Expect an event on the stream of a program."""
        self._open(partial(readers.events, program=program), f'"type":"{kind}"')

    def _open(self, read, text):
        self.expected += [(read(server), text) for server in self.servers]

    def challenged(self, **terms):
        """Return a challenge with its maker and the one who may answer it."""
        maker, other = self.program(), self.program()
        return maker.challenge(opponent=other.username, **terms).json()["id"], maker, other


def move(site, **terms):
    match = site.match(**terms)
    site.game(match, '"ply":1', 'data-ply="1"', match.white)
    site.page(f"/games/{match.id}/live", 'data-ply="1"')
    site.events(match.white, "my_turn")
    return partial(match.black.move, match.id, "c4", 0, uuid.uuid4())


def move_with_a_clock(site):
    return move(site, time_control=BLITZ)


def move_by_correspondence(site):
    return move(site, time_control=DAYS)


def takeback(site):
    match = site.match()
    match.play("c4")
    site.game(match, '"takeback":"black"', "takeback", match.white)
    return partial(post, match.black, f"/games/{match.id}/takeback")


def takeback_accepted(site):
    match = site.match()
    match.play("c4")
    post(match.black, f"/games/{match.id}/takeback")
    site.game(match, '"ply":0', 'data-ply="0"', match.black)
    site.events(match.black, "my_turn")
    return partial(post, match.white, f"/games/{match.id}/takeback/accept")


def pause(site):
    match = site.match(time_control=BLITZ)
    match.play("c4", "g6")
    site.game(match, '"pause":"black"', "pause", match.white)
    return partial(post, match.black, f"/games/{match.id}/pause")


def resignation(site):
    match = site.match()
    match.play("c4", "g6")
    site.game(match, '"finished"', "resign", match.white)
    site.events(match.white, "game_finished")
    return partial(post, match.black, f"/games/{match.id}/resign")


def resignation_of_a_rated_game(site):
    black, white = site.program(), site.program()
    game = rated_game(black, white)
    move_once_each(black, white, game)
    site.events(white, "game_finished")
    return partial(post, black, f"/games/{game}/resign")


def abort(site):
    match = site.match()
    site.game(match, '"aborted"', "aborted", match.white)
    return partial(post, match.black, f"/games/{match.id}/abort")


def challenge(site):
    maker, other = site.program(), site.program()
    site.events(other, "challenge")
    site.page("/account/live", maker.username, other)
    site.page("/lobby/live", maker.username, other)
    return partial(maker.challenge, opponent=other.username)


def open_challenge_with_a_new_token(site):
    maker = Program(site.servers[0])
    site.page("/lobby/live", maker.username)
    return partial(maker.challenge)


def acceptance(site):
    challenge, maker, other = site.challenged(time_control=BLITZ)
    site.events(maker, "game_started")
    site.page(f"/challenges/{challenge}/live", "/games/", maker)
    site.page("/account/live", other.username, maker)
    return partial(post, other, f"/challenges/{challenge}/accept")


def decline(site):
    challenge, maker, other = site.challenged()
    site.events(maker, "challenge_declined")
    site.page(f"/challenges/{challenge}/live", "declined", maker)
    return partial(post, other, f"/challenges/{challenge}/decline")


def cancellation(site):
    challenge, maker, other = site.challenged()
    site.events(other, "challenge_closed")
    site.page(f"/challenges/{challenge}/live", "cancelled", other)
    return partial(post, maker, f"/challenges/{challenge}/cancel")


def message(site):
    author, other = site.program(), site.program()
    site.events(other, "message")
    site.page(f"/messages/{author.username}/live", "Good evening", other)
    site.page("/account/live", author.username, other)
    return partial(post, author, f"/messages/{other.username}", text="Good evening")


def chat(site):
    match = site.match()
    site.game(match, "Good luck", "Good luck", match.white)
    return partial(post, match.black, f"/games/{match.id}/chat", room="players", greeting="good_luck")


def _tournament(site, **members):
    body = {
        "name": fresh_name("The cup of"),
        "kind": "arena",
        "game": "jadejack",
        "options": {"size": 8},
        "time_control": {"kind": "realtime", "limit": 60, "increment": 1},
        "minutes": 30,
        "starts_at": (utc_now() + timedelta(hours=2)).isoformat(),
        **members,
    }
    return body, site.program()


def tournament(site):
    body, organiser = _tournament(site)
    site.page("/tournaments/live", body["name"])
    return partial(post, organiser, "/tournaments", **body)


def entering_a_tournament(site):
    body, organiser = _tournament(site)
    made = post(organiser, "/tournaments", **body).json()["id"]
    player = site.program()
    site.page(f"/tournaments/{made}/live", player.username)
    return partial(post, player, f"/tournaments/{made}/join")


def cancelling_a_tournament(site):
    body, organiser = _tournament(site)
    made = post(organiser, "/tournaments", **body).json()["id"]
    player = site.program()
    post(player, f"/tournaments/{made}/join")
    site.page(f"/tournaments/{made}/live", "ancelled")
    site.events(player, "tournament_finished")
    return partial(post, organiser, f"/tournaments/{made}/cancel", reason="Too few players.")


def joining_a_ladder(site):
    player = site.program()
    site.page("/ladders/jadejack/live", player.username, player)
    return partial(post, player, "/ladders/jadejack/join")


def challenge_on_a_ladder(site):
    above, below = site.program(), site.program()
    for player in (above, below):
        post(player, "/ladders/jadejack/join")
    site.page("/ladders/jadejack/live", below.username, above)
    return partial(post, below, "/ladders/jadejack/challenges", opponent=above.username)


def entry_of_golden_nugget(site):
    player = site.program()
    site.page("/leaderboards/golden_nugget/live", player.username)
    return partial(player.http.post, "/nugget/entries", json={"boards": new_record(detours=1)})


def race(site):
    maker, other = site.program(), site.program()
    body = {"game": "up_and_up", "options": {"size": 4}, "minutes": 5}
    made = post(maker, "/races", **body).json()["id"]
    site.page(f"/races/{made}/live", other.username)
    return partial(post, other, f"/races/{made}/join")


def study(site):
    author = site.program()
    path = f"/studies/{post(author, '/studies', **STUDY).json()['id']}"
    site.page(f"{path}/live", "It is dark.")
    first = {**STUDY, "title": "Corner", "version": 1}
    author.http.put(path, json=first)  # the first that readers hear, before a heartbeat
    changed = {**STUDY, "tree": "a1 {It is dark.}", "version": 2}
    return partial(author.http.put, path, json=changed)


def following(site):
    player, other = site.program(), site.program()
    site.page("/home/live", other.username, player)
    return partial(player.http.put, f"/players/{other.username}/follow")


def request_to_join_a_team(site):
    leader, other = site.program(), site.program()
    make_old(site.database_url, leader)
    lost_rated_game(other, leader)
    team = post(leader, "/teams", name=fresh_name("The team of"), join="request").json()["id"]
    site.page("/account/live", other.username, leader)
    return partial(post, other, f"/teams/{team}/join", text="May I?")


COMMANDS = [
    move,
    move_with_a_clock,
    move_by_correspondence,
    takeback,
    takeback_accepted,
    pause,
    resignation,
    resignation_of_a_rated_game,
    abort,
    challenge,
    open_challenge_with_a_new_token,
    acceptance,
    decline,
    cancellation,
    message,
    chat,
    tournament,
    entering_a_tournament,
    cancelling_a_tournament,
    joining_a_ladder,
    challenge_on_a_ladder,
    entry_of_golden_nugget,
    race,
    study,
    following,
    request_to_join_a_team,
]
