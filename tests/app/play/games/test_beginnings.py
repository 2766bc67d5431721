"""Games that begin in a position: what was played before belongs to another game."""

import dataclasses
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.core.errors import ConflictError
from app.core.moments import now
from app.learn.puzzles.collection import plies_with_puzzles
from app.learn.statistics.counting import EVERYBODY, EXPLORED_PLIES, FinishedGame, Measure, explored, tally
from app.play.games import creation, decisions
from app.play.games.decisions import Command
from app.play.games.game import BEGUN, RATED_FROM
from app.play.games.offers import PAUSE, TAKEBACK
from app.play.games.presenter.board import move_rows
from app.site.awards.proofs import WonGame, by_winning
from engine.clock import Realtime
from engine.game import Side, Termination
from engine.registry import FOR_TWO, SOLITAIRE
from engine.review import Evaluation, review
from engine.solo_review import review as solo_review
from tests.support.answers import code
from tests.support.game_states import CONTROLS, START, game
from tests.support.games import post
from tests.support.players import Match
from tests.support.waiting import wait_until
from tests.support.web_processes import web_processes

openings = st.lists(st.integers(0, 10_000), min_size=1, max_size=6)
rules_for_two = st.sampled_from(list(FOR_TWO.values()))


def play(state, plies):
    """Return the game after some of its own plies, each a second after the one before."""
    for number in range(1, plies + 1):
        if state.result is None:
            moment = START + 1_000 * number
            state = decisions.play_for_side(state, state.legal_moves[0], uuid4(), moment).after
    return state


def refusal(command, *arguments):
    with pytest.raises(ConflictError) as refused:
        command(*arguments)
    return refused.value.code


@given(rules_for_two, st.sampled_from(CONTROLS), openings, st.integers(0, 4), st.booleans())
def test_a_game_counts_its_own_plies(rules, control, opening, plies, is_rated):
    state = play(game(rules, control, opening), plies)
    own = state.ply - state.first_ply
    assert (state.plies_played, state.has_begun) == (own, own >= BEGUN)
    assert state.may_be_aborted == (own < BEGUN)
    assert (state.first_move_by is not None) == (own == 0 and state.is_realtime)
    rated = replace(state, rated=True)
    assert rated.is_aborted_by_leaving == (own < BEGUN)
    assert rated.is_too_short_to_rate == (own < min(RATED_FROM, state.options["size"] ** 2 // 2))
    if state.is_realtime and own < BEGUN:
        assert refusal(decisions.ask, PAUSE, state, rules.sides[0], START + 60_000) == "too_early_to_pause"
    for side in rules.sides:
        movers = {state.mover_of(ply) for ply in range(state.first_ply + 1, state.ply + 1)}
        if side not in movers:
            at = START + 1_000 * plies
            assert refusal(decisions.ask, TAKEBACK, state, side, at) == "nothing_to_take_back"
        else:
            assert state.before_last_move_of(side) >= state.first_ply
    assert all(row.spent == "" for row in move_rows(state)[: state.first_ply])


@given(rules_for_two, openings, st.integers(1, 12))
def test_only_own_plies_count_for_statistics_puzzles_and_achievements(rules, opening, plies):
    state = play(game(rules, Realtime(300, 5), opening), plies)
    finished = FinishedGame(
        id=state.id,
        ended_at=datetime.now(UTC),
        game=state.game,
        options=state.options,
        accounts=(1, 2),
        winner=0,
        rating=None,
        moves=[played.move for played in state.moves],
        spent=[played.spent for played in state.moves],
        first_ply=state.first_ply,
    )
    assert len(list(explored(finished))) == max(0, min(EXPLORED_PLIES, state.ply) - state.first_ply)
    counted = {key.measure: value for key, value in tally(finished).items() if key.account_id == EVERYBODY}
    assert counted[Measure.LENGTH] == (1, state.plies_played)
    assert not {Measure.OPENING, Measure.MARGIN} & counted.keys()
    chosen = [played for played in state.moves[state.first_ply :] if not played.automatic]
    timed = [value[0] for key, value in tally(finished).items() if key.measure == Measure.TIME]
    assert sum(timed) == 2 * len(chosen)  # for everybody, and for its player
    puzzles = plies_with_puzzles(state)
    assert not puzzles or (puzzles.start, puzzles.stop) == (state.first_ply, state.ply + 1)
    won = WonGame(
        game=state.game,
        options=state.options,
        moves=finished.moves,
        winner_seat=0,
        termination=Termination.RESIGN,
        lead=None,
        level=8,
        has_days=True,
        first_ply=state.first_ply,
    )
    assert not set(by_winning(won))
    assert set(by_winning(dataclasses.replace(won, first_ply=0)))


@given(rules_for_two, openings, st.integers(1, 4))
def test_a_review_is_about_own_plies(rules, opening, plies):
    state = play(game(rules, None, opening), plies)
    own = range(state.first_ply, state.ply + 1)
    evaluations = {ply: Evaluation("", 0.0, 0.0, is_exact=True) for ply in own}
    moves = [played.move for played in state.moves]
    for found in (
        review(rules, state.positions(), moves, evaluations, state.first_ply),
        solo_review(moves, 7, {}, state.first_ply),
    ):
        assert [move.ply for move in found.moves] == list(own)[1:]
        assert found.move_of(state.first_ply) is None
        assert found.move_of(state.ply).move == moves[-1]


@pytest.mark.parametrize(
    "rules", [*FOR_TWO.values(), *SOLITAIRE.values()], ids=lambda rules: type(rules).__name__
)
async def test_the_beginning_of_a_game_is_stored(new_database, rules):
    options = creation.proposed_options(rules)
    position, moves = rules.initial(options), []
    for _ in range(4):
        moves.append(rules.legal_moves(position)[0])
        position = rules.play(position, moves[-1])
    async with web_processes(new_database("beginnings"), 1) as (process,):
        game_id, ids = await process.begin(rules, options, moves)
        state = await process.games.get(game_id)
        assert (state.first_ply, state.ply, state.plies_played) == (4, 4, 0)
        for person in ids:
            with pytest.raises(ConflictError) as refused:
                await process.games.command(Command.TAKEBACK, game_id, person, at=now())
            assert refused.value.code == "nothing_to_take_back"
        player = state.player_to_move.id
        await process.games.play_move(game_id, player, state.legal_moves[0], 4, uuid4(), at=now())
        back = await process.games.command(Command.TAKEBACK, game_id, player, at=now())
        if back.takeback is not None:
            back = await process.games.command(Command.ACCEPT_TAKEBACK, game_id, sum(ids) - player, at=now())
        assert (back.ply, back.side_to_move) == (4, state.side_to_move)
        assert back.side_to_move in (Side.SOLO, *rules.sides)


def test_a_game_that_is_played_on_and_its_rematch_begin_in_the_position(server_with_computer):
    match = Match(server_with_computer)
    moves = ("c4", "g6", "d4", "f6")
    match.play(*moves)
    player = match.black
    post(match.white, f"/games/{match.id}/resign")
    game_id = player.http.post(f"/games/{match.id}/play-on", json={"ply": 4, "level": 1}).json()["game_id"]
    for _ in range(2):
        begun = player.snapshot(game_id)
        assert (begun["moves"][:4], begun["first_ply"]) == (list(moves), 4)
        if begun["players"]["black"]["username"] == player.username:
            assert code(post(player, f"/games/{game_id}/takeback")) == (409, "nothing_to_take_back")
            player.move(game_id, "e5", 4)
        ply = 5 if begun["players"]["white"]["username"] == player.username else 6
        wait_until(lambda game_id=game_id, ply=ply: player.snapshot(game_id)["ply"] >= ply)
        assert post(player, f"/games/{game_id}/resign").json()["result"]["termination"] == "resign"
        game_id = post(player, f"/games/{game_id}/rematch").json()["game_id"]
