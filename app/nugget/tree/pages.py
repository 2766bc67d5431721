"""The page of a node of the tree."""

from starlette.responses import FileResponse, Response

from app.core.web.deps import Part
from app.core.web.downloads import attachment
from app.core.web.redirects import go
from app.core.web.render import page
from app.core.web.throttle import Limit
from app.nugget.bounds.proven import CERTIFICATE
from app.nugget.drawing import draw_still
from app.nugget.tree.paths import node_name, node_of
from app.nugget.tree.reading import Tree
from app.nugget.tree.service import Continuing
from app.people.identity.pages import page_router
from app.people.identity.viewer import SignInDep, Viewer
from engine.golden_nugget.board import MAX_BOARDS
from engine.golden_nugget.tree import START_NODE

router = page_router()


@router.get("/nugget/tree/{node:node}")
async def node_page(node: str, tree: Part[Tree]) -> Response:
    """Show a position between boards: how it is reached, and what follows."""
    shown = await tree.node(node_of(node))
    return page(
        "pages/nugget_node.html",
        node=shown,
        path=f"/nugget/tree/{node}",
        drawing=draw_still(shown.position),
        node_name=node_name,
        may_be_played=shown.number <= MAX_BOARDS,
    )


@router.get("/nugget/tree/{node:node}/certificate.json")
async def certificate(node: str, tree: Part[Tree]) -> Response:
    """Download the proof of the bound of a board."""
    number = node_of(node)
    if number == START_NODE:
        return FileResponse(CERTIFICATE, filename=CERTIFICATE.name, media_type="application/json")
    headers = attachment(f"golden-nugget-{node}-bound.json")
    return Response(await tree.certificate(number), media_type="application/json", headers=headers)


@router.post("/nugget/tree/{node:node}/runs")
async def begin_run(node: str, viewer: Viewer, sign_in: SignInDep, continuing: Part[Continuing]) -> Response:
    """Start a run that plays on from here; anonymous visitors become guests."""
    account = await sign_in.limited(viewer, Limit.CHALLENGE)
    run = await continuing.begin(account.id, node_of(node))
    return sign_in.finish(go(f"/nugget/runs/{run.id}"))
