"""Which notifications come by which channel, as programs choose it."""

from app.people.inbox.kinds import Channel, kinds_of
from tests.support.answers import code


def test_switches_are_on_until_they_are_set_and_the_others_stay(program, other):
    mail, push = (dict.fromkeys(kinds_of(channel), "on") for channel in Channel)
    everything = {"email": mail, "push": push}
    assert program.http.get("/me/notifications").json() == everything
    expected = mail
    for changes in ({"my_turn": "daily"}, {"challenge": "off"}, {"my_turn": "off"}):
        expected = expected | changes
        answer = program.http.put("/me/notifications", json={"email": changes})
        assert answer.json() == program.http.get("/me/notifications").json()
        assert answer.json() == {"email": expected, "push": push}
    answer = program.http.put("/me/notifications", json={"push": {"message": "off"}})
    assert answer.json() == {"email": expected, "push": {**push, "message": "off"}}
    assert other.http.get("/me/notifications").json() == everything


def test_switches_that_do_not_exist_are_refused(program):
    for body in ({"email": {"challenge": "daily"}}, {"push": {"my_turn": "daily"}}, {"pigeon": {}}):
        answer = program.http.put("/me/notifications", json=body)
        assert code(answer) == (422, "invalid_request"), body
