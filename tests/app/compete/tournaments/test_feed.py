"""The feed of tournaments: what is announced, and who has won."""

from sqlalchemy import text

from app.compete.tournaments import standings
from tests.support.database import execute
from tests.support.feeds import read_feed
from tests.support.players import PASSWORD, Visitor
from tests.support.tournaments import Cup

FEED = "/feeds/tournaments.atom"
MANY = """
INSERT INTO tournaments (
    id, name, kind, game, options, time_control, rated, plan, max_players, status, created_at, ended_at
) SELECT
    'fed-' || status || number, 'Fed', 'round_robin', 'jadejack', '{"size": 8}',
    '{"kind": "correspondence", "days": 3}', false, '{}', 8, status, now() - number * interval '1 second',
    CASE WHEN status <> 'created' THEN now() END
FROM generate_series(1, 60) number, unnest(ARRAY['created', 'finished', 'cancelled']) status
"""

PLAYED = """
WITH made AS (
    INSERT INTO tournaments (id, name, kind, game, options, rated, plan, max_players, status, ended_at)
    SELECT id, id, 'arena', 'jadejack', '{}', false, '{}', 8, 'finished', now()
    FROM unnest(ARRAY['shared', 'idle', 'open']) id
), players AS (
    INSERT INTO accounts (username, closed_at, keeps_results)
    VALUES ('gone', now(), false), ('ann', NULL, false), ('kept', now(), true), ('cid', NULL, false)
    RETURNING id, username
)
INSERT INTO tournament_players (tournament_id, account_id, rating, seed, games, rank)
SELECT t, id, 1500, seed, games, rank FROM players JOIN (VALUES
    ('shared', 'gone', 1, 2, 1), ('shared', 'ann', 2, 2, 2), ('shared', 'kept', 3, 2, 2),
    ('shared', 'cid', 4, 2, 4), ('idle', 'ann', 1, 0, 1), ('open', 'ann', 1, 1, NULL)
) AS place (t, name, seed, games, rank) ON name = username
"""


def told(reader, tournament_id):
    """Return what the feed tells of a tournament, by the part of it."""
    return {
        entry.id.rpartition("#")[2]: entry
        for entry in read_feed(reader.http, FEED)
        if entry.url.endswith(f"/tournaments/{tournament_id}")
    }


def test_a_tournament_is_announced_and_its_winner_told_when_it_is_over(server, clock, visitor):
    cup = Cup(server, clock, 3, "round_robin")
    announced = told(visitor, cup.id)
    assert list(announced) == ["announced"]
    entry = announced["announced"]
    assert entry.title == cup.shown["name"]
    assert entry.author == cup.shown["organiser"]
    start, terms = entry.lines
    assert start.startswith("Start: ")
    assert terms.startswith("Round robin, JadeJack ")
    cup.start()
    assert list(told(visitor, cup.id)) == ["announced"]
    for _ in range(3):
        cup.play_round()
        cup.end_pause()
    cup.wait_for("finished")
    after = told(visitor, cup.id)
    assert after["announced"] == entry
    first, second, _third = sorted(cup.programs)
    assert after["result"].title == f"Result: {cup.shown['name']}"
    assert after["result"].lines == [f"{first} won", "3 players"]
    assert after["result"].updated > entry.updated
    visitor.http.headers["Accept-Language"] = "de"
    assert told(visitor, cup.id)["result"].lines == [f"{first} hat gewonnen", "3 Spieler"]
    del visitor.http.headers["Accept-Language"]
    closed = cup.programs[first].http.post("/me/close", json={"password": PASSWORD})
    assert closed.is_success, closed.text
    assert told(visitor, cup.id)["result"].lines == [f"{second} won", "3 players"]


def test_the_feed_has_the_latest_news_and_nothing_of_what_was_cancelled(database_url, visitor):
    execute(database_url, MANY)
    try:
        entries = read_feed(visitor.http, FEED)
    finally:
        execute(database_url, "DELETE FROM tournaments WHERE starts_with(id, 'fed-')")
    assert len(entries) == 50
    assert [entry.updated for entry in entries] == sorted((each.updated for each in entries), reverse=True)
    assert not any("cancelled" in entry.id for entry in entries)


async def test_players_share_the_first_place_and_who_took_no_part_has_not_won(session):
    await session.execute(text(PLAYED))
    won = await standings.winners(session, ["shared", "idle", "open"])
    assert won == {"shared": ["ann", None]}


def test_pages_of_tournaments_lead_to_the_feed(server, clock):
    reader = Visitor(server)
    link = f'<link rel="alternate" type="application/atom+xml" title="Tournaments" href="{FEED}">'
    assert link in reader.http.get(f"/tournaments/{Cup(server, clock, 0, 'arena', minutes=20).id}").text
    for path in ("/tournaments", "/tournaments?when=past"):
        listed = reader.http.get(path).text
        assert link in listed
        assert f'<a href="{FEED}">Feed</a>' in listed
