"""Takebacks, aborting, claiming the win and rematches through the JSON API."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.answers import code
from tests.support.games import BLITZ, lost_rated_game, move_once_each, post, rated_game
from tests.support.players import Match, Program, Visitor
from tests.support.waiting import wait_until


class TestTakebacks:
    def test_a_takeback_is_requested_and_accepted(self, server):
        match = Match(server)
        match.play("c4", "g6", "d4")
        assert post(match.black, f"/games/{match.id}/takeback").json()["takeback"] == "black"
        assert code(post(match.black, f"/games/{match.id}/takeback")) == (409, "already_asked")
        after = post(match.white, f"/games/{match.id}/takeback").json()
        assert (after["moves"], after["ply"], after["side_to_move"]) == (["c4", "g6"], 2, "black")
        assert after["takeback"] is None
        # A takeback cannot be taken back or repeated.
        for player in (match.black, match.white):
            assert code(post(player, f"/games/{match.id}/takeback")) == (409, "just_taken_back")
        match.ply = 2
        assert match.play("e4")["moves"] == ["c4", "g6", "e4"]

    def test_a_takeback_after_the_opponents_move_undoes_both_moves(self, server):
        match = Match(server)
        match.play("c4", "g6", "d4", "f6")
        with match.white.socket(match.id) as socket:
            post(match.black, f"/games/{match.id}/takeback")
            assert socket.receive_until("snapshot")["takeback"] == "black"
            post(match.white, f"/games/{match.id}/takeback")
            assert socket.receive_until("snapshot")["moves"] == ["c4", "g6"]

    def test_a_takeback_request_ends_when_declined_withdrawn_or_followed_by_a_move(self, server):
        match = Match(server)
        match.play("c4")
        assert code(post(match.white, f"/games/{match.id}/takeback")) == (409, "nothing_to_take_back")
        for player in (match.white, match.black):
            post(match.black, f"/games/{match.id}/takeback")
            after = post(player, f"/games/{match.id}/takeback/decline").json()
            assert (after["takeback"], after["moves"]) == (None, ["c4"])
        assert code(post(match.white, f"/games/{match.id}/takeback/decline")) == (409, "nothing_asked")
        post(match.black, f"/games/{match.id}/takeback")
        assert match.play("g6")["takeback"] is None

    def test_a_request_that_was_withdrawn_is_not_accepted(self, server):
        match = Match(server)
        match.play("c4", "g6", "d4")
        path = f"/games/{match.id}/takeback"
        reader = Visitor(server).log_in(match.white.username)
        post(match.black, path)
        page = reader.http.get(f"/games/{match.id}").text
        accept = re.search(r'action="(\S+/accept-takeback)"', page)[1]
        post(match.black, f"{path}/decline")
        assert reader.http.post(accept).status_code == 409
        assert match.white.snapshot(match.id)["takeback"] is None
        post(match.black, path)
        assert code(post(match.black, f"{path}/accept")) == (409, "nothing_asked")
        assert post(match.white, f"{path}/accept").json()["moves"] == ["c4", "g6"]

    def test_requests_that_cross_are_no_consent(self, server):
        match = Match(server)
        match.play("c4", "g6", "d4")
        path = f"/games/{match.id}/takeback"
        post(match.black, f"{path}/ask")
        assert code(post(match.black, f"{path}/ask")) == (409, "already_asked")
        reader = Visitor(server).log_in(match.white.username)
        assert code(post(match.white, f"{path}/ask")) == (409, "asked")
        assert reader.http.post(f"/games/{match.id}/ask-takeback").status_code == 409
        after = match.white.snapshot(match.id)
        assert (after["takeback"], after["moves"]) == ("black", ["c4", "g6", "d4"])

    def test_no_takebacks_in_rated_games_or_by_spectators(self, program, other, server):
        game = rated_game(program, other)
        program.move(game, "c4", 0)
        assert code(post(program, f"/games/{game}/takeback")) == (409, "rated_game")
        assert code(post(Program(server), f"/games/{game}/takeback")) == (403, "not_a_player")


class TestAbortAndClaim:
    def test_a_game_can_be_aborted_before_the_second_move(self, server):
        match = Match(server)
        match.play("c4")
        assert post(match.white, f"/games/{match.id}/abort").json()["result"]["termination"] == "abort"
        later = Match(server)
        later.play("c4", "g6")
        assert code(post(later.white, f"/games/{later.id}/abort")) == (409, "too_late_to_abort")

    def test_a_claim_too_early_says_when(self, program, other):
        game = rated_game(program, other, time_control=BLITZ)
        program.move(game, "c4", 0)
        refused = post(program, f"/games/{game}/claim")
        assert code(refused) == (409, "too_early")
        assert 55 <= refused.json()["seconds"] <= 60
        with other.socket(game):
            wait_until(lambda: code(post(program, f"/games/{game}/claim")) == (409, "not_left"))

    def test_an_absence_from_before_the_game_does_not_count(self, program, other, clock):
        with other.http.stream("GET", "/events") as stream:
            next(stream.iter_lines())
        clock.advance(seconds=70)
        game = rated_game(program, other, time_control=BLITZ)
        program.move(game, "c4", 0)
        refused = post(program, f"/games/{game}/claim")
        assert code(refused) == (409, "too_early")
        assert refused.json()["seconds"] >= 55

    def test_a_picture_in_a_list_is_no_sign_of_a_player(self, server, program, other, clock):
        game = rated_game(program, other, time_control=BLITZ)
        program.move(game, "c4", 0)
        reader = Visitor(server).log_in(other.username)
        clock.advance(seconds=30)
        assert reader.http.get(f"/games/{game}/board.svg").status_code == 200
        assert post(program, f"/games/{game}/claim").json()["seconds"] <= 30

    def test_no_win_is_claimed_without_a_clock(self, server):
        match = Match(server)
        match.play("c4")
        assert code(post(match.black, f"/games/{match.id}/claim")) == (409, "not_left")


class TestRematch:
    def test_a_rematch_is_offered_and_accepted_with_sides_exchanged(self, program, other):
        game = rated_game(program, other, time_control=BLITZ)
        assert code(post(program, f"/games/{game}/rematch")) == (409, "game_under_way")
        post(program, f"/games/{game}/abort")
        offered = post(program, f"/games/{game}/rematch").json()
        assert offered["game_id"] is None
        assert post(program, f"/games/{game}/rematch").json() == offered  # offered once
        started = post(other, f"/games/{game}/rematch").json()["game_id"]
        again = other.snapshot(started)
        assert again["players"]["black"]["username"] == other.username
        assert again["players"]["white"]["username"] == program.username
        assert (again["time_control"], again["rated"], again["options"]) == (BLITZ, True, {"size": 9})

    def test_one_rematch_begins_when_both_players_offer_it_at_once(self, program, other):
        game = lost_rated_game(program, other)
        with ThreadPoolExecutor() as threads:
            for _ in range(3):
                path = f"/games/{game}/rematch"
                answers = threads.map(lambda player, path=path: post(player, path).json(), (program, other))
                (game,) = {answer["game_id"] for answer in answers} - {None}
                post(program, f"/games/{game}/abort")

    def test_one_rematch_is_played_at_a_time(self, program, other):
        path = f"/games/{lost_rated_game(program, other)}/rematch"
        post(program, path)
        with ThreadPoolExecutor() as threads:
            started, *repeated = threads.map(lambda player: post(player, path).json(), [other] * 3)
        assert repeated == [started] * 2
        assert post(program, path).json() == started
        post(program, f"/games/{started['game_id']}/abort")
        assert post(program, path).json()["game_id"] is None

    def test_who_begins_another_game_in_real_time_offers_no_rematch_any_more(self, server, program, other):
        game = lost_rated_game(program, other, time_control=BLITZ)
        offered = post(program, f"/games/{game}/rematch").json()["challenge_id"]
        rated_game(program, Program(server), time_control=BLITZ)
        assert program.http.get(f"/challenges/{offered}").json()["status"] == "cancelled"
        assert code(post(other, f"/challenges/{offered}/accept")) == (409, "challenge_closed")

    def test_a_computer_plays_one_rematch_at_a_time(self, program):
        game = program.challenge(opponent="Gorrion-1").json()["game_id"]
        post(program, f"/games/{game}/resign")
        started = post(program, f"/games/{game}/rematch").json()
        assert post(program, f"/games/{game}/rematch").json() == started

    def test_a_rematch_is_between_the_players_only(self, server, program, other):
        game = lost_rated_game(program, other)
        assert code(post(Program(server), f"/games/{game}/rematch")) == (403, "not_a_player")
        offered = post(program, f"/games/{game}/rematch").json()["challenge_id"]
        assert post(other, f"/challenges/{offered}/decline", reason="later").status_code == 200


class TestPauses:
    def test_the_players_agree_on_a_pause_and_either_ends_it(self, server, clock):
        match = Match(server, time_control=BLITZ)
        black, white = match.black, match.white
        path = f"/games/{match.id}/pause"
        assert code(post(black, path)) == (409, "too_early_to_pause")
        match.play("c4", "g6", "d4")
        assert code(post(black, f"{path}/decline")) == (409, "nothing_asked")
        assert post(black, path).json()["pause"] == "black"
        assert code(post(black, path)) == (409, "already_asked")
        assert post(white, f"{path}/decline").json()["pause"] is None
        assert code(post(white, f"{path}/accept")) == (409, "nothing_asked")
        post(white, path)
        assert code(post(white, f"{path}/accept")) == (409, "nothing_asked")
        with white.socket(match.id) as socket:
            paused = post(black, f"{path}/accept").json()
            assert socket.receive()["paused_until"] == paused["paused_until"]
        assert (paused["pause"], paused["paused_until"] is None) == (None, False)
        assert code(post(white, path)) == (409, "paused")
        clock.advance(minutes=20)
        assert black.snapshot(match.id)["clock"] == paused["clock"]
        resumed = post(white, f"/games/{match.id}/resume").json()
        assert resumed["paused_until"] is None
        assert resumed["clock"] == pytest.approx(paused["clock"], abs=5_000)
        assert code(post(white, f"/games/{match.id}/resume")) == (409, "not_paused")
        post(white, path)
        post(black, path)
        clock.advance(minutes=25)
        after = match.play("e7")  # a move ends the pause as well
        assert after["paused_until"] is None
        assert after["clock"]["white"] >= paused["clock"]["white"]  # with the increment

    def test_a_pause_ends_by_itself_and_nobody_claims_the_win_during_it(self, server, clock):
        match = Match(server, time_control={"kind": "realtime", "limit": 120, "increment": 0})
        match.play("c4", "g6")
        for player in (match.black, match.white):
            post(player, f"/games/{match.id}/pause")
        clock.advance(minutes=29)
        assert code(post(match.white, f"/games/{match.id}/claim")) == (409, "not_left")
        clock.advance(minutes=2)
        snapshot = match.black.snapshot(match.id)
        assert snapshot["paused_until"] is None
        assert 55_000 < snapshot["clock"]["black"] < 65_000
        clock.advance(minutes=2)
        wait_until(lambda: match.black.snapshot(match.id)["result"])

    def test_only_casual_games_in_real_time_are_paused(self, program, other, server):
        game = rated_game(program, other, time_control=BLITZ)
        move_once_each(program, other, game)
        assert code(post(program, f"/games/{game}/pause")) == (409, "no_pause")
        match = Match(server, time_control={"kind": "correspondence", "days": 3})
        match.play("c4", "g6")
        assert code(post(match.black, f"/games/{match.id}/pause")) == (409, "no_pause")
        assert code(post(program, f"/games/{match.id}/pause")) == (403, "not_a_player")
