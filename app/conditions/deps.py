"""FastAPI dependencies of routes about conditional moves."""

from typing import Annotated

from app.conditions.service import Conditions
from app.web.deps import part

ConditionsDep = Annotated[Conditions, part("conditions")]
