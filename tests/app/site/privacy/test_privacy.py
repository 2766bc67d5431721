"""A person's data: the export, and what is left after erasing it."""

import io
import json
import re
import zipfile

import pytest
from sqlalchemy import Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from app.core.database.base import Base, personal_tables
from app.core.feature import import_all
from app.core.settings import ROOT
from engine.golden_nugget.audit import audit
from tests.support.accounts import give_address, grant, id_of
from tests.support.answers import code
from tests.support.database import connected, execute, fetch
from tests.support.games import lost_rated_game
from tests.support.moderation import make_moderator
from tests.support.nugget import new_record
from tests.support.players import PASSWORD, Match, Program, Visitor, fresh_name, make_old
from tests.support.sealed import commit, reveal, sealed
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until

import_all("models")

SECRET_TEXT = f"a text that nobody else has written {fresh_name()}"


def test_every_table_that_refers_to_accounts_says_what_belongs_to_them():
    accounts = Base.metadata.tables["accounts"]
    referring = {
        table.name
        for table in Base.metadata.tables.values()
        if any(key.column.table is accounts for column in table.columns for key in column.foreign_keys)
    }
    assert set(personal_tables()) == referring, "their models declare __personal__"
    for name, personal in personal_tables().items():
        columns = set(Base.metadata.tables[name].columns.keys())
        assert {*personal.owners, *(personal.exported_by or ()), *(personal.erased or ())} <= columns
        assert set(personal.secret) <= columns


def test_every_table_is_documented():
    documented = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "data.md").read_text()))
    assert set(Base.metadata.tables) - documented == set(), "name them in docs/data.md"


def ask(program, password=PASSWORD):
    return program.http.post("/me/export", json={"password": password})


def test_an_export_has_everything_and_only_its_owner_gets_it(program, other):
    game = lost_rated_game(program, other)
    entry = program.http.post("/nugget/entries", json={"boards": new_record(detours=5)}).json()["id"]
    program.http.post(f"/messages/{other.username}", json={"text": "Well played"})
    program.http.post("/reports", json={"username": other.username, "reason": "spam", "text": "Look there"})
    assert code(ask(program, "not my password")) == (422, "wrong_password")
    asked = ask(program)
    assert asked.status_code == 202
    url = asked.json()["url"].removeprefix("/api/v1")
    wait_until(lambda: program.http.get(url).status_code == 200)
    assert code(other.http.get(url)) == (404, "not_found")
    answer = program.http.get(url)
    assert answer.headers["content-type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None

    def read(name):
        return json.loads(archive.read(f"{name}.json"))

    assert [row["username"] for row in read("account")] == [program.username]
    assert [row["text"] for row in read("reports")] == ["Look there"]
    assert [row["id"] for row in read("games")] == [game]
    (message,) = read("messages")
    assert (message["author_name"], message["reader_name"]) == (program.username, other.username)
    assert "token_hash" not in read("api_tokens")[0]
    assert "1. a1 c1" in archive.read(f"games/{game}.txt").decode()
    assert "board 20:" in archive.read(f"entries/{entry}.txt").decode()
    assert "password_hash" not in archive.read("account.json").decode()
    kinds = [each["kind"] for each in program.http.get("/notifications").json()["notifications"]]
    assert "export_ready" in kinds


def test_an_export_is_deleted_after_a_week(program, clock, database_url):
    asked = ask(program).json()
    wait_until(lambda: program.http.get(asked["url"].removeprefix("/api/v1")).status_code == 200)
    assert ask(program).json()["id"] != asked["id"]
    execute(database_url, "UPDATE exports SET asked_at = asked_at - interval '8 days'")
    clock.advance(hours=1)
    count = "SELECT count(*) FROM exports WHERE id = $1"
    wait_until(lambda: fetch(database_url, count, asked["id"])[0] == 0)
    assert code(program.http.get(asked["url"].removeprefix("/api/v1"))) == (404, "not_found")


def test_a_page_asks_for_an_export(visitor):
    visitor.register()
    visitor.http.post("/account/confirm", data={"password": PASSWORD})
    visitor.http.post("/account/data")
    wait_until(lambda: "/account/exports/" in visitor.http.get("/account/data").text)


@pytest.fixture
def person(server, program, database_url):
    """Return a player with something in every corner, under a name that occurs nowhere else."""
    person = grant(database_url, Program(server, fresh_name("unique")), "organiser")
    game = lost_rated_game(person, program)
    opponent = Visitor(server).log_in(program.username)
    person.shared_board = opponent.http.post(f"/games/{game}/together").url.path
    person.http.post("/nugget/entries", json={"boards": new_record(detours=6)})
    file = sealed(new_record(detours=6)) + f"# by {person.username}\n".encode()
    assert reveal(person, commit(person, file), file).status_code == 201
    for about, by in ((person, program), (program, person)):
        report = {
            "username": about.username,
            "reason": "abuse",
            "text": SECRET_TEXT,
            "place": f"profile:{person.username}",
        }
        assert by.http.post("/reports", json=report).status_code == 201
    visitor = Visitor(server).log_in(person.username)
    visitor.http.post("/nugget/runs", data={"name": SECRET_TEXT})
    visitor.http.post("/account/profile", data={"text": SECRET_TEXT})
    visitor.http.post("/account/confirm", data={"password": PASSWORD})
    visitor.http.post("/account/tokens", data={"name": SECRET_TEXT, "scope": "read"})
    make_old(database_url, person)
    match = Match(server)
    match.play("d4", "pass", "e5", "pass", "pass")
    said = {"room": "spectators", "text": SECRET_TEXT[:140]}
    assert person.http.post(f"/games/{match.id}/chat", json=said).status_code == 201
    assert person.http.post(f"/messages/{program.username}", json={"text": SECRET_TEXT}).status_code == 201
    team = person.http.post("/teams", json={"name": fresh_name("Team"), "text": SECRET_TEXT})
    assert team.status_code == 201, team.text
    give_address(database_url, person, f"{person.username}@example.com")
    moderator = make_moderator(database_url, Program(server))
    warning = {"username": person.username, "action": "warn", "reason": f"{person.username}: {SECRET_TEXT}"}
    assert moderator.http.post("/moderation/actions", json=warning).status_code == 201
    return person


def places_with(database_url, *texts):
    """Return the columns of all tables that have one of some texts."""

    async def look():
        async with connected(database_url) as connection:
            return [
                f"{table.name}.{column.name}"
                for table in Base.metadata.tables.values()
                for column in table.columns
                if isinstance(column.type, Text | JSONB | ARRAY)
                for text in texts
                if await connection.fetchval(
                    f'SELECT EXISTS (SELECT FROM "{table.name}" WHERE "{column.name}"::text ILIKE $1)',
                    f"%{text}%",
                )
            ]

    return run_coroutine(look())


def test_after_two_weeks_no_row_has_the_name_or_a_text(person, program, clock, database_url):
    assert {
        "accounts.username",
        "reports.text",
        "nugget_ledger.line",
        "nugget_ledger.newer",
        "api_tokens.name",
        "profiles.text",
    } <= set(places_with(database_url, person.username, SECRET_TEXT))
    assert program.http.get(person.shared_board).json()["title"] == f"{person.username}, {program.username}"
    close = {"password": PASSWORD, "erase": True}
    assert person.http.post("/me/close", json=close).status_code == 204
    account = id_of(database_url, person)
    clock.advance(days=14, seconds=1)
    wait_until(lambda: not places_with(database_url, person.username), within=90)
    assert places_with(database_url, person.username, SECRET_TEXT) == []
    (name,) = fetch(database_url, "SELECT username FROM accounts WHERE id = $1", account)
    assert name.startswith("closed-")
    assert program.http.get(f"/players/{name}").json()["is_closed"]
    assert program.http.get(person.shared_board).json()["title"] == f"{name}, {program.username}"
    assert f"<title>{name}, {program.username}" in Visitor(program.server).http.get(person.shared_board).text
    assert audit(Visitor(program.server).http.get("/nugget/ledger").text).valid
    files = "SELECT count(file), count(*) FROM nugget_commitments WHERE account_id = $1"
    assert tuple(fetch(database_url, files, account)) == (0, 1)
    taken = program.http.post("/accounts", json={"username": person.username, "password": PASSWORD})
    assert code(taken) == (422, "username_taken")
    assert program.http.post("/tokens", json={"username": name, "password": PASSWORD}).status_code == 401


def test_logging_in_opens_an_account_again_that_waits_to_be_erased(server, program, clock):
    visitor = Visitor(server).register()
    visitor.http.post("/account/confirm", data={"password": PASSWORD})
    assert visitor.http.post("/account/close", data={"erase": "true"}).status_code == 200
    assert program.http.get(f"/players/{visitor.username}").json()["is_closed"]
    clock.advance(days=13)
    credentials = {"username": visitor.username, "password": PASSWORD}
    assert program.http.post("/tokens", json={**credentials, "password": "wrong"}).status_code == 401
    assert program.http.post("/tokens", json=credentials).status_code == 201
    assert not program.http.get(f"/players/{visitor.username}").json()["is_closed"]
