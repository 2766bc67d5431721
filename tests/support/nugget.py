"""Golden Nugget records to test with, as moves, as text, and sealed to commit to."""

import itertools
import uuid
from collections import defaultdict

from app.core.settings import ROOT
from engine.golden_nugget import sealing
from engine.golden_nugget.blocks import COLOURS
from engine.golden_nugget.board import FORCES, START, Board, Move, push, pushes, turn
from engine.golden_nugget.record import parse
from tests.support.database import execute
from tests.support.games import post

SAMPLE = ROOT / "docs" / "samples" / "golden-nugget-20.txt"
SHORT_RECORD = SAMPLE.with_name("golden-nugget-20-best.txt")
BEST_RECORD = SAMPLE.with_name("golden-nugget-200-best.txt")
"""The longest record that ships, most of which is a cycle."""
RECORD = ROOT / "tests" / "vectors" / "golden_nugget_200.txt"
"""A long record whose boards are all different in the beginning."""
_NAMES = "".join(FORCES)
_OPPOSITE = dict(zip(_NAMES, "NMLKJIH" + "UTSRQPO" + "7654321" + "GFEDCBA", strict=True))
_serial_numbers = defaultdict(itertools.count)
_salts = itertools.count(1)


def hide_boards(database_url):
    """Make the boards of all entries secret, so that those of later ones do not come from them."""
    execute(
        database_url, "UPDATE nugget_entries SET published_at = NULL, opened_at = NULL, is_in_tree = false"
    )
    execute(database_url, "DELETE FROM nugget_tree")


def clear_rankings(database_url):
    """Take the entries of earlier tests out of all rankings."""
    execute(database_url, "DELETE FROM nugget_standings")


def sample_moves(sample=SAMPLE):
    """Return the moves of a sample, a list for each board."""
    return [list(board.moves) for board in parse(sample.read_text()).record.boards]


def new_record(detours, sample=SAMPLE):
    """Return the moves of a record that no earlier call returned, a list for each board.

    It is a sample with a detour of two moves at the start of each of its first `detours` boards: a force
    that lifts the block on square 7, and the force on the other side, which undoes it. There are several such
    forces on each board, so there are many records of equal length.
    """
    serial_number = next(_serial_numbers[detours, sample])
    board, boards = START, []
    for place, moves in enumerate(sample_moves(sample)):
        if place < detours:
            forces = [move for move in pushes(board).values() if isinstance(move, Move) and move.lifted == 7]
            serial_number, choice = divmod(serial_number, len(forces))
            force = forces[choice]
            boards.append([str(force), f"{_OPPOSITE[force.force]}7", *moves])
        else:
            boards.append(moves)
        for move in moves:
            board, _ = push(board, move[0])
        board = turn(board)
    assert serial_number == 0, f"there are no more records with {detours} detours"
    return boards


def text_of(boards):
    """Return the record of some boards as text."""
    return "".join(f"board {number}: {' '.join(moves)}\n" for number, moves in enumerate(boards, 1))


def looks(board):
    """Return the colours of the blocks square by square: of the face that they show, and of the other."""
    shown, hidden = COLOURS[board.face], COLOURS[board.face.other]
    return tuple((shown[block], hidden[block]) for block in board.cells)


def image_of(board, image):
    """Return the image of a board, with blocks that look like the images of its blocks."""
    face = board.face.other if image.exchanges_faces else board.face
    spare = defaultdict(list)
    for block in range(1, 50):
        spare[COLOURS[face][block], COLOURS[face.other][block]].append(block)
    cells = [0] * 49
    for square, look in enumerate(looks(board)):
        cells[image.targets[square]] = spare[image.look(look)].pop()
    return Board(face, tuple(cells))


def image_of_force(force, image):
    """Return the force that does on the image of a board what a force does on the board."""
    line = tuple(image.targets[square] for square in FORCES[force])
    return next(other for other, squares in FORCES.items() if squares == line)


def run_of(program, boards):
    """Return the id of a run in which a program has played the moves of boards."""
    run = post(program, "/nugget/runs", name="Evening run").json()
    version = run["version"]
    for moves in boards:
        commands = [*(str(move)[0] for move in moves), "turn"]
        for start in range(0, len(commands), 100):
            body = {"commands": commands[start : start + 100], "version": version}
            answer = post(program, f"/nugget/runs/{run['id']}/commands", **body, request_id=str(uuid.uuid4()))
            assert answer.status_code == 200, answer.text
            version = answer.json()["version"]
    return run["id"]


def sealed(boards):
    """Return a record file of some boards with a salt that no earlier one has."""
    return sealing.salted(text_of(boards).encode(), next(_salts).to_bytes(sealing.SALT_BYTES, "big"))


def commit(program, file, **terms):
    """Commit to a file, and return the commitment as the API shows it."""
    answer = program.http.post("/nugget/commitments", json={"sha256": sealing.hash_of(file), **terms})
    assert answer.status_code == 201, answer.text
    return answer.json()


def reveal(program, commitment, file):
    """Return the answer to a file that is to reveal a commitment."""
    headers = {"Content-Type": "text/plain"}
    return program.http.post(f"/nugget/commitments/{commitment['id']}/reveal", content=file, headers=headers)
