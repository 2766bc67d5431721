"""What can follow a position, as a value that says nothing of how the position looks."""

from collections import defaultdict


def gain(rules, before, after):
    """What a move scored: for its side, less what it scored for the other one; and the other figures."""
    if not hasattr(rules, "score"):
        return ()  # a board of Golden Nugget
    mover = rules.side_to_move(before)
    figures = {name: rules.score(after)[name] - points for name, points in rules.score(before).items()}
    points = sum(figures.pop(side) if side == mover else -figures.pop(side) for side in rules.sides)
    return points, *figures.values()


def future(rules, position, depth):
    """The moves of the next plies, in any order: what each scores, and what follows."""
    if depth == 0:
        return ()
    following = (rules.play(position, move) for move in rules.legal_moves(position))
    return tuple(
        sorted((gain(rules, position, after), future(rules, after, depth - 1)) for after in following)
    )


def classes(successors, labels):
    """The class of each state, by partition refinement: states of a class have equal labels and futures.

    `successors` has, for each state, a list of (label of the move, next state).
    """
    numbers = _numbered(labels)
    while True:
        described = {
            state: (numbers[state], tuple(sorted((label, numbers[after]) for label, after in moves)))
            for state, moves in successors.items()
        }
        refined = _numbered(described)
        if len(set(refined.values())) == len(set(numbers.values())):
            return refined
        numbers = refined


def grouped(keys, values):
    """The set of values of each key."""
    groups = defaultdict(set)
    for state, key in keys.items():
        groups[key].add(values[state])
    return groups


def _numbered(described):
    numbers = {}
    return {state: numbers.setdefault(each, len(numbers)) for state, each in described.items()}
