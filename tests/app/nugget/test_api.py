"""Golden Nugget through the JSON API: checks, entries and who may see them, the ranking, the ledger, runs."""

import json
import uuid

import pytest

from engine.golden_nugget.audit import audit
from engine.golden_nugget.board import START, push, turn
from engine.golden_nugget.entry import verify, verify_file
from engine.golden_nugget.record import from_moves
from tests.support import plain_http
from tests.support.answers import assert_problem
from tests.support.database import execute
from tests.support.nugget import SAMPLE, new_record, run_of, sample_moves, text_of
from tests.support.players import Program
from tests.support.threads import at_once

MOVES = sample_moves()
TEXT = {"Content-Type": "text/plain"}


@pytest.fixture
def program(server):
    return Program(server)


def submit(program, boards):
    return program.http.post("/nugget/entries", json={"boards": boards})


def test_a_check_returns_the_verdict_of_the_verifier_without_an_account(server):
    url = f"{server.url}/api/v1/nugget/check"
    broken = [*MOVES[:5], MOVES[5][:-1], *MOVES[6:]]
    for answer, verdict in (
        (plain_http.post(url, content=SAMPLE.read_bytes(), headers=TEXT), verify_file(SAMPLE.read_bytes())),
        (plain_http.post(url, json={"boards": MOVES}), verify(from_moves(MOVES))),
        (plain_http.post(url, json={"boards": broken}), verify(from_moves(broken))),
        (plain_http.post(url, content=b"board 1: P\0"), verify_file(b"board 1: P\0")),
    ):
        assert answer.status_code == 200
        assert answer.json() == {"more_errors": False, **verdict.as_json()}


HOSTILE = {
    "300 KiB": b"x" * (300 * 1024),
    "zip": b"\x50\x4b\x03\x04" + bytes(range(256)) * 40,
    "UTF-16": "board 1: P".encode("utf-16"),
    "NUL": b"\0" * 100,
    "one board again and again": b"board 1:\n" * 29_000,
    "201 boards": b"".join(b"board %d: P\n" % number for number in range(1, 202)),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_answered_with_their_problems(program, content):
    answer = program.http.post("/nugget/check", content=content, headers=TEXT)
    assert answer.status_code == 200
    assert not answer.json()["valid"]
    assert 1 <= len(answer.json()["errors"]) <= 1000
    assert answer.elapsed.total_seconds() < 2
    refused = program.http.post("/nugget/entries", content=content, headers=TEXT)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_entry")


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, "boards"),
        ({"boards": "P"}, "boards"),
        ({"boards": [[1]]}, "boards.0.0"),
        ({"boards": [], "more": 1}, "more"),
        ([], ""),
    ],
)
def test_a_body_that_is_not_a_record_is_refused(program, body, where):
    answer = program.http.post("/nugget/check", json=body)
    [fault] = assert_problem(answer, 422, "invalid_request")["errors"]
    assert fault["where"] == where


def test_only_the_first_faults_of_a_body_are_listed(program):
    answer = program.http.post("/nugget/check", json={"boards": [[1] * 20]})
    assert len(assert_problem(answer, 422, "invalid_request")["errors"]) == 10


def test_an_entry_from_submission_to_publication(server, program):
    boards = new_record(detours=1)
    count = sum(map(len, boards))
    accepted = submit(program, boards)
    assert accepted.status_code == 201, accepted.text
    entry = accepted.json()
    assert (entry["boards"], entry["moves"]) == (20, count)
    assert entry["receipt"]["player"] == program.username
    path = f"/nugget/entries/{entry['id']}"
    mine = program.http.get(path).json()
    theirs = Program(server).http.get(path).json()
    anybodys = plain_http.get(f"{server.url}/api/v1{path}").json()
    assert mine["moves"] == [[str(move) for move in board] for board in full(boards)]
    assert theirs["moves"] is anybodys["moves"] is None
    assert theirs["counts"] == [len(board) for board in boards]
    stranger = Program(server)
    for action in ("publish", "withdraw"):
        assert stranger.http.post(f"{path}/{action}").status_code == 403
        assert plain_http.post(f"{server.url}/api/v1{path}/{action}").status_code == 401
    assert program.http.post(f"{path}/publish").json()["published_at"]
    assert Program(server).http.get(path).json()["moves"] == mine["moves"]


def test_an_entry_says_which_boards_come_from_whom(server, program):
    source = submit(program, new_record(detours=12)).json()["id"]
    program.http.post(f"/nugget/entries/{source}/publish")
    other = Program(server)
    accepted = submit(other, new_record(detours=12)).json()
    shown = program.http.get(f"/nugget/entries/{accepted['id']}").json()
    for answer in (accepted, shown):
        [share] = answer["shares"]  # the first published one: other tests may have submitted others
        assert (answer["shared_boards"], answer["derived_from"]) == (20, share["entry_id"])
        assert share["boards"] == [[board, board] for board in range(1, 21)]
        assert answer["helped_boards"] == []
    text = plain_http.get(f"{server.url}/nugget/entries/{accepted['id']}").text
    assert "20 boards come from others." in text
    assert "1\N{EN DASH}20" in text


def full(boards):
    board, written = START, []
    for moves in boards:
        made = []
        for move in moves:
            board, done = push(board, move[0])
            made.append(done)
        written.append(made)
        board = turn(board)
    return written


def test_a_known_record_is_refused_without_naming_its_player(server, program):
    boards = new_record(detours=2)
    accepted = submit(program, boards).json()
    mine = submit(program, boards)
    assert (mine.status_code, mine.json()["code"]) == (409, "known_record")
    assert mine.json()["entry_id"] == accepted["id"]
    other = Program(server)
    again = submit(other, [[move[0] for move in board] for board in boards])  # in short form
    assert (again.status_code, again.json()["code"]) == (409, "known_record")
    assert "entry_id" not in again.json()
    assert program.username not in again.text


def test_a_record_submitted_several_times_at_once_becomes_one_entry(server):
    boards = new_record(detours=3)
    programs = [Program(server) for _ in range(4)]
    answers = at_once(lambda program: submit(program, boards), programs)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


def test_invalid_entries_are_refused(program):
    for boards in (MOVES[:19], [*MOVES[:3], *MOVES[4:]], [["P"] * 100]):
        answer = submit(program, boards)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_entry")
        assert answer.json()["errors"] == json.loads(
            json.dumps(verify(from_moves(boards)).as_json()["errors"])
        )
    assert program.http.get("/nugget/entries/nosuchthing").status_code == 404
    assert program.http.get("/nugget/entries/no%20such").status_code == 404


@pytest.mark.parametrize(
    ("number", "days", "words"), [(1_000, 2, "withdrawn ones included"), (50, 0, "within a day")]
)
def test_nobody_has_too_many_entries(program, database_url, number, days, words):
    execute(
        database_url,
        "INSERT INTO nugget_entries (id, account_id, counts, mean_key, record, record_sha256, submitted_at, "
        "prefixes) SELECT 'many' || accounts.id || n, accounts.id, array_fill(90, ARRAY[20]), 90000000, '', "
        "'many ' || accounts.id || ' ' || n, now() - $3 * interval '1 day', '{}' "
        "FROM accounts, generate_series(1, $2) n WHERE username = $1",
        *(program.username, number, days),
    )
    record = {"boards": new_record(detours=18)}
    refused = program.http.post("/nugget/entries", json=record)
    assert_problem(refused, 409, "too_many_entries")
    assert words in refused.json()["detail"]
    execute(
        database_url,
        "UPDATE nugget_entries SET withdrawn_at = now(), submitted_at = now() - interval '2 days' "
        "WHERE id = (SELECT max(e.id) FROM nugget_entries e JOIN accounts ON accounts.id = account_id "
        "WHERE username = $1)",
        program.username,
    )
    # One that is withdrawn is stored all the same; one that is no longer of today makes room for another.
    again = program.http.post("/nugget/entries", json=record)
    assert again.status_code == (409 if number == 1_000 else 201)


def test_a_read_only_token_cannot_submit(server, program):
    token = program.http.post(
        "/tokens", json={"username": program.username, "password": "quite a long password", "scopes": []}
    ).json()["token"]
    answer = plain_http.post(
        f"{server.url}/api/v1/nugget/entries",
        json={"boards": MOVES},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert answer.status_code == 403


def test_the_ranking_has_the_best_entry_of_each_player(server):
    rows = {}
    player, rival = Program(server), Program(server)
    for number, who in ((14, player), (12, player), (13, rival)):
        rows[number] = submit(who, new_record(detours=number)).json()

    def ranking():
        listed, cursor = [], None
        while True:
            parameters = {"limit": 2, **({"cursor": cursor} if cursor else {})}
            page = player.http.get("/leaderboards/golden_nugget", params=parameters).json()
            listed += page["rows"]
            if (cursor := page["next"]) is None:
                return listed

    def places():
        names = (player.username, rival.username)
        return [(row["username"], row["entry_id"]) for row in ranking() if row["username"] in names]

    assert places() == [(player.username, rows[12]["id"]), (rival.username, rows[13]["id"])]
    everything = ranking()
    assert [row["rank"] for row in everything] == sorted(row["rank"] for row in everything)
    assert len({row["username"] for row in everything}) == len(everything)
    path = f"/nugget/entries/{rows[12]['id']}/withdraw"
    assert player.http.post(path).json()["rank"] is None
    assert player.http.post(path).status_code == 409
    assert places() == [(rival.username, rows[13]["id"]), (player.username, rows[14]["id"])]


def test_the_ledger_is_complete_and_proves_the_records(server, program):
    boards = new_record(detours=5)
    entry = submit(program, boards).json()
    program.http.post(f"/nugget/entries/{entry['id']}/withdraw")
    text = plain_http.get(f"{server.url}/nugget/ledger").text
    assert audit(text, [("mine", text_of(boards).encode())], [entry["receipt"]["hash"]]).valid
    lines = text.splitlines()
    assert not audit("\n".join([*lines[:-2], lines[-1]])).valid
    assert '"moves"' not in text


def test_invalid_ranking_requests_are_refused(program):
    for parameters in (
        {"cursor": "nosuchplace"},
        {"limit": 0},
        {"limit": 10_000},
        {"players": "sparrows"},
        {"period": "1066"},
    ):
        answer = program.http.get("/leaderboards/golden_nugget", params=parameters)
        assert answer.status_code == 422, parameters


class TestRuns:
    @staticmethod
    def command(program, run, *words, version=None, request_id=None):
        body = {
            "commands": list(words),
            "version": run["version"] if version is None else version,
            "request_id": str(request_id or uuid.uuid4()),
        }
        return program.http.post(f"/nugget/runs/{run['id']}/commands", json=body)

    @pytest.fixture
    def run(self, program):
        return program.http.post("/nugget/runs", json={"name": "Evening"}).json()

    def test_moves_can_be_undone_and_redone(self, program, run):
        played = self.command(program, run, "P", "5", "L").json()
        assert played["moves"] == ["P7", "54", "L6"]
        back = self.command(program, played, "undo", "undo", "redo").json()
        assert (back["moves"], back["undone"]) == (["P7", "54"], ["L6"])
        start = self.command(program, back, "start").json()
        assert start["cells"] == run["cells"]
        again = self.command(program, start, "to:3").json()
        assert again["cells"] == played["cells"]
        assert program.http.get(f"/nugget/runs/{run['id']}").json() == again

    def test_a_refused_command_does_not_stop_the_later_ones(self, program, run):
        played = self.command(program, run, "P", "undo", "undo", "turn", "Z", "5").json()
        assert played["moves"] == ["56"]
        assert played["refused"] == "There is no move to take back."

    def test_commands_that_cannot_be_stored_are_refused_as_a_whole(self, program, run):
        assert_problem(self.command(program, run, "P", "\0"), 422, "bad_text")
        assert self.command(program, run, "P").json()["moves"] == ["P7"]

    def test_a_request_sent_again_changes_nothing(self, program, run):
        name = uuid.uuid4()
        answers = [self.command(program, run, "P", request_id=name).json() for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
        assert answers[0]["moves"] == ["P7"]

    def test_commands_for_an_old_version_are_refused(self, program, run):
        played = self.command(program, run, "P").json()
        stale = self.command(program, run, "5")
        assert (stale.status_code, stale.json()["code"]) == (409, "stale_run")
        assert stale.json()["run"] == played

    def test_a_run_is_visible_to_its_player_only(self, server, program, run):
        other = Program(server)
        assert other.http.get(f"/nugget/runs/{run['id']}").status_code == 404
        assert self.command(other, run, "P").status_code == 404
        assert other.http.post(f"/nugget/runs/{run['id']}/fork", json={"board": 1}).status_code == 404
        assert other.http.post(f"/nugget/runs/{run['id']}/submit", json={"boards": 20}).status_code == 404

    def test_a_run_is_submitted_as_the_entry_of_its_record(self, server, program, run):
        boards = new_record(detours=6)
        for moves in boards:
            run = self.command(program, run, *(move[0] for move in moves)).json()
            assert run["solved"]
            run = self.command(program, run, "turn").json()
        assert run["counts"] == [len(moves) for moves in boards]
        assert run["board"] == 21
        too_many = program.http.post(f"/nugget/runs/{run['id']}/submit", json={"boards": 21})
        assert (too_many.status_code, too_many.json()["code"]) == (422, "no_such_board")
        seen_before = {"boards": 20, "version": run["version"] - 1}
        stale = program.http.post(f"/nugget/runs/{run['id']}/submit", json=seen_before)
        assert (stale.status_code, stale.json()["code"]) == (409, "stale_run")
        assert stale.json()["run"]["version"] == run["version"]
        entry = program.http.post(f"/nugget/runs/{run['id']}/submit", json={"boards": 20})
        assert entry.status_code == 201, entry.text
        assert submit(Program(server), boards).json()["code"] == "known_record"
        copy = program.http.post(f"/nugget/runs/{run['id']}/fork", json={"board": 8}).json()
        assert (copy["board"], copy["counts"], copy["moves"]) == (8, run["counts"][:7], [])
        assert program.http.post(f"/nugget/runs/{run['id']}/fork", json={"board": 22}).status_code == 422

    def test_the_number_of_moves_on_a_board_is_limited(self, program, run):
        played = self.command(program, run, *["P", "F"] * 50)
        assert len(played.json()["moves"]) <= 99


def test_a_run_is_renamed_reopened_read_back_and_deleted(server, program):
    boards = new_record(20)[:2]
    path = f"/nugget/runs/{run_of(program, boards)}"
    assert program.http.put(path, json={"name": "  Morning  run "}).json()["name"] == "Morning run"
    assert_problem(program.http.put(path, json={"name": " "}), 422, "bad_name")
    first, second = (program.http.get(f"{path}/boards/{number}").json() for number in (1, 2))
    assert [first["moves"], second["moves"]] == boards
    assert (first["number"], first["start"], first["solved"]) == (1, list(START.cells), True)
    assert first["cells"] != first["start"]
    assert_problem(program.http.get(f"{path}/boards/4"), 404, "not_found")
    reopened = program.http.post(f"{path}/reopen").json()
    assert (reopened["board"], reopened["moves"], reopened["solved"]) == (2, boards[1], True)
    assert_problem(program.http.post(f"{path}/reopen"), 422, "cannot_reopen")

    other = Program(server)
    for method, rest in (("PUT", ""), ("DELETE", ""), ("POST", "/reopen"), ("GET", "/boards/1")):
        body = {"json": {"name": "Mine"}} if method == "PUT" else {}
        assert_problem(other.http.request(method, path + rest, **body), 404, "not_found")
    assert program.http.delete(path).status_code == 204
    assert_problem(program.http.get(path), 404, "not_found")
    assert_problem(program.http.delete(path), 404, "not_found")
