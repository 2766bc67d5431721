"""What the server does by itself, as administrators see it."""

from datetime import UTC, datetime, timedelta

import pytest

from app.server.administration.presenter import charts_of
from app.server.operations.models import FigureSample
from tests.support.accounts import grant
from tests.support.database import fetch
from tests.support.players import Program, make_old
from tests.support.tournaments import member
from tests.support.waiting import wait_until


@pytest.fixture
def administrator(server, database_url):
    program = Program(server)
    make_old(database_url, program)
    return member(server, grant(database_url, program, "administrator").username)


def test_a_schedule_runs_when_it_is_asked_for(administrator, database_url):
    wanted = "SELECT last_run FROM pgqueuer_schedules WHERE entrypoint = 'sample_figures'"
    wait_until(lambda: fetch(database_url, wanted) is not None)
    before = fetch(database_url, "SELECT count(*) FROM figure_samples")[0]
    administrator.http.post("/admin/schedules/run", data={"schedule": "sample_figures"})
    wait_until(lambda: fetch(database_url, "SELECT count(*) FROM figure_samples")[0] > before)
    said = "SELECT detail, browser FROM security_events WHERE action = 'schedule_run'"
    assert fetch(database_url, said)["detail"] == "sample_figures"
    assert "sample_figures" in administrator.http.get("/admin/work").text


def test_what_cannot_be_begun_is_refused(administrator):
    unknown = administrator.http.post("/admin/schedules/run", data={"schedule": "nothing"})
    assert unknown.status_code == 409
    assert "or there is none" in unknown.text
    without_address = administrator.http.post("/admin/mail/test", data={})
    assert without_address.status_code == 409
    assert "Enter your e-mail address" in without_address.text


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
