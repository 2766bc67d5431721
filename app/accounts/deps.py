"""FastAPI dependencies of routes about accounts."""

from typing import Annotated

from app.accounts.service import Accounts
from app.web.deps import part

AccountsDep = Annotated[Accounts, part("accounts")]
