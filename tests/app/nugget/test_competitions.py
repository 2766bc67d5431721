"""Competitions of organisers: changed before the start, ended early, cancelled; by page and by program."""

import asyncio
import re
from datetime import datetime, timedelta

import pytest

from app.core.database.session import Database
from app.core.moments import from_datetime, utc_now
from app.nugget.ledger import _LOCK
from app.nugget.recurring import make_recurring
from engine.golden_nugget.audit import audit
from tests.support.accounts import grant
from tests.support.answers import assert_error_page, assert_problem
from tests.support.database import connected, execute, fetch
from tests.support.forms import sent_by
from tests.support.moderation import make_moderator
from tests.support.nugget import SHORT_RECORD, commit, new_record, reveal, run_of, sealed, text_of
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.threads import run_coroutine
from tests.support.waiting import WITHIN, wait_until

REASON = "The hall is flooded."


@pytest.fixture
def organiser(server, database_url):
    return grant(database_url, Program(server), "organiser")


@pytest.fixture
def browser(server, organiser):
    """Return the browser of the organiser."""
    return Visitor(server).log_in(organiser.username)


@pytest.fixture
def big_cup(database_url):
    """Yield the id of a competition that is over, with 60 players."""
    cup = "big-cup"
    execute(
        database_url,
        "INSERT INTO nugget_competitions "
        "(id, title, text, starts_at, ends_at, min_boards, max_boards, visibility) "
        "VALUES ($1, 'Big cup', '', now() - interval '2 days', now() - interval '1 day', 20, 20, 'open')",
        cup,
    )
    execute(
        database_url,
        "WITH players AS (INSERT INTO accounts (username, password_hash) "
        "SELECT 'cup-player-' || n, 'none' FROM generate_series(1, 60) n RETURNING id), "
        "entries AS (INSERT INTO nugget_entries (id, account_id, competition_id, counts, mean_key, record, "
        "record_sha256, submitted_at, prefixes) SELECT 'cup' || id, id, $1, array_fill(90, ARRAY[20]), "
        "90000000 + id, '', 'cup ' || id, now() - interval '30 hours', '{}' FROM players RETURNING *) "
        "INSERT INTO nugget_standings SELECT 'competition:' || $1, account_id, id, mean_key, -20, "
        "array_fill(90, ARRAY[20]), submitted_at FROM entries",
        cup,
    )
    yield cup
    execute(database_url, "DELETE FROM nugget_standings WHERE ranking = 'competition:' || $1", cup)
    execute(database_url, "DELETE FROM nugget_entries WHERE competition_id = $1", cup)
    execute(database_url, "DELETE FROM accounts WHERE username LIKE 'cup-player-%'")
    execute(database_url, "DELETE FROM nugget_competitions WHERE id = $1", cup)


def terms(*, starts_in, **members):
    start = utc_now() + timedelta(hours=starts_in)
    return {
        "title": "Cup of winter",
        "starts_at": start.isoformat(),
        "ends_at": (start + timedelta(hours=3)).isoformat(),
        **members,
    }


def create(organiser, **members):
    answer = organiser.http.post("/nugget/competitions", json=terms(**members))
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_competition_is_changed_before_its_start(organiser, other):
    competition = create(organiser, starts_in=1)
    path = f"/nugget/competitions/{competition['id']}"
    changed = organiser.http.put(path, json=terms(starts_in=2, title="Cup of spring")).json()
    assert (changed["title"], changed["status"]) == ("Cup of spring", "coming")
    assert_problem(other.http.put(path, json=terms(starts_in=2)), 403, "not_your_competition")
    running = create(organiser, starts_in=-1)
    refused = organiser.http.put(f"/nugget/competitions/{running['id']}", json=terms(starts_in=1))
    assert_problem(refused, 409, "competition_started")
    assert_problem(organiser.http.put("/nugget/competitions/none", json=terms(starts_in=1)), 404, "not_found")


def test_dates_are_near(organiser):
    for wrong in ("9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "2026-01-01T00:00", "infinity"):
        answer = organiser.http.post("/nugget/competitions", json=terms(starts_in=1, ends_at=wrong))
        assert answer.status_code == 422


def test_a_sealed_entry_is_in_the_list_of_its_player_and_opened_for_nobody_else(server, organiser, other):
    competition = create(organiser, starts_in=-1, visibility="sealed")
    path = f"/nugget/competitions/{competition['id']}"
    assert organiser.http.get(path).json() == competition
    assert_problem(organiser.http.get("/nugget/competitions/22222bcdfg"), 404, "not_found")
    boards = new_record(detours=5)
    submit = f"/nugget/entries?competition={competition['id']}"
    entry_id = other.http.post(submit, json={"boards": boards}).json()["id"]
    listed = f"/nugget/players/{other.username}/entries"
    (own,), (sealed,) = (
        [row for row in reader.http.get(listed).json()["rows"] if row["id"] == entry_id]
        for reader in (other, organiser)
    )
    secret = dict.fromkeys(("boards", "mean", "rank", "assisted", "common"))
    assert (own["boards"], own["mean"]["moves"]) == (20, sum(map(len, boards)))
    assert sealed == own | secret
    organiser.http.post(f"{path}/end", json={"reason": REASON})
    (after,) = organiser.http.get(f"{listed}?limit=1").json()["rows"]
    assert (after["boards"], after["mean"]) == (own["boards"], own["mean"])


def test_a_competition_is_ended_early_with_a_reason(organiser, other):
    competition = create(organiser, starts_in=-1, visibility="sealed")
    path = f"/nugget/competitions/{competition['id']}"
    submit = f"/nugget/entries?competition={competition['id']}"
    assert other.http.post(submit, json={"boards": new_record(detours=5)}).status_code == 201
    assert_problem(other.http.post(f"{path}/end", json={"reason": REASON}), 403, "not_your_competition")
    assert organiser.http.post(f"{path}/end", json={"reason": " "}).status_code == 422
    ended = organiser.http.post(f"{path}/end", json={"reason": REASON}).json()
    assert (ended["status"], ended["reason"]) == ("ended", REASON)
    rows = organiser.http.get(f"{path}/ranking").json()["rows"]
    assert [row["username"] for row in rows] == [other.username]
    assert_problem(organiser.http.post(f"{path}/end", json={"reason": REASON}), 409, "competition_not_open")
    late = other.http.post(submit, json={"boards": new_record(detours=5)})
    assert_problem(late, 409, "competition_over")


def test_a_competition_that_began_while_its_change_waited_is_not_changed(organiser, database_url):
    path = f"/nugget/competitions/{(made := create(organiser, starts_in=1))['id']}"

    async def change():
        async with connected(database_url) as entering, connected(database_url) as other:
            async with entering.transaction(), asyncio.timeout(WITHIN):
                await entering.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)  # an entry is accepted
                changing = asyncio.create_task(
                    asyncio.to_thread(organiser.http.put, path, json=terms(starts_in=2, max_boards=20))
                )
                blocked = "SELECT count(*) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))"
                while not await other.fetchval(blocked, entering.get_server_pid()):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                begun = "UPDATE nugget_competitions SET starts_at = now() - interval '1 s' WHERE id = $1"
                await other.execute(begun, made["id"])
            return await changing

    assert_problem(run_coroutine(change()), 409, "competition_started")
    assert organiser.http.get(path).json()["max_boards"] == made["max_boards"]


@pytest.mark.parametrize("is_gone", [True, False])
@pytest.mark.parametrize(("action", "status"), [("end", "ended"), ("cancel", "cancelled")])
def test_a_moderator_who_ends_a_competition_is_not_named(
    server, organiser, other, database_url, action, status, is_gone
):
    competition = create(organiser, starts_in=-1)
    path = f"/nugget/competitions/{competition['id']}"
    player, moderator = Program(server), make_moderator(database_url, Program(server))
    commit(player, sealed(new_record(detours=6)), competition=competition["id"])
    if is_gone:
        assert organiser.http.post("/me/close", json={"password": PASSWORD}).status_code == 204
    assert_problem(other.http.post(f"{path}/{action}", json={"reason": REASON}), 403, "not_your_competition")
    assert f"{path}/{action}" in Visitor(server).log_in(moderator.username).http.get(path).text
    ended = moderator.http.post(f"{path}/{action}", json={"reason": REASON})
    assert (ended.status_code, ended.json()["status"]) == (200, status)
    for reader in (player,) if is_gone else (player, organiser):
        told = reader.http.get("/notifications").json()["notifications"]
        assert (f"competition_{status}", None) in [(row["kind"], row["actor"]) for row in told]


def test_the_words_of_a_competition_can_be_reported(server, organiser, other):
    path = f"/nugget/competitions/{create(organiser, starts_in=1)['id']}"
    place = "competition%3A" + path.rpartition("/")[2]
    assert place in Visitor(server).log_in(other.username).http.get(path).text
    assert place not in Visitor(server).log_in(organiser.username).http.get(path).text


@pytest.mark.parametrize("visibility", ["open", "sealed"])
def test_a_record_that_missed_its_competition_enters_it_after_its_withdrawal(server, organiser, visibility):
    competition = create(organiser, starts_in=-1, visibility=visibility)
    path = f"/nugget/entries?competition={competition['id']}"
    player, boards = Program(server), new_record(detours=5, sample=SHORT_RECORD)
    missed = player.http.post("/nugget/entries", json={"boards": boards}).json()
    refused = assert_problem(player.http.post(path, json={"boards": boards}), 409, "known_record")
    assert (refused["entry_id"], "Withdraw that entry" in refused["detail"]) == (missed["id"], True)
    assert player.http.post(f"/nugget/entries/{missed['id']}/withdraw").status_code == 200
    assert_problem(organiser.http.post(path, json={"boards": boards}), 409, "known_record")
    entered = player.http.post(path, json={"boards": boards})
    assert entered.status_code == 201, entered.text
    first, second = (
        player.http.get(f"/nugget/entries/{each['id']}").json() for each in (missed, entered.json())
    )
    assert (first["competition"], second["competition"]) == (None, competition["id"])
    assert first["submitted_at"] < first["withdrawn_at"] < second["submitted_at"]
    again = assert_problem(player.http.post(path, json={"boards": boards}), 409, "known_record")
    assert again["entry_id"] == second["id"]
    assert audit(Visitor(server).http.get("/nugget/ledger").text).valid
    shown = organiser.http.get(f"/nugget/entries/{second['id']}").json()["counts"]
    assert shown == (list(map(len, boards)) if visibility == "open" else None)


def test_a_record_that_a_moderator_removed_is_not_submitted_again(server, database_url):
    player, boards = Program(server), new_record(detours=12)
    removed = player.http.post("/nugget/entries", json={"boards": boards}).json()["id"]
    moderator = make_moderator(database_url, Program(server))
    order = {
        "username": player.username,
        "action": "withdraw_entry",
        "reason": "Not its own",
        "subject": f"entry:{removed}",
    }
    done = moderator.http.post("/moderation/actions", json=order)
    assert done.status_code == 201, done.text
    assert_problem(player.http.post("/nugget/entries", json={"boards": boards}), 409, "known_record")


def test_a_record_that_is_submitted_again_keeps_the_help_that_it_had(server, database_url):
    player, boards = Program(server), new_record(detours=12)
    first = player.http.post("/nugget/entries", json={"boards": boards}).json()["id"]
    execute(database_url, "UPDATE nugget_entries SET assisted = true WHERE id = $1", first)
    assert player.http.post(f"/nugget/entries/{first}/withdraw").status_code == 200
    assert player.http.post("/nugget/entries", json={"boards": boards}).json()["assisted"]


def test_a_form_that_is_reached_from_a_competition_is_for_it(server, organiser):
    competition = create(organiser, starts_in=-1)
    visitor, chosen = Visitor(server), f'value="{competition["id"]}" selected'
    page = visitor.http.get(f"/nugget/competitions/{competition['id']}").text
    for path in re.findall(r'href="(/nugget/(?:submit|commitments)[^"]*)"', page):
        assert chosen in visitor.http.get(path).text, path
    form = visitor.http.get(f"/nugget/submit?competition={competition['id']}").text
    assert f'href="/nugget/commitments?competition={competition["id"]}"' in form
    for kind in ("register", "login"):
        there = visitor.http.post("/nugget/submit", data={"intent": kind, "competition": competition["id"]})
        assert there.url.path == f"/{kind}"
        assert chosen in visitor.http.get(there.url.params["next"]).text
    record = {"record": text_of(new_record(detours=12)), "competition": competition["id"]}
    visitor.http.post("/nugget/submit", data={"intent": "submit", **record})
    visitor.register()
    assert chosen in visitor.http.get("/nugget/submit").text


def test_a_cancelled_competition_keeps_its_page_and_has_no_ranking(organiser, other, database_url):
    competition = create(organiser, starts_in=-1)
    path = f"/nugget/competitions/{competition['id']}"
    cancelled = organiser.http.post(f"{path}/cancel", json={"reason": REASON}).json()
    assert (cancelled["status"], cancelled["reason"]) == ("cancelled", REASON)
    assert_problem(organiser.http.get(f"{path}/ranking"), 403, "competition_cancelled")
    submitted = other.http.post(
        f"/nugget/entries?competition={competition['id']}", json={"boards": new_record(detours=6)}
    )
    assert_problem(submitted, 409, "competition_cancelled")
    again = organiser.http.post(f"{path}/cancel", json={"reason": REASON})
    assert_problem(again, 409, "competition_cancelled")
    logged = fetch(database_url, "SELECT action FROM security_events WHERE detail = $1", competition["id"])
    assert logged["action"] == "competition_cancelled"


@pytest.mark.parametrize("by_its_organiser", [True, False])
def test_a_competition_that_is_over_is_not_cancelled(
    organiser, browser, other, clock, database_url, by_its_organiser
):
    competition = create(organiser, starts_in=-1)
    path = f"/nugget/competitions/{competition['id']}"
    submit = f"/nugget/entries?competition={competition['id']}"
    assert other.http.post(submit, json={"boards": new_record(detours=12)}).status_code == 201
    assert "Cancel the competition" in browser.http.get(path).text
    if by_its_organiser:
        assert organiser.http.post(f"{path}/end", json={"reason": REASON}).status_code == 200
    else:
        clock.advance(hours=3)
    assert_problem(organiser.http.post(f"{path}/cancel", json={"reason": REASON}), 409, "competition_over")
    assert "Cancel the competition" not in browser.http.get(path).text
    released = "SELECT released_at FROM nugget_competitions WHERE id = $1"
    wait_until(lambda: fetch(database_url, released, competition["id"])["released_at"])
    rows = organiser.http.get(f"{path}/ranking").json()["rows"]
    assert [row["username"] for row in rows] == [other.username]


def test_a_cancelled_competition_makes_room_for_another(organiser):
    competitions = [create(organiser, starts_in=1) for _ in range(20)]
    refused = organiser.http.post("/nugget/competitions", json=terms(starts_in=1))
    assert_problem(refused, 409, "too_many_competitions")
    path = f"/nugget/competitions/{competitions[0]['id']}/cancel"
    assert organiser.http.post(path, json={"reason": REASON}).status_code == 200
    create(organiser, starts_in=1)


def test_what_pages_say_of_competitions_has_a_moment_until_which_it_is_true(organiser, other, browser):
    coming, begun, over = (create(organiser, starts_in=hours) for hours in (1, -1, -1))
    assert organiser.http.post(f"/nugget/competitions/{over['id']}/end", json={"reason": REASON}).is_success
    file = sealed(new_record(detours=14))
    commitment = commit(other, file, competition=begun["id"])

    def due(page):
        return [int(moment) for moment in re.findall(r'data-due="(\d+)"', page)]

    def moment(text):
        return from_datetime(datetime.fromisoformat(text))

    listed = browser.http.get("/nugget/competitions").text
    for competition, name in ((coming, "starts_at"), (begun, "ends_at"), (over, None)):
        path = f"/nugget/competitions/{competition['id']}"
        until = [moment(competition[name])] if name else []
        (row,) = re.findall(rf'<li[^>]*><a class="row-link" href="{path}"', listed)
        assert (due(row), due(browser.http.get(path).text)) == (until, until)
    page = browser.http.get(f"/nugget/commitments/{commitment['id']}").text
    assert due(page) == [moment(commitment["expires_at"])]
    assert reveal(other, commitment, file).status_code == 201
    assert due(browser.http.get(f"/nugget/commitments/{commitment['id']}").text) == []


@pytest.mark.parametrize("others", [0, 20])
def test_a_competition_that_is_refused_is_shown_again_as_it_was_filled_in(organiser, browser, others):
    for _ in range(others):
        create(organiser, starts_in=1)
    filled = terms(starts_in=1, text="Bring your own blocks.", max_boards="120")
    if not others:
        filled["ends_at"] = filled["starts_at"]
    refused = browser.http.post("/nugget/competitions", data=filled)
    assert_error_page(refused, 409 if others else 422)
    assert ("You have 20 competitions" if others else "The end must be after the start.") in refused.text
    for text in (filled["title"], filled["text"], 'value="120"'):
        assert text in refused.text


@pytest.mark.parametrize("column", ["", "hints", "finished", "first_board"])
def test_a_run_offers_the_competitions_that_accept_it(server, organiser, database_url, column):
    program = Program(server)
    short, long, over = (create(organiser, starts_in=-1, min_boards=boards) for boards in (20, 21, 20))
    assert organiser.http.post(f"/nugget/competitions/{over['id']}/end", json={"reason": REASON}).is_success
    run_id = run_of(program, new_record(detours=13))
    if column:
        execute(database_url, f"UPDATE nugget_runs SET {column} = 6 WHERE id = $1", run_id)
    visitor = Visitor(server).log_in(program.username)
    page = visitor.http.get(f"/nugget/runs/{run_id}").text
    offered = set(re.findall(r'<option value="(\w+)"', page)) & {each["id"] for each in (short, long, over)}
    assert offered == (set() if column else {short["id"]})
    if column == "first_board":  # none of its boards is really another player's
        return
    for competition in (long, short):
        body = {"boards": 20, "competition": competition["id"]}
        answer = program.http.post(f"/nugget/runs/{run_id}/submit", json=body)
        assert answer.status_code == (201 if competition["id"] in offered else 409)


def test_the_reasons_of_a_muted_organiser_are_left_out(server, organiser, database_url):
    to_end, to_cancel = (f"/nugget/competitions/{create(organiser, starts_in=-1)['id']}" for _ in range(2))
    moderator = make_moderator(database_url, Program(server))
    order = {"username": organiser.username, "action": "mute", "reason": "Advertising"}
    assert moderator.http.post("/moderation/actions", json=order).status_code == 201
    ended = organiser.http.post(f"{to_end}/end", json={"reason": "Buy my feathers"}).json()
    assert (ended["status"], ended["reason"]) == ("ended", "")
    cancelled = organiser.http.post(f"{to_cancel}/cancel", json={"reason": "Buy my feathers"}).json()
    assert (cancelled["status"], cancelled["reason"]) == ("cancelled", "")
    assert 'class="page-note">Cancelled<' in Visitor(server).http.get(to_cancel).text


def test_an_organiser_changes_and_cancels_by_page(server, organiser, browser):
    competition = create(organiser, starts_in=1)
    path = f"/nugget/competitions/{competition['id']}"
    stranger = Visitor(server).register()
    assert_error_page(stranger.http.get(f"{path}/edit"), 403)
    assert "Cancel the competition" not in stranger.http.get(path).text
    assert "Cup of winter" in browser.http.get(f"{path}/edit").text
    form = terms(starts_in=3, title="Cup of spring")
    assert "Cup of spring" in browser.http.post(f"{path}/edit", data=form).text
    wrong = browser.http.post(f"{path}/edit", data={**form, "title": "x"})
    assert wrong.status_code == 422
    assert 'id="error-title"' in wrong.text
    assert_error_page(browser.http.post(f"{path}/cancel", data={"reason": ""}), 422)
    shown = browser.http.post(f"{path}/cancel", data={"reason": REASON}).text
    assert "This competition was cancelled: " in shown
    assert REASON in stranger.http.get(path).text
    assert "cancelled" in stranger.http.get("/nugget/competitions").text


def test_an_organiser_ends_by_page(organiser, browser):
    competition = create(organiser, starts_in=-1)
    path = f"/nugget/competitions/{competition['id']}"
    assert "End it now" in browser.http.get(path).text
    shown = browser.http.post(f"{path}/end", data={"reason": REASON}).text
    assert "This competition was ended early: " in shown
    assert "Final report" in shown


def test_an_organiser_finds_what_was_done_to_competitions_in_the_settings(organiser, browser):
    changed, ended = (create(organiser, starts_in=hours) for hours in (1, -1))
    paths = [f"/nugget/competitions/{each['id']}" for each in (changed, ended)]
    assert organiser.http.put(paths[0], json=terms(starts_in=2)).status_code == 200
    for path, action in ((paths[0], "cancel"), (paths[1], "end")):
        assert organiser.http.post(f"{path}/{action}", json={"reason": REASON}).status_code == 200
    page = browser.http.get("/account/security").text
    lines = [f"Competition {each}" for each in ("changed", "cancelled", "ended")]
    assert [line for line in lines if line not in page] == []


async def test_the_server_makes_the_competitions_of_each_month_and_quarter(database_url, visitor):
    database = await Database.open(database_url, pool_size=1)
    for _ in range(2):
        await make_recurring(database)
    await database.close()
    listed = visitor.http.get("/api/v1/nugget/competitions").json()
    made = [item for item in listed if item["organiser"] == "Gorrion"]
    kinds = sorted((item["min_boards"], item["visibility"], item["status"]) for item in made)
    assert kinds == [
        (20, "open", "coming"),
        (20, "open", "open"),
        (100, "sealed", "coming"),
        (100, "sealed", "open"),
    ]
    assert {item["max_boards"] for item in made} == {20, 100}
    page = visitor.http.get(f"/nugget/competitions/{made[0]['id']}")
    assert made[0]["title"] in page.text
    quarterly = next(item["id"] for item in made if item["visibility"] == "sealed")
    german = visitor.http.get(f"/nugget/competitions/{quarterly}", headers={"Accept-Language": "de"})
    assert re.search(r"<h1[^>]*>100 Bretter, \d\. Quartal \d{4}</h1>", german.text)


def test_competitions_that_are_over_are_listed_in_pages(database_url, visitor):
    execute(
        database_url,
        "INSERT INTO nugget_competitions "
        "(id, title, text, starts_at, ends_at, min_boards, max_boards, visibility) "
        "SELECT 'past-' || n, 'Past ' || n, '', now() - interval '9 days', now() - n * interval '1 minute', "
        "20, 20, 'open' FROM generate_series(1, 120) n",
    )
    organised = {"open", "coming"}
    path, seen, sizes = "/api/v1/nugget/competitions?limit=50", [], []
    while path:
        answer = visitor.http.get(path)
        over = [item for item in answer.json() if item["status"] not in organised]
        assert answer.json()[len(answer.json()) - len(over) :] == over
        sizes.append(len(over))
        seen += [item["id"] for item in answer.json()]
        path = answer.links["next"]["url"] if answer.links else None
    assert sizes[:2] == [50, 50]
    assert len(seen) == len(set(seen))
    assert [each for each in seen if each.startswith("past-")] == [f"past-{n}" for n in range(1, 121)]
    page = visitor.http.get("/nugget/competitions")
    assert page.text.count('href="/nugget/competitions/past-') <= 50
    following = re.search(r'rel="next" href="(\?cursor=[^"]+)"', page.text)[1]
    second = visitor.http.get(f"/nugget/competitions{following}").text
    assert 'href="/nugget/competitions/past-51"' in second or 'href="/nugget/competitions/past-50"' in second
    assert "First page" in second
    assert_problem(visitor.http.get("/api/v1/nugget/competitions?cursor=x"), 422, "bad_cursor")


def test_the_ranking_of_a_competition_is_shown_in_pages(big_cup, visitor):
    page = visitor.http.get(f"/nugget/competitions/{big_cup}")
    assert page.text.count('href="/nugget/entries/') == 50
    following = re.search(r'rel="next" href="(\?cursor=[^"]+)"', page.text)[1]
    second = visitor.http.get(f"/nugget/competitions/{big_cup}{following}")
    assert second.text.count('href="/nugget/entries/') == 10
    assert len(visitor.http.get(f"/nugget/competitions/{big_cup}/report.json").json()) == 60
    assert len(visitor.http.get(f"/nugget/competitions/{big_cup}/report.csv").text.splitlines()) == 61


def test_the_form_keeps_the_seconds_of_moments_that_it_does_not_change(organiser, browser):
    start = (utc_now() + timedelta(hours=2)).replace(second=30, microsecond=0)
    moments = {
        "starts_at": start.isoformat(),
        "ends_at": (start + timedelta(hours=1, seconds=29)).isoformat(),
    }
    made = organiser.http.post("/nugget/competitions", json=terms(starts_in=1, **moments)).json()
    path = f"/nugget/competitions/{made['id']}"
    form = sent_by(browser.http.get(f"{path}/edit").text, f"{path}/edit")
    assert browser.http.post(f"{path}/edit", data={**form, "title": "Cup of spring"}).is_success
    after = organiser.http.get(path).json()
    assert after["title"] == "Cup of spring"
    assert [after[name] for name in moments] == [made[name] for name in moments]
