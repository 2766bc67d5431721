"""FastAPI dependencies of routes about accounts."""

from typing import Annotated

from fastapi import Depends

from app.core.web.deps import SiteUrl, part
from app.site.accounts.guests import Guests
from app.site.accounts.log_ins import LogIns
from app.site.accounts.passkeys import Site
from app.site.accounts.recovery import Recovery
from app.site.accounts.security import Security
from app.site.accounts.service import Accounts

AccountsDep = Annotated[Accounts, part("accounts")]
GuestsDep = Annotated[Guests, part("guests")]
LogInsDep = Annotated[LogIns, part("log_ins")]
SecurityDep = Annotated[Security, part("security")]


async def _site(site_url: SiteUrl) -> Site:
    return Site(site_url)


SiteDep = Annotated[Site, Depends(_site)]
RecoveryDep = Annotated[Recovery, part("recovery")]
