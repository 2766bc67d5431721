"""Nugget of the day: one board, one try that counts, and a lot that nobody knows before."""

import hashlib
import html
import re
from datetime import timedelta

import pytest

from app.core.moments import utc_now
from engine.golden_nugget.board import START, Move, pushes
from engine.golden_nugget.lottery import draw
from engine.lottery import commitment
from engine.puzzles.rules import ONE_BOARD
from engine.search.nugget.solver import solve
from tests.support.answers import assert_error_page, assert_problem
from tests.support.database import execute, fetch
from tests.support.players import Program, Visitor

SEED = hashlib.sha256(b"a day").digest()
BOARD = draw(SEED)


@pytest.fixture(scope="module")
def solution():
    return solve(BOARD, 1)


@pytest.fixture
def today(server, database_url):
    """Return today, whose seed is known, and on which nobody has played."""
    day = utc_now().date()
    execute(database_url, "DELETE FROM nugget_day_tries")
    for ahead, seed in ((-1, b"1" * 32), (0, SEED), (1, b"2" * 32)):
        execute(
            database_url,
            "INSERT INTO nugget_days (day, seed, best) VALUES ($1, $2, 'P 5') "
            "ON CONFLICT (day) DO UPDATE SET seed = excluded.seed, best = excluded.best",
            day + timedelta(days=ahead),
            seed,
        )
    return day


def detour(solution):
    """Return a longer solution: with a push and the one that undoes it before."""
    for force, back in zip("1234567ABCDEFG", "NMLKJIHUTSRQPO", strict=True):
        for first, second in ((force, back), (back, force)):
            try:
                after = ONE_BOARD.play(ONE_BOARD.play(BOARD, first), second)
            except ValueError:
                continue
            if after == BOARD:
                return [first, second, *solution]
    raise AssertionError


def test_a_day_keeps_its_secrets_until_it_is_over(today, server):
    program = Program(server)
    day = program.http.get("/nugget/daily").json()
    assert day["date"] == today.isoformat()
    assert day["position"] == ONE_BOARD.format(BOARD)
    assert day["seed_commitment"] == commitment(SEED)
    assert day["tomorrow"] == commitment(b"2" * 32)
    assert day["seed"] is day["best"] is day["my"] is None
    before = program.http.get(f"/nugget/daily/{today - timedelta(days=1)}").json()
    assert before["seed_commitment"] == hashlib.sha256(bytes.fromhex(before["seed"])).hexdigest()
    assert before["position"] == ONE_BOARD.format(draw(bytes.fromhex(before["seed"])))
    assert (before["best"], before["tomorrow"]) == (["P", "5"], None)
    for secret in (SEED, b"2" * 32):
        page = Visitor(server).http.get("/nugget/daily").text
        assert secret.hex() not in page
    for path in (today + timedelta(days=1), today - timedelta(days=400), "2026-02-30"):
        assert_problem(program.http.get(f"/nugget/daily/{path}"), 404, "not_found")


def test_one_try_counts_and_fewer_moves_then_earlier_ones_rank_higher(today, server, solution):
    late, first, second = Program(server), Program(server), Program(server)
    path = "/nugget/daily/tries"
    assert_problem(first.http.post(path, json={"moves": solution[:-1]}), 422, "not_solved")
    assert_problem(first.http.post(path, json={"moves": [*solution, "Z"]}), 422, "illegal_move")
    long = detour(solution)
    for program, moves, rank in ((late, long, 1), (first, solution, 1), (second, solution, 2)):
        answer = program.http.post(path, json={"moves": moves})
        assert answer.status_code == 201, answer.text
        assert answer.json() == {"moves": len(moves), "rank": rank}
        assert_problem(program.http.post(path, json={"moves": solution}), 409, "already_tried")
    rows = first.http.get("/nugget/daily/ranking").json()["rows"]
    assert [row["username"] for row in rows] == [first.username, second.username, late.username]
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert rows == first.http.get(f"/nugget/daily/{today}/ranking").json()["rows"]
    assert late.http.get("/nugget/daily").json()["my"] == {"moves": len(long), "rank": 3}


def command(visitor, commands):
    page = visitor.http.get("/nugget/daily").text
    form = {name: re.search(rf'name="{name}" value="([^"]+)"', page)[1] for name in ("version", "request_id")}
    return visitor.http.post(address_of_commands(page), data={"commands": commands, **form})


def address_of_commands(page):
    return html.unescape(re.search(r'id="commands"[^>]* action="([^"]+)"', page)[1])


def address_to_hand_in(page):
    return html.unescape(re.search(r'action="([^"]+/hand-in[^"]*)"', page)[1])


def test_a_newcomer_plays_with_two_clicks_and_shares_it(today, server, solution):
    visitor = Visitor(server)
    assert 'action="/nugget/daily/begin"' in visitor.http.get("/").text
    page = visitor.http.post("/nugget/daily/begin")
    assert page.url.path == "/nugget/daily"
    assert 'id="commands"' in page.text
    command(visitor, " ".join(solution[:3]))
    command(visitor, "undo undo")
    page = command(visitor, " ".join(["start", *solution]))
    assert "Hand in" in page.text
    address = address_to_hand_in(page.text)
    command(visitor, "undo")  # on another device
    assert_error_page(visitor.http.post(address), 409)
    by_script = visitor.http.post(address, headers={"HX-Request": "true"})
    assert (by_script.status_code, "changed elsewhere" in by_script.text) == (409, True)
    assert 'hx-target="#play"' in by_script.text
    address = address_to_hand_in(command(visitor, "redo").text)
    assert_error_page(visitor.http.post(address.replace(str(today), str(today - timedelta(days=1)))), 409)
    page = visitor.http.post(address)
    share = re.search(r'id="share"[^>]* value="([^"]+)"', page.text)[1]
    assert f"solved in {len(solution)} moves" in share
    assert share.endswith(f"{server.url}/nugget/daily/{today}")
    date, _, result = share.partition(": ")
    assert date.startswith("Nugget of the day, ")  # whose number may be the name of a move
    assert not set(solution) & set(result.split())
    assert "for fun" in page.text
    assert visitor.http.post(address).status_code == 409
    assert "for fun" in command(visitor, "undo").text
    program = Program(server)
    assert program.http.get("/nugget/daily/ranking").json()["rows"] == []  # a guest has no name yet
    visitor.register()
    (row,) = program.http.get("/nugget/daily/ranking").json()["rows"]
    assert (row["username"], row["moves"]) == (visitor.username, len(solution))


@pytest.mark.parametrize("begin", ["/nugget/daily/begin", "/nugget/runs"])
def test_a_board_in_play_takes_a_hundred_commands_at_once_at_most(today, server, begin):
    visitor = Visitor(server)
    page = visitor.http.post(begin)
    form = {
        name: re.search(rf'name="{name}" value="([^"]+)"', page.text)[1] for name in ("version", "request_id")
    }
    path = address_of_commands(page.text)
    assert_error_page(visitor.http.post(path, data={"commands": "start " * 101, **form}), 422)
    assert visitor.http.post(path, data={"commands": "start " * 100, **form}).url.path == page.url.path


@pytest.mark.parametrize(("begin", "board"), [("/nugget/daily/begin", BOARD), ("/nugget/runs", START)])
def test_only_the_same_commands_are_a_repetition(today, server, begin, board):
    visitor = Visitor(server)
    page = visitor.http.post(begin)
    form = {
        name: re.search(rf'name="{name}" value="([^"]+)"', page.text)[1] for name in ("version", "request_id")
    }
    path, commands_path = page.url.path, address_of_commands(page.text)
    one, other = [force for force, move in pushes(board).items() if isinstance(move, Move)][:2]
    for _ in range(2):
        page = visitor.http.post(commands_path, data={"commands": one, **form})
        assert "<b>1</b> of 99 moves" in page.text
    for commands in (other, f"{one} {other}"):
        assert_error_page(visitor.http.post(commands_path, data={"commands": commands, **form}), 409)
    assert "<b>1</b> of 99 moves" in visitor.http.get(path).text


def test_streaks_count_days_in_a_row(today, server, database_url, solution):
    visitor = Visitor(server).register()
    account = fetch(database_url, "SELECT id FROM accounts WHERE username = $1", visitor.username)["id"]
    for ago in (1, 2, 4):
        day = today - timedelta(days=ago)
        execute(
            database_url,
            "INSERT INTO nugget_days (day, seed) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            day,
            bytes([ago]) * 32,
        )
        execute(
            database_url,
            "INSERT INTO nugget_day_tries (day, account_id, solution, solved_in, found_at) "
            "VALUES ($1, $2, '', $3, now())",
            day,
            account,
            20 + ago,
        )
    calendar = visitor.http.get("/nugget/daily/calendar").text
    assert "2 days in a row" in " ".join(calendar.split())
    assert all(f">{20 + ago}<" in calendar for ago in (1, 2, 4))
    visitor.http.post("/nugget/daily/begin")
    address = address_to_hand_in(command(visitor, " ".join(solution)).text)
    assert "3 days in a row" in visitor.http.post(address).text


@pytest.mark.parametrize("has_begun", [False, True])
def test_what_a_page_or_program_sends_for_a_day_that_is_over_is_refused(
    today, server, database_url, has_begun
):
    visitor, program = Visitor(server), Program(server)
    page = visitor.http.post("/nugget/daily/begin").text
    form = {name: re.search(rf'name="{name}" value="([^"]+)"', page)[1] for name in ("version", "request_id")}
    before = today - timedelta(days=1)
    execute(database_url, "UPDATE nugget_day_tries SET day = $1", before)  # the day has passed
    if has_begun:
        visitor.http.post("/nugget/daily/begin")
    commands = address_of_commands(page).replace(str(today), str(before))
    assert_error_page(visitor.http.post(commands, data={"commands": "P 5", **form}), 409)
    assert_error_page(visitor.http.post(f"/nugget/daily/hand-in?day={before}&version=0"), 409)
    by_script = visitor.http.post(commands, data={"commands": "P", **form}, headers={"HX-Request": "true"})
    assert (by_script.status_code, f'data-run="day-{before}"' in by_script.text) == (409, True)
    assert "This day is over" in by_script.text
    tries = {"date": before.isoformat(), "moves": ["P"]}
    assert_problem(program.http.post("/nugget/daily/tries", json=tries), 409, "day_over")
    moved = fetch(
        database_url, "SELECT count(*) AS tries FROM nugget_day_tries WHERE moves != '' OR version > 0"
    )
    assert moved["tries"] == 0
