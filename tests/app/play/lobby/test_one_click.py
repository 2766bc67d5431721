"""Pairing by one click takes what is really offered, and tries nothing twice."""

import asyncio

from app.people.identity.models import Account
from app.people.identity.service import identity_of
from app.play.lobby.challenges import ChallengeTerms
from app.play.lobby.decisions import closed_error
from app.play.lobby.service import Lobby
from engine.clock import Realtime
from tests.support.answers import code
from tests.support.database import execute
from tests.support.games import BLITZ, post
from tests.support.players import Program, fresh_name
from tests.support.waiting import WITHIN, wait_until
from tests.support.web_processes import web_processes


def ids(program):
    return {challenge["id"] for challenge in program.http.get("/challenges").json()}


def test_a_closed_account_offers_nothing(server, database_url, program, other):
    terms = {"game": "jadejack", "options": {"size": 13}, "time_control": {**BLITZ, "increment": 8}}
    left = post(program, "/challenges/pair", **terms).json()["challenge_id"]
    direct = program.challenge(opponent=other.username).json()["id"]
    assert {left, direct} <= ids(other)
    # Its challenges are withdrawn a moment later.
    execute(database_url, "UPDATE accounts SET closed_at = now() WHERE username = $1", program.username)
    Program(server).challenge()  # the lobby is read again
    wait_until(lambda: not ids(other) & {left, direct})
    assert code(post(other, f"/challenges/{left}/accept")) == (409, "challenge_closed")
    waiting = post(other, "/challenges/pair", **terms).json()
    assert waiting["game_id"] is None
    assert waiting["challenge_id"] != left


async def test_each_challenge_is_tried_once(database_url, monkeypatch):
    tried = []

    async def refuse(challenge_id, _identity):
        tried.append(challenge_id)
        raise closed_error()

    async with web_processes(database_url, 1) as [process]:
        lobby = process.parts.get(Lobby)
        monkeypatch.setattr(lobby, "accept", refuse)
        async with process.database.transaction() as session:
            people = [Account(username=fresh_name(), password_hash="none") for _ in range(4)]
            session.add_all(people)
        *makers, joining = (identity_of(each) for each in people)
        terms = ChallengeTerms("jadejack", {"size": 12}, control=Realtime(300, 9))
        offered = [(await lobby.make(maker, terms, "open")).id for maker in makers]
        challenge, game_id = await asyncio.wait_for(lobby.pair(joining, terms), WITHIN)
    assert tried == offered
    assert game_id is None
    assert challenge.maker.id == joining.id
