"""The ledger: any change, move, addition or removal of links is detected."""

import json
import random
from dataclasses import fields, replace
from datetime import datetime
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.golden_nugget.audit import audit
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.ledger import (
    NO_LINK,
    Commitment,
    Receipt,
    Removal,
    Reveal,
    Withdrawal,
    accept,
    canonical,
    hash_of,
    to_line,
    withdraw,
)

PLAYERS = ["wren", "zażółć", 'a"b\\c', "🦜", "line\nbreak"]


def ledger(count=8, seed=1):
    """A chain of receipts and, every third link, a withdrawal."""
    generator = random.Random(seed)
    links, accepted, last = [], [], None
    for number in range(1, count + 1):
        time = f"2026-11-21T06:{number % 60:02}:00Z"
        if number % 3 == 0:
            entry = accepted.pop(generator.randrange(len(accepted)))
            last = withdraw(last, entry=entry, withdrawn_at=time)
        else:
            accepted.append(f"{generator.getrandbits(32):010}")
            last = accept(
                last,
                entry=accepted[-1],
                player=PLAYERS[number % len(PLAYERS)],
                submitted_at=time,
                record_sha256=generator.randbytes(32).hex(),
            )
        links.append(last)
    return links


def export(links):
    return "".join(f"{to_line(link)}\n" for link in links)


def problems(text, **known):
    return [(problem.line, problem.message) for problem in audit(text, **known).problems]


def test_a_valid_ledger():
    links = ledger()
    result = audit(export(links))
    assert result.valid
    assert result.links == tuple(links)
    assert result.as_json() == {"valid": True, "entries": 6, "withdrawals": 2, "problems": []}
    assert audit("").valid
    assert audit(export(links).removesuffix("\n")).valid


def test_the_links_are_as_documented():
    first, second, third = ledger(3)
    assert first.previous == NO_LINK == "0" * 64
    assert [link.sequence for link in (first, second, third)] == [1, 2, 3]
    assert (second.previous, third.previous) == (first.hash, second.hash)
    text = canonical(second)
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    assert text.isascii()
    assert second.hash == sha256(text.encode()).hexdigest()
    assert json.loads(to_line(second)) == json.loads(text) | {"hash": second.hash}
    assert json.loads(to_line(third)).keys() == {
        "sequence", "kind", "entry", "withdrawn_at", "previous", "hash"
    }  # fmt: skip


def test_a_single_change_is_a_single_problem():
    links = ledger()
    links[3] = replace(links[3], player="somebody else")
    assert problems(export(links)) == [(4, "Its hash does not match its content.")]
    links[3] = replace(links[3], hash=hash_of(links[3]))
    assert problems(export(links)) == [(5, "Its previous hash is not that of the link before it.")]


def test_a_missing_link():
    links = ledger()
    del links[1]
    assert problems(export(links))[:2] == [
        (2, "Its sequence is 3 instead of 2."),
        (2, "Its previous hash is not that of the link before it."),
    ]


def test_a_truncated_ledger_is_detected_by_a_hash_kept_elsewhere():
    links = ledger()
    kept = links[-1].hash
    assert problems(export(links), hashes=[kept, links[0].hash]) == []
    assert problems(export(links[:-1])) == []
    assert problems(export(links[:-1]), hashes=[kept]) == [(None, f"No link has the hash {kept}.")]


def test_a_recomputed_chain_must_still_be_consistent():
    first, second = ledger(2)
    again = accept(
        second,
        entry=first.entry,
        player="wren",
        submitted_at="2026-11-21T07:00:00Z",
        record_sha256=first.record_sha256,
    )
    withdrawn = withdraw(again, entry=second.entry, withdrawn_at="2026-11-21T07:00:00Z")
    twice = withdraw(withdrawn, entry=second.entry, withdrawn_at="2026-11-21T07:00:00Z")
    unknown = withdraw(twice, entry="k7m2wq9xab", withdrawn_at="2026-11-21T07:00:00Z")
    assert [line for line, _ in problems(export([first, second, again, withdrawn, twice, unknown]))] == [
        3,
        5,
        6,
    ]


def test_every_field_is_covered_by_the_hash():
    links = ledger(3)
    for index, link in enumerate(links):
        for name, value in json.loads(to_line(link)).items():
            other = value + 1 if isinstance(value, int) else f"{value}7"
            tampered = [*links[:index], replace(link, **{name: other}), *links[index + 1 :]]
            assert not audit(export(tampered)).valid, name


@given(st.integers(0, 2**32))
def test_any_changed_character_is_detected(seed):
    generator = random.Random(seed)
    text = export(ledger(6))
    index = generator.randrange(len(text) - 1)
    character = generator.choice(' \n"{}:,0123456789abcdefé')
    change = generator.choice([character, "", text[index] + character])
    changed = text[:index] + change + text[index + 1 :]
    assert audit(changed).valid == (changed == text)


@given(st.permutations(range(6)))
def test_any_other_order_is_detected(order):
    links = ledger(6)
    assert audit(export(links[index] for index in order)).valid == (order == sorted(order))


@given(st.lists(st.integers(0, 5), max_size=8))
def test_any_selection_of_lines_but_a_prefix_is_detected(lines):
    links = ledger(6)
    assert audit(export(links[index] for index in lines)).valid == (lines == list(range(len(lines))))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        "null",
        '{"kind": []}',
        '{"kind": "entry"}',
        "[" * 100_000,
        "1" * 5000,
        '{"kind": "entry", "sequence": NaN}',
    ],
)
def test_lines_that_are_not_links(line):
    first, second, _ = export(ledger(3)).splitlines()
    assert [number for number, _ in problems(f"{first}\n{line}\n{second}")] == [2]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sequence", True),
        ("sequence", "1"),
        ("sequence", 1.0),
        ("sequence", 0),
        ("sequence", int("9" * 4300)),
        ("moves", [[[]]]),
        ("entry", "ABC"),
        ("entry", ["x"]),
        ("submitted_at", "2026-11-21 06:05:00"),
        ("submitted_at", "2026-02-29T06:05:00Z"),
        ("submitted_at", "9999-99-99T99:99:99Z"),
        ("record_sha256", "F" * 64),
        ("player", None),
        ("extra", 1),
    ],
)
def test_links_with_invalid_fields(name, value):
    link = json.loads(to_line(ledger(1)[0]))
    text = json.dumps(link | {name: value}, sort_keys=True, separators=(",", ":"))
    assert [number for number, _ in problems(text)] == [1]


@given(st.data(), st.integers(0, 10**4300 - 1) | st.text("0123456789-:TZ.", max_size=30))
def test_whatever_is_in_a_link_is_a_problem_or_a_value_that_can_be_read(data, value):
    kind = data.draw(st.sampled_from([Receipt, Withdrawal, Removal, Commitment, Reveal]))
    names = [each.name for each in fields(kind) if each.name != "kind"]
    time = data.draw(st.dates().map(lambda day: f"{day}T{data.draw(st.integers(0, 99)):02}:05:00Z"))
    members = dict.fromkeys(names, "0" * 64) | {name: time for name in names if name.endswith("_at")}
    members |= {name: "k7m2wq9xab" for name in ("entry", "commitment", "competition") if name in names}
    link = kind(**members | {"sequence": 1, data.draw(st.sampled_from(names)): value})
    audited = audit(export([link]))
    json.dumps(audited.as_json())
    for read in audited.links:
        for name in names:
            if name.endswith("_at"):
                datetime.fromisoformat(getattr(read, name))


def test_a_link_has_exactly_one_valid_notation():
    text = to_line(ledger(1)[0])
    assert not audit(text.replace(":", ": ")).valid
    assert not audit(text.replace('{"', '{"sequence":1,"')).valid


def test_records_are_matched_with_receipts(sample):
    verdict = verify_file(sample.encode())
    receipt = accept(
        None,
        entry="k7m2wq9xab",
        player="wren",
        submitted_at="2026-11-21T06:05:00Z",
        record_sha256=verdict.sha256,
    )
    assert isinstance(receipt, Receipt)
    records = [("a.txt", sample.encode()), ("b.txt", b"board 1: P")]
    assert problems(export([receipt]), records=records[:1]) == []
    assert problems(export(ledger(2)), records=records) == [
        (None, "No receipt matches the moves of a.txt."),
        (None, "b.txt is not a valid entry."),
    ]
