"""The home page, the way to the next game, and what is said about fair play."""

from datetime import timedelta
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from app.compete.tournaments.presenter import row_views
from app.compete.tournaments.service import Tournaments
from app.compete.tournaments.views import TournamentRow
from app.core.web.deps import Part
from app.core.web.redirects import go
from app.core.web.render import fingerprint, page
from app.learn.puzzles.presenter import puzzles_of_today
from app.learn.puzzles.service import Puzzles
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import SignedIn, Viewer
from app.play.bots.fair_play import NEAR, PUZZLES_REMEMBERED
from app.play.days.days import today
from app.play.games.decisions import PATIENCE
from app.play.games.game import RATED_FROM
from app.play.games.presenter.cards import featured, games_to_go_on
from app.play.games.service import Games
from app.play.lobby.decisions import FIRST_PAUSE, LAST_GAMES, LONGEST_PAUSE, TOLERATED_ABORTS
from app.play.lobby.forms import Filter
from app.play.lobby.presenter import WAYS, chosen_game
from app.play.lobby.service import Lobby
from app.play.pairing.presenter import who_waits
from app.play.pairing.service import Pairing
from app.play.ratings.counting import COUNTED_OF_PAIR, OPPONENTS_TO_SETTLE, RATED_A_DAY, SHARE_OF_PAIR
from app.play.ratings.rerating import FOUNDING_TIME
from app.site.event_stream.service import situation
from app.site.home.presenter import GAMES_SHOWN, live_home
from engine.golden_nugget.lineage import DERIVED_FROM
from engine.search.levels import USUAL

router = page_router()

_WAITING, _TOURNAMENTS = 5, 2


@router.get("/")
async def home(
    viewer: Viewer,
    games: Part[Games],
    lobby: Part[Lobby],
    pairing: Part[Pairing],
    puzzles: Part[Puzzles],
    tournaments: Part[Tournaments],
    offer: Annotated[str, Query(max_length=32)] = "",
) -> Response:
    """Show the ways to a game, the viewer's games under way, what is on today, and open challenges."""
    chosen = chosen_game(offer)
    overview = await lobby.overview(viewer)
    searches, challenges = who_waits(
        await pairing.listing(), await lobby.listing(), viewer, overview, Filter()
    )
    to_go_on = games_to_go_on(overview.games)
    live = live_home(overview, to_go_on) if viewer else None
    return page(
        "pages/home.html",
        games=GAMES_SHOWN,
        daily=await puzzles_of_today(puzzles, viewer, chosen.key),
        today=today(),
        tournaments=await _tournaments(tournaments, viewer),
        searches=searches[:_WAITING],
        challenges=challenges[: max(0, _WAITING - len(searches))],
        to_go_on=to_go_on,
        live=live,
        shown=fingerprint(live.update) if live else "",
        minis=await featured(games),
        chosen=chosen,
        ways=WAYS,
        usual_level=USUAL,
    )


async def _tournaments(tournaments: Tournaments, viewer: Identity | None) -> list[TournamentRow]:
    """Return the first tournaments that are played, or that come if there are fewer."""
    shown = (await tournaments.now_and_soon(_TOURNAMENTS))[:_TOURNAMENTS]
    return row_views(shown, await tournaments.list_reader(viewer, shown))


@router.get("/games/next")
async def next_game(
    viewer: SignedIn, games: Part[Games], lobby: Part[Lobby], after: Annotated[str, Query(max_length=32)] = ""
) -> Response:
    """Go to the game that waits for the viewer after another one, the most urgent one by default."""
    turns = [game.id for game in (await situation(viewer.id, games, lobby)).turns]
    following = turns.index(after) + 1 if after in turns else 0
    return go(f"/games/{turns[following % len(turns)]}" if turns else "/games")


@router.get("/fair-play")
async def fair_play() -> Response:
    """Explain what counts for ratings, and what is done against unfair play."""
    return page(
        "pages/fair_play.html",
        moves_to_rate=RATED_FROM // 2,
        rated_a_day=RATED_A_DAY,
        opponents=OPPONENTS_TO_SETTLE,
        of_pair=COUNTED_OF_PAIR,
        share_of_pair=round(100 * SHARE_OF_PAIR),
        founding_days=FOUNDING_TIME.days,
        near=NEAR,
        puzzles=PUZZLES_REMEMBERED,
        patience=PATIENCE // 1000,
        tolerated=TOLERATED_ABORTS,
        last_games=LAST_GAMES,
        pause=FIRST_PAUSE // timedelta(minutes=1),
        longest_pause=LONGEST_PAUSE // timedelta(hours=1),
        derived_from=DERIVED_FROM,
    )
