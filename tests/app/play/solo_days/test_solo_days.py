"""Boards of the day of the games for one: private until the day is over, and handed in once."""

import hashlib
import html
import random
import re
import uuid
from datetime import timedelta

import pytest

from app.core.jobs.worker import Job
from app.play.games.decisions import Command
from app.play.solo_days.work import solve_day
from engine import squares, symmetry
from engine.lottery import commitment
from engine.registry import SOLITAIRE
from engine.solo_lottery import draw
from tests.support.answers import assert_error_page, assert_problem, code
from tests.support.database import execute, fetch, on_database
from tests.support.players import Program, Visitor
from tests.support.solitaire import begin as begin_game
from tests.support.solitaire import play

SEED = hashlib.sha256(b"a day").digest()
games = pytest.mark.parametrize("game", SOLITAIRE)


@pytest.fixture
def today(server, database_url):
    """Return today, on which nobody has played. Its seeds and those of the days around it are known."""
    execute(database_url, "DELETE FROM solo_day_tries")
    day = fetch(database_url, "SELECT (now() AT TIME ZONE 'UTC')::date AS day")["day"]
    for ahead, seed in ((-1, b"1" * 32), (0, SEED), (1, b"2" * 32), (2, b"3" * 32)):
        for game in SOLITAIRE:
            execute(
                database_url,
                "INSERT INTO solo_days (day, game, seed) VALUES ($1, $2, $3) "
                "ON CONFLICT (day, game) DO UPDATE SET seed = excluded.seed, best = NULL",
                day + timedelta(days=ahead),
                game,
                seed,
            )
    return day


def playouts(game, tries=200):
    """Return the moves of random games on the board of SEED, the better ones first."""
    rules, board = SOLITAIRE[game], draw(SOLITAIRE[game], SEED)
    found = {}
    for number in range(tries):
        choose, moves = random.Random(number).choice, []
        position = rules.play(rules.initial(board.options), board.first)
        while legal := rules.legal_moves(position):
            moves.append(choose(legal))
            position = rules.play(position, moves[-1])
        score = rules.score(position)
        found[score["solo"], -(score[rules.tie_break] if rules.tie_break else 0)] = moves
    return [found[key] for key in sorted(found, reverse=True)]


def begin(program, game):
    answer = program.http.post(f"/solitaire/daily/{game}/play")
    assert answer.status_code == 201, answer.text
    return answer.json()["game_id"]


def address_to_hand_in(page):
    return html.unescape(re.search(r'action="([^"]+/hand-in[^"]*)"', page)[1])


def hand_in(program, game, moves):
    """Play a game on the board of today and hand it in."""
    play(program, begin(program, game), moves, 1)
    answer = program.http.post(f"/solitaire/daily/{game}/hand-in")
    assert answer.status_code == 200, answer.text
    return answer.json()


@games
def test_a_day_keeps_its_secrets_until_it_is_over(today, program, game, database_url, server):
    board = draw(SOLITAIRE[game], SEED)
    day = program.http.get(f"/solitaire/daily/{game}").json()
    assert (day["date"], day["first"]) == (today.isoformat(), board.first)
    assert day["size"] == board.options["size"]
    assert (day["seed_commitment"], day["tomorrow"]) == (commitment(SEED), commitment(b"2" * 32))
    yesterday = today - timedelta(days=1)
    for each in (today, yesterday):  # a worker may play both, and one of them is told
        solve(database_url, game, each)
    day = program.http.get(f"/solitaire/daily/{game}").json()
    assert day["seed"] is day["best"] is day["my"] is None
    before = program.http.get(f"/solitaire/daily/{game}/{yesterday}").json()
    assert (bytes.fromhex(before["seed"]), before["tomorrow"]) == (b"1" * 32, None)
    rules, position = SOLITAIRE[game], SOLITAIRE[game].initial({"size": before["size"]})
    assert before["best"][0] == before["first"]
    for move in before["best"]:
        position = rules.play(position, move)
    assert rules.outcome(position)
    page = Visitor(server).http.get(f"/solitaire/daily/{game}/{yesterday}").text
    assert f"The computer reached {rules.score(position)['solo']:g}" in " ".join(page.split())
    page = Visitor(server).http.get(f"/solitaire/daily/{game}").text
    assert not any(secret.hex() in page for secret in (SEED, b"2" * 32))
    for path in (today + timedelta(days=1), today - timedelta(days=400), "2026-02-30"):
        assert_problem(program.http.get(f"/solitaire/daily/{game}/{path}"), 404, "not_found")


def solve(database_url, game, day):
    job = Job({"game": game, "day": day.isoformat()}, 1)
    on_database(database_url, lambda database: solve_day(job, database))


@games
def test_a_game_is_private_taken_back_at_will_and_counts_once(today, program, other, game, clock):
    best, worse = playouts(game)[0], playouts(game)[-1]
    game_id = begin(program, game)
    assert begin(program, game) == game_id
    assert program.snapshot(game_id)["moves"] == [draw(SOLITAIRE[game], SEED).first]
    assert other.http.get(f"/games/{game_id}").status_code == 404
    path = f"/solitaire/daily/{game}/hand-in"
    assert_problem(other.http.post(path), 404, "not_found")
    play(program, game_id, worse[:1], 1)
    assert program.http.post(f"/games/{game_id}/takeback").status_code == 200
    assert code(program.http.post(f"/games/{game_id}/takeback")) == (409, "nothing_to_take_back")
    play(program, game_id, best[:-1], 1)
    assert_problem(program.http.post(path), 409, "not_played_out")
    play(program, game_id, best[-1:], len(best))
    handed_in = program.http.post(path).json()
    score = program.snapshot(game_id)["score"]
    assert (handed_in["points"], handed_in["tie_break"]) == (score["solo"], score.get("resets", 0))
    assert (handed_in["rank"], handed_in["game_id"]) == (1, game_id)
    assert_problem(program.http.post(path), 409, "already_tried")
    assert code(program.http.post(f"/games/{game_id}/submit")) == (409, "day_under_way")
    assert program.http.post(f"/games/{game_id}/takeback").status_code == 200  # for fun
    play(program, game_id, best[-1:], len(best))
    assert program.http.get(f"/solitaire/daily/{game}").json()["my"] == handed_in
    late = begin(other, game)
    clock.advance(days=1)
    assert other.http.get(f"/games/{game_id}").status_code == 200
    assert code(program.http.post(f"/games/{game_id}/takeback")) == (409, "game_over")
    assert program.http.post(f"/games/{game_id}/submit").status_code == 200
    assert code(other.move(late, best[0], 1)) == (409, "game_over")
    assert_problem(other.http.post(path), 404, "not_found")
    assert program.http.get(f"/solitaire/daily/{game}/{today}").json()["my"] == handed_in


def race_board(program, _game):
    race = program.http.post(
        "/races", json={"game": "up_and_up", "options": {"size": 4}, "minutes": 60}
    ).json()
    return program.http.post(f"/races/{race['id']}/join").json()["game_id"]


def day_board(program, game):
    return begin(program, game)


def played_out(program, game_id):
    while legal := program.snapshot(game_id)["legal_moves"]:
        assert program.move(game_id, legal[0], program.snapshot(game_id)["ply"]).status_code == 200


def given_up(program, game_id):
    snapshot = program.snapshot(game_id)
    assert program.move(game_id, snapshot["legal_moves"][0], snapshot["ply"]).is_success
    assert program.http.post(f"/games/{game_id}/resign").status_code == 200


@games
@pytest.mark.parametrize("command", Command)
def test_after_any_command_the_game_of_the_day_can_be_handed_in(today, program, game, command):
    game_id = begin(program, game)
    address = "/".join(reversed(command.name.lower().split("_")))  # such as takeback/accept
    for _ in range(2):
        assert program.http.post(f"/games/{game_id}/{address}").status_code != 404
        played_out(program, game_id)
    assert program.http.post(f"/solitaire/daily/{game}/hand-in").is_success


@games
@pytest.mark.parametrize(
    ("board", "over"), [(day_board, played_out), (race_board, played_out), (race_board, given_up)]
)
def test_nothing_is_made_or_told_of_a_private_board(today, server, program, game, board, over, clock):
    game_id = board(program, game)
    over(program, game_id)
    for way, body in (("review", None), ("puzzle", {"ply": 2})):
        assert_problem(program.http.post(f"/games/{game_id}/{way}", json=body), 409, "not_over")
    lists = [f"/api/v1/players/{program.username}/games", f"/players/{program.username}"]
    assert not any(game_id in Visitor(server).http.get(path).text for path in lists)
    clock.advance(days=1)
    assert all(game_id in Visitor(server).http.get(path).text for path in lists)
    program.http.post(f"/games/{game_id}/submit")
    assert program.http.post(f"/games/{game_id}/review").status_code == 202


def give_up_after(program, game, size, first):
    """Begin an ordinary game, write two numbers and give it up; return its id."""
    game_id = begin_game(program, game, size)
    assert program.move(game_id, first, 0).is_success
    given_up(program, game_id)
    return game_id


def images_of(board):
    """Return the squares of the first number of a board that is turned and mirrored in all ways."""
    size = board.options["size"]
    first = squares.indices(size)[board.first]
    return {squares.names(size)[turn.targets[first]] for turn in symmetry.turns(size)}


@games
def test_the_computer_looks_at_no_game_that_begins_like_the_board_of_today(today, program, game, clock):
    board = draw(SOLITAIRE[game], SEED)
    size = board.options["size"]
    alike = [give_up_after(program, game, size, first) for first in sorted(images_of(board))]
    for game_id in alike:
        for way, body in (("review", None), ("puzzle", {"ply": 2})):
            assert_problem(program.http.post(f"/games/{game_id}/{way}", json=body), 409, "not_over")
    other = next(name for name in squares.names(size) if name not in images_of(board))
    another = give_up_after(program, game, size, other)
    assert program.http.post(f"/games/{another}/review").status_code == 202
    clock.advance(days=1)
    assert program.http.post(f"/games/{alike[0]}/review").status_code == 202


@games
def test_what_was_found_before_is_not_told_on_the_day_either(today, program, game, clock):
    board = draw(SOLITAIRE[game], b"2" * 32)  # of tomorrow
    game_id = give_up_after(program, game, board.options["size"], board.first)
    path = f"/games/{game_id}/review"
    assert program.http.post(path).status_code == 202
    assert program.http.get(path).status_code == 200
    clock.advance(days=1)
    assert_problem(program.http.get(path), 409, "not_over")
    clock.advance(days=1)
    assert program.http.get(path).status_code == 200


@games
def test_more_points_then_the_tie_break_then_the_earlier_game_rank_higher(today, server, game):
    best, worse = playouts(game)[0], playouts(game)[-1]
    late, first, second = Program(server), Program(server), Program(server)
    for program, moves, rank in ((late, worse, 1), (first, best, 1), (second, best, 2)):
        assert hand_in(program, game, moves)["rank"] == rank
    rows = first.http.get(f"/solitaire/daily/{game}/ranking").json()["rows"]
    assert [row["username"] for row in rows] == [first.username, second.username, late.username]
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert rows == first.http.get(f"/solitaire/daily/{game}/{today}/ranking").json()["rows"]
    assert [row["points"] for row in rows] == sorted((row["points"] for row in rows), reverse=True)


def test_fewer_resets_break_ties_in_up_and_up(today, server, database_url):
    few, many = Program(server), Program(server)
    for program, resets in ((many, 7), (few, 3)):
        hand_in(program, "up_and_up", playouts("up_and_up")[0])
        execute(
            database_url,
            "UPDATE solo_day_tries SET tie_break = $2 FROM accounts WHERE id = account_id AND username = $1",
            program.username,
            resets,
        )
    rows = few.http.get("/solitaire/daily/up_and_up/ranking").json()["rows"]
    assert [row["username"] for row in rows] == [few.username, many.username]


@games
def test_a_newcomer_plays_with_one_click_and_shares_it(today, visitor, program, game):
    path = f"/solitaire/daily/{game}"
    assert f'action="{path}/play"' in visitor.http.get("/").text
    assert f'href="{path}"' in visitor.http.get("/solitaire").text
    picture = visitor.http.get(f"{path}/{today}/board.svg")
    assert (picture.headers["content-type"], picture.text[:4]) == ("image/svg+xml", "<svg")
    page = visitor.http.post(f"{path}/play")
    assert page.url.path.startswith("/games/")
    assert "Give up" not in page.text
    assert f'href="{path}"' in page.text
    moves, board = min(playouts(game), key=len), page.url.path
    for ply, move in enumerate(moves, 1):
        form = {"move": move, "ply": str(ply), "move_id": str(uuid.uuid4())}
        assert visitor.http.post(f"{board}/moves", data=form).is_success
    page = visitor.http.get(board).text
    assert f'href="{path}"' in page
    assert "Submit the score" not in page
    shown = visitor.http.get(path).text
    assert visitor.http.post(f"{board}/takeback").is_success  # on another device
    form = {"move": moves[-1], "ply": str(len(moves)), "move_id": str(uuid.uuid4())}
    assert visitor.http.post(f"{board}/moves", data=form).is_success
    assert_error_page(visitor.http.post(address_to_hand_in(shown)), 409)
    address = address_to_hand_in(visitor.http.get(path).text)
    another_day = today - timedelta(days=1)
    assert_error_page(visitor.http.post(address.replace(str(today), str(another_day))), 409)
    page = visitor.http.post(address)
    assert page.url.path == path
    share = re.search(r'id="share"[^>]* value="([^"]+)"', page.text)[1]
    assert share.endswith(f"{path}/{today}")
    assert not set(moves) & set(re.split(r"\W+", share))
    ranking = f"/solitaire/daily/{game}/ranking"
    assert program.http.get(ranking).json()["rows"] == []  # a guest has no name yet
    visitor.register()
    (row,) = program.http.get(ranking).json()["rows"]
    assert (row["rank"], row["username"]) == (1, visitor.username)
    assert visitor.username in visitor.http.get(path).text


def test_streaks_and_the_calendar_are_those_of_one_game(today, server, database_url):
    visitor = Visitor(server).register()
    account = fetch(database_url, "SELECT id FROM accounts WHERE username = $1", visitor.username)["id"]
    program = Program(server)
    points = {1: 41, 2: 0}
    for ago, reached in points.items():
        day = today - timedelta(days=ago)
        execute(
            database_url,
            "INSERT INTO solo_days (day, game, seed) VALUES ($1, 'up_and_up', $2) ON CONFLICT DO NOTHING",
            day,
            bytes([ago]) * 32,
        )
        game_id = program.http.post("/games", json={"game": "up_and_up"}).json()["id"]
        execute(
            database_url,
            "INSERT INTO solo_day_tries (day, game, account_id, game_id, solution, points, tie_break,"
            " found_at) VALUES ($1, 'up_and_up', $2, $3, '', $4, 0, now())",
            day,
            account,
            game_id,
            reached,
        )
    calendar = visitor.http.get("/solitaire/daily/up_and_up/calendar").text
    assert "2 days in a row" in " ".join(calendar.split())
    assert all(f'"data-table-figure">{each}<' in calendar for each in points.values())
    assert "in a row" not in visitor.http.get("/solitaire/daily/jumping_farther/calendar").text


@games
def test_a_program_hands_in_the_day_and_the_version_that_it_knows(today, program, game, clock):
    moves, path = playouts(game)[0], f"/solitaire/daily/{game}/hand-in"
    game_id = begin(program, game)
    play(program, game_id, moves, 1)
    version = program.snapshot(game_id)["version"]
    stale = {"date": f"{today}", "version": version - 1}
    assert code(program.http.post(path, json=stale)) == (409, "stale_try")
    yesterday = {"date": f"{today - timedelta(days=1)}"}
    assert code(program.http.post(path, json=yesterday)) == (409, "day_over")
    known = {"date": f"{today}", "version": version}
    clock.advance(days=1)
    assert code(program.http.post(path, json=known)) == (409, "day_over")
    clock.advance(days=-1)
    assert program.http.post(path, json=known).status_code == 200
