"""Names, addresses and ports of hosts, as settings and URLs have them."""

import re
from contextlib import suppress
from ipaddress import ip_address

HIGHEST_PORT = 65_535
_LONGEST = 253
_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")


def host(text: str) -> str:
    """Return the name or address of a host in its usual form. Raise ValueError if it is neither."""
    with suppress(ValueError):
        return str(ip_address(text))
    labels = text.removesuffix(".").split(".")
    # A last label of digits only is that of an IPv4 address, which this is not.
    if len(text) > _LONGEST or labels[-1].isdigit() or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError("Write the name or the address of a host, such as play.example or 10.0.0.9.")
    return text.lower()


def port(text: str) -> None:
    """Raise ValueError unless a text is the number of a port."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= HIGHEST_PORT):
        raise ValueError(f"The port must be a number from 1 to {HIGHEST_PORT}.")


def ports(value: str) -> None:
    """Raise ValueError unless a text lists numbers of ports."""
    for each in value.split(","):
        port(each)


def hosts(value: str) -> None:
    """Raise ValueError unless a text lists hosts of a database: names, addresses, or folders of sockets."""
    for each in value.split(","):
        if not each.startswith("/"):
            name, _, number = each.partition(":") if each.count(":") == 1 else (each.strip("[]"), "", "")
            host(name)
            if number:
                port(number)
