"""Solitaire games through the JSON API."""

import uuid

import pytest

from engine.registry import SOLITAIRE
from tests.support.answers import code
from tests.support.solitaire import begin, play, random_games


@pytest.mark.parametrize("game", SOLITAIRE)
class TestAlone:
    def test_a_whole_game_agrees_with_the_engine(self, program, game):
        rules = SOLITAIRE[game]
        moves = next(iter(random_games(game, 5).values()))
        game_id, position = begin(program, game, 5), rules.initial({"size": 5})
        for ply, move in enumerate(moves):
            snapshot = program.move(game_id, move, ply).json()
            position = rules.play(position, move)
            assert snapshot["position"] == rules.format(position)
            assert snapshot["legal_moves"] == rules.legal_moves(position)
            assert snapshot["score"] == rules.score(position)
        assert snapshot["status"] == "finished"
        assert snapshot["side_to_move"] is None
        assert snapshot["result"] == {
            "winner": None,
            "termination": "no_move",
            "score": dict(rules.score(position)),
        }
        assert list(snapshot["players"]) == ["solo"]
        assert program.snapshot(game_id) == snapshot

    def test_its_record_can_be_read_back(self, program, game):
        moves = next(iter(random_games(game, 4).values()))
        game_id = begin(program, game, 4)
        play(program, game_id, moves)
        text = program.http.get(f"/games/{game_id}/export").text
        assert '[Players "1"]' in text
        read = program.http.post("/records/check", json={"record": text}).json()
        assert read["moves"] == list(moves)
        assert read["position"] == program.snapshot(game_id)["position"]

    def test_moves_are_taken_back_until_it_is_submitted(self, program, game):
        moves = next(iter(random_games(game, 4).values()))
        game_id = begin(program, game, 4)
        nothing = program.http.post(f"/games/{game_id}/takeback")
        assert code(nothing) == (409, "nothing_to_take_back")
        play(program, game_id, moves)
        back = program.http.post(f"/games/{game_id}/takeback").json()  # the move that ended it
        assert (back["status"], back["ply"], back["undos"]) == ("started", len(moves) - 1, 1)
        assert back["result"] is None
        again = program.http.post(f"/games/{game_id}/takeback").json()
        assert (again["moves"], again["undos"]) == (list(moves[:-2]), 2)
        play(program, game_id, moves[-2:], len(moves) - 2)
        submitted = program.http.post(f"/games/{game_id}/submit").json()
        assert (submitted["submitted"], submitted["undos"]) == (True, 2)
        assert code(program.http.post(f"/games/{game_id}/takeback")) == (409, "submitted")
        assert code(program.http.post(f"/games/{game_id}/submit")) == (409, "submitted")
        assert program.snapshot(game_id) == submitted

    def test_a_repeated_move_is_played_once_and_a_stale_move_is_refused(self, program, game):
        game_id, move_id = begin(program, game, 4), uuid.uuid4()
        first = program.move(game_id, "b2", 0, move_id).json()
        assert program.move(game_id, "b2", 0, move_id).json() == first
        stale = program.move(game_id, "b3", 0)
        assert code(stale) == (409, "stale_ply")
        assert stale.json()["snapshot"]["moves"] == ["b2"]

    def test_only_its_player_moves(self, program, other, game):
        game_id = begin(program, game, 4)
        for path in ("takeback", "submit", "resign"):
            assert code(other.http.post(f"/games/{game_id}/{path}")) == (403, "not_a_player")
        assert code(other.move(game_id, "b2", 0)) == (403, "not_a_player")
        assert program.snapshot(game_id)["ply"] == 0

    def test_only_a_finished_game_is_submitted(self, program, game):
        game_id = begin(program, game, 4)
        assert code(program.http.post(f"/games/{game_id}/submit")) == (409, "not_played_out")
        program.move(game_id, "b2", 0)
        given_up = program.http.post(f"/games/{game_id}/resign").json()
        assert given_up["result"]["winner"] is None
        assert code(program.http.post(f"/games/{game_id}/submit")) == (409, "not_played_out")
        assert code(program.http.post(f"/games/{game_id}/takeback")) == (409, "game_over")

    def test_sizes_out_of_range_are_refused(self, program, game):
        sizes = SOLITAIRE[game].options["size"]
        for size in (sizes.minimum - 1, sizes.maximum + 1, -1, 10**9):
            answer = program.http.post("/games", json={"game": game, "options": {"size": size}})
            assert code(answer) == (422, "bad_options")
            assert str(sizes.maximum) in answer.json()["detail"]


@pytest.mark.parametrize(
    ("game", "played", "move", "reason"),
    [
        ("jumping_farther", "c3 c5", "c3", "occupied"),
        ("jumping_farther", "c3 c5", "b3", "not_on_a_line"),
        ("jumping_farther", "c3 c5", "f6", "off_board"),
        ("up_and_up", "a1 a2", "a1", "occupied"),
        ("up_and_up", "a1 a2", "d2", "not_k_away"),
        ("up_and_up", "a1 a2", "b2", "reset_not_allowed"),
    ],
)
def test_an_illegal_square_is_refused_with_its_reason(program, game, played, move, reason):
    game_id = begin(program, game, 5)
    before = play(program, game_id, played.split())
    refused = program.move(game_id, move, before["ply"])
    assert code(refused) == (422, "illegal_move")
    assert refused.json()["reason"] == reason
    assert program.snapshot(game_id) == before


def test_a_move_that_is_not_a_square_is_a_syntax_error(program):
    assert code(program.move(begin(program), "everywhere", 0)) == (422, "move_syntax")


def test_games_for_another_number_of_players_are_refused(program):
    assert code(program.http.post("/games", json={"game": "jadejack"})) == (422, "not_solitaire")
    alone = program.http.post("/challenges", json={"game": "up_and_up"})
    assert code(alone) == (422, "solitaire")
    assert code(program.http.post("/games", json={"game": "chess"})) == (422, "unknown_game")


def test_a_player_has_so_many_unfinished_games(program):
    game_ids = [begin(program) for _ in range(20)]
    refused = program.http.post("/games", json={"game": "up_and_up", "options": {"size": 4}})
    assert code(refused) == (409, "too_many_games")
    assert program.http.post(f"/games/{game_ids[0]}/resign").status_code == 200
    begin(program)
