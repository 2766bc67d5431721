"""FastAPI dependencies of routes about conditional moves."""

from typing import Annotated

from app.core.web.deps import part
from app.play.conditions.service import Conditions

ConditionsDep = Annotated[Conditions, part("conditions")]
