"""Lessons as pages without scripts and by the API, and the progress that is kept."""

from html import unescape

from app.learn.lessons.courses import COURSES
from tests.support.answers import assert_problem
from tests.support.lessons import solution
from tests.support.players import PASSWORD, Visitor, client

COURSE = COURSES["up_and_up"]


def test_a_visitor_passes_a_course_without_scripts_and_keeps_the_progress(server):
    visitor = Visitor(server)
    for step in COURSE.steps:
        page = visitor.http.get("/learn/up_and_up")
        assert page.url.path == f"/learn/up_and_up/{step.key}"
        page = visitor.http.post(page.url.path, data={"move": solution(COURSE, step)})
        assert str(step.done) in unescape(page.text)
    assert "Completed" in visitor.http.get("/learn").text
    visitor.register()
    assert "Completed" in visitor.http.get("/learn").text


def test_a_wrong_try_is_answered_and_a_visitor_who_only_looks_gets_no_account(server):
    visitor = Visitor(server)
    page = visitor.http.post("/learn/jadejack/hijack", data={"move": "a1"})
    assert "Cap the white disk on d5." in page.text
    assert "guest-" not in visitor.http.get("/learn").text


def test_the_pages_are_in_the_language_of_the_reader(server):
    visitor = Visitor(server)
    page = visitor.http.post("/learn/jadejack/closed?lang=de", data={"move": "d5"})
    assert "deine Stärke" in page.text


def test_a_program_reads_a_course_and_passes_a_step(program):
    courses = program.http.get("/lessons").json()["courses"]
    assert [course["game"] for course in courses] == list(COURSES)
    shown = program.http.get("/lessons/up_and_up").json()
    assert [step["step"] for step in shown["steps"]] == [step.key for step in COURSE.steps]
    first, second, *_ = COURSE.steps
    path = f"/lessons/up_and_up/{first.key}"
    refused = program.http.post(path, json={"move": "z9"}).json()
    assert (refused["correct"], refused["next"]) == (False, None)
    answer = program.http.post(path, json={"move": solution(COURSE, first)}).json()
    assert answer == {"correct": True, "text": first.done, "next": second.key}
    shown = program.http.get("/lessons/up_and_up").json()
    assert [step["passed"] for step in shown["steps"]] == [True, *[False] * 5]


def test_a_token_that_only_reads_keeps_no_progress(program):
    key = COURSE.steps[0].key
    token = {"username": program.username, "password": PASSWORD, "name": "reader", "scopes": ["read"]}
    reader = client(base_url=program.http.base_url)
    reader.headers["Authorization"] = f"Bearer {program.http.post('/tokens', json=token).json()['token']}"
    assert reader.post(f"/lessons/up_and_up/{key}", json={"move": solution(COURSE, COURSE.steps[0])}).json()[
        "correct"
    ]
    assert not any(step["passed"] for step in program.http.get("/lessons/up_and_up").json()["steps"])


def test_lessons_need_no_token(server):
    answer = client(base_url=f"{server.url}/api/v1").post("/lessons/jadejack/closed", json={"move": "d5"})
    assert answer.json()["correct"]


def test_there_is_no_such_lesson(program):
    assert program.http.get("/lessons/chess").status_code == 404
    assert_problem(program.http.post("/lessons/jadejack/en-passant", json={"move": "e5"}), 404, "not_found")
