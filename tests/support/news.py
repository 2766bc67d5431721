"""Notifications that tell the truth, and what makes each of them untrue without a word to anybody."""

import secrets
from dataclasses import dataclass

from app.people.achievements import Achievement
from app.people.eligibility import Ineligibility
from app.people.identity.audit import Change
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify
from tests.support.database import execute, on_database

STARTS_AT = "2100-01-01T10:00:00+00:00"  # later than any test moves the clock to

_GAME = """
INSERT INTO games (id, game, options, status, first_player, second_player, position)
VALUES ('{subject}', 'jadejack', '{{"size": 8}}', 'started', {account}, {actor}, '')
"""
_CHALLENGE = """
INSERT INTO challenges (id, game, options, kind, maker_id, opponent_id, side, status)
VALUES ('{subject}', 'jadejack', '{{"size": 8}}', 'direct', {actor}, {account}, 'random', 'open')
"""
_LADDER_CHALLENGE = """
INSERT INTO ladder_challenges (id, game, challenger_id, defender_id, due_at)
VALUES ('{subject}', '{subject}', {actor}, {account}, now() + interval '9 days')
"""
_THREAD = """
WITH message AS (
    INSERT INTO messages (author_id, reader_id, text) VALUES ({actor}, {account}, 'Hello') RETURNING id
)
INSERT INTO message_threads (account_id, other_id, last_id, unread, is_own)
SELECT {account}, {actor}, id, 1, false FROM message
"""
_EXPORT = "INSERT INTO exports (id, account_id) VALUES ('{subject}', {account})"
_STUDY = """
INSERT INTO studies (id, account_id, visibility, title, game, players, options, position, moves)
VALUES ('{subject}', {actor}, 'link', '', 'jadejack', 2, '{{"size": 8}}', '', '')
"""
_TEAM = """
INSERT INTO teams (id, name, is_open, leader_id)
VALUES ('{subject}', 'Team {subject}', true, {account})
"""
_MEMBER = "INSERT INTO team_members (team_id, account_id, role) VALUES ('{subject}', {account}, 'member')"
_ASKING = "INSERT INTO team_requests (team_id, account_id) VALUES ('{subject}', {actor})"
_REFUSED = """
INSERT INTO team_requests (team_id, account_id, refused_at) VALUES ('{subject}', {account}, now())
"""
_TOURNAMENT = f"""
INSERT INTO tournaments (id, kind, name, game, options, time_control, rated, plan, max_players, starts_at)
VALUES (
    '{{subject}}', 'swiss', 'A cup', 'jadejack', '{{{{"size": 8}}}}',
    '{{{{"kind": "realtime", "limit": 300, "increment": 5}}}}', false, '{{{{"rounds": 3}}}}', 9, '{STARTS_AT}'
)
"""
_PLAYER = """
INSERT INTO tournament_players (tournament_id, account_id, rating, free_since)
VALUES ('{subject}', {account}, 1500, now())
"""
_RECORD = """
WITH entry AS (
    INSERT INTO nugget_entries (id, account_id, counts, mean_key, record, record_sha256, submitted_at)
    VALUES ('{subject}', {actor}, '{{19}}', 760000, '', '{subject}', now())
)
INSERT INTO nugget_record_changes (players, kind, number, moves, account_id, entry_id, at)
SELECT 'nobody', 'board', count(*), 19, {actor}, '{subject}', now() FROM nugget_record_changes
"""
_AWARD = """
INSERT INTO awards (account_id, achievement, proof, earned_at)
VALUES ({account}, '{subject}', 'game:{subject}', now())
"""
_PLACES = """
WITH entries AS (
    INSERT INTO nugget_entries (id, account_id, counts, mean_key, record, record_sha256, submitted_at)
    VALUES ('{subject}', {actor}, '{{19}}', 760000, '', '{subject}', now()),
        ('{subject}2', {account}, '{{20}}', 800000, '', '{subject}2', now())
    RETURNING *
)
INSERT INTO nugget_standings
    (ranking, account_id, entry_id, mean_key, fewer_boards, last_boards, submitted_at)
SELECT '{subject}', account_id, id, mean_key, -1, counts, submitted_at FROM entries
"""
_SCORES = """
WITH games AS (
    INSERT INTO games (id, game, options, status, first_player, position, ended_at)
    VALUES ('{subject}', 'up_and_up', '{{"size": 5}}', 'finished', {actor}, '', now()),
        ('{subject}2', 'up_and_up', '{{"size": 5}}', 'finished', {account}, '', now())
    RETURNING *
)
INSERT INTO scores (game_id, account_id, game, size, points, tie_break, undos, is_best)
SELECT id, first_player, '{subject}', 5, CASE first_player WHEN {actor} THEN 20 ELSE 19 END, 0, 0, true
FROM games
"""
_CLOSES = "UPDATE accounts SET closed_at = now() WHERE id = {actor}"
_COMMITMENT = """
INSERT INTO nugget_commitments (id, account_id, sha256, committed_at)
VALUES ('{subject}', {account}, '{subject}', now())
"""
_REVEALED = """
WITH entry AS (
    INSERT INTO nugget_entries (id, account_id, counts, mean_key, record, record_sha256, submitted_at)
    VALUES ('{subject}', {account}, '{{19}}', 760000, '', '{subject}', now())
)
UPDATE nugget_commitments SET entry_id = id WHERE id = '{subject}'
"""
_LEAVES = "DELETE FROM {table} WHERE {column} = '{{subject}}' AND account_id = {{account}}"
_UPDATE = "UPDATE {table} SET {change} WHERE id = '{{subject}}'"


@dataclass(frozen=True)
class Fact:
    """What a notification of a kind says: statements that make it true, and those that make it untrue.

    `rest` ends the subject.
    """

    made_by: tuple[str, ...]
    ended_by: tuple[str, ...]
    data: dict
    rest: str = ""


_AS_GAME = {"game": "jadejack"}
_IS_TURN = Fact(
    (_GAME,),
    (
        _UPDATE.format(table="games", change="ply = 1"),
        _UPDATE.format(table="games", change="status = 'aborted', ended_at = now()"),
    ),
    {**_AS_GAME, "ply": 0},
)
_LEAVES_TEAM = _LEAVES.format(table="team_members", column="team_id")
_IS_MEMBER = Fact((_TEAM, _MEMBER), (_LEAVES_TEAM,), {"name": "Finches"})
_ENDS = (
    *(
        _UPDATE.format(table="tournaments", change=f"status = '{status}', ended_at = now()")
        for status in ("started", "finished", "cancelled")
    ),
    _LEAVES.format(table="tournament_players", column="tournament_id"),
)
_MOVES = _UPDATE.format(table="tournaments", change="starts_at = starts_at + interval '1 hour'")


def _coming(change, *ends):
    data = {"change": change, "name": "A cup", "starts_at": STARTS_AT}
    return Fact((_TOURNAMENT, _PLAYER), (*_ENDS, *ends), data)


FACTS = {
    NewsKind.MY_TURN: _IS_TURN,
    NewsKind.DEADLINE: Fact(
        (*_IS_TURN.made_by, _UPDATE.format(table="games", change=f"deadline = '{STARTS_AT}'")),
        (
            *_IS_TURN.ended_by,
            _UPDATE.format(table="games", change="deadline = deadline + interval '1 day'"),
        ),
        {**_IS_TURN.data, "deadline": STARTS_AT},
    ),
    NewsKind.TAKEBACK: Fact(
        (_GAME, _UPDATE.format(table="games", change="takeback = 'black'")),
        (
            _UPDATE.format(table="games", change="takeback = NULL"),
            _UPDATE.format(table="games", change="status = 'finished', ended_at = now()"),
        ),
        {**_AS_GAME, "moves": [[1, "c4", False]]},
    ),
    NewsKind.CHALLENGE: Fact(
        (_CHALLENGE,),
        tuple(
            _UPDATE.format(table="challenges", change=f"status = '{status}'")
            for status in ("accepted", "declined", "cancelled", "expired")
        ),
        _AS_GAME,
    ),
    NewsKind.LADDER_CHALLENGE: Fact(
        (_LADDER_CHALLENGE,),
        (
            _UPDATE.format(table="ladder_challenges", change="outcome = 'withdrawn', ended_at = now()"),
            _UPDATE.format(table="ladder_challenges", change="game_id = id"),
        ),
        _AS_GAME,
    ),
    NewsKind.MESSAGE: Fact(
        (_THREAD,),
        ("UPDATE message_threads SET unread = 0 WHERE account_id = {account} AND other_id = {actor}",),
        {},
    ),
    NewsKind.SHARED_BOARD: Fact((_STUDY,), ("DELETE FROM studies WHERE id = '{subject}'",), _AS_GAME),
    NewsKind.EXPORT_READY: Fact((_EXPORT,), ("DELETE FROM exports WHERE id = '{subject}'",), {}),
    NewsKind.TEAM_REQUEST: Fact(
        (_TEAM, _ASKING),
        (
            "DELETE FROM team_requests WHERE team_id = '{subject}'",
            "UPDATE team_requests SET refused_at = now() WHERE team_id = '{subject}'",
        ),
        {"name": "Finches"},
    ),
    NewsKind.TEAM_JOINED: _IS_MEMBER,
    NewsKind.TEAM_ROLE: _IS_MEMBER,
    NewsKind.TEAM_REMOVED: Fact(
        (_TEAM, _REFUSED),
        (_LEAVES.format(table="team_requests", column="team_id"),),
        {"name": "Finches", "change": "removed"},
    ),
    NewsKind.RECORD_BEATEN: Fact(
        (_RECORD,),
        ("DELETE FROM nugget_record_changes WHERE entry_id = '{subject}'",),
        {"kind": "board", "boards": 7, "before": 20, "after": 19, "others": 0},
    ),
    NewsKind.ACHIEVEMENT: Fact(
        (_AWARD,),
        ("DELETE FROM awards WHERE account_id = {account} AND achievement = '{subject}'",),
        {"achievement": Achievement.HIJACK},
    ),
    NewsKind.PLACE_LOST: Fact(
        (_PLACES,),
        (
            "DELETE FROM nugget_standings WHERE ranking = '{subject}' AND account_id = {actor}",
            "UPDATE nugget_standings SET mean_key = 0 WHERE ranking = '{subject}' AND account_id = {account}",
            _CLOSES,
        ),
        {"name": "Golden Nugget", "page": "/leaderboards/golden_nugget"},
    ),
    NewsKind.COMMITMENT_EXPIRES: Fact(
        (_COMMITMENT,),
        (_REVEALED,),
        {"expires_at": STARTS_AT},
    ),
    NewsKind.TOURNAMENT_SOON: _coming("", _MOVES),
    NewsKind.TOURNAMENT_CHANGED: _coming("terms"),
    NewsKind.TOURNAMENT_MOVED: _coming("start", _MOVES),
}
"""The facts behind the kinds that may cease to be true."""

SOLO_PLACE_LOST = Fact(
    (_SCORES,),
    (
        "UPDATE scores SET is_best = false WHERE game || ':5' = '{subject}' AND account_id = {actor}",
        "UPDATE scores SET points = 21 WHERE game || ':5' = '{subject}' AND account_id = {account}",
        _CLOSES,
    ),
    {"name": "Up And Up 5×5", "page": "/scores/up_and_up/5"},
    rest=":5",
)
"""The fact behind a lost place in a ranking of scores; that of FACTS is in Golden Nugget."""

FOR_GOOD = {
    NewsKind.CHALLENGE_ACCEPTED: _AS_GAME,  # the game stays
    NewsKind.CHALLENGE_DECLINED: _AS_GAME,  # the challenge stays declined
    NewsKind.GAME_FINISHED: {**_AS_GAME, "result": "won"},  # the game stays finished
    NewsKind.MODERATION: {},  # the log of moderation stays
    # Whoever had no opponent in a round stays without.
    NewsKind.LEFT_OUT: {**_AS_GAME, "place": "ladders", "reason": next(iter(Ineligibility))},
    NewsKind.LADDER_PLACE: {**_AS_GAME, "change": "won"},  # it tells what happened; others move the place on
    NewsKind.SECURITY: {"change": next(iter(Change))},  # it tells what happened, also if it was undone
    NewsKind.TOURNAMENT_CANCELLED: {"name": "A cup"},  # nobody starts it again
    NewsKind.COMPETITION_ENDED: {"name": "A cup"},  # nobody opens it again
    NewsKind.COMPETITION_CANCELLED: {"name": "A cup"},  # nobody opens it again
    NewsKind.TEAM_CLOSED: {"name": "Finches"},  # nobody opens it again
    NewsKind.REPORT_CLOSED: {"result": "acted"},  # the report stays closed
}
"""Data of the kinds that stay true, each with the reason."""


def true_news(database_url, kind, account_id, actor_id, fact=None):
    """Return a notification of a kind, or of a fact of this kind, that is true from now on."""
    subject = secrets.token_hex(5)
    fact = fact or FACTS.get(kind)
    if fact is None:
        return News(account_id, kind, subject, actor_id, FOR_GOOD[kind])
    for statement in fact.made_by:
        execute(database_url, statement.format(subject=subject, account=account_id, actor=actor_id))
    data = {**fact.data, "team": subject} if kind is NewsKind.TEAM_REQUEST else fact.data
    return News(account_id, kind, subject + fact.rest, actor_id, data)


def tell(database_url, *news):
    """Notify accounts."""

    async def add(database):
        async with database.transaction() as session:
            await notify(session, *news)

    on_database(database_url, add)


def end(database_url, news, statement):
    """Make a notification untrue by a statement of its fact."""
    execute(
        database_url,
        statement.format(subject=news.subject, account=news.account_id, actor=news.actor_id),
    )
