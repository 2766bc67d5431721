"""What players are notified of when challenges are made and answered."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.i18n.text import _
from app.people.identity.service import Identity
from app.people.inbox.kinds import SPARING, Kind, NewsKind, Sent, declare
from app.people.inbox.service import News, notify, withdraw
from app.play.lobby.challenges import ChallengeInfo
from engine.clock import is_realtime

declare(
    Kind(
        NewsKind.CHALLENGE,
        _("%(player)s challenges you"),
        "/challenges/{subject}",
        still_true="SELECT FROM challenges WHERE challenges.id = notifications.subject AND status = 'open'",
        sent=Sent(_("Challenges to you"), SPARING),
    ),
    Kind(NewsKind.CHALLENGE_ACCEPTED, _("%(player)s accepted your challenge"), "/games/{subject}"),
    Kind(NewsKind.CHALLENGE_DECLINED, _("%(player)s declined your challenge"), "/challenges/{subject}"),
)


async def tell_opponent(session: AsyncSession, challenge: ChallengeInfo) -> None:
    """Notify the opponent of a direct challenge that waits for an answer."""
    if challenge.opponent is not None and challenge.status == "open":
        data = {"game": challenge.terms.game}
        await notify(
            session, News(challenge.opponent.id, NewsKind.CHALLENGE, challenge.id, challenge.maker.id, data)
        )


async def tell_accepted(session: AsyncSession, challenge: ChallengeInfo, accepted_by: Identity) -> None:
    """Notify the maker of a challenge that a game has begun; in real time, the maker is there to see it."""
    if not is_realtime(challenge.terms.control):
        subject = challenge.game_id or challenge.id
        await _tell_maker(session, challenge, NewsKind.CHALLENGE_ACCEPTED, subject, accepted_by)


async def tell_declined(session: AsyncSession, challenge: ChallengeInfo, declined_by: Identity) -> None:
    """Notify the maker of a challenge that it was declined."""
    await _tell_maker(session, challenge, NewsKind.CHALLENGE_DECLINED, challenge.id, declined_by)


async def withdraw_offer(session: AsyncSession, challenge: ChallengeInfo) -> None:
    """Delete the notification of a challenge that is no longer open."""
    if challenge.opponent is not None:
        await withdraw(session, challenge.id, [challenge.opponent.id], NewsKind.CHALLENGE)


async def _tell_maker(
    session: AsyncSession, challenge: ChallengeInfo, kind: NewsKind, subject: str, answered_by: Identity
) -> None:
    data = {"game": challenge.terms.game}
    await notify(session, News(challenge.maker.id, kind, subject, answered_by.id, data))
