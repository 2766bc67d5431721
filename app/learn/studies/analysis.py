"""What an analysis is: a tree of variations from a position, one of its nodes, and changes by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from app.core.errors import InvalidError, Members, NotFoundError
from app.core.i18n.text import _, ngettext, reason_of
from app.core.merging import merged
from app.core.web.plain_text import words
from app.play.games.creation import complete_options
from app.play.games.refusals import invalid_move
from engine import variations
from engine.game import Game, IllegalMove, MoveSyntaxError
from engine.game_record import GameRecord
from engine.registry import FOR_TWO, SOLITAIRE, rules_for
from engine.replay import ReplayError
from engine.variations import START, SYMBOLS, Node, Tree, VariationsError

LONGEST_ADDRESS = 8_000
"""The most characters of a tree in an address; a study has room for more."""

MOST_BYTES_OF_ADDRESS = 18 * 1024
"""The longest address of the board: a request has 32 KiB, which a new comment and its headers share."""

MOST_MOVES = 2_000
"""The most moves of a tree, all variations together."""

TURNING_POINT = "turn"
"""The `at` of an address that shows the main line before its costliest move, or from its start."""

_MOST_TURNING_POINTS = 3
_COSTLY = 3  # points

MOST_CHARACTERS = 1_000
"""The length of a new comment."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move of the main line that, with the reply to it, lost its side many points."""

    number: int
    lost: float


@dataclass(frozen=True)
class Ground:
    """Where the moves of an analysis are played: the rules, the options, and the position at the start.

    `position` is its position string, "" for the start of a game.
    """

    rules: Game[Any]
    options: Mapping[str, int]
    position: str = ""

    @property
    def players(self) -> int:
        """Return the number of players."""
        return len(self.rules.sides)

    @property
    def start(self) -> Any:
        """Return the position before the first move."""
        return self.rules.parse(self.position) if self.position else self.rules.initial(self.options)

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields of forms and addresses that `ground` reads."""
        fields = {"players": "1"} if self.players == 1 and self.rules.key in FOR_TWO else {}
        if self.position:
            return {**fields, "position": self.position}
        return {**fields, **{name: str(value) for name, value in self.options.items()}}

    def analysis(self, tree: Tree, at: str = "") -> "Analysis":
        """Return the analysis of a tree, at the node with a key.

        Raise InvalidError `too_many_moves` or `bad_moves`.
        """
        if len(tree.nodes) > MOST_MOVES + 1:
            raise InvalidError(
                "too_many_moves",
                ngettext(
                    "A tree has %(count)s move at most.", "A tree has %(count)s moves at most.", MOST_MOVES
                ),
            )
        try:
            positions = tree.positions(self.rules, self.start)
        except ReplayError as error:
            extra: Members = {"reason": error.reason, "ply": error.ply}
            raise InvalidError("bad_moves", reason_of(error), extra=extra) from None
        return Analysis(self, tree, positions, tree.numbered(at))


@dataclass(frozen=True)
class Analysis:
    """A tree of variations, the position at each of its nodes, and the number of the node that is shown."""

    ground: Ground
    tree: Tree
    positions: Sequence[Any] = field(repr=False)
    at: int

    @property
    def rules(self) -> Game[Any]:
        """Return the rules of the game."""
        return self.ground.rules

    @property
    def position(self) -> Any:
        """Return the position that is shown."""
        return self.positions[self.at]

    @property
    def key(self) -> str:
        """Return the key of the node that is shown."""
        return self.tree.keys[self.at]

    @property
    def path(self) -> list[str]:
        """Return the moves that lead to the position that is shown."""
        return [self.tree.nodes[number].move for number in self.tree.path(self.at)]

    @property
    def all_positions(self) -> list[Any]:
        """Return the positions of all nodes, last the one that is shown: what helps in a game."""
        return [*self.positions, self.position]

    @property
    def record(self) -> GameRecord:
        """Return the tree as a game record."""
        ground = self.ground
        return GameRecord(
            self.rules.key, ground.options, self.tree, {}, ground.players, position=ground.position
        )

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields of an address or a form that lead to this tree."""
        return {**self.ground.fields, "moves": str(self.tree)}

    def address(self, number: int | None = None) -> str:
        """Return the address of the analysis board that shows a node, by default this one."""
        key = self.tree.keys[self.at if number is None else number]
        at = {"at": key} if key else {"at": "0"}
        return f"/analysis/{self.rules.key}?{urlencode({**self.fields, **at}, safe=',/:')}"

    @property
    def has_address(self) -> bool:
        """Return whether an address has room for the whole tree."""
        return len(str(self.tree)) <= LONGEST_ADDRESS and len(self.address()) <= MOST_BYTES_OF_ADDRESS

    def shown_at(self, number: int) -> "Analysis":
        """Return the analysis at another node."""
        return replace(self, at=number)

    def with_tree(self, tree: Tree, key: str) -> "Analysis":
        """Return the analysis of a changed tree, at the node with a key."""
        return self.ground.analysis(tree, key)

    def played(self, move: str) -> "Analysis":
        """Return the analysis with a move after the node that is shown, and go there.

        Raise InvalidError `move_syntax`, `illegal_move` or `too_many_moves`.
        """
        try:
            self.rules.play(self.position, move)
        except (MoveSyntaxError, IllegalMove) as error:
            raise invalid_move(error) from None
        tree, number = self.tree.with_move(self.at, move)
        return self.with_tree(tree, tree.keys[number])

    @cached_property
    def turning_points(self) -> list[TurningPoint]:
        """Return the moves at which the score turned most against their side, the costliest first."""
        last = len(self.tree.moves)
        leads = [self._lead(position) for position in self.positions[: last + 1]]
        losses = []
        for ply in range(1, last):
            change = leads[ply + 1] - leads[ply - 1]
            is_first = self.rules.side_to_move(self.positions[ply - 1]) == self.rules.sides[0]
            losses.append(TurningPoint(ply, -change if is_first else change))
        costly = [point for point in losses if point.lost >= _COSTLY]
        return sorted(costly, key=lambda point: -point.lost)[:_MOST_TURNING_POINTS]

    def _lead(self, position: Any) -> float:
        score = self.rules.score(position)
        return score[self.rules.sides[0]] - sum(score[side] for side in self.rules.sides[1:])


def ground(
    game: str, players: int | None = None, options: Mapping[str, int] = {}, position: str = ""
) -> Ground:
    """Return where an analysis begins; options that are not given are those of the position, or are proposed.

    Without a number of players it is for two, if the game is. Raise NotFoundError for an unknown game,
    InvalidError `bad_position`, or `bad_options`, also for options that the position does not have.
    """
    rules = _rules(game, players)
    if not position:
        return Ground(rules, complete_options(rules, options))
    try:
        own = rules.options_of(rules.parse(position))
    except MoveSyntaxError as error:
        raise InvalidError("bad_position", reason_of(error)) from None
    if complete_options(rules, {**own, **options}) != own:
        raise InvalidError("bad_options", _("The position has other options. Leave them out."))
    return Ground(rules, own, position)


def ground_of(game: str, fields: Mapping[str, str]) -> Ground:
    """Return where an analysis begins, from fields of an address or a form, which may have others beside.

    Those are `players`, and `position` or the options by their names. Raise what `ground` raises.
    """
    players = {"": None, "1": 1}.get(fields.get("players", ""), 2)
    if position := fields.get("position", ""):
        return ground(game, players, position=position)
    try:
        options = {name: int(fields[name]) for name in _rules(game, players).options if name in fields}
    except ValueError:
        raise InvalidError("bad_options", _("There is no such board. Choose one from the rules.")) from None
    return ground(game, players, options)


def _rules(game: str, players: int | None) -> Game[Any]:
    if players is None:
        players = 2 if game in FOR_TWO else 1
    if game not in (SOLITAIRE if players == 1 else FOR_TWO):
        raise NotFoundError("analysis board")
    return rules_for(game, players)


def key_after(moves: Sequence[str]) -> str:
    """Return the key of the node to which moves lead, in every tree that has it; "" for the start."""
    return Tree.of_moves(moves).keys[-1]


def read_tree(text: str) -> Tree:
    """Return the tree that a player's text describes. Raise InvalidError `bad_moves` or `bad_comment`."""
    tree = tree_of(text)
    for node in tree.nodes:
        _check_comment(node.comment)
    return tree


def tree_of(text: str) -> Tree:
    """Return the tree that a stored text or an address describes, in which older comments may be longer.

    Raise InvalidError `bad_moves`.
    """
    try:
        tree = variations.parse(text)
    except VariationsError as error:
        raise InvalidError("bad_moves", reason_of(error)) from None
    return Tree(tuple(replace(node, comment=words(node.comment)) for node in tree.nodes))


def of_address(game: str, fields: Mapping[str, str], moves: str) -> Analysis:
    """Return the analysis of an address, `at` its last move unless it says otherwise.

    `at` is the key of a node, or a ply of the main line. Raise NotFoundError, InvalidError.
    """
    tree = tree_of(moves)
    analysis = ground_of(game, fields).analysis(tree)
    last = len(tree.moves)
    at = fields.get("at", "")
    if at == TURNING_POINT:
        points = analysis.turning_points if analysis.ground.players == 2 else []
        return analysis.shown_at(points[0].number - 1 if points else START)
    if at.isascii() and at.isdigit() and len(at) < 5:
        return analysis.shown_at(min(int(at), last))
    return analysis.shown_at(tree.numbered(at) if at else last)


def of_record(record: GameRecord) -> Analysis:
    """Return the analysis of a record, from its start. Raise InvalidError."""
    return Ground(record.rules, record.options, record.position).analysis(read_tree(str(record.tree)))


class EditKind(StrEnum):
    """What is done at a node."""

    SHOW = "show"
    ANNOTATE = "annotate"
    PROMOTE = "promote"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Note:
    """The symbol and the comment at a node; None, in a change, for what stays as it is."""

    symbol: str | None = ""
    comment: str | None = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change at the node with the key `at`: a move to play there, or else what `kind` says.

    A `note` takes the place of the one with which its form was `drawn`, None for the present one.
    """

    at: str
    move: str = ""
    kind: EditKind = EditKind.SHOW
    note: Note = Note()
    drawn: Note | None = None

    @property
    def has_text(self) -> bool:
        """Return whether it adds a comment, or words to one."""
        is_as_drawn = self.drawn is not None and self.note.comment == self.drawn.comment
        return self.kind is EditKind.ANNOTATE and bool(self.note.comment) and not is_as_drawn


def edited(analysis: Analysis, edit: Edit) -> Analysis:
    """Return the analysis after a change, at the node where it leads.

    Raise InvalidError `no_such_move` if its node is gone, `move_syntax`, `illegal_move`, `too_many_moves`, or
    `bad_comment`, and ConflictError as `merged` does.
    """
    tree = analysis.tree
    number = tree.numbered(edit.at)
    if edit.at and not number:
        raise InvalidError("no_such_move", _("This move was deleted. Go on from another one."))
    if edit.move:
        return analysis.shown_at(number).played(edit.move)
    match edit.kind:
        case EditKind.ANNOTATE:
            symbol, comment = _noted(tree.nodes[number], edit)
            return analysis.with_tree(tree.annotated(number, symbol, comment), edit.at)
        case EditKind.PROMOTE:
            return analysis.with_tree(tree.promoted(number), edit.at)
        case EditKind.DELETE:
            return analysis.with_tree(tree.without(number), tree.keys[tree.parents[number]])
        case EditKind.SHOW:
            return analysis.shown_at(number)


def _noted(node: Node, edit: Edit) -> tuple[str, str]:
    """Return the symbol and the comment at a node after a change. Raise what `edited` raises."""
    drawn, sent = edit.drawn or Note(node.symbol, node.comment), edit.note
    symbol, comment = node.symbol, node.comment
    if sent.symbol is not None:
        symbol = merged(symbol, drawn.symbol, sent.symbol if sent.symbol in SYMBOLS else "")
    if sent.comment is not None:
        comment = merged(comment, words(drawn.comment or ""), words(sent.comment))
    if comment != node.comment:
        _check_comment(comment)
    return symbol, comment


def _check_comment(comment: str) -> None:
    if len(comment) > MOST_CHARACTERS:
        raise InvalidError(
            "bad_comment", _("A comment has at most %(most)s characters.", most=MOST_CHARACTERS)
        )
