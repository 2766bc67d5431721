"""The types of parameters in queries and forms that name something stored."""

from typing import Annotated

from fastapi import Form, Query

from app import ids

QueryId = Annotated[str, Query(pattern=rf"^({ids.PATTERN})?$")]
"""The id of a game, challenge, race, run or entry in a query; may be empty."""

FormSlug = Annotated[str, Form(max_length=64, pattern=r"^[a-z0-9-]*$")]
"""The id of a competition in a form; may be empty."""

Cursor = Annotated[str, Query(pattern=r"^[0-9a-z.+-]{0,32}(_[0-9]{1,18})?$")]
"""The position after which a page of a ranking begins, from `next` of the page before; empty: the first."""
