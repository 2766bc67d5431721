"""What this server has seen of the ledgers of others, for programs that compare."""

from collections.abc import Sequence

from app.core.web.deps import Part
from app.core.web.params import PageDep, RankedList
from app.core.web.routes import Router
from app.nugget.witness.queries import WitnessedHeadShown, WitnessedServerShown
from app.nugget.witness.service import Witness


class WitnessedHeadList(RankedList[WitnessedHeadShown]):
    """A page of what was seen of a server, the latest first, and the cursor of the next one."""


router = Router(prefix="/api/v1", tags=["golden nugget"])


@router.get("/nugget/witnessed")
async def servers(witness: Part[Witness]) -> Sequence[WitnessedServerShown]:
    """Return the servers that this one is a witness of."""
    return await witness.servers()


@router.get("/nugget/witnessed/{server_id:id}/heads")
async def heads(server_id: str, witness: Part[Witness], page: PageDep) -> WitnessedHeadList:
    """Return a page of the heads that were seen of a server, the latest first."""
    _server, seen = await witness.heads(server_id, *page)
    return WitnessedHeadList.of(seen)
