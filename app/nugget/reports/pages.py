"""Files and the form of a final report, which is the page of a competition that is over."""

import asyncio

from starlette.responses import Response, StreamingResponse

from app.core.errors import found
from app.core.web.cards import shared_picture
from app.core.web.deps import Part
from app.core.web.downloads import attachment, begun
from app.nugget.competitions import Competitions
from app.nugget.drawing import film_of
from app.nugget.reports import api
from app.nugget.reports.service import Reports
from app.people.identity.pages import page_router
from app.people.identity.throttled import COMPUTING

router = page_router()

_PATH = "/nugget/competitions/{competition_id:competition}"


@router.get(f"{_PATH}/film.svg", dependencies=[COMPUTING])
async def film(competition_id: str, competitions: Part[Competitions], reports: Part[Reports]) -> Response:
    """Return the winner's solved boards, one after the other."""
    winner = found(await reports.winner(await competitions.get(competition_id)), "competition")
    drawn, _shown = await asyncio.to_thread(film_of, [play.board for play in winner.boards])
    return shared_picture(drawn)


@router.get(f"{_PATH}/records.jsonl")
async def records(competition_id: str, reports: Part[Reports]) -> Response:
    """Download all records of a competition that is over, one on each line."""
    headers = attachment(f"{competition_id}-records.jsonl")
    lines = await begun(await reports.records(competition_id))
    return StreamingResponse(lines, media_type="application/jsonl", headers=headers)


router.form(f"{_PATH}/method", api.describe, then="/nugget/competitions/{competition_id}")
