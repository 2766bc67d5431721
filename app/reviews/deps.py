"""FastAPI dependencies of routes about reviews."""

from typing import Annotated

from app.reviews.service import Reviews
from app.web.deps import part

ReviewsDep = Annotated[Reviews, part("reviews")]
