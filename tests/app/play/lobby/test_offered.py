"""Pages offer those challenges that would be accepted."""

import html
import re

from tests.support.database import execute
from tests.support.players import Program, Visitor
from tests.support.waiting import WITHIN


def test_the_list_of_alerts_says_why_a_challenge_cannot_be_accepted(server):
    maker, reader = Program(server), Visitor(server).register()
    execute(
        server.database_url,
        "INSERT INTO ratings (account_id, game, rating, deviation, volatility, games, opponents)"
        " SELECT id, 'jadejack', 1400, 60, 0.06, 20, 10 FROM accounts WHERE username = $1",
        reader.username,
    )
    ids = []
    for least in (1300, 1450):
        made = maker.challenge(opponent=reader.username, rating_min=least, rating_max=1600)
        assert made.status_code == 201, made.text
        ids.append(made.json()["id"])
    with reader.live("/account/live") as alerts:
        while "challenges you" not in (shown := alerts.recv(WITHIN)):
            pass
    assert [f"/challenges/{each}/accept" in shown for each in ids] == [True, False]
    assert [reader.http.post(f"/challenges/{each}/accept").status_code for each in ids[::-1]] == [403, 200]


def test_a_challenge_to_a_computer_proposes_a_casual_game(server):
    reader = Visitor(server).register()
    profile = reader.http.get("/players/Gorrion-1").text
    assert "/messages/Gorrion-1" not in profile
    path = html.unescape(re.search(r'href="(/lobby\?opponent=[^"#]+)#challenge-form"', profile)[1])
    form = reader.http.get(path).text
    assert re.search(r'name="rated" value=""\s*checked', form)
    assert re.search(r'name="rated" value="yes"\s*checked', reader.http.get("/lobby").text)
