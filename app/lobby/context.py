"""What the pages of the lobby and their live connections show alike."""

from dataclasses import dataclass
from typing import Any

from app.database.session import Database
from app.events import Event
from app.games.boards import BOARDS
from app.games.presenter import game_cards
from app.games.service import Games
from app.games.views import GameCard
from app.games.wording import control_text
from app.identity.service import Identity
from app.lobby.challenges import DECLINE_REASONS, QUICK_CONTROLS
from app.lobby.lobby import Lobby
from app.lobby.presenter import challenge_view
from app.lobby.views import ChallengeView
from app.ratings import queries as ratings
from app.web.render import sizes
from engine.game import Game
from engine.glicko2 import Rating
from engine.registry import FOR_TWO, GAMES, SOLITAIRE
from engine.search.levels import LEVELS, USUAL

_PLAYERS = (("two players", FOR_TWO), ("alone", SOLITAIRE))


@dataclass(frozen=True, slots=True)
class Onlooker:
    """Who looks at the lobby, with what they may accept."""

    viewer: Identity | None
    ratings: dict[str, Rating]


async def onlooker_of(database: Database, viewer: Identity | None) -> Onlooker:
    """Return a viewer with the ratings that decide what they may accept."""
    if viewer is None:
        return Onlooker(None, {})
    async with database.transaction() as session:
        known = await ratings.of_account(session, viewer.id)
    return Onlooker(viewer, {game: rating for game, (rating, _) in known.items()})


async def open_challenges(lobby: Lobby, onlooker: Onlooker, hint: Event | None = None) -> list[ChallengeView]:
    """Return the lobby as somebody sees it; `hint` is the announcement on which they look."""
    listing = await lobby.listing(hint)
    return [
        challenge_view(
            challenge, onlooker.viewer, onlooker.ratings, online=challenge.maker.id in listing.online
        )
        for challenge in listing.challenges
    ]


async def games_of(games: Games, viewer: Identity | None) -> list[GameCard]:
    """Return a viewer's games under way, the most urgent first."""
    if viewer is None:
        return []
    return game_cards(await games.under_way(viewer.id, limit=100))


def levels() -> list[tuple[int, str]]:
    """Return the levels of the computer as options of a select."""
    return [(level, f"Level {level}") for level in LEVELS]


def _proposed(rules: Game[Any]) -> dict[str, int]:
    return {name: allowed.proposed for name, allowed in rules.options.items()}


def games_offered() -> list[dict[str, Any]]:
    """Return what the home page says of each game: its title, links and who plays it on which boards."""
    offered = []
    for key, rules in GAMES.items():
        links = [
            (f"/leaderboards/{key}", "Ratings") if key in FOR_TWO else None,
            (f"/scores/{key}", "Scores") if key in SOLITAIRE else None,
            (f"/rules/{key}", "Rules"),
        ]
        players = [text for text, games in _PLAYERS if key in games]
        (_, smallest), *_, (_, largest) = sizes(rules.options["size"])
        note = f"{' or '.join(players).capitalize()}, boards from {smallest} to {largest}"
        offered.append({"title": rules.title, "links": list(filter(None, links)), "note": note})
    return offered


async def lobby_context(
    database: Database, games: Games, lobby: Lobby, viewer: Identity | None
) -> dict[str, Any]:
    """Return what the lobby shows beside the open challenges."""
    onlooker = await onlooker_of(database, viewer)
    concerning = await lobby.concerning(viewer.id) if viewer else []
    return {
        "concerning": [challenge_view(one, viewer, onlooker.ratings) for one in concerning],
        "games": await games_of(games, viewer),
        "kinds": [(rules, BOARDS[rules].size_text(_proposed(rules))) for rules in FOR_TWO.values()],
        "quick": [control_text(control) for control in QUICK_CONTROLS],
        "levels": levels(),
        "usual_level": USUAL,
        "decline_reasons": DECLINE_REASONS,
    }
