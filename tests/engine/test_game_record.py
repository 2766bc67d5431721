"""Game records: round trips, and rejection with the ply and the reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import variations
from engine.game import with_defaults
from engine.game_record import MAX_BYTES, GameRecord, RecordError, parse, to_text
from engine.registry import FOR_TWO, GAMES, SOLITAIRE
from engine.variations import Tree
from tests.engine.strategies import generators

headers = st.dictionaries(
    st.sampled_from(["Black", "White", "Date", "Site", "Result"]),
    st.text(st.characters(exclude_categories=["C", "Z"])),
)


@given(st.sampled_from([*FOR_TWO.values(), *SOLITAIRE.values()]), generators, st.integers(0, 40), headers)
def test_records_survive_a_round_trip(game, generator, plies, other_headers):
    chosen = {
        name: generator.randint(limits.minimum, limits.maximum) for name, limits in game.options.items()
    }
    options = with_defaults(game.options, chosen)  # without a komi that is the usual one
    position, moves = game.initial(options), []
    while len(moves) < plies and game.outcome(position) is None:
        moves.append(generator.choice(game.legal_moves(position)))
        position = game.play(position, moves[-1])
    record = GameRecord(game.key, options, Tree.of_moves(moves), other_headers, len(game.sides))
    again = parse(to_text(record))
    assert again == record
    assert len(again.positions()) == len(moves) + 1
    assert parse(to_text(again)) == again


def test_a_record_is_headers_and_numbered_moves():
    record = GameRecord("jadejack", {"size": 9}, Tree.of_moves(["c4", "g6", "d4"]), {"Black": 'the "wren"'})
    assert to_text(record).splitlines() == [
        '[Game "jadejack"]',
        '[Players "2"]',
        '[Options "size=9"]',
        '[Black "the \\"wren\\""]',
        "",
        "1. c4 g6",
        "3. d4",
    ]


def test_a_tab_in_a_header_is_read_as_the_space_that_is_written_for_it():
    record = parse('[Game "jadejack"]\n[Black "a\twren"]\n\n1. c4')
    assert record.headers == {"Black": "a wren"}
    assert parse(to_text(record)) == record


def test_comments_numbers_and_white_space_are_ignored():
    text = '\ufeff[Game "jadejack"]\r\n\r\n; a comment\r\n1. c4\tg6 2. d4\n\n f6\n'
    assert parse(text).moves == ["c4", "g6", "d4", "f6"]
    assert parse(text).options == {"size": GAMES["jadejack"].options["size"].default}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "unknown_game"),
        ("c4 g6", "unknown_game"),
        ('[Game "chess"]\n1. e4', "unknown_game"),
        ('[Game "jadejack]\n1. e4', "bad_header"),
        ('[Game "jadejack"] c4\n', "bad_header"),
        ('[Game "jadejack"]\nc4\n[Black "wren"]', "bad_header"),
        ('[Game "jadejack"]\n[Players "1"]', "bad_players"),
        ('[Game "up_and_up"]\n[Players "2"]', "bad_players"),
        ('[Game "jumping_farther"]\n[Players "1"]\n[Options "rounds=1"]', "bad_options"),
        ('[Game "jadejack"]\n[Options "size=99"]', "bad_options"),
        ('[Game "jadejack"]\n[Options "9"]', "bad_options"),
        ('[Game "jadejack"]\n[Options "width=9"]', "bad_options"),
        ('[Game "jadejack"]\n' + "c4 " * 5_001, "too_long"),
        (" " * (MAX_BYTES + 1), "too_large"),
    ],
)
def test_invalid_records_are_rejected(text, reason):
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert (caught.value.reason, caught.value.ply) == (reason, None)


@pytest.mark.parametrize(
    ("moves", "ply", "reason"),
    [("c4 g6 c4x", 3, "move_syntax"), ("c4 c4", 2, "too_weak_to_hijack"), ("pass pass c4", 3, "game_over")],
)
def test_the_first_bad_move_is_reported_with_its_ply(moves, ply, reason):
    record = parse(f'[Game "jadejack"]\n[Options "size=9"]\n{moves}')
    with pytest.raises(RecordError, match=rf"^Ply {ply}\b") as caught:
        record.positions()
    assert (caught.value.ply, caught.value.reason) == (ply, reason)


def test_lines_within_a_comment_are_neither_headers_nor_dropped():
    text = '[Game "jadejack"]\n\nc4 {First \\} line\n[sic] second\n; third} g6\n; dropped {\nd5'
    tree = parse(text).tree
    assert [(node.move, node.comment) for node in tree.nodes[1:]] == [
        ("c4", "First } line [sic] second ; third"),
        ("g6", ""),
        ("d5", ""),
    ]


def test_the_largest_record_with_a_chat_is_read_again():
    moves = "".join(f"c{number % 9 + 1} {{{'字' * 40}}} " for number in range(500))
    tree = variations.parse(moves)
    assert 60_000 < len(str(tree).encode()) < 64 * 1024
    headers = {"First": "a" * 32, "Second": "b" * 32}
    record = GameRecord("jadejack", {"size": 9}, tree, headers)
    chat = "".join(f"; {'a' * 20} (players): {'😀' * 140}\n" for _ in range(200))
    assert parse(to_text(record) + chat) == record
