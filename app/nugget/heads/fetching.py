"""Reading what other sites publish, within limits of time and size.

Only operators name sites, so one may be in their own network. It cannot lead elsewhere: no redirect is
followed.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from app.core import json
from app.core.later import Later

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = Later("aiohttp")

_WITHIN: Final = 60  # seconds until something of an answer comes; more comes in parts
_DOCUMENT: Final = 4 << 20  # bytes
LEDGER: Final = 1 << 30
"""The most bytes of a ledger: some two million links."""

_PORTS: Final = {"http": 80, "https": 443}
_LONGEST_ADDRESS: Final = 300
_NOT_SHOWN: Final = (403, 404)


class SiteError(Exception):
    """A site cannot be read, with a sentence for people."""


class NotShownError(SiteError):
    """A site does not show something, or does not have it."""


def address_of(url: str) -> str:
    """Return the address of a site in the form in which equal ones are equal. Raise ValueError."""
    parts = urlsplit(url.strip())
    port = parts.port
    if (
        parts.scheme not in _PORTS
        or not parts.hostname
        or not url.isascii()
        or len(url) > _LONGEST_ADDRESS
        or parts.username is not None
        or parts.query
        or parts.fragment
    ):
        raise ValueError(f"{url!r} is not the address of a site, such as https://play.example.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    shown_port = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown_port}{parts.path.rstrip('/')}"


class Site:
    """A site, of which texts and documents are read by their paths."""

    def __init__(self, client: "aiohttp.ClientSession", url: str) -> None:
        self._client = client
        self._url = url

    async def content(self, path: str, most: int = _DOCUMENT) -> bytes:
        """Return what is at a path. Raise SiteError, also for more than `most` bytes."""
        content = bytearray()
        try:
            async with self._client.get(self._url + path, allow_redirects=False) as answer:
                if answer.status in _NOT_SHOWN:
                    raise NotShownError(f"{path} answers {answer.status}.")
                if 300 <= answer.status < 400:
                    raise SiteError(f"{path} leads to another address. Name that one.")
                if answer.status != 200:
                    raise SiteError(f"{path} answers {answer.status}.")
                async for part in answer.content.iter_any():
                    content += part
                    if len(content) > most:
                        raise SiteError(f"{path} has more than {most} bytes.")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise SiteError(f"{path} cannot be read: {error}.") from None
        return bytes(content)

    async def text(self, path: str, most: int = _DOCUMENT) -> str:
        """Return the text at a path. Raise SiteError."""
        try:
            return (await self.content(path, most)).decode()
        except UnicodeDecodeError:
            raise SiteError(f"{path} is not UTF-8 text.") from None

    async def document(self, path: str) -> Any:
        """Return the JSON at a path. Raise SiteError."""
        try:
            return json.decode(await self.content(path))
        except ValueError:
            raise SiteError(f"{path} is not JSON.") from None


@asynccontextmanager
async def open_site(url: str) -> AsyncIterator[Site]:
    """Yield the site at an address. Raise SiteError if it is none."""
    try:
        address = address_of(url)
    except ValueError as error:
        raise SiteError(str(error)) from None
    async with aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=_WITHIN, sock_read=_WITHIN),
        headers={"Accept-Encoding": "identity"},  # little that comes must not become much
        auto_decompress=False,
    ) as client:
        yield Site(client, address)
