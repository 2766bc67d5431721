"""Commitments by program: made, listed, revealed in time or not, and each reveal that is refused."""

import json
import secrets
from datetime import timedelta

import pytest

from app.core.database.session import Database
from app.core.moments import utc_now
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.nugget.judging import release_ended
from engine.golden_nugget import sealing
from engine.golden_nugget.audit import audit, read
from engine.golden_nugget.ledger import ErasedReceipt
from tests.support import plain_http
from tests.support.accounts import grant
from tests.support.answers import assert_problem
from tests.support.database import execute, fetch
from tests.support.games import post
from tests.support.moderation import make_moderator, open_reports
from tests.support.nugget import commit, new_record, reveal, sealed
from tests.support.players import Program, Visitor


@pytest.fixture
def program(server):
    return Program(server)


@pytest.fixture
def organiser(server, database_url):
    return grant(database_url, Program(server), "organiser")


def hold(organiser, **terms):
    """Return the id of a competition that is open for an hour."""
    starts, ends = utc_now() - timedelta(hours=1), utc_now() + timedelta(hours=1)
    times = {"starts_at": starts.isoformat(), "ends_at": ends.isoformat()}
    return post(organiser, "/nugget/competitions", title="Winter cup", **{**times, **terms}).json()["id"]


async def end(database_url, cup):
    """End a competition now."""
    execute(database_url, "UPDATE nugget_competitions SET ends_at = clock_timestamp() WHERE id = $1", cup)
    database = await Database.open(database_url, pool_size=2)
    await release_ended(database, MemoryBus(Hub()))
    await database.close()


def entry_of(server, entry_id):
    return plain_http.get(f"{server.url}/api/v1/nugget/entries/{entry_id}").json()


def ledger_of(server):
    return plain_http.get(f"{server.url}/nugget/ledger").text


def test_a_revealed_record_is_an_entry_from_the_moment_of_its_commitment(server, program):
    file = sealed(new_record(detours=3))
    made = commit(program, file)
    assert (made["status"], made["username"], made["entry_id"]) == ("sealed", program.username, None)
    receipt = made["receipt"]
    assert (receipt["kind"], receipt["player"]) == ("commitment", program.username)
    assert receipt["sha256"] == sealing.hash_of(file)
    after = post(Program(server), "/nugget/entries", boards=new_record(detours=2)).json()
    accepted = reveal(program, made, file)
    assert accepted.status_code == 201, accepted.text
    entry = accepted.json()
    assert (entry["receipt"]["kind"], entry["receipt"]["commitment"]) == ("reveal", made["id"])
    assert entry["receipt"]["sequence"] > after["receipt"]["sequence"] > receipt["sequence"]
    shown = entry_of(server, entry["id"])
    assert shown["submitted_at"] == made["committed_at"] < shown["revealed_at"]
    assert shown["commitment"] == made["id"]
    assert shown["moves"] is None
    now = program.http.get(f"/nugget/commitments/{made['id']}").json()
    assert (now["status"], now["entry_id"]) == ("revealed", entry["id"])
    text = ledger_of(server)
    assert audit(text, records=[("mine.txt", file)], hashes=[receipt["hash"]]).valid


def test_the_sealed_file_is_there_for_those_who_may_read_the_moves(server, program):
    file = sealed(new_record(detours=3))
    made = commit(program, file)
    path = f"/nugget/commitments/{made['id']}/file"
    assert plain_http.get(server.url + path).status_code == 404
    entry = reveal(program, made, file).json()["id"]
    assert plain_http.get(server.url + path).status_code == 403
    program.http.post(f"/nugget/entries/{entry}/publish")
    answer = plain_http.get(server.url + path)
    assert answer.content == file
    assert answer.headers["Content-Disposition"].startswith("attachment")
    program.http.post(f"/nugget/entries/{entry}/withdraw")
    assert plain_http.get(server.url + path).status_code == 404


def test_a_commitment_tells_nothing_of_its_record(server, program):
    boards = new_record(detours=3)
    made = commit(program, sealed(boards))
    assert made.keys() == {
        *("id", "username", "sha256", "competition", "committed_at", "expires_at", "status", "entry_id"),
        "receipt",
    }
    assert commit(program, sealed(boards))["sha256"] != made["sha256"]


def test_each_wrong_reveal_is_refused_and_the_right_one_still_works(server, program):
    boards = new_record(detours=3)
    file = sealed(boards)
    made = commit(program, file)
    wrong = {
        "another salt": sealed(boards),
        "no salt": file[: file.index(b"# salt")],
        "other line ends": file.replace(b"\n", b"\r\n"),
        "no last line end": file[:-1],
        "other moves": sealed(new_record(detours=3)),
        "a longer file": file + b"\n",
        "nothing": b"",
    }
    for name, content in wrong.items():
        problem = assert_problem(reveal(program, made, content), 422, "wrong_file")
        assert problem["sha256"] == sealing.hash_of(content), name
    assert_problem(reveal(Program(server), made, file), 403, "not_your_commitment")
    assert_problem(reveal(program, {"id": "k7m2wq9xab"}, file), 404, "not_found")
    assert reveal(program, made, file).status_code == 201


def test_a_commitment_is_revealed_once(program):
    file = sealed(new_record(detours=3))
    made = commit(program, file)
    entry = reveal(program, made, file).json()["id"]
    assert assert_problem(reveal(program, made, file), 409, "already_revealed")["entry_id"] == entry
    withdrawn = program.http.post(f"/nugget/entries/{entry}/withdraw")
    assert withdrawn.status_code == 200
    assert_problem(reveal(program, made, file), 409, "already_revealed")


def test_a_file_that_is_no_entry_stays_none(program):
    broken = b"board 1: P\n# salt: 00\n"
    made = commit(program, broken)
    problem = assert_problem(reveal(program, made, broken), 422, "invalid_entry")
    assert "too_few_boards" in {error["code"] for error in problem["errors"]}
    assert program.http.get(f"/nugget/commitments/{made['id']}").json()["status"] == "sealed"


def test_a_record_that_was_submitted_openly_meanwhile_is_known(server, program):
    boards = new_record(detours=3)
    file = sealed(boards)
    made = commit(program, file)
    post(Program(server), "/nugget/entries", boards=boards)
    assert_problem(reveal(program, made, file), 409, "known_record")


def test_nobody_can_use_a_hash_that_another_one_has_sent(server, program):
    file = sealed(new_record(detours=3))
    made = commit(program, file)
    terms = {"sha256": made["sha256"].upper()}
    again = program.http.post("/nugget/commitments", json=terms)
    assert assert_problem(again, 409, "known_commitment")["commitment_id"] == made["id"]
    copied = assert_problem(
        Program(server).http.post("/nugget/commitments", json=terms), 409, "known_commitment"
    )
    assert "commitment_id" not in copied


@pytest.mark.parametrize("sha256", ["", "0" * 63, "0" * 65, "g" * 64, "0" * 64 + "\n", " " * 64])
def test_what_is_no_hash_is_refused(program, sha256):
    answer = program.http.post("/nugget/commitments", json={"sha256": sha256})
    assert_problem(answer, 422, "invalid_request")


def test_one_without_a_competition_expires_after_30_days(server, database_url, program):
    file = sealed(new_record(detours=3))
    made = commit(program, file)
    age(database_url, made, "29 days 23 hours")
    assert program.http.get(f"/nugget/commitments/{made['id']}").json()["status"] == "sealed"
    age(database_url, made, "1 hour")
    assert program.http.get(f"/nugget/commitments/{made['id']}").json()["status"] == "expired"
    assert_problem(reveal(program, made, file), 409, "commitment_expired")
    submitted = program.http.post("/nugget/entries", content=file, headers={"Content-Type": "text/plain"})
    assert submitted.status_code == 201


def age(database_url, commitment, by):
    """Make a commitment older."""
    statement = f"UPDATE nugget_commitments SET committed_at = committed_at - interval '{by}' WHERE id = $1"
    execute(database_url, statement, commitment["id"])


async def test_a_record_committed_to_in_time_is_ranked_when_it_is_revealed_after_the_end(
    server, database_url, organiser, program
):
    cup = hold(organiser)
    file = sealed(new_record(detours=3))
    made = commit(program, file, competition=cup)
    await end(database_url, cup)
    late = program.http.post(
        "/nugget/commitments", json={"sha256": secrets.token_hex(32), "competition": cup}
    )
    assert_problem(late, 409, "competition_over")
    entry = reveal(program, made, file).json()["id"]
    shown = entry_of(server, entry)
    assert shown["competition"] == cup
    assert shown["opened_at"] is not None
    assert shown["moves"] is not None
    rows = program.http.get(f"/nugget/competitions/{cup}/ranking").json()["rows"]
    assert [row["entry_id"] for row in rows] == [entry]
    assert rows[0]["submitted_at"] == made["committed_at"]


async def test_one_for_a_competition_expires_7_days_after_its_end(database_url, organiser, program):
    cup = hold(organiser)
    files = [sealed(new_record(detours=3)) for _ in range(2)]
    first, second = (commit(program, file, competition=cup) for file in files)
    await end(database_url, cup)
    shift = "UPDATE nugget_competitions SET {0} = {0} - interval '{1}' WHERE id = $1"
    execute(database_url, shift.format("starts_at", "9 days"), cup)
    execute(database_url, shift.format("ends_at", "6 days 23 hours"), cup)
    age(database_url, first, "8 days")
    age(database_url, second, "8 days")
    assert reveal(program, first, files[0]).status_code == 201
    execute(database_url, shift.format("ends_at", "1 hour"), cup)
    assert_problem(reveal(program, second, files[1]), 409, "commitment_expired")


async def test_a_sealed_competition_keeps_what_is_revealed_before_its_end(
    server, database_url, organiser, program
):
    cup = hold(organiser, visibility="sealed")
    file = sealed(new_record(detours=3))
    entry = reveal(program, commit(program, file, competition=cup), file).json()["id"]
    assert entry_of(server, entry)["counts"] is None
    await end(database_url, cup)
    assert entry_of(server, entry)["moves"] is not None


async def test_a_competition_that_was_cancelled_does_not_lose_the_record(
    server, database_url, organiser, program
):
    cup = hold(organiser)
    file = sealed(new_record(detours=3))
    made = commit(program, file, competition=cup)
    post(organiser, f"/nugget/competitions/{cup}/cancel", reason="The hall is flooded.")
    (note,) = program.http.get("/notifications").json()["notifications"]
    assert (note["kind"], note["actor"]) == ("competition_cancelled", organiser.username)
    shown = entry_of(server, reveal(program, made, file).json()["id"])
    assert (shown["competition"], shown["submitted_at"]) == (None, made["committed_at"])


def test_the_rules_of_the_competition_hold_for_what_is_revealed(organiser, program):
    cup = hold(organiser, min_boards=50)
    file = sealed(new_record(detours=3))
    made = commit(program, file, competition=cup)
    assert_problem(reveal(program, made, file), 409, "wrong_length")
    coming = hold(organiser, starts_at=(utc_now() + timedelta(minutes=30)).isoformat())
    for competition, code in ((coming, "competition_not_open"), ("k7m2wq9xab", "not_found")):
        terms = {"sha256": secrets.token_hex(32), "competition": competition}
        assert program.http.post("/nugget/commitments", json=terms).json()["code"] == code


def test_commitments_are_listed_with_their_competition_and_their_player(organiser, program):
    cup = hold(organiser)
    first, second = (commit(program, sealed(new_record(detours=3)), competition=cup) for _ in range(2))
    other = commit(program, sealed(new_record(detours=3)))
    listed = program.http.get(f"/nugget/competitions/{cup}/commitments", params={"limit": 1}).json()
    assert [row["id"] for row in listed["rows"]] == [second["id"]]
    rest = program.http.get(
        f"/nugget/competitions/{cup}/commitments", params={"cursor": listed["next"]}
    ).json()
    assert [row["id"] for row in rest["rows"]] == [first["id"]]
    theirs = program.http.get(f"/nugget/players/{program.username}/commitments").json()
    assert [row["id"] for row in theirs["rows"]] == [other["id"], second["id"], first["id"]]
    assert program.http.get("/nugget/competitions/k7m2wq9xab/commitments").status_code == 404


def test_there_is_a_limit_of_those_that_are_not_revealed(program):
    files = [sealed(new_record(detours=3)) for _ in range(20)]
    made = [commit(program, file) for file in files]
    another = {"sha256": "f" * 64}
    refused = program.http.post("/nugget/commitments", json=another)
    assert_problem(refused, 409, "too_many_commitments")
    assert reveal(program, made[0], files[0]).status_code == 201
    assert program.http.post("/nugget/commitments", json=another).status_code == 201


def test_the_version_before_goes_on_from_each_link(database_url, program):
    """It reads `line`, knows receipts and withdrawals only, and needs the sequence and the hash."""
    file = sealed(new_record(detours=3))
    made = commit(program, file)
    reveal(program, made, file)
    lines = json.loads(
        fetch(
            database_url,
            "SELECT jsonb_agg(jsonb_build_array(sequence, hash, line, newer)) FROM nugget_ledger "
            "WHERE commitment_id = $1",
            made["id"],
        )[0]
    )
    assert len(lines) == 2
    for sequence, hashed, line, newer in lines:
        stand_in, link = read(line), read(newer)
        assert isinstance(stand_in, ErasedReceipt)
        assert (stand_in.sequence, stand_in.hash, stand_in.previous) == (sequence, hashed, link.previous)
    query = "SELECT string_agg(line || E'\\n', '' ORDER BY sequence) FROM nugget_ledger"
    assert audit(fetch(database_url, query)[0]).valid


def test_the_file_of_a_commitment_can_be_reported_and_removed(server, program, other, database_url):
    moderator = make_moderator(database_url, Program(server))
    file = sealed(new_record(detours=4)) + ("# Zły komentarz\n" + "# more\n" * 1000).encode()
    made = commit(program, file)
    entry = reveal(program, made, file).json()
    place = f"commitment:{made['id']}"
    terms = {"username": program.username, "reason": "abuse", "place": place, "text": ""}
    other.http.post("/reports", json=terms)
    (report,) = open_reports(moderator, program)
    assert report["quote"] == ""  # nobody else may read it yet
    program.http.post(f"/nugget/entries/{entry['id']}/publish")
    reader, path = Visitor(server).log_in(other.username).http, f"/nugget/commitments/{made['id']}"
    of_file = f"{path}/file", f"place=commitment%3A{made['id']}"
    assert all(address in reader.get(path).text for address in of_file)
    Program(server).http.post("/reports", json=terms)
    (quote,) = {each["quote"] for each in open_reports(moderator, program)} - {""}
    assert "# Zły komentarz" in quote
    assert all(line.startswith("#") for line in quote.splitlines())  # not its boards
    assert len(quote) == 4000
    order = {"username": program.username, "action": "remove_text", "subject": place, "reason": "Insult"}
    removed = moderator.http.post("/moderation/actions", json=order)
    assert removed.is_success, removed.text
    assert reader.get(f"{path}/file").status_code == 404
    assert not any(address in reader.get(path).text for address in of_file)
    assert entry_of(server, entry["id"])["moves"]


def test_the_file_of_a_muted_player_is_not_kept(server, program, database_url):
    moderator = make_moderator(database_url, Program(server))
    file = sealed(new_record(detours=4))
    made = commit(program, file)
    order = {"username": program.username, "action": "mute", "reason": "Advertising"}
    assert moderator.http.post("/moderation/actions", json=order).is_success
    entry = reveal(program, made, file).json()
    program.http.post(f"/nugget/entries/{entry['id']}/publish")
    assert plain_http.get(f"{server.url}/nugget/commitments/{made['id']}/file").status_code == 404
    assert entry_of(server, entry["id"])["submitted_at"] == made["committed_at"]
