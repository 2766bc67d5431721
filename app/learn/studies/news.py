"""What players are notified of when a game is looked at together."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.i18n.text import _
from app.people.inbox.kinds import Kind, NewsKind, declare
from app.people.inbox.service import News, notify
from app.play.games.game import GameState

declare(
    Kind(
        NewsKind.SHARED_BOARD,
        _("%(player)s wants to look at your game together"),
        "/studies/{subject}",
        still_true="SELECT FROM studies WHERE studies.id = notifications.subject",
    )
)


async def tell_opponent(session: AsyncSession, study_id: str, state: GameState, opened_by: int) -> list[int]:
    """Notify who played a game with an account that it has opened their board; return whom."""
    told = [player.id for player in state.players if player.id != opened_by]
    data = {"game": state.game}
    await notify(session, *(News(each, NewsKind.SHARED_BOARD, study_id, opened_by, data) for each in told))
    return told
