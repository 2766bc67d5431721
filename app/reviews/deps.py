"""FastAPI dependencies of routes about reviews."""

from typing import Annotated

from app.reviews.boards import BoardReviews
from app.reviews.service import Reviews
from app.web.deps import part

ReviewsDep = Annotated[Reviews, part("reviews")]
BoardReviewsDep = Annotated[BoardReviews, part("boards")]
