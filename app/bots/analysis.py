"""The analysis board: a line of moves in the address, where it leads, and what the computer makes of it."""

import math
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.bots import thoughts
from app.bots.thoughts import Evaluation
from app.errors import InvalidError, NotFoundError
from app.games.boards import BOARDS
from app.web.deps import QueueDep, ThrottleDep
from app.web.render import fragment, page
from app.web.throttle import Limit, address
from engine.game import Game, IllegalMove, MoveSyntaxError
from engine.registry import FOR_TWO

router = APIRouter(include_in_schema=False)

_LONGEST = 800  # moves of a line
_DECISIVE = 12  # points: with such a lead the bar is nearly full

Line = Annotated[str, Query(max_length=4_000)]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of moves of a game, and the position that it leads to."""

    rules: Game[Any]
    options: dict[str, int]
    moves: tuple[str, ...]
    position: Any

    def path(self, moves: tuple[str, ...]) -> str:
        """Give the address of another line on the same board."""
        query = {**self.options, "moves": ",".join(moves)}
        return f"/analysis/{self.rules.key}?{urlencode(query, safe=',')}"


@router.get("/analysis/{game:game}")
async def analysis_page(
    request: Request,
    game: str,
    moves: Line = "",
    move: Annotated[str, Query(max_length=16)] = "",
) -> Response:
    """Show the board after a line of moves; `move` is one more, and leads on to the line with it."""
    line = _line(game, dict(request.query_params), moves)
    if move:
        _played(line.rules, line.position, move)
        return RedirectResponse(line.path((*line.moves, move)), 303)
    rules, board = line.rules, BOARDS[line.rules]
    last = line.moves[-1] if line.moves else None
    side = rules.side_to_move(line.position)
    score = rules.score(line.position)
    return page(
        request,
        "pages/analysis.html",
        rules=rules,
        options=line.options,
        board_text=board.size_text(line.options),
        moves=line.moves,
        board=board.draw(
            line.position, last_move=last, playable=side is not None, finished=side is None, live=True
        ),
        actions=board.actions(line.position),
        note=board.note(line.position),
        to_move=side,
        scores=[(one, f"{score[one]:g}") for one in rules.sides],
        back=line.path(line.moves[:-1]) if line.moves else None,
        start=line.path(()),
        steps=[(number, move, line.path(line.moves[:number])) for number, move in enumerate(line.moves, 1)],
        evaluation_path=line.path(line.moves).replace("?", "/evaluation?", 1),
    )


@router.get("/analysis/{game:game}/evaluation")
async def evaluation(
    request: Request, game: str, queue: QueueDep, throttle: ThrottleDep, moves: Line = ""
) -> Response:
    """Give the fragment with the computer's best moves, its estimate of the score, and the bar."""
    line = _line(game, dict(request.query_params), moves)
    if line.rules.side_to_move(line.position) is None:
        raise InvalidError("game_over", "The game is over here. Go back a move to look further.")
    await throttle.hit(Limit.COMPUTER, f"address:{address(request)}")
    found = await thoughts.evaluate(queue, line.rules, line.position)
    return HTMLResponse(
        fragment(
            "partials/evaluation.html",
            bar=_bar(line.rules, found),
            headline=_headline(line.rules, found),
            depth=found.depth,
            thoughts=[
                (thought.move, f"{thought.points:+.1f}", line.path((*line.moves, thought.move)))
                for thought in found.thoughts
            ],
        )
    )


def _line(game: str, fields: dict[str, str], moves: str) -> _Line:
    """Read a line from an address. Raises NotFoundError, InvalidError."""
    if game not in FOR_TWO:
        raise NotFoundError("analysis board")
    rules = FOR_TWO[game]
    texts = {name: fields[name] for name in rules.options if name in fields}
    try:
        options = {name: int(text) for name, text in texts.items()}
        position = rules.initial(options)
    except ValueError:
        raise InvalidError("bad_options", "There is no such board. Choose one from the rules.") from None
    options = {name: options.get(name, allowed.default) for name, allowed in rules.options.items()}
    line = tuple(filter(None, moves.split(",")))
    if len(line) > _LONGEST:
        raise InvalidError("too_many_moves", f"A line has {_LONGEST} moves at most.")
    for move in line:
        position = _played(rules, position, move)
    return _Line(rules, options, line, position)


def _played(rules: Game[Any], position: Any, move: str) -> Any:
    try:
        return rules.play(position, move)
    except MoveSyntaxError as error:
        raise InvalidError("move_syntax", str(error)) from None
    except IllegalMove as error:
        raise InvalidError("illegal_move", str(error), extra={"reason": error.reason}) from None


def _bar(rules: Game[Any], found: Evaluation) -> tuple[str, str, int]:
    """Give both sides and how much of a hundred the first one fills."""
    lead = found.lead if found.side == rules.sides[0] else -found.lead
    return rules.sides[0], rules.sides[1], round(50 + 50 * math.tanh(lead / _DECISIVE))


def _headline(rules: Game[Any], found: Evaluation) -> str:
    if abs(found.lead) < 0.05:
        return "Both sides stand alike."
    leader = found.side if found.lead > 0 else next(side for side in rules.sides if side != found.side)
    return f"{leader.capitalize()} stands better by {abs(found.lead):.1f} points."
