"""What a request comes from: a network, and a browser or program."""

import ipaddress
from dataclasses import dataclass

from app.core.i18n.text import Text, _

_BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}
_UNKNOWN = "A browser"
_ON = " on "


@dataclass(frozen=True, slots=True)
class Client:
    """The sender of a request: its IPv4 address or IPv6 network, its name, the token of its device cookie."""

    network: str
    browser: str
    device: str

    @property
    def shortened_network(self) -> str:
        """Return the network without what tells its customers apart: a /24 of IPv4, a /48 of IPv6."""
        try:
            ip = ipaddress.ip_network(self.network)
        except ValueError:
            return ""
        return str(ip.supernet(new_prefix=24 if ip.version == 4 else 48))


def browser_name(user_agent: str) -> str:
    """Return a short name for a User-Agent header, such as "Firefox on Linux", as it is stored."""
    browser = next((name for sign, name in _BROWSERS.items() if sign in user_agent), _UNKNOWN)
    system = next((name for sign, name in _SYSTEMS.items() if sign in user_agent), None)
    return f"{browser}{_ON}{system}" if system else browser


def browser_text(name: str) -> Text:
    """Return a stored name from `browser_name`, which may be empty, as a text that is translated."""
    browser, _separator, system = (name or _UNKNOWN).partition(_ON)
    if browser == _UNKNOWN:
        return _("A browser on %(system)s", system=system) if system else _("A browser")
    return _("%(browser)s on %(system)s", browser=browser, system=system) if system else Text(browser)
