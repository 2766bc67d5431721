"""Lists of games and profiles as pages."""

import re

from tests.support.players import Match, Program


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


def test_a_profile_shows_results_and_the_score_against_the_visitor(server, visitor):
    match = Match(server)
    match.play("d4", "pass", "e5", "pass", "pass")  # White has no points
    page = visitor.http.get(f"/players/{match.black.username}").text
    assert re.search(r"1 won, 0 drawn, 0 lost", page)
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
