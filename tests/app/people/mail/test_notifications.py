"""Mails about games and challenges: which are sent, when, how often, and in which language."""

import re
from datetime import datetime, timedelta
from functools import partial

import pytest

from app.compete.tournaments.news import remind_of_tournaments
from app.core.i18n.formats import moment_in
from app.core.moments import utc_now
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.people.mail.service import queue_digests
from app.play.games.news import remind_of_deadlines
from tests.support import plain_http
from tests.support.accounts import id_of
from tests.support.answers import assert_error_page
from tests.support.database import execute, fetch, on_database
from tests.support.games import post
from tests.support.mail import html_of, links_of, run_at_once, text_of
from tests.support.moderation import make_moderator, open_reports
from tests.support.players import Program, Visitor
from tests.support.tournaments import Cup
from tests.support.waiting import wait_until

DAYS = {"kind": "correspondence", "days": 3}


@pytest.fixture
def game(site, reader):
    """Return a correspondence game in which it is Black's turn, and Black is a reader of mails."""
    return new_game(site, reader())


def new_game(site, black):
    white = Program(site)
    return Game(white.begin(black, side="white", time_control=DAYS), black, white)


class Game:
    def __init__(self, game_id, black, white):
        self.id, self.black, self.white = game_id, black, white
        self.ply = 0

    def play(self, *moves):
        for move in moves:
            player = (self.black, self.white)[self.ply % 2]
            assert player.move(self.id, move, self.ply).status_code == 200
            self.ply += 1


def subjects(mail_server, program):
    return [message["Subject"] for message in mail_server.to(program.address)]


def test_a_turn_is_mailed_once_after_five_minutes(site, game, mail_server, send, clock):
    send()
    assert subjects(mail_server, game.black) == []
    clock.advance(minutes=5)
    send(processes=3)
    send()
    message = mail_server.next_to(game.black.address)
    assert message["Subject"] == f"Your turn against {game.white.username}"
    assert "JadeJack" in text_of(message)
    assert f"{site.url}/games/{game.id}" in text_of(message)
    assert f'href="{site.url}/games/{game.id}"' in html_of(message)
    for text in (text_of(message), html_of(message)):
        assert re.search(rf"to {game.black.username}\.\s+You can choose", text)
    game.play("c4", "f6")
    clock.advance(minutes=5)
    send(processes=2)
    mail_server.next_to(game.black.address, 2)
    send()
    assert len(mail_server.to(game.black.address)) == 2


def test_a_turn_that_was_played_or_seen_on_the_site_is_not_mailed(site, game, mail_server, send, clock):
    game.play("c4")
    other = new_game(site, game.black)
    ids = [line["id"] for line in game.black.http.get("/notifications").json()["notifications"]]
    game.black.http.post("/notifications/read", json={"ids": ids})
    clock.advance(minutes=5)
    send()
    assert subjects(mail_server, other.black) == []


def test_a_digest_lists_all_turns_once_a_day(site, game, mail_server, mail_database, send, clock):
    game.black.http.put("/me/notifications", json={"email": {"my_turn": "daily"}})
    others = [new_game(site, game.black) for _ in range(2)]
    clock.advance(hours=23)
    game.black.http.put("/me/notifications", json={"email": {"my_turn": "daily"}})  # it stays as it is
    run_at_once(mail_database, queue_digests, 2)
    send()
    assert mail_server.to(game.black.address) == []
    clock.advance(hours=1)
    run_at_once(mail_database, queue_digests, 2)
    send(processes=2)
    digest = mail_server.next_to(game.black.address)
    assert digest["Subject"] == "Your turn in 3 games"
    for each in (game, *others):
        assert f"{site.url}/games/{each.id}" in text_of(digest)
        each.play("c4")
    clock.advance(days=1)
    run_at_once(mail_database, queue_digests, 2)
    send()
    assert len(mail_server.to(game.black.address)) == 1


@pytest.mark.parametrize(
    ("language", "link"), [("en", "Open it"), ("de", "Öffnen"), ("es", "Abrir"), ("pl", "Otwórz")]
)
def test_a_digest_leads_to_each_game(site, reader, mail_server, mail_database, send, clock, language, link):
    black = reader(language)
    black.http.put("/me/notifications", json={"email": {"my_turn": "daily"}})
    games = [new_game(site, black) for _ in range(2)]
    clock.advance(days=1)
    on_database(mail_database, queue_digests)
    send()
    text = text_of(mail_server.next_to(black.address))
    for game in games:
        assert f"{game.white.username}, JadeJack: {link} <{site.url}/games/{game.id}>" in text


def test_a_digest_of_one_turn_names_the_opponent(site, reader, mail_server, mail_database, send, clock):
    black = reader()
    black.http.put("/me/notifications", json={"email": {"my_turn": "daily"}})
    game = new_game(site, black)
    clock.advance(days=1)
    on_database(mail_database, queue_digests)
    send()
    assert mail_server.next_to(black.address)["Subject"] == f"Your turn against {game.white.username}"


def test_a_deadline_is_near_when_a_quarter_of_the_time_is_left(game, mail_server, mail_database, send, clock):
    game.black.http.put("/me/notifications", json={"email": {"my_turn": "off"}})
    remind = partial(remind_of_deadlines, bus=MemoryBus(Hub()))
    game.black.http.post("/me/vacation", json={"days": 1})
    clock.advance(hours=24 + 53)  # of 72; the vacation does not count
    on_database(mail_database, remind)
    send()
    assert mail_server.to(game.black.address) == []
    clock.advance(hours=1)
    run_at_once(mail_database, remind, 2)
    on_database(mail_database, remind)
    send(processes=2)
    reminder = mail_server.next_to(game.black.address)
    assert reminder["Subject"] == f"Little time is left for your move against {game.white.username}"
    deadline = datetime.fromisoformat(game.white.http.get(f"/games/{game.id}").json()["deadline"])
    assert f"You have until {moment_in('en', deadline)} UTC to move." in text_of(reminder)
    game.play("c4")
    on_database(mail_database, remind)
    send()
    assert len(mail_server.to(game.black.address)) == 1
    assert "deadline" not in {
        line["kind"] for line in game.black.http.get("/notifications").json()["notifications"]
    }


def test_after_a_vacation_there_is_another_reminder(game, mail_server, mail_database, send, clock):
    game.black.http.put("/me/notifications", json={"email": {"my_turn": "off"}})
    remind = partial(remind_of_deadlines, bus=MemoryBus(Hub()))

    def listed():
        return [line["kind"] for line in game.black.http.get("/notifications").json()["notifications"]]

    clock.advance(hours=55)
    on_database(mail_database, remind)
    send()
    assert listed().count("deadline") == len(mail_server.to(game.black.address)) == 1
    game.black.http.post("/me/vacation", json={"days": 1})
    on_database(mail_database, remind)
    assert "deadline" not in listed()
    clock.advance(hours=25)
    run_at_once(mail_database, remind, 2)
    send(processes=2)
    assert listed().count("deadline") == 1
    assert len(mail_server.to(game.black.address)) == 2


def test_a_challenge_is_mailed_unless_it_is_answered_within_a_minute(site, reader, mail_server, send, clock):
    program = reader()
    answered = Program(site).challenge(opponent=program.username).json()["id"]
    maker = Program(site)
    maker.challenge(opponent=program.username)
    program.http.post(f"/challenges/{answered}/decline")
    send()
    assert subjects(mail_server, program) == []
    clock.advance(minutes=1)
    send()
    mail_server.next_to(program.address)
    assert subjects(mail_server, program) == [f"{maker.username} challenges you"]


def test_who_was_closed_by_a_moderator_gets_the_reason_and_a_link_to_answer(
    site, reader, mail_server, mail_database, send
):
    program, moderator = reader(), make_moderator(mail_database, Program(site))
    order = {"username": program.username, "action": "close", "reason": "Copied entries\nThey are Wren's."}
    assert moderator.http.post("/moderation/actions", json=order).status_code == 201
    send()
    message = mail_server.next_to(program.address)
    assert message["Subject"] == "A moderator has closed your account"
    assert {"Copied entries", "They are Wren's."} < set(text_of(message).splitlines())
    assert "<p>Copied entries</p>" in html_of(message)
    (link,) = [path for path in links_of(message) if path.startswith("/appeal")]
    token, visitor = link.partition("token=")[2], Visitor(site)
    path = re.search(r'action="(/appeal/\d+)"', visitor.http.get(link).text)[1]
    assert "You have answered." in visitor.http.post(path, data={"token": token, "text": "Not me"}).text
    (answer,) = open_reports(moderator, program)
    assert (answer["reason"], answer["text"]) == ("appeal", "Not me")


def test_one_click_unsubscribes_from_one_kind(site, game, mail_server, send, clock):
    clock.advance(minutes=5)
    send()
    message = mail_server.next_to(game.black.address)
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = message["List-Unsubscribe"].strip("<>")
    assert url in text_of(message)
    assert "No more e-mails of this kind" in plain_http.get(url).text
    switches = game.black.http.get("/me/notifications").json()
    assert set(switches["email"].values()) == {"on"}  # reading the page changes nothing
    answer = plain_http.post(
        url, data={"List-Unsubscribe": "One-Click"}, headers={"Origin": "https://mail.example"}
    )
    assert answer.status_code == 200
    switches = game.black.http.get("/me/notifications").json()
    assert [kind for kind, switch in switches["email"].items() if switch == "off"] == ["my_turn"]
    game.play("c4", "f6")
    clock.advance(minutes=5)
    send()
    assert len(mail_server.to(game.black.address)) == 1
    plain_http.post(url.partition("&kind=")[0])
    switches = game.black.http.get("/me/notifications").json()
    assert set(switches["email"].values()) == {"off"}
    assert_error_page(plain_http.post(f"{site.url}/unsubscribe?key=nothing"), 404)


@pytest.mark.parametrize(
    ("language", "subject", "link"),
    [
        ("de", "Du bist am Zug gegen", "Öffnen"),
        ("es", "Te toca contra", "Abrir"),
        ("pl", "Twój ruch w grze z graczem", "Otwórz"),
    ],
)
def test_a_mail_is_in_the_language_of_its_reader(
    site, reader, mail_server, mail_database, send, clock, language, subject, link
):
    """The account's setting decides, before the language in which the address was entered."""
    black = reader("en")
    execute(
        mail_database,
        "UPDATE accounts SET preferences = jsonb_build_object('language', $1::text) WHERE username = $2",
        *(language, black.username),
    )
    game = new_game(site, black)
    clock.advance(minutes=5)
    send()
    message = mail_server.next_to(black.address)
    assert message["Subject"] == f"{subject} {game.white.username}"
    assert link in text_of(message)
    assert f'lang="{language}"' in html_of(message)


def test_mail_is_tried_again_until_its_server_is_back(game, mail_server, send, clock):
    clock.advance(minutes=5)
    mail_server.stop()
    try:
        send()
        clock.advance(seconds=10)
        send()
    finally:
        mail_server.start()
    clock.advance(minutes=1)
    mail_server.refusals[game.black.address] = "450 Try later"
    send()
    assert subjects(mail_server, game.black) == []
    del mail_server.refusals[game.black.address]
    clock.advance(minutes=4)  # less than the lease that the site's own schedule may have
    send()
    mail_server.next_to(game.black.address)
    send()
    assert len(mail_server.to(game.black.address)) == 1


def test_players_are_reminded_of_a_tournament_once_unless_they_have_switched_it_off(
    site, reader, mail_server, mail_database, send, clock
):
    cup, player, silent = Cup(site, clock, 0, "swiss", starts_in=20, rounds=3), reader(), reader()
    silent.http.put("/me/notifications", json={"email": {"tournament_soon": "off"}})
    for each in (player, silent):
        cup.join(each)
    clock.advance(minutes=6)
    remind = partial(remind_of_tournaments, bus=MemoryBus(Hub()))
    run_at_once(mail_database, remind, 2)
    send(processes=2)
    reminder = mail_server.next_to(player.address)
    assert reminder["Subject"] == "One of your tournaments starts soon"
    assert cup.shown["name"] in text_of(reminder)
    starts_at = datetime.fromisoformat(cup.shown["starts_at"])
    assert f"It starts on {moment_in('en', starts_at)} UTC." in text_of(reminder)
    assert f"{site.url}/tournaments/{cup.id}" in text_of(reminder)
    assert "kind=tournament_soon" in reminder["List-Unsubscribe"]
    on_database(mail_database, remind)
    send()
    assert len(mail_server.to(player.address)) == 1
    assert mail_server.to(silent.address) == []

    def listed(program):
        return [line["kind"] for line in program.http.get("/notifications").json()["notifications"]]

    assert listed(player) == listed(silent) == ["tournament_soon"]
    assert post(player, f"/tournaments/{cup.id}/withdraw").status_code == 200
    assert (listed(player), listed(silent)) == ([], ["tournament_soon"])
    kept = ("name", "kind", "game", "options", "time_control")
    later = {"rounds": 3, "starts_at": (utc_now() + timedelta(days=1)).isoformat()}
    terms = {member: cup.shown[member] for member in kept} | later
    assert cup.organiser.http.put(f"/tournaments/{cup.id}", json=terms).status_code == 200
    assert listed(silent) == ["tournament_moved"]
    clock.advance(hours=23, minutes=50)
    on_database(mail_database, remind)
    assert listed(silent) == ["tournament_soon", "tournament_moved"]
    assert post(cup.organiser, f"/tournaments/{cup.id}/cancel", reason="It rains").status_code == 200
    assert listed(silent) == ["tournament_cancelled"]


def test_one_digest_waits_at_most_and_none_is_sent_that_is_unwanted(
    site, reader, mail_server, mail_database, send, clock
):
    black = reader()
    black.http.put("/me/notifications", json={"email": {"my_turn": "daily"}})
    new_game(site, black)
    mail_server.refusals[black.address] = "450 Try later"
    waiting = "SELECT count(*) FROM deliveries WHERE account_id = $1 AND kind = 'digest'"
    for _ in range(2):
        clock.advance(days=1)
        on_database(mail_database, queue_digests)
        send()
        assert fetch(mail_database, waiting, id_of(mail_database, black))["count"] == 1
    black.http.put("/me/notifications", json={"email": {"my_turn": "off"}})
    del mail_server.refusals[black.address]
    clock.advance(hours=1)
    send()
    wait_until(lambda: fetch(mail_database, waiting, id_of(mail_database, black))["count"] == 0)
    assert mail_server.to(black.address) == []
