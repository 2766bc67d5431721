"""FastAPI dependencies of routes about studies."""

from typing import Annotated

from app.studies.service import Studies
from app.web.deps import part

StudiesDep = Annotated[Studies, part("studies")]
