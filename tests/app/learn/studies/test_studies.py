"""Studies: saved, changed, shown to those who may see them, and kept from help in rated games."""

import re
import threading
from urllib.parse import urlencode

import pytest

from app.learn.studies import api
from app.learn.studies.analysis import Edit, key_after
from app.learn.studies.service import Studies
from app.people.identity import service as identities
from app.people.identity.devices import Person
from app.people.identity.models import Account
from engine.variations import Tree
from tests.support.answers import assert_problem, code
from tests.support.database import execute, fetch
from tests.support.forms import sent_by
from tests.support.games import move_once_each, rated_game
from tests.support.players import PASSWORD, Match, Program, Visitor, fresh_name
from tests.support.web_processes import web_processes

TREE = "c4! {Solid.} g6 (f6? {Too near.} d4) d4"
STUDY = {"game": "jadejack", "title": "Corners", "visibility": "link", "options": {"size": 9}, "tree": TREE}


def note_of(page, path):
    """Return what the form of a comment sends if nothing is changed in it."""
    return {**sent_by(page, path, kind="analysis-note"), "edit": "annotate"}


def save(program, **members):
    answer = program.http.post("/studies", json={**STUDY, **members})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_study_is_saved_read_replaced_and_deleted(program, other):
    made = save(program)
    assert made["tree"] == TREE
    assert (made["author"], made["options"], made["version"]) == (program.username, {"size": 9}, 1)
    assert other.http.get(f"/studies/{made['id']}").json() == made
    assert_problem(other.http.put(f"/studies/{made['id']}", json=STUDY), 403, "not_your_study")
    changed = {**STUDY, "title": "Edges", "tree": "a1 {It is dark.}", "version": 1}
    replaced = program.http.put(f"/studies/{made['id']}", json=changed).json()
    assert (replaced["title"], replaced["tree"], replaced["version"]) == ("Edges", "a1 {It is dark.}", 2)
    assert_problem(program.http.put(f"/studies/{made['id']}", json=changed), 409, "stale_version")
    assert program.http.delete(f"/studies/{made['id']}").status_code == 204
    assert_problem(program.http.get(f"/studies/{made['id']}"), 404, "not_found")


def test_who_sees_a_study(server, program, other):
    private, by_link, public = (
        save(program, visibility=visibility, title=visibility)["id"]
        for visibility in ("private", "link", "public")
    )
    assert_problem(other.http.get(f"/studies/{private}"), 404, "not_found")
    visitor = Visitor(server)
    assert visitor.http.get(f"/studies/{private}").status_code == 404
    assert visitor.http.get(f"/studies/{private}/record.txt").status_code == 404
    assert "Too near." in visitor.http.get(f"/studies/{by_link}").text
    listed = {study["id"] for study in other.http.get("/studies").json()["studies"]}
    assert public in listed
    assert not listed & {private, by_link}
    assert visitor.http.get("/api/v1/studies?of=me").status_code == 401
    own = {study["id"] for study in program.http.get("/studies?of=me").json()["studies"]}
    assert {private, by_link, public} <= own
    for name in ("number", "page"):
        pages = [program.http.get(f"/studies?of=me&{name}={n}").json()["studies"] for n in (1, 2)]
        assert [{study["id"] for study in page} for page in pages] == [own, set()]
    cards = visitor.http.get("/studies").text.split("<article")
    (card,) = [each for each in cards if f"/studies/{public}" in each]
    assert 'data-filled="3"' in card  # the end of its main line


def test_no_list_for_everybody_has_a_study_of_a_closed_account(server):
    author, reader = Program(server), Visitor(server)
    study = save(author, visibility="public", title="public")["id"]

    def lists_with_it():
        lists = ("/api/v1/studies", "/studies", "/sitemaps/studies.xml")
        return [path for path in lists if study in reader.http.get(path).text]

    assert len(lists_with_it()) == 3
    assert author.http.post("/me/close", json={"password": PASSWORD}).status_code == 204
    assert lists_with_it() == []
    assert reader.http.get(f"/studies/{study}").status_code == 200


@pytest.mark.parametrize(
    ("members", "status", "expected"),
    [
        ({"game": "chess"}, 404, "not_found"),
        ({"options": {"size": 99}}, 422, "bad_options"),
        ({"position": "8/8 w 0"}, 422, "bad_position"),
        ({"tree": "c4 (g6"}, 422, "bad_moves"),
        ({"tree": "c4 c4"}, 422, "bad_moves"),
        ({"tree": " ".join(["c4", "pass"] * 1_001)}, 422, "too_many_moves"),
    ],
)
def test_what_is_no_study_is_refused(program, members, status, expected):
    assert code(program.http.post("/studies", json={**STUDY, **members})) == (status, expected)


def test_a_study_begins_at_a_position_and_survives_export_and_import(server, program):
    position = "8/8/8/3w4/8/2b5/8/8 w 0"
    made = save(program, position=position, options={}, tree="e5 (d4!? {Near \\} it.}) pass")
    assert made["options"] == {"size": 8}
    visitor = Visitor(server)
    record = visitor.http.get(f"/studies/{made['id']}/record.txt").text
    assert f'[Position "{position}"]' in record
    opened = visitor.http.post("/analysis", data={"record": record})
    assert opened.url.path == "/analysis/jadejack"
    assert opened.url.params["moves"] == made["tree"]
    assert opened.url.params["position"] == position
    checked = program.http.post("/records/check", json={"record": record})
    assert checked.json()["moves"] == ["e5", "pass"]


def test_a_study_is_edited_by_forms_and_its_author_alone(server):
    author = Visitor(server).register()
    form = {"game": "jadejack", "size": "9", "moves": "c4 g6", "title": "Mine", "visibility": "link"}
    page = author.http.post("/studies", data=form)
    path = page.url.path

    def key(move):
        found = re.search(
            rf'name="at" value="(\w+)" class="analysis-move[^>]*>(<i>\d+\.</i> )?{move}', page.text
        )
        return found[1]

    page = author.http.post(path, data={"at": key("c4"), "move": "f6"})
    page = author.http.post(
        path, data={"at": page.url.params["at"], "edit": "annotate", "symbol": "!", "comment": "Near."}
    )
    record = f"{path}/record.txt"
    assert "1. c4 g6 (f6! {Near.})" in author.http.get(record).text
    page = author.http.post(path, data={"at": key("f6"), "edit": "promote"})
    assert "1. c4 f6! {Near.} (g6)" in author.http.get(record).text
    page = author.http.post(path, data={"at": key("g6"), "edit": "delete"})
    assert "1. c4 f6! {Near.}\n" in author.http.get(record).text
    assert author.http.post(path, data={"at": "0123456789", "move": "a1"}).status_code == 422
    assert author.http.post(path, data={"at": "0", "move": "e5"}).status_code == 422
    stranger = Visitor(server).register()
    assert stranger.http.post(path, data={"at": "0", "move": "b2"}).status_code == 403
    assert (
        stranger.http.post(f"{path}/settings", data={"title": "X", "visibility": "public"}).status_code == 403
    )
    assert 'action="/analysis/jadejack"' in stranger.http.get(path).text
    settings = sent_by(author.http.get(path).text, f"{path}/settings")
    author.http.post(f"{path}/settings", data={**settings, "title": "Hidden", "visibility": "private"})
    assert stranger.http.get(path).status_code == 404
    assert author.http.post(f"{path}/delete").url.path == "/studies/mine"
    assert author.http.get(path).status_code == 404


MADE = {"game": "jadejack", "size": "9", "moves": "c4! {Solid.} g6", "title": "Mine", "visibility": "public"}
C4 = key_after(["c4"])
CHANGES_NOTHING = {
    "": [
        {"at": C4},
        {"at": "0", "move": "c4"},
        {"at": C4, "edit": "promote"},
        {"at": C4, "edit": "annotate", "symbol": "!", "comment": "Solid."},
    ],
    "/settings": [{"title": "Mine", "visibility": "public"}],
}


def version_of(database_url, path):
    return fetch(database_url, "SELECT version, updated_at FROM studies WHERE id = $1", path.split("/")[2])


def test_what_changes_nothing_leaves_the_version_of_a_study_and_its_place_in_lists(server, database_url):
    author = Visitor(server).register()
    path = author.http.post("/studies", data=MADE).url.path
    before = version_of(database_url, path)
    for to, forms in CHANGES_NOTHING.items():
        for form in forms:
            assert author.http.post(path + to, data=form).status_code == 200
            assert version_of(database_url, path) == before, form
    assert author.http.post(path, data={"at": "0", "move": "c4"}).url.params["at"] == C4
    author.http.post(path, data={"at": "0", "move": "d4"})
    assert version_of(database_url, path)["version"] == 2


def test_a_study_that_is_replaced_by_itself_keeps_its_version(program):
    made = save(program)
    assert program.http.put(f"/studies/{made['id']}", json={**STUDY, "version": 1}).json() == made


@pytest.mark.parametrize(("more", "status"), [("", 200), ("x", 422)])
def test_a_comment_has_the_length_that_its_author_sees(server, more, status):
    author = Visitor(server).register()
    page = author.http.post("/studies", data={"game": "jadejack", "moves": "c4", "title": "Mine"})
    comment = "\r\n".join(["x" * 99] * 10) + "x" + more  # 1,000 characters: an end of line is one
    sent = {"at": "0", "edit": "annotate", "comment": comment}
    assert author.http.post(page.url.path, data=sent).status_code == status


TABS = [
    # What the first tab changes, what the second does, and what is left, or the status if it is refused.
    ("/settings", {"visibility": "private"}, {"title": "B"}, ("B", "private", "Solid.", "")),
    ("/settings", {"title": "A"}, {"visibility": "link"}, ("A", "link", "Solid.", "")),
    ("/settings", {"title": "A"}, {"title": "A"}, ("A", "public", "Solid.", "")),
    ("/settings", {"title": "A"}, {"title": "B"}, 409),
    ("/settings", {"visibility": "private"}, {"visibility": "link"}, 409),
    ("", {"comment": "Near."}, {"symbol": "!"}, ("Mine", "public", "Near.", "!")),
    ("", {"symbol": "!"}, {"comment": ""}, ("Mine", "public", "", "!")),
    ("", {"comment": "Near."}, {"comment": "Far."}, 409),
    ("", {"symbol": "!"}, {"symbol": "?"}, 409),
]


@pytest.mark.parametrize(("to", "first", "second", "left"), TABS)
def test_a_form_undoes_nothing_that_was_changed_since_it_was_drawn(server, to, first, second, left):
    author = Visitor(server).register()
    path = author.http.post("/studies", data={**MADE, "moves": "c4 {Solid.}"}).url.path
    page = author.http.get(path, params={"at": C4}).text
    drawn = sent_by(page, path + to) if to else note_of(page, path)
    author.http.post(path + to, data={**drawn, **first})
    answer = author.http.post(path + to, data={**drawn, **second})
    if left == 409:
        assert answer.status_code == 409
        second, left = first, None
    page = author.http.get(path, params={"at": C4}).text
    now = {**note_of(page, path), **sent_by(page, f"{path}/settings")}
    assert {name: now[name] for name in second} == second
    assert left in (None, tuple(now[name] for name in ("title", "visibility", "comment", "symbol")))


LONG = "x" * 1_001


def test_what_was_written_before_comments_had_a_limit_can_be_read_and_changed(server, program, database_url):
    made = save(program)
    tree = f"c4 {{{LONG}}} g6"
    execute(database_url, "UPDATE studies SET moves = $1 WHERE id = $2", tree, made["id"])
    assert program.http.get(f"/studies/{made['id']}").json()["tree"] == tree
    author = Visitor(server)
    author.log_in(program.username)
    address = f"/analysis/jadejack?{urlencode({'size': 9, 'moves': tree})}"
    assert author.http.get(address).status_code == 200
    path = f"/studies/{made['id']}"
    form = note_of(author.http.get(path, params={"at": C4}).text, path)
    assert author.http.post(path, data={**form, "symbol": "!"}).status_code == 200
    assert program.http.get(f"/studies/{made['id']}").json()["tree"] == tree.replace("c4", "c4!")


def test_no_way_in_takes_a_comment_that_is_too_long(server, program):
    tree = f"c4 {{{LONG}}}"
    made, author = save(program), Visitor(server).register()
    for answer in (
        program.http.post("/studies", json={**STUDY, "tree": tree}),
        program.http.put(f"/studies/{made['id']}", json={**STUDY, "tree": tree}),
    ):
        assert_problem(answer, 422, "bad_comment")
    record = f'[Game "jadejack"]\n[Options "size=9"]\n\n{tree}\n'
    for path, form in (("/studies", {**MADE, "moves": tree}), ("/analysis", {"record": record})):
        answer = author.http.post(path, data=form)
        assert (answer.status_code, "at most 1000 characters" in answer.text) == (422, True)


def test_a_page_after_the_last_one_does_not_say_that_there_is_no_study(server, program):
    visitor = Visitor(server).log_in(program.username)
    assert "There is no study yet" in visitor.http.get("/studies/mine").text
    assert program.http.post("/studies", json=STUDY | {"visibility": "public"}).status_code == 201
    for path in ("/studies", "/studies/mine"):
        page = visitor.http.get(f"{path}?number=9000").text
        assert "There is no study yet" not in page
        assert f'href="{path}">First page' in page


def test_a_guest_cannot_save(server):
    guest = Visitor(server)
    guest.http.post("/solitaire", data={"game": "up_and_up"})
    form = {"game": "jadejack", "moves": "c4", "title": "Mine"}
    assert guest.http.post("/studies", data=form).status_code == 403


def test_no_study_leads_through_a_rated_game_of_its_reader(server, program, other):
    made = save(program, tree="c4 f6 d3 (d4)")
    assert other.http.get(f"/studies/{made['id']}").status_code == 200
    reader, opponent = Program(server), Program(server)
    game = rated_game(reader, opponent)
    move_once_each(reader, opponent, game)
    assert_problem(reader.http.get(f"/studies/{made['id']}"), 409, "game_under_way")
    mirrored = save(program, tree="d3 f6")
    assert_problem(reader.http.get(f"/studies/{mirrored['id']}"), 409, "game_under_way")
    assert reader.http.get(f"/studies/{save(program, tree='c4 g7 d4')['id']}").status_code == 200


def test_who_analyses_a_game_for_one_is_told_to_move(visitor):
    page = visitor.http.get("/analysis/up_and_up?size=5&moves=c3").text
    assert '<p class="turn-text">Your turn</p>' in re.sub(r">\s+", ">", page)


def test_both_players_share_a_board_after_the_game(server):
    match = Match(server)
    match.play("c4", "g6", "pass")
    black, white, stranger = (Visitor(server) for _ in range(3))
    for visitor, player in ((black, match.black), (white, match.white)):
        visitor.log_in(player.username)
    stranger.register()
    assert black.http.post(f"/games/{match.id}/together").status_code == 409
    match.play("pass")
    board = black.http.post(f"/games/{match.id}/together")
    link = f'href="{board.url.path}"'
    pages = {visitor: visitor.http.get(f"/games/{match.id}").text for visitor in (black, white, stranger)}
    assert [link in page for page in pages.values()] == [True, True, False]
    assert white.http.post(f"/games/{match.id}/together").url.path == board.url.path
    opened = match.white.http.post(f"/games/{match.id}/together").json()
    assert opened["url"].endswith(f"/studies/{opened['id']}")
    assert opened["url"].endswith(board.url.path)
    both = (match.black, match.white)
    news = [player.http.get("/notifications").json()["notifications"] for player in both]
    assert [sum(each["kind"] == "shared_board" for each in told) for told in news] == [0, 1]
    assert news[1][0]["url"].endswith(board.url.path)
    assert stranger.http.post(f"/games/{match.id}/together").status_code == 403
    moved = white.http.post(board.url.path, data={"at": "0", "move": "d4"})
    assert moved.status_code == 200
    assert "aria-current" in black.http.get(board.url.path).text
    assert "d4" in black.http.get(board.url.path).text
    assert stranger.http.get(board.url.path).status_code == 200
    assert stranger.http.post(board.url.path, data={"at": "0", "move": "e3"}).status_code == 403
    comment = {"at": "0", "edit": "annotate", "comment": "Hello"}
    assert white.http.post(board.url.path, data=comment).status_code == 403


def test_programs_change_studies_and_shared_boards_as_pages_do(server, other):
    match = Match(server)
    match.play("c4", "pass", "pass")
    board = match.black.http.post(f"/games/{match.id}/together").json()["id"]

    def edit(player, status=200, **body):
        answer = player.http.post(f"/studies/{board}/edit", json=body)
        assert answer.status_code == status, answer.text
        return answer.json().get("tree" if status == 200 else "code")

    assert edit(match.white, at=["c4"], move="g6") == "c4 pass (g6) pass"
    assert edit(match.black, at=["c4", "g6"], edit="promote") == "c4 g6 (pass pass)"
    assert edit(match.white, at=["c4", "g6"], edit="annotate", symbol="!") == "c4 g6! (pass pass)"
    assert edit(match.black, at=["c4", "pass"], edit="delete") == "c4 g6!"
    before = match.white.http.get(f"/studies/{board}").json()["version"]
    edit(match.black, at=["c4", "g6"])
    assert match.white.http.get(f"/studies/{board}").json()["version"] == before + 1
    assert edit(match.white, 403, at=["c4"], edit="annotate", comment="Hello") == "no_comments"
    assert edit(match.white, 422, at=["d4"], move="g6") == "no_such_move"
    assert edit(other, 403, at=["c4"], move="d4") == "not_your_study"


async def test_positions_are_built_beside_the_event_loop_and_only_when_needed(database_url, monkeypatch):
    builders, build = [], Tree.positions

    def positions(*arguments):
        builders.append(threading.current_thread())
        return build(*arguments)

    monkeypatch.setattr(Tree, "positions", positions)
    async with web_processes(database_url, 1) as [process]:
        async with process.database.transaction() as session:
            account = Account(username=fresh_name(), password_hash="unused")
            session.add(account)
            await session.flush()
            author = identities.identity_of(account)
        studies = process.parts.get(Studies)
        saved = await api.save_study(api.StudyWanted(**STUDY), author, studies, "")
        assert len(builders) == 1
        assert (await api.get_study(saved.id, None, studies, "")).tree == TREE
        assert len(builders) == 1
        seen = await studies.get(saved.id, author, Person(author.id))
        assert (len(seen.shown.positions), len(builders)) == (6, 2)
        await studies.edit(saved.id, author, Person(author.id), Edit("", "a1"))
        await api.replace_study(saved.id, api.StudyWanted(**STUDY), author, studies, "")
    assert threading.current_thread() not in builders


@pytest.mark.parametrize(
    ("game", "form"),
    [("up_and_up", {"size": "6"}), ("jumping_farther", {"players": "1", "moves": "c3 c5"})],
)
def test_the_computer_evaluates_no_game_for_one(server, program, game, form):
    answer = Visitor(server).http.post(f"/analysis/{game}/evaluation", data=form)
    assert (answer.status_code, "games for two only" in answer.text) == (422, True)
    made = save(program, game=game, players=1, options={}, tree="")
    answer = Visitor(server).http.post(f"/studies/{made['id']}/evaluation")
    assert answer.status_code == 422


@pytest.mark.parametrize("letter", ["ж", "中"])
def test_a_tree_that_a_request_has_no_room_for_is_not_put_into_an_address(server, program, letter):
    moves = ("c4", "g6", "d4", "f6", "d5", "f5")
    tree = " ".join(f"{move} {{{letter * 1000}}}" for move in moves)
    record = f'[Game "jadejack"]\n[Options "size=9"]\n\n{tree}\n'
    answer = Visitor(server).http.post("/analysis", data={"record": record})
    assert (answer.status_code, "too long for an address" in answer.text) == (422, True)
    made = save(program, tree=tree)
    page = Visitor(server).http.get(f"/studies/{made['id']}").text
    form = sent_by(page, "/analysis/jadejack", kind="analysis-board")
    assert Visitor(server).http.get("/analysis/jadejack", params={**form, "move": "e4"}).status_code == 200
