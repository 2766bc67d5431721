"""The solver: its kernels do what the rules do, and what it finds is a solution under the rules."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import FORCES, START, IllegalPush, push, solved, turn, undo
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.record import to_text
from engine.search.nugget import endgame, kernels
from engine.search.nugget.beam import Beam
from engine.search.nugget.runs import Run, resumed, search
from engine.search.nugget.tables import (
    COLOURS_OF,
    FORCE_NAMES,
    HASHES,
    LINES,
    ORDERS,
    POWERS,
    SYMMETRIES,
    UNIT,
    WEIGHTS,
)
from tests.engine.golden_nugget.boards import ROWS, any_boards, arranged, reached_boards

VECTORS = json.loads(Path("tests/vectors/golden_nugget.json").read_text(encoding="utf-8"))


def arrays(board):
    """A board as the kernels have it."""
    blocks = np.array(board.cells, np.uint8)
    return blocks, COLOURS_OF[list(Face).index(board.face)][blocks]


def canonical(board):
    return kernels.canonical(arrays(board)[1], SYMMETRIES, HASHES)


@pytest.fixture(scope="module")
def database():
    return endgame.build(3)


@given(any_boards() | reached_boards())
def test_a_push_is_that_of_the_rules(board):
    for force, line in zip(FORCE_NAMES, LINES, strict=True):
        blocks, colours = arrays(board)
        done = kernels.push(blocks, colours, line)
        try:
            after, move = push(board, force)
        except IllegalPush:
            assert not done
            after = board
        else:
            assert done
            assert kernels.lifted(arrays(board)[1], line) == move.lifted - 1
        assert tuple(blocks) == after.cells
        assert (colours == arrays(after)[1]).all()


@pytest.mark.parametrize("walk", VECTORS["walks"], ids=lambda walk: walk["record"][0])
def test_the_vectors_are_walked(walk):
    face = list(Face).index(Face(walk["face"]))
    blocks = np.arange(1, 50, dtype=np.uint8)
    colours = COLOURS_OF[face][blocks]
    for step in walk["record"]:
        done = kernels.push(blocks, colours, LINES[FORCE_NAMES.index(step[0])])
        assert done == ("!" not in step)
    assert blocks.tolist() == walk["cells"]


@given(reached_boards(), st.integers(0, 7), st.permutations(range(1, 6)))
def test_boards_that_are_alike_have_one_key(board, symmetry, names):
    _, colours = arrays(board)
    renamed = np.array([0, *names], np.uint8)[colours]
    turned = renamed[SYMMETRIES[symmetry]]
    assert kernels.canonical(turned, SYMMETRIES, HASHES) == canonical(board)
    unlike = colours.copy()
    unlike[[0, 24]] = unlike[[24, 0]]
    if colours[0] != colours[24]:
        assert kernels.canonical(unlike, SYMMETRIES, HASHES) != canonical(board)


def test_the_database_counts_what_there_is():
    """The counts of another program, up to symmetry and the names of colours."""
    assert [np.count_nonzero(endgame.build(4).values[:] == depth) for depth in (1, 2, 3, 4)] == [
        6,
        108,
        1_887,
        33_908,
    ]


def test_a_board_in_the_database_is_as_far_as_it_says(database):
    generator, board = random.Random(1), arranged(ROWS)
    for _ in range(200):
        depth = int(database.depths(arrays(board)[1].reshape(1, 49))[0])
        if depth == kernels.NOT_FOUND:
            board = arranged(ROWS)
            continue
        assert (depth == 0) == (solved(board) is not None)
        pushed = []
        for force in FORCES:
            try:
                pushed.append(arrays(push(board, force)[0])[1])
            except IllegalPush:
                continue
        nearest = int(database.depths(np.array(pushed)).min())
        assert depth == 0 or nearest == depth - 1
        befores = []
        for force in FORCES:
            for lifted in range(2, 8):
                try:
                    befores.append(undo(board, _move(force, lifted)))
                except IllegalPush:
                    continue
        board = generator.choice(befores)


def _move(force, lifted):
    from engine.golden_nugget.board import Move

    return Move(force, lifted)


def test_estimates_are_brought_up_to_date_as_they_are_worked_out():
    """What `expand` says of a child is the estimate of that child from nothing."""
    table = kernels.line_estimates(ORDERS, *WEIGHTS.values(), UNIT)
    generator, board = random.Random(2), START
    for _ in range(12):
        _, colours = arrays(board)
        rows, columns = np.empty((1, 7), np.int64), np.empty((1, 7), np.int64)
        layouts = np.empty((1, 240), np.int16)
        kernels.patterns(colours, POWERS, rows[0], columns[0])
        kernels.estimate(rows[0], columns[0], table, layouts[0])
        seen, marks = np.zeros(1 << 10, np.uint64), np.zeros(1 << 10, np.uint8)
        name = np.bitwise_xor.reduce(HASHES[np.arange(49), colours]).reshape(1)
        out = (
            np.empty(28, np.int32),
            np.empty(28, np.uint8),
            np.empty(28, np.int16),
            np.empty(28, np.uint64),
        )
        mask = np.uint64(len(seen) - 1)
        known = (colours.reshape(1, 49), rows, columns, layouts, name)
        count = kernels.expand(*known, LINES, POWERS, table, HASHES, seen, marks, mask, *out)
        for force, said, key in zip(*(values[:count] for values in out[1:]), strict=True):
            child, _ = push(board, FORCE_NAMES[force])
            _, child_colours = arrays(child)
            kernels.patterns(child_colours, POWERS, rows[0], columns[0])
            kernels.estimate(rows[0], columns[0], table, layouts[0])
            assert said == layouts[0].min()
            assert key == np.bitwise_xor.reduce(HASHES[np.arange(49), child_colours])
        board, _ = push(board, FORCE_NAMES[generator.choice(out[1][:count])])


@settings(max_examples=20)
@given(st.lists(st.sampled_from(FORCE_NAMES), min_size=1, max_size=8), st.sampled_from(Face))
def test_solutions_keep_to_the_rules(database, forces, face):
    board = arranged(ROWS, face)
    for force in forces:
        try:
            board, _ = push(board, force)
        except IllegalPush:
            continue
    found = Beam(database, 50).solve(bytes(board.cells), list(Face).index(face), seed=1)
    assert found
    assert len({solution.blocks for solution in found}) == len(found)
    for solution in found:
        after = board
        for force in solution.forces:
            after, _ = push(after, FORCE_NAMES[force])
        assert solved(after)
        assert bytes(after.cells) == solution.blocks


def test_a_run_of_two_boards_is_a_record_and_can_be_gone_on_from():
    *_, last = search(Run(), boards=1, seconds=1, seed=1, jobs=1)
    record = to_text(last.best.record)
    (problem,) = verify_file(record.encode()).problems
    assert problem.code == "too_few_boards"
    run = resumed(record.encode())
    assert run == Run(run.blocks, last.best.boards, last.best.moves)
    *_, longer = search(run, boards=2, seconds=1, seed=1, jobs=2)
    assert longer.best.boards[:1] == run.boards
    again = verify_file(to_text(longer.best.record).encode())
    assert again.counts == tuple(map(len, longer.best.boards))


def test_a_damaged_record_is_refused_with_the_reason():
    with pytest.raises(ValueError, match="board 1"):
        resumed(b"board 1: P P P P P P P P P\n")


def command(*arguments):
    return [sys.executable, "-m", "app", "solve", *arguments]


def test_the_command_writes_what_it_has_when_it_is_stopped(tmp_path):
    out = tmp_path / "record.txt"
    arguments = ("--boards", "200", "--seconds", "60", "--out", str(out))
    with subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, text=True) as running:
        told = ""
        while "mean" not in told:
            told += running.stderr.read(20)
            assert running.poll() is None, told
        running.send_signal(signal.SIGTERM)
        told += running.stderr.read()
    assert running.returncode == 0, told
    assert "Traceback" not in told
    (problem,) = verify_file(out.read_bytes()).problems
    assert problem.code == "too_few_boards"
    damaged = tmp_path / "damaged.txt"
    damaged.write_text("board 1: Z9 what\n")
    refused = subprocess.run(command("--from", str(damaged)), capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "cannot be gone on from" in refused.stderr


def test_turning_is_what_the_next_board_starts_from():
    _, colours = arrays(turn(START))
    assert (colours == COLOURS_OF[1][np.arange(1, 50)]).all()
