"""Pages without scripts: forms, redirects, and what bad input gets."""

import re

import pytest

from tests.support.players import PASSWORD, Match, Visitor, fresh_name


@pytest.fixture
def visitor(server):
    return Visitor(server)


def assert_error_page(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("path", ["/", "/lobby", "/login", "/register", "/rules/jadejack", "/api/docs"])
def test_pages_open_for_everybody(visitor, path):
    answer = visitor.http.get(path)
    assert answer.status_code == 200
    assert "unsafe" not in answer.headers["content-security-policy"] or path == "/api/docs"


def test_a_page_that_does_not_exist(visitor):
    assert_error_page(visitor.http.get("/no/such/page"), 404)
    assert_error_page(visitor.http.get("/games/nosuchgame"), 404)
    assert_error_page(visitor.http.get("/challenges/nosuchone"), 404)
    assert_error_page(visitor.http.get("/games/%ff%fe"), 404)


def test_register_log_out_log_in_and_change_the_password(visitor):
    visitor.register()
    assert visitor.username in visitor.http.get("/lobby").text
    visitor.http.post("/logout")
    assert visitor.username not in visitor.http.get("/lobby").text
    answer = visitor.http.post("/login", data={"username": visitor.username.upper(), "password": PASSWORD})
    assert visitor.username in answer.text
    changed = {"current_password": PASSWORD, "new_password": "another long password"}
    assert visitor.http.post("/account/password", data=changed).status_code == 200
    assert visitor.http.post("/account/password", data=changed).status_code == 422


def test_a_new_password_ends_the_other_sessions(server, visitor):
    visitor.register()
    other = Visitor(server)
    other.http.post("/login", data={"username": visitor.username, "password": PASSWORD})
    assert visitor.username in other.http.get("/lobby").text
    visitor.http.post(
        "/account/password", data={"current_password": PASSWORD, "new_password": "another long password"}
    )
    assert visitor.username in visitor.http.get("/lobby").text
    assert visitor.username not in other.http.get("/lobby").text


def test_a_wrong_name_and_a_wrong_password_look_alike(visitor):
    visitor.register()
    visitor.http.post("/logout")
    answers = [
        visitor.http.post("/login", data={"username": name, "password": "not the password"})
        for name in (visitor.username, "nobody-by-this-name")
    ]
    assert [answer.status_code for answer in answers] == [401, 401]
    texts = [
        answer.text.replace(visitor.username, "NAME").replace("nobody-by-this-name", "NAME")
        for answer in answers
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    "username", ["<hx-partial>", "<script>", "ab", "a" * 21, "guest-me", "naïve", "a b c", "\x00abc"]
)
def test_a_name_that_cannot_be(visitor, username):
    answer = visitor.http.post("/register", data={"username": username, "password": PASSWORD})
    assert_error_page(answer, 422)
    assert "<hx-partial>" not in answer.text
    assert "<script>" not in answer.text
    assert username not in visitor.http.get("/lobby").text or len(username) < 3


def test_a_name_that_is_taken_in_another_case(server, visitor):
    visitor.register()
    answer = Visitor(server).http.post(
        "/register", data={"username": visitor.username.upper(), "password": PASSWORD}
    )
    assert_error_page(answer, 422)


def test_a_guest_becomes_an_account_and_keeps_the_games(server, visitor):
    host = Visitor(server).register()
    made = host.http.post("/challenges", data={"size": "9", "side": "black", "opponent_kind": "link"})
    challenge = made.url.path
    game = visitor.http.post(f"{challenge}/accept")
    assert game.url.path.startswith("/games/")
    assert "guest-" in game.text
    visitor.register()
    assert visitor.username in visitor.http.get(game.url.path).text
    assert game.url.path in visitor.http.get("/lobby").text


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {}])
def test_a_forged_or_missing_origin_changes_nothing(visitor, headers):
    visitor.register()
    del visitor.http.headers["Origin"]
    for path in ("/logout", "/challenges", "/guest", "/account/password", "/login"):
        assert_error_page(visitor.http.post(path, headers=headers), 403)
    assert visitor.username in visitor.http.get("/lobby").text


def test_a_log_in_leads_nowhere_else(visitor):
    visitor.register()
    visitor.http.post("/logout")
    for elsewhere in ("https://evil.example/", "//evil.example/", "/\\evil.example"):
        answer = visitor.http.post(
            "/login",
            data={"username": visitor.username, "password": PASSWORD, "next": elsewhere},
            follow_redirects=False,
        )
        assert answer.headers["location"] == "/lobby"


class TestMovesByForm:
    @pytest.fixture
    def table(self, server):
        black, white = Visitor(server).register(), Visitor(server).register()
        made = black.http.post(
            "/challenges",
            data={"size": "9", "side": "black", "opponent_kind": "username", "opponent": white.username},
        )
        game = white.http.post(f"{made.url.path}/accept")
        return black, white, game.url.path

    @staticmethod
    def form(move="c4", ply="0", move_id="5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11"):
        return {"move": move, "ply": ply, "move_id": move_id}

    def test_a_move_and_its_retry(self, table):
        black, _, game = table
        for _ in range(2):
            answer = black.http.post(f"{game}/moves", data=self.form())
            assert answer.status_code == 200
            assert answer.url.path == game
        assert 'id="sq-c4"' in answer.text

    def test_bad_moves(self, table):
        black, white, game = table
        assert_error_page(black.http.post(f"{game}/moves", data=self.form(move="zz")), 422)
        assert_error_page(black.http.post(f"{game}/moves", data=self.form(move="e5")), 422)
        assert_error_page(black.http.post(f"{game}/moves", data=self.form(ply="4")), 409)
        assert_error_page(black.http.post(f"{game}/moves", data=self.form(ply="x")), 422)
        assert_error_page(black.http.post(f"{game}/moves", data=self.form(move_id="1")), 422)
        assert_error_page(black.http.post(f"{game}/moves", data={}), 422)
        assert_error_page(white.http.post(f"{game}/moves", data=self.form()), 403)
        assert_error_page(black.http.post(f"{game}/moves", content=b"x" * 10_000_000), 413)

    def test_a_visitor_may_watch_and_not_play(self, table, server):
        _, _, game = table
        stranger = Visitor(server)
        assert stranger.http.get(game).status_code == 200
        assert_error_page(stranger.http.post(f"{game}/moves", data=self.form()), 401)
        assert_error_page(stranger.register().http.post(f"{game}/moves", data=self.form()), 403)

    def test_errors_of_htmx_are_fragments(self, table):
        black, _, game = table
        headers = {"HX-Request": "true", "HX-Request-Type": "partial"}
        for form, status in ((self.form(move="e5"), 422), (self.form(ply="3"), 409)):
            answer = black.http.post(f"{game}/moves", data=form, headers=headers)
            assert answer.status_code == status
            assert answer.text.lstrip().startswith("<hx-partial")
            assert "<html" not in answer.text

    def test_a_past_ply_is_a_page_and_a_fragment(self, table):
        black, _, game = table
        black.http.post(f"{game}/moves", data=self.form())
        assert "Ply 0 of 1" in black.http.get(f"{game}?ply=0").text
        fragment = black.http.get(
            f"{game}?ply=0", headers={"HX-Request": "true", "HX-Request-Type": "partial"}
        )
        assert "Ply 0 of 1" in fragment.text
        assert "<html" not in fragment.text
        for odd in ("-1", "99", "x", "٣"):
            assert black.http.get(f"{game}?ply={odd}").status_code == 200


def test_challenges_that_cannot_be(server, visitor):
    visitor.register()
    for form in (
        {"size": "7"},
        {"size": "14"},
        {"size": "x"},
        {"side": "red"},
        {"game": "chess"},
        {"opponent_kind": "nobody"},
        {"opponent_kind": "username", "opponent": "nobody-by-this-name"},
        {"opponent_kind": "username", "opponent": visitor.username},
    ):
        assert_error_page(visitor.http.post("/challenges", data=form), 422)
    assert_error_page(visitor.http.post("/challenges/nosuchone/accept"), 404)


def test_only_those_concerned_may_answer_a_challenge(server):
    maker, friend, stranger = (Visitor(server).register() for _ in range(3))
    made = maker.http.post("/challenges", data={"opponent_kind": "username", "opponent": friend.username})
    path = made.url.path
    assert_error_page(stranger.http.post(f"{path}/accept"), 403)
    assert_error_page(stranger.http.post(f"{path}/decline"), 403)
    assert_error_page(stranger.http.post(f"{path}/cancel"), 403)
    assert_error_page(maker.http.post(f"{path}/accept"), 403)
    assert friend.http.post(f"{path}/decline").status_code == 200
    assert_error_page(friend.http.post(f"{path}/accept"), 409)
    assert_error_page(maker.http.post(f"{path}/cancel"), 409)


def test_of_two_who_accept_at_once_one_gets_the_game(server):
    from concurrent.futures import ThreadPoolExecutor

    maker = Visitor(server).register()
    path = maker.http.post("/challenges", data={"opponent_kind": "open"}).url.path
    others = [Visitor(server).register() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda other: other.http.post(f"{path}/accept"), others))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]


def test_a_move_by_the_api_shows_on_the_page(server, visitor):
    match = Match(server)
    match.play("c4")
    text = visitor.http.get(f"/games/{match.id}").text
    assert match.black.username in text
    assert match.white.username in text


def test_throttled_log_ins(database_url):
    from tests.support.server import start_server

    server = start_server(database_url, throttle="on")
    try:
        visitor = Visitor(server)
        answers = [
            visitor.http.post("/login", data={"username": fresh_name(), "password": "wrong password"})
            for _ in range(100)
        ]
        statuses = [answer.status_code for answer in answers]
        assert statuses[:10] == [401] * 10
        assert set(statuses[10:]) == {429}
        assert int(answers[-1].headers["retry-after"]) > 0
    finally:
        server.stop()


def test_static_files_are_kept_under_their_version(visitor):
    page = visitor.http.get("/lobby").text
    sheet, version = re.search(r'href="(/static/([0-9a-f]{12})/gorrion\.css)"', page).groups()
    script = re.search(r'<script type="module" src="([^"]+)"', page).group(1)
    assert script == f"/static/{version}/js/live.js"
    kept = [visitor.http.get(path) for path in (sheet, script, f"/static/{version}/js/dom.js")]
    passing = [visitor.http.get(path) for path in (sheet.replace(version, "0" * 12), "/static/js/live.js")]
    assert [answer.status_code for answer in (*kept, *passing)] == [200] * 5
    assert ["immutable" in answer.headers.get("cache-control", "") for answer in kept] == [True] * 3
    assert ["immutable" in answer.headers.get("cache-control", "") for answer in passing] == [False] * 2
    assert passing[0].text == kept[0].text
    assert kept[0].headers["content-type"].startswith("text/css")
    assert kept[1].headers["content-type"].startswith("text/javascript")
    assert visitor.http.get(f"/static/{version}/js/none.js").status_code == 404
