"""FastAPI dependencies of routes about relations between players."""

from typing import Annotated

from app.social.relations import Relation
from app.social.service import Social
from app.web.deps import part
from app.web.paths import register_choice

register_choice("relation", Relation)

SocialDep = Annotated[Social, part("social")]
