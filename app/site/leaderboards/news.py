"""What players are notified of on leaderboards."""

from app.core.i18n.text import _
from app.people.inbox.kinds import SPARING, Kind, NewsKind, Sent, declare

_STILL_BEFORE = """
SELECT FROM nugget_standings theirs JOIN nugget_standings mine USING (ranking)
WHERE ranking = notifications.subject
AND theirs.account_id = notifications.actor_id AND mine.account_id = notifications.account_id
AND (theirs.mean_key, theirs.fewer_boards, theirs.last_boards)
    < (mine.mean_key, mine.fewer_boards, mine.last_boards)
"""

declare(
    Kind(
        NewsKind.PLACE_LOST,
        _("%(player)s took your place on a leaderboard"),
        "{page}",
        # Entries of Golden Nugget may be withdrawn. The score of a game for one, whose subject ends with the
        # size of its board, stays.
        still_true=f"SELECT WHERE notifications.subject ~ ':[0-9]+$' OR EXISTS ({_STILL_BEFORE})",
        sent=Sent(_("Places that you lose on a leaderboard"), SPARING),
    )
)
