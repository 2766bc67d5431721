"""Commitments: sealed files, their links in the ledger, and each way to forge a reveal."""

import hashlib
import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from app.server.cli import cli
from engine.golden_nugget import ledger, sealing
from engine.golden_nugget.audit import audit, read
from engine.golden_nugget.entry import verify_file
from tests.support.nugget import SAMPLE, SHORT_RECORD

AT = "2026-11-27T12:00:00.000000Z"
FILE = sealing.salted(SAMPLE.read_bytes(), bytes(16))
HASH = sealing.hash_of(FILE)


def committed(last=None, commitment="c7m2wq9xab", sha256=HASH):
    return ledger.commit(
        last, commitment=commitment, player="wren", committed_at=AT, competition="cup-2026", sha256=sha256
    )


def revealed(last, entry="k7m2wq9xab", commitment="c7m2wq9xab", record=FILE):
    return ledger.reveal(
        last,
        entry=entry,
        commitment=commitment,
        player="wren",
        revealed_at=AT,
        record_sha256=verify_file(record).sha256,
    )


def export(*links):
    return "".join(f"{ledger.to_line(link)}\n" for link in links)


def problems(*links, **known):
    return [(problem.line, problem.message) for problem in audit(export(*links), **known).problems]


def test_a_sealed_file_is_the_record_with_a_salt_on_its_last_line():
    assert SAMPLE.read_bytes() + b"# salt: " + b"00" * 16 + b"\n" == FILE
    assert sealing.salted(b"board 1: P", b"\xff") == b"board 1: P\n# salt: ff\n"
    assert sealing.hash_of(FILE) == hashlib.sha256(FILE).hexdigest()
    assert sealing.is_hash(sealing.hash_of(FILE))
    assert not sealing.is_hash(sealing.hash_of(FILE) + "\n")
    assert verify_file(FILE).sha256 == verify_file(SAMPLE.read_bytes()).sha256


def test_a_commitment_and_its_reveal_are_links_of_the_chain():
    first = committed()
    second = revealed(first)
    result = audit(export(first, second), records=[("mine.txt", FILE)], hashes=[first.hash])
    assert (result.valid, result.links) == (True, (first, second))
    assert result.as_json() == {"valid": True, "entries": 1, "withdrawals": 0, "problems": []}
    for link in (first, second):
        assert hashlib.sha256(ledger.canonical(link).encode()).hexdigest() == link.hash
    withdrawn = ledger.withdraw(second, entry=second.entry, withdrawn_at=AT)
    assert problems(first, second, withdrawn) == []


def test_a_file_is_known_before_it_is_revealed_but_not_after_a_change():
    first = committed()
    assert problems(first, records=[("mine.txt", FILE)]) == []
    changed = FILE.replace(b"salt: 00", b"salt: 01")
    assert problems(first, records=[("mine.txt", changed)]) == [
        (None, "No receipt matches the moves of mine.txt.")
    ]


def test_names_are_erased_from_both_and_the_chain_goes_on():
    first = committed()
    second = revealed(first)
    erased = ledger.erase(first), ledger.erase(second)
    assert "wren" not in export(*erased)
    assert [link.hash for link in erased] == [first.hash, second.hash]
    assert problems(*erased, records=[("mine.txt", FILE)]) == []
    assert [read(line) for line in export(*erased).splitlines()] == list(erased)


FIRST = committed()
OTHER = sealing.salted(SHORT_RECORD.read_bytes(), bytes(16))
FORGED = {
    "without a commitment": (
        (revealed(committed(), commitment="c000000000"),),
        "not in the ledger before it",
    ),
    "twice": (
        (revealed(FIRST), revealed(revealed(FIRST), entry="k000000000", record=OTHER)),
        "has already been revealed",
    ),
    "as an entry that was accepted": (
        (revealed(FIRST), revealed(revealed(FIRST), commitment="c000000000")),
        "already has a receipt",
    ),
    "as other moves": ((revealed(FIRST, record=OTHER),), "was revealed as other moves"),
    "of a commitment that was exchanged": (
        (committed(FIRST, sha256=sealing.hash_of(OTHER)),),
        "is already in the ledger",
    ),
    "with a time of its own": (
        (replace(revealed(FIRST), revealed_at=AT[:-1] + "1Z"),),
        "not in the right format",
    ),
    "with another player": ((replace(revealed(FIRST), player="heron"),), "hash does not match"),
}


@pytest.mark.parametrize("name", FORGED)
def test_each_forged_reveal_is_found(name):
    links, said = FORGED[name]
    found = problems(FIRST, *links, records=[("mine.txt", FILE)])
    assert any(said in message for _line, message in found), found


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)))


def test_the_command_seals_a_file_once_and_prints_its_hash(tmp_path):
    record = tmp_path / "mine.txt"
    record.write_bytes(SAMPLE.read_bytes())
    done = run("seal", record)
    sealed = tmp_path / "mine.txt.sealed"
    assert json.loads(done.stdout) == {"file": str(sealed), "sha256": sealing.hash_of(sealed.read_bytes())}
    salt = sealed.read_bytes().removeprefix(record.read_bytes() + b"# salt: ").removesuffix(b"\n")
    assert len(bytes.fromhex(salt.decode())) == sealing.SALT_BYTES
    kept = sealed.read_bytes()
    again = run("seal", record)
    assert again.exit_code == 1
    assert "exists" in again.stderr
    assert sealed.read_bytes() == kept
    other = tmp_path / "other.txt"
    assert run("seal", record, "--out", other).exit_code == 0
    assert other.read_bytes() != kept


def test_the_command_refuses_what_could_not_be_revealed(tmp_path):
    record = tmp_path / "mine.txt"
    record.write_text("board 1: P")
    done = run("seal", record)
    assert done.exit_code == 1
    assert json.loads(done.stdout)["valid"] is False
    assert not (tmp_path / "mine.txt.sealed").exists()
