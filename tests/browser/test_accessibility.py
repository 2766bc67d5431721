"""Every page in light and dark colours: no serious accessibility fault, no scrolling sideways on a phone."""

import pytest

from app.core.ids import new_id
from app.people.identity.service import token_hash
from app.people.mail.links import Purpose
from tests.support.accessibility import PHONE, assert_accessible
from tests.support.database import execute, fetch
from tests.support.ladders import Climbers
from tests.support.moderation import make_moderator
from tests.support.nugget import new_record
from tests.support.pages import accept, offer_game
from tests.support.players import Match, Program, Visitor, fresh_name, make_old
from tests.support.ports import free_port
from tests.support.server import start_server
from tests.support.solitaire import begin, play, random_games, submit
from tests.support.tournaments import Cup

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 800}

PAGES = [
    "/",
    "/lobby",
    "/challenges/{challenge}",
    "/games/{under_way}",
    "/games/{thinking}/conditions?moves=f6,d4",
    "/games/{thinking}/note",
    "/games/{finished}",
    "/games/{finished}?ply=3",
    "/games/{finished}/about?ply=3",
    "/games/{finished}/review?ply=3",
    "/games",
    "/watch",
    "/analysis/jadejack?size=13&moves=c4,g6",
    "/analysis/jumping_farther?size=12&moves=c4",
    "/analysis/up_and_up?size=5&moves=c3,c4!,(b3+{{Left.}}+b5),a4",
    "/analysis",
    "/studies",
    "/studies/mine",
    "/explorer?game=jadejack",
    "/statistics",
    "/statistics/golden_nugget",
    "/players/{winner}/statistics",
    "/studies/{study}",
    "/import",
    "/players/{winner}",
    "/leaderboards/jadejack",
    "/rules/jadejack",
    "/account",
    "/account/data",
    "/account/profile",
    "/account/moderation",
    "/report?player={winner}&place=profile:{winner}",
    "/people",
    "/teams",
    "/teams/new",
    "/teams/{team}",
    "/teams/{team}/requests",
    "/teams/{team}/settings",
    "/messages",
    "/messages/{winner}",
    "/account/security",
    "/account/vacation",
    "/account/confirm",
    "/notifications",
    "/notifications/devices",
    "/notifications/settings",
    "/no/such/page",
    "/solitaire",
    "/lobby?offer=jumping_farther",
    "/games/{alone}",
    "/games/{best}",
    "/games/{match}",
    "/races/{race}",
    "/scores/up_and_up/8",
    "/records",
    "/records/jumping_farther/2/4?ply=5",
    "/rules/jumping_farther",
    "/rules/up_and_up",
    "/players/{solver}",
    "/nugget",
    "/nugget/runs/{run}",
    "/nugget/compare?a={run}&b={run}",
    "/nugget/submit",
    "/nugget/competitions",
    "/leaderboards/golden_nugget",
    "/tournaments",
    "/tournaments?when=past",
    "/calendar",
    "/tournaments/{tournament}",
    "/tournaments/{tournament}/players/{champion}",
    "/tournaments/new",
    "/ladders/jumping_farther",
    "/seasons",
    "/tournaments/new?kind=round_robin",
    "/tournaments/new?kind=arena",
    "/learn",
    "/learn/jadejack/hijack",
    "/learn/golden_nugget/home",
    "/puzzles",
    "/puzzles/jadejack",
    "/puzzles/jadejack/daily",
    "/puzzles/golden_nugget/daily",
    "/rules/golden_nugget",
    "/nugget/entries/{entry}",
    "/nugget/entries/{entry}/boards/2?move=3",
    "/nugget/entries/{entry}/boards/1/review",
    "/nugget/entries/{entry}/boards/2/review?ply=3",
]
SHOWN = new_record(detours=4)
PAGES_OF_STRANGERS = [
    "/",
    "/login",
    "/login/recover",
    "/register",
    "/lobby",
    "/help",
    "/privacy",
    "/terms",
    "/contact",
    "/rules",
    "/players?q=gor",
    "/fair-play",
    "/offline",
]
PAGES_OF_MODERATORS = [
    "/moderation",
    "/moderation/log",
    "/moderation/players/{winner}",
    "/moderation/chat/{line}",
    "/moderation/messages/{message}",
]


def long_name():
    """Return a name as long as names may be, without a place to break it."""
    return fresh_name("Max").replace("-", "_").ljust(20, "x")


@pytest.fixture(scope="session")
def player(server):
    """Return a registered player."""
    return Visitor(server).register(long_name())


@pytest.fixture(scope="session")
def ids(server, player, database_url):
    """Return the ids that the addresses of pages need."""
    ids = {**ids_of_player(server, player), **ids_of_programs(server)}
    Climbers(server, 2, "jumping_farther").challenge(1, 0)
    player.http.post("/ladders/jumping_farther/join")
    review_board_2(database_url, ids["entry"])
    make_old(database_url, player)  # only an account of some age can make a team
    return {**ids, "team": team_of(database_url, player.username, ids["winner"], ids["solver"])}


def team_of(database_url, leader, member, applicant):
    """Return the id of a team."""
    team = new_id()
    execute(
        database_url,
        "INSERT INTO teams (id, name, text, is_open, leader_id, size) "
        "SELECT $1, rpad('Team' || $1, 40, 'm'), 'We meet on Fridays.', false, id, 2 "
        "FROM accounts WHERE username = $2",
        *(team, leader),
    )
    account = "FROM accounts WHERE username = $2"
    join = f"INSERT INTO team_members (team_id, account_id, role) SELECT $1, id, $3 {account}"
    execute(database_url, join, team, leader, "leader")
    execute(database_url, join, team, member, "member")
    ask = f"INSERT INTO team_requests (team_id, account_id, text) SELECT $1, id, 'Hello' {account}"
    execute(database_url, ask, team, applicant)
    return team


def review_board_2(database_url, entry):
    """Store a review of an entry's second board, as if a worker knew nothing better than its moves."""
    forces = [move[0] for move in SHOWN[1]]
    for ply in range(len(forces)):
        execute(
            database_url,
            "INSERT INTO nugget_reviewed_pushes (entry_id, board, ply, forces) VALUES ($1, 2, $2, $3)",
            *(entry, ply, " ".join(forces[ply:])),
        )


def ids_of_player(server, player):
    def offer(**form):
        made = player.http.post("/challenges", data={"side": "black", "opponent_kind": "link", **form})
        return made.url.path.rpartition("/")[2]

    accepted = Visitor(server).http.post(f"/challenges/{offer(size='13')}/accept")
    thinking = Visitor(server).http.post(f"/challenges/{offer(size='9', side='white')}/accept")
    run = player.http.post("/nugget/runs").url.path
    form = {"commands": "P 5 L", "version": 0, "request_id": "00000000-0000-4000-8000-000000000001"}
    assert player.http.post(f"{run}/commands", data=form).status_code == 200
    tree = {"game": "jadejack", "moves": "c4 g6! {Near.} (f6) d4", "title": "Corners" * 9}
    return {
        "study": player.http.post("/studies", data=tree).url.path.rpartition("/")[2],
        "under_way": accepted.url.path.rpartition("/")[2],
        "thinking": thinking.url.path.rpartition("/")[2],
        "challenge": offer(size="9"),
        "run": run.rpartition("/")[2],
    }


def ids_of_programs(server):
    finished = Match(server, names=(long_name(), long_name()))
    finished.play("c4", "g6", "d4", "f6", "pass", "pass")
    about = {"text": "Hello", "country": "pl", "languages": ["pl"], "links": ["https://wren.example"]}
    assert finished.black.http.put("/me/profile", json=about).status_code == 200
    solver, other = Program(server, long_name()), Program(server, long_name())
    alone = begin(solver, "jumping_farther", 12)
    play(solver, alone, ["f6", "f7", "h9", "e6", "a2"])
    challenge = solver.challenge(game="jumping_farther", options={"size": 12}, opponent="link").json()["id"]
    entry = solver.http.post("/nugget/entries", json={"boards": SHOWN}).json()["id"]
    solver.http.post(f"/nugget/entries/{entry}/publish")
    cup = Cup(server, None, 1, "round_robin", starts_at=None, max_players=3)  # starts when it is full
    cup.join(finished.black)
    cup.join(solver)
    cup.wait_for("started")
    return {
        "tournament": cup.id,
        "champion": solver.username,
        "finished": finished.id,
        "winner": finished.black.username,
        "alone": alone,
        "best": submit(solver, "up_and_up", 8, next(iter(random_games("up_and_up", 8, 1).values()))),
        "race": solver.http.post("/races", json={"game": "up_and_up", "minutes": 5}).json()["id"],
        "match": other.http.post(f"/challenges/{challenge}/accept").json()["game_id"],
        "entry": entry,
        "solver": solver.username,
    }


def open_page(stay_seated, **options):
    """Return a page in which tests open one address after the other: that takes half of a new one's time."""
    return stay_seated(bypass_csp=True, service_workers="block", **options)


def assert_page_accessible(page, path):
    page.set_viewport_size(DESK)
    page.goto(path)
    assert_accessible(page)


@pytest.fixture(scope="module")
def page_of_player(stay_seated, player):
    return open_page(stay_seated, visitor=player, locale="de")  # its words are long


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_serious_fault_and_fits_on_a_phone(page_of_player, ids, path):
    assert_page_accessible(page_of_player, path.format(**ids))


@pytest.fixture(scope="module")
def moderator(server, database_url):
    """Return a moderator."""
    return make_moderator(database_url, Visitor(server).register())


@pytest.fixture(scope="module")
def reported(server, ids, moderator, database_url):
    """Return the ids of texts that were reported, about a player who was warned."""
    player = Visitor(server).register()
    author = "SELECT id FROM accounts WHERE username = $1"
    reader = "SELECT id FROM accounts WHERE username = $2"
    line = f"INSERT INTO chat_messages (game_id, account_id, room, text) SELECT $2, ({author}), 'players', ''"
    message = f"INSERT INTO messages (author_id, reader_id, text) SELECT ({author}), ({reader}), 'Bah, bah'"
    texts = {
        "line": fetch(database_url, f"{line} RETURNING id", ids["winner"], ids["finished"])[0],
        "message": fetch(database_url, f"{message} RETURNING id", ids["winner"], player.username)[0],
    }
    for place in (f"chat:{texts['line']}", f"message:{texts['message']}", f"profile:{ids['winner']}"):
        form = {"username": ids["winner"], "place": place, "reason": "abuse", "text": "Such language!"}
        assert player.http.post("/report", data=form).status_code == 200
    case = f"/moderation/players/{ids['winner']}"
    for action, days in (("warn", "1"), ("mute", "2")):
        form = {"action": action, "reason": "Be kind.", "days": days}
        assert moderator.http.post(case, data=form).status_code == 200
    assert player.http.post("/report", data={**form, "username": ids["winner"], "reason": "spam"}).is_success
    return {**ids, **texts}


@pytest.fixture(scope="module")
def page_of_moderator(stay_seated, moderator):
    return open_page(stay_seated, visitor=moderator)


@pytest.mark.parametrize("path", PAGES_OF_MODERATORS)
def test_a_page_of_moderators_has_no_serious_fault_and_fits_on_a_phone(page_of_moderator, reported, path):
    assert_page_accessible(page_of_moderator, path.format(**reported))


@pytest.fixture(scope="module")
def page_of_stranger(stay_seated):
    return open_page(stay_seated, locale="es")  # its buttons are long


@pytest.mark.parametrize("path", PAGES_OF_STRANGERS)
def test_a_page_of_a_visitor_has_no_serious_fault_and_fits_on_a_phone(page_of_stranger, path):
    assert_page_accessible(page_of_stranger, path)


@pytest.fixture(scope="module")
def mail_site(database_url):
    """Return a site that offers mail, and never sends any."""
    port = free_port()
    site = start_server(
        database_url,
        port=port,
        public_url=f"http://localhost:{port}",
        mail_host="127.0.0.1",
        mail_port=str(free_port()),
        mail_tls="off",
        mail_sender="Gorrion <noreply@example.com>",
    )
    yield site
    site.stop()


@pytest.fixture(scope="module")
def owner(mail_site, database_url):
    """Return a player with a link of each purpose, whose token is the purpose."""
    owner = Visitor(mail_site).register()
    for purpose in Purpose:
        execute(
            database_url,
            "INSERT INTO mail_links (account_id, purpose, token_hash, address, expires_at) "
            "SELECT id, $1, $2, 'a@example.com', now() + interval '1 hour' FROM accounts WHERE username = $3",
            *(purpose, token_hash(purpose), owner.username),
        )
    return owner


@pytest.fixture(scope="module")
def page_of_owner(stay_seated, mail_site, owner):
    return open_page(stay_seated, base_url=mail_site.url, visitor=owner)


@pytest.mark.parametrize(
    "path",
    [
        "/email",
        "/email/confirm?token=confirm",
        "/password/forgot",
        "/password/reset?token=reset",
        "/appeal?token=appeal",
        "/unsubscribe?key=nobody&kind=message",
    ],
)
def test_a_page_about_mail_has_no_serious_fault_and_fits_on_a_phone(page_of_owner, path):
    assert_page_accessible(page_of_owner, path)


def test_on_a_large_board_a_tap_selects_and_a_second_one_plays(sit_down, server):
    black = sit_down(visitor=Visitor(server).register(), viewport=PHONE, has_touch=True, is_mobile=True)
    white = sit_down()
    accept(white, offer_game(black, size=13))
    black.wait_for_url("**/games/*")
    square = black.locator("#sq-c4 button")
    square.tap()
    assert black.locator("#sq-c4 svg").count() == 0
    square.tap()
    black.locator("#sq-c4 svg").wait_for()
