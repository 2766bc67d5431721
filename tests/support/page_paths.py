"""The addresses of all pages, from the table of routes, with the examples that `ExampleSite` has for them."""

import re
from collections.abc import Iterator

from app.learn.lessons.courses import COURSES
from engine.puzzles.rules import RULES
from engine.registry import GAMES, SOLITAIRE
from tests.support.routes import calls

_NO_PAGES = re.compile(
    r"/(api/v1|embed|oembed|health|metrics|static)\b|\.(\w+|\{form\})$|/(receipt|record|ledger|key|file)$|squares|/again$|suggestions|exports"
)
"""Routes for programs, files, and parts of pages."""

_EXAMPLES = {
    "{game:course}/{step:slug}": [
        f"{course.game}/{step.key}" for course in COURSES.values() for step in course.steps
    ],
    "{game:course}": COURSES,
    "{game:puzzle_game}": RULES,
    "{game:game}/{players:number}/{size:number}": ["jumping_farther/2/4", "up_and_up/1/5"],
    "/records/{game:game}": [f"/records/{game}" for game in SOLITAIRE],
    "{game:game}/{size:number}": [f"{game}/8" for game in SOLITAIRE],
    "{game:game}": GAMES,
    "{game:solo}": SOLITAIRE,
    "/tournaments/{tournament_id:id}/games/{game_id:id}": [
        "/tournaments/{tournament}/games/{game_of_tournament}"
    ],
    "/tournaments/{tournament_id:id}/edit": ["/tournaments/{arena}/edit"],
    "{tournament_id:id}": ["{tournament}", "{arena}", "{cancelled}"],
    "{game_id:id}/race": ["{game_of_race}/race"],
    "{game_id:id}": [
        "{under_way}",
        "{thinking}",
        "{finished}",
        "{match}",
        "{alone}",
        "{best}",
        "{game_of_day}",
    ],
    "{challenge_id:id}": ["{challenge}", "{own_challenge}"],
    "{username}": ["{winner}", "{player}"],
    "chat/{number:serial}": ["chat/{line}"],
    "messages/{number:serial}": ["messages/{message}"],
    "runs/{run_id:id}/boards/{number:number}": ["runs/{run}/boards/1"],
    "{number:number}": ["2"],
    "{node:node}": ["start", "{node}"],
    "{day:day}": ["{day}"],
    "{run_id:id}": ["{run}"],
    "{entry_id:id}": ["{entry}", "{revealed_entry}"],
    "{commitment_id:id}": ["{commitment}", "{revealed}"],
    "{server_id:id}": ["{witnessed}"],
    "{competition_id:competition}": ["{competition}", "{coming_competition}"],
    "{puzzle_id:id}": ["{puzzle_of_jadejack}", "{puzzle_of_golden_nugget}"],
    "{race_id:id}": ["{race}"],
    "{study_id:id}": ["{study}"],
    "{team_id:id}": ["{team}"],
    "{season:slug}": ["{season}"],
}
"""What parts of the paths of routes stand for: those that come first take precedence."""

_QUERIES = {
    "/account/security": ["saved=password"],
    "/analysis/jadejack": ["size=13&moves=c4,g6"],
    "/analysis/jumping_farther": ["size=12&moves=c4"],
    "/analysis/up_and_up": ["size=5&moves=c3,c4!,(b3+{{Left.}}+b5),a4"],
    "/appeal": ["token=appeal"],
    "/email/confirm": ["token=confirm"],
    "/email/undo": ["token=undo"],
    "/explorer": ["game=jadejack"],
    "/games/{finished}": ["ply=3"],
    "/games/{finished}/about": ["ply=3"],
    "/games/{finished}/review": ["ply=3"],
    "/games/{thinking}/conditions": ["moves=f6,d4"],
    "/lobby": ["offer=jumping_farther", "opponent={winner}"],
    "/nugget/commitments": ["competition={competition}"],
    "/nugget/compare": ["a={run}&b={run}"],
    "/nugget/entries/{entry}/boards/2": ["move=3"],
    "/nugget/entries/{entry}/boards/2/review": ["ply=3"],
    "/nugget/submit": ["run={run}"],
    "/password/reset": ["token=reset"],
    "/players": ["q=max"],
    "/records/jumping_farther/2/4": ["ply=5"],
    "/report": ["player={winner}&place=profile:{winner}"],
    "/tournaments": ["when=past"],
    "/tournaments/new": ["kind=round_robin", "kind=arena", "kind=swiss", "kind=knockout"],
    "/unsubscribe": ["key=nobody&kind=message"],
}
"""Queries with which pages show something else, or anything at all."""


def page_paths() -> dict[str, list[str]]:
    """Return the paths of the examples of each page by the path of its route.

    In them are names of what an `ExampleSite` has, such as "/games/{finished}?ply=3". A parameter without an
    example is left as it is in the route.
    """
    routes = sorted(
        {call.path for call in calls() if call.method == "GET" and not _NO_PAGES.search(call.path)}
    )
    paths = {route: [*_filled(route)] for route in routes}
    return {
        route: [
            path + query
            for path in filled
            for query in ("", *(f"?{each}" for each in _QUERIES.get(path, ())))
        ]
        for route, filled in paths.items()
    }


def _filled(path: str) -> Iterator[str]:
    for part, examples in _EXAMPLES.items():
        if part in path:
            for example in examples:
                yield from _filled(path.replace(part, example))
            return
    yield path
