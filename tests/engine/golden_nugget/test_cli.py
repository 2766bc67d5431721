"""The commands `gorrion verify` and `gorrion verify-ledger`."""

import json

import pytest
from typer.testing import CliRunner

from app.server.cli import cli
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.ledger import accept, to_line
from tests.engine.golden_nugget.boards import ROWS, arranged
from tests.engine.golden_nugget.conftest import SAMPLE


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)))


@pytest.fixture
def ledger(tmp_path):
    """Return the path of a ledger with a receipt for the sample, and the hash of the receipt."""
    verdict = verify_file(SAMPLE.read_bytes())
    link = accept(
        None,
        entry="k7m2wq9xab",
        player="wren",
        submitted_at="2026-11-21T06:05:00Z",
        record_sha256=verdict.sha256,
    )
    (tmp_path / "ledger.jsonl").write_text(f"{to_line(link)}\n", encoding="utf-8")
    return tmp_path / "ledger.jsonl", link.hash


def test_verifying_a_valid_record():
    done = run("verify", "golden_nugget", SAMPLE)
    assert done.exit_code == 0
    assert json.loads(done.stdout) == verify_file(SAMPLE.read_bytes()).as_json()
    assert done.stdout.count("\n") == 1


def test_verifying_an_invalid_record(tmp_path):
    file = tmp_path / "record.txt"
    file.write_text("board 1: P8")
    done = run("verify", "golden_nugget", file)
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {
        "valid": False,
        "boards": 1,
        "moves": 1,
        "mean": None,
        "errors": [
            {
                "board": None,
                "move": None,
                "code": "too_few_boards",
                "message": "An entry has at least 20 solved boards, and this record 1.",
            },
            {"board": 1, "move": 1, "code": "syntax", "message": "'P8' is not a move such as P or P7."},
        ],
    }


def test_verifying_a_file_that_is_too_large(tmp_path):
    file = tmp_path / "record.txt"
    file.write_bytes(b"#" * (256 * 1024 + 1))
    done = run("verify", "golden_nugget", file)
    assert done.exit_code == 1
    assert [error["message"] for error in json.loads(done.stdout)["errors"]] == [
        "The record is over 256 KiB."
    ]


def test_unreadable_files_are_reported(tmp_path, ledger):
    for arguments in (
        ["verify", "golden_nugget", tmp_path / "none.txt"],
        ["verify", "golden_nugget", tmp_path],
        ["verify-ledger", tmp_path],
        ["verify-ledger", ledger[0], "--record", tmp_path],
    ):
        done = run(*arguments)
        assert (done.exit_code, done.stdout) == (1, "")
        assert "cannot be read: " in done.stderr
    (tmp_path / "ledger.jsonl").write_bytes(b"\xff")
    assert "not UTF-8 text" in run("verify-ledger", tmp_path / "ledger.jsonl").stderr


def test_records_of_other_games_cannot_be_verified():
    done = run("verify", "jadejack", SAMPLE)
    assert done.exit_code == 1
    assert "choose golden_nugget" in done.stderr


def test_verifying_a_ledger(ledger):
    file, kept = ledger
    done = run("verify-ledger", file, "--record", SAMPLE, "--receipt", kept)
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"valid": True, "entries": 1, "withdrawals": 0, "problems": []}


def test_verifying_a_ledger_that_was_changed(ledger):
    file, _ = ledger
    file.write_text(file.read_text().replace("wren", "lark"))
    done = run("verify-ledger", file, "--receipt", "0" * 64)
    assert done.exit_code == 1
    assert json.loads(done.stdout)["problems"] == [
        {"line": 1, "message": "Its hash does not match its content."},
        {"line": None, "message": f"No link has the hash {'0' * 64}."},
    ]


def test_a_bound_is_proven_and_its_certificate_verified(tmp_path):
    file = tmp_path / "bound.json"
    solved = ",".join(map(str, arranged(ROWS).cells))
    assert run("bound", f"A:{solved}", "--out", file).exit_code == 0
    done = run("verify", "golden_nugget", file)
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {
        "valid": True,
        "position": f"A:{solved}",
        "bound": 0,
        "searched": 0,
        "errors": [],
    }
    file.write_text(file.read_text().replace('"bound": 0', '"bound": 1'))
    assert run("verify", "golden_nugget", file).exit_code == 1


def test_a_bound_of_no_board_is_refused():
    done = run("bound", "A:1,2,3")
    assert done.exit_code == 1
    assert "49 blocks" in done.stderr
