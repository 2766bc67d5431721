"""What happens on ladders by itself: games end, challenges get no answer, and players are inactive."""

from collections.abc import Iterable

from app.compete.candidates import candidates
from app.compete.ladders import queries
from app.compete.ladders.ladder import ANSWER_WITHIN, CONDITIONS, ChallengeOutcome, Ladder, changing
from app.core.database.session import Database
from app.core.keep_going import keep_going
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.core.realtime.hub import Hub
from app.people.eligibility import why_ineligible
from app.play.games.events import EndedGames
from app.play.games.models import Game
from app.play.games.service import Games


class LadderDirector:
    """The task of each process that conducts ladders soon after their games end.

    Which process does it does not matter: the ladder is locked. The schedule finds what no event announced.
    """

    def __init__(self, database: Database, bus: Bus, hub: Hub, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._ended = EndedGames(hub, games.timekeeper.time)

    async def run(self) -> None:
        """Conduct ladders until cancelled."""
        await self._ended.each_time(self.look)

    async def look(self) -> None:
        """Conduct the ladders whose games have ended since the last look."""
        if ended := self._ended.take():
            await conduct(self._database, self._bus, await queries.of_games(self._database, ended))


async def conduct_ladders(database: Database, bus: Bus) -> None:
    """Do what is due on all ladders."""
    await conduct(database, bus, await queries.due(database, utc_now()))


async def conduct(database: Database, bus: Bus, games: Iterable[str]) -> None:
    """Do what is due on the ladders of some games, on each of them in a transaction that locks it."""
    for game in games:
        with keep_going("ladder_failed", game=game):
            async with changing(database, bus, game, by=None) as ladder:
                await _undo_voided(ladder)
                await _settle_ended(ladder)
                await _remove_ineligible(ladder)
                await _decide_unanswered(ladder)
                await _drop_inactive(ladder)


async def _undo_voided(ladder: Ladder) -> None:
    """Restore the places that voided games changed, unless the order has changed since."""
    for challenge, change in await queries.voided(ladder.session, ladder.game):
        has_moved = await queries.has_moved(ladder.session, change)
        ladder.void(challenge, change, None if has_moved else change.place_before)


async def _settle_ended(ladder: Ladder) -> None:
    challenges = {each.game_id: each for each in ladder.challenges if each.game_id is not None}
    for game in await queries.ended_games(ladder.session, list(challenges)):
        winner_seat = _winner_seat(game)
        if game.voided_at is not None or (winner_seat is None and game.status == "aborted"):
            await ladder.close(challenges[game.id], ChallengeOutcome.VOID)
        else:
            players = game.first_player, game.second_player
            await ladder.settle(challenges[game.id], None if winner_seat is None else players[winner_seat])


def _winner_seat(game: Game) -> int | None:
    """Return the seat of a game's winner; a player who aborts a game loses."""
    return game.winner_seat if game.aborted_by is None else 1 - game.aborted_by


async def _remove_ineligible(ladder: Ladder) -> None:
    for candidate in await candidates(ladder.session, ladder.players, ladder.game, None):
        for reason in why_ineligible(CONDITIONS, candidate)[:1]:
            await ladder.dismiss(candidate.account_id, reason)


async def _decide_unanswered(ladder: Ladder) -> None:
    """Forfeit the challenges that have waited too long, or begin the game if the defender is on vacation."""
    overdue = [each for each in ladder.challenges if each.game_id is None and each.due_at <= ladder.now]
    away = await queries.on_vacation(ladder.session, [each.defender_id for each in overdue], ladder.now)
    for challenge in overdue:
        if challenge.defender_id in away:
            await ladder.begin(challenge)
        else:
            await ladder.forfeit(challenge)


async def _drop_inactive(ladder: Ladder) -> None:
    """Move inactive players down; those on vacation or with an open challenge are looked at again later."""
    inactive = [
        account_id for account_id in ladder.order if ladder.players[account_id].inactive_at <= ladder.now
    ]
    away = await queries.on_vacation(ladder.session, inactive, ladder.now)
    for account_id in inactive:
        if account_id in away or ladder.is_engaged(account_id):
            ladder.players[account_id].inactive_at = ladder.now + ANSWER_WITHIN
        else:
            await ladder.drop(account_id)
