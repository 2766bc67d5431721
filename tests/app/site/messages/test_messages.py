"""Messages between players."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from app.core.database.session import Database
from app.site.messages.models import PrivateMessage
from app.site.messages.service import _note
from tests.support.answers import code, until_in
from tests.support.database import execute
from tests.support.event_stream import Follower
from tests.support.players import Program, Visitor
from tests.support.waiting import WITHIN, wait_until


def write(author, reader, text="Another game?"):
    return author.http.post(f"/messages/{reader.username}", json={"text": text})


def texts(reader, other):
    answer = reader.http.get(f"/messages/{other.username}").json()
    return [(message["username"], message["text"]) for message in answer["messages"]]


def threads(reader):
    return [(each["username"], each["unread"]) for each in reader.http.get("/messages").json()["threads"]]


def test_two_players_exchange_messages(program, other):
    listener = Follower(other)
    assert write(program, other, " One\u202e\n\n\n\nTwo ").json()["text"] == "One\n\nTwo"
    assert listener.wait_for("message")["message"]["text"] == "One\n\nTwo"
    listener.over.set()
    assert (threads(program), threads(other)) == ([(other.username, 0)], [(program.username, 1)])
    kinds = [item["kind"] for item in other.http.get("/notifications").json()["notifications"]]
    assert kinds == ["message"]
    assert other.http.post(f"/messages/{program.username}/read").status_code == 204
    assert threads(other) == [(program.username, 0)]
    assert write(other, program, "Yes").status_code == 201
    exchanged = [(program.username, "One\n\nTwo"), (other.username, "Yes")]
    assert texts(program, other) == texts(other, program) == exchanged
    assert code(write(program, program)) == (422, "yourself")
    for text in ("", " \n\u202e ", "x" * 2001):
        assert code(write(program, other, text)) == (422, "invalid_request")


def test_a_message_leads_to_its_author_and_is_cleared_after_a_rename(program, other, database_url):
    write(program, other)
    name = f"{program.username}-2"
    execute(database_url, "UPDATE accounts SET username = $2 WHERE username = $1", program.username, name)
    write(program, other, "It is me.")
    [news] = other.http.get("/notifications").json()["notifications"]
    assert (news["actor"], news["url"].rpartition("/")[2]) == (name, name)
    assert other.http.post(f"/messages/{name}/read").status_code == 204
    assert other.http.get("/notifications").json()["notifications"] == []


def test_what_comes_after_what_was_read_stays_unread(program, other):
    first, second = (write(program, other, text).json()["id"] for text in ("One", "Two"))
    path = f"/messages/{program.username}/read"

    def read(until):
        assert other.http.post(path, json={"until": until}).status_code == 204
        listed = other.http.get("/notifications").json()["notifications"]
        return threads(other)[0][1], [item["kind"] for item in listed]

    assert read(first) == (1, ["message"])
    assert read(second) == (0, [])
    third = write(program, other, "Three").json()["id"]
    assert read(second) == (1, ["message"])
    assert read(third) == (0, [])
    assert read(first) == (0, [])  # what was read once stays so
    assert code(other.http.post(path, json={"until": 0})) == (422, "invalid_request")


def test_only_players_who_both_allow_it_write_to_each_other(server, visitor, program):
    owner = visitor.register()
    path = f"/messages/{owner.username}"

    def choose(choice):
        owner.http.post("/account/preferences", data={"messages": choice})
        return write(program, owner)

    assert choose("everybody").status_code == 201
    assert code(choose("nobody")) == code(choose("following")) == (403, "messages_refused")
    owner.http.post(f"/players/{program.username}/follow")
    assert write(program, owner).status_code == 201
    owner.http.post(f"/players/{program.username}/mute")
    assert write(program, owner, "Do you hear me?").status_code == 201
    assert program.username not in owner.http.get("/messages").text
    assert "Do you hear me?" not in owner.http.get(f"/messages/{program.username}").text
    owner.http.post(f"/players/{program.username}/mute/undo")
    assert "Do you hear me?" in owner.http.get(f"/messages/{program.username}").text
    owner.http.post(f"/players/{program.username}/block")
    assert code(program.http.post(path, json={"text": "Hi"})) == (403, "messages_refused")
    guest = Visitor(server)
    guest.http.post("/guest")
    assert guest.http.post(f"/messages/{program.username}", data={"text": "Hi"}).status_code == 403


def test_a_new_account_writes_to_few_new_players_a_day(server, program):
    readers = [Program(server) for _ in range(4)]
    statuses = [write(program, reader).status_code for reader in readers]
    assert statuses == [201, 201, 201, 409]
    assert write(program, readers[0]).status_code == 201
    assert write(readers[3], program).status_code == 201
    assert write(program, readers[3]).status_code == 201


def test_pages_show_threads_and_send_messages(visitor, program):
    visitor.register()
    path = f"/messages/{program.username}"
    assert "No messages yet" in visitor.http.get("/messages").text
    shown = visitor.http.post(path, data={"text": "<i>Hi</i> https://example.com"}).text
    assert "&lt;i&gt;Hi&lt;/i&gt; https://example.com" in shown
    write(program, visitor, "Hello")
    assert "1 new" in visitor.http.get("/messages").text
    fields = {"until": until_in(visitor.http.get(path).text)}
    write(program, visitor, "Are you there?")
    visitor.http.post(f"{path}/read", data=fields)
    assert "1 new" in visitor.http.get("/messages").text
    visitor.http.post(f"{path}/read")
    assert "1 new" not in visitor.http.get("/messages").text
    assert visitor.http.post(path, data={"text": " "}).status_code == 422


def test_only_the_page_of_the_last_messages_follows_what_is_written(visitor, program):
    visitor.register()
    first, second = (write(program, visitor, text).json()["id"] for text in ("One", "Two"))
    path = f"/messages/{program.username}"
    latest, past = (visitor.http.get(address).text for address in (path, f"{path}?before={second}"))
    for live in (f'data-hx-ws-connect="{path}/live"', f'data-hx-post="{path}/read"'):
        assert live in latest
        assert live not in past
    assert f"message-{first}" in past
    assert f"message-{second}" not in past


def test_a_page_is_sent_with_each_message_what_marks_it_as_read(visitor, program):
    visitor.register()
    path = f"/messages/{program.username}"
    assert "/read" not in visitor.http.get(path).text
    with visitor.live(f"{path}/live") as socket:
        for _ in range(2):
            sent = write(program, visitor).json()["id"]
            mark = f'id="read-{sent}"'
            wait_until(lambda mark=mark: mark in socket.recv(WITHIN))
            assert mark in visitor.http.get(path).text
        visitor.http.post(path, data={"text": "Yes"})
        wait_until(lambda: "letters-own" in (pushed := socket.recv(WITHIN)) and mark in pushed)


@given(limit=strategies.integers(min_value=1, max_value=7))
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_pages_of_threads_have_all_of_them_once(known_to_five, limit):
    reader, authors = known_to_five
    listed, before = [], None
    while before is not None or not listed:
        wanted = {"limit": limit} | ({} if before is None else {"before": before})
        page = reader.http.get("/messages", params=wanted).json()
        assert len(page["threads"]) <= limit
        listed += [each["username"] for each in page["threads"]]
        before = page["next"]
    assert listed == authors


@pytest.fixture
def known_to_five(server, program):
    """Return a player and those who wrote to them, the latest first."""
    authors = [Program(server) for _ in range(5)]
    for author in authors:
        assert write(author, program).status_code == 201
    return program, [author.username for author in reversed(authors)]


def test_the_page_of_messages_leads_to_older_ones(server, known_to_five, database_url):
    reader, (latest, *_) = known_to_five
    execute(
        database_url,
        """
        WITH others AS (
            INSERT INTO accounts (username) SELECT $1 || '-' || number FROM generate_series(1, 200) number
            RETURNING id
        ), reader AS (SELECT id FROM accounts WHERE username = $1), sent AS (
            INSERT INTO messages (author_id, reader_id, text)
            SELECT others.id, reader.id, 'Hello' FROM others, reader RETURNING id, author_id, reader_id
        )
        INSERT INTO message_threads (account_id, other_id, last_id, is_own)
        SELECT reader_id, author_id, id, false FROM sent
        """,
        reader.username,
    )
    visitor = Visitor(server).log_in(reader.username)
    page = visitor.http.get("/messages").text
    assert f'href="/messages/{latest}#write"' not in page
    assert 'rel="next"' in page
    before = reader.http.get("/messages").json()["next"]
    assert f'href="?before={before}"' in page
    page = visitor.http.get(f"/messages?before={before}").text
    assert f'href="/messages/{latest}#write"' in page
    assert 'rel="next"' not in page


async def test_the_last_message_is_the_latest_one_whichever_is_noted_last(program, other, database_url):
    first, second = (write(program, other, text).json()["id"] for text in ("One", "Two"))
    database = await Database.open(database_url, pool_size=2)
    async with database.transaction() as session:
        await _note(session, await session.get_one(PrivateMessage, first))
    await database.close()
    for reader in (program, other):
        assert reader.http.get("/messages").json()["threads"][0]["last"]["id"] == second
