"""Golden Nugget in the browser: mouse, keys, a killed server, a row in the ranking."""

import re

import pytest
from playwright.sync_api import expect

from engine.golden_nugget.board import START, IllegalPush, push, pushes
from tests.support.nugget import SAMPLE, hide_boards, new_record, sample_moves
from tests.support.players import PASSWORD, Program, Visitor, fresh_name
from tests.support.server import start_server
from tests.support.waiting import wait_until

pytestmark = pytest.mark.browser


def begin(page):
    page.goto("/nugget")
    page.click("form[action='/nugget/runs'] button")
    page.wait_for_url("**/nugget/runs/*")
    return page.url


def after(*forces):
    board = START
    for force in forces:
        board, _ = push(board, force)
    return board


def assert_lies(page, board):
    """Check the place of every tile and the state of every force against the engine."""
    tiles = page.eval_on_selector_all(
        "#play .tile", "all => all.map(tile => [Number(tile.id.slice(6)), tile.className.split(' ')])"
    )
    cells = {block: cell for cell, block in enumerate(board.cells)}
    assert {block: (classes[1], classes[2]) for block, classes in tiles} == {
        block: (f"tile-x{cell % 7}", f"tile-y{cell // 7}") for block, cell in cells.items()
    }
    stuck = page.eval_on_selector_all(
        "#play .force[aria-disabled=true]", "all => all.map(force => force.value)"
    )
    assert set(stuck) == {force for force, result in pushes(board).items() if isinstance(result, IllegalPush)}


def wait_for_moves(page, count):
    expect(page.locator(".play-moves .play-move:not(.play-move-undone)")).to_have_count(count)


def wait_until_saved(page):
    """Wait until the page may be left without a warning."""
    wait_until(lambda: page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))"))


def test_a_board_is_played_by_mouse(sit_down):
    page = sit_down()
    begin(page)
    assert_lies(page, START)
    for count, force in enumerate("P5L", 1):
        page.click(f"#force-{force}")
        wait_for_moves(page, count)
        assert_lies(page, after(*"P5L"[:count]))
    page.get_by_role("button", name="Undo").click()
    wait_for_moves(page, 2)
    assert_lies(page, after("P", "5"))
    page.get_by_role("button", name="Redo").click()
    wait_for_moves(page, 3)
    page.click("[aria-label^='To move 1,']")
    wait_for_moves(page, 1)
    page.get_by_role("button", name="Back to the start").click()
    wait_for_moves(page, 0)
    expect(page.locator("[value=start][aria-disabled]")).to_be_focused()


def test_a_force_that_cannot_push_says_why(sit_down):
    page = sit_down()
    begin(page)
    forces = "P5LABCDEFG"
    page.keyboard.type(forces)
    wait_for_moves(page, len(forces))
    board = after(*forces)
    assert_lies(page, board)
    stuck = next(force for force, result in pushes(board).items() if isinstance(result, IllegalPush))
    page.click(f"#force-{stuck}", force=True)
    expect(page.locator("#notice")).to_contain_text(f"orce {stuck}")
    assert_lies(page, board)


def test_fast_keys_are_not_lost_and_solve_board_1(sit_down):
    page = sit_down()
    run = begin(page)
    first, second = sample_moves()[:2]
    page.keyboard.type("".join(move[0].lower() for move in first))
    wait_for_moves(page, len(first))
    expect(page.locator(".play-state")).to_contain_text(f"Solved in {len(first)}")
    page.keyboard.press("Enter")
    expect(page.locator(".play-number")).to_contain_text("Board 2")
    expect(page.locator("#boards-so-far tbody tr")).to_have_text(re.compile(rf"1\s+{len(first)}\s+Replay"))
    page.keyboard.type("".join(move[0] for move in second[:5]))
    for _ in range(2):
        page.keyboard.press("Backspace")
    page.keyboard.press("Shift+Backspace")
    wait_until_saved(page)
    page.goto(run)
    wait_for_moves(page, 4)
    page.click("a:has-text('Replay')")
    expect(page.locator(".play-number")).to_contain_text(f"move 0 of {len(first)}")
    page.wait_for_load_state()  # scripts handle the keys
    page.keyboard.press("ArrowRight")
    expect(page.locator(".play-number")).to_contain_text("move 1 of")
    page.focus("[rel=prev]")
    page.keyboard.press("Enter")
    expect(page.locator(".play-number")).to_contain_text("move 0 of")
    expect(page.locator("#replay-prev")).to_be_focused()
    page.evaluate("for (let i = 0; i < 3; i++) document.querySelector('[rel=next]').click()")
    expect(page.locator(".play-number")).to_contain_text("move 3 of")
    page.goto("/learn")
    page.go_back()  # to the page, not to the part of it that was loaded last
    expect(page.locator(".header")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator(".play-number")).to_contain_text("move 0 of")
    play, speed = (page.locator(each).bounding_box() for each in ("#replay-play", "label:has(#replay-speed)"))
    assert speed["x"] >= play["x"] + play["width"] + 8
    page.select_option("#replay-speed", "300")
    page.click("#replay-play")
    expect(page.locator(".play-number")).to_contain_text(re.compile(r"move ([4-9]|\d\d) of"))
    # At the end, it begins again, however early the click and however late the answer.
    page.evaluate("""
        () => document.addEventListener("htmx-after-swap", () => {
            const { at, moves } = document.getElementById("nugget-replay").dataset;
            if (at === moves) document.getElementById("replay-play").click();
        })
    """)
    held = []

    def hold(route):
        held.append(route)

    page.route("**/boards/1?move=0", hold)
    with page.expect_request("**/boards/1?move=0"):
        page.keyboard.press("End")
    page.wait_for_timeout(700)
    with page.expect_request("**/boards/1?move=1"):
        held.pop().continue_()


def test_blocks_turn_at_once_if_the_player_wants_it(sit_down):
    page = sit_down()
    run = begin(page)
    other_tab = page.context.new_page()
    other_tab.goto(run)
    page.check("#turn-at-once", force=True)
    page.keyboard.type("".join(move[0] for move in sample_moves()[0]))
    for tab in (page, other_tab):
        expect(tab.locator(".play-number")).to_contain_text("Board 2")
        expect(tab.locator("#boards-so-far tbody tr")).to_have_count(1)


def test_a_board_is_played_without_https(sit_down):
    page = sit_down()
    page.add_init_script("delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle")
    begin(page)
    page.keyboard.type("P5")
    wait_for_moves(page, 2)


def test_an_answer_that_is_late_does_not_replace_the_board(sit_down):
    page = sit_down()
    begin(page)
    before = page.eval_on_selector("#play", "play => play.outerHTML")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/hint", hold)
    page.click("summary:has-text('Hint')")
    page.click("button:has-text('Show a hint')")
    page.keyboard.type("P")
    wait_for_moves(page, 1)
    partials = (("#play", "outerMorph", before), ("#notice", "innerHTML", "<p>Late</p>"))
    late = "".join(
        f'<hx-partial hx-target="{target}" hx-swap="{swap}">{html}</hx-partial>'
        for target, swap, html in partials
    )
    held.pop().fulfill(body=late, content_type="text/html")
    expect(page.locator("#notice")).to_have_text("Late")
    wait_for_moves(page, 1)


def test_a_server_killed_in_the_middle_loses_nothing(sit_down, database_url):
    server = start_server(database_url)
    page = sit_down(base_url=server.url)
    begin(page)
    page.keyboard.type("P5")
    wait_for_moves(page, 2)
    server.kill()
    page.keyboard.type("La")
    expect(page.locator("#connection")).to_be_visible()
    again = start_server(database_url, port=server.port)
    try:
        wait_for_moves(page, 4)
        expect(page.locator("#connection")).to_be_hidden()
        assert_lies(page, after("P", "5", "L", "A"))
    finally:
        again.stop()


def test_a_submitted_record_shows_in_another_browsers_ranking(sit_down, tmp_path, server, database_url):
    hide_boards(database_url)
    reader = sit_down()
    reader.goto("/leaderboards/golden_nugget")
    name = fresh_name()
    page = sit_down(visitor=Visitor(server).register(name))
    page.goto("/nugget/submit")
    record = tmp_path / "record.txt"
    record.write_text(
        "".join(
            f"board {number}: {' '.join(moves)}\n" for number, moves in enumerate(new_record(detours=1), 1)
        )
    )
    page.set_input_files("#file", record)
    page.click("button[value=check]")
    expect(page.locator("#verdict-title")).to_have_text("Valid record")
    expect(page.locator("#verdict-title")).to_be_in_viewport()
    page.click("text=Submit these 20 boards")
    page.wait_for_url("**/nugget/entries/*")
    expect(reader.locator("#ranking")).to_contain_text(name)
    page.goto("/leaderboards/golden_nugget")
    expect(page.locator("tr.data-table-own")).to_contain_text(name)


def test_a_run_is_submitted_from_its_page(sit_down, server):
    program = Program(server)
    run = program.http.post("/nugget/runs", json={"name": "Long one"}).json()
    boards = new_record(detours=2)
    for number, moves in enumerate(boards):
        body = {
            "commands": [*(move[0] for move in moves), "turn"],
            "version": number,
            "request_id": f"00000000-0000-4000-8000-{number:012}",
        }
        answer = program.http.post(f"/nugget/runs/{run['id']}/commands", json=body)
        assert answer.json()["refused"] is None
    page = sit_down()
    page.goto("/login")
    page.fill("[name=username]", program.username)
    page.fill("[name=password]", PASSWORD)
    page.click("form[action='/login'] button")
    page.goto(f"/nugget/runs/{run['id']}")
    expect(page.locator("select[name=boards]")).to_have_value("20")
    page.locator("#play .force:not([aria-disabled=true])").first.click()  # a newer version
    wait_for_moves(page, 1)
    page.click("#submit-run button")
    page.wait_for_url("**/nugget/entries/*")
    assert f"{sum(map(len, boards)) / 20:.2f}" in page.inner_text(".facts")


def test_a_visitor_can_check_the_sample(sit_down):
    page = sit_down()
    page.goto("/nugget/submit")
    page.fill("#record", "1: P5 L6")
    page.click("button[value=check]")
    expect(page.locator("#verdict-title")).not_to_have_text("Valid record")
    expect(page.locator("#record")).to_have_value("1: P5 L6")
    picture = {"name": "record.png", "mimeType": "image/png", "buffer": b"\x89PNG\0"}
    page.set_input_files("#file", picture)
    page.click("button[value=check]")
    expect(page.locator("#record")).to_be_empty()
    page.fill("#record", SAMPLE.read_text())
    page.click("button[value=check]")
    expect(page.locator("#verdict-title")).to_have_text("Valid record")
