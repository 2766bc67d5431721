"""Puzzles as pages without scripts and by the API: choosing, solving, failing, and what counts."""

import asyncio
import re
from html import unescape

import pytest

from app.core.i18n.formats import number_in
from app.learn.puzzles.collection import id_of
from app.learn.puzzles.presenter import THEMES_OF
from engine.puzzles.rules import RULES
from engine.puzzles.shipped import shipped
from engine.puzzles.themes import TELLING
from tests.support.answers import assert_problem
from tests.support.database import connected, execute
from tests.support.games import know_weighed
from tests.support.players import Match, Program, Visitor, client

SHIPPED = {id_of(puzzle): puzzle for game in RULES for puzzle in shipped(game)}


def own_moves(puzzle):
    """Return the player's moves of a solution, without the replies."""
    return list(puzzle.solution[:: len(puzzle.rules.sides)])


def wrong_move(puzzle):
    """Return a legal first move that is not the solution's."""
    moves = puzzle.rules.legal_moves(puzzle.rules.parse(puzzle.position))
    return next(move for move in moves if move != puzzle.solution[0])


def next_puzzle(program, game="jadejack", **query):
    shown = program.http.get("/puzzles/next", params={"game": game, **query}).json()
    return shown["id"], SHIPPED[shown["id"]]


def attempt(program, puzzle_id, moves):
    return program.http.post(f"/puzzles/{puzzle_id}/attempts", json={"moves": moves})


def history(program, game="jadejack"):
    return program.http.get("/puzzles/history", params={"game": game}).json()


@pytest.mark.parametrize("game", RULES)
def test_a_program_solves_a_puzzle_of_each_game(program, game):
    puzzle_id, puzzle = next_puzzle(program, game)
    shown = program.http.get(f"/puzzles/{puzzle_id}").json()
    assert shown["position"] == puzzle.position
    assert "solution" not in shown
    answer = attempt(program, puzzle_id, own_moves(puzzle)).json()
    assert (answer["solved"], answer["finished"]) == (True, True)
    assert answer["solution"] == list(puzzle.solution)
    assert answer["rating_change"] > 0
    reached = history(program, game)
    assert (reached["attempts"], reached["solved"], reached["streak"]) == (1, 1, 1)
    assert abs(reached["rating"] - 1500 - answer["rating_change"]) <= 1  # both are rounded
    assert [row["puzzle"]["id"] for row in reached["rows"]] == [puzzle_id]


def test_only_the_first_attempt_counts(program):
    puzzle_id, puzzle = next_puzzle(program)
    failed = attempt(program, puzzle_id, [wrong_move(puzzle)]).json()
    assert (failed["solved"], failed["solution"]) == (False, list(puzzle.solution))
    assert failed["rating_change"] < 0
    again = attempt(program, puzzle_id, own_moves(puzzle)).json()
    assert (again["solved"], again["rating_change"]) == (True, None)
    assert (history(program)["attempts"], history(program)["solved"]) == (1, 0)


async def test_players_who_try_the_same_puzzle_at_once_do_not_wait_for_each_other(program, database_url):
    puzzle_id, puzzle = next_puzzle(program)
    async with connected(database_url) as another, another.transaction():
        # As an attempt of somebody else, which is stored before its puzzle is rated.
        await another.execute("SELECT FROM puzzles WHERE id = $1 FOR KEY SHARE", puzzle_id)
        answer = await asyncio.to_thread(attempt, program, puzzle_id, own_moves(puzzle))
    assert answer.json()["solved"]


def test_players_and_puzzles_meet_by_their_ratings(program):
    for _ in range(3):
        puzzle_id, puzzle = next_puzzle(program, "golden_nugget")
        assert attempt(program, puzzle_id, own_moves(puzzle)).json()["solved"]
    reached = history(program, "golden_nugget")
    assert (reached["streak"], reached["best_streak"]) == (3, 3)
    assert len({row["puzzle"]["id"] for row in reached["rows"]}) == 3
    puzzle_id, _ = next_puzzle(program, "golden_nugget")
    attempt(program, puzzle_id, [])
    reached = history(program, "golden_nugget")
    assert (reached["streak"], reached["best_streak"]) == (0, 3)


def test_a_theme_narrows_the_choice(program):
    for _ in range(5):
        assert "in_three" in next_puzzle(program, "golden_nugget", theme="in_three")[1].themes
    assert program.http.get("/puzzles/next?game=golden_nugget&theme=").status_code == 200
    assert_problem(program.http.get("/puzzles/next?game=golden_nugget&theme=hijack"), 409, "no_puzzle")
    assert_problem(program.http.get("/puzzles/next?game=golden_nugget&theme=chess"), 422, "invalid_request")


@pytest.mark.parametrize("reach", ["api", "page"])
@pytest.mark.parametrize("theme", sorted(TELLING))
def test_a_puzzle_chosen_by_what_its_solution_does_is_not_rated(server, theme, reach):
    program = Program(server)
    visitor = Visitor(server).log_in(program.username)
    game = next(game for game, themes in THEMES_OF.items() if theme in themes)
    if reach == "api":
        puzzle_id, puzzle = next_puzzle(program, game, theme=theme)
    else:
        page = visitor.http.get(f"/puzzles/{game}/next", params={"theme": theme})
        puzzle_id = page.url.path.rpartition("/")[2]
        puzzle = SHIPPED[puzzle_id]
    assert theme in puzzle.themes
    answer = attempt(program, puzzle_id, own_moves(puzzle)).json()
    assert (answer["solved"], answer["rating_change"]) == (True, None)
    assert history(program, game)["rating"] == 1500
    assert attempt(Program(server), puzzle_id, own_moves(puzzle)).json()["rating_change"] > 0


@pytest.mark.parametrize("game", RULES)
def test_themes_are_told_once_the_attempt_is_over(server, game):
    program = Program(server)
    visitor = Visitor(server).log_in(program.username)
    shown = program.http.get("/puzzles/next", params={"game": game}).json()
    puzzle_id, puzzle = shown["id"], SHIPPED[shown["id"]]

    def told():
        (row,) = history(program, game)["rows"] or [{"puzzle": shown, "is_open": True}]
        themes = program.http.get(f"/puzzles/{puzzle_id}").json()["themes"]
        assert row["puzzle"]["themes"] == themes
        return themes, row["is_open"]

    assert told() == ([], True)
    slip(visitor, program, puzzle_id)
    assert told() == ([], True)
    assert program.http.get("/puzzles/daily", params={"game": game}).json()["themes"] == []
    attempt(program, puzzle_id, [])
    assert told() == (list(puzzle.themes), False)
    anybody = client(base_url=f"{server.url}/api/v1").get(f"/puzzles/{puzzle_id}")
    assert anybody.json()["themes"] == []


def second_account(server, program):
    """Return another account of the browser in which a program's owner has logged in."""
    visitor = Visitor(server).log_in(program.username)
    visitor.http.post("/logout")
    return visitor.register()


def test_whoever_may_know_the_solution_is_not_rated(server, database_url):
    match, maker = Match(server), Program(server)
    match.play("c4", "g6")
    match.black.http.post(f"/games/{match.id}/resign")
    puzzle_id = [each for each, puzzle in SHIPPED.items() if puzzle.game == "jadejack"][-1]
    execute(database_url, "UPDATE puzzles SET game_id = $1, ply = 1 WHERE id = $2", match.id, puzzle_id)
    made = maker.http.post(f"/games/{match.id}/puzzle", json={"ply": 1})
    assert (made.status_code, made.json()["id"]) == (201, puzzle_id)
    right = own_moves(SHIPPED[puzzle_id])
    for knowing in (match.black, match.white, maker):
        theirs = solve_on_pages(second_account(server, knowing), puzzle_id, right)
        assert "may have told you the answer, so it is not rated" in theirs.text
        answer = attempt(knowing, puzzle_id, right).json()
        assert (answer["solved"], answer["rating_change"]) == (True, None)
    assert attempt(Program(server), puzzle_id, right).json()["rating_change"] > 0


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("way", ["right", "wrong", "given up"])
def test_whoever_has_tried_a_puzzle_with_another_account_is_not_rated(server, game, way):
    first = Program(server)
    puzzle_id, puzzle = next_puzzle(first, game)
    right = own_moves(puzzle)
    second = second_account(server, first)
    wrong = wrong_line(puzzle) if len(puzzle.rules.sides) == 1 else [wrong_move(puzzle)]
    attempt(first, puzzle_id, {"right": right, "wrong": wrong, "given up": []}[way])
    assert "may have told you the answer" in solve_on_pages(second, puzzle_id, right).text
    assert "You solved" not in second.http.get(f"/puzzles/{game}").text
    assert attempt(Program(server), puzzle_id, right).json()["rating_change"] > 0


def test_a_line_is_answered_move_by_move_and_shows_no_solution_before_its_end(program):
    puzzle_id, puzzle = next_puzzle(program, "jumping_farther", theme="long_line")
    first, *others = own_moves(puzzle)
    begun = attempt(program, puzzle_id, [first]).json()
    assert (begun["finished"], begun["solved"], begun["reply"]) == (False, False, puzzle.solution[1])
    assert begun["solution"] is None
    assert history(program, "jumping_farther")["attempts"] == 0
    assert attempt(program, puzzle_id, [first, *others]).json()["solved"]


def test_what_is_no_move_and_what_is_not_allowed_count_as_no_attempt(program):
    puzzle_id, puzzle = next_puzzle(program)
    assert_problem(attempt(program, puzzle_id, ["?"]), 422, "move_syntax")
    closed = next(
        square
        for square in ("a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "d5", "e4", "z1")
        if square not in puzzle.rules.legal_moves(puzzle.rules.parse(puzzle.position))
    )
    assert_problem(attempt(program, puzzle_id, [closed]), 422, "illegal_move")
    assert history(program)["attempts"] == 0


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_changes(server, program, clock):
    today = program.http.get("/puzzles/daily?game=jadejack").json()
    assert client(base_url=f"{server.url}/api/v1").get("/puzzles/daily?game=jadejack").json() == today
    clock.advance(days=1)
    assert program.http.get("/puzzles/daily?game=jadejack").json()["id"] != today["id"]


def test_a_position_of_a_rated_game_under_way_gives_no_solution(server):
    """A player cannot use a puzzle for help."""
    program = Program(server)
    puzzle_id, puzzle = next_puzzle(program, "jumping_farther")
    size, _, rest = puzzle.position.partition(":")
    cells = rest.split(" ")[0].split(",")
    other = Program(server)
    terms = {"game": "jumping_farther", "options": {"size": int(size), "rounds": 1}, "rated": True}
    made = program.challenge(opponent=other.username, side="first", **terms)
    game_id = other.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]
    for ply, cell in enumerate(cells):
        assert (program, other)[ply % 2].move(game_id, cell, ply).status_code == 200
    assert_problem(attempt(program, puzzle_id, own_moves(puzzle)), 409, "game_under_way")
    assert attempt(Program(server), puzzle_id, own_moves(puzzle)).json()["solved"]


def test_no_puzzle_is_made_of_a_game_under_way(server):
    match = Match(server)
    match.play("c4")
    answer = match.black.http.post(f"/games/{match.id}/puzzle", json={"ply": 0})
    assert_problem(answer, 409, "not_over")


def solve_on_pages(visitor, puzzle_id, moves):
    """Send moves as forms do without scripts, and return the last page."""
    path, line, page = f"/puzzles/{puzzle_id}", "", None
    for move in moves:
        page = visitor.http.post(path, data={"line": line, "move": move})
        line = re.search(r'name="line" value="([^"]*)"', page.text)[1]
    return page


@pytest.mark.parametrize("game", RULES)
def test_a_visitor_solves_a_puzzle_without_scripts_and_keeps_the_record(server, game):
    visitor = Visitor(server)
    page = visitor.http.get(f"/puzzles/{game}/next")
    puzzle_id = page.url.path.rpartition("/")[2]
    puzzle = SHIPPED[puzzle_id]
    page = solve_on_pages(visitor, puzzle_id, own_moves(puzzle))
    assert "You found it." in page.text
    assert " ".join(puzzle.solution) in page.text
    assert "Your first puzzle as a guest is not rated." in page.text
    puzzle_id = visitor.http.get(f"/puzzles/{game}/next").url.path.rpartition("/")[2]
    solve_on_pages(visitor, puzzle_id, own_moves(SHIPPED[puzzle_id]))
    assert "You solved 1 of 1." in unescape(visitor.http.get(f"/puzzles/{game}").text)
    visitor.register()
    assert "You solved 1 of 1." in unescape(visitor.http.get("/puzzles").text)


def new_puzzle(visitor, game):
    """Return a puzzle that a visitor has never tried: its id, the right moves and a wrong line."""
    puzzle_id = visitor.http.get(f"/puzzles/{game}/next").url.path.rpartition("/")[2]
    puzzle = SHIPPED[puzzle_id]
    if len(puzzle.rules.sides) == 2:
        return puzzle_id, own_moves(puzzle), [wrong_move(puzzle)]
    return puzzle_id, own_moves(puzzle), wrong_line(puzzle)


def wrong_line(puzzle):
    """Return as many legal moves as the solution has, unless the game ends before; the first one is wrong."""
    position, line = puzzle.start, []
    while len(line) < len(puzzle.solution) and (moves := puzzle.rules.legal_moves(position)):
        move = next((move for move in moves if line or move != puzzle.solution[0]), moves[0])
        position, line = puzzle.rules.play(position, move), [*line, move]
    return line


def try_again(visitor, puzzle_id):
    return visitor.http.post(f"/puzzles/{puzzle_id}", data={"command": "again"})


def player_of(visitor, game):
    reached = visitor.http.get(f"/puzzles/{game}").text
    return re.search(r"Your rating is (\d+). You solved (\d+) of (\d+).", unescape(reached))


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("second", ["right", "wrong", "given up"])
def test_a_slip_is_forgiven_once_and_gains_nothing(server, game, second):
    visitor = Visitor(server).register()
    puzzle_id, right, wrong = new_puzzle(visitor, game)
    slip = solve_on_pages(visitor, puzzle_id, wrong)
    assert "You have one more try" in slip.text
    assert "puzzle-solution" not in slip.text
    assert player_of(visitor, game) is None
    assert "You have one more try" in visitor.http.get(f"/puzzles/{puzzle_id}").text
    assert "You have one more try" in try_again(visitor, puzzle_id).text
    if second == "given up":
        end = visitor.http.post(f"/puzzles/{puzzle_id}", data={"command": "give_up"})
    else:
        end = solve_on_pages(visitor, puzzle_id, right if second == "right" else wrong)
    assert "puzzle-solution" in end.text
    if second == "right":
        assert "You found it on the second try: your rating stays as it was." in end.text
        assert player_of(visitor, game) is None
    else:
        rating, solved, attempts = map(int, player_of(visitor, game).groups())
        assert (rating < 1500, solved, attempts) == (True, 0, 1)
    assert "You have one more try" not in try_again(visitor, puzzle_id).text
    again = solve_on_pages(visitor, puzzle_id, wrong)
    assert "Only your first attempt at a puzzle counts." in again.text


def see(visitor, program, puzzle_id):
    visitor.http.get(f"/puzzles/{puzzle_id}")


def be_given_the_next(visitor, program, puzzle_id):
    visitor.http.get(f"/puzzles/{SHIPPED[puzzle_id].game}/next")


def slip(visitor, program, puzzle_id):
    puzzle = SHIPPED[puzzle_id]
    wrong = [wrong_move(puzzle)] if len(puzzle.rules.sides) == 2 else wrong_line(puzzle)
    assert "You have one more try" in solve_on_pages(visitor, puzzle_id, wrong).text


def try_by_program(visitor, program, puzzle_id):
    assert attempt(program, puzzle_id, []).json()["finished"]


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("leave", [see, be_given_the_next, slip, try_by_program])
def test_a_slip_counts_as_not_solved_once_another_puzzle_of_the_game_is_seen_or_tried(server, game, leave):
    program = Program(server)
    visitor = Visitor(server).log_in(program.username)
    puzzle_id, right, _wrong = new_puzzle(visitor, game)
    slip(visitor, program, puzzle_id)
    other_game = next(each for each in RULES if each != game)
    for elsewhere in (f"/puzzles/{puzzle_id}", f"/puzzles/{game}", f"/puzzles/{other_game}/next"):
        visitor.http.get(elsewhere)
    assert history(program, game)["attempts"] == 0
    other = next(each for each in SHIPPED if SHIPPED[each].game == game and each != puzzle_id)
    leave(visitor, program, other)
    row = next(row for row in history(program, game)["rows"] if row["puzzle"]["id"] == puzzle_id)
    assert not row["solved"]
    assert row["rating_change"] < 0
    assert history(program, game)["attempts"] == (2 if leave is try_by_program else 1)
    assert attempt(program, puzzle_id, right).json()["rating_change"] is None


def test_walking_away_from_slips_ends_a_streak(server):
    program = Program(server)
    visitor = Visitor(server).log_in(program.username)
    for _ in range(2):
        puzzle_id, puzzle = next_puzzle(program)
        assert attempt(program, puzzle_id, own_moves(puzzle)).json()["solved"]
    slip(visitor, program, next_puzzle(program)[0])
    assert history(program)["streak"] == 2
    visitor.http.get("/puzzles/jadejack/next")
    assert (history(program)["streak"], history(program)["best_streak"]) == (0, 2)


def test_a_slip_of_a_page_is_part_of_the_attempt_that_a_program_ends(server):
    program = Program(server)
    visitor = Visitor(server).log_in(program.username)
    puzzle_id, puzzle = next_puzzle(program)
    assert "You have one more try" in solve_on_pages(visitor, puzzle_id, [wrong_move(puzzle)]).text
    answer = attempt(program, puzzle_id, own_moves(puzzle)).json()
    assert (answer["solved"], answer["rating_change"]) == (True, None)
    assert history(program)["attempts"] == 0


def puzzle_whose_best_move(ends, game):
    """Return the id of a puzzle of a game whose best move ends the game or not."""
    return next(
        puzzle_id
        for puzzle_id, puzzle in SHIPPED.items()
        if puzzle.game == game
        and (not puzzle.rules.legal_moves(puzzle.rules.play(puzzle.start, puzzle.solution[0]))) == ends
    )


@pytest.mark.parametrize(
    ("game", "ends"), [("jadejack", False), ("jadejack", True), ("jumping_farther", False)]
)
def test_a_page_says_why_a_move_is_wrong(server, database_url, game, ends):
    visitor = Visitor(server).register()
    puzzle_id = puzzle_whose_best_move(ends, game)
    puzzle = SHIPPED[puzzle_id]
    rules, best, wrong = puzzle.rules, puzzle.solution[0], wrong_move(puzzle)
    after_best, after_wrong = (rules.play(puzzle.start, move) for move in (best, wrong))
    best_replies, (reply, *_) = rules.legal_moves(after_best)[:1], rules.legal_moves(after_wrong)
    know_weighed(database_url, rules, puzzle.start, [[best, 5, best_replies], [wrong, 1, [reply]]], best)
    slip = unescape(solve_on_pages(visitor, puzzle_id, [wrong]).text)
    best_scores = rules.score(rules.play(after_best, *best_replies) if best_replies else after_best)
    scores = rules.score(rules.play(after_wrong, reply))
    side = rules.side_to_move(puzzle.start)
    lead, best_lead = (2 * each[side] - sum(each.values()) for each in (scores, best_scores))
    told = f"After {wrong} and {reply} it is {number_in('en', scores[side])} to "
    assert (told if best_lead > lead else "costs about 4 points.") in slip


@pytest.mark.parametrize("reading", ["/puzzles/daily", "/puzzles/next", "/puzzles/{other}"])
def test_a_program_that_reads_another_puzzle_ends_no_attempt_of_its_owner(server, reading):
    program = Program(server)
    visitor = Visitor(server).log_in(program.username)
    puzzle_id, right, (wrong,) = new_puzzle(visitor, "jadejack")
    other = next(each for each, puzzle in SHIPPED.items() if puzzle.game == "jadejack" and each != puzzle_id)
    solve_on_pages(visitor, puzzle_id, [wrong])
    assert program.http.get(reading.format(other=other), params={"game": "jadejack"}).is_success
    assert history(program)["attempts"] == 0
    assert "You found it on the second try" in solve_on_pages(visitor, puzzle_id, right).text


def test_lines_of_a_game_for_one_may_be_taken_back(server):
    visitor = Visitor(server)
    page = visitor.http.get("/puzzles/golden_nugget/next")
    puzzle = SHIPPED[page.url.path.rpartition("/")[2]]
    path = page.url.path
    wrong = wrong_move(puzzle)
    page = visitor.http.post(path, data={"line": "", "move": wrong})
    assert "Undo" in page.text
    page = visitor.http.post(path, data={"line": wrong, "command": "undo"})
    assert 'name="line" value=""' in page.text
    page = visitor.http.post(path, data={"line": "", "move": "z"})
    assert "is not a force" in page.text
    page = visitor.http.post(path, data={"line": "nonsense", "command": "give_up"})
    assert "Here is how it goes." in page.text
    assert "Your first puzzle as a guest is not rated." in page.text
    assert "Only your first attempt" in visitor.http.post(path, data={"command": "give_up"}).text


def test_a_streak_gets_harder(server):
    visitor = Visitor(server).register()
    ratings = []
    for _ in range(3):
        page = visitor.http.get("/puzzles/golden_nugget/streak")
        puzzle_id = page.url.path.rpartition("/")[2]
        ratings.append(SHIPPED[puzzle_id].rating)
        solved = solve_on_pages(visitor, f"{puzzle_id}?series=streak", own_moves(SHIPPED[puzzle_id]))
        assert f"{len(ratings)} puzzle" in unescape(solved.text)
    assert ratings == sorted(ratings)


@pytest.mark.parametrize("theme", ["hijack", "reset"])
def test_nobody_is_said_to_have_tried_puzzles_that_there_are_not(visitor, theme):
    answer = visitor.http.get("/puzzles/golden_nugget/next", params={"theme": theme})
    assert answer.status_code == 409
    assert "There is no such puzzle for you to try." in unescape(answer.text)


def test_there_is_no_such_puzzle(program, visitor):
    assert_problem(program.http.get("/puzzles/2222222222"), 404, "not_found")
    assert visitor.http.get("/puzzles/2222222222").status_code == 404
    assert visitor.http.get("/puzzles/chess").status_code == 404
    assert_problem(program.http.get("/puzzles/next?game=chess"), 422, "invalid_request")


def test_a_puzzle_is_recognised_as_the_second_round_of_a_match(program):
    _puzzle_id, puzzle = next_puzzle(program, "jumping_farther")
    rules = puzzle.rules
    first = rules.initial(rules.options_of(puzzle.start))
    while not first.is_over:
        first = rules.play(first, rules.legal_moves(first)[0])
    position = f"{rules.format(first)}/{puzzle.position}"
    asked = program.http.post("/evaluations", json={"game": puzzle.game, "position": position})
    assert_problem(asked, 409, "puzzle_open")


@pytest.mark.parametrize("path", ["next", "daily"])
def test_the_computer_says_nothing_about_a_puzzle_that_is_being_solved(server, program, path):
    puzzle_id = program.http.get(f"/puzzles/{path}", params={"game": "jadejack"}).json()["id"]
    puzzle = SHIPPED[puzzle_id]

    def asked(position):
        return program.http.post("/evaluations", json={"game": puzzle.game, "position": position})

    after = puzzle.rules.format(puzzle.rules.play(puzzle.start, wrong_move(puzzle)))
    assert_problem(asked(puzzle.position), 409, "puzzle_open")
    assert_problem(asked(after), 409, "puzzle_open")
    visitor = Visitor(server).log_in(program.username)
    board = {"position": puzzle.position, "moves": "", "at": "0", "players": "2"}
    page = visitor.http.post(f"/analysis/{puzzle.game}/evaluation", data=board)
    assert page.status_code == 409
    assert "the puzzle that you are solving" in page.text
    attempt(program, puzzle_id, [])  # given up
    assert asked(puzzle.position).status_code in (200, 503)  # no worker answers on this server
