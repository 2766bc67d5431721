"""The number games through the JSON API: games for one, matches, best scores, races."""

import threading
import uuid

import pytest

from app.leaderboards import findings
from engine.registry import FOR_TWO, SOLITAIRE
from tests.app.lobby.test_challenges_api import code
from tests.support.players import Program, Visitor, fresh_name
from tests.support.solitaire import begin, play, random_games, submit
from tests.support.workers import execute


@pytest.fixture
def player(server):
    return Program(server)


@pytest.fixture
def other(server):
    return Program(server)


def end_race(database_url, race_id):
    """Let the moment of a race have come a second ago."""
    execute(
        database_url,
        """
        WITH race AS (
            UPDATE races SET ends_at = date_trunc('second', now()) - interval '1 s' WHERE id = $1
            RETURNING id, ends_at
        )
        UPDATE games SET version = version + 1, deadline = CASE WHEN status = 'started' THEN ends_at END,
            time_control = jsonb_set(
                time_control, '{until}', to_jsonb(extract(epoch FROM ends_at)::bigint * 1000)
            )
        FROM race JOIN race_games ON race_id = race.id WHERE games.id = game_id
        """,
        race_id,
    )


class TestKinds:
    def test_the_registry_tells_how_each_game_is_played(self, player):
        kinds = {kind["key"]: kind for kind in player.http.get("/games/kinds").json()}
        seats = {key: (kind["seats"], kind["solitaire"]) for key, kind in kinds.items()}
        assert seats == {"jadejack": (2, False), "jumping_farther": (2, True), "up_and_up": (1, True)}
        assert kinds["jumping_farther"]["options"]["rounds"] == {"minimum": 1, "maximum": 2, "default": 2}
        assert kinds["up_and_up"]["options"]["size"] == {"minimum": 1, "maximum": 12, "default": 8}


@pytest.mark.parametrize("game", SOLITAIRE)
class TestAlone:
    def test_a_whole_game_as_the_engine_plays_it(self, player, game):
        rules = SOLITAIRE[game]
        moves = next(iter(random_games(game, 5).values()))
        game_id, position = begin(player, game, 5), rules.initial({"size": 5})
        for ply, move in enumerate(moves):
            snapshot = player.move(game_id, move, ply).json()
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
        assert player.snapshot(game_id) == snapshot

    def test_its_record_can_be_read_back(self, player, game):
        moves = next(iter(random_games(game, 4).values()))
        game_id = begin(player, game, 4)
        play(player, game_id, moves)
        text = player.http.get(f"/games/{game_id}/export").text
        assert '[Players "1"]' in text
        read = player.http.post("/records/check", json={"record": text}).json()
        assert read["moves"] == list(moves)
        assert read["position"] == player.snapshot(game_id)["position"]

    def test_moves_are_taken_back_until_it_is_submitted(self, player, game):
        moves = next(iter(random_games(game, 4).values()))
        game_id = begin(player, game, 4)
        nothing = player.http.post(f"/games/{game_id}/takeback")
        assert code(nothing) == (409, "nothing_to_take_back")
        play(player, game_id, moves)
        back = player.http.post(f"/games/{game_id}/takeback").json()  # the move that ended it
        assert (back["status"], back["ply"], back["undos"]) == ("started", len(moves) - 1, 1)
        assert back["result"] is None
        again = player.http.post(f"/games/{game_id}/takeback").json()
        assert (again["moves"], again["undos"]) == (list(moves[:-2]), 2)
        play(player, game_id, moves[-2:], len(moves) - 2)
        submitted = player.http.post(f"/games/{game_id}/submit").json()
        assert (submitted["submitted"], submitted["undos"]) == (True, 2)
        assert code(player.http.post(f"/games/{game_id}/takeback")) == (409, "submitted")
        assert code(player.http.post(f"/games/{game_id}/submit")) == (409, "submitted")
        assert player.snapshot(game_id) == submitted

    def test_a_doubled_move_is_played_once_and_a_stale_one_not_at_all(self, player, game):
        game_id, move_id = begin(player, game, 4), uuid.uuid4()
        first = player.move(game_id, "b2", 0, move_id).json()
        assert player.move(game_id, "b2", 0, move_id).json() == first
        stale = player.move(game_id, "b3", 0)
        assert code(stale) == (409, "stale_ply")
        assert stale.json()["snapshot"]["moves"] == ["b2"]

    def test_nobody_else_moves_in_it(self, player, other, game):
        game_id = begin(player, game, 4)
        for path in ("takeback", "submit", "resign"):
            assert code(other.http.post(f"/games/{game_id}/{path}")) == (403, "not_a_player")
        assert code(other.move(game_id, "b2", 0)) == (403, "not_a_player")
        assert player.snapshot(game_id)["ply"] == 0

    def test_only_a_whole_game_is_submitted(self, player, game):
        game_id = begin(player, game, 4)
        assert code(player.http.post(f"/games/{game_id}/submit")) == (409, "not_played_out")
        player.move(game_id, "b2", 0)
        given_up = player.http.post(f"/games/{game_id}/resign").json()
        assert given_up["result"]["winner"] is None
        assert code(player.http.post(f"/games/{game_id}/submit")) == (409, "not_played_out")
        assert code(player.http.post(f"/games/{game_id}/takeback")) == (409, "game_over")

    def test_sizes_out_of_range_are_refused(self, player, game):
        sizes = SOLITAIRE[game].options["size"]
        for size in (sizes.minimum - 1, sizes.maximum + 1, -1, 10**9):
            answer = player.http.post("/games", json={"game": game, "options": {"size": size}})
            assert code(answer) == (422, "bad_options")
            assert str(sizes.maximum) in answer.json()["detail"]


class TestIllegalSquares:
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
    def test_each_is_refused_with_its_reason(self, player, game, played, move, reason):
        game_id = begin(player, game, 5)
        before = play(player, game_id, played.split())
        refused = player.move(game_id, move, before["ply"])
        assert code(refused) == (422, "illegal_move")
        assert refused.json()["reason"] == reason
        assert player.snapshot(game_id) == before

    def test_what_is_no_square_is_told_apart(self, player):
        assert code(player.move(begin(player), "everywhere", 0)) == (422, "move_syntax")

    def test_games_that_are_not_for_that_many(self, player):
        assert code(player.http.post("/games", json={"game": "jadejack"})) == (422, "not_solitaire")
        alone = player.http.post("/challenges", json={"game": "up_and_up"})
        assert code(alone) == (422, "solitaire")
        assert code(player.http.post("/games", json={"game": "chess"})) == (422, "unknown_game")


class TestMatches:
    def start(self, player, other, **options):
        body = {"game": "jumping_farther", "opponent": other.username, "side": "first", "rated": True}
        made = player.http.post("/challenges", json={**body, "options": options})
        assert made.status_code == 201, made.text
        return other.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]

    def play_out(self, players, game_id):
        """Play the last legal move each time; gives the movers and the last snapshot."""
        snapshot, movers = players["first"].snapshot(game_id), []
        while side := snapshot["side_to_move"]:
            movers.append(side)
            answer = players[side].move(game_id, snapshot["legal_moves"][-1], snapshot["ply"])
            assert answer.status_code == 200, answer.text
            snapshot = answer.json()
        return movers, snapshot

    def test_two_rounds_are_one_game_for_one_rating(self, player, other):
        game_id = self.start(player, other, size=4)
        assert player.snapshot(game_id)["options"] == {"size": 4, "rounds": 2}
        movers, end = self.play_out({"first": player, "second": other}, game_id)
        rules = FOR_TWO["jumping_farther"]
        position = rules.parse(end["position"])
        first, second = (played.points for played in position.rounds)
        assert end["score"] == {"first": first[0] + second[1], "second": first[1] + second[0]}
        begun = len(position.rounds[0].cells)
        assert (movers[0], movers[begun]) == ("first", "second")
        sums = end["score"]
        winner = None if sums["first"] == sums["second"] else max(sums, key=sums.get)
        assert (end["result"]["winner"], end["result"]["termination"]) == (winner, "no_move")
        for program in (player, other):
            rating = program.http.get("/me").json()["ratings"]["jumping_farther"]
            assert rating["games"] == 1

    def test_a_single_round_may_be_chosen(self, player, other):
        game_id = self.start(player, other, size=3, rounds=1)
        movers, end = self.play_out({"first": player, "second": other}, game_id)
        assert movers == [("first", "second")[ply % 2] for ply in range(len(movers))]
        assert "/" not in end["position"]
        assert end["result"]["termination"] == "no_move"

    def test_three_rounds_there_are_not(self, player):
        body = {"game": "jumping_farther", "options": {"rounds": 3}}
        assert code(player.http.post("/challenges", json=body)) == (422, "bad_options")

    def test_it_cannot_be_submitted_as_a_score(self, player, other):
        game_id = self.start(player, other, size=3, rounds=1)
        assert code(player.http.post(f"/games/{game_id}/submit")) == (409, "not_solitaire")


class TestBestScores:
    def board(self, player, game, size, **query):
        answer = player.http.get(f"/leaderboards/{game}", params={"size": size, **query})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def test_more_points_then_fewer_resets_then_the_earlier(self, server, database_url):
        execute(database_url, "DELETE FROM scores WHERE game = 'up_and_up' AND size = 6")
        games = random_games("up_and_up", 6)
        by_points = {}
        for points, resets in sorted(games):
            by_points.setdefault(points, []).append(resets)
        points, (few, *_, many) = next((p, r) for p, r in by_points.items() if len(r) > 1)
        lower = min(games)
        assert lower[0] < points
        order = [(points, many), lower, (points, few), (points, many)]
        names = []
        for key in order:
            program = Program(server)
            names.append(program.username)
            submit(program, "up_and_up", 6, games[key])
        rows = self.board(program, "up_and_up", 6)["rows"]
        told = [(row["rank"], row["username"], row["points"], row["tie_break"]) for row in rows]
        assert told == [
            (1, names[2], points, few),
            (2, names[0], points, many),
            (2, names[3], points, many),
            (4, names[1], *lower),
        ]
        first = self.board(program, "up_and_up", 6, limit=2)
        rest = self.board(program, "up_and_up", 6, limit=2, cursor=first["next"])
        assert [*first["rows"], *rest["rows"]] == rows
        assert rest["next"] is None

    def test_a_player_has_one_row_the_best_game(self, server, player):
        games = random_games("jumping_farther", 6)
        (low, _), (high, _) = min(games), max(games)
        submit(player, "jumping_farther", 6, games[high, 0])
        best = self.mine(player)
        submit(player, "jumping_farther", 6, games[low, 0])
        submit(player, "jumping_farther", 6, games[high, 0])  # no better: the earlier one stands
        assert self.mine(player) == best
        assert best["points"] == high

    def mine(self, player):
        rows = self.board(player, "jumping_farther", 6, limit=200)["rows"]
        (row,) = (row for row in rows if row["username"] == player.username)
        return row

    def test_two_games_submitted_at_once_leave_one_best(self, player):
        games = random_games("up_and_up", 5)
        order = sorted(games, key=lambda key: (key[0], -key[1]))
        moves = [games[key] for key in order[-2:]]
        ids = [begin(player, "up_and_up", 5) for _ in moves]
        for game_id, played in zip(ids, moves, strict=True):
            play(player, game_id, played)
        threads = [
            threading.Thread(target=player.http.post, args=[f"/games/{game_id}/submit"]) for game_id in ids
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rows = self.board(player, "up_and_up", 5, limit=200)["rows"]
        (row,) = (row for row in rows if row["username"] == player.username)
        assert row["game_id"] == ids[1]

    def test_what_there_is_no_board_of(self, player):
        assert code(player.http.get("/leaderboards/chess")) == (404, "not_found")
        assert code(player.http.get("/leaderboards/up_and_up?size=13")) == (422, "bad_options")
        assert code(player.http.get("/leaderboards/up_and_up?cursor=nowhere")) == (422, "bad_cursor")
        assert self.board(player, "jadejack", 9).keys() == {"rows", "next"}  # ratings, whatever the size
        assert player.http.get("/leaderboards/up_and_up").json()["size"] == 8


class TestRaces:
    @pytest.fixture
    def race(self, player):
        body = {"game": "up_and_up", "options": {"size": 4}, "minutes": 5}
        made = player.http.post("/races", json=body)
        assert made.status_code == 201, made.text
        return made.json()

    def join(self, program, race):
        answer = program.http.post(f"/races/{race['id']}/join")
        assert answer.status_code == 200, answer.text
        return answer.json()["game_id"]

    def test_each_plays_alone_and_the_best_score_wins(self, player, other, race, database_url):
        games = random_games("up_and_up", 4)
        mine, theirs = self.join(player, race), self.join(other, race)
        assert [self.join(player, race), self.join(other, race)] == [mine, theirs]  # twice is once
        (low, high) = min(games), max(games)
        play(player, mine, games[low])
        play(other, theirs, games[high][:-1])
        end_race(database_url, race["id"])
        table = player.http.get(f"/races/{race['id']}").json()
        assert table["is_over"] is True
        told = [(row["rank"], row["username"], row["points"]) for row in table["racers"]]
        reached = high[0] - 1
        expected = sorted([(low[0], player.username), (reached, other.username)], reverse=True)
        assert [(name, points) for _, name, points in told] == [(name, points) for points, name in expected]
        refused = other.move(theirs, games[high][-1], len(games[high]) - 1)  # too late by a second
        assert code(refused) == (409, "game_over")
        over = other.snapshot(theirs)
        assert (over["status"], over["result"]["termination"]) == ("finished", "time")
        assert over["result"]["score"]["solo"] == reached

    def test_boards_are_hidden_until_it_is_over(self, player, other, race, database_url):
        mine = self.join(player, race)
        player.move(mine, "b2", 0)
        visitor = Visitor(other.server)
        pages = [f"/games/{mine}{path}" for path in ("", "/about", "/record.txt", "/board.svg")]
        for path in ("", "/export", "/stream"):
            assert other.http.get(f"/games/{mine}{path}").status_code == 404
        assert [visitor.http.get(page).status_code for page in pages] == [404] * 4
        assert player.snapshot(mine)["moves"] == ["b2"]
        end_race(database_url, race["id"])
        assert other.snapshot(mine)["moves"] == ["b2"]
        assert [visitor.http.get(page).status_code for page in pages] == [200] * 4

    def test_who_comes_late_is_told_so(self, other, race, database_url):
        end_race(database_url, race["id"])
        assert code(other.http.post(f"/races/{race['id']}/join")) == (409, "race_over")
        assert race["id"] not in [one["id"] for one in other.http.get("/races").json()]

    def test_every_number_stands_and_is_submitted_afterwards(self, player, race, database_url):
        mine = self.join(player, race)
        moves = next(iter(random_games("up_and_up", 4).values()))
        play(player, mine, moves)
        assert code(player.http.post(f"/games/{mine}/takeback")) == (409, "race_stands")
        assert code(player.http.post(f"/games/{mine}/submit")) == (409, "race_under_way")
        end_race(database_url, race["id"])
        assert player.http.post(f"/games/{mine}/submit").json()["submitted"] is True

    def test_races_that_cannot_be(self, player, race):
        for body, expected in (
            ({"game": "jadejack", "minutes": 5}, (422, "not_solitaire")),
            ({"game": "up_and_up", "minutes": 7}, (422, "bad_minutes")),
            ({"game": "up_and_up", "minutes": 5, "options": {"size": 13}}, (422, "bad_options")),
        ):
            assert code(player.http.post("/races", json=body)) == expected
        for _ in range(4):
            assert player.http.post("/races", json={"game": "up_and_up", "minutes": 5}).status_code == 201
        full = player.http.post("/races", json={"game": "up_and_up", "minutes": 5})
        assert code(full) == (409, "too_many_races")
        assert code(player.http.get("/races/nowhere")) == (404, "not_found")
        assert code(player.http.post("/races/nowhere/join")) == (404, "not_found")

    def test_two_doors_lead_to_one_board(self, other, race):
        ids = []
        threads = [threading.Thread(target=lambda: ids.append(self.join(other, race))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(ids)) == 1


class TestPages:
    @pytest.fixture
    def visitor(self, server):
        return Visitor(server)

    @pytest.mark.parametrize("game", SOLITAIRE)
    def test_one_click_from_the_home_page_as_a_guest(self, visitor, game):
        assert f'value="{game}"' in visitor.http.get("/").text
        page = visitor.http.post("/solitaire", data={"game": game})
        assert page.url.path.startswith("/games/")
        assert "Your move" in page.text
        again = visitor.http.post("/solitaire", data={"game": game})
        assert again.url == page.url  # the board that has nothing on it yet
        assert page.url.path in visitor.http.get("/solitaire").text
        wrong = visitor.http.post("/solitaire", data={"game": game, "size": "99"})
        assert wrong.status_code == 422

    def test_it_goes_on_where_it_was_left_and_troubles_nobody(self, visitor, server):
        visitor.register()
        game = visitor.http.post("/solitaire", data={"game": "up_and_up", "size": "4"}).url.path
        move = {"move": "b2", "ply": "0", "move_id": str(uuid.uuid4())}
        assert "k is 1: 2 goes next to 1" in visitor.http.post(f"{game}/moves", data=move).text
        page = visitor.http.get("/lobby").text
        assert game in page
        assert "Your turn" not in page
        assert visitor.http.post("/account/close", data={"close_password": "wrong"}).status_code == 422
        profile = visitor.http.get(f"/players/{visitor.username}").text
        assert game in profile

    def test_a_guest_submits_after_registering(self, visitor, server):
        moves = next(iter(random_games("up_and_up", 4).values()))
        game = visitor.http.post("/solitaire", data={"game": "up_and_up", "size": "4"}).url.path
        for ply, move in enumerate(moves):
            form = {"move": move, "ply": str(ply), "move_id": str(uuid.uuid4())}
            page = visitor.http.post(f"{game}/moves", data=form)
        assert "Submit the score" in page.text
        refused = visitor.http.post(f"{game}/submit")
        assert refused.status_code == 403
        assert "Register" in refused.text
        visitor.register(fresh_name())
        accepted = visitor.http.post(f"{game}/submit")
        assert "It is listed among the" in accepted.text
        scores = visitor.http.get("/scores/up_and_up/4").text
        assert visitor.username in scores
        assert f"{game}?ply=0" in scores
        assert visitor.username in visitor.http.get("/records").text
        assert "Undo" not in accepted.text

    def test_a_match_is_offered_in_its_normal_form(self, visitor):
        page = visitor.http.get("/lobby?offer=jumping_farther").text
        assert 'name="rounds"' in page
        assert 'value="12"' in page
        form = {"game": "jumping_farther", "size": "5", "opponent_kind": "link", "side": "second"}
        assert (
            "Jumping Farther &amp; Farther 5×5, two rounds"
            in visitor.http.post("/challenges", data=form).text
        )
        form["rounds"] = "1"
        assert "5×5, one round" in visitor.http.post("/challenges", data=form).text
        wrong = visitor.http.post("/challenges", data={**form, "size": "13"})
        assert wrong.status_code == 422
        assert "must be from 3 to 12" in wrong.text
        assert 'name="rounds"' in wrong.text

    def test_leaderboards_have_their_addresses(self, visitor):
        assert visitor.http.get("/leaderboards/up_and_up").url.path == "/scores/up_and_up/8"
        assert visitor.http.get("/leaderboards/jumping_farther").status_code == 200
        assert visitor.http.get("/scores/jumping_farther/12").status_code == 200
        for nowhere in ("/scores/jadejack", "/scores/up_and_up/13", "/scores/up_and_up/1", "/rules/chess"):
            assert visitor.http.get(nowhere).status_code == 404

    def test_records_are_shown_with_their_games(self, visitor):
        page = visitor.http.get("/records").text
        assert "all games tried" in page
        assert "a full board" in page
        assert "+3" in page
        end = visitor.http.get("/records/jumping_farther/2/4").text
        assert "-3 for the first side" in end
        start = visitor.http.get("/records/up_and_up/1/12?ply=1").text
        assert "Ply 1 of 144" in start
        for nowhere in ("/records/up_and_up/2/4", "/records/jumping_farther/1/2", "/records/up_and_up/1/13"):
            assert visitor.http.get(nowhere).status_code == 404

    def test_the_figures_that_ship_are_reached_by_the_rules(self):
        for found in findings.findings():
            if not found.is_replayable:
                continue
            rules, *_, end = found.record.rules, *found.record.positions()
            score = rules.score(end)
            reached = score["solo"] if found.players == 1 else score["first"] - score["second"]
            assert (rules.legal_moves(end) == [] or found.proof is None, reached) == (True, found.value)
            if found.proof == "full_board":
                assert found.value == rules.ceiling({"size": found.size})

    def test_a_race_from_page_to_page(self, visitor, server, database_url):
        page = visitor.http.post("/races", data={"game": "up_and_up", "size": "4", "minutes": "5"})
        race = page.url.path
        assert "To your board" in page.text
        other = Visitor(server)
        assert "Join the race" in other.http.get(race).text
        board = other.http.post(f"{race}/join")
        assert board.url.path.startswith("/games/")
        assert f"{board.url.path}/race" in board.text
        assert other.http.get(f"{board.url.path}/race").url.path == race
        assert race in other.http.get("/solitaire").text
        end_race(database_url, race.rpartition("/")[2])
        over = other.http.get(race).text
        assert "The race is over" in over
        late = Visitor(server)
        assert late.http.post(f"{race}/join").status_code == 409
        assert late.http.post("/races", data={"game": "up_and_up", "minutes": "soon"}).status_code == 422
