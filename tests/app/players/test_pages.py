"""Lobby, lists of games, profiles, leaderboards and settings as pages without scripts."""

import re

import pytest

from tests.support.players import Match, Program, Visitor
from tests.support.workers import execute

BLITZ = {"kind": "realtime", "limit": 300, "increment": 5}


@pytest.fixture
def visitor(server):
    return Visitor(server)


def listed(html):
    return set(re.findall(r'id="challenge-([a-z0-9]+)"', html))


def test_the_lobby_is_filtered(server, visitor):
    maker = Program(server)
    kinds = {
        "realtime": maker.challenge(time_control=BLITZ).json()["id"],
        "correspondence": maker.challenge(time_control={"kind": "correspondence", "days": 3}).json()["id"],
        "none": maker.challenge().json()["id"],
        "rated": maker.challenge(rated=True).json()["id"],
    }
    everything = set(kinds.values())
    for query, expected in (
        ({}, everything),
        ({"clock": "realtime"}, {kinds["realtime"]}),
        ({"clock": "none"}, {kinds["none"], kinds["rated"]}),
        ({"rated": "yes"}, {kinds["rated"]}),
        ({"reach": "yes"}, everything - {kinds["rated"]}),  # a visitor plays casual games
        ({"game": "chess"}, set()),
    ):
        assert listed(visitor.http.get("/lobby", params=query).text) & everything == expected, query


def test_the_form_offers_what_it_says(server, visitor):
    visitor.register()
    form = {"clock": "realtime", "minutes": "15", "increment": "10", "rated": "yes", "rating_min": "1300"}
    page = visitor.http.post("/challenges", data=form)
    assert "15+10" in page.text
    assert "Rated" in page.text
    assert "1300 or more" in page.text
    for wrong, message in (
        ({"clock": "realtime", "minutes": "200"}, "Enter 180 or less."),
        ({"clock": "realtime", "increment": "soon"}, "Enter a whole number."),
        ({"clock": "sundial"}, "Choose one of the options."),
        ({"rating_min": "1600"}, "must lie within the range"),
        ({"rating_max": "much"}, "Enter a whole number."),
    ):
        answer = visitor.http.post("/challenges", data={**wrong, "size": "11"})
        assert answer.status_code == 422, wrong
        assert message in answer.text
        assert re.search(r'value="11" selected', answer.text)  # nothing that was entered is lost


def test_my_games_put_the_most_urgent_first(server, visitor):
    visitor.register()
    games = []
    for days in (7, 1, 3):
        maker = Program(server)
        control = {"kind": "correspondence", "days": days}
        challenge = maker.challenge(opponent=visitor.username, side="black", time_control=control).json()[
            "id"
        ]
        games.append(visitor.http.post(f"/challenges/{challenge}/accept").url.path)
        maker.move(games[-1].rsplit("/", 1)[1], "c4", 0)
    mine = re.findall(r'row-link" href="(/games/[a-z0-9]+)"', visitor.http.get("/games").text)
    assert mine == [games[1], games[2], games[0]]
    assert visitor.http.get("/games/next").url.path == games[1]
    assert visitor.http.get(f"/games/next?after={games[1].rsplit('/', 1)[1]}").url.path == games[2]


def test_a_profile_tells_results_and_the_score_between_two(server, visitor):
    match = Match(server)
    match.play("d4", "pass", "e5", "pass", "pass")  # nothing stands against Black
    page = visitor.http.get(f"/players/{match.black.username}").text
    assert re.search(r"Won, drawn, lost</dt><dd>1, 0, 0", page)
    assert "won" in page
    assert visitor.http.get("/players/nobody-at-all").status_code == 404
    about = match.white.http.get(f"/players/{match.black.username}").json()
    assert about["results"] == {"won": 1, "drawn": 0, "lost": 0}
    (game,) = match.white.http.get(f"/players/{match.black.username}/games").json()
    assert (game["opponent"], game["winner"], game["side"]) == (match.white.username, "black", "black")
    visitor.register()
    challenge = match.black.challenge(opponent=visitor.username).json()["id"]
    played = visitor.http.post(f"/challenges/{challenge}/accept").url.path
    visitor.http.post(f"{played}/resign")
    page = visitor.http.get(f"/players/{match.black.username}").text
    assert "0 won, 0 drawn, 1 lost" in page
    assert "No such game" in visitor.http.get(f"/players/{match.black.username}?rated=yes").text


def test_the_leaderboard_ranks_settled_ratings_and_keeps_the_others_apart(server, visitor, database_url):
    players = [Program(server) for _ in range(5)]
    for player, (rating, deviation) in zip(
        players, [(2400.5, 50), (2400.5, 60), (2300, 70), (2500, 120), (2200, 45)], strict=True
    ):
        execute(
            database_url,
            "INSERT INTO ratings (account_id, game, rating, deviation, volatility, games) "
            "SELECT id, 'jadejack', $2, $3, 0.06, 9 FROM accounts WHERE username = $1",
            player.username,
            rating,
            deviation,
        )
    names = {player.username for player in players}
    rows, cursor = [], ""
    while cursor is not None:  # page by page, two at a time
        page = players[0].http.get(f"/leaderboards/jadejack?limit=2&cursor={cursor}").json()
        rows += page["rows"]
        cursor = page["next"]
    mine = [(row["rank"], row["username"]) for row in rows if row["username"] in names]
    first, second, third, _, last = (player.username for player in players)
    assert [name for _, name in mine] == [first, second, third, last]
    ranks = [rank for rank, _ in mine]
    assert ranks[0] == ranks[1] == ranks[2] - 2 == ranks[3] - 3
    html = visitor.http.get("/leaderboards/jadejack").text
    settled, provisional = html.split("Provisional ratings")
    assert players[3].username in provisional
    assert players[3].username not in settled
    assert players[0].http.get("/leaderboards/jadejack?cursor=nonsense").status_code == 422
    assert visitor.http.get("/leaderboards/chess").status_code == 404


def test_settings_are_kept_and_bad_ones_refused(visitor):
    visitor.register()
    page = visitor.http.post("/account/preferences", data={"theme": "dark", "sounds": "on", "other": "x"})
    assert '<html lang="en" data-account data-theme="dark" data-sounds="on">' in page.text
    assert visitor.http.post("/account/preferences", data={"theme": "<pink>"}).status_code == 422
    assert 'data-theme="dark"' in visitor.http.get("/lobby").text


def test_another_browser_is_logged_out(server, visitor):
    visitor.register()
    elsewhere = Visitor(server)
    elsewhere.http.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"
    elsewhere.http.post("/login", data={"username": visitor.username, "password": "quite a long password"})
    page = visitor.http.get("/account").text
    assert "Firefox on Linux" in page
    (handle,) = re.findall(r"/account/keys/([0-9a-f]+)/revoke\"><button class=\"button\">Log out", page)
    assert visitor.http.post("/account/keys/0123456789abcdef/revoke").status_code == 404
    assert Visitor(server).register().http.post(f"/account/keys/{handle}/revoke").status_code == 404
    visitor.http.post(f"/account/keys/{handle}/revoke")
    assert elsewhere.http.get("/account").url.path == "/login"
    assert visitor.http.get("/account").url.path == "/account"


def test_tokens_need_a_name_and_a_purpose(visitor):
    visitor.register()
    for form, message in (
        ({"name": "", "scope": "play"}, "Fill in this field."),
        ({"name": "mine", "scope": "everything"}, "Choose one of the options."),
        ({"name": "mine", "scope": "play", "days": "12"}, "Choose one of the options."),
    ):
        answer = visitor.http.post("/account/tokens", data=form)
        assert answer.status_code == 422
        assert message in answer.text


def test_the_pictures_and_records_of_a_game(server, visitor):
    match = Match(server)
    match.play("c4", "g6", "d4")
    for ply, disks in ((0, 0), (1, 1), (3, 3), (99, 3)):
        picture = visitor.http.get(f"/games/{match.id}/board.svg?ply={ply}")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.count("v4.8a14") == disks
    download = visitor.http.get(f"/games/{match.id}/record.txt")
    assert download.headers["content-disposition"] == f'attachment; filename="gorrion-{match.id}.txt"'
    shown = visitor.http.post("/import", files={"file": ("game.txt", download.content)}, data={"ply": "2"})
    assert "Ply 2 of 3: White g6" in shown.text
    assert match.black.username in shown.text
    assert visitor.http.get(f"/games/{match.id}/about").text.count("<tr>") == 5
