"""The FastAPI dependency of routes that set up or ask for passkeys."""

from typing import Annotated

from fastapi import Depends

from app.core.web.deps import SiteUrl
from app.site.accounts.passkeys import Site


async def _site(site_url: SiteUrl) -> Site:
    return Site(site_url)


SiteDep = Annotated[Site, Depends(_site)]
