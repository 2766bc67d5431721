"""The signed head of the ledger, and the keys to check it with."""

from collections.abc import Sequence

from app.core.web.deps import Part
from app.core.web.routes import Router
from app.nugget.heads.service import Heads
from app.nugget.heads.signing import HeadShown

router = Router(prefix="/api/v1", tags=["golden nugget"])


@router.get("/nugget/ledger/head")
async def head(heads: Part[Heads]) -> HeadShown:
    """Return the signed head of the ledger. Keep it: it proves what the ledger was."""
    return await heads.current()


@router.get("/nugget/ledger/heads")
async def latest_heads(heads: Part[Heads]) -> Sequence[HeadShown]:
    """Return the last 50 heads that were signed, the latest first."""
    return await heads.latest()
