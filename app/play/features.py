"""The features of this wing. Their routes are tried in this order, so those asked for most come first."""

from app.core.feature import LONG, Feature, Schedule
from app.core.realtime.hub import Hub
from app.core.web.channels import MessageChannel
from app.live.messages import Heartbeat, Restart
from app.people.identity.events import ACCOUNTS
from app.play.bots.fair_play import FairPlay
from app.play.bots.late import request_late_moves
from app.play.chat.schemas import ChatEvent
from app.play.conditions.service import HAS_UNFOLLOWED, Conditions
from app.play.games.news import remind_of_deadlines
from app.play.games.schemas import Ack, FinishedEvent, MoveEvent, SnapshotEvent, SocketError, SocketMove
from app.play.games.service import Games
from app.play.lobby.service import Lobby
from app.play.lobby.store import delete_old_challenges
from app.play.pairing.service import HAS_TO_TELL, Pairing
from app.play.pairing.store import any_open, delete_old_searches
from app.play.ratings.rerating import found_ratings
from app.play.ratings.speeds import IS_ANY_DUE, rate_due
from app.play.solo_days.service import make_days, solve_days
from app.play.vacations.service import Vacations


async def _write(games: Games) -> None:
    await games.journal.run()


async def _beat(games: Games) -> None:
    await games.timekeeper.beat()


async def _keep_time(games: Games) -> None:
    await games.timekeeper.run()


async def _forget_who_changed(hub: Hub, games: Games) -> None:
    hub.listen(games.store.forget, (ACCOUNTS,))


_OF_GAME = (SnapshotEvent, MoveEvent, FinishedEvent, ChatEvent, Restart)

FEATURES = (
    Feature(
        "app.play.games",
        channels=(
            MessageChannel(
                "game_socket",
                "/api/v1/games/{game_id}/socket",
                "ws",
                "A game, followed and played over one websocket. Its players may move with a token.",
                sent=(*_OF_GAME, Ack, SocketError, Heartbeat),
                received=(SocketMove,),
            ),
            MessageChannel(
                "game_stream",
                "/api/v1/games/{game_id}/stream",
                "http",
                "A game as lines of JSON, one for each event; an empty line is a heartbeat.",
                sent=_OF_GAME,
            ),
        ),
        on_start=(_beat, _forget_who_changed),
        tasks={"journal": _write, "timekeeper": _keep_time},
        schedules=(Schedule("remind_of_deadlines", "*/5 * * * *", remind_of_deadlines),),
    ),
    Feature(
        "app.play.conditions",
        on_start=(Conditions.begin,),
        schedules=(
            Schedule("play_conditional_moves", "* * * * * */3", Conditions.catch_up, has_work=HAS_UNFOLLOWED),
        ),
    ),
    Feature(
        "app.play.lobby",
        on_start=(Lobby.begin,),
        schedules=(
            Schedule("expire_challenges", "* * * * * */30", Lobby.expire_old),
            Schedule("delete_old_challenges", "7 4 * * *", delete_old_challenges),
        ),
    ),
    Feature(
        "app.play.pairing",
        schedules=(
            Schedule("pair_players", "* * * * * */3", Pairing.pair, has_work=any_open()),
            Schedule("tell_ended_searches", "* * * * * */5", Pairing.tell_ended, has_work=HAS_TO_TELL),
            Schedule("delete_old_searches", "9 4 * * *", delete_old_searches),
        ),
    ),
    Feature("app.play.chat"),
    Feature("app.play.kept_games"),
    Feature(
        "app.play.bots",
        on_start=(FairPlay.begin,),
        schedules=(Schedule("request_late_moves", "* * * * * */15", request_late_moves),),
    ),
    Feature("app.play.solitaire"),
    Feature(
        "app.play.solo_days",
        schedules=(
            Schedule("make_solo_days", "*/10 * * * *", make_days),
            Schedule("solve_solo_days", "*/5 * * * *", solve_days),
        ),
    ),
    Feature(
        "app.play.vacations",
        schedules=(Schedule("stop_clocks_for_vacations", "* * * * *", Vacations.catch_up),),
    ),
    Feature(
        "app.play.ratings",
        schedules=(
            Schedule("found_ratings", "27 * * * *", found_ratings, within=LONG),
            Schedule("rate_by_speed", "* * * * * */5", rate_due, has_work=IS_ANY_DUE),
        ),
    ),
)
