"""What addresses and forms call a competition, as types of parameters.

Ids have no words: a title may be changed, or removed by a moderator, and an id stays. Those of competitions
began with words of the title once; old addresses lead to the same competition by the rest.
"""

import re
from typing import Annotated

from fastapi import Form, Query
from pydantic import AfterValidator

from app.core import ids
from app.core.web.paths import register_pattern

PATTERN = "[a-z0-9-]{1,64}"
"""The regular expression of what a competition is called."""

_WORDED = re.compile(rf"[a-z0-9-]+-({ids.PATTERN})")


def without_words(called: str) -> str:
    """Return the id of a competition by what an address calls it."""
    worded = _WORDED.fullmatch(called)
    return worded[1] if worded else called


CompetitionId = Annotated[str, AfterValidator(without_words)]

QueryCompetition = Annotated[CompetitionId, Query(pattern=rf"^({PATTERN})?$")]
"""The id of a competition in a query; may be empty."""

FormCompetition = Annotated[CompetitionId, Form(pattern=rf"^({PATTERN})?$")]
"""The id of a competition in a form; may be empty."""

register_pattern("competition", PATTERN, without_words)
