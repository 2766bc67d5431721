"""Playing by forms, and pages of games."""

import re

import pytest

from tests.support.answers import assert_error_page
from tests.support.database import execute
from tests.support.players import Match, Visitor
from tests.support.solitaire import begin, play, random_games
from tests.support.waiting import WITHIN, wait_until


def begin_game(server, **terms):
    """Return the visitors who play Black and White, and the path of their game."""
    black, white = Visitor(server).register(), Visitor(server).register()
    offer = {"side": "black", "opponent_kind": "username", "opponent": white.username}
    made = black.http.post("/challenges", data={**offer, **terms})
    return black, white, white.http.post(f"{made.url.path}/accept").url.path


@pytest.fixture
def table(server):
    return begin_game(server, size="9")


def move_form(move="c4", ply="0", move_id="5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11"):
    return {"move": move, "ply": ply, "move_id": move_id}


def test_a_repeated_move_is_played_once(table):
    black, _, game = table
    for _ in range(2):
        answer = black.http.post(f"{game}/moves", data=move_form())
        assert answer.status_code == 200
        assert answer.url.path == game
    assert 'id="sq-c4"' in answer.text


def test_illegal_and_malformed_moves_are_refused(table):
    black, white, game = table
    assert_error_page(black.http.post(f"{game}/moves", data=move_form(move="zz")), 422)
    assert_error_page(black.http.post(f"{game}/moves", data=move_form(move="e5")), 422)
    assert_error_page(black.http.post(f"{game}/moves", data=move_form(ply="4")), 409)
    assert_error_page(black.http.post(f"{game}/moves", data=move_form(ply="x")), 422)
    assert_error_page(black.http.post(f"{game}/moves", data=move_form(move_id="1")), 422)
    assert_error_page(black.http.post(f"{game}/moves", data={}), 422)
    assert_error_page(white.http.post(f"{game}/moves", data=move_form()), 403)
    assert_error_page(black.http.post(f"{game}/moves", content=b"x" * 10_000_000), 413)


def test_a_visitor_can_watch_but_not_play(table, server):
    _, _, game = table
    stranger = Visitor(server)
    assert stranger.http.get(game).status_code == 200
    assert_error_page(stranger.http.post(f"{game}/moves", data=move_form()), 401)
    assert_error_page(stranger.register().http.post(f"{game}/moves", data=move_form()), 403)


@pytest.mark.parametrize(("clock", "stays"), [("none", True), ("realtime", True), ("correspondence", False)])
def test_the_page_of_a_player_stays_connected_in_a_hidden_tab_unless_by_correspondence(server, clock, stays):
    black, _, game = begin_game(server, clock=clock)
    pages = [visitor.http.get(game).text for visitor in (black, Visitor(server))]
    kept = '"pauseOnBackground": false'
    assert [kept in page for page in pages] == [stays, False]


def test_programs_find_games_to_watch_as_pages_show_them(server, program, other, clock):
    clock.advance(minutes=11)  # games of other tests are idle
    control = {"time_control": {"kind": "correspondence", "days": 3}}
    games = [program.challenge(opponent=other.username, **control).json()["id"] for _ in range(3)]
    games = [other.http.post(f"/challenges/{each}/accept").json()["game_id"] for each in games]

    def listed(query):
        page, ids = f"/games?{query}", []
        while page:
            answer = other.http.get(page)
            ids += [game["id"] for game in answer.json()]
            page = answer.links.get("next", {}).get("url", "").removeprefix("/api/v1")
        return sorted(each for each in ids if each in games)

    for query in ("limit=50", "limit=2", "limit=50&game=jadejack&rated=false&players=people"):
        assert listed(query) == sorted(games)
    assert listed("game=jumping_farther") == listed("rated=true") == []
    for wrong in ("game=chess", "rated=maybe", "players=computers", "number=0"):
        assert other.http.get(f"/games?{wrong}").status_code == 422


def test_games_to_watch_are_filtered_and_idle_ones_drop_out(server, visitor, clock):
    _, _, game = begin_game(server, clock="none")

    def is_listed(**query):
        pages = [visitor.http.get("/watch", params={**query, "number": number}) for number in (1, 2, 3)]
        return sum(game in page.text for page in pages if page.status_code == 200)

    assert [is_listed(), is_listed(game="jadejack", rated="no", players="people")] == [1, 1]
    assert [is_listed(game="jumping_farther"), is_listed(rated="yes")] == [0, 0]
    clock.advance(minutes=11)
    assert is_listed() == 0
    assert visitor.http.get("/watch?number=0").status_code == 422


def test_without_scripts_a_page_that_waits_for_the_opponent_has_a_link_to_look_again(table):
    black, white, game = table
    assert ["Look again" in player.http.get(game).text for player in (black, white)] == [False, True]


def test_a_page_is_sent_the_board_only_if_its_own_lacks_something(table):
    black, white, game = table
    for player, is_sent in ((black, False), (white, True)):  # whoever waits may play premoves
        address = re.search(r'data-hx-ws-connect="(/games/[^"]+)"', player.http.get(game).text)[1]
        with player.live(address) as page:
            first = page.recv(WITHIN)
        assert ('hx-target="#squares"' in first) is is_sent
        assert 'hx-target="#version"' in first


@pytest.mark.parametrize("asked", ["takeback", "pause"])
def test_who_asked_is_told_that_the_opponent_declined(server, asked):
    black, white, game = begin_game(server, clock="realtime")
    for mover, move, ply in ((black, "c4", "0"), (white, "g6", "1")):
        form = move_form(move, ply, f"5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a1{ply}")
        mover.http.post(f"{game}/moves", data=form)
    for asker, answerer in ((black, white), (white, black)):
        with asker.live(f"{game}/live") as page:
            page.recv(WITHIN)  # from now on it is sent each step
            asker.http.post(f"{game}/{asked}")
            answerer.http.post(f"{game}/no-{asked}")
            wait_until(lambda page=page: f"declined the {asked}." in page.recv(WITHIN))


def test_a_pass_is_told_beside_the_turn(table):
    black, white, game = table
    told = "Black has passed. The game ends if White passes too."
    assert told not in white.http.get(game).text
    black.http.post(f"{game}/moves", data=move_form(move="pass"))
    assert told in white.http.get(game).text


def test_errors_of_htmx_are_fragments(table):
    black, _, game = table
    headers = {"HX-Request": "true", "HX-Request-Type": "partial"}
    for form, status in ((move_form(move="e5"), 422), (move_form(ply="3"), 409)):
        answer = black.http.post(f"{game}/moves", data=form, headers=headers)
        assert answer.status_code == status
        assert answer.text.lstrip().startswith("<hx-partial")
        assert "<html" not in answer.text


def test_a_closed_square_says_why_to_each_side(table, server):
    black, white, game = table
    assert "the first disk may not go on the centre" in black.http.get(f"{game}/squares/e5").text
    for mover, move, ply in ((black, "c4", "0"), (white, "g6", "1")):
        form = move_form(move, ply, f"5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a1{ply}")
        mover.http.post(f"{game}/moves", data=form)
    answer = black.http.get(f"{game}/squares/g7").text
    assert "g7: your strength 0, White&#39;s 1: you need at least 1." in answer
    assert 'data-opposing="g6"' in answer
    answer = white.http.get(f"{game}/squares/g6").text
    assert "g6: Black&#39;s strength 0, White&#39;s 0, and the height counts too" in answer
    assert "Black needs at least 1 to hijack this stack." in answer
    assert "data-square" not in black.http.get(f"{game}/squares/a1").text
    for odd in ("j1", "e99"):
        assert "There is no square" in black.http.get(f"{game}/squares/{odd}").text
    assert black.http.get(f"{game}/squares/pass").status_code == 404


def test_a_closed_square_of_a_number_game_says_why(program, visitor):
    texts = {}
    for kind, moves, asked in (
        ("up_and_up", ("c3", "c4", "e4"), ("c3", "d4", "a4")),
        ("jumping_farther", ("c3", "c4"), ("d6",)),
    ):
        game = begin(program, kind, 8)
        play(program, game, moves)
        texts |= {square: visitor.http.get(f"/games/{game}/squares/{square}").text for square in asked}
    assert "c3: 1 is here already." in texts["c3"]
    assert "d4: k falls back to 1 only when no free square is 3 away from e4." in texts["d4"]
    assert "a4 is not 3 squares up, down, left or right of e4, where 3 is." in texts["a4"]
    assert "d6 is not in line with c4, where 2 is." in texts["d6"]


def test_a_past_ply_is_a_page_and_a_fragment(table):
    black, _, game = table
    black.http.post(f"{game}/moves", data=move_form())
    assert "Move 0 of 1" in black.http.get(f"{game}?ply=0").text
    fragment = black.http.get(f"{game}?ply=0", headers={"HX-Request": "true", "HX-Request-Type": "partial"})
    assert "Move 0 of 1" in fragment.text
    assert "<html" not in fragment.text
    for odd in ("-1", "99", "x", "٣"):
        assert black.http.get(f"{game}?ply={odd}").status_code == 200


def test_the_way_out_of_a_replay_is_named_for_what_is_there(table):
    black, white, game = table
    black.http.post(f"{game}/moves", data=move_form())
    assert "Back to the live board" in black.http.get(f"{game}?ply=0").text
    white.http.post(f"{game}/resign")
    page = black.http.get(f"{game}?ply=0").text
    assert "Back to the live board" not in page
    assert "The end" in page


def test_a_move_by_the_api_shows_on_the_page(server, visitor):
    match = Match(server)
    match.play("c4")
    text = visitor.http.get(f"/games/{match.id}").text
    assert match.black.username in text
    assert match.white.username in text


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ("c4 %s", "Zug 2, %s: &#39;%s&#39; ist kein Feld wie e5."),
        ("c4 c4", "Zug 2, c4: Eine Scheibe auf c4 "),
        ("(c4", "Eine Variante steht hinter dem Zug, den sie ersetzt."),
        ('[Options "size=99"]', "size muss von 8 bis 13 sein, nicht 99."),
    ],
)
def test_what_is_wrong_with_a_record_is_told_in_the_language_of_the_page(visitor, moves, told):
    record, german = f'[Game "jadejack"]\n{moves}', {"Accept-Language": "de"}
    page = visitor.http.post("/import", data={"record": record}, headers=german)
    assert page.status_code == 422
    assert told in page.text


def test_a_game_has_pictures_and_a_record(server, visitor):
    match = Match(server)
    match.play("c4", "g6", "d4")
    for ply, disks in ((0, 0), (1, 1), (3, 3), (99, 3)):
        picture = visitor.http.get(f"/games/{match.id}/board.svg?ply={ply}")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.count("v5.4a16.5") == disks
    download = visitor.http.get(f"/games/{match.id}/record.txt")
    assert download.headers["content-disposition"] == f'attachment; filename="gorrion-{match.id}.txt"'
    shown = visitor.http.post("/import", files={"file": ("game.txt", download.content)}, data={"ply": "2"})
    assert "Move 2 of 3: White g6" in shown.text
    assert match.black.username in shown.text
    assert visitor.http.get(f"/games/{match.id}/about").text.count("<tr>") == 5


@pytest.mark.parametrize("encoding", ["utf-16", "cp1250"])
def test_a_file_in_another_encoding_is_refused_as_such(visitor, encoding):
    record = '[Game "jadejack"]\n[Black "é"]\n\n1. c4'
    answer = visitor.http.post("/import", files={"file": ("game.txt", record.encode(encoding))})
    assert answer.status_code == 422
    assert "not text in UTF-8" in answer.text


def test_games_that_began_together_are_each_on_one_page(server, program, other, clock, database_url):
    clock.advance(minutes=11)  # games of other tests are idle
    control = {"time_control": {"kind": "correspondence", "days": 3}}
    games = []
    for _ in range(8):
        made = program.challenge(opponent=other.username, **control).json()["id"]
        games.append(other.http.post(f"/challenges/{made}/accept").json()["game_id"])
    execute(database_url, "UPDATE games SET created_at = '2026-01-01Z' WHERE id = ANY($1)", games)
    page, listed = "/games?limit=2", []
    while page:
        answer = other.http.get(page)
        listed += [game["id"] for game in answer.json() if game["id"] in games]
        page = answer.links.get("next", {}).get("url", "").removeprefix("/api/v1")
    assert sorted(listed) == sorted(games)


def test_the_picture_of_a_game_is_kept_once_it_is_over(server, visitor):
    match = Match(server)
    path = f"/games/{match.id}/board.svg"
    assert visitor.http.get(path).headers["cache-control"] == "no-store"
    match.black.http.post(f"/games/{match.id}/abort")
    assert visitor.http.get(path).headers["cache-control"] == "private, max-age=86400"


def test_the_picture_of_a_game_for_one_is_kept_once_it_is_submitted(program, visitor):
    game = begin(program)
    play(program, game, next(iter(random_games("up_and_up", 4).values())))
    path = f"/games/{game}/board.svg"
    assert visitor.http.get(path).headers["cache-control"] == "no-store"  # a move may be taken back
    assert program.http.post(f"/games/{game}/submit").status_code == 200
    assert visitor.http.get(path).headers["cache-control"] == "private, max-age=86400"
