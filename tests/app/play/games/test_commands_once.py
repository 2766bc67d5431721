"""Commands on games that are sent twice with one key are carried out once, and get the first answer."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from app.play.games.api import _COMMANDS
from app.play.games.decisions import Command
from tests.support.accounts import id_of
from tests.support.database import fetch
from tests.support.games import BLITZ, post
from tests.support.players import Match, Program, Visitor
from tests.support.solitaire import begin, play, random_games
from tests.support.waiting import wait_until

_ROWS = """
SELECT to_jsonb(games) - 'watch_at', (SELECT json_agg(moves ORDER BY ply) FROM moves WHERE game_id = games.id)
FROM games WHERE id = $1
"""

_SIGNS_OF_LIFE = "SELECT count(*) FROM connections WHERE account_id = $1 AND place = $2"


@dataclass
class Scene:
    """A server on which a player is about to give a command."""

    server: object
    clock: object

    def match(self, *moves, **terms):
        match = Match(self.server, **terms)
        match.play("c4", *moves)
        return match

    def asked(self, what, **terms):
        """Return the opponent of a player who has asked for something, and the game."""
        match = self.match("g6", **terms)
        post(match.black, f"/games/{match.id}/{what}")
        return match.white, match.id

    def resigning(self):
        match = self.match("g6")
        return match.white, match.id

    def aborting(self):
        match = self.match()
        return match.white, match.id

    def claiming(self):
        match = self.match("g6", time_control=BLITZ)
        url = self.server.database_url
        absent = id_of(url, match.black), match.id
        wait_until(lambda: fetch(url, _SIGNS_OF_LIFE, *absent)[0])
        self.clock.advance(seconds=70)
        return match.white, match.id

    def undoing(self):
        program = Program(self.server)
        game = begin(program)
        play(program, game, next(iter(random_games("up_and_up", 4).values()))[:4])
        return program, game

    def pausing(self):
        match = self.match("g6", time_control=BLITZ)
        return match.white, match.id

    def resuming(self):
        player, game = self.asked("pause", time_control=BLITZ)
        post(player, f"/games/{game}/pause/accept")
        return player, game

    def submitting(self):
        program = Program(self.server)
        game = begin(program)
        play(program, game, next(iter(random_games("up_and_up", 4).values())))
        return program, game


SCENES = {
    Command.RESIGN: Scene.resigning,
    Command.ABORT: Scene.aborting,
    Command.CLAIM: Scene.claiming,
    Command.TAKEBACK: Scene.undoing,
    Command.ASK_TAKEBACK: Scene.resigning,
    Command.ACCEPT_TAKEBACK: lambda scene: scene.asked("takeback"),
    Command.DECLINE_TAKEBACK: lambda scene: scene.asked("takeback"),
    Command.PAUSE: Scene.pausing,
    Command.ACCEPT_PAUSE: lambda scene: scene.asked("pause", time_control=BLITZ),
    Command.DECLINE_PAUSE: lambda scene: scene.asked("pause", time_control=BLITZ),
    Command.RESUME: Scene.resuming,
    Command.SUBMIT: Scene.submitting,
}


@pytest.fixture
def scene(two_workers, clock):
    return Scene(two_workers, clock)


def by_program(_scene, player, game, command):
    """Return a function that gives a command by the API with a key, as often as it is called."""
    path = f"/games/{game}/{'/'.join(reversed(command.name.lower().split('_')))}"
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    return lambda _=0: player.http.post(path, headers=headers)


def by_form(scene, player, game, command):
    """Return a function that sends a form of a page, as often as it is called."""
    reader = Visitor(scene.server).log_in(player.username)
    form = {"once": uuid.uuid4().hex}
    return lambda _=0: reader.http.post(f"/games/{game}/{command}", data=form, follow_redirects=False)


def test_every_command_is_tried():
    assert set(SCENES) == set(Command) == set(_COMMANDS)


@pytest.mark.parametrize("way", [by_program, by_form])
@pytest.mark.parametrize("command", Command)
def test_a_command_that_is_sent_twice_is_carried_out_once(scene, command, way):
    player, game = SCENES[command](scene)
    send = way(scene, player, game, command)
    first = send()
    assert first.status_code in (200, 303), first.text
    after = tuple(fetch(scene.server.database_url, _ROWS, game))
    second = send()
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert second.headers["idempotency-replayed"] == "true"
    assert tuple(fetch(scene.server.database_url, _ROWS, game)) == after


@pytest.mark.parametrize("command", [Command.RESIGN, Command.TAKEBACK, Command.SUBMIT])
def test_a_command_that_is_sent_twice_at_once_is_carried_out_once(scene, command):
    player, game = SCENES[command](scene)
    before = player.snapshot(game)["undos"]
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(by_program(scene, player, game, command), range(4)))
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    assert player.snapshot(game)["undos"] == before + (command is Command.TAKEBACK)


def test_another_command_has_another_key(scene):
    player, game = scene.undoing()
    for undos in (1, 2):
        assert by_program(scene, player, game, Command.TAKEBACK)().json()["undos"] == undos
