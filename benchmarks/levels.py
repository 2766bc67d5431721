"""The ladder of the computer players: each level against the one below, and level 1 against the plain player.

    .venv/bin/python -m benchmarks.levels [--game jadejack] [--size 8] [--games 200] [--levels 1-10]

Neighbours should score 65 to 75 %. `gorrion match` plays any two programs.
"""

import argparse

from engine.registry import FOR_TWO
from engine.search.levels import LEVELS
from engine.search.match import Match


def parser_of(description: str | None, games: int) -> argparse.ArgumentParser:
    """Return a parser of which game, board and levels are to be tried, in so many games each unless told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default="jadejack", choices=FOR_TWO)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--games", type=int, default=games)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--levels", type=_levels, default=LEVELS, help="which of them to try, such as 6-8")
    return parser


def _levels(text: str) -> range:
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def main() -> None:
    parser = parser_of(__doc__, games=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(
        f"{arguments.game} {arguments.size}×{arguments.size}, with the seconds per move of the first player"
    )
    strength = 0.0
    for level in arguments.levels:
        other = str(level - 1) if level > 1 else "plain"
        match = Match(arguments.game, {"size": arguments.size}, str(level), other, arguments.seed)
        *_, result = match.results(arguments.games, arguments.jobs)
        strength += result.elo
        least, most = result.interval
        figures = f"{result.points:6.1%} ({least:6.1%} to {most:6.1%}) {strength:+6.0f} Elo"
        pace = f"{result.plies:4.0f} plies   {result.seconds[0]:7.4f} s"
        print(f"{level:2} against {other:>5} {figures}   {pace}", flush=True)


if __name__ == "__main__":
    main()
