"""Which notifications come by which channel, as programs choose it."""

from tests.support.answers import code


def test_switches_are_on_until_they_are_set_and_the_others_stay(program, other):
    mail = dict.fromkeys(("my_turn", "deadline", "challenge", "ladder_challenge", "tournament_soon"), "on")
    push = {**mail, "message": "on"}
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
