"""FastAPI dependencies of routes about accounts."""

from typing import Annotated

from fastapi import Depends

from app.accounts.guests import Guests
from app.accounts.log_ins import LogIns
from app.accounts.passkeys import Site
from app.accounts.recovery import Recovery
from app.accounts.security import Security
from app.accounts.service import Accounts
from app.web.deps import SiteUrl, part

AccountsDep = Annotated[Accounts, part("accounts")]
GuestsDep = Annotated[Guests, part("guests")]
LogInsDep = Annotated[LogIns, part("log_ins")]
SecurityDep = Annotated[Security, part("security")]


async def _site(site_url: SiteUrl) -> Site:
    return Site(site_url)


SiteDep = Annotated[Site, Depends(_site)]
RecoveryDep = Annotated[Recovery, part("recovery")]
