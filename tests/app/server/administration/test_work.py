"""What the server does by itself, as administrators see it."""

import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from app.core.settings import Settings
from app.nugget.bounds.queries import MOST_RUNS
from app.nugget.bounds.service import WITHOUT_SCIPY
from app.people.inbox import outbox
from app.people.inbox.kinds import Channel
from app.people.mail.testing import MailOutcome, last_test, send_test
from app.server.administration.presenter import charts_of
from app.server.operations.history import KEPT_FOR, sample_figures
from app.server.operations.models import FigureSample
from tests.support.accounts import give_address, grant
from tests.support.commands import gorrion, json_lines
from tests.support.database import execute, fetch, on_database
from tests.support.mail import MailServer, text_of
from tests.support.players import Program, make_old
from tests.support.ports import free_port
from tests.support.server import start_server
from tests.support.tournaments import member
from tests.support.waiting import wait_until


def test_a_schedule_runs_when_it_is_asked_for(administrator, database_url):
    wanted = "SELECT last_run FROM pgqueuer_schedules WHERE entrypoint = 'sample_figures'"
    wait_until(lambda: fetch(database_url, wanted) is not None)
    before = fetch(database_url, "SELECT count(*) FROM figure_samples")[0]
    administrator.http.post("/admin/schedules/run", data={"schedule": "sample_figures"})
    wait_until(lambda: fetch(database_url, "SELECT count(*) FROM figure_samples")[0] > before)
    said = "SELECT detail, browser FROM security_events WHERE action = 'schedule_run'"
    assert fetch(database_url, said)["detail"] == "sample_figures"
    assert "sample_figures" in administrator.http.get("/admin/work").text


def test_a_schedule_that_no_process_runs_is_not_listed_and_cannot_be_run(administrator, database_url):
    execute(
        database_url,
        "INSERT INTO pgqueuer_schedules (entrypoint, expression, next_run)"
        " VALUES ('of_before', '* * * * *', now())",
    )
    try:
        assert "of_before" not in administrator.http.get("/admin/work").text
        assert {"sample_figures"} <= {each["name"] for each in json_lines(database_url, "schedules")}
        assert "of_before" not in {each["name"] for each in json_lines(database_url, "schedules")}
        asked = administrator.http.post("/admin/schedules/run", data={"schedule": "of_before"})
        assert asked.status_code == 409
        assert gorrion("run-schedule", "of_before", database=database_url).returncode == 1
    finally:
        execute(database_url, "DELETE FROM pgqueuer_schedules WHERE entrypoint = 'of_before'")


def test_schedules_and_settings_are_listed_by_what_they_are_for(administrator):
    for path, group, name in (
        ("/admin/work", "Tournaments", "make_recurring_arenas"),
        ("/admin/work", "Server", "delete_old_counts"),
        ("/admin", "Mail and push", "GORRION_MAIL_PORT"),
        ("/admin", "Health, metrics and log", "GORRION_DRAIN"),
    ):
        listed = administrator.http.get(path).text.partition(f"<h3>{group}</h3>")[2]
        assert f"<code>{name}</code>" in listed.partition("<h3>")[0], name


def test_what_cannot_be_begun_is_refused(administrator):
    unknown = administrator.http.post("/admin/schedules/run", data={"schedule": "nothing"})
    assert unknown.status_code == 409
    assert "or there is none" in unknown.text
    without_address = administrator.http.post("/admin/mail/test", data={})
    assert without_address.status_code == 409
    assert "Enter and confirm your e-mail address in your account" in without_address.text


@pytest.fixture(scope="module")
def mail_server():
    server = MailServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def mailing(new_database, mail_server):
    """Return a site that sends mail; its schedule does so every few seconds."""
    port = free_port()
    url = new_database("administration_mail")
    settings = {"port": port, "public_url": f"http://localhost:{port}", **mail_server.settings}
    server = start_server(url, **settings)
    yield server
    server.stop()


@pytest.fixture
def writer(mailing):
    """Return an administrator with an e-mail address."""
    program = Program(mailing)
    make_old(mailing.database_url, program)
    program.address = f"{program.username}@example.com"
    give_address(mailing.database_url, program, program.address)
    return grant(mailing.database_url, program, "administrator")


def test_the_test_mail_comes_and_the_page_says_so(mailing, mail_server, writer):
    http = member(mailing, writer.username).http
    answer = http.post("/admin/mail/test", data={})
    assert answer.status_code == 200, answer.text
    message = mail_server.next_to(writer.address)
    assert writer.username in text_of(message)
    assert "/admin/work>" in text_of(message)
    wait_until(lambda: "The mail server took it." in http.get("/admin/work").text)
    assert len(mail_server.to(writer.address)) == 1


def test_the_page_says_that_the_mail_server_refused_the_address(mailing, mail_server, writer):
    mail_server.refusals[writer.address] = "550 No such user"
    http = member(mailing, writer.username).http
    http.post("/admin/mail/test", data={})
    wait_until(lambda: "The mail server refused your address." in http.get("/admin/work").text)
    assert mail_server.to(writer.address) == []


def test_the_page_says_that_the_mail_waits_for_its_server(mailing, mail_server, writer):
    mail_server.refusals[writer.address] = "451 Try again later"
    http = member(mailing, writer.username).http
    http.post("/admin/mail/test", data={})
    wait_until(lambda: "could not be sent yet" in http.get("/admin/work").text)
    again = http.post("/admin/mail/test", data={})
    assert again.status_code == 409
    assert "The last test is still waiting to be sent. Try again in a minute." in again.text


def test_the_command_line_tests_the_mail(mailing, mail_server, writer):
    [said] = json_lines(mailing.database_url, "test-mail", writer.username)
    assert said == {"username": writer.username, "outcome": "sent"}
    assert len(mail_server.to(writer.address)) == 1


def test_a_mail_that_is_being_sent_is_not_put_off(new_database):
    url = new_database("testing")
    add = "INSERT INTO accounts (username, password_hash) VALUES ('wren', '!') RETURNING id"
    writer = fetch(url, add)["id"]
    give_address(url, SimpleNamespace(username="wren"), "wren@example.com")

    async def outcome(database):
        async with database.reading_now() as session:
            return (await last_test(session, writer)).outcome

    async def outcomes(database):
        await send_test(database, writer)
        asked = await outcome(database)
        [claimed] = await outbox.claim(database, Channel.EMAIL, 1)
        being_sent = await outcome(database)
        async with database.transaction() as session:
            await outbox.try_later(session, claimed)
        return asked, being_sent, await outcome(database)

    expected = (MailOutcome.WAITING, MailOutcome.WAITING, MailOutcome.PUT_OFF)
    assert on_database(url, outcomes) == expected


def test_figures_older_than_a_day_are_deleted_with_the_next_sample(new_database):
    url = new_database("figures")
    columns = "(at, games, moves, jobs, database_bytes)"
    add = f"INSERT INTO figure_samples {columns} VALUES (now() - $1::interval, $2, 0, 0, 0)"
    minute = timedelta(minutes=1)
    for number, age in enumerate((2 * KEPT_FOR, KEPT_FOR + minute, KEPT_FOR - minute)):
        execute(url, add, age, number)
    on_database(url, lambda database: sample_figures(database, Settings(database_url=url)))
    assert fetch(url, "SELECT array_agg(games ORDER BY at) FROM figure_samples")[0] == [2, 0]


def test_charts_leave_out_what_nobody_could_count():
    start = datetime(2026, 11, 27, tzinfo=UTC)
    samples = [
        FigureSample(at=start + timedelta(minutes=5 * i), games=i, moves=0, jobs=0, database_bytes=10**7)
        for i in range(3)
    ]
    assert next((title, least, most) for title, _chart, least, most in charts_of(samples)) == (
        "Games under way",
        0,
        2,
    )
    assert "Open pages" not in [title for title, *_ in charts_of(samples)]
    assert charts_of(samples[:1]) == []


def test_servers_that_are_witnessed_are_shown_with_their_failures(administrator, database_url):
    add = """
        INSERT INTO nugget_witnessed_servers (id, url, answered_at, failures, problem, removed_at)
        VALUES ($1, $2, now() - interval '2 hours', $3, $4, $5)
    """
    execute(database_url, add, "witness222", "https://well.example", 0, None, None)
    execute(database_url, add, "witness333", "https://away.example", 12, "It does not answer.", None)
    execute(database_url, add, "witness444", "https://old.example", 1, "No.", datetime.now(UTC))
    shown = administrator.http.get("/admin/work").text.partition('id="witness"')[2].partition("</section>")[0]
    assert "2 hours ago" in shown
    away, well = shown.split("</li>")[:2]
    assert "https://away.example" in away
    assert "failed to answer 12 times" in " ".join(away.split())
    assert "It does not answer." in away
    assert "https://well.example" in well
    assert "failed" not in well
    assert "old.example" not in shown
    execute(database_url, "DELETE FROM nugget_witnessed_servers")


def test_the_page_says_how_far_bounds_are_and_what_is_missing(administrator, database_url):
    add = "INSERT INTO nugget_bounds (node, position, bound, runs) VALUES ($1, 'A:1', $2, $3)"
    for node, bound, runs in ((1, 12, 3), (2, 13, 2), (3, None, 0), (4, None, MOST_RUNS)):
        execute(database_url, add, node, bound, runs)

    def section():
        page = administrator.http.get("/admin/work").text
        return page.partition('id="bounds"')[2].partition("</section>")[0]

    proven, waiting, given_up = map(int, re.findall(r"<dd>(\d+)</dd>", section()))
    assert (proven, given_up) == (2, 1)
    assert waiting >= 1  # the server adds the boards of its own records
    assert "SciPy" not in section()
    execute(database_url, "INSERT INTO job_results (key, result) VALUES ($1, '{}')", WITHOUT_SCIPY)
    assert "SciPy is not installed" in section()
    execute(database_url, "DELETE FROM nugget_bounds")
    execute(database_url, "DELETE FROM job_results WHERE key = $1", WITHOUT_SCIPY)
