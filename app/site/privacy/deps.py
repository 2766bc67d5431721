"""FastAPI dependencies of routes about a person's data."""

from typing import Annotated

from app.core.web.deps import part
from app.site.privacy.service import Privacy

PrivacyDep = Annotated[Privacy, part("privacy")]
