"""FastAPI dependencies of routes about relations between players."""

from typing import Annotated

from app.core.web.deps import part
from app.core.web.paths import register_choice
from app.people.social.relations import Relation
from app.people.social.service import Social

register_choice("relation", Relation)

SocialDep = Annotated[Social, part("social")]
