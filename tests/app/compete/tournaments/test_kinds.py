"""Tournaments of each kind from the start to the end, on a server with two processes."""

import re
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from msgspec import json

from tests.support import plain_http
from tests.support.answers import code
from tests.support.database import execute, fetch
from tests.support.games import post
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.tournaments import BULLET, Cup, member
from tests.support.waiting import WITHIN, wait_until

LOCK_FOR_A_WHILE = "SELECT pg_sleep(2) FROM (SELECT FROM tournaments WHERE id = $1 FOR UPDATE) AS locked"
RANK = "SELECT rank FROM tournament_players JOIN accounts ON id = account_id WHERE username = $1"
IS_LOCKED = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(2)%'"


def test_an_arena(two_workers, clock):
    cup = Cup(two_workers, clock, 4, "arena", minutes=20, computers=True).start()
    first = cup.play_round()
    assert {name for each in first for name in (each["first"], each["second"])} == set(cup.programs)
    assert sorted(cup.points.values()) == [0, 0, 2, 2]
    second = cup.play_round()
    assert {frozenset((each["first"], each["second"])) for each in first}.isdisjoint(
        frozenset((each["first"], each["second"])) for each in second
    )
    best = cup.standings[0]
    assert (best["points"], best["games"], best["wins"], best["on_fire"]) == (4, 2, 2, True)

    paused = cup.programs[best["username"]]
    wait_until(lambda: len(cup.running) == 2)
    assert post(paused, f"/tournaments/{cup.id}/pause").status_code == 200
    cup.play_round(
        winner=lambda each: best["username"] if best["username"] in each.values() else each["first"]
    )
    assert cup.points[best["username"]] == 8  # on fire
    late = Program(two_workers)
    cup.join(late)
    wait_until(lambda: late.username in {name for each in cup.running for name in each.values()})
    assert paused.username not in {name for each in cup.running for name in each.values()}

    clock.advance(minutes=20)  # every clock runs out
    cup.wait_for("finished")
    assert not cup.running
    assert cup.standings[0]["rank"] == 1
    again = post(late, f"/tournaments/{cup.id}/join")
    assert (again.status_code, again.json()["code"]) == (409, "tournament_over")


def test_who_is_paired_waits_in_the_lobby_for_no_other_game(two_workers, clock):
    cup = Cup(two_workers, clock, 2, "arena", minutes=20, computers=True)
    player, _ = cup.programs.values()
    waiting = player.challenge(time_control=BULLET).json()["id"]
    cup.start()
    wait_until(lambda: cup.running)
    assert player.http.get(f"/challenges/{waiting}").json()["status"] == "cancelled"


def test_a_swiss_tournament_with_a_bye_a_late_entry_and_a_withdrawal(two_workers, clock):
    cup = Cup(two_workers, clock, 5, "swiss", rounds=3, pause=30).start()
    assert len(cup.play_round()) == 2
    bye = next(each for each in cup.pairings if each["second"] is None)
    assert (bye["outcome"], cup.points[bye["first"]]) == ("first", 1)
    late = Program(two_workers)
    cup.join(late)
    wait_until(lambda: cup.points[late.username] == 0.5)
    assert cup.shown["pause_until"] is not None
    cup.end_pause()
    second = cup.play_round()
    assert len(second) == 3
    assert next(each["tie_breaks"] for each in cup.standings)
    gone = cup.standings[-1]["username"]
    assert post(cup.programs[gone], f"/tournaments/{cup.id}/withdraw").status_code == 200
    cup.end_pause()
    third = cup.play_round()
    assert gone not in {name for each in third for name in each.values()}
    cup.wait_for("finished")
    met = [frozenset((each["first"], each["second"])) for each in cup.pairings if each["second"]]
    assert len(met) == len(set(met)) == 7
    assert sum(cup.points.values()) == 7 + 0.5 + sum(each["second"] is None for each in cup.pairings) - 1


@pytest.mark.parametrize("double", [False, True])
def test_a_round_robin(two_workers, clock, double):
    cup = Cup(two_workers, clock, 3, "round_robin", pause=5, double=double).start()
    for number in range(6 if double else 3):
        assert [each["round"] for each in cup.play_round()] == [number + 1]
        cup.end_pause()
    cup.wait_for("finished")
    assert sorted(cup.points.values()) == ([0, 2, 4] if double else [0, 1, 2])
    assert cup.standings[0]["username"] == min(cup.programs)


def test_groups_by_correspondence_and_their_final(two_workers, clock):
    days = {"kind": "correspondence", "days": 3}
    terms = {"groups": 2, "promoted": 1, "at_once": 1}
    cup = Cup(two_workers, clock, 6, "round_robin", time_control=days, **terms).start()
    while all(each["group"] for each in cup.pairings):
        players = [name for each in cup.running for name in (each["first"], each["second"])]
        assert len(players) == len(set(players)), "everybody plays one game at a time"
        cup.play_round()
    (final,) = wait_until(lambda: cup.running)
    assert final["group"] == 0
    finalist, *others = final["first"], *(cup.programs.keys() - {final["first"], final["second"]})
    pages = {name: member(two_workers, name).http.get(f"/tournaments/{cup.id}").text for name in cup.programs}
    assert "You are out." not in pages[finalist]
    assert all("You are out." in pages[name] for name in others)
    assert code(post(cup.programs[others[0]], f"/tournaments/{cup.id}/withdraw")) == (409, "eliminated")
    cup.win(final, final["second"])
    cup.wait_for("finished")
    assert [row["username"] for row in cup.standings[:2]] == [final["second"], final["first"]]
    assert [row["points"] for row in cup.standings[:2]] == [1, 0]


def test_groups_in_real_time_and_their_final(two_workers, clock):
    cup = Cup(two_workers, clock, 6, "round_robin", groups=2, promoted=2, pause=5).start()
    for _ in range(3):
        played = cup.play_round()
        assert all(each["group"] for each in played)
        cup.end_pause()
    finalists = set()
    for _ in range(3):
        played = cup.play_round()
        assert not any(each["group"] for each in played)
        finalists |= {name for each in played for name in (each["first"], each["second"])}
        cup.end_pause()
    cup.wait_for("finished")
    groups = [{row["username"] for row in cup.standings if row["group"] == number} for number in (1, 2)]
    assert finalists == {name for group in groups for name in sorted(group)[:2]}
    assert [row["username"] for row in cup.standings[:4]] == sorted(finalists)
    assert [row["points"] for row in cup.standings[:4]] == [3, 2, 1, 0]


def test_the_only_finalist_who_is_left_wins_the_final(two_workers, clock):
    cup = Cup(two_workers, clock, 4, "round_robin", groups=2, promoted=1, pause=5).start()
    for each in wait_until(lambda: len(cup.running) == 2 and cup.running):
        if each["group"] == 2:
            for name in (each["first"], each["second"]):
                assert post(cup.programs[name], f"/tournaments/{cup.id}/withdraw").status_code == 200
    cup.play_round()
    cup.wait_for("finished")
    assert cup.standings[0]["group"] == 1
    winner = min(row["username"] for row in cup.standings if row["group"] == 1)
    assert cup.standings[0]["username"] == winner
    assert fetch(two_workers.database_url, RANK, winner)["rank"] == 1
    podium = plain_http.get(f"{two_workers.url}/tournaments/{cup.id}").text.partition("tournament-podium")[2]
    assert winner in podium.partition("</ol>")[0]
    assert cup.shown["name"] in plain_http.get(f"{two_workers.url}/players/{winner}").text


def test_groups_of_too_few_players_are_one_group_without_a_final(two_workers, clock):
    days = {"kind": "correspondence", "days": 3}
    cup = Cup(two_workers, clock, 3, "round_robin", time_control=days, groups=2, promoted=1).start()
    games = wait_until(lambda: len(cup.running) == 3 and cup.running)
    assert {each["group"] for each in games} == {0}
    early = games[0]["first"]
    for each in games:
        if early in (each["first"], each["second"]):
            cup.win(each, early)
    wait_until(lambda: cup.points[early] == 2)
    page = member(two_workers, early).http.get(f"/tournaments/{cup.id}").text
    assert "The final begins" not in page


def test_a_knock_out_of_five_with_matches_of_three_games(two_workers, clock):
    cup = Cup(two_workers, clock, 5, "knockout", best_of=3, pause=5).start()
    champion = min(cup.programs)
    played = 0
    while cup.shown["status"] == "started":
        if cup.running:
            played += len(cup.play_round())
        cup.end_pause()
    assert played == 4 * 2  # four matches of two wins each
    assert cup.standings[0]["username"] == champion
    assert cup.standings[0]["points"] == cup.shown["rounds"] == 3
    assert sum(row["games"] for row in cup.standings) == 2 * played


@pytest.mark.parametrize("best_of", [1, 3])
def test_a_finalist_who_withdraws_forfeits_only_games_that_have_not_begun(two_workers, clock, best_of):
    cup = Cup(two_workers, clock, 4, "knockout", best_of=best_of, pause=5).start()
    finalist = min(cup.programs)
    for _ in range(best_of // 2 + 1):
        cup.play_round()
    cup.end_pause()
    final = next(each for each in wait_until(lambda: cup.running) if finalist in each.values())
    assert post(cup.programs[finalist], f"/tournaments/{cup.id}/withdraw").status_code == 200
    cup.win(final, finalist)
    cup.wait_for("finished")
    (other,) = {final["first"], final["second"]} - {finalist}
    expected = {finalist: 2, other: 1} if best_of == 1 else {finalist: 1, other: 2}
    assert cup.points == {**dict.fromkeys(cup.programs, 0), **expected}


def test_a_forfeited_final_is_won_and_makes_a_champion(two_workers, clock):
    cup = Cup(two_workers, clock, 2, "knockout", rated=False).start()
    (final,) = wait_until(lambda: cup.running)
    clock.advance(seconds=61)
    cup.wait_for("finished")
    assert fetch(two_workers.database_url, RANK, final["second"])["rank"] == 1


def test_the_champion_of_a_bracket_stays_when_their_account_is_closed(two_workers, clock):
    cup = Cup(two_workers, clock, 2, "knockout").start()
    (final,) = wait_until(lambda: cup.running)
    champion, other = cup.programs[final["first"]], final["second"]
    cup.win(final, champion.username)
    cup.wait_for("finished")
    assert champion.http.post("/me/close", json={"password": PASSWORD}).status_code == 204
    assert [row["username"] for row in cup.standings] == [other]
    page = plain_http.get(f"{two_workers.url}/tournaments/{cup.id}").text
    winner, loser = re.findall(r'<span class="tournament-side">(.*?)</span>', page, re.DOTALL)
    assert "<b>" in winner
    assert "<b>" not in loser
    assert other in loser


def test_what_a_player_who_withdraws_forfeits_is_shown_at_once(two_workers, clock):
    days = {"kind": "correspondence", "days": 3}
    cup = Cup(two_workers, clock, 4, "round_robin", time_control=days, at_once=1).start()
    (one, *_rest) = wait_until(lambda: cup.running)
    with Visitor(two_workers).live(f"/tournaments/{cup.id}/live") as page:
        page.recv(WITHIN)
        assert post(cup.programs[one["first"]], f"/tournaments/{cup.id}/withdraw").status_code == 200
        wait_until(lambda: "<b>1</b>" in page.recv(WITHIN))


def test_who_closes_their_account_leaves_their_tournaments(two_workers, clock):
    cup = Cup(two_workers, clock, 4, "round_robin")
    first = next(iter(cup.programs.values()))
    assert first.http.post("/me/close", json={"password": PASSWORD}).status_code == 204
    assert first.username not in cup.points
    cup.start()
    second = cup.programs[wait_until(lambda: cup.running)[0]["first"]]
    assert post(second, f"/games/{cup.running[0]['game_id']}/resign").status_code == 200
    assert second.http.post("/me/close", json={"password": PASSWORD}).status_code == 204
    assert second.username not in {row["username"] for row in cup.standings}


def test_a_simul(two_workers, clock):
    cup = Cup(two_workers, clock, 3, "simul")
    host = cup.organiser.username
    cup.programs[host] = cup.organiser
    refused = post(cup.organiser, f"/tournaments/{cup.id}/withdraw")
    assert (refused.status_code, refused.json()["code"]) == (409, "host")
    cup.start()
    games = cup.play_round(winner=lambda each: host)
    assert [each["second"] for each in games] == [host] * 3
    cup.wait_for("finished")
    assert cup.points[host] == 3


def test_players_who_do_not_turn_up_lose_and_a_swiss_tournament_goes_on_without_them(two_workers, clock):
    cup = Cup(two_workers, clock, 2, "swiss", rounds=3, rated=False).start()
    (pairing,) = wait_until(lambda: cup.running)
    clock.advance(seconds=61)
    for number in (1, 2, 3):  # all rounds take place, with a bye for who is left
        wait_until(lambda number=number: sum(bool(each["outcome"]) for each in cup.pairings) == number)
        cup.end_pause()
    cup.wait_for("finished")
    assert [(each["first"], each["second"]) for each in cup.pairings[1:]] == [(pairing["second"], None)] * 2
    (decided,) = (each for each in cup.pairings if each["game_id"] == pairing["game_id"])
    assert (decided["outcome"], decided["is_played"]) == ("second", False)
    assert {row["username"]: row["status"] for row in cup.standings}[pairing["first"]] == "paused"


def test_a_tournament_of_nobody_is_cancelled(two_workers, clock):
    cup = Cup(two_workers, clock, 1, "swiss", rounds=3)
    clock.advance(minutes=3)
    cup.wait_for("cancelled")
    assert cup.shown["reason"] == "Too few players joined."


@pytest.mark.parametrize(("kind", "members"), [("arena", {"minutes": 20}), ("round_robin", {})])
def test_games_go_on_without_counting_when_their_tournament_is_cancelled(two_workers, clock, kind, members):
    cup = Cup(two_workers, clock, 4, kind, **members).start()
    running = wait_until(lambda: cup.running)
    cancelled = post(cup.organiser, f"/tournaments/{cup.id}/cancel", reason="The power is out.")
    assert cancelled.json()["status"] == "cancelled"
    assert not cup.running
    assert {(each["outcome"], each["is_played"]) for each in cup.pairings} == {("neither", False)}
    for each in running:
        cup.win(each, each["first"])
    assert {(row["games"], row["points"], row["game_id"]) for row in cup.standings} == {(0, 0, None)}
    page = plain_http.get(f"{two_workers.url}/tournaments/{cup.id}").text
    assert "Games that were under way go on, but do not count for the tournament." in page
    assert "does not count" in page


def test_one_that_cannot_be_conducted_is_tried_after_growing_pauses_while_others_go_on(
    server, database_url, clock
):
    broken, other = (Cup(server, clock, 2, "swiss", rounds=3) for _ in range(2))
    set_plan = "UPDATE tournaments SET plan = jsonb_set(plan, '{rounds}', $1::text::jsonb) WHERE id = $2"
    execute(database_url, set_plan, '"three"', broken.id)
    other.start()

    def pauses():
        lines = (json.decode(line) for line in server.log.read_bytes().splitlines() if b"_failed" in line)
        return [line["again_in"] for line in lines if line.get("tournament") == broken.id]

    wait_until(lambda: len(pauses()) == 2)
    with ThreadPoolExecutor() as pool:  # another process that is conducting it ends no pauses
        conducted = pool.submit(execute, database_url, LOCK_FOR_A_WHILE, broken.id)
        wait_until(lambda: fetch(database_url, IS_LOCKED))
        clock.advance(seconds=2)
        conducted.result()
    assert wait_until(lambda: pauses()[2:]) == [4]
    execute(database_url, set_plan, "3", broken.id)
    clock.advance(seconds=4)
    broken.wait_for("started")
    assert pauses() == [1, 2, 4]


@pytest.mark.parametrize(
    ("kind", "members"),
    [("arena", {"minutes": 20}), ("swiss", {"rounds": 5, "pause": 5}), ("round_robin", {"pause": 5})],
)
def test_it_goes_on_as_announced_whatever_its_players_do(two_workers, clock, kind, members):
    cup, random = Cup(two_workers, clock, 5, kind, **members).start(), Random(kind)
    while cup.shown["status"] == "started":
        disturb(cup, random)
        for each in cup.running:
            if random.random() < 0.6:
                loser = cup.programs[random.choice((each["first"], each["second"]))]
                assert post(loser, f"/games/{each['game_id']}/resign").status_code in (200, 409)
        clock.advance(seconds=random.choice((1, 5, 61, 120)))
    pairings = cup.pairings
    assert all(each["outcome"] for each in pairings)
    if kind == "swiss":
        assert cup.shown["round"] == 5
    if kind != "arena":
        assert cup.points == {name: sum(gained(name, each) for each in pairings) for name in cup.programs}


def disturb(cup, random):
    """Let somebody come late, pause, come back or leave."""
    program = random.choice(list(cup.programs.values()))
    action = random.choice(("pause", "withdraw", "join", "join", "late"))
    if action == "late" and len(cup.programs) < 9:
        program = Program(cup.server)
    answer = post(program, f"/tournaments/{cup.id}/{action.replace('late', 'join')}")
    if answer.status_code == 200:
        cup.programs[program.username] = program


def gained(name, pairing):
    """Return the points of a player in a pairing."""
    if name not in (pairing["first"], pairing["second"]):
        return 0
    won = "first" if name == pairing["first"] else "second"
    return {"draw": 0.5, won: 1}.get(pairing["outcome"], 0)
