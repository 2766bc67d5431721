"""The addresses of the site and of its pages, and where a request comes from, as limits count it."""

from ipaddress import IPv4Address, IPv6Network, ip_network
from urllib.parse import quote, unquote, urlsplit

from starlette.requests import HTTPConnection

from app.core.i18n.languages import LANGUAGES
from app.core.ip import ip_of
from app.core.parts import parts_of
from app.core.settings import Settings
from app.core.web.conditional import methods_of

PARAMETER = "lang"
"""The parameter of an address that shows a page in a language, for links and for search engines."""


def site_url(connection: HTTPConnection) -> str:
    """Return the site's address as players type it, such as https://play.example."""
    public_url = parts_of(connection).get(Settings).public_url
    if public_url is not None:
        return public_url
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return f"{scheme}://{connection.url.netloc}"


def canonical_url(connection: HTTPConnection) -> str:
    """Return the one address of a page under which search engines list it, in the language of its address.

    Plies, filters and pages of a list are views of the same page. Parameters of the path are as their types
    read them, which may take several spellings.
    """
    language = connection.query_params.get(PARAMETER)
    chosen = f"?{PARAMETER}={language}" if language in LANGUAGES else ""
    path = path_of(connection)
    if (route := connection.scope.get("route")) and path == connection.url.path:
        path = quote(route.path_format.format(**connection.path_params))
    return f"{site_url(connection)}{path}{chosen}"


def own_path(url: str) -> str:
    """Return a `next` field if it is a path of this site, else the lobby's path."""
    is_ours = url.startswith("/") and not url.startswith(("//", "/\\")) and url.isprintable()
    return url if is_ours else "/lobby"


def page_of(connection: HTTPConnection) -> str:
    """Return the path and query of the page from which a request was sent; of a page itself, its own.

    The language is left out of the query: a reader who comes back to the page may have chosen another one.

    That page may itself have answered a form, at an address that takes forms only: then it is the one above.
    """
    headers = connection.headers
    is_page = connection.scope["method"] == "GET" and "HX-Request" not in headers
    url = str(connection.url) if is_page else headers.get("HX-Current-URL") or headers.get("Referer", "")
    try:
        parts = urlsplit(url)
    except ValueError:
        return own_path("")
    path = parts.path if is_page else _page_at(connection, parts.path)
    query = "&".join(each for each in parts.query.split("&") if not each.startswith(f"{PARAMETER}="))
    return own_path(f"{path}?{query}" if query and path == parts.path else path)


def _page_at(connection: HTTPConnection, path: str) -> str:
    """Return a path, or the first one above it at which there is a page, or "" if there is none."""
    while path and "GET" not in methods_of(connection.scope["app"], unquote(path)):
        path = path.rpartition("/")[0]
    return path


def path_of(connection: HTTPConnection) -> str:
    """Return the path at which the page that answers a request is found: that of a form, for its answer."""
    is_form = connection.scope["method"] not in ("GET", "HEAD")
    return urlsplit(page_of(connection)).path if is_form else connection.url.path


def network_of(connection: HTTPConnection) -> str:
    """Return the caller's IPv4 address or the /64 network of its IPv6 address, "unknown" without an address.

    A trusted proxy may have passed the address on. A customer of a provider usually has a whole /64.
    """
    return network(connection.client.host if connection.client else "")


def is_loopback(connection: HTTPConnection) -> bool:
    """Return whether a request comes from the server's own machine."""
    ip = ip_of(connection.client.host if connection.client else "")
    return ip is not None and ip.is_loopback


def network(address: str) -> str:
    """Return an IPv4 address as it is and an IPv6 address as its /64, "unknown" if it is neither."""
    ip = ip_of(address)
    if ip is None:
        return "unknown"
    if isinstance(ip, IPv4Address):
        return str(ip)
    return str(ip_network((int(ip), 64), strict=False))


def site_of(network: str) -> str | None:
    """Return the /48 that a caller's IPv6 network is a part of, None for all other callers.

    A provider gives a customer who wants many networks a whole /48.
    """
    if not network.endswith("/64"):  # each move asks, for an account
        return None
    try:
        return str(IPv6Network(network).supernet(new_prefix=48))
    except ValueError:
        return None
