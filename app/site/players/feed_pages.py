"""The feed of the games of a player."""

from urllib.parse import quote

from starlette.responses import Response

from app.core.i18n.text import Text, _
from app.core.web.atom import FeedEntry, feed
from app.core.web.deps import Part, SiteUrl
from app.people.identity.pages import page_router
from app.play.games.presenter.cards import GameCard
from app.play.games.queries import GameSummary
from app.site.players.service import Players

router = page_router()

_LISTED = 50


@router.get("/feeds/players/{username}.atom")
async def games_feed(username: str, players: Part[Players], site_url: SiteUrl) -> Response:
    """Return the finished games of a player that everybody may see, the latest first, as a feed."""
    listed = await players.games(username, None, number=1, limit=_LISTED, status="finished")
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
