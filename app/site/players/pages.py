"""The pages of players: profiles, games as pages and feeds, and the settings of the own profile."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated
from urllib.parse import quote

from fastapi import Query, Request
from starlette.responses import HTMLResponse, Response

from app.compete.tournaments.seasons import Seasons
from app.compete.tournaments.service import Tournaments
from app.compete.tournaments.wording import season_text
from app.core.errors import AppError
from app.core.i18n.names import countries, languages
from app.core.i18n.text import Text, _
from app.core.moments import utc_now
from app.core.web.atom import FeedEntry, feed
from app.core.web.cards import Cards
from app.core.web.deps import Part, SiteUrl
from app.core.web.forms import SubmissionDep, drawn_with
from app.core.web.params import PageNumber, page_of_list
from app.core.web.render import fragment, page, wants_partial
from app.people.identity.pages import page_router
from app.people.identity.throttled import SEARCHING, Stepping
from app.people.identity.viewer import PageOwner, SignedIn, Viewer
from app.play.games.boards import BOARDS
from app.play.games.presenter.cards import GameCard, game_cards
from app.play.games.queries import GameSummary
from app.play.games.service import Games
from app.play.games.wording import SPEEDS, rating_text, uncertainty
from app.site.players import presenter
from app.site.players.presenter import activity_view
from app.site.players.queries import GamesWanted
from app.site.players.schemas import MOST_CHARACTERS, AboutForm, GameFilter
from app.site.players.service import Players
from engine.jadejack import JADEJACK
from engine.registry import GAMES, SOLITAIRE

router = page_router()

_PAGE = 30
_FOUND = 30
_SUGGESTED = 8
_OPPONENTS = 12
_MOST_UNDER_WAY = 500
_IN_FEED = 50
NameStart = Annotated[str, Query(max_length=64)]


@router.get("/games")
async def my_games(
    viewer: PageOwner, players: Part[Players], games: Part[Games], number: PageNumber = 1
) -> Response:
    """Show the viewer's games: those under way, the most urgent first, and those that are over."""
    over = await players.games_over(viewer, number=number, limit=_PAGE)
    return page(
        "pages/my_games.html",
        games=game_cards(await games.under_way(viewer.id, limit=_MOST_UNDER_WAY)),
        over=[GameCard(game) for game in over.games],
        shown=page_of_list(over.games, number, has_more=over.has_more),
    )


@router.get("/players", dependencies=[SEARCHING])
async def search(viewer: Viewer, players: Part[Players], q: NameStart = "") -> Response:
    """Find players by the beginning of their names; show who is online, and the viewer's last opponents."""
    accounts = await players.named(q.strip(), _FOUND)
    if wants_partial():
        return HTMLResponse(fragment("partials/players_found.html", accounts=accounts, q=q))
    return page(
        "pages/players.html",
        accounts=accounts,
        q=q,
        online=await players.online(viewer),
        opponents=await players.recent_opponents(viewer.id, _OPPONENTS) if viewer else (),
    )


@router.get("/player-suggestions", dependencies=[SEARCHING])
async def suggestions(players: Part[Players], opponent: NameStart = "") -> Response:
    """Return names for the field of an opponent, as options."""
    accounts = await players.named(opponent.strip(), _SUGGESTED)
    return HTMLResponse(fragment("partials/player_options.html", accounts=accounts))


@router.get("/players/{username}/card.png")
async def card(request: Request, username: str, players: Part[Players], cards: Part[Cards]) -> Response:
    """Return a picture of a player for links to the profile."""
    player = await players.profile(username, None)
    ratings = [f"{GAMES[rating.game].title} {rating_text(rating.rating)}" for rating in player.ratings]
    return await cards.response(request, BOARDS[JADEJACK].still(), [player.account.username, *ratings])


@router.get("/players/{username}")
async def profile(
    username: str,
    viewer: Viewer,
    players: Part[Players],
    tournaments: Part[Tournaments],
    seasons: Part[Seasons],
    wanted: Annotated[GameFilter, Query()],
) -> Response:
    """Show a player: ratings with their charts, results, best scores, entries and games."""
    player = await players.profile(username, viewer)
    games = await players.games_of(player.account, viewer, wanted.games, number=wanted.number, limit=_PAGE)
    whose = None if viewer and viewer.id == player.account.id else player.account.username
    return page(
        "pages/player.html",
        profile=player,
        player=player.account,
        description=presenter.description(player.account),
        links=presenter.link_views(player.about),
        may_meet=presenter.may_meet(player.account, viewer, player.relations),
        relations=presenter.relation_buttons(player.account, player.relations),
        awards=[presenter.award_view(award) for award in player.awards],
        trophies=await tournaments.trophies(player.account.id),
        seasons=[(season_text(each.season), each) for each in await seasons.places_of(player.account.id)],
        missing=presenter.missing,
        history_chart=presenter.history_chart,
        history_rows=presenter.history_rows,
        rating_text=rating_text,
        uncertainty=uncertainty,
        speeds=SPEEDS,
        activity=activity_view(player.activity, utc_now().date()),
        best=[(SOLITAIRE[key], size, score) for key, size, score in player.scores],
        games=[GameCard(game, player=whose) for game in games.games],
        filters=presenter.FILTERS,
        wanted=wanted.model_dump(exclude={"number"}),
        shown=page_of_list(games.games, wanted.number, has_more=games.has_more),
        entries=player.entries,
    )


@router.get("/account/profile")
async def profile_page(viewer: SignedIn, players: Part[Players], saved: str = "") -> Response:
    """Show what the viewer tells on the profile, to change it."""
    values = drawn_with(presenter.about_values(await players.about(viewer)))
    return await _settings(values, is_saved=saved == "1")


@router.post("/account/profile")
async def describe(viewer: Stepping, players: Part[Players], submission: SubmissionDep) -> Response:
    """Store what the viewer tells on the profile."""
    return await submission.change(
        partial(players.describe, viewer),
        presenter.about_values,
        lambda sent: sent.parse(AboutForm).about,
        then="/account/profile?saved=1",
        refused=partial(_settings, submission.values),
    )


async def _settings(
    values: Mapping[str, str], error: AppError | None = None, *, is_saved: bool = False
) -> Response:
    return page(
        "pages/profile_settings.html",
        failure=error,
        form_values=values,
        is_saved=is_saved,
        most_characters=MOST_CHARACTERS,
        countries=countries(),
        known_languages=languages(),
    )


@router.get("/feeds/players/{username}.atom")
async def games_feed(username: str, players: Part[Players], site_url: SiteUrl) -> Response:
    """Return the finished games of a player that everybody may see, the latest first, as a feed."""
    listed = await players.games(username, None, GamesWanted(status="finished"), number=1, limit=_IN_FEED)
    player = listed.username
    return feed(
        f"/feeds/players/{quote(player)}.atom",
        f"/players/{quote(player)}",
        _("Games of %(player)s", player=player),
        [_entry(player, game) for game in listed.games],
        site_url,
    )


def _entry(player: str, game: GameSummary) -> FeedEntry:
    card = GameCard(game, player=player)
    # The other player's feed has the same game with the other result.
    return FeedEntry(
        f"/games/{game.id}", game.side, _title(player, card), player, game.updated_at, [card.terms]
    )


def _title(player: str, card: GameCard) -> Text:
    if opponent := card.game.opponent:
        return _(
            "%(player)s against %(opponent)s: %(result)s",
            player=player,
            opponent=opponent,
            result=card.state,
        )
    return _("%(player)s, %(game)s: %(result)s", player=player, game=card.title, result=card.state)
