"""A person's data: the export, and what is left after erasing it."""

import io
import json
import re
import time
import zipfile
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from app.core.database.base import Base, personal_tables
from app.core.ids import new_id
from app.core.importing import import_all
from app.core.settings import ROOT
from app.people.identity.models import Account
from app.site.privacy.models import Export, ExportPart
from app.site.privacy.service import OvertakenError, Privacy
from engine.golden_nugget.audit import audit
from tests.support.accounts import erase_now, give_address, grant, id_of
from tests.support.answers import code
from tests.support.database import connected, execute, fetch
from tests.support.games import lost_rated_game
from tests.support.moderation import make_moderator
from tests.support.nugget import commit, new_record, reveal, sealed
from tests.support.players import PASSWORD, Match, Program, Visitor, fresh_name, make_old
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until
from tests.support.web_processes import web_processes

import_all("models")

PASSING = {
    "connections": "open pages, for ten minutes",
    "speeds_due": "ratings by speed that are computed within a minute",
}
"""Tables with accounts in rows that nobody keeps, and why no export has them."""

SECRET_TEXT = f"a text that nobody else has written {fresh_name()}"


def test_every_table_that_refers_to_accounts_says_what_belongs_to_them():
    accounts = Base.metadata.tables["accounts"]
    referring = {
        table.name
        for table in Base.metadata.tables.values()
        if "account_id" in table.c
        or any(key.column.table is accounts for column in table.columns for key in column.foreign_keys)
    }
    assert set(personal_tables()) == referring - set(PASSING), "their models declare __personal__"
    for name, personal in personal_tables().items():
        columns = set(Base.metadata.tables[name].columns.keys())
        assert {*personal.owners, *(personal.exported_by or ()), *(personal.erased or ())} <= columns
        assert set(personal.secret) <= columns


def test_every_reference_to_an_account_belongs_to_it_or_is_secret():
    accounts = Base.metadata.tables["accounts"]
    unnamed = [
        f"{name}.{column.name}"
        for name, personal in personal_tables().items()
        for column in Base.metadata.tables[name].columns
        for key in column.foreign_keys
        if key.column.table is accounts and column.name not in {*personal.owners, *personal.secret}
    ]
    assert unnamed == []


def test_no_other_table_has_the_number_of_an_account(person, database_url):
    """Foreign keys do not tell: some tables have none, and values may be inside of others."""
    account = id_of(database_url, person)
    assert account > DISTINCT
    found = {place.partition(".")[0] for place in places_with(database_url, str(account))}
    assert len(found) > 20
    assert found - set(personal_tables()) - {"accounts", *PASSING} == set(), (
        "their models declare __personal__"
    )
    erase_now(database_url, account)  # other persons write the same texts


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


def test_an_export_that_is_being_written_is_to_be_asked_for_again(server, program, other, database_url):
    export_id = new_id()
    execute(
        database_url,
        "INSERT INTO exports (id, account_id, begun_at) VALUES ($1, $2, now())",
        *(export_id, id_of(database_url, program)),
    )
    assert ask(program).json()["id"] == export_id
    answer = program.http.get(f"/me/exports/{export_id}")
    assert code(answer) == (409, "not_ready")
    assert answer.headers["retry-after"] == str(answer.json()["retry_after"])
    assert code(other.http.get(f"/me/exports/{export_id}")) == (404, "not_found")
    owner = Visitor(server).log_in(program.username)
    owner.http.post("/account/confirm", data={"password": PASSWORD})
    page = owner.http.get(f"/account/exports/{export_id}")
    assert (page.status_code, "This export is being written." in page.text) == (409, True)


def test_an_export_is_deleted_after_a_week(program, clock, database_url):
    asked = ask(program).json()
    wait_until(lambda: program.http.get(asked["url"].removeprefix("/api/v1")).status_code == 200)
    assert ask(program).json()["id"] != asked["id"]
    execute(database_url, "UPDATE exports SET asked_at = asked_at - interval '8 days'")
    clock.advance(hours=1)
    count = "SELECT count(*) FROM exports WHERE id = $1"
    wait_until(lambda: fetch(database_url, count, asked["id"])[0] == 0)
    assert code(program.http.get(asked["url"].removeprefix("/api/v1"))) == (404, "not_found")


def test_the_page_of_exports_and_their_files_ask_who_is_there(visitor, database_url):
    visitor.register()
    visitor.http.post("/account/confirm", data={"password": PASSWORD})
    visitor.http.post("/account/data")
    wait_until(lambda: "/account/exports/" in visitor.http.get("/account/data").text)
    path = re.search(r"/account/exports/[a-z0-9]+", visitor.http.get("/account/data").text)[0]
    assert visitor.http.get(path).headers["content-type"] == "application/zip"
    execute(database_url, "UPDATE sessions SET confirmed_at = NULL")
    for page in ("/account/data", path):
        assert visitor.http.get(page).url.path == "/account/confirm"


DISTINCT = 7 * 10**14
"""Numbers of accounts that are greater are found among all others."""


@pytest.fixture
def person(server, program, database_url):
    """Return a player with something in every corner, under a name and number that occur nowhere else."""
    number = DISTINCT + 1000 * int(time.time())
    fetch(database_url, "SELECT setval(pg_get_serial_sequence('accounts', 'id'), $1)", number)
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
    """Return the columns of all tables that have one of some texts, also as a part or as a number."""

    async def look():
        async with connected(database_url) as connection:
            return [
                f"{table.name}.{column.name}"
                for table in Base.metadata.tables.values()
                for column in table.columns
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
    files = "SELECT count(nullif(file, '')), count(*) FROM nugget_commitments WHERE account_id = $1"
    assert tuple(fetch(database_url, files, account)) == (0, 1)
    taken = program.http.post("/accounts", json={"username": person.username, "password": PASSWORD})
    assert code(taken) == (422, "username_taken")
    assert program.http.post("/tokens", json={"username": name, "password": PASSWORD}).status_code == 401


@pytest.mark.parametrize("first", ["who opened it", "the other"])
def test_a_shared_board_stays_until_both_of_its_players_are_erased(server, database_url, first):
    players = Program(server), Program(server)
    game = lost_rated_game(*players)
    opener = Visitor(server).log_in(players[0].username)
    path = opener.http.post(f"/games/{game}/together").url.path
    visitor = Visitor(server)
    to_go = players if first == "who opened it" else players[::-1]
    for player, status in zip(to_go, (200, 404), strict=True):
        assert visitor.http.get(path).status_code == 200
        erase_now(database_url, id_of(database_url, player))
        assert visitor.http.get(path).status_code == status


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


def test_who_cannot_log_in_is_erased_by_a_moderator(server, program, other, database_url, clock):
    """Each way in which an account is closed, or was lost, leads to its erasure."""
    moderator = make_moderator(database_url, Program(server))

    def act(about, action):
        body = {"username": about.username, "action": action, "reason": "Asked for it by mail"}
        return moderator.http.post("/moderation/actions", json=body)

    assert code(act(other, "erase")) == (409, "not_closed")
    assert act(other, "close").status_code == 201  # whoever has lost the password, too
    assert program.http.post("/me/close", json={"password": PASSWORD}).status_code == 204
    for player in (program, other):
        assert act(player, "erase").status_code == 201
        assert code(act(player, "erase")) == (409, "erasing")
    clock.advance(days=14, seconds=1)
    names = [player.username for player in (program, other)]
    wait_until(lambda: not places_with(database_url, *names), within=90)


def test_the_owner_of_a_closed_account_comes_back_while_it_waits_to_be_erased(
    server, program, other, database_url
):
    moderator = make_moderator(database_url, Program(server))
    assert program.http.post("/me/close", json={"password": PASSWORD}).status_code == 204
    erase = {"username": program.username, "action": "erase", "reason": "Asked for it by mail"}
    assert moderator.http.post("/moderation/actions", json=erase).status_code == 201
    credentials = {"username": program.username, "password": PASSWORD}
    assert other.http.post("/tokens", json=credentials).status_code == 201
    assert not other.http.get(f"/players/{program.username}").json()["is_closed"]


_REFUSE = """
CREATE FUNCTION refuse_erasure() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'damaged'; END $$;
CREATE TRIGGER refuse_erasure BEFORE UPDATE OF username ON accounts
FOR EACH ROW WHEN (OLD.id = {}) EXECUTE FUNCTION refuse_erasure()
"""


def test_an_erasure_that_fails_keeps_nobody_else_from_theirs(program, other, database_url, clock):
    for player in (program, other):
        close = {"password": PASSWORD, "erase": True}
        assert player.http.post("/me/close", json=close).status_code == 204
    execute(database_url, _REFUSE.format(id_of(database_url, program)))
    try:
        clock.advance(days=14, seconds=1)
        wait_until(lambda: not places_with(database_url, other.username), within=90)
        assert places_with(database_url, program.username) != []
    finally:
        execute(database_url, "DROP FUNCTION refuse_erasure CASCADE")


async def test_an_export_is_written_by_the_process_that_claimed_it_last(new_database):
    async with web_processes(new_database("exports"), 2) as processes:
        first, second = (process.parts.get(Privacy) for process in processes)
        async with processes[0].database.transaction() as session:
            account = Account(username=fresh_name(), password_hash="none")
            session.add(account)
            await session.flush()
            session.add(Export(id=new_id(), account_id=account.id))
        slow = await first._claim()
        assert await second._claim() is None
        async with processes[0].database.transaction() as session:
            await slow.renew(session)
            await session.execute(update(Export).values(begun_at=func.now() - timedelta(minutes=16)))
        await second.write_exports()
        with pytest.raises(OvertakenError):
            await first._write(slow)
        count = select(func.count()).select_from(ExportPart)
        async with processes[0].database.reading_now() as session:
            export = await session.scalar(select(Export))
            assert (await session.scalar(count), export.done_at is not None) == (1, True)
        content = b"".join([part async for part in second.content(export)])
        assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None


def test_an_export_does_not_name_the_administrator_who_gave_a_right(program, database_url):
    execute(
        database_url,
        "INSERT INTO security_events (account_id, action, detail, network, browser) "
        "VALUES ($1, 'right_granted', 'moderator', '198.51.100.0/24', 'administrator wren')",
        id_of(database_url, program),
    )
    url = ask(program).json()["url"].removeprefix("/api/v1")
    wait_until(lambda: program.http.get(url).status_code == 200)
    events = zipfile.ZipFile(io.BytesIO(program.http.get(url).content)).read("security_events.json").decode()
    assert "right_granted" in events
    assert "wren" not in events
    assert "198.51.100" not in events
