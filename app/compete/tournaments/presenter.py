"""Builds what the pages of tournaments show."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from app.compete.tournaments import views, wording
from app.compete.tournaments.conduct import REASONS
from app.compete.tournaments.decisions import closed, closed_to_others, is_eliminated, may_say_why
from app.compete.tournaments.follow import Lists, TournamentSnapshot
from app.compete.tournaments.offering import ListReader
from app.compete.tournaments.queries import OPEN, TournamentInfo
from app.compete.tournaments.service import TournamentReader
from app.compete.tournaments.standings import PairingShown, StandingShown
from app.compete.tournaments.terms import TournamentKind
from app.core.database.rank_order import RankedPage
from app.core.database.unreadable import UnreadableError
from app.core.errors import AppError, NeedsAccountError
from app.core.i18n.text import NO_TEXT, Text
from app.core.moments import utc_now
from app.people.identity.service import Identity
from app.play.games.presenter.cards import mini_view
from app.play.games.service import Games
from app.play.games.views import MiniView
from app.play.games.wording import points_text
from engine.registry import FOR_TWO
from engine.tournaments.arena import STREAK

ROWS = 25
"""The rows of a page of the standings."""

_BOARDS = 50  # of the current round, as long as no round is chosen: each change sends them to all readers


@dataclass(frozen=True, slots=True)
class Pictured:
    """The games whose boards the page of a tournament shows.

    `featured` is the one under way of the best player who has one; `podium` are those of the first three, by
    their accounts.
    """

    featured: MiniView | None
    podium: Mapping[int, MiniView]


def row_views(infos: Iterable[TournamentInfo], reader: ListReader | None) -> list[views.TournamentRow]:
    """Return a list of tournaments for its reader; see `Tournaments.list_reader`."""
    return [_row_view(info, reader) for info in infos]


def _row_view(info: TournamentInfo, reader: ListReader | None) -> views.TournamentRow:
    has_joined = reader is not None and info.id in reader.joined
    has_left = reader is not None and info.id in reader.left
    is_refused = reader is not None and info.id in reader.refused
    is_closed = (closed if has_left else closed_to_others)(info, info.terms, utc_now()) is not None
    return views.TournamentRow(
        info,
        wording.summary(info.terms),
        wording.players_text(info),
        has_joined=has_joined,
        may_join=not (has_joined or is_refused or is_closed),
        joins_at_once=reader is not None and (has_left or not info.has_password),
    )


def lists_view(lists: Lists, reader: ListReader | None) -> Mapping[str, RankedPage[views.TournamentRow]]:
    """Return the tournaments that are played, that come, and that start when they are full."""
    return {
        "running": page_view(lists.running, reader),
        "coming": page_view(lists.coming, reader),
        "filling": page_view(lists.filling, reader),
    }


def page_view(
    listed: RankedPage[TournamentInfo], reader: ListReader | None
) -> RankedPage[views.TournamentRow]:
    """Return a page of a list of tournaments; see `row_views`."""
    return RankedPage(tuple(row_views(listed.rows, reader)), listed.next)


def page_with(snapshot: TournamentSnapshot, account_id: int) -> int:
    """Return the number of the page of the standings with an account's row, 1 if there is none."""
    return snapshot.places.get(account_id, 0) // ROWS + 1


def is_on_another_page(snapshot: TournamentSnapshot, viewer: Identity | None, number: int) -> bool:
    """Return whether the standings have a row of the viewer, but not on the page with this number."""
    if viewer is None or viewer.id not in snapshot.places:
        return False
    return page_with(snapshot, viewer.id) != _existing_page(snapshot, number)


def _existing_page(snapshot: TournamentSnapshot, number: int) -> int:
    """Return the number of the page of the standings that is shown for a number: at most the last one."""
    return min(number, max(0, len(snapshot.standings) - 1) // ROWS + 1)


def tournament_page(
    snapshot: TournamentSnapshot, pictured: Pictured, number: int, rounds: views.RoundsView
) -> views.TournamentPage:
    """Return what everybody sees of a tournament, with a page of the standings."""
    info = snapshot.info
    return views.TournamentPage(
        info=info,
        kind=wording.KINDS[info.terms.kind],
        explained=wording.explained(info.terms),
        facts=list(wording.facts(info)),
        reason=REASONS.get(info.reason, info.reason),
        podium=[
            (row, points_text(row.points), pictured.podium.get(row.account_id)) for row in snapshot.podium
        ],
        standings=_standings(snapshot, number),
        rounds=rounds,
        featured=pictured.featured,
    )


def _standings(snapshot: TournamentSnapshot, number: int) -> views.StandingsView:
    terms, number = snapshot.info.terms, _existing_page(snapshot, number)
    return views.StandingsView(
        rows=tuple(snapshot.standings[(number - 1) * ROWS : number * ROWS]),
        tie_breaks=wording.tie_breaks(terms.kind),
        has_groups=terms.has_groups,
        number=number,
        has_more=len(snapshot.standings) > number * ROWS,
        streak=STREAK if terms.kind is TournamentKind.ARENA else 0,
    )


def rounds_view(
    snapshot: TournamentSnapshot, wanted: int | None, of_round: Sequence[PairingShown] | None = None
) -> views.RoundsView:
    """Return the pairings of a round, at most of the last one; if none is wanted, the first ones of a round.

    That is the current one, or if all are played at once the first one that is not decided, or else the last
    one. `of_round` are the pairings if they are not those of the snapshot.
    """
    info, kind = snapshot.info, snapshot.info.terms.kind
    if kind is TournamentKind.ARENA:
        return views.RoundsView(0, (), _pairing_rows(snapshot.pairings), False, (), ())
    last = max((pairing.round for pairing in snapshot.pairings), default=max(info.round, 1))
    current = max(info.round, 1)
    if info.terms.is_all_at_once:
        current = min((pairing.round for pairing in snapshot.pairings if not pairing.outcome), default=last)
    number = min(wanted or current, last)
    known = snapshot.pairings if of_round is None else of_round
    in_round = [pairing for pairing in known if pairing.round == number]
    shown = in_round if wanted else in_round[:_BOARDS]
    return views.RoundsView(
        number=number,
        numbers=range(1, last + 1),
        rows=_pairing_rows(shown),
        has_more=len(shown) < len(in_round),
        crosstables=views.crosstables(snapshot.standings, snapshot.pairings)
        if kind is TournamentKind.ROUND_ROBIN
        else (),
        bracket=_bracket(snapshot) if kind is TournamentKind.KNOCK_OUT else (),
    )


def _bracket(snapshot: TournamentSnapshot) -> tuple[tuple[views.Match, ...], ...]:
    champion = views.winner_of_final(snapshot.pairings) if snapshot.info.status == "finished" else None
    return views.bracket(snapshot.pairings, champion)


def _pairing_rows(pairings: Iterable[PairingShown]) -> tuple[tuple[PairingShown, Text], ...]:
    return tuple((pairing, wording.result_text(pairing)) for pairing in pairings)


def own_view(
    snapshot: TournamentSnapshot, viewer: Identity | None, reader: TournamentReader
) -> views.OwnView:
    """Return how a viewer stands in a tournament, and what they may do."""
    info = snapshot.info
    standing = snapshot.standing_of(viewer.id) if viewer else None
    played = _pairings_of(snapshot, standing) if standing else []
    is_open = info.status in OPEN
    is_in = standing is not None and standing.status != "withdrawn"
    is_active = standing is not None and standing.status == "active"
    is_away = standing is not None and not is_active
    is_out = standing is not None and is_in and _is_out(snapshot, standing, played)
    is_own = viewer is not None and viewer.id == info.organiser_id
    is_host = is_own and info.terms.kind is TournamentKind.SIMUL
    is_playing = is_in and not is_away and not is_out
    may_go_on = closed(info, info.terms, utc_now()) is None
    refusal = _refusal(info, standing, reader)
    return views.OwnView(
        path=f"/tournaments/{info.id}",
        status=info.status,
        terms=info.terms.fingerprint,
        has_chat=info.terms.chat,
        standing=standing,
        games=list(_games_of(standing, played)) if standing else (),
        is_out=is_out,
        is_finalist=is_in and info.status == "started" and standing is not None and standing.stage > 0,
        awaits_final=is_playing and _awaits_final(snapshot, played),
        sits_out=is_playing and _has_break(info, played),
        awaits_game=is_playing and info.terms.is_realtime and _has_game_to_come(snapshot, played),
        may_join=standing is None and refusal is None,
        may_come_back=is_away and refusal is None,
        must_register=isinstance(refusal, NeedsAccountError),
        refusal=refusal.message if refusal and is_open and not is_active else NO_TEXT,
        needs_password=info.has_password and standing is None,
        may_pause=is_in and not is_away and info.status == "started" and may_go_on,
        may_withdraw=is_in and is_open and not is_host and not is_out,
        may_switch_chat=reader.may_end,
        may_edit=reader.may_edit and info.status == "created",
        may_cancel=is_open and reader.may_end,
        may_say_why=viewer is not None and may_say_why(info, viewer),
    )


def _refusal(
    info: TournamentInfo, standing: StandingShown | None, reader: TournamentReader
) -> AppError | None:
    """Return why a reader who does not play cannot join or come back, as these commands would say it."""
    is_closed = closed_to_others if standing is None else closed
    return is_closed(info, info.terms, utc_now()) or reader.refusal


def _pairings_of(snapshot: TournamentSnapshot, standing: StandingShown) -> list[PairingShown]:
    return [
        pairing
        for pairing in snapshot.pairings
        if any(player and player.id == standing.account_id for player in (pairing.first, pairing.second))
    ]


def _is_out(snapshot: TournamentSnapshot, standing: StandingShown, played: Iterable[PairingShown]) -> bool:
    """Return whether a player has lost a match of a knock-out, or is not in the final after groups."""
    info = snapshot.info
    return info.status == "started" and is_eliminated(
        info.terms.kind,
        info.round,
        standing,
        is_playing=any(pairing.outcome is None for pairing in played),
        has_final=any(row.stage for row in snapshot.standings),
    )


def _has_break(info: TournamentInfo, played: Iterable[PairingShown]) -> bool:
    """Return whether a player has no game in the round that is played."""
    has_rounds = info.terms.kind is TournamentKind.SWISS or (
        info.terms.kind is TournamentKind.ROUND_ROBIN and not info.terms.is_all_at_once
    )
    is_round = info.status == "started" and info.round > 0 and info.pause_until is None
    in_round = [pairing for pairing in played if pairing.round == info.round and pairing.second]
    return has_rounds and is_round and all(each.outcome and not each.game_id for each in in_round)


def _awaits_final(snapshot: TournamentSnapshot, played: Iterable[PairingShown]) -> bool:
    """Return whether a player has played all games of a group, and the finalists are not known yet."""
    info = snapshot.info
    return (
        info.status == "started"
        and _has_final_to_come(snapshot)
        and all(pairing.outcome for pairing in played)
        and not any(row.stage for row in snapshot.standings)
    )


def _has_final_to_come(snapshot: TournamentSnapshot) -> bool:
    """Return whether groups will have a final. Its pairings have group 0, and so have those of one group."""
    return snapshot.info.terms.has_final and not any(pairing.group == 0 for pairing in snapshot.pairings)


def _has_game_to_come(snapshot: TournamentSnapshot, played: Sequence[PairingShown]) -> bool:
    """Return whether a player who is not out will or may have a game, and has none now."""
    info = snapshot.info
    if info.status == "created":
        return True
    undecided = [pairing for pairing in played if pairing.outcome is None]
    if info.status != "started" or any(pairing.game_id for pairing in undecided):
        return False
    if info.terms.kind is TournamentKind.ARENA:
        return closed(info, info.terms, utc_now()) is None
    if _has_final_to_come(snapshot):
        return True
    return bool(undecided) or (info.rounds is not None and info.round < info.rounds)


def _games_of(standing: StandingShown, played: Iterable[PairingShown]) -> Iterator[tuple[str, str]]:
    """Yield the games of a player that are under way, with the opponent's name."""
    has_game = False
    for pairing in played:
        if pairing.game_id and pairing.outcome is None:
            has_game = True
            players = (player for player in (pairing.first, pairing.second) if player)
            opponent = next(player for player in players if player.id != standing.account_id)
            yield pairing.game_id, opponent.username
    if standing.game_id and not has_game:
        yield standing.game_id, ""


async def pictured(snapshot: TournamentSnapshot, games: Games) -> Pictured:
    """Return the games whose boards the page of a tournament shows."""
    podium = {}
    for account_id, game_id in snapshot.podium_games.items():
        with suppress(UnreadableError):  # which is reported
            podium[account_id] = mini_view(await games.get(game_id))
    return Pictured(await _featured(snapshot, games), podium)


async def _featured(snapshot: TournamentSnapshot, games: Games) -> MiniView | None:
    running = {
        player.id: pairing.game_id
        for pairing in snapshot.pairings
        if pairing.game_id and pairing.outcome is None
        for player in (pairing.first, pairing.second)
        if player is not None
    }
    game_ids = (row.game_id or running.get(row.account_id) for row in snapshot.standings)
    game_id = next(filter(None, game_ids), None)
    return None if game_id is None else mini_view(await games.get(game_id))


def sheet_row(info: TournamentInfo, account_id: int, pairing: PairingShown) -> views.SheetRow:
    """Return a game of a player."""
    sides = FOR_TWO[info.terms.game].sides
    is_first = pairing.first.id == account_id
    opponent = pairing.second if is_first else pairing.first
    won = "first" if is_first else "second"
    points = None if pairing.outcome is None else {won: 1.0, "draw": 0.5}.get(pairing.outcome, 0.0)
    return views.SheetRow(
        pairing=pairing,
        opponent=opponent.username if opponent else None,
        side=sides[0] if is_first else sides[1],
        points=points,
        result=wording.result_text(pairing),
    )
