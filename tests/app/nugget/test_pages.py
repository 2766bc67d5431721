"""Golden Nugget by forms: submitting and its errors, entries and who may see them, exports, competitions."""

import csv
import html
import io
import re
import uuid
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from app.core.moments import utc_now
from app.nugget.bounds.proven import start_bound
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import Board, IllegalPush
from engine.golden_nugget.cycle import cycle_of
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.play import Play, read_moves
from engine.golden_nugget.record import parse
from tests.support.answers import assert_error_page
from tests.support.commands import gorrion
from tests.support.database import execute, fetch
from tests.support.nugget import (
    BEST_RECORD,
    SAMPLE,
    SHORT_RECORD,
    clear_rankings,
    new_record,
    sample_moves,
    text_of,
)
from tests.support.players import PASSWORD, Program, Visitor, fresh_name
from tests.support.waiting import wait_until


@pytest.fixture
def player(server):
    return Visitor(server).register()


def submit(visitor, boards, **form):
    return visitor.http.post("/nugget/submit", data={"intent": "submit", "record": text_of(boards), **form})


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


@pytest.mark.parametrize("path", ["/rules/golden_nugget", "/fair-play"])
def test_who_builds_on_others_is_told_where_that_ranks(server, path):
    page = " ".join(Visitor(server).http.get(path).text.split())
    for told in ("among assisted entries", "among common records", "Neither sets records or enters compet"):
        assert told in page


def test_text_browsers_get_a_board_in_words_and_no_tiles(server):
    page = Visitor(server).http.get("/rules/golden_nugget").text
    tiles = re.findall(r'<div[^>]*class="tile .*?</div>', page)
    assert tiles
    assert {re.sub("<[^>]*>", "", tile) for tile in tiles} == {""}
    assert "<td>yellow 1</td>" in page


def test_an_upload_is_checked_and_nothing_is_saved(server):
    visitor = Visitor(server)
    ledger = visitor.http.get("/nugget/ledger").text
    answer = visitor.http.post(
        "/nugget/submit", data={"intent": "check"}, files={"file": ("sample.txt", SAMPLE.read_bytes())}
    )
    assert answer.status_code == 200
    assert "Valid record" in answer.text
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
def test_every_kind_of_problem_is_shown_on_the_page(player, code):
    text, move = BROKEN[code]
    assert code in [problem.code for problem in verify_file(text.encode()).problems]
    ledger = player.http.get("/nugget/ledger").text
    answer = player.http.post("/nugget/submit", data={"intent": "submit", "record": text})
    assert_error_page(answer, 422)
    assert f"<code>{code}</code>" in answer.text
    assert "<script>" not in answer.text
    assert move is None or f"<td>{move}</td>" in answer.text
    assert player.http.get("/nugget/ledger").text == ledger


def test_a_problem_links_to_the_board_where_it_is(player):
    answer = player.http.post("/nugget/submit", data={"intent": "check", "record": changed(3, 5, "??")})
    assert 'href="#problem-1"' in answer.text
    assert 'id="problem-1"' in answer.text
    assert "Board 3, at move 5" in answer.text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x" * (300 * 1024), "256 KiB"),
        (b"P\0", "NUL"),
        ("board 1".encode("utf-16"), "UTF-16"),
        (b"\xff\x00\xfe", "UTF-8"),
        (b"garbage", "at least 20"),
    ],
)
def test_files_that_are_not_records_are_refused(server, player, content, message):
    guest, stranger = Visitor(server), Visitor(server)
    stranger.http.get("/nugget/submit")
    cookies = dict(stranger.http.cookies)
    kept = guest.http.post("/nugget/submit", data={"intent": "register", "record": SAMPLE.read_text()})
    assert kept.url.path == "/register"
    for visitor, intent in ((player, "submit"), (guest, "register"), (stranger, "register")):
        files = {"file": ("record.txt", content)}
        answer = visitor.http.post("/nugget/submit", data={"intent": intent}, files=files)
        assert_error_page(answer, 422)
        assert message in answer.text
    assert "Valid record" in guest.http.get("/nugget/submit").text
    assert dict(stranger.http.cookies) == cookies
    assert_error_page(player.http.post("/nugget/submit", files={"file": ("x", b"x" * 10_000_000)}), 413)


@pytest.mark.parametrize("way", ["/register", "/login"])
def test_a_record_is_kept_while_its_player_registers_or_logs_in(server, way):
    guest = Visitor(server)
    boards = new_record(detours=3 if way == "/register" else 4)
    refused = submit(guest, boards)
    assert refused.url.path == "/register"
    assert "Your record is kept" in refused.text
    name = fresh_name() if way == "/register" else Visitor(server).register().username
    form = {"username": name, "password": PASSWORD, "next": refused.url.params["next"]}
    kept = guest.http.post(way, data=form)
    assert kept.url.path == "/nugget/submit"
    assert "Submit these 20 boards" in kept.text
    record = html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", kept.text, re.DOTALL).group(1))
    accepted = guest.http.post("/nugget/submit", data={"intent": "submit", "record": record})
    assert accepted.url.path.startswith("/nugget/entries/")
    assert "Submit these" not in guest.http.get("/nugget/submit").text


@pytest.mark.parametrize("way", ["run", "program"])
def test_a_record_is_kept_until_it_is_submitted_itself(server, way):
    visitor, kept = Visitor(server), new_record(detours=8)
    assert submit(visitor, kept).url.path == "/register"
    program, other = Program(server), new_record(detours=9)
    visitor.log_in(program.username)
    if way == "run":
        run = run_of(program, other)
        form = {"boards": 20, "version": run["version"]}
        accepted = visitor.http.post(f"/nugget/runs/{run['id']}/submit", data=form)
        assert accepted.url.path.startswith("/nugget/entries/")
    else:
        assert program.http.post("/nugget/entries", json={"boards": other}).status_code == 201
    assert text_of(kept).strip() in visitor.http.get("/nugget/submit").text
    for _ in range(2):
        assert submit(visitor, kept).url.path.startswith("/nugget/entries/")
        assert "Valid record" not in visitor.http.get("/nugget/submit").text


def test_an_entry_is_secret_until_it_is_published(server, player):
    shown = submit(player, new_record(detours=7))
    path = shown.url.path
    assert "Your entry is in" in shown.text
    for before, words in (("none", "Rank with computers: "), ("7", "Your best entry before was number 7.")):
        assert words in player.http.get(f"{path}?before={before}").text
    assert_error_page(player.http.get(f"{path}?before=first"), 422)
    stranger = Visitor(server).register()
    assert "has not published the moves" in stranger.http.get(path).text
    assert "Your entry is in" not in stranger.http.get(f"{path}?before=7").text
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
    unranked = player.http.get(f"{path}?before=7").text
    assert "Your entry is in. Keep the receipt" in unranked
    assert_error_page(player.http.post(f"{path}/withdraw"), 409)
    assert (
        player.username
        not in player.http.get("/leaderboards/golden_nugget").text.split("<main")[1].split("</table>")[0]
    )


def test_a_known_record_is_refused_on_the_page(server, player):
    boards = new_record(detours=2)
    submitted = submit(player, boards)
    again = submit(Visitor(server).register(), boards)
    assert_error_page(again, 409)
    assert player.username not in again.text
    assert submit(player, boards).url.path == submitted.url.path


def run_of(program, boards):
    """Play boards in a run."""
    run = program.http.post("/nugget/runs", json={}).json()
    for version, moves in enumerate(boards):
        body = {
            "commands": [*(move[0] for move in moves), "turn"],
            "version": version,
            "request_id": f"00000000-0000-4000-8000-{version:012}",
        }
        run = program.http.post(f"/nugget/runs/{run['id']}/commands", json=body).json()
    return run


def test_the_rank_of_a_run_says_among_which_entries_it_is(server, database_url):
    program = Program(server)
    run = run_of(program, new_record(detours=17))
    execute(database_url, "UPDATE nugget_runs SET hints = 1 WHERE id = $1", run["id"])
    shown = Visitor(server).log_in(program.username).http.get(f"/nugget/runs/{run['id']}").text
    assert re.search(r"Rank among assisted entries: \d", shown)
    assert "Rank with computers: " not in shown
    assert re.search(r"\d+\s*<small[^>]*>assisted</small>", shown)


@pytest.mark.parametrize("way", ["register", "login"])
def test_what_a_visitor_has_typed_is_kept_while_going_to_an_account(server, database_url, way):
    typed = "board 1: P 5"  # not a whole record yet
    there = Visitor(server).http.post("/nugget/submit", data={"record": typed, "intent": way})
    assert there.url.path == f"/{way}"
    kept = fetch(database_url, "SELECT record FROM nugget_drafts ORDER BY kept_at DESC LIMIT 1")
    assert kept["record"] == typed
    visitor = Visitor(server).http
    filled = {"competition": "x7k2mq9rtz", "sha256": "0f" * 32}
    there = visitor.get("/nugget/commitments/account", params={"to": way, **filled})
    assert there.url.path == f"/{way}"
    form = visitor.get(there.url.params["next"]).text
    assert f'value="{filled["sha256"]}"' in form
    assert parse_qs(urlsplit(there.url.params["next"]).query)["competition"] == [filled["competition"]]


def test_page_run_and_api_give_one_record_the_same_rank(server, player):
    boards = new_record(detours=18)
    checked = player.http.post("/nugget/submit", data={"intent": "check", "record": text_of(boards)}).text
    rank = re.search(r"would be number <b>(\d+)</b>", checked)[1]
    program = Program(server)
    run = run_of(program, boards)
    visitor = Visitor(server).log_in(program.username)
    assert f"Rank with computers: {rank}." in visitor.http.get(f"/nugget/runs/{run['id']}").text
    entry = program.http.post("/nugget/entries", json={"boards": boards}).json()
    assert entry["rank"] == int(rank)
    assert re.search(
        rf"Rank with computers</dt>\s*<dd>{rank}\b", player.http.get(f"/nugget/entries/{entry['id']}").text
    )
    seen = {"boards": 20, "version": run["version"]}
    again = visitor.http.post(f"/nugget/runs/{run['id']}/submit", data=seen)
    assert again.url.path == f"/nugget/entries/{entry['id']}"


def test_exports_have_what_the_page_has(player):
    boards = new_record(detours=9)
    submit(player, boards)
    rows = list(csv.DictReader(io.StringIO(player.http.get("/leaderboards/golden_nugget.csv").text)))
    ranking = player.http.get("/leaderboards/golden_nugget.json").json()
    assert [row["username"] for row in rows] == [row["username"] for row in ranking]
    (mine,) = [row for row in ranking if row["username"] == player.username]
    assert mine["moves"] == sum(map(len, boards))
    page = player.http.get("/leaderboards/golden_nugget").text
    assert f'title="{mine["moves"]}/20"' in page
    assert_error_page(player.http.get("/leaderboards/golden_nugget?period=1066"), 422)
    for players, is_there in (("people", True), ("computers", False)):
        text = player.http.get(f"/leaderboards/golden_nugget.csv?players={players}&period=20").text
        assert (player.username in text) == is_there


@pytest.fixture
def labelled(server, database_url):
    """Yield a program whose account says so, until the test is over: its boards are known to everybody."""
    program = Program(server)
    assert program.http.post("/me/computer").status_code == 204
    yield program
    execute(database_url, "UPDATE accounts SET is_computer = false WHERE username = $1", program.username)


@pytest.mark.parametrize("is_common", [False, True])
def test_who_loses_a_place_is_led_to_the_ranking_that_has_it(server, database_url, labelled, is_common):
    clear_rankings(database_url)
    author, loser, winner = Program(server), labelled, Program(server)
    if is_common:
        source = author.http.post("/nugget/entries", json={"boards": new_record(detours=12)}).json()["id"]
        assert author.http.post(f"/nugget/entries/{source}/publish").status_code == 200
    better = new_record(detours=12) if is_common else new_record(detours=5, sample=SHORT_RECORD)
    for player, boards in ((loser, new_record(detours=13)), (winner, better)):
        accepted = player.http.post("/nugget/entries", json={"boards": boards})
        assert accepted.json()["common"] == is_common, accepted.text
    lost = loser.http.get("/notifications").json()["notifications"][0]
    assert lost["text"] == f"{winner.username} took your place on a leaderboard"
    page = Visitor(server).log_in(loser.username).http.get(lost["url"].removeprefix(server.url))
    assert 'id="own-row"' in page.text


def test_a_ranking_tells_how_far_its_shortest_board_1_is_from_the_bound(player, database_url):
    clear_rankings(database_url)
    boards = new_record(detours=9)
    submit(player, boards)
    moves = len(boards[0])
    page = player.http.get("/leaderboards/golden_nugget").text
    assert f"took {moves} moves" in page
    assert f"(a gap of {moves - start_bound()})" in page


def test_the_record_over_time_has_the_decimal_sign_of_the_language(player):
    submit(player, new_record(detours=6))
    page = player.http.get("/leaderboards/golden_nugget", headers={"Accept-Language": "de"}).text
    chart = re.search(r'<svg class="chart".*?</svg>', page, re.DOTALL)[0]
    assert re.search(r": \d+,\d\d</title>", chart)
    assert re.search(r">\d+,\d\d</text>", chart)


def test_the_record_over_time_has_the_present_names(player, database_url):
    def holder():
        records = player.http.get("/leaderboards/golden_nugget").text.split("The record over time")[1]
        return re.search(r'/nugget/entries/\w+">([^<]+)</a>', records)[1]

    submit(player, new_record(detours=7))
    rename = "UPDATE accounts SET username = $2 WHERE username = $1"
    before, after = holder(), fresh_name("closed")
    execute(database_url, rename, before, after)
    assert holder() == after
    execute(database_url, rename, after, before)


def test_a_run_is_played_by_forms(player):
    page = player.http.post("/nugget/runs")
    path = page.url.path

    def give(command, version, name):
        form = {"commands": command, "version": version, "request_id": f"00000000-0000-4000-8000-{name:012}"}
        return player.http.post(f"{path}/commands", data=form)

    assert "<b>1</b> of 99 moves" in give("P", 0, 1).text
    assert "<b>1</b> of 99 moves" in give("P", 0, 1).text  # sent again
    assert_error_page(give("5", 0, 2), 409)
    assert_error_page(give("turn", 1, 3), 422)
    assert_error_page(give("P" * 601, 1, 4), 422)
    renamed = player.http.post(f"{path}/name", data={"name": "<b>Evening</b>"})
    assert "&lt;b&gt;Evening&lt;/b&gt;" in renamed.text
    assert_error_page(player.http.post(f"{path}/reopen"), 422)
    assert_error_page(player.http.post(f"{path}/submit", data={"boards": 20}), 422)
    assert_error_page(player.http.post(f"{path}/submit", data={"boards": 20, "version": 1}), 422)
    assert_error_page(player.http.post(f"{path}/submit", data={"boards": 20, "version": 0}), 409)
    assert "Evening" not in player.http.post(f"{path}/throw-away").text
    assert_error_page(player.http.get(path), 404)


COMMANDS = ("undo", "redo", "start", "turn")


def can_do(play, command):
    try:
        return play.commanded(command) != play
    except IllegalPush:
        return False


@pytest.mark.parametrize("later", [0, 198])
@pytest.mark.parametrize("before", ["", "undo", "start", "turn"])
def test_what_a_run_offers_beside_the_forces_can_be_done(server, database_url, later, before):
    """On the second board, and on the last one that a run may have."""
    program = Program(server)
    run_id = run_of(program, sample_moves()[:2])["id"]
    program.http.post(f"/nugget/runs/{run_id}/reopen")
    for moved in (
        "UPDATE nugget_boards SET number = number + $2::int WHERE run_id = $1",
        "UPDATE nugget_runs SET board = board + $2::int WHERE id = $1",
    ):
        execute(database_url, moved, run_id, later)
    version = program.http.get(f"/nugget/runs/{run_id}").json()["version"]
    body = {"commands": [before or "redo"], "version": version, "request_id": str(uuid.uuid4())}
    run = program.http.post(f"/nugget/runs/{run_id}/commands", json=body).json()
    start = program.http.get(f"/nugget/runs/{run_id}/boards/{run['board']}").json()["start"]
    moves = [read_moves(" ".join(run[name])) for name in ("moves", "undone")]
    play = Play(run["board"], Board(Face(run["face"]), tuple(start)), *moves)
    page = Visitor(server).log_in(program.username).http.get(f"/nugget/runs/{run_id}").text
    offered = set(re.findall(r'name="commands" value="(\w+)">', page))
    assert offered & {*COMMANDS} == {each for each in COMMANDS if can_do(play, each)}
    assert "begin board 201" not in page


def test_scripts_are_told_in_the_language_of_the_page_what_a_run_does_not_do(player):
    path = player.http.post("/nugget/runs").url.path
    asked_by_script = {"HX-Request": "true", "Accept-Language": "de"}

    def give(command, version, name):
        form = {"commands": command, "version": version, "request_id": f"00000000-0000-4000-8000-{name:012}"}
        return player.http.post(f"{path}/commands", data=form, headers=asked_by_script)

    refused = give("turn", 0, 1)
    assert (refused.status_code, "Gewendet werden die Blöcke, wenn" in refused.text) == (200, True)
    assert "Hier ist kein Zug zurückzunehmen." in give("undo", 0, 2).text
    late = give("P", 7, 3)
    assert (late.status_code, "Dieser Lauf wurde woanders verändert." in late.text) == (409, True)


@pytest.fixture(scope="session")
def organisers_name(server, database_url):
    name = Visitor(server).register().username
    assert gorrion("grant", name, database=database_url).returncode == 0
    return name


class TestCompetitions:
    @pytest.fixture
    def organiser(self, server, organisers_name):
        visitor = Visitor(server)
        visitor.http.post("/login", data={"username": organisers_name, "password": PASSWORD})
        return visitor

    def test_rights_are_granted_to_existing_players_only(self, player, database_url):
        missing = "No player has registered the name nobody.\n"
        wrong_right = "There is no right emperor; choose one of administrator, moderator, organiser.\n"
        for arguments, problem in (
            (("nobody", "organiser"), missing),
            ((player.username, "emperor"), wrong_right),
        ):
            done = gorrion("grant", *arguments, database=database_url)
            assert (done.returncode, done.stdout, done.stderr) == (1, "", problem)

    @staticmethod
    def form(**changes):
        now = utc_now()
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

    def test_only_organisers_create_competitions(self, server, organiser):
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
            {"starts_at": "0001-01-01T00:00+14:00"},
            {"ends_at": f"{utc_now() + timedelta(days=731):%Y-%m-%dT%H:%M}"},
            {"starts_at": f"{utc_now() - timedelta(days=731):%Y-%m-%dT%H:%M}Z"},
        ):
            answer = organiser.http.post("/nugget/competitions", data=self.form(**wrong))
            assert_error_page(answer, 422)
            assert 'class="field-error" id="error-' in answer.text, wrong
            assert "Be kind." in answer.text or "text" in wrong

    def test_an_address_with_words_before_the_id_leads_to_the_competition(self, organiser):
        title = f"Örtlicher  Cup\0 {fresh_name()}!"
        first, second = (self.open(organiser, title=title) for _ in range(2))
        assert first != second
        shown = organiser.http.get(first.replace("competitions/", "competitions/ortlicher-cup-"))
        assert shown.url.path == first
        assert "Örtlicher Cup" in shown.text
        assert "ortlicher" not in shown.text
        for nowhere in ("a%00b", "%F0%9F%90%A6", "nosuchcup"):
            assert_error_page(organiser.http.get(f"/nugget/competitions/{nowhere}"), 404)

    def test_an_open_competition_ranks_its_entries(self, server, organiser):
        path = self.open(organiser)
        player = Visitor(server).register()
        competition = path.rsplit("/", 1)[1]
        boards = new_record(detours=10)
        entry = submit(player, boards, competition=competition)
        assert submit(player, boards, competition=competition).url.path == entry.url.path
        assert_error_page(submit(player, boards), 409)  # it is not the entry that was made
        assert player.username in organiser.http.get(path).text
        assert player.username in organiser.http.get(f"{path}/report.csv").text
        assert player.username in [
            row["username"] for row in organiser.http.get(f"{path}/report.json").json()
        ]

    def test_a_sealed_competition_shows_only_the_number_of_entries(self, server, organiser, clock):
        path = self.open(organiser, visibility="sealed")
        competition = path.rsplit("/", 1)[1]
        player, other = Visitor(server).register(), Visitor(server).register()
        boards = new_record(detours=11)
        entry = submit(player, boards, competition=competition).url.path
        assert "1 entry has come in" in other.http.get(path).text
        assert_error_page(other.http.get(f"{path}/report.csv"), 403)
        shown = other.http.get(entry).text
        assert "sealed" in shown
        mean = f"{sum(map(len, boards)) / 20:.2f}"
        assert mean not in shown
        own = player.http.get(entry).text
        assert mean in own
        assert "Publish the moves" not in own
        assert_error_page(player.http.post(f"{entry}/publish"), 409)
        for ranking in ("/leaderboards/golden_nugget.csv", path):
            assert player.username not in other.http.get(ranking).text.split("<main")[-1]
        clock.advance(hours=1)
        report = other.http.get(path).text
        assert "Final report" in report
        assert player.username in report
        assert mean in other.http.get(entry).text
        assert "Publish the moves" in player.http.get(entry).text
        wait_until(lambda: player.username in other.http.get("/leaderboards/golden_nugget.csv").text)
        late = submit(other, new_record(detours=16), competition=competition)
        assert_error_page(late, 409)
        assert "over" in late.text

    def test_entries_must_fit_the_time_and_length_of_a_competition(self, organiser):
        soon = (utc_now() + timedelta(minutes=30)).strftime("%Y-%m-%dT%H:%M")
        for changes in ({"starts_at": soon}, {"min_boards": "30"}):
            competition = self.open(organiser, **changes).rsplit("/", 1)[1]
            assert_error_page(submit(organiser, new_record(detours=17), competition=competition), 409)
        assert_error_page(submit(organiser, new_record(detours=17), competition="no-such-thing"), 404)


def test_a_run_is_compared_with_anybodys_entry_that_is_not_sealed(server, player):
    boards = new_record(detours=11)
    entry = submit(player, boards).url.path.rpartition("/")[2]
    reader = Visitor(server).register()
    assert f"/nugget/compare?b={entry}" in reader.http.get(f"/nugget/entries/{entry}").text
    run = reader.http.post("/nugget/runs").url.path.rpartition("/")[2]
    page = reader.http.get(f"/nugget/compare?a={run}&b={entry}").text
    assert f'<option value="{entry}" selected>{player.username}, mean ' in page
    assert f'<td class="data-table-figure">{len(boards[0])}</td>' in page


def test_the_landing_page_plays_the_first_board_of_an_entry_whose_moves_are_published(server, player):
    clear_rankings(server.database_url)
    path = submit(player, new_record(detours=3)).url.path
    assert player.http.post(f"{path}/publish").status_code == 200
    visitor = Visitor(server)
    page = visitor.http.get("/nugget").text
    assert "Mean to beat" in page
    moves = re.search(r'data-moves="([^"]*)"', page).group(1)
    entry = re.search(r'href="(/nugget/entries/\w+)/boards/1\?', page).group(1)
    assert f"board 1: {moves}\n" in visitor.http.get(f"{entry}/record").text


def test_two_runs_are_compared_board_by_board(server):
    program = Program(server)
    visitor = Visitor(server).log_in(program.username)
    runs = [program.http.post("/nugget/runs", json={"name": name}).json() for name in ("First", "Second")]
    path = f"/nugget/compare?a={runs[0]['id']}&b={runs[1]['id']}"
    page = visitor.http.get(path).text
    assert "No board of these runs is solved yet." in page
    assert "<table" not in page
    body = {
        "commands": [*(move[0] for move in sample_moves()[0]), "turn"],
        "version": runs[0]["version"],
        "request_id": "00000000-0000-4000-8000-000000000001",
    }
    assert program.http.post(f"/nugget/runs/{runs[0]['id']}/commands", json=body).status_code == 200
    page = visitor.http.get(path).text
    assert '<th scope="col" class="data-table-figure">First</th>' in page
    assert 'class="chart-bar"' in page
    assert_error_page(Visitor(server).register().http.get(f"/nugget/compare?a={runs[0]['id']}"), 404)


def test_the_page_of_an_entry_says_where_its_cycle_begins_once_its_moves_are_public(player):
    boards = new_record(1, BEST_RECORD)
    cycle = cycle_of(parse(text_of(boards)).record)
    path = submit(player, boards).url.path
    sentence = f"Boards {cycle.first} to {cycle.last}, the stronger bars, are a cycle"
    stranger = Visitor(player.server)
    assert sentence in player.http.get(path).text
    assert sentence not in stranger.http.get(path).text
    player.http.post(f"{path}/publish")
    shown = stranger.http.get(path).text
    assert sentence in shown
    assert shown.count("chart-bar-cycle") == cycle.last - cycle.first + 1


def test_the_page_of_an_entry_without_a_cycle_names_none(player):
    path = submit(player, new_record(2)).url.path
    assert "are a cycle" not in player.http.get(path).text
