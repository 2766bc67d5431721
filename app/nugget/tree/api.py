"""The open tree for programs."""

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.nugget.schemas import RunShown
from app.nugget.tree.paths import node_of
from app.nugget.tree.reading import NodeShown, Tree
from app.nugget.tree.service import Continuing
from app.people.identity.throttled import ChallengingProgram

router = Router(prefix="/api/v1", tags=["golden nugget"])


@router.get("/nugget/tree/{node:node}", responses=problems(409))
async def one_node(node: str, tree: Part[Tree]) -> NodeShown:
    """Return a position between boards of published entries: how it is reached, and what follows."""
    return await tree.node(node_of(node))


@router.post("/nugget/tree/{node:node}/runs", status_code=201, responses=problems(409))
async def begin_run(node: str, program: ChallengingProgram, continuing: Part[Continuing]) -> RunShown:
    """Start a run that plays on from a node, after the boards that reach it in the fewest moves."""
    return RunShown.of(await continuing.begin(program.id, node_of(node)))
