"""Games for programs: the registry, snapshots, moves, and following a game."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, WebSocket
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from app.core import json
from app.core.realtime.presence import SITE, Presence
from app.core.web.addresses import network_of
from app.core.web.bodies import OptionalBody
from app.core.web.deps import Part, ReceivedAt
from app.core.web.params import GameWanted, PageNumber, link_next
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.throttle import Limit, Throttle
from app.live.connections import Stream
from app.live.service import Live
from app.people.identity.devices import Person
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, PlayingProgram, Program
from app.play.bots.service import Coach
from app.play.chat.presenter import send_chat, transcript
from app.play.chat.service import Chat
from app.play.games import schemas
from app.play.games.decisions import Command
from app.play.games.export import export as export_text
from app.play.games.export import read as read_record
from app.play.games.follow import GameFeed, send_json
from app.play.games.game import GameState
from app.play.games.moves_by_socket import MoveReceiver, ProgramAnswers
from app.play.games.queries import watched
from app.play.games.schemas import snapshot, snapshot_message
from app.play.games.seen import ABOUT_TAKEBACKS, TAKES_ANY, Seen
from app.play.games.service import Games
from engine.game import Game
from engine.registry import GAMES, SOLITAIRE

router = Router(prefix="/api/v1", tags=["games"])


def answer(state: GameState, status: int = 200) -> Response:
    """Return the snapshot of a game as an answer."""
    return Response(json.encode(snapshot(state)), status, media_type="application/json")


def _options(game: Game[Any]) -> dict[str, schemas.Option]:
    return {
        name: schemas.Option(minimum=limits.minimum, maximum=limits.maximum, default=limits.proposed)
        for name, limits in game.options.items()
    }


def _solo(key: str) -> schemas.SoloForm | None:
    game = SOLITAIRE.get(key)
    return None if game is None else schemas.SoloForm(sides=list(game.sides), options=_options(game))


@router.get("/games/kinds")
async def kinds() -> list[schemas.Kind]:
    """List the games that can be played here, with their options."""
    return [
        schemas.Kind(
            key=game.key,
            title=game.title,
            seats=1 if len(game.sides) == 1 else 2,
            solitaire=game.key in SOLITAIRE,
            sides=list(game.sides),
            options=_options(game),
            solo=_solo(game.key),
        )
        for game in GAMES.values()
    ]


@router.get("/games", response_model=list[schemas.Snapshot])
async def games_in_progress(
    request: Request,
    games: Part[Games],
    game: GameWanted = None,
    rated: bool | None = None,
    players: Literal["everybody", "people"] = "everybody",
    limit: Annotated[int, Query(ge=1, le=50)] = 12,
    number: PageNumber = 1,
) -> Response:
    """Return a page of the games for two in progress, the strongest players' first.

    `game`, `rated` and `players` limit them; `number` is the page's. The header `Link` has the address of the
    next page as `rel="next"` (RFC 8288).
    """
    wanted = watched(game, rated, is_of_people=players == "people")
    states, has_more = await games.to_watch(*wanted, limit=limit, offset=limit * (number - 1))
    response = Response(json.encode([snapshot(state) for state in states]), media_type="application/json")
    if has_more:
        link_next(request, response, number=number + 1)
    return response


_RECORD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"example": '[Game "jadejack"]\n[Options "size=9"]\n\n1. c4 g6\n'}}},
}


@router.get(
    "/games/{game_id:id}/export",
    response_class=PlainTextResponse,
    responses=_RECORD,
    openapi_extra=TOKEN_IS_OPTIONAL,
)
async def export(game_id: str, program: Program, games: Part[Games], chat: Part[Chat]) -> PlainTextResponse:
    """Return the record of a game as text (docs/game-record.md); its players get their chat as comments."""
    state = await games.seen_by(program, game_id)
    said = transcript(await chat.of_player(program, state))
    return PlainTextResponse(export_text(state) + said)


@router.post("/records/check")
async def check_record(
    request: Request, body: schemas.RecordRequest, throttle: Part[Throttle]
) -> schemas.RecordRead:
    """Check the record of a game by replaying its moves. Nothing is stored."""
    await throttle.hit(Limit.RECORD, network_of(request))
    return await asyncio.to_thread(_replayed, body.record)


def _replayed(text: str) -> schemas.RecordRead:
    record = read_record(text)
    position = record.positions()[-1]
    return schemas.RecordRead(
        game=record.game,
        options=dict(record.options),
        headers=dict(record.headers),
        moves=list(record.moves),
        position=record.rules.format(position),
        score=dict(record.rules.score(position)),
    )


@router.get(
    "/games/{game_id:id}",
    response_model=schemas.Snapshot,
    openapi_extra=TOKEN_IS_OPTIONAL,
)
async def game(game_id: str, program: Program, games: Part[Games]) -> Response:
    """Return the snapshot of a game. A race board is visible to its player only until the race is over."""
    return answer(await games.seen_by(program, game_id))


@router.post("/games/{game_id:id}/moves", response_model=schemas.Snapshot, responses=problems(409))
async def play(
    game_id: str,
    body: schemas.MoveRequest,
    program: PlayingProgram,
    games: Part[Games],
    coach: Part[Coach],
    throttle: Part[Throttle],
    received_at: ReceivedAt,
) -> Response:
    """Play a move. It is committed before the response; sending it again with the same move_id is safe.

    In a game with a coach, 409 `are_you_sure` warns of a move that loses much: send it again to play it, with
    `sure` if the warning of a request whose answer was lost is not to count.
    In a game against the computer, 409 `position_in_rated_game` refuses a move after which the position would
    be within two plies of that of a rated game of yours.
    """
    await throttle.hit(Limit.MOVE, f"account:{program.id}")
    await coach.check(Person(program.id), game_id, body.move, body.ply, is_sure=body.sure)
    return answer(
        await games.play_move(
            game_id,
            program.id,
            body.move,
            body.ply,
            body.move_id,
            at=received_at,
            lines=body.conditions,
        )
    )


_WITH_SEEN = (*ABOUT_TAKEBACKS, Command.SUBMIT)
"""Those that may mean something else than what a program has seen."""

_COMMANDS: Mapping[Command, str] = {
    Command.RESIGN: "Resign a game. The other side wins at once.",
    Command.ABORT: "Abort a game before both sides have moved. Nobody wins, and no rating changes.",
    Command.CLAIM: "Claim the win in a real-time game that the opponent left at least a minute ago.",
    Command.TAKEBACK: (
        "Ask to take back your last move in a casual game, or accept the opponent's request.\n\n"
        "In a solitaire game the move is taken back at once, and `undos` counts it."
    ),
    Command.ASK_TAKEBACK: (
        "Ask to take back your last move in a casual game, and never accept a request of the opponent."
    ),
    Command.ACCEPT_TAKEBACK: "Accept the opponent's takeback request, and never make one of your own.",
    Command.DECLINE_TAKEBACK: "Decline the opponent's takeback request, or withdraw your own.",
    Command.PAUSE: (
        "Ask to pause a casual real-time game, or accept the opponent's request. It lasts 30 minutes at most."
    ),
    Command.ACCEPT_PAUSE: "Accept the opponent's request for a pause, and never make one of your own.",
    Command.DECLINE_PAUSE: "Decline the opponent's request for a pause, or withdraw your own.",
    Command.RESUME: "End a pause. A move ends it, too.",
    Command.SUBMIT: "Submit a finished solitaire game as a best score. Its moves are final afterwards.",
}
"""The commands in the API, with their descriptions."""


async def _seen(body: OptionalBody[schemas.SeenRequest]) -> Seen:
    return body.seen


async def _takes_any() -> Seen:
    return TAKES_ANY


def _route_of(command: Command) -> Callable[..., Awaitable[Response]]:
    limit = Limit.EDIT if command is Command.TAKEBACK else Limit.STEP

    async def carry_out(
        game_id: str,
        program: PlayingProgram,
        games: Part[Games],
        throttle: Part[Throttle],
        received_at: ReceivedAt,
        seen: Annotated[Seen, Depends(_seen if command in _WITH_SEEN else _takes_any)],
    ) -> Response:
        await throttle.hit(limit, f"account:{program.id}")
        return answer(await games.command(command, game_id, program.id, at=received_at, seen=seen))

    return carry_out


for _command, _description in _COMMANDS.items():
    _name = _command.name.lower()
    router.add_api_route(
        f"/games/{{game_id:id}}/{'/'.join(reversed(_name.split('_')))}",  # such as takeback/accept
        _route_of(_command),
        methods=["POST"],
        name=_name,
        description=_description,
        response_model=schemas.Snapshot,
        responses=problems(401, 403, 404, 409, 429),
    )


_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "One JSON object per line: the snapshot, then events. An empty line is a heartbeat.",
        "content": {
            "application/x-ndjson": {
                "schema": {"type": "string", "format": "binary"},
                "example": '{"type":"snapshot","id":"k7m2wq9xab","position":"9/9/9/9/9/9/9/9/9 b 0"}\n\n',
            }
        },
    },
    **problems(429),
}


@router.get(
    "/games/{game_id:id}/stream",
    response_class=StreamingResponse,
    responses=_STREAM,
    openapi_extra=TOKEN_IS_OPTIONAL,
)
async def stream(
    request: Request,
    game_id: str,
    program: Program,
    games: Part[Games],
    live: Part[Live],
    feed: Part[GameFeed],
    chat: Part[Chat],
    presence: Part[Presence],
) -> StreamingResponse:
    """Follow a game as lines of JSON, one for each event."""
    state = await games.seen_by(program, game_id)

    def start(stream: Stream) -> None:
        stream.send(snapshot_message(state))
        send_chat(stream, feed.follow(stream, state, send_json(feed, stream)), chat)

    return await live.stream(
        request, program, start, presence.here(program.id if program else None, game_id, SITE)
    )


@router.websocket("/games/{game_id:id}/socket")
async def socket(
    websocket: WebSocket,
    game_id: str,
    live: Part[Live],
    feed: Part[GameFeed],
    games: Part[Games],
    chat: Part[Chat],
    coach: Part[Coach],
    throttle: Part[Throttle],
    presence: Part[Presence],
) -> None:
    """Follow a game and play it over one websocket (docs/api.md)."""
    async with live.program(websocket) as socket:
        program = socket.identity
        state = await games.seen_by(program, game_id)
        socket.send(snapshot_message(state))
        send_chat(socket, feed.follow(socket, state, send_json(feed, socket)), chat)
        await socket.hold(presence.here(program.id if program else None, game_id, SITE))
        moves = MoveReceiver(socket, live.proofs, games, coach, throttle, game_id, ProgramAnswers())
        socket.on_message(moves.receive)
