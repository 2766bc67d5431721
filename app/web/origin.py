"""Proof that a request was made by one of our own pages, against forged cross-site requests.

Browsers say with every unsafe request where it comes from (Sec-Fetch-Site, Origin), and a page cannot
change what they say. A request that relies on a cookie must carry that proof.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers

from app.errors import ForbiddenError


def check_same_origin(headers: Headers, public_url: str | None) -> None:
    """Let through what our own pages sent. Raises ForbiddenError `cross_site` or `no_origin`."""
    origin = headers.get("origin")
    if origin is not None:
        if not _is_ours(origin, headers.get("host", ""), public_url):
            raise ForbiddenError(
                "cross_site", "This request came from another site, so it was not carried out."
            )
        return
    if headers.get("sec-fetch-site") in ("same-origin", "none"):
        return
    raise ForbiddenError(
        "no_origin",
        "This request does not say which page it came from, so it was not carried out. "
        "Programs use /api/v1 with a token; browsers send an Origin header.",
    )


def is_foreign(headers: Headers, public_url: str | None) -> bool:
    """Tell whether a page of another site sent this; programs send no Origin and are not foreign."""
    origin = headers.get("origin")
    return origin is not None and not _is_ours(origin, headers.get("host", ""), public_url)


def _is_ours(origin: str, host: str, public_url: str | None) -> bool:
    if public_url is not None:
        return origin == public_url.rstrip("/")
    return urlsplit(origin).netloc.lower() == host.lower() != ""
