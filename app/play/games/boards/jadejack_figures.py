"""The example boards of the rules page of JadeJack."""

FIGURES = {
    "first_move": ("8/8/8/8/8/8/8/8 b 0", True, False),
    "reach": ("8/2w5/8/1b6/5(bb)2/2(www)5/8/8 b 0", False, False),
    "blocked": ("8/1w6/1(bbb)w1b3/8/6w1/8/2(ww)bw(bb)2/8 b 0", False, False),
    "diagonal": ("8/4b3/3w4/2b5/1(wwww)6/8/6(bb)1/8 b 0", False, False),
    "placement": ("8/2(ww)5/3(bb)4/1b1w(bbb)3/3(bbw)1w2/2(wb)5/5(ww)2/8 b 0", True, False),
    "count": (
        "1w1b4/w1(bw)b2b1/1w(bbw)1(wb)b2/2w(ww)b1(bb)1/1(bw)1wb1b1/2w1(wb)3/1ww(ww)b1b1/3w1b2 b 2",
        False,
        True,
    ),
}
"""By name: the position, whether to mark the playable squares, whether to mark the territory."""
