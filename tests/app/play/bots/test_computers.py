"""Computer players, on a server with a worker process."""

import json
import os
import random
import re
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager

from app.core.realtime.bus import MemoryBus
from app.nugget.work import RECORDS, enter_records
from engine.jadejack import JADEJACK
from engine.registry import FOR_TWO
from engine.search import computer
from tests.support.database import execute
from tests.support.loopback import LoopbackServer
from tests.support.nugget import new_record
from tests.support.players import Match, Program, Visitor
from tests.support.waiting import wait_until
from tests.support.web_processes import web_processes

_COMPUTER_WITHIN = 90  # seconds; its first search may have to be compiled


def wait_for_computer(condition):
    return wait_until(condition, within=_COMPUTER_WITHIN)


def challenge(program, level=1, **members):
    return program.challenge(opponent=f"Gorrion-{level}", **members)


def patiently(ask):
    """Repeat a request for as long as the answer is that the computer is busy."""
    return wait_for_computer(lambda: (answer := ask()).status_code != 503 and answer)


def new_game(program, **members):
    made = challenge(program, **members)
    assert made.status_code == 201, made.text
    assert made.json()["status"] == "accepted"
    return made.json()["game_id"]


def test_a_computer_accepts_a_challenge_and_answers_a_move(server_with_computer):
    player = Program(server_with_computer)
    game = new_game(player, side="black")
    assert player.move(game, "c4", 0).status_code == 200
    shown = wait_for_computer(lambda: (snapshot := player.snapshot(game))["ply"] == 2 and snapshot)
    assert shown["players"]["white"]["username"] == "Gorrion-1"
    assert shown["players"]["white"]["is_computer"]
    assert not shown["players"]["black"]["is_computer"]
    assert shown["side_to_move"] == "black"


def test_it_makes_the_first_move_if_it_is_first(server_with_computer):
    player = Program(server_with_computer)
    game = new_game(player, side="white", level=3)
    assert wait_for_computer(lambda: player.snapshot(game)["ply"] == 1)


def test_it_plays_every_game_for_two_and_several_at_once(server_with_computer):
    player = Program(server_with_computer)
    games = [new_game(player, game="jumping_farther", options={"size": 5}, side="second") for _ in range(5)]
    for game in games:
        assert wait_for_computer(lambda game=game: player.snapshot(game)["ply"] == 1)


def test_it_plays_casual_games_only(server_with_computer):
    answer = challenge(Program(server_with_computer), rated=True)
    assert (answer.status_code, answer.json()["code"]) == (422, "computers_play_casual")


def test_it_accepts_takebacks_and_rematches_at_once(server_with_computer):
    player = Program(server_with_computer)
    game = new_game(player, side="black", level=2)
    player.move(game, "c4", 0)
    wait_for_computer(lambda: player.snapshot(game)["ply"] == 2)
    back = player.http.post(f"/games/{game}/takeback")
    assert (back.status_code, back.json()["ply"]) == (200, 0)
    assert player.move(game, "f6", 0).status_code == 200
    wait_for_computer(lambda: player.snapshot(game)["ply"] == 2)
    player.http.post(f"/games/{game}/resign")
    again = player.http.post(f"/games/{game}/rematch")
    assert again.json()["game_id"]
    assert wait_for_computer(lambda: player.snapshot(again.json()["game_id"])["ply"] == 1)  # it is Black now


def lost_moves():
    """Return moves of Black, who takes the most points, and of White at random, until White has lost."""
    position, moves, generator = JADEJACK.initial({"size": 9}), [], random.Random(1)
    while True:
        squares = JADEJACK.legal_moves(position)[:-1]
        after = {move: JADEJACK.play(position, move) for move in squares}
        best = max(squares, key=lambda move: JADEJACK.score(after[move])["black"])
        if computer.is_lost(JADEJACK, after[best]):
            return moves, best
        moves += [best, generator.choice(JADEJACK.legal_moves(after[best])[:-1])]
        position = JADEJACK.play(after[best], moves[-1])


def lost_game(server, moves):
    """Return Black and a game in which a computer of level 4 has to move as White after a move."""
    match = Match(server)
    match.play(*moves)
    match.white.http.post(f"/games/{match.id}/resign")
    body = {"ply": len(moves), "level": 4}
    return match.black, match.black.http.post(f"/games/{match.id}/play-on", json=body).json()["game_id"]


def test_it_resigns_lost_games_unless_its_opponent_wants_to_play_on(server_with_computer):
    moves, answer = lost_moves()
    player, game = lost_game(server_with_computer, moves)
    assert player.move(game, answer, len(moves)).status_code == 200
    ended = wait_for_computer(lambda: (snapshot := player.snapshot(game))["result"] and snapshot)
    assert (ended["result"]["winner"], ended["result"]["termination"]) == ("black", "resign")

    player, game = lost_game(server_with_computer, moves)
    execute(
        server_with_computer.database_url,
        "UPDATE accounts SET preferences = jsonb_build_object('resigning', 'off') WHERE username = $1",
        player.username,
    )
    player.move(game, answer, len(moves))
    wait_for_computer(lambda: player.snapshot(game)["ply"] >= len(moves) + 2)
    assert player.snapshot(game)["result"] is None


def test_nobody_can_log_in_as_a_computer_or_take_its_name(server_with_computer):
    http = Program(server_with_computer).http
    for password in ("!", "none", "anything at all"):
        body = {"username": "Gorrion-8", "password": password, "scopes": ["play"]}
        assert http.post("/tokens", json=body).status_code in (401, 422)
    answer = http.post("/accounts", json={"username": "gorrion-9", "password": "long enough a word"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_username")


def test_computers_are_listed_and_labelled(server_with_computer):
    program = Program(server_with_computer)
    listed = program.http.get("/computers").json()
    assert [(computer["username"], computer["level"]) for computer in listed] == [
        (f"Gorrion-{n}", n) for n in range(1, 11)
    ]
    assert listed[0]["games"] == list(FOR_TWO)
    for game in FOR_TWO:
        strengths = [computer["strengths"][game] for computer in listed]
        assert strengths == sorted(set(strengths))
    assert program.http.get("/players/Gorrion-4").json()["is_computer"]
    game = new_game(program, level=4)
    assert "computer, level 4" in Visitor(server_with_computer).http.get(f"/games/{game}").text
    assert "level 4" in Visitor(server_with_computer).http.get("/players/Gorrion-4").text


def test_a_guest_plays_by_one_click_and_gets_a_hint_without_scripts(server_with_computer):
    visitor = Visitor(server_with_computer)
    page = visitor.http.post("/challenges/computer", data={"game": "jumping_farther", "level": "1"})
    assert page.status_code == 200
    game = page.url.path.rpartition("/")[2]
    wait_for_computer(lambda: "Your turn" in visitor.http.get(f"/games/{game}").text)
    assert "Hint:" in patiently(lambda: visitor.http.post(f"/games/{game}/hint")).text


def test_hints_are_for_the_player_whose_turn_it_is(server_with_computer):
    player, other = Program(server_with_computer), Program(server_with_computer)
    game = new_game(player, side="black", level=2)
    hint = patiently(lambda: player.http.post(f"/games/{game}/hint"))
    assert hint.json()["move"] in player.snapshot(game)["legal_moves"]
    answer = other.http.post(f"/games/{game}/hint")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_a_player")
    player.http.post(f"/games/{game}/resign")
    player.http.post(f"/games/{game}/abort")
    answer = player.http.post(f"/games/{game}/hint")
    assert (answer.status_code, answer.json()["code"]) == (409, "game_over")
    match = Match(server_with_computer)
    answer = match.black.http.post(f"/games/{match.id}/hint")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_hints")


def test_a_position_is_evaluated(server_with_computer):
    program = Program(server_with_computer)

    def look(**body):
        return patiently(lambda: program.http.post("/evaluations", json=body))

    evaluation = look(game="jadejack", position="8/8/8/3b4/8/8/8/8 b 1").json()
    assert (evaluation["side"], evaluation["thoughts"][0]["move"]) == ("black", "pass")
    assert len(evaluation["thoughts"]) == 5
    answers = [
        look(game="jadejack", position="nonsense"),
        look(game="jadejack", position="8/8/8/3b4/8/8/8/8 b 2"),
        look(game="up_and_up", position="3:a1"),
        look(game="chess", position="8/8 w"),
    ]
    codes = [answer.json()["code"] for answer in answers]
    assert codes == ["bad_position", "game_over", "solitaire", "unknown_game"]


def test_the_analysis_board(server_with_computer):
    visitor = Visitor(server_with_computer)
    page = visitor.http.get("/analysis/jadejack?size=9&moves=c4,g6&move=d4")
    assert page.url.params["moves"] == "c4 g6 d4"
    assert "White to move" in page.text
    path, form = "/analysis/jadejack/evaluation", {"size": "9", "moves": "c4,g6,d4"}
    assert visitor.http.get(path).status_code == 405
    page = patiently(lambda: visitor.http.post(path, data=form)).text
    update = visitor.http.post(path, data=form, headers={"HX-Request": "true"}).text
    assert "<h1" in page
    assert [text.count('data-rank="5"') for text in (page, update)] == [2, 2]  # in the list and on the board
    assert "<h1" not in update
    assert [text.count("li data-rank") for text in (page, update)] == [5, 5]
    german = visitor.http.post(path, data=form, headers={"Accept-Language": "de"}).text
    assert re.search(r"<span>[+-]\d+,\d</span>", german)
    assert "is ahead by" in update or "The position is even" in update
    for query, words in (
        ("size=99", "from 8 to 13"),
        ("moves=zz", "zz"),
        ("moves=c4,c4,c4,c4", "c4"),
        ("moves=" + ",".join(["pass"] * 801), "pass"),
        ("moves=c4,(g6", "bracket"),
    ):
        answer = visitor.http.get(f"/analysis/jadejack?{query}")
        assert answer.status_code == 422, query
        assert any(word in answer.text for word in words.split("|"))
    assert visitor.http.get("/analysis/chess").status_code == 404
    # Black's pass costs most; the line opens before it, and a move there replaces what followed.
    line = "/analysis/jadejack?size=9&moves=c4,g6,pass,g6,d5,f6"
    for at, before in (("turn", 2), ("4", 4), ("0", 0), ("99", 6), ("x", 0)):
        shown = visitor.http.get(f"{line}&at={at}").text
        current = re.search(r'aria-current="step"><i>(\d)', shown)
        assert int(current[1] if current else 0) == before, at
    over = visitor.http.get("/analysis/jadejack?size=9&moves=c4,pass,pass")
    assert "The game is over." in over.text
    assert visitor.http.post(path, data={"size": "9", "moves": "pass,pass"}).status_code == 422


def begin_run(program):
    return program.http.post("/nugget/runs", json={"name": "with help"}).json()


def commanded(program, run, *commands):
    body = {"commands": commands, "version": run["version"], "request_id": str(uuid.uuid4())}
    return program.http.post(f"/nugget/runs/{run['id']}/commands", json=body).json()


def finish_board(program, run):
    path, body = f"/nugget/runs/{run['id']}/finish", {"version": run["version"]}
    return patiently(lambda: program.http.post(path, json=body)).json()


def test_a_run_counts_its_hints_and_finished_boards(server_with_computer):
    program = Program(server_with_computer)
    run = begin_run(program)
    hint = patiently(lambda: program.http.post(f"/nugget/runs/{run['id']}/hint")).json()
    assert hint["hints"] == 1
    assert hint["force"] in "1234567ABCDEFGHIJKLMNOPQRSTU"
    done = finish_board(program, run)
    assert (done["solved"], done["hints"], done["finished"]) == (True, 1, 1)
    for path, body in (("hint", None), ("finish", {"version": done["version"]})):
        answer = program.http.post(f"/nugget/runs/{run['id']}/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "board_solved")
    stale = program.http.post(f"/nugget/runs/{run['id']}/finish", json={"version": 0})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_run")
    somebody = Program(server_with_computer).http.post(f"/nugget/runs/{run['id']}/hint")
    assert somebody.status_code == 404
    copy = program.http.post(f"/nugget/runs/{run['id']}/fork", json={"board": 1}).json()
    assert (copy["hints"], copy["finished"]) == (1, 1)


def test_an_assisted_run_ranks_only_among_assisted_entries(server_with_computer):
    program = Program(server_with_computer)
    run = begin_run(program)
    for moves in new_record(detours=5)[:19]:
        run = commanded(program, run, *(move[0] for move in moves), "turn")
    run = finish_board(program, run)
    assert (len(run["counts"]), run["finished"]) == (20, 1)
    entered = program.http.post(f"/nugget/runs/{run['id']}/submit", json={"boards": 20})
    assert (entered.status_code, entered.json()["rank"]) == (201, 1)

    def names(players):
        answer = program.http.get("/leaderboards/golden_nugget", params={"players": players})
        return [row["username"] for row in answer.json()["rows"]]

    assert names("assisted") == [program.username]
    assert program.username not in [*names("everybody"), *names("people"), *names("computers")]
    page = Visitor(server_with_computer).http.get(f"/nugget/entries/{entered.json()['id']}").text
    assert "Rank among assisted entries" in page


def test_the_best_known_record_is_the_computers_entry(server_with_computer):
    def top():
        return Program(server_with_computer).http.get("/leaderboards/golden_nugget").json()["rows"]

    rows = wait_for_computer(top)
    assert (rows[0]["username"], rows[0]["boards"]) == ("Gorrion-8", 200)
    shown = Program(server_with_computer).http.get(f"/nugget/entries/{rows[0]['entry_id']}").json()
    assert shown["moves"] is not None  # it is published


async def test_the_records_are_entered_once(new_database):
    url = new_database("record")
    async with web_processes(url, 1) as (process,):
        assert await enter_records(process.database, MemoryBus(process.hub)) == len(RECORDS)
        assert await enter_records(process.database, MemoryBus(process.hub)) == 0
        counts = "SELECT count(*) FROM nugget_entries WHERE published_at IS NOT NULL"
        assert await process.database.pool.fetchval(counts) == len(RECORDS)


def test_a_game_waits_for_the_computer_if_no_worker_runs(server, database_url):
    player = Program(server)
    game = new_game(player, side="black")
    execute(database_url, "UPDATE pgqueuer SET execute_after = 'infinity'")
    assert player.move(game, "c4", 0).status_code == 200
    assert player.snapshot(game)["ply"] == 1  # nobody answers, and nothing is lost


def test_the_example_of_a_bot_plays_a_game_to_its_end(server_with_computer):
    bot, player = Program(server_with_computer), Program(server_with_computer)
    assert bot.http.post("/me/computer").status_code == 204
    assert bot.http.get(f"/players/{bot.username}").json()["is_computer"]
    process = subprocess.Popen(
        [sys.executable, "examples/bot.py", "--url", server_with_computer.url],
        env={**os.environ, "GORRION_TOKEN": bot.token},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        made = player.challenge(
            opponent=bot.username, game="jumping_farther", options={"size": 3, "rounds": 2}, side="choice"
        ).json()
        game = wait_for_computer(lambda: player.http.get(f"/challenges/{made['id']}").json()["game_id"])
        while (shown := player.snapshot(game))["status"] == "started":
            if shown["players"][shown["side_to_move"]]["username"] == player.username:
                player.move(game, shown["legal_moves"][0], shown["ply"])
            time.sleep(0.02)
        assert shown["result"]["termination"] == "no_move"
        wait_for_computer(lambda: "is over" in process.stderr.readline())
    finally:
        process.terminate()
        process.wait(10)
        process.stderr.close()


def test_the_example_of_a_bot_reports_a_bad_token(server_with_computer):
    def run(**token):
        environment = {name: value for name, value in os.environ.items() if name != "GORRION_TOKEN"}
        command = [sys.executable, "examples/bot.py", "--url", server_with_computer.url]
        return subprocess.run(
            command, env=environment | token, capture_output=True, text=True, timeout=30, check=False
        )

    for answer, message in ((run(), "Set GORRION_TOKEN"), (run(GORRION_TOKEN="nonsense"), "unauthenticated")):
        assert answer.returncode == 1
        assert message in answer.stderr
        assert "Traceback" not in answer.stderr


@contextmanager
def bot_of(respond):
    """Run the example bot against a server that answers each path with a status and a text."""
    asked = []

    def answer(path, _headers, body):
        path = path.removeprefix("/api/v1")
        asked.append((path, body))
        code, text = respond(path)
        return code, text.encode(), {"Retry-After": "0"}

    server = LoopbackServer(answer)
    bot = subprocess.Popen(
        [sys.executable, "examples/bot.py", "--url", server.url],
        env={**os.environ, "GORRION_TOKEN": "any"},
        stderr=subprocess.DEVNULL,
    )
    try:
        yield asked
    finally:
        bot.terminate()
        bot.wait(10)
        server.stop()


def test_the_example_of_a_bot_goes_on_when_the_server_is_away_for_a_moment():
    away = {"/events", "/games/g", "/games/g/moves"}
    turn = {"type": "my_turn", "game_id": "g"}
    game = {"status": "started", "ply": 0, "legal_moves": ["c4"], "last_move": None}
    game |= {"side_to_move": "black", "score": {"black": 0}, "players": {"black": {}}}

    def respond(path):
        if path in away:
            away.remove(path)
            return 503, "<h1>Away</h1>"  # as a proxy says it
        return 200, json.dumps(turn | game) + "\n"

    with bot_of(respond) as asked:
        wait_until(lambda: sum(path == "/games/g/moves" for path, _ in asked) >= 2)
    first = ["/events", "/events", "/games/g", "/games/g", "/games/g/moves", "/games/g/moves"]
    assert [path for path, _ in asked[:6]] == first
    assert asked[4] == asked[5]


def test_the_example_of_a_bot_answers_every_challenge():
    refusals = {"own": 403, "many": 409, "odd": 422}
    events = [
        {"type": "challenge", "challenge": {"id": each, "maker": "wren", "game": "jadejack", "side": side}}
        for each, side in (("free", "choice"), *((each, "random") for each in refusals))
    ]

    def respond(path):
        if path == "/events":
            return 200, "".join(json.dumps(event) + "\n" for event in events)
        if path == "/games/kinds":
            return 200, '[{"key": "jadejack", "sides": ["black", "white"]}]'
        _, _, challenge, command = path.split("/")
        return refusals.get(challenge, 200) if command == "accept" else 200, "{}"

    with bot_of(respond) as asked:
        wait_until(lambda: any(path == "/challenges/odd/decline" for path, _ in asked))
    answers = dict(asked)
    assert json.loads(answers["/challenges/free/accept"])["side"] in ("black", "white")
    assert "/challenges/free/decline" not in answers
    reasons = [json.loads(answers[f"/challenges/{each}/decline"])["reason"] for each in refusals]
    assert reasons == ["no", "later", "no"]


def test_an_account_with_results_cannot_become_a_computer(server_with_computer):
    entered = Program(server_with_computer)
    assert entered.http.post("/nugget/entries", json={"boards": new_record(detours=3)}).status_code == 201
    answer = entered.http.post("/me/computer")
    assert (answer.status_code, answer.json()["code"]) == (409, "has_played")
    visitor = Visitor(server_with_computer).register()
    assert "labelled as a computer player" in visitor.http.post("/account/computer").text
    assert "a program plays with this account" in visitor.http.get(f"/players/{visitor.username}").text
    guest = Visitor(server_with_computer)
    guest.http.post("/guest", data={"next": "/lobby"})
    assert guest.http.post("/account/computer").status_code == 403
