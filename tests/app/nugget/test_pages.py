"""Golden Nugget by forms: submitting, its errors, entries and their secrets, exports, competitions."""

import asyncio
import csv
import io
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from app.database.session import Database
from app.nugget.releases import release_ended
from app.realtime.bus import MemoryBus
from app.realtime.hub import Hub
from engine.golden_nugget.entry import verify_file
from tests.support.nugget import SAMPLE, detours, sample_moves
from tests.support.players import PASSWORD, Program, Visitor, fresh_name
from tests.support.workers import execute


@pytest.fixture
def player(server):
    return Visitor(server).register()


def text_of(boards):
    return "".join(f"board {number}: {' '.join(moves)}\n" for number, moves in enumerate(boards, 1))


def submit(visitor, boards, **form):
    return visitor.http.post("/nugget/submit", data={"intent": "submit", "record": text_of(boards), **form})


def gorrion(*arguments, database_url):
    """Run the command on the server's database."""
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        env={**os.environ, "GORRION_DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        check=False,
    )


def assert_error_page(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert "Traceback" not in answer.text


PAGES = [
    "/nugget",
    "/nugget/submit",
    "/nugget/competitions",
    "/leaderboards/golden_nugget",
    "/rules/golden_nugget",
]


@pytest.mark.parametrize("path", PAGES)
def test_pages_open_for_everybody(server, path):
    assert Visitor(server).http.get(path).status_code == 200


def test_an_upload_is_checked_and_nothing_is_saved(server):
    visitor = Visitor(server)
    ledger = visitor.http.get("/nugget/ledger").text
    answer = visitor.http.post(
        "/nugget/submit", data={"intent": "check"}, files={"file": ("sample.txt", SAMPLE.read_bytes())}
    )
    assert answer.status_code == 200
    assert "A good record" in answer.text
    assert verify_file(SAMPLE.read_bytes()).mean.text in answer.text
    assert visitor.http.get("/nugget/ledger").text == ledger


def changed(board, move, word):
    boards = sample_moves()
    boards[board - 1][move - 1] = word
    return text_of(boards)


DASH = "\N{EN DASH}"
BROKEN = {
    "syntax": (changed(2, 3, "<script>"), "3"),
    "board_order": (text_of(sample_moves()).replace("board 4:", "board 5:"), DASH),
    "no_colour_moves": (text_of([["A6", "P7", "U"] * 4, *sample_moves()[1:]]), None),
    "wrong_lift": (
        changed(1, 1, sample_moves()[0][0][0] + ("2" if sample_moves()[0][0][1] != "2" else "3")),
        "1",
    ),
    "too_many_moves": (text_of([["P7", "F7"] * 50, *sample_moves()[1:]]), "100"),
    "not_solved": (text_of([sample_moves()[0][:-1], *sample_moves()[1:]]), DASH),
    "wrong_position": (
        text_of(sample_moves()[:1]) + f"position 1: {' '.join(map(str, range(1, 50)))}\n",
        DASH,
    ),
    "too_few_boards": (text_of(sample_moves()[:19]), DASH),
    "too_many_boards": ("".join(f"board {number}: P\n" for number in range(1, 202)), DASH),
}


@pytest.mark.parametrize("code", BROKEN)
def test_every_kind_of_problem_is_told_on_the_page(player, code):
    text, move = BROKEN[code]
    assert code in [problem.code for problem in verify_file(text.encode()).problems]
    ledger = player.http.get("/nugget/ledger").text
    answer = player.http.post("/nugget/submit", data={"intent": "submit", "record": text})
    assert_error_page(answer, 422)
    assert f"<code>{code}</code>" in answer.text
    assert "<script>" not in answer.text
    assert move is None or f"<td>{move}</td>" in answer.text
    assert player.http.get("/nugget/ledger").text == ledger


def test_a_problem_shows_the_board_where_it_lies(player):
    answer = player.http.post("/nugget/submit", data={"intent": "check", "record": changed(3, 5, "??")})
    assert 'href="#problem-1"' in answer.text
    assert 'id="problem-1"' in answer.text
    assert "Board 3, at move 5" in answer.text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"x" * (300 * 1024), "256 KiB"),
        (b"P\0", "NUL"),
        ("board 1".encode("utf-16"), "UTF-16"),
        (b"\xff\x00\xfe", "UTF-8"),
    ],
)
def test_files_that_are_no_records(player, content, told):
    answer = player.http.post(
        "/nugget/submit", data={"intent": "submit"}, files={"file": ("record.txt", content)}
    )
    assert_error_page(answer, 422)
    assert told in answer.text
    assert_error_page(player.http.post("/nugget/submit", files={"file": ("x", b"x" * 10_000_000)}), 413)


def test_an_entry_needs_a_name(server):
    guest = Visitor(server)
    assert_error_page(submit(guest, detours(15)), 403)
    guest.http.post("/guest")
    assert_error_page(submit(guest, detours(15)), 403)
    guest.register()
    assert submit(guest, detours(15)).url.path.startswith("/nugget/entries/")


def test_an_entry_and_its_secrets(server, player):
    shown = submit(player, detours(7))
    path = shown.url.path
    assert "Your entry is in" in shown.text
    stranger = Visitor(server).register()
    assert "has not published the moves" in stranger.http.get(path).text
    for secret in (f"{path}/record", f"{path}/boards/1?move=2"):
        assert_error_page(stranger.http.get(secret), 403)
        assert player.http.get(secret).status_code == 200
    for action in ("publish", "withdraw"):
        assert_error_page(stranger.http.post(f"{path}/{action}"), 403)
    downloaded = player.http.get(f"{path}/record")
    assert verify_file(downloaded.content).valid
    assert (
        verify_file(player.http.get(f"{path}/record?form=short").content).sha256
        == verify_file(downloaded.content).sha256
    )
    assert player.http.get(f"{path}/receipt").text in player.http.get("/nugget/ledger").text
    player.http.post(f"{path}/publish")
    assert stranger.http.get(f"{path}/record").text == downloaded.text
    assert_error_page(stranger.http.get(f"{path}/boards/21"), 404)
    assert "withdrawn" in player.http.post(f"{path}/withdraw").text
    assert_error_page(player.http.post(f"{path}/withdraw"), 409)
    assert (
        player.username
        not in player.http.get("/leaderboards/golden_nugget").text.split("<main")[1].split("</table>")[0]
    )


def test_a_known_record_is_refused_on_the_page(server, player):
    submit(player, detours(8))
    again = submit(Visitor(server).register(), detours(8))
    assert_error_page(again, 409)
    assert player.username not in again.text


def test_page_run_and_api_give_one_record_the_same_rank(server, player):
    boards = detours(18)
    checked = player.http.post("/nugget/submit", data={"intent": "check", "record": text_of(boards)}).text
    rank = re.search(r"would be number <b>(\d+)</b>", checked)[1]
    program = Program(server)
    run = program.http.post("/nugget/runs", json={}).json()
    for version, moves in enumerate(boards):
        body = {
            "commands": [*(move[0] for move in moves), "turn"],
            "version": version,
            "request_id": f"00000000-0000-4000-8000-{version:012}",
        }
        run = program.http.post(f"/nugget/runs/{run['id']}/commands", json=body).json()
    visitor = Visitor(server)
    visitor.http.post("/login", data={"username": program.username, "password": PASSWORD})
    assert f"they would be number {rank}" in visitor.http.get(f"/nugget/runs/{run['id']}").text
    entry = program.http.post("/nugget/entries", json={"boards": boards}).json()
    assert entry["rank"] == int(rank)
    assert f"<dd>{rank}</dd>" in player.http.get(f"/nugget/entries/{entry['id']}").text


def test_exports_have_what_the_page_has(player):
    submit(player, detours(9))
    rows = list(csv.DictReader(io.StringIO(player.http.get("/leaderboards/golden_nugget.csv").text)))
    told = player.http.get("/leaderboards/golden_nugget.json").json()
    assert [row["username"] for row in rows] == [row["username"] for row in told]
    (mine,) = [row for row in told if row["username"] == player.username]
    assert mine["moves"] == sum(map(len, detours(9)))
    page = player.http.get("/leaderboards/golden_nugget").text
    assert f'title="{mine["moves"]}/20"' in page
    assert_error_page(player.http.get("/leaderboards/golden_nugget?period=1066"), 422)
    for players, is_there in (("people", True), ("computers", False)):
        text = player.http.get(f"/leaderboards/golden_nugget.csv?players={players}&period=20").text
        assert (player.username in text) == is_there


def test_playing_by_form(player):
    page = player.http.post("/nugget/runs")
    path = page.url.path

    def give(command, version, name):
        form = {"commands": command, "version": version, "request_id": f"00000000-0000-4000-8000-{name:012}"}
        return player.http.post(f"{path}/commands", data=form)

    assert "<b>1</b> move " in give("P", 0, 1).text
    assert "<b>1</b> move " in give("P", 0, 1).text  # the same again
    assert_error_page(give("5", 0, 2), 409)
    assert_error_page(give("turn", 1, 3), 422)
    assert_error_page(give("P" * 601, 1, 4), 422)
    renamed = player.http.post(f"{path}/name", data={"name": "<b>Evening</b>"})
    assert "&lt;b&gt;Evening&lt;/b&gt;" in renamed.text
    assert_error_page(player.http.post(f"{path}/reopen"), 422)
    assert_error_page(player.http.post(f"{path}/submit", data={"boards": 20}), 422)
    assert "Evening" not in player.http.post(f"{path}/throw-away").text
    assert_error_page(player.http.get(path), 404)


class TestCompetitions:
    @pytest.fixture
    def organiser(self, player, database_url):
        assert gorrion("grant", player.username, database_url=database_url).returncode == 0
        return player

    def test_rights_are_given_to_players_that_there_are(self, player, database_url):
        for wrong in (("nobody-by-this-name", "organiser"), (player.username, "emperor")):
            done = gorrion("grant", *wrong, database_url=database_url)
            assert (done.returncode, done.stdout) == (1, "")
            assert "Traceback" not in done.stderr

    @staticmethod
    def form(**changes):
        now = datetime.now(UTC)
        return {
            "title": f"Cup of {fresh_name()}",
            "text": "Be kind.",
            "starts_at": (now - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"),
            "ends_at": (now + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"),
            "min_boards": "20",
            "max_boards": "50",
            "visibility": "open",
            **changes,
        }

    def open(self, organiser, **changes):
        answer = organiser.http.post("/nugget/competitions", data=self.form(**changes))
        assert answer.status_code == 200, answer.text
        return answer.url.path

    @staticmethod
    def release(database_url):
        """Do what the server's housekeeping does now and then."""

        async def run():
            database = await Database.open(database_url, pool_size=1)
            released = await release_ended(database, MemoryBus(Hub()))
            await database.close()
            return released

        return asyncio.run(run())

    def test_only_organisers_open_one(self, server, organiser):
        assert_error_page(Visitor(server).register().http.post("/nugget/competitions", data=self.form()), 403)
        for wrong in (
            {"title": "x"},
            {"ends_at": "soon"},
            {"ends_at": "2020-01-01T00:00"},
            {"min_boards": "19"},
            {"max_boards": "201"},
            {"visibility": "secret"},
            {"text": "x" * 5001},
            {"starts_at": ""},
            {"min_boards": "51"},
            {"min_boards": "9" * 5000},
            {"ends_at": "9999-12-31T23:59:59-14:00"},
        ):
            answer = organiser.http.post("/nugget/competitions", data=self.form(**wrong))
            assert_error_page(answer, 422)
            assert 'class="field-error" id="error-' in answer.text, wrong
            assert "Be kind." in answer.text or "text" in wrong

    def test_the_address_of_a_competition_is_readable_and_its_own(self, organiser):
        title = f"Örtlicher  Cup\0 {fresh_name()}!"
        first, second = (self.open(organiser, title=title) for _ in range(2))
        assert first != second
        assert first.startswith("/nugget/competitions/ortlicher-cup-")
        for nowhere in ("a%00b", "%F0%9F%90%A6", "nosuchcup"):
            assert_error_page(organiser.http.get(f"/nugget/competitions/{nowhere}"), 404)

    def test_an_open_competition_ranks_its_entries(self, server, organiser):
        path = self.open(organiser)
        player = Visitor(server).register()
        submit(player, detours(10), competition=path.rsplit("/", 1)[1])
        assert player.username in organiser.http.get(path).text
        assert player.username in organiser.http.get(f"{path}/report.csv").text
        assert player.username in [
            row["username"] for row in organiser.http.get(f"{path}/report.json").json()
        ]

    def test_a_sealed_one_tells_only_how_many(self, server, organiser, database_url):
        path = self.open(organiser, visibility="sealed")
        competition = path.rsplit("/", 1)[1]
        player, other = Visitor(server).register(), Visitor(server).register()
        entry = submit(player, detours(11), competition=competition).url.path
        assert "1 entry has come in" in other.http.get(path).text
        assert_error_page(other.http.get(f"{path}/report.csv"), 403)
        shown = other.http.get(entry).text
        assert "sealed" in shown
        mean = f"{sum(map(len, detours(11))) / 20:.2f}"
        assert mean not in shown
        assert mean in player.http.get(entry).text
        for ranking in ("/leaderboards/golden_nugget.csv", path):
            assert player.username not in other.http.get(ranking).text.split("<main")[-1]

        execute(database_url, "UPDATE nugget_competitions SET ends_at = now() WHERE id = $1", competition)
        report = other.http.get(path).text
        assert "Final report" in report
        assert player.username in report
        assert mean in other.http.get(entry).text
        assert self.release(database_url) >= 1
        assert self.release(database_url) == 0
        assert player.username in other.http.get("/leaderboards/golden_nugget.csv").text
        late = submit(other, detours(16), competition=competition)
        assert_error_page(late, 409)
        assert "over" in late.text

    def test_one_that_has_not_begun_and_one_of_other_lengths(self, organiser):
        soon = (datetime.now(UTC) + timedelta(minutes=30)).strftime("%Y-%m-%dT%H:%M")
        for changes in ({"starts_at": soon}, {"min_boards": "30"}):
            competition = self.open(organiser, **changes).rsplit("/", 1)[1]
            assert_error_page(submit(organiser, detours(17), competition=competition), 409)
        assert_error_page(submit(organiser, detours(17), competition="no-such-thing"), 404)


def test_comparing_runs(server):
    program = Program(server)
    visitor = Visitor(server)
    visitor.http.post("/login", data={"username": program.username, "password": PASSWORD})
    runs = [program.http.post("/nugget/runs", json={"name": name}).json() for name in ("First", "Second")]
    page = visitor.http.get(f"/nugget/compare?a={runs[0]['id']}&b={runs[1]['id']}")
    assert "First" in page.text
    assert "<svg" in page.text
    assert_error_page(Visitor(server).register().http.get(f"/nugget/compare?a={runs[0]['id']}"), 404)
