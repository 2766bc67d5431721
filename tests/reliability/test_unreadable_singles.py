"""Rows that are read alone, on pages for everybody: a damaged one takes down no page."""

import contextlib

import asyncpg
import pytest

from tests.support import damage
from tests.support.database import execute, fetch
from tests.support.players import Program, Visitor
from tests.support.server import start_server

YESTERDAY = "(now() AT TIME ZONE 'utc')::date - 1"
NOW = "now() + interval '1 day'"
ROWS = {
    "announcements": (
        f"""(texts, ends_at) VALUES ('{{"en": "Soon"}}', {NOW})""",
        ["/", "/admin/site"],
    ),
    "registration_modes": ("(mode) VALUES ('open')", ["/admin/site"]),
    "dumps": ("(day, manifest) VALUES ('2020-01-01', '{}')", ["/dumps", "/api/v1/dumps"]),
    "solo_days": (
        f"(day, game, seed) VALUES ({YESTERDAY}, 'up_and_up', 'x')",
        ["/solitaire/daily/up_and_up/{yesterday}", "/api/v1/solitaire/daily/up_and_up/{yesterday}"],
    ),
    "nugget_days": (
        f"(day, seed) VALUES ({YESTERDAY}, 'x')",
        ["/nugget/daily/{yesterday}", "/api/v1/nugget/daily/{yesterday}"],
    ),
    "nugget_searches": (
        "(id, boards, seconds, board, blocks) VALUES ('seeksseeks', 20, 60, 1, sha256('x'))",
        ["/nugget/solver", "/api/v1/nugget/solver"],
    ),
    "nugget_search_samples": (
        "(search_id, number, nodes, solved, fewest) VALUES ('seeksseeks', 1, 2, 1, '{400}')",
        ["/nugget/solver", "/api/v1/nugget/solver"],
    ),
    "nugget_witnessed_servers": (
        "(id, url) VALUES ('seenseen23', 'http://a.example')",
        ["/nugget/witnessed", "/nugget/witnessed/seenseen23", "/api/v1/nugget/witnessed"],
    ),
    "nugget_witnessed_heads": (
        "(server_id, number, hash, signed_at, key_id, signature) VALUES ('seenseen23', 1, '', '', '', '')",
        ["/nugget/witnessed/seenseen23", "/api/v1/nugget/witnessed/seenseen23/heads"],
    ),
}
"""A row of each table, and the pages that show it."""


@pytest.fixture(scope="module")
def site(new_database):
    """Return a server with an administrator."""
    server = start_server(new_database("singles"))
    server.keeper = Program(server).username
    execute(server.database_url, "UPDATE accounts SET rights = '{administrator}' WHERE NOT is_computer")
    for table in ("nugget_searches", "nugget_witnessed_servers"):  # other rows belong to theirs
        execute(server.database_url, f"INSERT INTO {table} {ROWS[table][0]}")
    yield server
    server.stop()


@pytest.mark.parametrize("table", ROWS)
def test_a_damaged_row_takes_down_no_page(site, table):
    insert, paths = ROWS[table]
    database_url, administrator = site.database_url, Visitor(site).log_in(site.keeper)
    execute(database_url, f"INSERT INTO {table} {insert} ON CONFLICT DO NOTHING")
    yesterday = fetch(database_url, f"SELECT {YESTERDAY}")[0]
    for column, value in damage.damages()[table]:
        with contextlib.suppress(asyncpg.PostgresError):  # it refuses some of it
            execute(database_url, f'UPDATE "{table}" SET "{column}" = {value}')
        for path in paths:
            answer = administrator.http.get(path.format(yesterday=yesterday))
            assert answer.status_code == 200, (path, column, value)
