"""Tournaments as pages: the lists, one tournament before, during and after it, sheets, files and forms."""

import csv
import io
import re
from datetime import timedelta

import pytest
from websockets.sync.client import connect

from app.compete.tournaments.forms import TournamentForm, values_of
from app.compete.tournaments.terms import TournamentKind, TournamentPlan, TournamentTerms, checked
from app.core.moments import utc_now
from app.core.web.forms import Submission
from engine.clock import Realtime
from tests.support.alerts import alerts
from tests.support.database import execute
from tests.support.games import post
from tests.support.moderation import make_moderator, open_reports
from tests.support.players import Program, Visitor
from tests.support.tournaments import Cup, member
from tests.support.waiting import WITHIN, wait_until

_MOST_MESSAGES = 100
MANY_PLAYERS = """
WITH added AS (
    INSERT INTO accounts (username) SELECT $1 || '-' || number FROM generate_series(1, 102) number
    RETURNING id
)
INSERT INTO tournament_players (tournament_id, account_id, rating) SELECT $1, id, 1500 FROM added
"""
SOON = {"clock": "realtime", "minutes": "3", "increment": "2", "size": "8"}


def starts_in(minutes):
    return (utc_now() + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M")


def box(answer, name):
    """Return whether a box of a form is ticked."""
    (tag,) = re.findall(rf'<input type="checkbox" name="{name}"[^>]*>', answer.text)
    return "checked" in tag


def error_at(answer, name):
    """Return the message beside a field of a form, or None."""
    found = re.search(rf'id="error-{name}"[^>]*>([^<]*)<', answer.text)
    return found and found[1].strip()


def text_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def test_the_pages_of_a_round_robin_from_its_announcement_to_its_results(server, clock):
    cup = Cup(server, clock, 3, "round_robin")
    path, visitor = f"/tournaments/{cup.id}", Visitor(server)
    name = cup.shown["name"]
    assert name in visitor.http.get("/tournaments").text
    assert "Register to join" in visitor.http.get(path).text
    cup.start()
    assert "data-rank" not in visitor.http.get(path).text
    first = cup.play_round()[0]
    assert "Back to the tournament" in visitor.http.get(f"/games/{first['game_id']}").text
    beside = text_of(visitor.http.get(f"{path}/games/{first['game_id']}"))
    assert name in beside
    assert "rank 1" in beside
    cup.end_pause()
    cup.play_round()
    assert re.search("<b>Round [23]</b>", visitor.http.get(path).text)
    cup.end_pause()
    cup.play_round()
    cup.wait_for("finished")
    shown = text_of(visitor.http.get(path))
    assert "Crosstable" in shown
    assert "It ended on" in shown
    assert visitor.http.get(path).text.count("data-rank") == 2 * 3  # the first three, and the standings
    assert name in visitor.http.get("/tournaments?when=past").text
    winner = cup.standings[0]["username"]
    sheet = text_of(visitor.http.get(f"{path}/players/{winner}"))
    assert all(player in sheet for player in cup.programs)
    assert f"{name} place 1 of 3" in text_of(visitor.http.get(f"/players/{winner}"))
    rows = list(csv.DictReader(io.StringIO(visitor.http.get(f"{path}/results.csv").text)))
    assert {row["username"]: float(row["points"]) for row in rows} == cup.points
    results = visitor.http.get(f"{path}/results.json").json()
    assert results["standings"] == cup.standings
    assert results["pairings"] == cup.pairings


def test_all_pages_about_tournaments_are_in_that_section_of_the_header(server):
    visitor = Visitor(server)
    tabs = visitor.http.get("/tournaments").text.partition('<nav class="tabs"')[2].partition("</nav>")[0]
    paths = re.findall(r'href="([^"]+)"', tabs)
    assert "/calendar" in paths
    for path in paths:
        assert re.search(r'<a href="/tournaments" aria-current="\w+">', visitor.http.get(path).text), path


def test_a_crosstable_tells_what_was_decided_without_a_game(server, clock):
    cup = Cup(server, clock, 3, "round_robin").start()
    visitor, path = Visitor(server), f"/tournaments/{cup.id}"
    (game,) = cup.play_round()
    legend = "decided without a game"
    assert legend not in visitor.http.get(path).text
    (gone,) = cup.programs.keys() - {game["first"], game["second"]}
    assert post(cup.programs[gone], f"{path}/withdraw").status_code == 200
    wait_until(lambda: legend in visitor.http.get(path).text)
    table = visitor.http.get(path).text.partition("tournament-cross")[2].partition("</table>")[0]
    cells = re.findall(r"<td>(?:<[^>]+>)?([^<]*)", table)
    assert sorted(cells) == sorted(["×"] * 3 + ["1", "0"] + ["+", "\N{MINUS SIGN}"] * 2)


SWISS = {"kind": "swiss", "game": "jadejack", "name": "Cake cup", "swiss_rounds": "5", **SOON}


def test_the_form_says_what_is_wrong_where_it_is(server):
    organiser = Visitor(server).register()

    def refused(**fields):
        answer = organiser.http.post("/tournaments/new", data={**SWISS, **fields})
        assert answer.status_code == 422
        return answer

    too_short = refused(swiss_rounds="2")
    assert "Choose from 3 to 13 rounds for a Swiss tournament." in too_short.text
    assert 'value="Cake cup"' in too_short.text
    assert not box(too_short, "chat")
    assert error_at(refused(), "max_players") == "Choose with how many players it starts, or when."
    misplaced = refused(minutes="5000", max_players="900", swiss_rounds="2")
    assert error_at(misplaced, "minutes") == "Enter 180 or less."
    assert error_at(misplaced, "length") is None


class Forms:
    """A tournament that was made by a form, with its organiser and somebody else as visitors of its pages."""

    def __init__(self, server):
        self.organiser, self.player = Visitor(server).register(), Visitor(server).register()
        self.form = {**SWISS, "starts_at": starts_in(60), "password": "nightingale", "chat": "yes"}
        self.made = self.organiser.http.post("/tournaments/new", data={**self.form, "min_games": "2"})
        self.path = self.made.url.path

    def change(self, **fields):
        return self.organiser.http.post(f"{self.path}/edit", data={**self.form, **fields})


@pytest.fixture
def cake(server):
    return Forms(server)


def test_a_tournament_is_made_and_changed_by_its_organiser(cake):
    assert "needed to join" in cake.made.text
    assert "Cake cup" in cake.made.text
    edited = cake.organiser.http.get(f"{cake.path}/edit")
    assert box(edited, "chat")
    assert 'value="2"' in edited.text
    assert 'value="Cake cup"' in edited.text
    assert "Tea cup" in cake.change(name="Tea cup").text
    assert cake.player.http.post(f"{cake.path}/edit", data=cake.form).status_code == 403
    assert cake.player.http.get(f"{cake.path}/edit").status_code == 403


def test_a_tournament_starts_some_minutes_from_now_or_when_it_is_full(server):
    field = re.compile(r'name="starts_at"[^>]*value="([^"]*)"')
    for minutes in (5, 15, 60):
        organiser = Visitor(server).register()
        form = {**SWISS, "name": f"Cup in {minutes}", "starts": str(minutes), "starts_at": "2020-01-01T00:00"}
        made = organiser.http.post("/tournaments/new", data=form)
        shown = field.search(organiser.http.get(f"{made.url.path}/edit").text)[1]
        assert shown in (starts_in(minutes), starts_in(minutes + 1))
    full = {**SWISS, "starts": "full", "starts_at": starts_in(60), "max_players": "4"}
    made = organiser.http.post("/tournaments/new", data=full)
    assert "It starts five minutes after 4 players have joined." in made.text
    refused = organiser.http.post("/tournaments/new", data={**SWISS, "starts": "7"})
    assert error_at(refused, "starts") == "Choose one of the options."


def test_a_tournament_is_joined_in_the_list_by_who_has_not(server, clock):
    cup = Cup(server, clock, 0, "arena", minutes=20)
    join = f'action="/tournaments/{cup.id}/join"'
    player = Visitor(server).register()
    of_visitor = Visitor(server).http.get("/tournaments").text
    assert join not in of_visitor
    assert (
        f'<a class="button" href="/tournaments/{cup.id}" aria-label="Join {cup.shown["name"]}">' in of_visitor
    )
    page = player.http.get("/tournaments")
    assert join in page.text
    assert "JadeJack 8×8, 1+1, 20 minutes, casual" in text_of(page)
    assert "You take part." in player.http.post(f"/tournaments/{cup.id}/join").text
    assert join not in player.http.get("/tournaments").text
    with player.live("/tournaments/live") as lists:
        pushed = lists.recv(WITHIN)
    assert cup.shown["name"] in pushed
    assert join not in pushed


@pytest.mark.parametrize("kind", TournamentKind)
def test_a_form_that_is_sent_as_it_is_shown_changes_nothing(kind):
    now, plan = utc_now(), TournamentPlan(minutes=60, rounds=5)
    start = (now + timedelta(hours=1)).replace(second=1, microsecond=1)
    terms = TournamentTerms("Tea cup", kind, "jadejack", {}, Realtime(300, 3), plan=plan, starts_at=start)
    made = checked(terms, now, most=50)
    sent = Submission(values_of(made)).parse(TournamentForm)
    assert checked(sent.terms, now, most=50) == made


def test_saving_a_form_as_it_is_shown_tells_the_players_nothing(server, cake):
    cake.change(starts="5", password="")
    player = Program(server)
    joined = post(player, f"{cake.path}/join", password="nightingale")
    assert joined.status_code == 200, joined.text
    shown = cake.organiser.http.get(f"{cake.path}/edit").text
    start = re.search(r'name="starts_at"[^>]*value="([^"]*)"', shown)[1]
    cake.change(starts_at=start, description="Bring your own cake.")
    after = player.http.get(cake.path).json()
    assert (after["description"], after["starts_at"]) == ("Bring your own cake.", joined.json()["starts_at"])
    kinds = {each["kind"] for each in player.http.get("/notifications").json()["notifications"]}
    assert kinds <= {"tournament_soon"}


def test_the_chat_is_switched_by_the_organiser(cake):
    assert "Switch the chat off" in cake.organiser.http.get(cake.path).text
    assert "Switch the chat on" in cake.organiser.http.post(f"{cake.path}/chat/off").text
    assert cake.player.http.post(f"{cake.path}/chat/on").status_code == 403
    assert cake.organiser.http.post(f"{cake.path}/chat/on").status_code == 200
    greeted = cake.player.http.post(f"{cake.path}/chat", data={"greeting": "good_luck"})
    assert "Good luck!" in greeted.text.partition("chat-lines")[2].partition("</ol>")[0]


def test_a_tournament_is_joined_by_its_password_and_left(server, cake):
    cake.change()  # without `min_games`
    wrong = cake.player.http.post(f"{cake.path}/join", data={"password": "sparrow"})
    assert wrong.status_code == 403
    assert "Ask its organiser" in wrong.text
    joined = cake.player.http.post(f"{cake.path}/join", data={"password": "nightingale"})
    assert "You take part." in joined.text
    assert "Cake cup" in cake.player.http.get("/tournaments").text.partition("You take part")[2]
    assert "You take part." not in cake.player.http.post(f"{cake.path}/withdraw").text
    assert Visitor(server).http.post(f"{cake.path}/join").status_code == 401


def test_a_cancelled_tournament_says_why(cake):
    cancelled = cake.organiser.http.post(f"{cake.path}/cancel", data={"reason": "No more cake"})
    assert "Cancelled: No more cake" in text_of(cancelled)


def test_the_page_says_why_nobody_can_join(server, clock):
    cup = Cup(server, clock, 2, "knockout", max_players=2)
    path = f"/tournaments/{cup.id}"
    assert "This tournament is full." in Visitor(server).http.get(path).text
    cup.start()
    assert "This tournament has begun. Join the next one." in Visitor(server).http.get(path).text


def test_a_player_who_is_out_is_told_so(server, clock):
    cup = Cup(server, clock, 3, "knockout", pause=5).start()
    (semifinal,) = wait_until(lambda: cup.running)
    loser, winner = member(server, semifinal["first"]), member(server, semifinal["second"])
    path = f"/tournaments/{cup.id}"

    def told(player):
        shown = player.http.get(path).text
        return "You are out." in shown, f"{path}/withdraw" in shown

    assert told(loser) == told(winner) == (False, True)
    cup.play_round(winner=lambda pairing: pairing["second"])
    for _ in range(2):
        refused = loser.http.post(f"{path}/withdraw")
        assert (refused.status_code, "You are out of this tournament already." in refused.text) == (409, True)
        assert told(loser) == (True, False)
        assert told(winner) == (False, True)
        clock.advance(seconds=5)
        wait_until(lambda: cup.running)
    cup.play_round()
    cup.wait_for("finished")
    assert told(loser) == (False, False)


def test_players_who_share_the_third_place_are_both_on_the_podium(server, clock):
    cup = Cup(server, clock, 4, "knockout", pause=5).start()
    cup.play_round()
    clock.advance(seconds=5)
    cup.play_round()
    cup.wait_for("finished")
    html = Visitor(server).http.get(f"/tournaments/{cup.id}").text
    podium = html.partition("tournament-podium")[2].partition("</ol>")[0]
    assert re.findall(r">([^<]+ points?)<", podium) == ["2 points", "1 point", "0 points", "0 points"]
    assert re.findall(r'<li data-rank="(\d)"', podium) == ["1", "2", "3", "3"]
    pictured = re.findall(r'class="tournament-picture" href="/games/(\w+)"', podium)
    first, second, *others = (pairing["game_id"] for pairing in reversed(cup.pairings))
    assert pictured == [first, *pictured[1:]]
    # The second one has won in the first round; the others have won no game, and their last one is shown.
    assert set(pictured[1:]) == {second, *others}


@pytest.mark.parametrize(("kind", "members"), [("swiss", {"rounds": 3}), ("round_robin", {})])
def test_a_player_without_a_game_is_told_so_and_where_the_next_one_opens(kind, members, server, clock):
    cup = Cup(server, clock, 3, kind, pause=5, **members)
    players = {username: member(server, username) for username in cup.programs}
    first_opens, no_game, next_opens = (
        "Keep this page open: your first game opens here.",
        "You have no game in this round.",
        "Keep this page open: your next game opens here.",
    )

    def told(username):
        shown = players[username].http.get(f"/tournaments/{cup.id}").text
        return [text for text in (first_opens, no_game, next_opens) if text in shown]

    assert all(told(username) == [first_opens] for username in players)
    cup.start()
    for number in range(3):
        (pairing,) = wait_until(lambda: cup.running)
        playing = {pairing["first"], pairing["second"]}
        (idle,) = players.keys() - playing
        assert all(told(username) == [] for username in playing)
        is_last = number == 2
        assert told(idle) == ([no_game] if is_last else [no_game, next_opens])
        cup.play_round()
        if not is_last:
            assert told(idle) == [next_opens]
            clock.advance(seconds=5)
    cup.wait_for("finished")
    assert all(told(username) == [] for username in players)


def test_a_player_of_a_group_is_told_of_the_final(server, clock):
    cup = Cup(server, clock, 4, "round_robin", groups=2, promoted=1, pause=5)
    path = f"/tournaments/{cup.id}"
    players = {username: member(server, username) for username in cup.programs}
    texts = (
        "The final begins when all groups have ended.",
        "You are in the final.",
        "You are out.",
        "Keep this page open: your next game opens here.",
    )
    awaits_final, is_finalist, is_out, next_opens = texts

    def told(username):
        shown = players[username].http.get(path).text
        return [text for text in texts if text in shown]

    assert "the best of the groups meet in a final" in Visitor(server).http.get(path).text
    cup.start()
    (one, other) = wait_until(lambda: len(cup.running) == 2 and cup.running)
    cup.win(one, one["first"])
    wait_until(lambda: cup.points[one["first"]] == 1)
    assert told(one["first"]) == told(one["second"]) == [awaits_final, next_opens]
    assert told(other["first"]) == []
    cup.win(other, other["first"])
    wait_until(lambda: cup.shown["pause_until"])
    assert told(one["first"]) == [is_finalist, next_opens]
    assert told(one["second"]) == [is_out]
    clock.advance(seconds=5)
    (final,) = wait_until(lambda: cup.running)
    assert told(final["first"]) == [is_finalist]
    cup.win(final, final["first"])
    cup.wait_for("finished")
    assert told(final["first"]) == []


def test_players_of_an_arena_see_the_end_of_a_game_and_may_pause_before_the_next(server, clock):
    cup = Cup(server, clock, 2, "arena", minutes=20).start()
    path, (one, other) = f"/tournaments/{cup.id}", [member(server, name) for name in cup.programs]
    (pairing,) = cup.play_round()
    beside = f"{path}/games/{pairing['game_id']}"
    assert "Next game in" in one.http.get(beside).text
    assert "Next game in" not in Visitor(server).http.get(beside).text
    assert cup.running == []
    one.http.post(f"{path}/pause")
    assert "Next game in" not in one.http.get(beside).text
    clock.advance(seconds=6)
    assert "Next game in" not in other.http.get(beside).text
    one.http.post(f"{path}/join")
    clock.advance(seconds=6)
    wait_until(lambda: cup.running)


def test_an_arena_without_games_does_not_say_that_they_come_when_it_starts(server, clock):
    cup = Cup(server, clock, 0, "arena", minutes=20)
    path, visitor = f"/tournaments/{cup.id}", Visitor(server)
    assert "The pairings appear here when it starts." in visitor.http.get(path).text
    cup.start()
    shown = visitor.http.get(path).text
    assert "The pairings appear here" not in shown
    assert "No games yet." in shown


def test_a_correspondence_tournament_opens_no_games_on_its_page(server, clock):
    three_days = {"kind": "correspondence", "days": 3}
    cup = Cup(server, clock, 2, "round_robin", time_control=three_days)
    player = member(server, next(iter(cup.programs)))
    shown = player.http.get(f"/tournaments/{cup.id}").text
    assert "You take part." in shown
    assert "Keep this page open" not in shown


def test_the_terms_on_open_pages_say_how_many_have_joined(server, clock):
    cup = Cup(server, clock, 1, "swiss", rounds=3)
    with Visitor(server).live(f"/tournaments/{cup.id}/live") as page:
        wait_until(lambda: "1 of 100 players" in page.recv(WITHIN))
        cup.join(Program(server))
        wait_until(lambda: "2 of 100 players" in page.recv(WITHIN))


@pytest.mark.parametrize("kind", ["arena", "swiss", "round_robin", "knockout", "simul"])
def test_the_form_of_each_kind_has_only_its_own_fields(server, kind):
    visitor, path = Visitor(server), f"/tournaments/new?kind={kind}"
    refused = visitor.http.get(path)
    assert (refused.status_code, "Register to make tournaments." in refused.text) == (403, True)
    html = visitor.register().http.get(path).text
    own = {"length": "arena", "swiss_rounds": "swiss", "groups": "round_robin", "best_of": "knockout"}
    assert {owner for field, owner in own.items() if f'name="{field}"' in html} == {kind} - {"simul"}


def test_the_next_tournament_is_named_on_the_home_page(server, clock):
    cup = Cup(server, clock, 0, "arena", minutes=20)
    assert "/tournaments/" in Visitor(server).http.get("/").text
    assert cup.shown["name"] in Visitor(server).http.get("/tournaments").text


def test_the_calendar_lists_what_comes_by_day(server, clock):
    cup = Cup(server, clock, 0, "arena", minutes=20, starts_at=(utc_now() + timedelta(days=2)).isoformat())
    html = Visitor(server).http.get("/calendar").text
    day = f'datetime="{cup.shown["starts_at"][:10]}"'
    assert html.index(day) < html.index(f'href="/tournaments/{cup.id}"')
    assert 'href="/calendar.ics"' in html


def test_a_page_that_connects_after_the_pairing_is_sent_to_the_game(server, clock):
    player, cup = Visitor(server).register(), Cup(server, clock, 1, "arena", minutes=20)
    page = f"/tournaments/{cup.id}"
    player.http.post(f"{page}/join")
    assert f'{page}/live"' in player.http.get(page).text
    cup.start()
    game = wait_until(lambda: cup.running)[0]["game_id"]
    assert f"{page}/live?has_game=True" in player.http.get(page).text
    with player.live(f"{page}/live") as waiting:
        assert waiting.recv(WITHIN) == f'{{"visit":"/games/{game}"}}'
    with player.live(f"{page}/live?has_game=True") as returned:
        assert "hx-partial" in returned.recv(WITHIN)


def test_a_player_who_waits_elsewhere_is_sent_to_the_game_or_told_that_it_has_begun(server, clock):
    cup = Cup(server, clock, 1, "simul")
    (opponent,) = cup.programs
    host = member(server, cup.organiser.username)
    with alerts(host) as following:
        cup.start()
        game = wait_until(lambda: cup.running)[0]["game_id"]
        received = ""
        for expected in (f'{{"visit":"/games/{game}"}}', f"Your game against {opponent} has begun."):
            while expected not in received:
                received += following()
    cup.programs[opponent].move(game, "c4", 0)
    with alerts(host) as following:
        update = following()
        assert f"<b>Your turn</b> against {opponent}" in update
        assert "has begun" not in update


def test_a_correspondence_tournament_takes_nobody_away_from_a_page(server, clock):
    three_days = {"kind": "correspondence", "days": 3}
    cup = Cup(server, clock, 3, "round_robin", time_control=three_days)
    player = member(server, next(iter(cup.programs)))
    with alerts(player) as following:
        cup.start()
        received = ""
        while "Your turn" not in received:
            received += following()
    assert "visit" not in received


def test_lists_are_pushed_when_a_tournament_is_announced_begins_and_ends(server, clock):
    player = Visitor(server).register()
    with (
        player.live("/tournaments/live") as lists,
        connect(f"{server.ws_url}/tournaments/live?when=past", origin=server.url) as past,
    ):
        cup = Cup(server, clock, 2, "arena", minutes=20)
        name = cup.shown["name"]

        def receive(socket, *words):
            messages = (socket.recv(WITHIN) for _ in range(_MOST_MESSAGES))
            return next(html for html in messages if all(word in html for word in words))

        assert 'hx-target="#tournament-lists"' in receive(lists, name, "2 of 100 players")
        player.http.post(f"/tournaments/{cup.id}/join")
        receive(lists, name, "3 of 100 players")
        cup.start()
        receive(lists, name, 'hx-target="#tournament-yours"')
        clock.advance(minutes=20)  # every clock runs out
        receive(past, name, 'hx-target="#tournament-past"')


def test_what_an_organiser_writes_can_be_reported_and_removed(server, clock, database_url):
    cup = Cup(server, clock, 0, "arena", minutes=20, description="Buy my feathers!")
    path, place, organiser = f"/tournaments/{cup.id}", f"tournament:{cup.id}", cup.organiser.username
    reporter = Visitor(server).register()
    link = f"/report?player={organiser}&amp;place=tournament%3A{cup.id}"
    assert link in reporter.http.get(path).text
    assert link not in Visitor(server).http.get(path).text
    thanks = reporter.http.post("/report", data={"username": organiser, "place": place, "reason": "spam"})
    assert f'href="{path}"' in thanks.text
    moderator = make_moderator(database_url, Program(server))
    (report,) = open_reports(moderator, cup.organiser)
    assert (report["url"], report["quote"]) == (path, f"{cup.shown['name']}\nBuy my feathers!")
    removal = {"username": organiser, "action": "remove_text", "subject": place, "reason": "Spam"}
    assert moderator.http.post("/moderation/actions", json=removal).status_code == 201
    assert (cup.shown["name"], cup.shown["description"]) == ("Tournament", "")


def test_the_page_of_a_large_round_shows_its_first_boards_and_leads_to_all(server, clock, database_url):
    cup = Cup(server, clock, 0, "swiss", rounds=3)
    execute(database_url, MANY_PLAYERS, cup.id)
    cup.start()
    path = f"/tournaments/{cup.id}"
    page = Visitor(server).http.get(path).text
    assert page.count('aria-label="Game of') == 50
    assert f'<a href="{path}?round=1#rounds-title">All games of the round</a>' in page
    everything = Visitor(server).http.get(f"{path}?round=1").text
    assert everything.count('aria-label="Game of') == 51
    assert "All games of the round" not in everything
