"""What players are notified of on leaderboards."""

from sqlalchemy import BigInteger, literal_column
from sqlalchemy.dialects.postgresql import dialect

from app.core.i18n.text import _
from app.people.identity.ranked import is_ranked
from app.people.inbox.kinds import SPARING, Kind, NewsKind, Sent, declare

_ACTOR = literal_column("notifications.actor_id", BigInteger)
_IS_RANKED = is_ranked(_ACTOR).compile(dialect=dialect())  # type: ignore[no-untyped-call]
# In the orders of the two rankings: a place may be won back, or be free again.
_BEFORE_IN_NUGGET = """
SELECT FROM nugget_standings theirs JOIN nugget_standings mine USING (ranking)
WHERE ranking = notifications.subject
AND theirs.account_id = notifications.actor_id AND mine.account_id = notifications.account_id
AND (theirs.mean_key, theirs.fewer_boards, theirs.last_boards)
    < (mine.mean_key, mine.fewer_boards, mine.last_boards)
"""
_BEFORE_IN_SCORES = """
SELECT FROM scores theirs JOIN scores mine USING (game, size)
WHERE concat_ws(':', game, size) = notifications.subject AND theirs.is_best AND mine.is_best
AND theirs.account_id = notifications.actor_id AND mine.account_id = notifications.account_id
AND (-theirs.points, theirs.tie_break, theirs.submitted_at, theirs.game_id)
    < (-mine.points, mine.tie_break, mine.submitted_at, mine.game_id)
"""

declare(
    Kind(
        NewsKind.PLACE_LOST,
        _("%(player)s took your place on a leaderboard"),
        "{page}",
        still_true=(
            f"SELECT WHERE {_IS_RANKED} AND (EXISTS ({_BEFORE_IN_NUGGET}) OR EXISTS ({_BEFORE_IN_SCORES}))"
        ),
        sent=Sent(_("Places that you lose on a leaderboard"), SPARING),
    )
)
