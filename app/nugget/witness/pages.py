"""Pages of what this server has seen of the ledgers of others."""

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from app.core.i18n.text import Text, _
from app.core.web.deps import Part
from app.core.web.params import Cursor
from app.core.web.render import page
from app.nugget.witness.decisions import Conflict
from app.nugget.witness.service import Witness
from app.people.identity.pages import page_router

router = page_router()

_LISTED = 50  # heads
_CONFLICTS: Final[Mapping[str, Text]] = {
    Conflict.OTHER_KEY: _("signed by another key"),
    Conflict.BAD_SIGNATURE: _("the signature is wrong"),
    Conflict.OTHER_HASH: _("had another hash before"),
    Conflict.SHORTER: _("the ledger was longer before"),
}


@router.get("/nugget/witnessed")
async def servers(witness: Part[Witness]) -> Response:
    """List the servers that this one is a witness of."""
    return page("pages/nugget_witnessed.html", servers=await witness.servers())


@router.get("/nugget/witnessed/{server_id:id}")
async def server(server_id: str, witness: Part[Witness], cursor: Cursor = "") -> Response:
    """Show what was seen of a server."""
    shown, seen = await witness.heads(server_id, cursor, _LISTED)
    return page(
        "pages/nugget_witnessed_server.html",
        server=shown,
        heads=seen.rows,
        words=_CONFLICTS,
        cursor=cursor,
        next=seen.next,
    )
