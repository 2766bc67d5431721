"""Programs on a ladder, on which others may be, too."""

from tests.support.games import play_until_rated, post
from tests.support.players import Program
from tests.support.waiting import wait_until

GAME = "jadejack"


class Climbers:
    """Programs that join the ladder of a game one after the other, so the first one is on top of them."""

    def __init__(self, server, count, game=GAME):
        self.path = f"/ladders/{game}"
        self.programs = [Program(server) for _ in range(count)]
        for program in self.programs:
            joined = post(program, f"{self.path}/join")
            assert joined.status_code == 200, joined.text

    @property
    def order(self):
        """Return the numbers of the programs in the order of the ladder."""
        places = {row["username"]: row["place"] for row in self.rows}
        numbers = [number for number, each in enumerate(self.programs) if each.username in places]
        return sorted(numbers, key=lambda number: places[self.programs[number].username])

    @property
    def rows(self):
        """Return the rows of the whole ladder."""
        rows, cursor = [], ""
        while cursor is not None:
            page = self.get(f"{self.path}?limit=200&cursor={cursor}")
            rows += page["rows"]
            cursor = page["next"]
        return rows

    @property
    def changes(self):
        """Return what happened to the programs last, the latest first."""
        names = {program.username for program in self.programs}
        return [each for each in self.get(f"{self.path}/changes")["changes"] if each["player"] in names]

    def get(self, path):
        return self.programs[0].http.get(path).json()

    def challenge(self, challenger, defender):
        """Challenge one program by another one, both named by their numbers, and return the answer."""
        opponent = self.programs[defender].username
        return post(self.programs[challenger], f"{self.path}/challenges", opponent=opponent)

    def answer(self, number, challenge, action):
        return post(self.programs[number], f"{self.path}/challenges/{challenge['id']}/{action}")

    def begin(self, challenger, defender):
        """Begin the game of a challenge that is accepted, and return its id."""
        challenge = self.challenge(challenger, defender).json()
        accepted = self.answer(defender, challenge, "accept")
        assert accepted.status_code == 200, accepted.text
        return accepted.json()["game_id"]

    def resign(self, number, game):
        """Resign for a program after both sides have moved."""
        players = self.programs[number].snapshot(game)["players"]
        by_name = {program.username: program for program in self.programs}
        play_until_rated(*(by_name[players[side]["username"]] for side in ("black", "white")), game)
        assert post(self.programs[number], f"/games/{game}/resign").status_code == 200

    def lose(self, number, game):
        """Resign for a program, and wait until the ladder shows it."""
        self.resign(number, game)
        wait_until(lambda: game in [each["game_id"] for each in self.changes])

    def news(self, number):
        """Return what a program was notified of, the latest first."""
        listed = self.programs[number].http.get("/notifications").json()["notifications"]
        return [each["text"] for each in listed if each["kind"].startswith("ladder")]
