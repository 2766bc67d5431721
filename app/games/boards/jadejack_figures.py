"""The example boards of the rules page of JadeJack."""

from functools import cache

from markupsafe import Markup

from app.games.boards.jadejack import JADEJACK_BOARD
from engine.jadejack import JADEJACK

_REACH = "8/2w5/8/1b6/5(bb)2/2(www)5/8/8 b 0"
_BLOCKED = "8/1w6/1(bbb)w1b3/8/6w1/8/2(ww)bw(bb)2/8 b 0"
_DIAGONAL = "8/4b3/3w4/2b5/1(wwww)6/8/6(bb)1/8 b 0"
_PLACEMENT = "8/2(ww)5/3(bb)4/1b1w(bbb)3/3(bbw)1w2/2(wb)5/5(ww)2/8 b 0"
_FULL_GAME = "1w1b4/w1(bw)b2b1/1w(bbw)1(wb)b2/2w(ww)b1(bb)1/1(bw)1wb1b1/2w1(wb)3/1ww(ww)b1b1/3w1b2 b 2"


@cache
def figures() -> dict[str, Markup]:
    """Give each figure by the name under which the rules page places it."""
    return {
        "first_move": _figure("8/8/8/8/8/8/8/8 b 0", playable=True),
        "reach": _figure(_REACH),
        "blocked": _figure(_BLOCKED),
        "diagonal": _figure(_DIAGONAL),
        "placement": _figure(_PLACEMENT, playable=True),
        "count": _figure(_FULL_GAME, finished=True),
    }


def _figure(position: str, *, playable: bool = False, finished: bool = False) -> Markup:
    return JADEJACK_BOARD.draw(
        JADEJACK.parse(position), last_move=None, playable=playable, finished=finished, live=False
    )
