"""Two people are paired, play against the clock, and play a rematch."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.pages import accept, look_away, look_back, offer_game, open_question, wait_for_ply
from tests.support.players import PlayingPage, Visitor, begin_game, fresh_name
from tests.support.waiting import wait_for_event, wait_until

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


def game_id(page):
    return page.url.rsplit("/", 1)[1].split("?")[0]


def play(page, *squares):
    for square in squares:
        page.click(f"#sq-{square} button")


@pytest.fixture
def rated(sit_down, server):
    """Return the pages of Black and White in a rated real-time game, White's on a phone."""
    players = [Visitor(server).register() for _ in range(2)]
    game = begin_game(*players, clock="realtime", rated="yes")
    black, white = sit_down(visitor=players[0]), sit_down(visitor=players[1], viewport=PHONE)
    for page in (black, white):
        page.goto(game)
    return black, white


def test_from_a_challenge_to_a_flag_a_rating_and_a_rematch(sit_down, server, clock):
    black = sit_down(visitor=Visitor(server).register())
    white = sit_down(visitor=Visitor(server).register(), viewport=PHONE)
    url = accept(white, offer_game(black, clock="realtime", rated="yes"))
    black.wait_for_url(url)
    assert black.inner_text(".turn-terms") == "Rated, 10+10"
    expect(black.locator(".seat-white .presence")).to_be_visible()
    play(black, "c4")
    wait_for_ply(white, 1)
    play(white, "g6")
    wait_for_ply(black, 2)
    expect(white.locator(".seat-black .clock-running")).to_be_visible()
    for ply, square in enumerate(("a2", "d2", "b2", "e2", "c2", "g2"), 3):
        mover, other = (black, white) if ply % 2 else (white, black)
        play(mover, square)
        wait_for_ply(other, ply)
    # Black thinks for ten minutes.
    clock.advance(minutes=10, seconds=9)
    for page in (black, white):
        expect(page.locator(".turn-text")).to_contain_text("ran out of time")
        expect(page.locator(".seat-white .seat-rating b")).to_have_text("+162")
        expect(page.locator(".seat-black .seat-rating b")).to_have_text("\N{MINUS SIGN}162")
    assert black.inner_text(".seat-black .clock").startswith("0:00")
    first = game_id(black)
    white.click("button:has-text('Rematch')")
    expect(white.locator("#notice")).to_contain_text("has been asked")
    expect(black.locator(".alert-card")).to_contain_text("offers you a rematch")
    expect(black.locator(".alert-card")).to_be_hidden()  # the list would cover the result
    black.click("button:has-text('Accept the rematch')")
    for page, side in ((black, "white"), (white, "black")):
        page.wait_for_url(re.compile(rf"/games/(?!{first})"))
        expect(page.locator("#game")).to_have_attribute("data-role", side)
    # The profile shows both games.
    black.click(".seat-white a")
    expect(black.locator("h2:has-text('JadeJack: 1338?')")).to_be_visible()
    assert black.locator(".row-card:has-text('lost \N{MINUS SIGN}162')").count() == 1


def test_a_rematch_is_declined_and_offered_again_and_found_in_a_hidden_tab(table):
    black, white, url = table
    open_question(black, "Abort")
    black.click("button:has-text('Abort the game')")
    rematch = black.locator("#rematch")
    rematch.locator("button:has-text('Rematch')").click()
    expect(rematch).to_contain_text("Rematch offered")
    rematch.locator("button:has-text('Cancel')").click()
    rematch.locator("button:has-text('Rematch')").click()
    expect(white.locator("#rematch button:has-text('Accept the rematch')")).to_be_visible()
    white.click("#alerts summary")
    white.click(".alert-card button:has-text('Not now')")
    expect(rematch).to_contain_text("It was declined.")
    expect(white.locator("#rematch button:text-is('Rematch')")).to_be_visible()
    rematch.locator("button:has-text('Rematch')").click()
    expect(rematch).to_contain_text("Rematch offered")
    black.reload()
    expect(rematch).to_contain_text("Rematch offered")
    look_away(black)
    white.click("#rematch button:has-text('Accept the rematch')")
    for page in (black, white):
        page.wait_for_url(lambda now: now != url and "/games/" in now)


@pytest.fixture
def rematch(table):
    """Return the page of a player whose game is over, and the part that offers a rematch."""
    page, *_ = table
    open_question(page, "Abort")
    page.click("button:has-text('Abort the game')")
    rematch = page.locator("#rematch")
    expect(rematch.locator("button")).to_have_text("Rematch")
    return page, rematch


def test_a_button_works_that_an_update_has_put_in_the_place_of_one_under_way(rematch):
    page, rematch = rematch
    answers = []
    page.route("**/rematch", lambda route: answers.append((route, route.fetch())))
    rematch.locator("button").click()
    expect(rematch).to_contain_text("Rematch offered")  # the live connection is faster than the answer
    rematch.locator("button:has-text('Cancel')").click()
    wait_for_event(page, lambda: answers)
    ((route, answer),) = answers
    route.fulfill(response=answer)
    expect(rematch.locator("button")).to_have_text("Rematch")
    expect(rematch).not_to_contain_text("Rematch offered")


def test_a_double_click_is_one_command_although_the_first_click_has_changed_the_button(rematch):
    page, rematch = rematch
    for click_count, text in ((1, "Rematch"), (2, "Cancel")):
        expect(rematch.locator("button")).to_have_text(text)
        rematch.locator("button").hover()
        page.mouse.down(click_count=click_count)
        page.mouse.up(click_count=click_count)
    page.wait_for_timeout(500)
    expect(rematch).to_contain_text("Rematch offered")


def test_clocks_run_on_the_page_and_low_time_is_announced(rated, clock):
    black, white = rated
    play(black, "c4")
    expect(black.locator(".seat-white .clock")).to_have_text(re.compile("9:5[0-8]"))
    clock.advance(seconds=541)
    white.reload()
    expect(white.locator(".seat-white .clock-low")).to_be_visible()
    expect(white.locator("#log")).to_contain_text("60 seconds left")
    assert white.locator("#log p").count() == 1


def test_a_turn_is_announced_in_a_tab_that_is_not_looked_at(table):
    black, white, _ = table
    expect(white).not_to_have_title(re.compile("^[(]1[)]"))
    look_away(white)
    play(black, "c4")
    expect(white).to_have_title(re.compile("^[(]1[)]"))
    look_back(white)
    expect(white).not_to_have_title(re.compile("^[(]1[)]"))


@pytest.mark.parametrize("asked", [("takeback",), ("pause",), ("takeback", "pause")])
def test_what_an_opponent_asks_hides_neither_the_board_nor_the_clock(sit_down, server, asked):
    players = [Visitor(server).register() for _ in range(2)]
    game = begin_game(*players, clock="realtime")
    for ply, (player, move) in enumerate(zip(players, ("c4", "g6"), strict=True)):
        PlayingPage(player, game).move(move, ply)
    page = sit_down(visitor=players[0], viewport={"width": 390, "height": 664})
    page.goto(game)
    expect(page.locator("#remark [data-offer]")).to_be_visible()
    for what in asked:
        players[1].http.post(f"{game}/{what}", data={})
    expect(page.locator(".turn-question")).to_have_count(len(asked))
    for _ in asked:
        for seen in (".seat-black .clock", "#sq-a1", ".turn-question:visible .button-main"):
            page.locator(seen).click(trial=True, timeout=2_000)
        page.click(".turn-question:visible button:not(.button-main)")
    expect(page.locator(".turn-question")).to_have_count(0)


def test_a_takeback_is_requested_declined_and_accepted(table):
    black, white, _ = table
    play(black, "c4")
    wait_for_ply(white, 1)
    play(white, "g6")
    wait_for_ply(black, 2)
    black.click("button:has-text('Take back')")
    request = re.compile(r"(\S+) asks to take back 2 moves: \1's move 1 \(c4\)")
    expect(white.locator(".turn-question")).to_contain_text(request)
    white.evaluate("scrollTo(0, 0)")
    for width, height in ((1280, 720), (844, 390), (390, 664), (360, 640)):
        white.set_viewport_size({"width": width, "height": height})
        for button in white.locator(".turn-question button").all():
            expect(button).to_be_in_viewport(ratio=1)
    white.click("#turn button:has-text('Decline')")
    expect(black.locator("#notice")).to_contain_text("declined the takeback.")
    expect(white.locator("#notice")).to_be_empty()
    black.click("#takeback")
    black.click("button:has-text('Cancel the request')")  # which declines nothing
    expect(black.locator("#takeback:has-text('Take back')")).to_be_visible()
    expect(black.locator("#notice")).to_be_empty()
    black.click("#takeback")
    white.click("#turn button:has-text('Accept')")
    for page in (black, white):
        wait_for_ply(page, 0)
    assert black.locator("#sq-c4 button").count() == 1
    play(black, "d4")
    wait_for_ply(white, 1)


def test_a_premove_is_played_in_its_turn(table):
    black, white, _ = table
    play(black, "c4")
    wait_for_ply(black, 1)
    black.click("#sq-g4")
    expect(black.locator("#sq-g4")).to_have_class(re.compile(r"\bpremove\b"))
    expect(black.locator("#remark")).to_have_text("Premove g4. Choose it again to cancel it.")
    wait_for_ply(white, 1)
    play(white, "g6")
    wait_for_ply(white, 3)
    assert white.locator("#moves li:nth-child(3)").inner_text().split()[:2] == ["3", "g4"]
    # A premove that has become illegal is dropped, and Escape cancels one.
    black.click("#sq-e5")
    play(white, "e5")
    wait_for_ply(black, 4)
    expect(black.locator("#remark")).to_contain_text("Your premove e5 is not possible any more.")
    black.click("#sq-e5")
    expect(black.locator("#remark")).to_contain_text("you need at least 1 to hijack this stack")
    expect(black.locator("#sq-e5")).to_have_class(re.compile(r"\bsq-asked\b"))
    play(black, "a1")
    wait_for_ply(black, 5)
    black.keyboard.press("Tab")  # now by keyboard
    black.focus("#sq-b1")
    black.keyboard.press("Enter")
    expect(black.locator("#sq-b1")).to_have_class(re.compile(r"\bpremove\b"))
    black.keyboard.press("Escape")
    expect(black.locator(".sq-premove")).to_have_count(0)
    # So is one whose position was taken back.
    black.click("#sq-c1")
    black.click("button:has-text('Take back')")
    white.click("#turn button:has-text('Accept')")
    expect(black.locator("#remark")).to_contain_text("Your premove c1 is not possible any more.")
    wait_for_ply(white, 4)


def queued(page):
    """Return the squares of the premoves by their numbers."""
    cells = page.locator("#board .sq-premove").all()
    numbers = {int(cell.get_attribute("data-premove")): cell.get_attribute("id")[3:] for cell in cells}
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert all(
        cell.get_attribute("aria-description") == f"premove {cell.get_attribute('data-premove')}"
        for cell in cells
    )
    return [numbers[number] for number in sorted(numbers)]


def test_several_premoves_are_played_in_order(table):
    black, white, _ = table
    play(black, "c4")
    wait_for_ply(black, 1)
    for square in ("g4", "c5", "b2", "e7"):
        black.click(f"#sq-{square}")
    black.click("#sq-b2")  # taken out again
    assert queued(black) == ["g4", "c5", "e7"]
    expect(black.locator("#remark")).to_have_text(
        "Premoves 1. g4, 2. c5, 3. e7. Choose one again to cancel it."
    )
    for ply, square in ((2, "g6"), (4, "h6")):
        play(white, square)
        wait_for_ply(white, ply + 1)
    assert queued(black) == ["e7"]
    # More may be added while they are played.
    black.click("#sq-a1")
    black.click("#sq-b1")
    assert queued(black) == ["e7", "a1", "b1"]
    play(white, "e7")
    wait_for_ply(black, 6)
    refused = "Your premove e7 is not possible any more. Those after it are cancelled: a1, b1."
    expect(black.locator("#remark")).to_have_text(refused)
    assert queued(black) == []
    play(black, "a1")
    wait_for_ply(black, 7)
    play(white, "i9")
    wait_for_ply(white, 8)
    assert white.locator("#moves a[href*='ply=']").count() == 8  # nothing was left to be played


def test_premoves_are_taken_back_one_by_one_or_all(table):
    black, *_ = table
    play(black, "c4")
    wait_for_ply(black, 1)
    choices = black.locator("#premoves")
    expect(choices).to_be_hidden()
    black.keyboard.press("Tab")
    for square in ("a1", "b1", "c1"):
        black.focus(f"#sq-{square}")
        black.keyboard.press("Enter")
    black.keyboard.press("Backspace")
    assert queued(black) == ["a1", "b1"]
    black.focus("#premoves [value=last]")
    black.keyboard.press("Enter")
    assert queued(black) == ["a1"]
    expect(black.locator("#premoves [value=last]")).to_be_focused()
    black.keyboard.press("Enter")
    expect(choices).to_be_hidden()
    expect(black.locator("#board [role=gridcell]:focus")).to_have_count(1)
    for square in ("a1", "b1"):
        black.click(f"#sq-{square}")
    black.click("#premoves button:text-is('Cancel all premoves')")
    assert queued(black) == []
    for square in ("a1", "b1"):
        black.click(f"#sq-{square}")
    black.keyboard.press("Escape")
    assert queued(black) == []
    expect(black.locator("#remark")).to_have_text("Premove cancelled.")


def test_premoves_by_touch_on_a_phone(sit_down, server):
    players = Visitor(server).register(), Visitor(server)
    game = begin_game(*players)
    black = sit_down(visitor=players[0], viewport=PHONE, has_touch=True, is_mobile=True)
    white = sit_down(visitor=players[1])
    for page in (black, white):
        page.goto(game)
    black.evaluate("document.documentElement.dataset.confirm = 'never'")
    black.tap("#sq-c4 button")
    wait_for_ply(black, 1)
    for square in ("a1", "b1", "c1"):
        black.tap(f"#sq-{square}")
    black.tap("#premoves [value=last]")
    assert queued(black) == ["a1", "b1"]
    assert black.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for ply, square in ((2, "g6"), (4, "h6")):
        play(white, square)
        wait_for_ply(white, ply + 1)


def test_an_open_page_stays_in_its_language(table):
    black, white, _ = table
    elsewhere = black.context.new_page()
    elsewhere.goto("/about")
    elsewhere.click(".page-languages [value=pl]")
    expect(elsewhere.locator("html")).to_have_attribute("lang", "pl")
    look_away(black)
    look_back(black)
    play(black, "c4")
    play(white, "g6")
    expect(black.locator(".turn-text")).to_have_text("Your turn (Black)")


def test_quick_pairing_and_the_link_to_the_next_turn(sit_down, server):
    first, second = sit_down(visitor=Visitor(server).register()), sit_down(visitor=Visitor(server).register())
    first.goto("/lobby")
    first.click("form[action='/challenges/pair'] button:has-text('30+20')")
    first.wait_for_url("**/challenges/*")
    look_away(first)
    second.goto("/lobby")
    expect(second.locator("#challenges")).to_contain_text("30+20")
    second.click("form[action='/challenges/pair'] button:has-text('30+20')")
    for page in (first, second):
        page.wait_for_url("**/games/*")
    mover = first if first.get_attribute("#game", "data-role") == "black" else second
    timed = mover.url
    badge = "Navigator.prototype.setAppBadge = async (count) => { document.body.dataset.badge = count; };"
    mover.add_init_script(badge)
    mover.goto("/rules/jadejack")
    expect(mover).to_have_title(re.compile(r"^\(1\) "))
    expect(mover.locator("body")).to_have_attribute("data-badge", "1")
    mover.click("#alerts summary")
    mover.click(".alert-turn")
    mover.wait_for_url(timed)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 664)])
def test_the_way_to_the_next_game_is_seen_without_scrolling(sit_down, server, width, height):
    player, opponent = Visitor(server).register(), Visitor(server).register()
    for _ in range(2):
        game = begin_game(player, opponent)
    page = sit_down(visitor=player, viewport={"width": width, "height": height})
    page.goto(game)
    expect(page.locator("#next-game a")).to_be_in_viewport(ratio=1)


def test_a_realtime_challenge_leaves_the_lobby_with_its_maker(sit_down, server):
    name = fresh_name()
    maker, other = sit_down(visitor=Visitor(server).register(name)), sit_down()
    offer_game(maker, clock="realtime")
    other.goto("/lobby")
    expect(other.locator("#challenges")).to_contain_text(name)
    maker.context.close()
    expect(other.locator("#challenges")).not_to_contain_text(name)


def test_settings_change_the_board(sit_down, server):
    user = Visitor(server).register()
    game, player = begin_game(user, Visitor(server)), sit_down(visitor=user)
    player.goto("/account/preferences")
    chosen = {"theme": "dark", "board": "slate", "marks": "cross", "coordinates": "off", "confirm": "always"}
    for name, value in chosen.items():
        player.check(f"[name={name}][value={value}]", force=True)
    player.click("[data-test-sound]")
    player.click("form[action='/account/preferences'] button:has-text('Save')")
    for name, value in chosen.items():
        expect(player.locator("html")).to_have_attribute(f"data-{name}", value)
    player.goto(game)
    expect(player.locator(".board .board-letters")).to_be_hidden()
    top_left = player.locator("#sq-a9").bounding_box()
    player.keyboard.press("f")
    assert player.locator("#sq-i1").bounding_box() == pytest.approx(top_left, abs=1)
    player.keyboard.press("z")
    expect(player.locator(".header")).to_be_hidden()
    player.reload()
    expect(player.locator(".header")).to_be_hidden()
    player.keyboard.press("Escape")
    expect(player.locator(".header")).to_be_visible()
    player.keyboard.press("?")
    expect(player.locator("#info")).to_be_visible()
    expect(player.locator("#info")).to_contain_text("You may place a disk here")
    play(player, "c4")
    expect(player.locator("#confirm button")).to_have_text("Play c4")
    wait_for_ply(player, 0)
    player.press("#confirm button", "Enter")
    wait_for_ply(player, 1)
    expect(player.locator("#sq-c4")).to_be_focused()
    # The button in the footer changes the account's choice, for other browsers too.
    player.goto("/account/preferences")
    with player.expect_response("**/account/preferences"):
        player.click("[data-theme-button]")
    expect(player.locator("html")).not_to_have_attribute("data-theme", "dark")
    player.goto("/account/preferences")
    assert player.is_checked("[name=theme][value=system]")


def test_tokens_are_created_shown_once_and_revoked(sit_down, server):
    player = sit_down(visitor=Visitor(server).register())
    player.goto("/account/security")
    player.fill("#tokens [name=name]", "my program")
    player.click("button:has-text('Create a token')")
    assert len(player.input_value("#new-token")) > 30
    player.goto("/account/tokens")
    player.wait_for_url("**/account/security")
    assert player.locator("#new-token").count() == 0
    player.click("#tokens .row-card:has-text('my program') button")
    expect(player.locator(".page-note")).to_have_text("Revoked.")
    assert player.locator("#tokens .row-card").count() == 0


def test_spectators_see_a_game_live(table, sit_down):
    black, white, url = table
    watcher = sit_down()
    watcher.goto("/watch")
    board = watcher.locator(f"#mini-{url.rsplit('/', 1)[1]}")
    expect(board).to_contain_text("move 0")
    play(black, "c4")
    expect(board).to_contain_text("move 1")
    watcher.goto(url)
    expect(black.locator("#attendance")).to_contain_text("1 watching")
    open_question(white, "Abort")
    white.click("button:has-text('Abort the game')")
    expect(watcher.locator(".turn-text")).to_contain_text("aborted the game")


def test_the_graph_the_picture_and_an_imported_record(table):
    black, white, _ = table
    for page, square in ((black, "c4"), (white, "g6"), (black, "d4")):
        wait_for_ply(page, {"c4": 0, "g6": 1, "d4": 2}[square])
        play(page, square)
    wait_for_ply(white, 3)
    open_question(white, "Resign")
    white.click("button:has-text('Resign the game')")
    black.click("#menu-more > summary")
    black.click("text=Graph and record")
    expect(black.locator("svg.chart")).to_be_visible()
    expect(black.locator(".graph tbody tr")).to_have_count(4)
    expect(black.locator(".game-picture")).to_have_js_property("complete", True)
    assert black.evaluate("document.querySelector('.game-picture').naturalWidth") > 0
    record = black.inner_text(".game-record")
    black.goto("/import")
    black.fill("#record", record)
    black.click("button:has-text('Replay it')")
    expect(black.locator(".replay-text")).to_contain_text("Move 0 of 3: the start")
    black.click("[aria-label='Last position']")
    expect(black.locator(".replay-text")).to_contain_text("Move 3 of 3: Black d4")
    black.goto("/import")
    black.fill("#record", record.replace("g6", "c4"))
    black.click("button:has-text('Replay it')")
    expect(black.locator(".field-error")).to_contain_text("Ply 2, c4")
    assert black.input_value("#record") == record.replace("g6", "c4")


def claim_the_win(page):
    """Press the button, if there still is one, and return whether the game is won.

    A server that was held up refuses, and gives the opponent a minute longer.
    """
    page.evaluate("document.querySelector('#attendance form:not([hidden]) button')?.click()")
    return "You won" in page.inner_text(".turn-text")


def test_the_win_is_claimed_when_the_opponent_has_left(rated, clock):
    black, white = rated
    play(black, "c4")
    wait_for_ply(white, 1)
    play(white, "g6")
    wait_for_ply(black, 2)
    play(black, "d5")
    wait_for_ply(white, 3)
    white.context.close()
    expect(black.locator("#attendance")).to_contain_text("is away")
    assert black.locator("button:has-text('Claim the win')").is_hidden()
    clock.advance(seconds=57)
    black.reload()
    claiming = black.locator("button:has-text('Claim the win')")
    # By itself, after a minute; a server that was held up gives the opponent another one.
    expect(claiming).to_be_visible(timeout=120_000)
    wait_until(lambda: claim_the_win(black), within=120, pause=2)
    expect(black.locator(".turn-text")).to_have_text(re.compile("You won: .* left"))


def test_a_visitor_who_accepts_is_a_player_even_if_the_answer_comes_last(sit_down):
    maker, visitor = sit_down(), sit_down()
    visitor.goto(offer_game(maker))
    held = []

    def hold(route):
        held.append((route, route.fetch(max_redirects=0)))

    visitor.route("**/accept", hold)
    visitor.click("form[action$='/accept'] button")
    maker.wait_for_url("**/games/*")
    visitor.wait_for_timeout(500)  # in which the message that leads to the game arrives
    route, answer = held.pop()
    route.fulfill(response=answer)
    visitor.wait_for_url("**/games/*")
    expect(visitor.locator("#seat-bottom")).to_contain_text("(you)")


def test_low_time_is_announced_in_each_turn(sit_down, server):
    players = Visitor(server).register(), Visitor(server)
    game = begin_game(*players, clock="per_move", seconds="30")
    black, white = (sit_down(visitor=player) for player in players)
    white.clock.install()
    for page in (black, white):
        page.goto(game)
    for turn, (mine, theirs) in enumerate((("c4", "g6"), ("a2", "d2")), 1):
        play(black, mine)
        wait_for_ply(white, 2 * turn - 1)
        white.clock.run_for(21_000)
        expect(white.locator("#log p:has-text('10 seconds left')")).to_have_count(turn)
        play(white, theirs)
        wait_for_ply(black, 2 * turn)
