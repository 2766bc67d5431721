"""Operators' commands as processes: status, backup, restore, checks of games, and the doctor."""

import json
import os
import socket
import subprocess

import pytest
from sqlalchemy import make_url

from app.core.settings import ROOT
from app.server.operations.programs import find
from tests.support.commands import failure, gorrion, invoke
from tests.support.database import execute, fetch
from tests.support.players import Match, Program
from tests.support.ports import free_port
from tests.support.server import start_server
from tests.support.valkey import Valkey
from tests.support.waiting import wait_until


def answer(*arguments, **options):
    """Return the JSON that a command prints."""
    done = gorrion(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(*arguments, **options):
    """Return the line with which a command fails."""
    done = gorrion(*arguments, **options)
    assert (done.returncode, done.stdout) == (1, ""), done.stdout
    return done.stderr


@pytest.fixture(scope="module")
def site(new_database):
    """Return a running server with its own database."""
    url = new_database("operations")
    server = start_server(url)
    server.database_url = url
    yield server
    server.stop()


@pytest.fixture
def new_plain_database(postgres_url):
    """Return a function that creates a database without anything in it; it is dropped after the test."""
    names = []

    def create(name):
        names.append(name)
        execute(postgres_url, f'CREATE DATABASE "{name}"')
        return make_url(postgres_url).set(database=name).render_as_string(hide_password=False)

    yield create
    for name in names:
        execute(postgres_url, f'DROP DATABASE "{name}"')


def test_a_backup_of_a_running_server_is_restored_and_its_games_replay(site, new_plain_database, tmp_path):
    match = Match(site)
    match.play("a1", "c3", "e5", "b7")
    alone = Program(site).http.post("/games", json={"game": "up_and_up", "options": {"size": 3}})
    assert alone.status_code == 201, alone.text

    file = tmp_path / "backup"
    made = answer("backup", file, database=site.database_url)
    assert made["bytes"] == file.stat().st_size > 0
    assert file.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [file]
    assert "exists already" in refusal("backup", file, database=site.database_url)

    restored_name = f"restored_{os.getpid()}"
    restored = new_plain_database(restored_name)
    checked = answer("restore", file, "--processes", 2, database=restored)
    assert (checked["games"], checked["moves"], checked["wrong"], checked["problems"]) == (2, 4, 0, [])
    for table in ("accounts", "games", "moves", "api_tokens", "security_events"):
        query = f"SELECT count(*), md5(string_agg(t::text, ',' ORDER BY t::text)) FROM {table} t"
        assert fetch(restored, query) == fetch(site.database_url, query), table

    execute(restored, f'ALTER DATABASE "{restored_name}" SET search_path = public, pg_catalog')  # the clock
    server = start_server(restored)
    try:
        assert match.black.http.get(f"{server.url}/api/v1/games/{match.id}").json()["ply"] == 4
    finally:
        server.stop()


def test_a_backup_that_cannot_be_noted_is_a_backup(site, tmp_path):
    file = tmp_path / "backup"
    execute(site.database_url, "ALTER TABLE backup_notes ADD CONSTRAINT none CHECK (false) NOT VALID")
    try:
        done = gorrion("backup", file, database=site.database_url)
    finally:
        execute(site.database_url, "ALTER TABLE backup_notes DROP CONSTRAINT none")
    assert (done.returncode, json.loads(done.stdout)["file"]) == (0, str(file))
    assert "could not be noted in the database" in done.stderr


def test_a_database_without_tables_is_not_backed_up(new_plain_database, tmp_path):
    database = new_plain_database(f"untouched_{os.getpid()}")
    assert "nothing to back up" in failure("backup", tmp_path / "backup", database_url=database)
    assert list(tmp_path.iterdir()) == []


def test_a_restore_overwrites_nothing(site, tmp_path):
    file = tmp_path / "backup"
    answer("backup", file, database=site.database_url)
    assert "not empty" in refusal("restore", file, database=site.database_url)


def test_a_damaged_backup_leaves_the_database_empty(site, new_plain_database, tmp_path):
    file = tmp_path / "backup"
    answer("backup", file, database=site.database_url)
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])
    database = new_plain_database(f"damaged_{os.getpid()}")
    assert "pg_restore failed" in refusal("restore", file, database=database)
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    assert fetch(database, tables)["count"] == 0


@pytest.mark.parametrize("content", [b"", b"A text.\n", b"PGDMP", b"\x1f\x8b\x08"])
def test_a_file_that_is_no_backup_is_named(new_plain_database, tmp_path, content):
    file = tmp_path / "backup"
    file.write_bytes(content)
    database = new_plain_database(f"unused_{os.getpid()}")
    assert refusal("restore", file, database=database).startswith(f"{file} is not a backup, or damaged.")


NEWER = "A newer Gorrion has migrated this {}: run that version."
OLDER = "A Gorrion before 0.1.0 has migrated this {}: run the last version before 0.1.0 first."
UNKNOWN = [("abcdef012345", NEWER), ("57ba41168263", OLDER), ("a4d7e9c1b360", OLDER)]


@pytest.mark.parametrize(("revision", "advice"), UNKNOWN)
def test_what_this_version_cannot_migrate_is_refused(
    new_database, new_plain_database, tmp_path, revision, advice
):
    unknown, file = new_database("unknown"), tmp_path / "backup"
    execute(unknown, "UPDATE alembic_version SET version_num = $1", revision)
    execute(unknown, "COMMENT ON TABLE alembic_version IS NULL")
    assert failure("migrate", database_url=unknown) == advice.format("database") + "\n"
    done = invoke("doctor", "--port", free_port(), database_url=unknown)
    finding = f"fail  schema: revision {revision} is unknown\n      {advice.format('database')}\n"
    assert finding in done.stdout
    answer("backup", file, database=unknown)
    empty = new_plain_database(f"{revision}_{os.getpid()}")
    assert failure("restore", file, database_url=empty) == advice.format("backup") + "\n"
    assert fetch(empty, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")["count"] == 0


def test_games_that_do_not_replay_are_listed(new_database):
    database = new_database("damaged")
    server = start_server(database)
    try:
        matches = [Match(server) for _ in range(4)]
        for match in matches:
            match.play("a1", "c3")
    finally:
        server.stop()
    sound, moved, shortened, illegal = (match.id for match in matches)
    execute(database, "UPDATE games SET position = replace(position, 'a', 'b') || '.' WHERE id = $1", moved)
    execute(database, "DELETE FROM moves WHERE game_id = $1 AND ply = 2", shortened)
    execute(database, "UPDATE moves SET move = 'a1' WHERE game_id = $1 AND ply = 2", illegal)
    done = gorrion("check-games", "--processes", 1, database=database)
    assert done.returncode == 1
    checked = json.loads(done.stdout)
    assert (checked["games"], checked["wrong"]) == (4, 3)
    problems = {problem["game"]: problem["problem"] for problem in checked["problems"]}
    assert "is stored" in problems[moved]
    assert "has 1 moves" in problems[shortened]
    assert "cannot be replayed: Ply 2" in problems[illegal]
    assert sound not in problems


def test_the_status_counts_what_is_going_on(site):
    before = answer("status", "--once", database=site.database_url)
    match = Match(site)
    match.play("a1", "c3")
    with match.black.socket(match.id):
        status = answer("status", "--once", database=site.database_url)
    (process,) = status["processes"]
    assert (process["role"], process["connections"] > 0) == ("web", True)
    assert status["games_under_way"] == before["games_under_way"] + 1
    assert status["moves_in_last_minute"] >= 2
    assert status["connections_to_games"] == before["connections_to_games"] + 1
    assert status["heartbeat_seconds_ago"] < 10
    assert status["database_bytes"] > 1_000_000
    assert status["jobs"] == []
    shown = gorrion("status", database=site.database_url)  # into a pipe, so it ends
    assert (shown.returncode, "games under way" in shown.stdout) == (0, True)


def test_valkey_counts_the_open_pages_of_all_servers(new_database, tmp_path):
    valkey = Valkey(tmp_path)
    valkey.start()
    url = new_database("operations_valkey")
    servers = [start_server(url, valkey_url=valkey.url) for _ in range(2)]
    try:
        match = Match(servers[0])
        for player, server in zip((match.black, match.white), servers, strict=True):
            player.socket(match.id, server=server)
        options = {"database": url, "valkey_url": valkey.url}
        wait_until(lambda: answer("status", "--once", **options)["connections_to_games"] == 2)
        doctor = ("doctor", "--json", "--port", servers[0].port)
        found = {finding["check"]: finding for finding in answer(*doctor, **options)}
        assert "2 processes" in found["valkey"]["detail"]
        valkey.client.config_set("maxmemory-policy", "allkeys-lru")
        assert levels(gorrion(*doctor, **options))["valkey"] == "warn"
        valkey.kill()
        status = answer("status", "--once", **options)
        assert (status["valkey"], status["connections_to_games"], len(status["processes"])) == (None, None, 2)
        assert levels(gorrion(*doctor, **options))["valkey"] == "fail"
    finally:
        for server in servers:
            server.stop()
        valkey.close()


def levels(done):
    return {finding["check"]: finding["level"] for finding in json.loads(done.stdout)}


def test_the_doctor_finds_a_running_server_well(site):
    done = gorrion(
        "doctor", "--json", "--port", site.port, database=site.database_url, public_url="https://play.example"
    )
    found = levels(done)
    assert done.returncode == 0, done.stdout
    for shared in ("open files", "database connections", "clock"):  # with the machine and other tests
        assert found.pop(shared) in ("ok", "warn")
    assert [name for name, level in found.items() if level != "ok"] == []
    assert {
        "database",
        "fsync",
        "synchronous_commit",
        "full_page_writes",
        "schema",
        "backups",
    } <= set(found)


def test_the_doctor_says_what_to_do(new_plain_database):
    database = new_plain_database(f"doctor_{os.getpid()}")
    execute(database, f'ALTER DATABASE "doctor_{os.getpid()}" SET synchronous_commit = off')
    done = gorrion("doctor", "--port", free_port(), database=database)
    assert done.returncode == 1
    assert "fail  synchronous_commit: off\n      Turn it on" in done.stdout
    assert "Run `gorrion migrate`" in done.stdout


def test_the_doctor_names_a_correction_of_the_clock_and_how_it_ends(new_database):
    url = new_database("stepped")
    execute(url, "UPDATE heartbeat SET correction = -3600000")
    done = gorrion("doctor", "--port", free_port(), database=url)
    assert "warn  server's time: -3600.0 s from PostgreSQL's clock" in done.stdout
    assert "Restart all processes of the server together" in done.stdout
    execute(url, "UPDATE heartbeat SET correction = 0")
    assert levels(gorrion("doctor", "--json", "--port", free_port(), database=url))["server's time"] == "ok"


def test_the_doctor_reports_a_database_that_does_not_answer():
    done = gorrion("doctor", "--json", database="postgresql://nobody@127.0.0.1:1/nowhere")
    assert done.returncode == 1
    assert levels(done)["database"] == "fail"


def test_a_check_that_fails_hides_no_other(new_database):
    url = new_database("broken")
    execute(url, "ALTER TABLE alembic_version RENAME COLUMN version_num TO something")
    mail = {
        "mail_host": "nohost.invalid",
        "mail_sender": "gorrion@play.example",
        "public_url": "https://play.example",
    }
    done = invoke("doctor", "--json", "--port", free_port(), database_url=url, **mail)
    assert done.exit_code == 1
    found = levels(done)
    assert (found["mail"], found["schema"], found["fsync"]) == ("fail", "fail", "ok")


def test_the_doctor_wants_a_folder(tmp_path):
    (tmp_path / "file").touch()
    done = invoke("doctor", "--port", free_port(), "--data", tmp_path / "file")
    assert f"fail  data folder: {tmp_path / 'file'} is a file" in done.stdout


@pytest.mark.parametrize(("version", "problem"), [("16", "cannot be used"), ("18", "is not whole")])
def test_a_postgresql_that_does_not_start_hides_no_other_finding(tmp_path, monkeypatch, version, problem):
    cluster = tmp_path / "postgres"
    cluster.mkdir(mode=0o755)
    (cluster / "PG_VERSION").write_text(version)
    monkeypatch.setattr("app.core.database.embedded._START_WITHIN", 1)
    done = invoke("doctor", "--port", free_port(), "--data", tmp_path)
    assert done.exit_code == 1
    assert f"fail  data folder: others may use {cluster}" in done.stdout
    _, reason = done.stdout.split("fail  database: it cannot be started\n      The embedded PostgreSQL ")
    assert problem in reason
    assert str(cluster) in reason


def test_the_doctor_does_not_create_a_database(tmp_path):
    done = gorrion("doctor", "--json", "--data", tmp_path / "data", "--port", free_port())
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "data").exists()


def test_another_program_on_the_port_is_reported(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = gorrion("doctor", "--json", "--data", tmp_path, "--port", other.getsockname()[1])
    assert done.returncode == 1


def test_the_backup_service_backs_up_and_keeps_the_last_files(site, tmp_path):
    for day in (1, 2, 3):
        (tmp_path / f"gorrion-2020010{day}-000000.dump").touch()
    (tmp_path / "gorrion-20200104-000000.dump.part").touch()  # the service was killed while it wrote this
    url = make_url(site.database_url)
    environment = {
        "PATH": f"{find('pg_dump', 18).parent}:{os.environ['PATH']}",
        "PGHOST": url.query["host"],
        "PGUSER": url.username,
        "PGDATABASE": url.database,
        "BACKUP_FOLDER": str(tmp_path),
        "BACKUP_EVERY": "3600",
        "BACKUPS_KEPT": "2",
    }
    service = subprocess.Popen(["sh", ROOT / "deploy" / "backup.sh"], env=environment, stdout=subprocess.PIPE)
    try:
        assert service.stdout.readline().startswith(b"Wrote ")
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    finally:
        service.terminate()
        assert service.wait(10) == 0
        service.stdout.close()
    kept, made = sorted(tmp_path.iterdir())
    noted = fetch(site.database_url, "SELECT kind, bytes FROM backup_notes WHERE file = $1", made.name)
    assert tuple(noted) == ("backup", made.stat().st_size)
    assert kept.name == "gorrion-20200103-000000.dump"
    check = ["sh", ROOT / "deploy" / "backup.sh", "check"]
    assert subprocess.run(check, env=environment, check=False).returncode == 0
    assert b"TABLE DATA public games" in subprocess.check_output(
        ["pg_restore", "--list", made], env=environment
    )
    for file in (kept, made):
        os.utime(file, (0, 0))
    assert subprocess.run(check, env=environment, check=False).returncode == 1


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1", "WIN1252", "EUC_JP", "KOI8R"])
def test_a_database_that_lacks_characters_is_refused(postgres_url, encoding):
    name = f"encoding_{encoding.lower()}_{os.getpid()}"
    options = f"ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0"
    execute(postgres_url, f"CREATE DATABASE {name} {options}")
    try:
        url = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
        said = f"The database has the encoding {encoding}, which lacks characters"
        for command in ("migrate", "recount"):
            assert failure(*command.split(), database_url=url).startswith(said)
        served = gorrion("serve", "--computers", "0", "--port", free_port(), database=url)
        assert (served.returncode, served.stderr.count("\n")) == (1, 1)
        assert served.stderr.startswith(said)
        done = gorrion("doctor", "--json", database=url)
        assert levels(done)["encoding"] == "fail"
    finally:
        execute(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")
