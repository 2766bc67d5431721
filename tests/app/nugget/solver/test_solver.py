"""What searches report is shown to everybody, live, and only operators report."""

import asyncio
import os
import re
import signal
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.nugget.solver.decisions import RECENT, SearchState, step_of
from app.nugget.solver.queries import SearchSampleShown, solved_per_minute
from app.server.cli.solving import reporting as reporting_of
from engine.search.nugget.progress import Progress
from engine.search.nugget.runs import Run
from tests.support import plain_http
from tests.support.accounts import grant
from tests.support.commands import failure, gorrion
from tests.support.database import connected, execute, fetch
from tests.support.launching import Command
from tests.support.nugget import new_record
from tests.support.nugget_searches import FIRST, WHOLE
from tests.support.players import Program, Visitor
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until


def searches(server):
    answer = plain_http.get(f"{server.url}/api/v1/nugget/solver")
    assert answer.status_code == 200, answer.text
    return answer.json()


def states(server):
    return {search["id"]: search["state"] for search in searches(server)}


@pytest.mark.usefixtures("reporting", "compiled_searches")
def test_a_search_reports_until_it_is_over(server, database_url):
    done = gorrion("solve", "--boards", 1, "--seconds", 1, "--report", database=database_url)
    assert done.returncode == 0, done.stderr
    moves = len(re.sub(r"board 1:", "", done.stdout).split())
    (search,) = searches(server)
    assert search["state"] == "finished"
    assert search["path"] == {"moves": moves, "boards": 1, "text": f"{moves}.00"}
    assert (search["boards"], search["seconds"]) == (1, 1)
    assert search["nodes"] > 1
    assert search["samples"][-1]["nodes"] == search["nodes"]
    page = Visitor(server).http.get("/nugget/solver").text
    assert "Nobody is searching just now." in page
    assert "A record of 1 board: finished" in page


@pytest.mark.usefixtures("reporting", "compiled_searches")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["asked to end", "killed"])
def test_a_search_that_ends_early_is_shown_as_stopped(server, database_url, clock, tmp_path, number):
    environment = {**os.environ, "GORRION_DATABASE_URL": database_url}
    arguments = (
        "solve",
        "--boards",
        "200",
        "--seconds",
        "600",
        "--report",
        "--out",
        f"{tmp_path}/record.txt",
    )
    running = Command(arguments, environment, f"{tmp_path}/errors")
    wait_until(lambda: any(search["path"] for search in searches(server)))
    (search,) = searches(server)
    assert search["state"] == "running"
    assert search["board"] == search["path"]["boards"] + 1
    assert search["position"].startswith("A:" if search["board"] % 2 else "B:")
    running.send_signal(number)
    running.wait(60)
    if number == signal.SIGKILL:
        assert states(server) == {search["id"]: "running"}
        clock.advance(seconds=61)
    assert states(server) == {search["id"]: "stopped"}


def locked(database_url, work):
    """Return what some work returns while nobody else can write reports."""

    async def run():
        async with connected(database_url) as connection, connection.transaction():
            await connection.execute("LOCK TABLE nugget_searches")
            return await asyncio.to_thread(work)

    return run_coroutine(run())


@pytest.mark.usefixtures("reporting")
def test_a_search_goes_on_while_it_cannot_report(server, database_url, monkeypatch, capsys):
    monkeypatch.setenv("GORRION_DATABASE_URL", database_url)
    progress = Progress(Run(), [], None, 1, 7, 2, 6, 30.0)
    with reporting_of(None, 20, 600) as report:

        def report_twice():
            report(progress, SearchState.RUNNING)
            report(progress, SearchState.RUNNING)

        locked(database_url, report_twice)
        assert capsys.readouterr().err == "The search cannot be reported just now; it goes on.\n"
        execute(database_url, "ALTER TABLE nugget_search_samples RENAME TO away")
        report(replace(progress, nodes=8), SearchState.RUNNING)
        execute(database_url, "ALTER TABLE away RENAME TO nugget_search_samples")
        report(replace(progress, nodes=9), SearchState.FINISHED)
    (search,) = searches(server)
    assert (search["state"], search["nodes"]) == ("finished", 9)
    assert [sample["nodes"] for sample in search["samples"]] == [9]


def test_searches_are_shown_in_full_while_they_run(server, reporting):
    first, second = reporting.begin(FIRST), reporting.begin(WHOLE)
    ended = reporting.begin(WHOLE, state=SearchState.FINISHED)
    assert states(server) == {ended: "finished", second: "running", first: "running"}
    page = Visitor(server).http.get("/nugget/solver").text
    assert page.count("A record of 50 boards: running") == 2
    assert f'id="search-{first}"' in page
    assert f'id="search-{second}"' in page
    assert f'id="search-{ended}"' not in page
    assert "Nobody is searching" not in page
    assert page.count('class="nugget"') == 1, "the other one looks for cycles"
    assert "From board 2 on, its best run repeats 2 boards, of 12.00 moves each on average." in page
    assert "Earlier searches" in page


def test_a_page_without_any_search_is_friendly(server, reporting):
    page = Visitor(server).http.get("/nugget/solver")
    assert page.status_code == 200
    assert "Nobody is searching just now." in page.text
    assert searches(server) == []


def test_the_best_means_are_beside_the_records(server, reporting, database_url):
    execute(database_url, "DELETE FROM nugget_record_changes")
    entered = Program(server).http.post("/nugget/entries", json={"boards": new_record(3)})
    assert entered.status_code == 201, entered.text
    record = entered.json()["mean"]
    reporting.begin(replace(WHOLE, fewest=(record["moves"] - 3, 646)))
    (search,) = searches(server)
    twenty, fifty = search["means"]
    assert (twenty["record"], twenty["is_better"]) == (record, True)
    assert (fifty["best"]["moves"], fifty["record"], fifty["is_better"]) == (646, None, True)
    assert "beaten by 3 moves" in Visitor(server).http.get("/nugget/solver").text
    reporting.begin(replace(WHOLE, fewest=(record["moves"], 646)))
    assert searches(server)[0]["means"][0]["is_better"] is False


def test_old_samples_are_thinned_out_and_old_searches_deleted(server, reporting, database_url):
    reports = 250
    search_id = reporting.begin(*(replace(FIRST, nodes=1 + count) for count in range(reports)))
    (search,) = searches(server)
    kept = [sample["nodes"] for sample in search["samples"]]
    recent = reports - RECENT + 1
    assert kept == [*range(step_of(reports), recent, step_of(reports)), *range(recent, reports + 1)]
    for _ in range(20):
        reporting.begin(FIRST)
    assert len(searches(server)) == 20
    assert search_id not in states(server)
    (samples,) = fetch(database_url, "SELECT count(*) FROM nugget_search_samples")
    assert samples == 20
    reporting.tell(search_id, FIRST)  # it goes on, though nobody sees it any more
    assert len(searches(server)) == 20


@pytest.mark.parametrize("reports", [1, 120, 121, 1_000, 17_280, 1_000_000])
def test_so_many_samples_are_kept_however_long_a_search_takes(reports):
    step = step_of(reports)
    assert reports // step <= 120
    assert reports < 240 or reports // step >= 60
    assert step_of(reports + 1) in (step, 2 * step), "what is kept now was kept before"


@pytest.mark.parametrize("path", ["/api/v1/nugget/solver", "/nugget/solver"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nobody_reports_by_the_web(server, reporting, database_url, path, method):
    reporting.begin(FIRST)
    administrator = grant(database_url, Program(server), "administrator")
    for client in (administrator.http, Program(server).http):
        answer = client.request(method, f"{server.url}{path}", json={"nodes": 7, "state": "running"})
        assert answer.status_code == 405, answer.text
    assert [search["nodes"] for search in searches(server)] == [FIRST.nodes]


def test_a_report_without_a_database_fails_before_the_search(tmp_path):
    told = failure("solve", "--report", "--data", tmp_path / "none", "--out", tmp_path / "record.txt")
    assert "There is no database" in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("samples", "rate"),
    [
        ((), 0),
        (((30, 10),), 20),
        (((60, 600), (3_600, 3_600), (3_780, 3_900)), 100),
        (((60, 600), (3_000, 3_000), (3_600, 3_100)), 10),
    ],
    ids=["nothing yet", "half a minute", "three minutes", "samples that are far apart"],
)
def test_the_rate_is_that_of_the_last_minutes(samples, rate):
    began_at = datetime(2026, 11, 28, tzinfo=UTC)
    shown = [
        SearchSampleShown(began_at + timedelta(seconds=after), 1, solved, ()) for after, solved in samples
    ]
    assert solved_per_minute(began_at, shown) == rate
