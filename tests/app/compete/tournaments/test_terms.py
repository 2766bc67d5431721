"""Who may make and join which tournaments, and what the calendar and the seasons have of them."""

from datetime import datetime, timedelta

import icalendar
import pytest
from msgspec import json

from app.compete.tournaments.calendar import CalendarEntry, to_ical
from app.compete.tournaments.seasons import update_seasons
from app.core.i18n.languages import reading
from app.core.i18n.text import Text
from app.core.moments import utc_now
from app.site.accounts.service import grant
from tests.support.alerts import alerts
from tests.support.database import execute, on_database
from tests.support.games import lost_rated_game, post
from tests.support.moderation import make_moderator
from tests.support.players import Program, Visitor, make_old
from tests.support.server import start_server
from tests.support.tournaments import BULLET, Cup
from tests.support.waiting import wait_until


def request(**members):
    body = {"name": "A cup", "kind": "swiss", "game": "jadejack", "time_control": BULLET, "rounds": 5}
    starts_at = (utc_now() + timedelta(hours=1)).isoformat()
    return {
        key: value for key, value in {**body, "starts_at": starts_at, **members}.items() if value is not ...
    }


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"rounds": 2}, "bad_rounds"),
        ({"kind": "arena", "minutes": 19}, "bad_minutes"),
        ({"kind": "arena", "minutes": 30, "starts_at": None}, "bad_start"),
        (
            {"kind": "arena", "minutes": 30, "time_control": {"kind": "correspondence", "days": 3}},
            "bad_time_control",
        ),
        ({"kind": "knockout", "best_of": 2}, "bad_best_of"),
        ({"kind": "round_robin", "groups": 9}, "bad_groups"),
        ({"kind": "round_robin", "max_players": 17}, "bad_max_players"),
        ({"starts_at": "2020-01-01T12:00:00Z"}, "bad_start"),
        ({"starts_at": "9999-12-31T23:00:00Z"}, "bad_start"),
        ({"rating_min": 1800, "rating_max": 1500}, "bad_rating_max"),
        ({"max_players": 101}, "bad_max_players"),
        ({"starts_at": None}, "bad_max_players"),
        ({"kind": "round_robin", "starts_at": None}, "bad_max_players"),
        ({"rated": True}, "not_an_organiser"),
        ({"game": "up_and_up"}, "solitaire"),
        ({"team": "k7m2wq9xab"}, "not_a_member"),
    ],
)
def test_terms_that_are_not_offered(program, members, code):
    refused = program.http.post("/tournaments", json=request(**members))
    assert (refused.status_code in (403, 422), refused.json()["code"]) == (True, code)
    assert "%(" not in refused.text  # the limits are filled in


def test_organisers_make_rated_tournaments(server, database_url):
    organiser = Program(server)
    on_database(database_url, lambda database: grant(database, organiser.username, "organiser"))
    made = organiser.http.post("/tournaments", json=request(rated=True, max_players=200))
    assert made.status_code == 201
    shown = organiser.http.get(f"/tournaments/{made.json()['id']}").json()
    assert (shown["rated"], shown["max_players"], shown["rounds"]) == (True, 200, 5)


def test_a_tournament_is_edited_and_cancelled_by_its_organiser_only(server, program, other):
    tournament = program.http.post("/tournaments", json=request()).json()["id"]
    path = f"/tournaments/{tournament}"
    changed = request(name="Another name", rounds=7)
    assert other.http.put(path, json=changed).json()["code"] == "not_yours"
    assert program.http.put(path, json=changed).json()["name"] == "Another name"
    for player in (program, other, Program(server)):
        assert post(player, f"{path}/join").status_code == 200
    assert program.http.put(path, json=request(max_players=2)).json()["code"] == "bad_max_players"
    assert post(other, f"{path}/cancel", reason="Why not").json()["code"] == "not_yours"
    assert post(program, f"{path}/cancel", reason="No time").json()["status"] == "cancelled"
    assert post(other, f"{path}/join").json()["code"] == "tournament_over"
    assert tournament in [
        each["id"] for each in program.http.get("/tournaments?status=cancelled").json()["tournaments"]
    ]


def test_a_muted_player_writes_nothing_about_a_tournament(server, program, database_url):
    moderator = make_moderator(database_url, Program(server))
    path = f"/tournaments/{program.http.post('/tournaments', json=request()).json()['id']}"
    order = {"username": program.username, "action": "mute", "reason": "Advertising"}
    assert moderator.http.post("/moderation/actions", json=order).status_code == 201
    refused = [
        program.http.post("/tournaments", json=request()),
        program.http.put(path, json=request(name="Buy my feathers")),
    ]
    assert [answer.json()["code"] for answer in refused] == ["muted"] * 2
    cancelled = post(program, f"{path}/cancel", reason="Buy my feathers").json()
    assert (cancelled["status"], cancelled["reason"]) == ("cancelled", "")


def test_nobody_makes_too_many_tournaments(program):
    for _ in range(3):
        assert program.http.post("/tournaments", json=request()).status_code == 201
    assert program.http.post("/tournaments", json=request()).json()["code"] == "too_many_tournaments"


def test_nobody_takes_part_in_too_many_tournaments_by_joining_or_coming_back(server, clock, database_url):
    cup = Cup(server, clock, 3, "arena", minutes=60)
    leaver, pausing, staying = cup.programs.values()
    cup.start()
    assert post(leaver, f"/tournaments/{cup.id}/withdraw").status_code == 200
    assert post(pausing, f"/tournaments/{cup.id}/pause").status_code == 200
    copy = (
        "INSERT INTO tournaments SELECT (jsonb_populate_record(cup, jsonb_build_object("
        "'id', $2 || n, 'status', 'created', 'due_at', NULL, 'starts_at', now() + interval '1 day'))).* "
        "FROM tournaments cup, generate_series(1, 20) n WHERE id = $1"
    )
    enter = (
        "INSERT INTO tournament_players (tournament_id, account_id, rating) SELECT $1 || n, id, 1500 "
        "FROM accounts, generate_series(1, 20) n WHERE username = ANY($2)"
    )
    prefix = cup.id[:8]
    execute(database_url, copy, cup.id, prefix)
    execute(database_url, enter, prefix, [leaver.username, pausing.username, staying.username])
    other = Cup(server, clock, 0, "arena", minutes=60)
    refusals = [post(leaver, f"/tournaments/{cup.id}/join"), post(staying, f"/tournaments/{other.id}/join")]
    assert [refused.json()["code"] for refused in refusals] == ["too_many_tournaments"] * 2
    assert post(pausing, f"/tournaments/{cup.id}/join").status_code == 200


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"password": "nightingale"}, "wrong_password"),
        ({"rating_min": 1600}, "rating_out_of_range"),
        ({"min_games": 1}, "too_few_games"),
    ],
)
def test_terms_that_do_not_admit_a_player(program, other, members, code):
    tournament = program.http.post("/tournaments", json=request(**members)).json()["id"]
    assert post(other, f"/tournaments/{tournament}/join").json()["code"] == code
    if "password" in members:
        joined = post(other, f"/tournaments/{tournament}/join", **members)
        assert (joined.status_code, joined.json()["players"]) == (200, 1)
        assert "nightingale" not in joined.text


def test_a_rating_is_compared_with_a_range_as_it_is_shown(program, other, database_url):
    lost_rated_game(program, other)
    rate = "UPDATE ratings SET rating = 1499.7 FROM accounts WHERE id = account_id AND username = $1"
    execute(database_url, rate, program.username)
    tournament = other.http.post("/tournaments", json=request(rating_min=1500)).json()["id"]
    assert post(program, f"/tournaments/{tournament}/join").status_code == 200
    challenge = other.challenge(rating_min=1500).json()["id"]
    assert post(program, f"/challenges/{challenge}/accept").status_code == 200


def test_programs_join_only_where_the_terms_allow_it(program, other, database_url):
    execute(database_url, "UPDATE accounts SET is_computer = true WHERE username = $1", other.username)
    people = program.http.post("/tournaments", json=request()).json()["id"]
    everybody = program.http.post("/tournaments", json=request(computers=True)).json()["id"]
    assert post(other, f"/tournaments/{people}/join").json()["code"] == "no_computers"
    assert post(other, f"/tournaments/{everybody}/join").status_code == 200
    (row,) = program.http.get(f"/tournaments/{everybody}/standings").json()["rows"]
    assert (row["username"], row["is_computer"]) == (other.username, True)
    assert other.http.get(f"/tournaments/{everybody}/standings/me").json() == row
    assert program.http.get(f"/tournaments/{everybody}/standings/me").status_code == 404


def test_a_start_has_whole_minutes(program):
    soon = (utc_now() + timedelta(hours=1)).replace(second=0, microsecond=0)
    for later, stored in ((0, soon), (1, soon + timedelta(minutes=1)), (60, soon + timedelta(minutes=1))):
        starts_at = (soon + timedelta(seconds=later)).isoformat()
        path = f"/tournaments/{post(program, '/tournaments', **request(starts_at=starts_at)).json()['id']}"
        assert datetime.fromisoformat(program.http.get(path).json()["starts_at"]) == stored
        post(program, f"{path}/cancel", reason="Only tried")


def test_games_of_tournaments_are_neither_aborted_nor_taken_back(server, clock):
    cup = Cup(server, clock, 2, "swiss", rounds=3).start()
    (pairing,) = wait_until(lambda: cup.running)
    first, second = (cup.programs[pairing[seat]] for seat in ("first", "second"))
    game = pairing["game_id"]
    assert first.snapshot(game)["tournament"] == cup.id
    assert post(first, f"/games/{game}/abort").json()["code"] == "tournament_game"
    assert first.move(game, "c4", 0).status_code == 200
    assert post(first, f"/games/{game}/takeback").json()["code"] == "tournament_game"
    assert second.move(game, "f6", 1).status_code == 200


def test_players_are_told_by_events_and_reminded(server, clock):
    cup = Cup(server, clock, 2, "swiss", starts_in=20, rounds=3)
    player = next(iter(cup.programs.values()))
    with player.http.stream("GET", "/events", timeout=30) as stream:
        lines = stream.iter_lines()
        next(lines)
        clock.advance(minutes=6)
        wait_until(lambda: "tournament_soon" in player.http.get("/notifications").text, within=70)
        page = Visitor(server).log_in(player.username)
        with alerts(page) as following:
            assert "starts soon" in following()
            later = {"rounds": 3, "starts_at": (utc_now() + timedelta(minutes=20)).isoformat()}
            assert cup.organiser.http.put(f"/tournaments/{cup.id}", json=request(**later)).status_code == 200
            assert "starts soon" not in following()  # it is put off
        cup.start()
        assert "tournament_soon" not in player.http.get("/notifications").text
        kinds = []
        while not kinds or kinds[-1] != "tournament_finished":
            line = next(lines)
            kind = json.decode(line)["type"] if line else ""
            if kind.startswith("tournament"):
                kinds.append(kind)
            if kind == "tournament_paired":
                post(cup.organiser, f"/tournaments/{cup.id}/cancel", reason="It is late")
    assert kinds == ["tournament_started", "tournament_paired", "tournament_finished"]


def test_the_feed_of_the_calendar_is_in_the_language_of_its_reader():
    moment, title = utc_now(), Text("Race: %(game)s", values={"game": "JadeJack"})
    with reading("de"):
        feed = to_ical([CalendarEntry("race", title, "/races/1", moment, moment)], "http://localhost")
    assert b"SUMMARY:Rennen: JadeJack" in feed


def test_a_fresh_server_has_arenas_and_a_calendar_and_seasons_count_them(new_database, clock):
    server = start_server(
        new_database("recurring"),
        recurring_arenas='[{"series": "hourly", "name": "Hourly arena", "cron": "0 * * * *", "minutes": 20, '
        '"game": "jadejack", "limit": 60, "rated": false}]',
    )
    try:
        visitor, players = Visitor(server), [Program(server) for _ in range(4)]
        coming = wait_until(
            lambda: players[0].http.get("/tournaments?status=created").json()["tournaments"], within=70
        )
        assert [each["name"] for each in coming] == ["Hourly arena"] * 2
        assert len({each["starts_at"] for each in coming}) == 2
        entries = players[0].http.get("/calendar").json()["entries"]
        assert [each["path"] for each in entries] == [f"/tournaments/{each['id']}" for each in coming]
        feed = icalendar.Calendar.from_ical(visitor.http.get("/calendar.ics").content)
        assert [str(event["summary"]) for event in feed.walk("VEVENT")] == ["Hourly arena"] * 2
        path = f"/tournaments/{coming[0]['id']}"
        for player in players:
            make_old(server.database_url, player)  # as on a young site, where nobody is known yet
            assert post(player, f"{path}/join").status_code == 200
        starts_at = datetime.fromisoformat(coming[0]["starts_at"])
        clock.advance(seconds=(starts_at - utc_now()).total_seconds())
        pairings = wait_until(lambda: players[0].http.get(f"{path}/rounds").json()["pairings"])
        by_name = {player.username: player for player in players}
        for pairing in pairings[:2]:
            assert post(by_name[pairing["first"]], f"/games/{pairing['game_id']}/resign").status_code == 200
        wait_until(lambda: players[0].http.get(f"{path}/standings").json()["rows"][0]["points"] == 2)
        clock.advance(minutes=30)
        (season,) = wait_until(lambda: players[0].http.get("/seasons").json()["seasons"])
        table = players[0].http.get(f"/seasons/{season}").json()["rows"]
        assert {row["username"] for row in table} == set(by_name)
        assert (table[0]["rank"], table[0]["points"], table[0]["events"]) == (1, 25, 1)
        shown = visitor.http.get("/seasons").text
        assert "Table so far" in shown
        assert table[0]["username"] in shown
        clock.advance(days=100)
        final = wait_until(lambda: (answer := season_table(players[0], season))["is_final"] and answer)
        assert final["rows"] == table
        execute(
            server.database_url,
            "INSERT INTO season_awards (source, account_id, season, rank, points) "
            "SELECT 'tournament:late', account_id, season, 10, 1 FROM season_awards",
        )
        on_database(server.database_url, update_seasons)
        assert season_table(players[0], season)["rows"] == table
        assert "Final table" in visitor.http.get(f"/seasons/{season}").text
        champion = visitor.http.get(f"/players/{table[0]['username']}").text
        assert f"/seasons/{season}" in champion
        assert "place 1 of 4" in champion
        assert visitor.http.get("/seasons/1999-1").status_code == 404
        unknown = players[0].http.get("/seasons/1999-1")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    finally:
        server.stop()


def season_table(program, season):
    return program.http.get(f"/seasons/{season}").json()
