"""FastAPI dependencies of routes about reviews."""

from typing import Annotated

from app.core.web.deps import part
from app.learn.reviews.boards import BoardReviews
from app.learn.reviews.service import Reviews

ReviewsDep = Annotated[Reviews, part("reviews")]
BoardReviewsDep = Annotated[BoardReviews, part("boards")]
