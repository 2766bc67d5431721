"""Best scores through the JSON API."""

from tests.support.answers import code
from tests.support.players import Program, Visitor
from tests.support.solitaire import begin, play, random_games, submit
from tests.support.threads import at_once


def board(program, game, size, **query):
    answer = program.http.get(f"/leaderboards/{game}", params={"size": size, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_scores_rank_by_points_then_by_fewer_resets_and_then_by_date(server):
    games = random_games("up_and_up", 6)
    by_points = {}
    for points, resets in sorted(games):
        by_points.setdefault(points, []).append(resets)
    points, (few, *_, many) = next((p, r) for p, r in by_points.items() if len(r) > 1)
    lower = min(games)
    assert lower[0] < points
    order = [(points, many), lower, (points, few), (points, many)]
    names = []
    for key in order:
        program = Program(server)
        names.append(program.username)
        submit(program, "up_and_up", 6, games[key])
    rows = board(program, "up_and_up", 6, limit=200)["rows"]
    assert [row["rank"] for row in rows] == [*range(1, len(rows) + 1)]
    own = [row for row in rows if row["username"] in names]  # among scores of other tests
    assert [(row["username"], row["points"], row["tie_break"]) for row in own] == [
        (names[2], points, few),
        (names[0], points, many),
        (names[3], points, many),
        (names[1], *lower),
    ]
    paged, cursor = [], ""
    while cursor is not None:
        page = board(program, "up_and_up", 6, limit=2, cursor=cursor)
        paged, cursor = [*paged, *page["rows"]], page["next"]
    assert paged == rows


def test_a_leaderboard_has_the_best_game_of_each_player(server, program):
    games = random_games("jumping_farther", 6)
    (low, _), (high, _) = min(games), max(games)
    submit(program, "jumping_farther", 6, games[high, 0])
    best = mine(program)
    submit(program, "jumping_farther", 6, games[low, 0])
    submit(program, "jumping_farther", 6, games[high, 0])  # not better: the earlier game stays
    assert mine(program) == best
    assert best["points"] == high


def mine(program):
    rows = board(program, "jumping_farther", 6, limit=200)["rows"]
    (row,) = (row for row in rows if row["username"] == program.username)
    return row


def test_two_games_submitted_at_once_leave_one_best(program):
    games = random_games("up_and_up", 5)
    order = sorted(games, key=lambda key: (key[0], -key[1]))
    moves = [games[key] for key in order[-2:]]
    ids = [begin(program, "up_and_up", 5) for _ in moves]
    for game_id, played in zip(ids, moves, strict=True):
        play(program, game_id, played)
    at_once(lambda game_id: program.http.post(f"/games/{game_id}/submit"), ids)
    rows = board(program, "up_and_up", 5, limit=200)["rows"]
    (row,) = (row for row in rows if row["username"] == program.username)
    assert row["game_id"] == ids[1]


def test_who_loses_a_place_is_led_to_the_ranking_that_has_it(server):
    games = random_games("jumping_farther", 7, tries=20)  # no other test has scores of this size
    loser, winner = Program(server), Program(server)
    assert loser.http.post("/me/computer").status_code == 204
    submit(loser, "jumping_farther", 7, games[min(games)])
    submit(winner, "jumping_farther", 7, games[max(games)])
    lost = loser.http.get("/notifications").json()["notifications"][0]
    assert lost["text"] == f"{winner.username} took your place on a leaderboard"
    page = Visitor(server).log_in(loser.username).http.get(lost["url"].removeprefix(server.url))
    assert 'id="own-row"' in page.text


def test_leaderboards_that_do_not_exist_are_not_found(program):
    assert code(program.http.get("/leaderboards/chess")) == (404, "not_found")
    assert code(program.http.get("/leaderboards/up_and_up?size=13")) == (422, "bad_options")
    assert code(program.http.get("/leaderboards/up_and_up?cursor=nowhere")) == (422, "bad_cursor")
    assert board(program, "jadejack", 9).keys() == {"rows", "next"}  # ratings, whatever the size
    assert program.http.get("/leaderboards/up_and_up").json()["size"] == 8
