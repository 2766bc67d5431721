"""A tree of variations: moves with comments and symbols, edited as values and written as text.

The text is that of game records (docs/game-record.md): `c4! {A comment.} g6 (d4 f6) f6`, where the variation
in brackets replaces the move before it.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine import replay
from engine.game import ExplainedError, Game

SYMBOLS = ("", "!", "?", "!!", "??", "!?", "?!")
"""What may be attached to a move, such as `?` for a mistake; "" for nothing."""

START = 0
"""The number of the node before the first move."""

_KEY_LENGTH = 10
_TOKEN = re.compile(
    r"(?P<space>[\s,]+)|\{(?P<comment>(?:[^{}\\]|\\.)*)\}|(?P<bracket>[()])|(?P<word>[^\s,(){}]+)", re.DOTALL
)
_NUMBER = re.compile(r"\d+\.+")
_MOVE = re.compile(r"([^!?]+)([!?]{0,2})")


class VariationsError(ExplainedError):
    """A text is not a tree of variations; the message says where it goes wrong."""


@dataclass(frozen=True, slots=True)
class Node:
    """A move, the symbol and the comment attached to it, and its depth: the plies from the start to here.

    The first node of a tree is its start, at depth 0, with a comment but no move.
    """

    depth: int
    move: str
    symbol: str = ""
    comment: str = ""


@dataclass(frozen=True)
class Tree:
    """A tree of variations as the list of its nodes, each followed by all that may be played after it.

    What is played first after a node is its main continuation, so the main line is the beginning of the
    list. A node is known by its number, the index in `nodes`, until the tree changes, and by its key, which
    depends on nothing but the moves that lead to it.
    """

    nodes: tuple[Node, ...] = (Node(0, ""),)

    @classmethod
    def of_moves(cls, moves: Iterable[str]) -> "Tree":
        """Return a tree without variations."""
        return cls((Node(0, ""), *(Node(depth, move) for depth, move in enumerate(moves, 1))))

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """Return the number of the node before each node; that of the start is the start."""
        line: list[int] = []
        parents = []
        for number, node in enumerate(self.nodes):
            del line[node.depth :]
            parents.append(line[-1] if line else START)
            line.append(number)
        return tuple(parents)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Return the numbers of the nodes after each node, the main continuation first."""
        children: list[list[int]] = [[] for _ in self.nodes]
        for number, parent in enumerate(self.parents[1:], 1):
            children[parent].append(number)
        return tuple(map(tuple, children))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the key of each node: it is the same in every tree that has these moves."""
        keys = [""]
        for number, node in enumerate(self.nodes[1:], 1):
            line = f"{keys[self.parents[number]]} {node.move}"
            keys.append(hashlib.sha256(line.encode(errors="replace")).hexdigest()[:_KEY_LENGTH])
        return tuple(keys)

    @property
    def moves(self) -> list[str]:
        """Return the moves of the main line."""
        return [node.move for number, node in enumerate(self.nodes) if 0 < node.depth == number]

    def numbered(self, key: str) -> int:
        """Return the number of the node with a key, or the start if there is none."""
        return self.keys.index(key) if key in self.keys else START

    def path(self, number: int) -> list[int]:
        """Return the numbers of the nodes that lead to a node, without the start and with the node itself."""
        path = []
        while number != START:
            path.append(number)
            number = self.parents[number]
        return path[::-1]

    def line_through(self, number: int) -> list[int]:
        """Return the path to a node, and its main continuation to the end."""
        line = self.path(number)
        while self.children[number]:
            number = self.children[number][0]
            line.append(number)
        return line

    def end(self, number: int) -> int:
        """Return the number after the last node that is reached through a node."""
        depth = self.nodes[number].depth
        after = range(number + 1, len(self.nodes))
        return next((other for other in after if self.nodes[other].depth <= depth), len(self.nodes))

    def positions(self, rules: Game[Any], start: Any) -> list[Any]:
        """Return the position at each node. Raise `replay.ReplayError` for a move that cannot be played."""
        positions = [start]
        for number, node in enumerate(self.nodes[1:], 1):
            positions.append(replay.played(rules, positions[self.parents[number]], node.depth, node.move))
        return positions

    def with_move(self, number: int, move: str) -> tuple["Tree", int]:
        """Return the tree with a move after a node, and the number of the move's node.

        If the move is there already, the tree stays as it is.
        """
        for child in self.children[number]:
            if self.nodes[child].move == move:
                return self, child
        place = self.end(number)
        node = Node(self.nodes[number].depth + 1, move)
        return Tree((*self.nodes[:place], node, *self.nodes[place:])), place

    def annotated(self, number: int, symbol: str, comment: str) -> "Tree":
        """Return the tree with another symbol and comment at a node; the start takes no symbol."""
        node = replace(self.nodes[number], symbol=symbol if number else "", comment=comment)
        return Tree((*self.nodes[:number], node, *self.nodes[number + 1 :]))

    def without(self, number: int) -> "Tree":
        """Return the tree without a node and all that follows it; without the start, it is empty."""
        return Tree((*self.nodes[:number], *self.nodes[self.end(number) :])) if number else Tree()

    def promoted(self, number: int) -> "Tree":
        """Return the tree with the innermost variation that has a node put before its alternatives.

        Do so again to promote it further. A tree whose main line has the node stays as it is.
        """
        for branch in reversed(self.path(number)):
            first = self.children[self.parents[branch]][0]
            if branch != first:
                nodes, end = self.nodes, self.end(branch)
                return Tree((*nodes[:first], *nodes[branch:end], *nodes[first:branch], *nodes[end:]))
        return self

    def words(self) -> Iterator[tuple[int, str]]:
        """Yield the text word by word, each with its node's number; brackets come with that of the start."""
        yield from self._word(START)
        pending = [("after", START)]
        while pending:
            what, number = pending.pop()
            if what == ")":
                yield START, what
            elif what == "(":
                yield START, what
                yield from self._word(number)
                pending += [(")", START), ("after", number)]
            elif self.children[number]:
                first, *others = self.children[number]
                yield from self._word(first)
                pending += [("after", first), *(("(", other) for other in reversed(others))]

    def _word(self, number: int) -> Iterator[tuple[int, str]]:
        node = self.nodes[number]
        if node.move:
            yield number, node.move + node.symbol
        if node.comment:
            yield number, "{" + re.sub(r"([{}\\])", r"\\\1", node.comment) + "}"

    def __str__(self) -> str:
        """Return the text that `parse` reads back."""
        return joined(word for _, word in self.words())


def joined(words: Iterable[str]) -> str:
    """Return words of a tree as text: with spaces between them, but not within brackets."""
    text = ""
    for word in words:
        text += word if not text or text.endswith("(") or word == ")" else f" {word}"
    return text


def parse(text: str) -> Tree:
    """Return the tree that a text describes. Raise VariationsError.

    The moves are not checked against the rules; `Tree.positions` does that.
    """
    growing = _Growing()
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise VariationsError("The brace at character %(place)s has no counterpart.", place=place + 1)
        place = token.end()
        if token["word"] and not _NUMBER.fullmatch(token["word"]):
            growing.add_move(token["word"])
        elif token["comment"] is not None:
            growing.add_comment(token["comment"])
        elif token["bracket"]:
            (growing.begin_variation if token["bracket"] == "(" else growing.end_variation)()
    return growing.tree()


class _Growing:
    """A tree while its text is read: nodes in the order of the text, each with its continuations."""

    def __init__(self) -> None:
        self._nodes = [Node(0, "")]
        self._parents = [START]
        self._comments: defaultdict[int, list[str]] = defaultdict(list)
        self._children: list[dict[str, int]] = [{}]
        self._levels = [0]  # in how many variations each node is, where it is in the fewest
        self._here = START
        self._open: list[int] = []  # where each variation began: the node that it replaces

    def add_move(self, word: str) -> None:
        """Add a move with its symbol after the last one; if it is there already, go to it."""
        match = _MOVE.fullmatch(word)
        move, symbol = match.groups() if match and match[2] in SYMBOLS else (word, "")
        number = self._children[self._here].get(move)
        if number is None:
            number = len(self._nodes)
            self._children[self._here][move] = number
            self._nodes.append(Node(self._nodes[self._here].depth + 1, move, symbol))
            self._parents.append(self._here)
            self._children.append({})
            self._levels.append(len(self._open))
        self._levels[number] = min(self._levels[number], len(self._open))
        self._here = number

    def add_comment(self, text: str) -> None:
        """Add a comment to the last move; a second one continues the first."""
        self._comments[self._here].append(re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL))

    def begin_variation(self) -> None:
        """Go back before the last move. Raise VariationsError if there is none."""
        if self._here == START:
            raise VariationsError("A variation follows the move that it replaces.")
        self._open.append(self._here)
        self._here = self._parents[self._here]

    def end_variation(self) -> None:
        """Go on after the move that the variation replaces. Raise VariationsError if none is open."""
        if not self._open:
            raise VariationsError("There is a closing bracket without an opening one.")
        self._here = self._open.pop()

    def tree(self) -> Tree:
        """Return the tree. Raise VariationsError if a variation is still open."""
        if self._open:
            raise VariationsError("There is an opening bracket without a closing one.")
        for number, comments in self._comments.items():
            comment = " ".join(" ".join(comments).split())
            self._nodes[number] = replace(self._nodes[number], comment=comment)
        ordered, pending = [], [START]
        while pending:
            number = pending.pop()
            ordered.append(self._nodes[number])
            children = list(self._children[number].values())
            if children:  # a variation may begin with the move before it, whose continuation comes later
                main = min(children, key=self._levels.__getitem__)
                children.remove(main)
                children.insert(0, main)
            pending += reversed(children)
        return Tree(tuple(ordered))
