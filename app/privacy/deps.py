"""FastAPI dependencies of routes about a person's data."""

from typing import Annotated

from app.privacy.service import Privacy
from app.web.deps import part

PrivacyDep = Annotated[Privacy, part("privacy")]
