"""FastAPI dependencies of routes about studies."""

from typing import Annotated

from app.core.web.deps import part
from app.learn.studies.service import Studies

StudiesDep = Annotated[Studies, part("studies")]
