"""Pictures of games as documents of their own: every one can be read, and shows what it says."""

from xml.etree import ElementTree as ET

import pytest

from app.nugget.drawing import sample_film, sample_still
from app.play.games.boards import BOARDS
from engine.game_record import GameRecord
from engine.registry import FOR_TWO
from engine.variations import Tree
from tests.support.answers import assert_error_page

SAMPLES = {rules.key: (board.film, board.still) for rules, board in BOARDS.items()}
SAMPLES["golden_nugget"] = (sample_film, sample_still)


@pytest.mark.parametrize("rules", BOARDS, ids=lambda rules: f"{rules.key}-{len(rules.sides)}")
def test_a_picture_of_every_position_of_a_sample_is_well_formed(rules):
    board = BOARDS[rules]
    for ply, position in enumerate(board.sample.positions()):
        ET.fromstring(board.picture(position, board.sample.moves[ply - 1] if ply else None))


@pytest.mark.parametrize("game", SAMPLES)
def test_a_film_ends_with_what_the_still_picture_shows(game):
    film, still = (ET.fromstring(draw()) for draw in SAMPLES[game])

    def texts(picture, *, is_past):
        groups = picture.findall("{*}g") or [picture]
        return sorted(
            text.text
            for group in groups
            if is_past or "past" not in group.get("class", "")
            for text in group.iter("{http://www.w3.org/2000/svg}text")
            if text.get("font-size") == "17"
        )

    assert texts(film, is_past=False) == texts(still, is_past=True)


@pytest.mark.parametrize("game", SAMPLES)
@pytest.mark.parametrize("name", ["film", "still"])
def test_the_pictures_of_each_game_have_addresses(visitor, game, name):
    answer = visitor.http.get(f"/rules/{game}/{name}.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    ET.fromstring(answer.content)
    assert_error_page(visitor.http.get(f"/rules/chess/{name}.svg"), 404)


def test_a_film_shows_every_round_at_its_plies():
    rules = FOR_TWO["jumping_farther"]
    moves = ["c1", "a3", "a1", "b2", "b1", "c2", "b3", "c3", "a3", "c1"]  # the first round has eight numbers
    record = GameRecord(rules.key, {"size": 3, "rounds": 2}, Tree.of_moves(moves))
    shown = [(part.start, part.end) for part in BOARDS[rules].film_parts(record) if "<text" in part.drawn]
    assert shown == [*((ply, 9) for ply in range(1, 9)), (9, None), (10, None)]
