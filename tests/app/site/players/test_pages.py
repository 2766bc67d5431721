"""Lists of games and profiles as pages."""

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.ids import new_id
from app.core.moments import utc_now
from app.people.achievements import Achievement
from app.site.awards.models import Award
from app.site.players.presenter import activity_view, award_view
from tests.support.answers import code
from tests.support.database import execute, fetch
from tests.support.games import BLITZ, lost_rated_game, post
from tests.support.moderation import make_moderator
from tests.support.nugget import new_record, text_of
from tests.support.players import Match, Program, Visitor, client
from tests.support.waiting import WITHIN, wait_until

_DEVIATION = """
SELECT deviation FROM ratings JOIN accounts ON accounts.id = account_id WHERE username = $1
"""


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
    assert "No games match this choice" in visitor.http.get(f"/players/{match.black.username}?rated=yes").text


def test_a_profile_without_games_has_no_figures_of_them(server, visitor):
    page = visitor.http.get(f"/players/{Program(server).username}").text
    assert "No games yet." in page
    for part in ("No games match this choice", "Results", 'class="filters"'):
        assert part not in page


def test_a_game_that_a_moderator_voided_is_no_result(program, other, database_url):
    def results():
        return program.http.get(f"/players/{other.username}").json()["results"]

    lost_rated_game(other, program)
    voided = lost_rated_game(program, other)
    assert results() == {"won": 1, "drawn": 0, "lost": 1}
    moderator = make_moderator(database_url, Program(program.server))
    order = {"username": other.username, "action": "void_game", "reason": "Arranged."}
    voiding = post(moderator, "/moderation/actions", **order, subject=f"game:{voided}")
    assert voiding.status_code == 201, voiding.text
    assert results() == {"won": 0, "drawn": 0, "lost": 1}


def test_games_that_a_reader_may_not_see_leave_no_gaps_in_pages(server, program, other):
    alone = {"game": "up_and_up", "options": {"size": 8}}
    open_games = [program.http.post("/games", json=alone).json()["id"] for _ in range(2)]
    races = [program.http.post("/races", json={**alone, "minutes": 60}).json()["id"] for _ in range(2)]
    private = [program.http.post(f"/races/{race}/join").json()["game_id"] for race in races]
    profile = f"/players/{program.username}"
    path = f"{profile}/games?limit=1"
    assert listed(other, path) == open_games[::-1]
    assert listed(program, path) == [*private[::-1], *open_games[::-1]]
    assert listed(other, f"{path}&game=jadejack") == listed(other, f"{path}&rated=true") == []
    assert listed(other, f"{path}&game=up_and_up&rated=false&status=started") == open_games[::-1]
    for wrong in ("status=created", "game=chess"):
        assert code(other.http.get(f"{path}&{wrong}")) == (422, "invalid_request")
    visitor, owner = Visitor(server), Visitor(server).log_in(program.username)
    assert not any(game in visitor.http.get(profile).text for game in private)
    assert all(game in owner.http.get(profile).text for game in private)


def listed(reader, path):
    """Return the ids on all pages of a list of games."""
    ids = []
    while path:
        page = reader.http.get(path)
        ids += [game["id"] for game in page.json()]
        path = page.links.get("next", {}).get("url", "").removeprefix("/api/v1")
    return ids


def test_a_profile_says_of_its_player_that_the_rating_is_provisional(visitor, program, other):
    lost_rated_game(program, other)
    page = visitor.http.get(f"/players/{program.username}").text
    assert "Provisional until games count against 5 more players with proven ratings." in page
    assert 'href="/fair-play#ratings"' in page


def test_a_profile_shows_twice_the_deviation_as_uncertainty(visitor, program, other, database_url):
    lost_rated_game(program, other)
    page = visitor.http.get(f"/players/{program.username}").text
    stored = fetch(database_url, _DEVIATION, program.username)["deviation"]
    assert f"1 rated game, uncertainty ±{2 * stored:.0f}." in page


def test_players_are_found_by_the_beginning_of_their_names(server, visitor):
    player, guest = Visitor(server).register(), Visitor(server)
    guest.http.post("/guest")
    start = player.username[:-1].upper()
    assert f'href="/players/{player.username}"' in visitor.http.get("/players", params={"q": start}).text
    options = visitor.http.get("/player-suggestions", params={"opponent": start}).text
    assert f'value="{player.username}"' in options
    for nobody in ("%", "guest", "\0", "no-such-player"):
        assert "row-card" not in visitor.http.get("/players", params={"q": nobody}).text
    assert 'value="' not in visitor.http.get("/player-suggestions").text


def test_programs_find_players_by_the_beginning_of_their_names(server, program):
    names = [f"{program.username}{ending}" for ending in ("", "a", "bc")]
    for name in names[1:]:
        Visitor(server).register(name)

    def found(http, **query):
        return [each["username"] for each in http.get("/players", params=query).json()["players"]]

    for http in (program.http, client(base_url=f"{server.url}/api/v1")):
        assert found(http, q=names[0].upper()) == names
        assert found(http, q=f" {names[0]} ", limit=2) == names[:2]
        for nobody in ("", "%", "_", "guest", "\0", "no-such-player"):
            assert found(http, q=nobody) == []
    assert program.http.get("/players", params={"q": "p", "limit": 21}).status_code == 422


def test_shared_links_have_a_picture(server, visitor):
    player = Visitor(server).register()
    game = visitor.http.post("/solitaire", data={"game": "up_and_up"}).url.path
    record = text_of(new_record(detours=9))
    entry = player.http.post("/nugget/submit", data={"intent": "submit", "record": record}).url.path
    for page in (f"/players/{player.username}", game, entry):
        address = re.search(r'og:image" content="([^"]+)"', visitor.http.get(page).text).group(1)
        picture = visitor.http.get(address)
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")


def test_the_page_of_players_lists_the_last_opponents(server, visitor):
    match = Match(server)
    visitor.log_in(match.black.username)
    assert "Last opponents" not in visitor.http.get("/players").text
    match.play("d4", "pass", "e5", "pass", "pass")
    page = visitor.http.get("/players").text.split("Last opponents")[1]
    assert f'href="/players/{match.white.username}"' in page


def is_shown_online(reader, username):
    """Return where a player is said to be online: on the profile, in the list, to followers."""
    page = Visitor(reader.server).http.get("/players").text.split("Online now")[1]
    return {
        "profile": reader.http.get(f"/players/{username}").json()["online"],
        "list": f'href="/players/{username}"' in page,
        "friends": any(
            friend["online"]
            for friend in reader.http.get("/me/following").json()["players"]
            if friend["username"] == username
        ),
    }


def test_who_hides_it_is_online_for_nobody(server, program):
    seen = Visitor(server).register()
    program.http.put(f"/players/{seen.username}/follow")
    with seen.live("/account/live"):
        wait_until(lambda: all(is_shown_online(program, seen.username).values()))
        seen.http.post("/account/preferences", data={"online": "off"})
        wait_until(lambda: not any(is_shown_online(program, seen.username).values()))


def test_the_calendar_of_a_profile_has_the_games_of_the_last_year():
    today = date(2026, 11, 26)
    days = {today: 1, today - timedelta(days=200): 9, today - timedelta(days=400): 5}
    view = activity_view(days, today)
    assert (view.games, view.months) == (10, [("2026-05", 9), ("2026-11", 1)])
    assert view.calendar.count("<title>") == 2
    assert activity_view({today - timedelta(days=400): 5}, today) is None


@given(st.dates(date(2020, 1, 1), date(2040, 1, 1)), st.lists(st.integers(-5, 500), max_size=20))
def test_every_day_of_the_calendar_has_its_own_square(today, ages):
    view = activity_view({today - timedelta(days=age): 1 for age in ages}, today)
    squares = re.findall(r'x="(\d+)" y="(\d+)"', view.calendar) if view else []
    assert len(set(squares)) == len(squares)
    assert all(0 <= int(x) < 52 * 12 and 0 <= int(y) < 7 * 12 for x, y in squares)


@pytest.mark.parametrize("achievement", Achievement)
def test_every_achievement_has_an_icon(achievement):
    award = Award(achievement=achievement.value, proof="game:x", earned_at=utc_now())
    assert award_view(award).icon.startswith(("M", "m"))


def test_who_hides_it_tells_nobody_what_is_played_nor_who_is_at_a_board(server, program):
    match = Match(server, time_control=BLITZ)
    hidden = match.black
    program.http.put(f"/players/{hidden.username}/follow")
    Visitor(server).log_in(hidden.username).http.post("/account/preferences", data={"online": "off"})
    match.play("c4", "f6")
    friends = program.http.get("/me/following").json()["players"]
    assert [friend["game_id"] for friend in friends] == [None]
    watching, playing = Visitor(server).register(), Visitor(server).log_in(match.white.username)
    path = f"/games/{match.id}/live"
    with hidden.socket(match.id), playing.live(path) as page, watching.live(path) as spectators:
        assert attendance(page, lambda html: f"{hidden.username} is here" in html)
        shown = attendance(spectators, lambda html: 'data-here="white"' in html)
        assert hidden.username not in shown


def test_an_open_page_learns_who_hides_being_at_a_board_or_shows_it(server):
    match = Match(server, time_control=BLITZ)
    path, watching = f"/games/{match.id}/live", Visitor(server).register()
    with (
        match.black.socket(match.id),
        match.white.socket(match.id),
        watching.live(path) as page,
    ):
        both = attendance(page, lambda html: 'data-here="black white"' in html)
        for choice, here in (("off", "white"), ("on", "black white")):
            assert match.black.http.put("/me/preferences", json={"online": choice}).is_success
            shown = attendance(page, lambda html, here=here: f'data-here="{here}"' in html)
        assert shown == both


def test_who_is_blocked_does_not_learn_that_the_other_one_is_online(server, program):
    seen = Visitor(server).register()
    with seen.live("/account/live"):
        wait_until(lambda: program.http.get(f"/players/{seen.username}").json()["online"])
        seen.http.post(f"/players/{program.username}/block")
        assert not program.http.get(f"/players/{seen.username}").json()["online"]


def attendance(page, fits):
    """Return the next part of a game page about who is there that fits."""
    while True:
        html = page.recv(WITHIN)
        if 'id="attendance"' in html and fits(html):
            return html


def test_games_that_ended_at_one_moment_are_each_on_one_page(server, database_url):
    player, opponent = Program(server), Program(server)
    ids = [new_id() for _ in range(7)]
    execute(
        database_url,
        """
        INSERT INTO games (id, game, options, status, first_player, second_player, position, ended_at)
        SELECT made.id, 'jadejack', '{"size": 9}', 'aborted', first.id, second.id, $4, '2026-01-01'
        FROM unnest($3::text[]) WITH ORDINALITY AS made (id, number)
        JOIN accounts first ON first.username = CASE WHEN number % 2 = 0 THEN $1 ELSE $2 END
        JOIN accounts second ON second.username = CASE WHEN number % 2 = 0 THEN $2 ELSE $1 END
        """,
        player.username,
        opponent.username,
        ids,
        "9/9/9/9/9/9/9/9/9 b 0",
    )
    path = f"/players/{player.username}/games"
    pages = [player.http.get(path, params={"limit": 3, "number": number}).json() for number in (1, 2, 3)]
    assert [[game["id"] for game in page] for page in pages] == [
        sorted(ids)[:3],
        sorted(ids)[3:6],
        sorted(ids)[6:],
    ]
