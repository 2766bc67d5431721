"""What the page of a finished game shows of its rematch."""

from app.core.events import Event, Resync, account_topic
from app.core.i18n.text import Text
from app.core.web.render import fragment
from app.live.connections import Socket
from app.live.messages import visit
from app.live.pushing import LiveSubscription, push
from app.people.identity.service import Identity
from app.play.games.game import GameState
from app.play.lobby.challenges import ChallengeChanged, ChallengeInfo
from app.play.lobby.presenter import ChallengeView, challenge_view
from app.play.lobby.service import Lobby


def rematch_view(offer: ChallengeInfo | None, viewer: Identity) -> ChallengeView | None:
    """Return the latest offer of a rematch, or none, as a player of the finished game sees it."""
    return None if offer is None else challenge_view(offer, viewer, {})


def rematch_update(
    game: GameState, offer: ChallengeInfo | None, viewer: Identity, message: Text | None = None
) -> str:
    """Return what shows a player of a finished game how far its rematch has come, with a notice if given."""
    return fragment(
        "partials/rematch_update.html",
        game_path=f"/games/{game.id}",
        is_main=game.tournament_id is None,
        rematch=rematch_view(offer, viewer),
        message=message,
    )


def show_rematch(socket: Socket, lobby: Lobby, game: GameState, known: str) -> None:
    """Show a player's page of a finished game how far its rematch has come, and lead it to that.

    The page is not led to the game that it has `known` since it was drawn.
    """

    async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        nonlocal known
        if isinstance(event, Event) and not isinstance(event, ChallengeChanged):
            return ""
        offer = await lobby.rematch_offer(game.id)
        if offer and offer.game_id and offer.game_id != known:
            known = offer.game_id
            socket.send(visit(f"/games/{known}"))
        return rematch_update(game, offer, socket.viewer)

    push(socket, render, account_topic(socket.viewer.id))
