"""The pictures of the documentation, taken in a real browser: `python -m tests.support.pictures`."""

import base64
import uuid

from playwright.sync_api import sync_playwright

from app.core.settings import ROOT
from engine.registry import FOR_TWO
from engine.search.computer import choose
from tests.browser import chromium
from tests.support.nugget import sample_moves
from tests.support.players import Match, Visitor
from tests.support.server import site_of_its_own

FOLDER = ROOT / "docs" / "images"
DESK = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
LEVEL, PLIES, SIZE = 5, 33, 10
CLOCK = {"kind": "realtime", "limit": 600, "increment": 5}
_SETTLED = 2000  # milliseconds: sockets have answered, and nothing moves


def _moves(rules):
    """Return the moves of a game of the computer against itself."""
    position, moves = rules.initial({"size": SIZE}), []
    for ply in range(PLIES):
        moves.append(choose(rules, position, level=LEVEL, seed=ply).move)
        position = rules.play(position, moves[-1])
    return moves


def _run(program):
    """Begin a run of Golden Nugget, solve a board and half of the next one, and return its path."""
    run = program.http.post("/nugget/runs", json={"name": "First run"}).json()
    first, second = ([move[0] for move in moves] for moves in sample_moves()[:2])
    commands = [*first, "turn", *second[: len(second) // 2]]
    path = f"/nugget/runs/{run['id']}"
    body = {"commands": commands, "version": run["version"], "request_id": str(uuid.uuid4())}
    answer = program.http.post(f"{path}/commands", json=body)
    assert answer.status_code == 200, answer.text
    return path


def _take(browser, reader, path, name, viewport):
    """Take a picture of a page as a player sees it."""
    context = browser.new_context(base_url=reader.server.url, viewport=viewport)
    cookies = Visitor(reader.server).log_in(reader.username).http.cookies.jar
    context.add_cookies(
        [{"name": each.name, "value": each.value, "url": reader.server.url} for each in cookies]
    )
    page = context.new_page()
    page.goto(path)
    page.wait_for_timeout(_SETTLED)
    picture = context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 82})
    (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(picture["data"]))
    context.close()


def main():
    """Fill a server, and take the pictures of its pages."""
    with site_of_its_own() as server:
        match = Match(server, SIZE, ("heron", "finch"), time_control=CLOCK)
        match.play(*_moves(FOR_TWO["jadejack"]))
        game, run = f"/games/{match.id}", _run(match.white)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.executable())
            _take(browser, match.white, game, "game", DESK)
            _take(browser, match.white, game, "game-phone", PHONE)
            _take(browser, match.white, run, "nugget", DESK)
            browser.close()


if __name__ == "__main__":
    main()
