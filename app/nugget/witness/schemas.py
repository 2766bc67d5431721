"""What was seen of a server, as the JSON API shows it."""

from app.core.web.params import RankedList
from app.nugget.witness.queries import WitnessedHeadShown


class WitnessedHeadList(RankedList[WitnessedHeadShown]):
    """A page of what was seen of a server, the latest first, and the cursor of the next one."""
