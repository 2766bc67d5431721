"""Pages and calls about Golden Nugget among a million entries, one request at a time; see benchmarks.pages.

    python -m benchmarks.nugget_fill --data FOLDER && python -m benchmarks.nugget_pages --data FOLDER

Without `--data`, the database is that of GORRION_DATABASE_URL. What is asked for of a kind is
chosen at random.
"""

import argparse
import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text

from app.core.database.session import Database
from app.nugget import standings
from app.nugget.tree.paths import node_name
from app.people.identity.names import find
from app.people.identity.service import open_session
from benchmarks.nugget_fill import COMPETITION, PLAYER
from benchmarks.pages import Asking, report
from benchmarks.serving import add_data_option, kept_database
from tests.support import plain_http

_CHOSEN = 300  # of each kind
_OPENED = "FROM nugget_entries TABLESAMPLE system (1) WHERE opened_at IS NOT NULL AND withdrawn_at IS NULL"
_SHOWN = f"{_OPENED} AND published_at IS NOT NULL"
_NODES = f"""
    SELECT next FROM nugget_tree WHERE entry_id IN (SELECT id {_SHOWN} LIMIT {_CHOSEN}) ORDER BY random()
"""
_SIGNED_IN = {
    "today's nugget",
    "board of the day, Up And Up",
    "board of the day, Jumping Farther",
    "calendar",
    "calendar of Up And Up",
    "node",
    "entry",
    "records",
    "root of the tree",
}
_LATER = {"middle": 2_600_000, "end": 3_000_000}  # keys of means


async def _prepare(url: str) -> tuple[str, dict[str, list[str]]]:
    """Return a player's session, and the names of what is asked for by kinds."""
    database = await Database.open(url, pool_size=2)
    async with database.transaction() as session:
        player = await find(session, PLAYER)
        assert player is not None, "fill the database first"
        cookie = await open_session(session, player)

        async def some(query: str) -> list[Any]:
            return list(await session.scalars(text(f"{query} LIMIT {_CHOSEN}")))

        names = {
            "entry": await some(f"SELECT id {_SHOWN} ORDER BY random()"),
            "common": await some(f"SELECT id {_OPENED} AND common ORDER BY random()"),
            "holder": await some("SELECT DISTINCT entry_id FROM nugget_record_changes"),
            "node": [*map(node_name, await some(_NODES))],
            "witnessed": await some("SELECT id FROM nugget_witnessed_servers"),
            "player": [f"made-up-{number}" for number in range(20_000, 20_000 + _CHOSEN)],
        }
    await database.close()
    return cookie, names


def asked(site: str, cookie: str, names: dict[str, list[str]]) -> list[Asking]:
    """Return what is measured."""
    anyone = plain_http.Client(base_url=site, timeout=300)
    player = plain_http.Client(base_url=site, timeout=300, cookies={"gorrion": cookie})
    today = datetime.now(UTC).date()
    order = standings.ranking(standings.COMMON).order
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    common = "/leaderboards/golden_nugget?players=common"
    competition = f"/nugget/competitions/{COMPETITION}"
    days = [f"/nugget/daily/{today - timedelta(days=number)}" for number in range(1, 300)]
    askings = [Asking(name, anyone, _all(path, names)) for name, path in {
        "records": "/nugget/records",
        "records over 200 boards": "/nugget/records?boards=200&players=everybody",
        "API records": "/api/v1/nugget/records?boards=200",
        "changes of records": "/nugget/records/changes",
        "API changes": "/api/v1/nugget/records/changes",
        "feed of records": "/feeds/records.atom",
        "root of the tree": "/nugget/tree/start",
        "API root of the tree": "/api/v1/nugget/tree/start",
        "node": "/nugget/tree/{node}",
        "API node": "/api/v1/nugget/tree/{node}",
        "certificate of board 1": "/nugget/tree/start/certificate.json",
        "today's nugget": "/nugget/daily",
        "API today's nugget": "/api/v1/nugget/daily",
        "API today's ranking": "/api/v1/nugget/daily/ranking",
        "calendar": "/nugget/daily/calendar",
        "calendar a year ago": f"/nugget/daily/calendar?before={today - timedelta(days=365)}",
        "board of the day, Up And Up": "/solitaire/daily/up_and_up",
        "board of the day, Jumping Farther": "/solitaire/daily/jumping_farther",
        "API board of the day": "/api/v1/solitaire/daily/up_and_up",
        "API ranking of the day": "/api/v1/solitaire/daily/up_and_up/ranking",
        "calendar of Up And Up": "/solitaire/daily/up_and_up/calendar",
        "API head of the ledger": "/api/v1/nugget/ledger/head",
        "API heads": "/api/v1/nugget/ledger/heads",
        "feed of heads": "/feeds/ledger.atom",
        "witnessed servers": "/nugget/witnessed",
        "witnessed server": "/nugget/witnessed/{witnessed}",
        "competition of 20,000, with its report": competition,
        "film of its winner": f"{competition}/film.svg",
        "API methods": f"/api/v1{competition}/methods",
        "competitions": "/nugget/competitions",
        "commitments": "/nugget/commitments",
        "solver": "/nugget/solver",
        "API solver": "/api/v1/nugget/solver",
        "common ranking": common,
        "API common ranking": f"/api/v1{common}",
        "entry": "/nugget/entries/{entry}",
        "API entry": "/api/v1/nugget/entries/{entry}",
        "common entry": "/nugget/entries/{common}",
        "entry with a record": "/nugget/entries/{holder}",
        "board": "/nugget/entries/{entry}/boards/7",
        "embedded entry": "/embed/nugget/entries/{entry}",
        "embedded board": "/embed/nugget/entries/{entry}/boards/7",
        "film of a board": "/nugget/entries/{entry}/boards/7/film.svg",
        "oEmbed": f"/oembed?url={site}/nugget/entries/{{entry}}",
        "player": "/nugget/players/{player}",
        "ranking": "/leaderboards/golden_nugget",
        "open question: Up And Up": "/records/up_and_up",
        "open question: Jumping Farther": "/records/jumping_farther",
        "dumps": "/dumps",
        "Golden Nugget": "/nugget",
    }.items()]  # fmt: skip
    for name, mean in _LATER.items():
        cursor = order.to_cursor((mean, -20, [40], long_ago, 1))
        askings.append(Asking(f"common ranking, {name}", anyone, [f"{common}&cursor={cursor}"]))
    askings.append(Asking("earlier days", anyone, days))
    solo = [f"/solitaire/daily/up_and_up/{today - timedelta(days=number)}" for number in range(1, 300)]
    askings.append(Asking("earlier boards of the day", anyone, solo))
    return askings + [
        Asking(f"{each.name}, signed in", player, each.paths) for each in askings if each.name in _SIGNED_IN
    ]


def _all(path: str, names: dict[str, list[str]]) -> list[str]:
    """Return the paths of which `{kind}` in this one stands for."""
    kind = re.search(r"\{(\w+)\}", path)
    return [path.replace(kind[0], name) for name in names[kind[1]]] if kind else [path]


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=300, help="of each kind")
    parser.add_argument("--only", default="", help="a regular expression: parts of names")
    add_data_option(parser)
    arguments = parser.parse_args()
    with kept_database(arguments.data) as url:
        cookie, names = asyncio.run(_prepare(url))
        report(url, lambda site: asked(site, cookie, names), arguments.only, arguments.requests)


if __name__ == "__main__":
    main()
