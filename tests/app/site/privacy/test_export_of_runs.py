"""An export has what belongs to an account by another table of its data, too."""

import io
import zipfile

from msgspec import json

from app.core.database.base import Base, personal_tables
from engine.golden_nugget.board import START, Move, pushes
from tests.support.players import PASSWORD
from tests.support.waiting import wait_until

AS_TEXT = {"moves"}
"""Exported as the records of games."""
PUBLIC = {
    "coached_games",
    "helped_games",
    "explored_games",
    "game_reviews",
    "nugget_ledger",
    "nugget_reviewed_pushes",
    "nugget_tree",
    "puzzle_searches",
    "puzzles",
    "reviewed_plies",
}
"""What the server has made of games and entries, for everybody."""
EXPORTS = {"export_parts"}


def test_what_belongs_to_personal_data_is_exported_or_known_not_to_be():
    personal = personal_tables()
    of_others = {
        table.name
        for table in Base.metadata.sorted_tables
        if table.name not in personal and any(key.column.table.name in personal for key in table.foreign_keys)
    }
    assert of_others == {"nugget_boards"} | AS_TEXT | PUBLIC | EXPORTS


def test_the_moves_on_the_boards_of_runs_are_exported(program):
    force, move = next((force, move) for force, move in pushes(START).items() if isinstance(move, Move))
    run = program.http.post("/nugget/runs", json={"name": "Evening"}).json()
    commands = {"commands": [force], "version": 0, "request_id": "0" * 31 + "1"}
    assert program.http.post(f"/nugget/runs/{run['id']}/commands", json=commands).status_code == 200
    asked = program.http.post("/me/export", json={"password": PASSWORD})
    url = asked.json()["url"].removeprefix("/api/v1")
    wait_until(lambda: program.http.get(url).status_code == 200)
    archive = zipfile.ZipFile(io.BytesIO(program.http.get(url).content))
    (board,) = json.decode(archive.read("nugget_boards.json"))
    assert (board["run_id"], board["number"], board["moves"]) == (run["id"], 1, str(move))
