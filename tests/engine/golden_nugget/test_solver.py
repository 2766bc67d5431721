"""The solver: its kernels agree with the rules, and its solutions are legal."""

import contextlib
import errno
import itertools
import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.server.cli import solving
from app.server.operations import files
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import FORCES, START, IllegalPush, Move, push, solved, turn, undo
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.record import to_text
from engine.search.nugget import endgame, kernels, path_kernels
from engine.search.nugget.beam import _APART_BELOW, Beam, column_estimates
from engine.search.nugget.graph import FIRST, Graph, Solved
from engine.search.nugget.nodes import forces_of_board, forces_of_node, node_of
from engine.search.nugget.runs import Run, after, resumed
from engine.search.nugget.search import _Planner, search
from engine.search.nugget.tables import (
    COLOURS_OF,
    FORCE_NAMES,
    HASHES,
    LINES,
    POWERS,
    SYMMETRIES,
)
from engine.search.nugget.tasks import SeekPairs
from tests.engine.golden_nugget.boards import ROWS, any_boards, arranged, reached_boards
from tests.support.commands import failure, invoke
from tests.support.effort import cases
from tests.support.nugget import SHORT_RECORD

pytestmark = pytest.mark.usefixtures("compiled_searches")

VECTORS = json.loads(Path("tests/vectors/golden_nugget.json").read_text(encoding="utf-8"))


def arrays(board):
    """The blocks and the colours of a board, as the kernels expect them."""
    blocks = np.array(board.cells, np.uint8)
    return blocks, COLOURS_OF[list(Face).index(board.face)][blocks]


def canonical(board):
    return kernels.canonical(arrays(board)[1], SYMMETRIES, HASHES)


@pytest.fixture(scope="module")
def database():
    return endgame.build(3)


@given(any_boards() | reached_boards())
def test_kernels_push_like_the_rules(board):
    for force, line in zip(FORCE_NAMES, LINES, strict=True):
        blocks, colours = arrays(board)
        is_legal = kernels.push(blocks, colours, line)
        try:
            after, move = push(board, force)
        except IllegalPush:
            assert not is_legal
            after = board
        else:
            assert is_legal
            assert kernels.lifted(arrays(board)[1], line) == move.lifted - 1
        assert tuple(blocks) == after.cells
        assert (colours == arrays(after)[1]).all()


@pytest.mark.parametrize("walk", VECTORS["walks"], ids=lambda walk: walk["record"][0])
def test_kernels_agree_with_the_vectors(walk):
    face = list(Face).index(Face(walk["face"]))
    blocks = np.arange(1, 50, dtype=np.uint8)
    colours = COLOURS_OF[face][blocks]
    for step in walk["record"]:
        is_legal = kernels.push(blocks, colours, LINES[FORCE_NAMES.index(step[0])])
        assert is_legal == ("!" not in step)
    assert blocks.tolist() == walk["cells"]


@given(reached_boards(), st.integers(0, 7), st.permutations(range(1, 6)))
def test_equivalent_boards_have_the_same_key(board, symmetry, names):
    _, colours = arrays(board)
    renamed = np.array([0, *names], np.uint8)[colours]
    turned = renamed[SYMMETRIES[symmetry]]
    assert kernels.canonical(turned, SYMMETRIES, HASHES) == canonical(board)
    different = colours.copy()
    different[[0, 24]] = different[[24, 0]]
    if colours[0] != colours[24]:
        assert kernels.canonical(different, SYMMETRIES, HASHES) != canonical(board)


def test_the_database_has_the_known_number_of_boards():
    """The counts are those of another program, up to symmetry and permutations of colours."""
    assert [np.count_nonzero(endgame.build(4).values[:] == depth) for depth in (1, 2, 3, 4)] == [
        6,
        108,
        1_887,
        33_908,
    ]


def test_the_depths_of_the_database_are_exact(database):
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
                    befores.append(undo(board, Move(force, lifted)))
                except IllegalPush:
                    continue
        board = generator.choice(befores)


@settings(max_examples=cases(30))
@given(st.lists(st.sampled_from(FORCE_NAMES), max_size=20))
def test_incremental_estimates_agree_with_full_ones(forces):
    """What a level of the beam knows of its boards is what is computed from each of them."""
    beam = Beam(width=60)
    blocks = after(Run(), [FORCE_NAMES.index(force) for force in forces]).blocks
    _, level = beam._start(blocks, 0)
    for seed in range(3):
        level, _, _ = beam._next(level, seed)
        columns = np.empty(7, np.int32)
        for place, cells in enumerate(level.cells):
            kernels.column_patterns(cells, POWERS, columns)
            assert list(level.columns[place]) == list(columns)
            outer = [1, 0, 0, 0, 0, 0, 1]
            assert level.estimates[place] == column_estimates()[outer, columns].sum(dtype=int)
        far = level.cells[level.estimates >= _APART_BELOW]
        assert len({cells.tobytes() for cells in far}) == len(far)


@settings(max_examples=cases(20))
@given(st.lists(st.sampled_from(FORCE_NAMES), min_size=1, max_size=8), st.sampled_from(Face))
def test_solutions_are_legal(forces, face):
    board = arranged(ROWS, face)
    for force in forces:
        try:
            board, _ = push(board, force)
        except IllegalPush:
            continue
    solutions = Beam(50).solve(bytes(board.cells), list(Face).index(face), seed=1)
    assert solutions
    assert len({solution.blocks for solution in solutions}) == len(solutions)
    for solution in solutions:
        after = board
        for force in solution.forces:
            after, _ = push(after, FORCE_NAMES[force])
        assert solved(after)
        assert bytes(after.cells) == solution.blocks


def test_a_beam_solves_the_boards_of_several_threads_one_after_the_other(monkeypatch):
    """They share its memory: two at once would hang, or find nothing."""
    seeds = []

    def step(_beam, level, seed):
        seeds.append(seed)
        time.sleep(0.001)  # another thread may go on
        return level, (), []

    monkeypatch.setattr(Beam, "_next", step)
    beam = Beam(50)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda seed: beam.solve(bytes(START.cells), 0, seed), (0, 1000)))
    assert len(seeds) > 2
    assert len(list(itertools.groupby(seed // 1000 for seed in seeds))) == 2


def walks(length=40):
    """The boards of random pushes from the start."""
    return st.lists(st.sampled_from(FORCE_NAMES), min_size=1, max_size=length).map(
        lambda forces: after(Run(), [FORCE_NAMES.index(force) for force in forces]).blocks
    )


@given(walks(), st.sampled_from((0, 1)), st.integers(0, 7))
def test_symmetric_boards_are_one_node(blocks, face, symmetry):
    turned = np.frombuffer(blocks, np.uint8)[SYMMETRIES[symmetry]].tobytes()
    assert node_of(turned, face) == node_of(blocks, face)


@given(walks(), st.sampled_from((0, 1)), st.lists(st.sampled_from(range(28)), max_size=10))
def test_a_node_is_pushed_like_its_board(blocks, face, forces):
    """The same pushes lead from a board, and from its node, to boards with one node."""
    node = node_of(blocks, face)
    of_node = forces_of_node(blocks, face, tuple(forces))
    assert forces_of_board(blocks, face, of_node) == tuple(forces)
    assert node_of(pushed(node, 0, of_node), 0) == node_of(pushed(blocks, face, forces), face)
    assert node_of(pushed(node, 0, of_node), 1) == node_of(pushed(blocks, face, forces), 1 - face)


def pushed(blocks, face, forces):
    """The blocks of a board after pushes; illegal ones change nothing."""
    numbers = np.frombuffer(bytearray(blocks), np.uint8)
    colours = COLOURS_OF[face][numbers]
    for force in forces:
        kernels.push(numbers, colours, LINES[force])
    return numbers.tobytes()


@given(
    st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(1, 9), min_size=1),
    st.integers(1, 5),
)
def test_the_best_path_is_that_of_an_exhaustive_search(edges, boards):
    """Over random graphs, where cycles may be worth repeating."""
    names = [FIRST, *(FIRST[:-1] + bytes([name]) for name in range(100, 104))]
    edges = {(0, 1): 9, (1, 0): 9, **edges}
    graph = Graph()
    for (source, target), moves in edges.items():
        number = graph.number(names[source], 0)
        graph.add(number, 1, [Solved(bytes(moves), names[target], 0)])
    costs = graph.costs(boards)
    sources = {source for source, _ in edges}
    best = {0: 0}
    for layer in costs.from_start:
        known = zip(costs.tried, layer, strict=True)
        assert {names.index(graph.nodes[node]): cost for node, cost in known if cost < path_kernels.FAR} == {
            name: cost for name, cost in best.items() if name in sources
        }
        following = {}
        for (source, target), cost in edges.items():
            if source in best:
                following[target] = min(following.get(target, 99), best[source] + cost)
        best = following
    assert costs.path_costs[-1] == min(best.values())
    path = [names.index(graph.nodes[node]) for node in costs.path]
    assert [edges[edge] for edge in itertools.pairwise(path)] == np.diff(costs.path_costs).tolist()


@given(st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(1, 9), min_size=1))
def test_the_fewest_moves_of_each_length_are_those_of_its_best_path(edges):
    names = [FIRST, *(FIRST[:-1] + bytes([name]) for name in range(100, 104))]
    graph = Graph()
    for (source, target), moves in {**edges, (0, 1): 9, (1, 0): 9}.items():
        graph.add(graph.number(names[source], 0), 1, [Solved(bytes(moves), names[target], 0)])
    expected = [graph.costs(length).path_costs[-1] for length in (20, 50)]
    assert graph.costs(99).fewest == expected


def test_a_search_tells_how_far_it_is():
    *earlier, last = search(Graph(), boards=2, seconds=2, seed=1, jobs=2)
    assert (earlier[0].best.boards, earlier[0].board, earlier[0].position) == ((), 1, START)
    seconds = [progress.seconds for progress in (*earlier, last)]
    assert max(after - before for before, after in itertools.pairwise(seconds)) < 30
    second = next(progress for progress in earlier if progress.board == 2)
    board = START
    for force in second.best.record.boards[0].moves:
        board, _ = push(board, force)
    assert second.position == turn(board)
    assert last.solved == last.nodes - 1
    assert last.tried >= 2


def test_a_search_that_goes_on_does_not_begin_with_the_cycles_it_has_sought():
    kept = Graph()
    kept.add_run(resumed(SHORT_RECORD.read_bytes()))
    (first,), (again,), (other,) = (_Planner(graph, 20, 60, 1).plan(0) for graph in (Graph(), Graph(), kept))
    assert isinstance(first, SeekPairs)
    assert first == again
    assert first != other


def test_a_run_can_be_written_as_a_record_and_resumed(tmp_path):
    graph = Graph()
    *_, last = search(graph, boards=1, seconds=2, seed=1, jobs=1)
    record = to_text(last.best.record)
    (problem,) = verify_file(record.encode()).problems
    assert problem.code == "too_few_boards"
    run = resumed(record.encode())
    assert run == last.best
    with (tmp_path / "graph.npz").open("wb") as file:
        graph.save(file)
    for known in (Graph(), Graph.load(tmp_path / "graph.npz")):
        known.add_run(run)
        assert known.run(known.costs(1).path).moves == run.moves
        *_, longer = search(known, boards=2, seconds=2, seed=1, jobs=2)
        again = verify_file(to_text(longer.best.record).encode())
        assert again.counts == tuple(map(len, longer.best.boards))
        assert len(again.counts) == 2


def test_a_damaged_record_cannot_be_resumed():
    with pytest.raises(ValueError, match="board 1"):
        resumed(b"board 1: P P P P P P P P P\n")


@pytest.mark.parametrize("stop", [os.kill, os.killpg], ids=["itself", "all of its processes"])
def test_the_solve_command_writes_its_best_run_when_stopped(tmp_path, stop):
    out = tmp_path / "record.txt"
    command = [sys.executable, "-m", "app", "solve", "--boards", "200", "--seconds", "60", "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        output = ""
        while "mean" not in output:
            output += running.stderr.read(20)
            assert running.poll() is None, output
        stop(running.pid, signal.SIGTERM)
        output += running.stderr.read()
    assert running.returncode == 0, output
    assert "Traceback" not in output
    verdict = verify_file(out.read_bytes())
    assert verdict.counts
    assert {problem.code for problem in verdict.problems} <= {"too_few_boards"}


def test_a_terminal_shows_how_far_the_search_is(tmp_path):
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    command = [sys.executable, "-m", "app", "solve", "--boards", "2", "--seconds", "5", "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment) as running:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other end was closed
            while part := os.read(ours, 4096):
                shown += part
        record = running.stdout.read()
    os.close(ours)
    assert running.returncode == 0, shown
    assert len(verify_file(record).counts) == 2
    text = shown.decode()
    assert re.search(r"best path +│ boards 2, moves \d+", text), text
    for fact in ("nodes", "boards per minute", "time left"):
        assert fact in text
    assert "\x1b[1A" in text, "it is drawn over itself"


def test_what_a_search_knows_is_kept_meanwhile(tmp_path, monkeypatch):
    """A process that is killed has to begin where it was, not where it began."""
    monkeypatch.setattr(solving, "_KEEP_EVERY", 0.1)
    save, kept = Graph.save, []

    def save_and_count(graph, file):
        save(graph, file)
        kept.append(len(graph.nodes))

    monkeypatch.setattr(Graph, "save", save_and_count)
    graph = tmp_path / "graph.npz"
    assert invoke("solve", "--boards", 3, "--seconds", 2, "--graph", graph).exit_code == 0
    assert kept[0] == 1
    assert any(1 < nodes < kept[-1] for nodes in kept)
    assert len(Graph.load(graph).nodes) == kept[-1]


def test_the_solve_command_does_not_continue_a_damaged_record(tmp_path):
    damaged = tmp_path / "damaged.txt"
    damaged.write_text("board 1: Z9 what\n")
    assert "cannot be continued" in failure("solve", "--from", damaged)


def test_a_record_that_could_not_be_written_is_not_searched_for(tmp_path):
    for out in (tmp_path, tmp_path / "none" / "record.txt"):
        assert str(out) in failure("solve", "--boards", 1, "--seconds", 1, "--out", out)
    assert list(tmp_path.iterdir()) == []


def test_the_solve_command_goes_on_from_what_it_has_kept(tmp_path):
    graph, out = tmp_path / "graph.npz", tmp_path / "record.txt"
    for _ in range(2):
        done = invoke("solve", "--boards", 1, "--seconds", 1, "--graph", graph, "--out", out)
        assert done.exit_code == 0, done.output
    known = Graph.load(graph)
    assert known.costs(1).path_costs[-1] == len(resumed(out.read_bytes()).boards[0])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.npz", "record.txt"]


@pytest.mark.parametrize("damage", [b"", b"no graph", b"PK\x03\x04 damaged"])
def test_a_file_that_is_no_graph_is_refused_and_kept(tmp_path, damage):
    file = tmp_path / "graph.npz"
    file.write_bytes(damage)
    assert "graph.npz" in failure("solve", "--boards", 1, "--seconds", 1, "--graph", file)
    assert file.read_bytes() == damage


def test_a_graph_that_could_not_be_kept_is_not_searched_for(tmp_path):
    for graph in (tmp_path, tmp_path / "none" / "graph.npz"):
        assert str(graph) in failure("solve", "--boards", 1, "--seconds", 1, "--graph", graph)
    assert list(tmp_path.iterdir()) == []


def test_a_record_is_kept_if_the_disk_is_full_when_the_graph_is_written(tmp_path, monkeypatch):
    save, calls = Graph.save, itertools.count()

    def full(graph, file):
        if next(calls):  # the first time is before the search
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        save(graph, file)

    monkeypatch.setattr(Graph, "save", full)
    graph = tmp_path / "graph.npz"
    done = invoke("solve", "--boards", 1, "--seconds", 1, "--graph", graph)
    assert done.exit_code == 0
    assert "graph.npz cannot be written: No space left on device." in done.stderr
    (problem,) = verify_file(done.stdout.encode()).problems
    assert problem.code == "too_few_boards"
    assert list(Graph.load(graph).efforts) == [0]


def test_a_record_is_printed_if_the_disk_is_full_when_it_is_written(tmp_path, monkeypatch):
    def full(*_arguments, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "synchronize", full)
    done = invoke("solve", "--boards", 1, "--seconds", 1, "--out", tmp_path / "record.txt")
    assert done.exit_code == 1
    assert "record.txt cannot be written: No space left on device." in done.stderr
    (problem,) = verify_file(done.stdout.encode()).problems
    assert problem.code == "too_few_boards"
    assert list(tmp_path.iterdir()) == []


def test_the_next_board_shows_the_other_face():
    _, colours = arrays(turn(START))
    assert (colours == COLOURS_OF[1][np.arange(1, 50)]).all()
