"""Keeping games."""

import io
import json
import zipfile

from tests.support.accounts import id_of
from tests.support.answers import code
from tests.support.database import execute, fetch
from tests.support.players import PASSWORD, Match, Visitor, begin_game
from tests.support.waiting import wait_until

_KEEP_MANY = """
WITH games_kept AS (
    INSERT INTO games (id, game, options, status, first_player, second_player, position)
    SELECT '22222' || 10000 + number, 'jadejack', '{"size": 8}', 'finished', $1, $1, ''
    FROM generate_series(1, $2) number
    RETURNING id
)
INSERT INTO kept_games (account_id, game_id) SELECT $1, id FROM games_kept
"""


def keep(program, game_id):
    answer = program.http.put(f"/games/{game_id}/kept")
    assert (answer.status_code, answer.content) == (204, b"")


def kept(program, query=""):
    return program.http.get(f"/me/kept-games{query}").json()


def ids(program, query=""):
    return [game["game_id"] for game in kept(program, query)["games"]]


def test_a_game_is_kept_listed_and_removed_twice_like_once(server, program, other):
    match = Match(server)
    match.play("d4")
    for _ in range(2):
        keep(program, match.id)
        (game,) = kept(program)["games"]
    assert (game["game_id"], game["game"], game["ply"]) == (match.id, "jadejack", 1)
    assert game["players"] == {"black": match.black.username, "white": match.white.username}
    assert game["position"] == program.snapshot(match.id)["position"]
    assert ids(other) == ids(match.black) == []
    for _ in range(2):
        assert program.http.delete(f"/games/{match.id}/kept").status_code == 204
        assert kept(program) == {"games": [], "has_more": False}
    assert code(program.http.put("/games/22222aaaaa/kept")) == (404, "not_found")


def test_games_kept_last_come_first_in_pages(server, program):
    games = [Match(server).id for _ in range(3)]
    for game in games:
        keep(program, game)
    keep(program, games[0])
    assert ids(program) == games[::-1]
    first, second = kept(program, "?limit=2"), kept(program, "?limit=2&number=2")
    assert [game["game_id"] for game in first["games"]] == [games[2], games[1]]
    assert [game["game_id"] for game in second["games"]] == [games[0]]
    assert (first["has_more"], second["has_more"]) == (True, False)


def test_an_account_keeps_200_games_at_most(server, database_url, program):
    first, second = Match(server).id, Match(server).id
    keep(program, first)
    execute(database_url, _KEEP_MANY, id_of(database_url, program), 199)
    assert code(program.http.put(f"/games/{second}/kept")) == (409, "too_many_kept_games")
    keep(program, first)  # it is kept already
    assert program.http.delete(f"/games/{first}/kept").status_code == 204
    keep(program, second)


def test_the_private_board_of_another_player_cannot_be_kept(program, other):
    race = other.http.post("/races", json={"game": "up_and_up", "minutes": 5}).json()["id"]
    board = other.http.post(f"/races/{race}/join").json()["game_id"]
    assert code(program.http.put(f"/games/{board}/kept")) == (404, "not_found")
    keep(other, board)
    assert ids(other) == [board]


def test_kept_games_are_exported_and_erased_with_the_account(server, database_url, program, clock):
    match = Match(server)
    keep(program, match.id)
    url = program.http.post("/me/export", json={"password": PASSWORD}).json()["url"].removeprefix("/api/v1")
    wait_until(lambda: program.http.get(url).status_code == 200)
    with zipfile.ZipFile(io.BytesIO(program.http.get(url).content)) as archive:
        (row,) = json.loads(archive.read("kept_games.json"))
    assert row["game_id"] == match.id
    close = {"password": PASSWORD, "erase": True}
    assert program.http.post("/me/close", json=close).status_code == 204
    clock.advance(days=14, seconds=1)
    rows = "SELECT count(*) FROM kept_games WHERE game_id = $1"
    wait_until(lambda: fetch(database_url, rows, match.id)[0] == 0, within=90)


def test_a_game_is_kept_by_a_button_on_its_page(server):
    reader = Visitor(server).register()
    game = begin_game(Visitor(server), Visitor(server))
    page = reader.http.get(game)
    assert f'action="{game}/keep"' in page.text
    from_page = {"Referer": str(page.url)}
    page = reader.http.post(f"{game}/keep", headers=from_page)
    assert page.url.path == game
    assert f'action="{game}/keep/undo"' in page.text
    assert f'href="{game}"' in reader.http.get("/games/kept").text
    swapped = reader.http.post(f"{game}/keep/undo", headers={"HX-Request": "true", **from_page})
    assert "Keep this game" in swapped.text
    assert f'href="{game}"' not in reader.http.get("/games/kept").text


def test_a_game_is_removed_on_the_page_of_kept_games(server):
    reader = Visitor(server).register()
    game = begin_game(Visitor(server), Visitor(server))
    reader.http.post(f"{game}/keep")
    page = reader.http.get("/games/kept")
    assert f'action="{game}/keep/undo"' in page.text
    page = reader.http.post(f"{game}/keep/undo", headers={"Referer": str(page.url)})
    assert page.url.path == "/games/kept"
    assert "No games here" in page.text


def test_guests_keep_games_and_visitors_cannot(server):
    game = begin_game(guest := Visitor(server), Visitor(server))
    guest.http.post(f"{game}/keep")
    assert f'href="{game}"' in guest.http.get("/games/kept").text
    visitor = Visitor(server)
    assert "/keep" not in visitor.http.get(game).text
    assert visitor.http.post(f"{game}/keep").status_code == 401
    assert visitor.http.get("/games/kept").url.path == "/login"
