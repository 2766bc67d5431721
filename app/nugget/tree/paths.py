"""How addresses name nodes: `start`, or 16 hexadecimal digits."""

from app.core.web.paths import register_pattern
from engine.golden_nugget.tree import START_NODE

_START = "start"
_KEYS = 1 << 64


def node_of(name: str) -> int:
    """Return the node that an address names."""
    number = START_NODE if name == _START else int(name, 16)
    return number - _KEYS if number >= _KEYS // 2 else number


def node_name(node: int) -> str:
    """Return what addresses call a node."""
    return _START if node == START_NODE else f"{node % _KEYS:016x}"


register_pattern("node", f"{_START}|[0-9a-f]{{16}}", lambda name: node_name(node_of(name)))
