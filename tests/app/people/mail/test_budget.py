"""How much one mailbox gets, whoever causes it, and that nothing is lost by that."""

import itertools
import secrets

import pytest

from app.people.inbox.kinds import Channel, NewsKind, kinds_of
from app.people.mail.mailboxes import MailKind, checked, mailbox_of, most_an_hour
from tests.support.accounts import give_address, id_of
from tests.support.answers import code
from tests.support.database import fetch
from tests.support.mail import links_of, text_of
from tests.support.news import tell, true_news
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.server import start_server
from tests.support.waiting import wait_until

DAYS = {"kind": "correspondence", "days": 3}
NOT_BY_SUBJECT = {  # whose pages are of something else
    NewsKind.LADDER_CHALLENGE,
    NewsKind.TEAM_CLOSED,
    NewsKind.PLACE_LOST,
    NewsKind.RECORD_BEATEN,
    NewsKind.REPORT_CLOSED,
}
HELD = 13
"""How many notifications more than a mailbox gets in an hour."""
UNSENT = "SELECT count(*) FROM deliveries WHERE account_id = $1"
MANNERS = [
    "{name}@{domain}",
    "{upper}@{domain}",
    "{name}+one@{domain}",
    "{dotted}@{domain}",
    "{name}+two+three@BÜCHER.example.com",
    "{dotted}+four@xn--bcher-kva.example.com",
]


def new_actor(database_url):
    row = "INSERT INTO accounts (username, password_hash) VALUES ($1, '!') RETURNING id"
    return fetch(database_url, row, f"actor-{secrets.token_hex(8)}")["id"]


def held(database_url, account_id):
    query = "SELECT count(*) FROM deliveries WHERE account_id = $1 AND is_held AND attempts = 0"
    return fetch(database_url, query, account_id)["count"]


def mailed_to(mail_server, *addresses):
    return [message for address in addresses for message in mail_server.to(address)]


def addresses_of_one_mailbox():
    name = secrets.token_hex(6)
    parts = {"name": name, "upper": name.upper(), "dotted": f"{name[:3]}.{name[3:]}"}
    return [manner.format(**parts, domain="bücher.example.com") for manner in MANNERS]


def test_all_manners_of_writing_an_address_are_one_mailbox():
    assert len({mailbox_of(checked(address)) for address in addresses_of_one_mailbox()}) == 1
    assert mailbox_of("wren@example.com") != mailbox_of("wren@example.org")


def test_an_address_that_nobody_has_confirmed_gets_few_links_however_it_is_written(site, mail_server, send):
    addresses = addresses_of_one_mailbox()
    for address in addresses:
        program = Program(site)
        body = {"email": address, "password": PASSWORD}
        assert program.http.put("/me/email", json=body).status_code == 202
    send(processes=3)
    domain = "xn--bcher-kva.example.com"
    local_parts = {address.partition("@")[0] for address in addresses}
    mailbox = [f"{name}@{domain}" for name in local_parts]
    wait_until(lambda: len(mailed_to(mail_server, *mailbox)) == most_an_hour(MailKind.CONFIRM))
    send()
    assert len(mailed_to(mail_server, *mailbox)) == 3
    for message in mailed_to(mail_server, *mailbox):
        assert any(link.startswith("/email/confirm?") for link in links_of(message))


def test_a_mailbox_of_several_accounts_gets_few_links_for_new_passwords(site, reader, mail_server, send):
    owner = reader()
    for _ in range(6):
        Visitor(site).http.post("/password/forgot", data={"email": owner.address.upper()})
    send(processes=3)
    wait_until(lambda: len(mail_server.to(owner.address)) == most_an_hour(MailKind.RESET))
    send()
    assert len(mail_server.to(owner.address)) == 3


@pytest.fixture
def limited(mail_database, mail_server):
    """Return a site that sends mail and has rate limits."""
    server = start_server(
        mail_database, public_url="http://localhost:1", throttle="on", **mail_server.settings
    )
    yield server
    server.stop()


def test_who_asks_too_often_is_told_so_whether_the_address_is_known_or_not(limited, mail_database):
    known = Program(limited)
    address = f"{secrets.token_hex(6)}@example.com"
    give_address(mail_database, known, address)
    for page in ("/password/forgot", "/email"):
        answers = {}
        for asked in (address, f"{secrets.token_hex(6)}@example.com"):
            visitors = [Visitor(limited) for _ in range(4)]
            for number, visitor in enumerate(visitors):
                visitor.http.headers["X-Forwarded-For"] = f"192.0.2.{number}"
                visitor.http.headers["Origin"] = "http://localhost:1"
                if page == "/email":
                    visitor.register()
            got = [visitor.http.post(page, data={"email": asked}) for visitor in visitors]
            answers[asked] = [answer.status_code for answer in got]
            assert "Look for them, also among spam, or try again in" in got[-1].text
        assert list(answers.values()) == [[200, 200, 200, 429]] * 2


@pytest.fixture
def readers(reader):
    """Return a reader for each kind of mail: all kinds are sent together, which takes as long as one."""
    return {kind: reader() for kind in kinds_of(Channel.EMAIL)}


def test_notifications_of_many_players_are_few_mails_and_none_is_lost(
    readers, mail_server, mail_database, send, clock
):
    ids = {kind: id_of(mail_database, program) for kind, program in readers.items()}
    news = {
        kind: [
            true_news(mail_database, kind, ids[kind], new_actor(mail_database))
            for _ in range(most_an_hour(kind) + HELD)
        ]
        for kind in readers
    }
    tell(mail_database, *itertools.chain(*news.values()))
    clock.advance(minutes=6)
    send(processes=3)
    for kind, program in readers.items():
        wait_until(lambda kind=kind: held(mail_database, ids[kind]) == HELD)
        assert len(mail_server.to(program.address)) == most_an_hour(kind), kind
    clock.advance(hours=1, seconds=1)
    send(processes=3)
    for kind, program in readers.items():
        most = most_an_hour(kind)
        [last] = wait_until(lambda program=program, most=most: mail_server.to(program.address)[most:])
        assert last["Subject"] == f"{HELD} notifications", kind
        wait_until(lambda kind=kind: fetch(mail_database, UNSENT, ids[kind])["count"] == 0)
        assert len(mail_server.to(program.address)) == most + 1, kind
        text = "".join(text_of(message) for message in mail_server.to(program.address))
        lost = [each.subject for each in news[kind] if each.subject not in text]
        assert kind in NOT_BY_SUBJECT or lost == [], kind


def test_one_player_causes_one_mail_of_a_kind_until_it_is_read(
    readers, mail_server, mail_database, send, clock
):
    actor = new_actor(mail_database)

    def tell_all():
        ids = {kind: id_of(mail_database, program) for kind, program in readers.items()}
        tell(mail_database, *(true_news(mail_database, kind, id_, actor) for kind, id_ in ids.items()))
        clock.advance(minutes=6)
        send(processes=2)

    for _ in range(5):
        tell_all()
    for kind, program in readers.items():
        assert len(mail_server.to(program.address)) == 1, kind
        program.http.post("/notifications/read", json={})
    tell_all()
    for program in readers.values():
        wait_until(lambda program=program: len(mail_server.to(program.address)) == 2)


def test_challenges_that_are_withdrawn_again_are_one_mail(site, reader, mail_server, send, clock):
    program, stranger = reader(), Program(site)
    for _ in range(4):
        made = stranger.challenge(opponent=program.username, time_control=DAYS)
        clock.advance(minutes=2)
        send(processes=2)
        stranger.http.post(f"/challenges/{made.json()['id']}/cancel")
    assert len(mail_server.to(program.address)) == 1
    clock.advance(hours=1)
    stranger.challenge(opponent=program.username, time_control=DAYS)
    clock.advance(minutes=2)
    send()
    wait_until(lambda: len(mail_server.to(program.address)) == 2)


def test_many_changes_of_an_account_are_gathered_but_a_lost_address_is_told_at_once(
    site, reader, mail_server, mail_database, send, clock
):
    program = reader()
    most = most_an_hour(MailKind.CHANGED)
    for number in range(most + 3):
        body = {"username": program.username, "password": PASSWORD, "name": f"number {number}"}
        assert program.http.post("/tokens", json=body).status_code == 201
        send()
    wait_until(lambda: held(mail_database, id_of(mail_database, program)) == 3)
    assert len(mail_server.to(program.address)) == most
    assert program.http.request("DELETE", "/me/email", json={"password": PASSWORD}).status_code == 204
    send()
    wait_until(lambda: len(mail_server.to(program.address)) == most + 1)
    assert "removed" in mail_server.to(program.address)[-1]["Subject"]
    clock.advance(hours=1)
    send(processes=2)
    [last] = wait_until(lambda: mail_server.to(program.address)[most + 1 :])
    assert last["Subject"] == "3 changes to your account"
    for number in range(most, most + 3):
        assert f"number {number}" in text_of(last)


def test_a_mail_that_is_tried_again_counts_once(site, reader, mail_server, mail_database, send, clock):
    program = reader()
    mail_server.refusals[program.address] = "451 Try again later"
    tell(
        mail_database,
        true_news(mail_database, NewsKind.CHALLENGE, id_of(mail_database, program), new_actor(mail_database)),
    )
    for _ in range(6):
        clock.advance(minutes=9)
        send()
    del mail_server.refusals[program.address]
    clock.advance(minutes=9)
    send()
    wait_until(lambda: len(mail_server.to(program.address)) == 1)


def test_a_link_in_a_mail_goes_on_when_the_next_one_is_held_back(site, mail_server, send):
    program, address = Program(site), f"{secrets.token_hex(6)}@example.com"
    for _ in range(4):
        program.http.put("/me/email", json={"email": address, "password": PASSWORD})
        send()
    got = wait_until(lambda: mail_server.to(address)[2:] and mail_server.to(address))
    assert len(got) == 3
    [link] = [link for link in links_of(got[-1]) if link.startswith("/email/confirm?")]
    assert Visitor(site).http.get(link).status_code == 200
    token = {"token": link.partition("token=")[2]}
    assert Visitor(site).http.post("/email/confirm", data=token).status_code == 200


def test_programs_are_told_to_wait(limited):
    body = {"email": f"{secrets.token_hex(6)}@example.com", "password": PASSWORD}
    answers = [Program(limited).http.put("/me/email", json=body) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [202, 202, 202, 429]
    assert code(answers[-1]) == (429, "too_many_requests")
    assert int(answers[-1].headers["retry-after"]) > 60


def test_what_was_gathered_for_a_mail_that_failed_is_gathered_again(
    reader, mail_server, mail_database, send, clock
):
    program, kind = reader(), NewsKind.CHALLENGE
    id_, most = id_of(mail_database, program), most_an_hour(kind)
    actors = [new_actor(mail_database) for _ in range(most + HELD)]
    tell(mail_database, *(true_news(mail_database, kind, id_, actor) for actor in actors))
    clock.advance(minutes=6)
    send()
    wait_until(lambda: held(mail_database, id_) == HELD)
    mail_server.refusals[program.address] = "450 Try later"
    clock.advance(hours=1, seconds=1)
    send()
    wait_until(lambda: held(mail_database, id_) == 0)
    del mail_server.refusals[program.address]
    clock.advance(minutes=5, seconds=1)
    send()
    wait_until(lambda: fetch(mail_database, UNSENT, id_)["count"] == 0)
    assert len(mail_server.to(program.address)) <= most + 2
