"""The form by which running games are listed."""

from typing import Annotated, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, Field

from app.core.web.params import PageNumber


class WatchFilter(BaseModel):
    """Which running games are listed, and which page of them; an empty field does not limit them."""

    game: Annotated[str, Field(max_length=32)] = ""
    rated: Literal["", "yes", "no"] = ""
    players: Literal["", "people"] = ""
    number: PageNumber = 1

    @property
    def query(self) -> str:
        """Return the filter as a query string, for the address of the live connection."""
        return urlencode(self.model_dump(exclude_defaults=True))
