"""A client that a stranger's tool makes of the OpenAPI plays here as people do."""

import contextlib
import importlib
import json
import subprocess
import sys
import uuid
from datetime import timedelta
from pathlib import Path

import pytest

from app.core.moments import utc_now
from tests.support import plain_http
from tests.support.nugget import new_record
from tests.support.players import PASSWORD, fresh_name
from tests.support.waiting import WITHIN

pytest.importorskip(
    "openapi_python_client", reason="NO CLIENT IS GENERATED: openapi-python-client is missing"
)

# What the tool knows no type for is bytes in the client: docs/api.md says the same.
CONFIG = {
    "project_name_override": "gorrion-client",
    "package_name_override": "gorrion_client",
    "content_type_overrides": dict.fromkeys(
        ("application/x-ndjson", "application/zip", "text/plain"), "application/octet-stream"
    ),
    "post_hooks": [],
}


@pytest.fixture(scope="module")
def generated(server, tmp_path_factory):
    """Return a function that imports a module of a client, which was generated without a warning."""
    folder = tmp_path_factory.mktemp("client")
    described = plain_http.get(f"{server.url}/api/v1/openapi.json", timeout=WITHIN)
    (folder / "openapi.json").write_text(described.text)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    command = Path(sys.executable).with_name("openapi-python-client")
    options = (
        "--path",
        "openapi.json",
        "--config",
        "config.json",
        "--output-path",
        "made",
        "--fail-on-warning",
    )
    made = subprocess.run(
        [command, "generate", *options], cwd=folder, capture_output=True, text=True, check=False
    )
    said = made.stdout + made.stderr
    assert made.returncode == 0, said
    assert "warning" not in said.lower(), said
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder / "made")
        yield lambda name: importlib.import_module(f"gorrion_client.{name}")


class Player:
    """A player who knows the generated client only."""

    def __init__(self, generated, server, stack):
        self._generated = generated
        self._models = generated("models")
        self.name = fresh_name()
        self._client = stack.enter_context(generated("client").Client(base_url=server.url))
        credentials = self.model("NewCredentials", username=self.name, password=PASSWORD)
        account = self.call("accounts", "post_accounts", body=credentials)
        known = generated("client").AuthenticatedClient(base_url=server.url, token=account.token)
        self._client = stack.enter_context(known)

    def model(self, name, /, **members):
        return getattr(self._models, name).from_dict(members)

    def call(self, tag, operation, *path, **arguments):
        """Call an operation and return its answer, which is no problem."""
        function = self._generated(f"api.{tag}.{operation}").sync
        answer = function(*path, client=self._client, **arguments)
        assert answer is not None, operation
        assert not isinstance(answer, self._models.Problem), answer
        return answer


@pytest.fixture
def newcomer(generated, server):
    """Return a function that registers another player."""
    with contextlib.ExitStack() as stack:
        yield lambda: Player(generated, server, stack)


@pytest.fixture
def player(newcomer):
    return newcomer()


def test_it_plays_a_game(player, newcomer):
    opponent = newcomer()
    offer = {"game": "jadejack", "options": {"size": 8}, "opponent": opponent.name, "side": "black"}
    made = player.call("challenges", "post_challenges", body=player.model("ChallengeRequest", **offer))
    game = opponent.call("challenges", "post_challenges_challenge_id_accept", made.id).game_id
    state = None
    for ply, move in enumerate(("c4", "f6", "d4", "pass", "pass")):
        mover = (player, opponent)[ply % 2]
        body = mover.model("MoveRequest", move=move, ply=ply, move_id=str(uuid.uuid4()))
        state = mover.call("games", "post_games_game_id_moves", game, body=body)
    assert (state.status.value, state.ply, state.moves) == ("finished", 5, ["c4", "f6", "d4", "pass", "pass"])
    assert state.result.termination.value == "passes"
    assert state.players["black"].username == player.name


def test_its_errors_say_why(player, generated):
    started = player.model("NewGame", game="up_and_up", options={"size": 4})
    game = player.call("games", "post_games", body=started)
    body = player.model("MoveRequest", move="a1", ply=7, move_id=str(uuid.uuid4()))
    play = generated("api.games.post_games_game_id_moves").sync
    problem = play(game.id, client=player._client, body=body)
    assert (problem.code, problem.status) == ("stale_ply", 409)
    assert problem.snapshot.id == game.id


def test_it_joins_a_tournament(player, newcomer):
    terms = {
        "name": "Generated arena",
        "kind": "arena",
        "game": "jadejack",
        "minutes": 20,
        "time_control": {"kind": "realtime", "limit": 180, "increment": 2},
        "starts_at": (utc_now() + timedelta(days=1)).isoformat(),
        "password": "nightingale",
    }
    made = player.call("tournaments", "post_tournaments", body=player.model("NewTournament", **terms))
    other = newcomer()
    joined = other.call(
        "tournaments",
        "post_tournaments_tournament_id_join",
        made.id,
        body=other.model("EntryRequest", password="nightingale"),
    )
    assert (joined.id, joined.players) == (made.id, 1)


def test_it_submits_a_record(player):
    record = player.model("Record", boards=[list(map(str, board)) for board in new_record(detours=3)])
    entry = player.call("golden_nugget", "post_nugget_entries", body=record)
    assert (entry.boards, entry.receipt.entry) == (20, entry.id)
