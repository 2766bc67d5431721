"""What is asked of records: among whom, and on how many boards."""

from typing import Annotated, Literal

from fastapi import Query

from engine.golden_nugget.board import MAX_BOARDS

QueryPlayers = Literal["people", "everybody"]
"""The players among whom records are; everybody is people and computers."""

QueryBoards = Annotated[int, Query(ge=1, le=MAX_BOARDS)]
"""How many first boards are asked for."""

QueryLength = Literal["20", "50", "100", "200"]
"""The lengths that pages show."""
