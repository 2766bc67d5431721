"""A site with something to show on each of its pages, and readers of every kind."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

from app.compete.tournaments.seasons import season_of
from app.core.ids import new_id
from app.core.moments import utc_now
from app.people.identity.service import token_hash
from app.people.mail.links import Purpose
from tests.support.accounts import grant
from tests.support.commands import invoke
from tests.support.database import execute, fetch
from tests.support.games import post
from tests.support.ladders import Climbers
from tests.support.nugget import commit, new_record, reveal, sealed
from tests.support.players import PASSWORD, Match, Program, Visitor, fresh_name, make_old
from tests.support.solitaire import begin, play, random_games, submit
from tests.support.threads import run_in_thread
from tests.support.tournaments import Cup, member

NEVER_SENDS = {
    "mail_host": "127.0.0.1",
    "mail_port": "9",
    "mail_tls": "off",
    "mail_sender": "Gorrion <noreply@example.com>",
}
"""Settings with which a site has the pages about mail."""

SHOWN = new_record(detours=4)
UNDO = "undo"
"""The token of a link that undoes a change of address; those of other links are their purposes."""


def long_name():
    """Return a name as long as names may be, without a place to break it."""
    return fresh_name("Max").replace("-", "_").ljust(20, "x")


class ExampleSite:
    """What the addresses of pages need, by name in `ids`, and the readers: nobody, a player and a moderator.

    Most of it is the player's.
    """

    def __init__(self, server, database_url):
        self.server, self.database_url = server, database_url
        self.program, self.other, self.judge = (Program(server, long_name()) for _ in range(3))
        make_old(database_url, self.program, self.other, self.judge)
        execute(database_url, "UPDATE accounts SET rights = '{organiser}' WHERE username = $1", self.name)
        grant(database_url, self.judge, "administrator", "moderator")
        guest = Visitor(server)
        guest.http.post("/nugget/runs")  # the guest logs in, and is asked what becomes of the run
        guest.http.post("/login", data={"username": self.name, "password": PASSWORD})
        self.readers = {
            "nobody": Visitor(server),
            "player": guest,
            "moderator": member(server, self.judge.username),
        }
        self.ids = {"player": self.name, "season": season_of(utc_now())}
        self.play_for_two()
        self.play_alone()
        self.push()
        self.compete()
        self.meet()
        self.write()
        self.report()
        self.send_links()

    @property
    def name(self):
        return self.program.username

    @property
    def page(self):
        return self.readers["player"].http

    def play_for_two(self):
        finished = Match(self.server, names=(long_name(), long_name()))
        finished.play("c4", "g6", "d4", "f6", "pass", "pass")
        make_old(self.database_url, finished.black)
        said = post(finished.black, f"/games/{finished.id}/chat", room="players", text="Bah")
        assert said.is_success, said.text
        about = {"text": "Hello", "country": "pl", "languages": ["pl"], "links": ["https://wren.example"]}
        assert finished.black.http.put("/me/profile", json=about).status_code == 200
        self.winner = finished.black
        thinking = self.program.begin(self.other, options={"size": 9}, side="white")
        jumping = {"game": "jumping_farther", "options": {"size": 12}}
        self.ids |= {
            "winner": self.winner.username,
            "finished": finished.id,
            "line": said.json()["id"],
            "under_way": self.program.begin(self.other, options={"size": 13}, side="black"),
            "thinking": thinking,
            "match": self.program.begin(self.other, **jumping),
            "own_challenge": self.program.challenge(opponent="link").json()["id"],
            "challenge": self.other.challenge(**jumping).json()["id"],
        }
        self.other.challenge(opponent=self.name)

    def play_alone(self):
        alone = begin(self.program, "jumping_farther", 12)
        play(self.program, alone, ["f6", "f7", "h9", "e6", "a2"])
        best = next(iter(random_games("up_and_up", 8, 1).values()))
        race = post(self.program, "/races", game="up_and_up", minutes=5).json()["id"]
        self.ids["game_of_race"] = post(self.program, f"/races/{race}/join").json()["game_id"]
        self.ids |= {
            "alone": alone,
            "best": submit(self.program, "up_and_up", 8, best),
            "game_of_day": post(self.program, "/solitaire/daily/up_and_up/play").json()["game_id"],
            "race": race,
        }

    def push(self):
        run = self.page.post("/nugget/runs").url.path
        commands = [*(move[0] for move in SHOWN[0]), "turn", "P", "L"]
        form = {"commands": " ".join(commands), "version": 0, "request_id": str(uuid4())}
        pushed = self.page.post(f"{run}/commands", data=form)
        assert pushed.status_code == 200, pushed.text
        entry = post(self.program, "/nugget/entries", boards=SHOWN).json()["id"]
        assert post(self.program, f"/nugget/entries/{entry}/publish").is_success
        for ply in range(len(SHOWN[1])):  # a review of its second board, as if nothing better were known
            execute(
                self.database_url,
                "INSERT INTO nugget_reviewed_pushes (entry_id, board, ply, forces) VALUES ($1, 2, $2, $3)",
                *(entry, ply, " ".join(move[0] for move in SHOWN[1][ply:])),
            )
        first, *_others = self.program.http.get("/nugget/tree/start").json()["next"]
        self.ids |= {
            "run": run.rpartition("/")[2],
            "entry": entry,
            "node": first["node"],
            "day": f"{utc_now():%Y-%m-%d}",
        }
        for name, days in (("competition", -1), ("coming_competition", 1)):
            starts = utc_now() + timedelta(days=days)
            terms = {"title": fresh_name(name), "text": "All are welcome.", "starts_at": starts.isoformat()}
            ends = {"ends_at": (starts + timedelta(days=5)).isoformat()}
            self.ids[name] = post(self.program, "/nugget/competitions", **terms, **ends).json()["id"]
        files = [sealed(new_record(detours=5)) for _ in range(2)]
        kept, shown = (commit(self.program, file, competition=self.ids["competition"]) for file in files)
        entry = reveal(self.program, shown, files[1]).json()["id"]
        self.ids |= {"commitment": kept["id"], "revealed": shown["id"], "revealed_entry": entry}
        asked = partial(invoke, "witness", "add", self.server.url, database_url=self.database_url)
        assert run_in_thread(asked).exit_code == 0
        (witnessed,) = self.program.http.get("/nugget/witnessed").json()
        self.ids["witnessed"] = witnessed["id"]

    def compete(self):
        cup = Cup(self.server, None, 1, "round_robin")
        cup.join(self.program)
        cup.join(self.winner)
        start = "UPDATE tournaments SET starts_at = now(), due_at = now() WHERE id = $1"
        execute(self.database_url, start, cup.id)
        cup.wait_for("started")
        arenas = [
            Cup(
                self.server, None, 0, "arena", organiser=self.program, minutes=60, starts_in=60 * (1 + number)
            )
            for number in range(2)
        ]
        cancelled = post(self.program, f"/tournaments/{arenas[1].id}/cancel", reason="The hall is flooded.")
        assert cancelled.is_success, cancelled.text
        self.ids |= {"tournament": cup.id, "arena": arenas[0].id, "cancelled": arenas[1].id}
        self.ids["game_of_tournament"] = next(each["game_id"] for each in cup.running)
        Climbers(self.server, 2, "jumping_farther").challenge(1, 0)
        assert post(self.program, "/ladders/jumping_farther/join").is_success

    def meet(self):
        texts = {"name": f"Team{new_id()}".ljust(40, "m"), "text": "We meet on Fridays."}
        team = post(self.program, "/teams", **texts, join="request").json()["id"]
        for player in (self.winner, self.other):
            assert post(player, f"/teams/{team}/join", text="Hello").is_success
        accepted = post(self.program, f"/teams/{team}/requests/{self.winner.username}/accept")
        assert accepted.is_success, accepted.text
        for relation, player in (("follow", self.winner), ("mute", self.judge)):
            assert self.program.http.put(f"/players/{player.username}/{relation}").is_success
        assert self.winner.http.put(f"/players/{self.name}/follow").is_success
        self.ids["team"] = team

    def write(self):
        tree = {"game": "jadejack", "moves": "c4 g6! {Near.} (f6) d4", "title": "Corners" * 9}
        self.ids["study"] = self.page.post("/studies", data=tree).url.path.rpartition("/")[2]
        message = post(self.winner, f"/messages/{self.name}", text="Bah, bah").json()["id"]
        self.ids["message"] = message
        assert self.page.post("/account/data").is_success
        for game in ("jadejack", "golden_nugget"):
            daily = self.page.get(f"/puzzles/{game}/daily").url.path
            self.ids[f"puzzle_of_{game}"] = daily.rpartition("/")[2]

    def report(self):
        winner = self.winner.username
        for place in (f"chat:{self.ids['line']}", f"message:{self.ids['message']}", f"profile:{winner}"):
            told = {"username": winner, "reason": "abuse", "text": "Such language!", "place": place}
            assert post(self.program, "/reports", **told).is_success
        for player, action in ((winner, "warn"), (winner, "mute"), (self.name, "warn")):
            form = {"action": action, "reason": "Be kind.", "days": "2"}
            judged = self.readers["moderator"].http.post(f"/moderation/players/{player}", data=form)
            assert judged.status_code == 200, judged.text
        for reason in ("spam", "abuse"):
            assert post(self.other, "/reports", username=self.name, reason=reason, text="Look.").is_success

    def send_links(self):
        account = fetch(self.database_url, "SELECT id FROM accounts WHERE username = $1", self.name)[0]
        for purpose in Purpose:
            execute(
                self.database_url,
                "INSERT INTO mail_links (account_id, purpose, token_hash, address, expires_at) "
                "VALUES ($1, $2, $3, 'a@example.com', now() + interval '1 hour')",
                *(account, purpose, token_hash(purpose)),
            )
        execute(
            self.database_url,
            "INSERT INTO address_undos (account_id, address, language, token_hash, expires_at) "
            "VALUES ($1, 'a@example.com', 'en', $2, now() + interval '1 hour')",
            *(account, token_hash(UNDO)),
        )
