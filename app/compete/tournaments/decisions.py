"""Who may make, change and join which tournaments."""

from datetime import datetime

from app.compete.teams.models import TeamMember
from app.compete.teams.queries import Role
from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.compete.tournaments.queries import OPEN, TournamentInfo, terms_of
from app.compete.tournaments.standings import StandingShown
from app.compete.tournaments.terms import MOST_PLAYERS, TournamentKind, TournamentTerms
from app.core.errors import ConflictError, FieldError, ForbiddenError
from app.core.i18n.text import _, ngettext
from app.people.identity.service import ORGANISER, Identity, check_registered

_MOST_PLAYERS_OF_OTHERS = 100  # who are not organisers


def with_account(identity: Identity | None) -> Identity:
    """Return the identity, which may make tournaments. Raise NeedsAccountError for guests and visitors."""
    return check_registered(identity, _("Register to make tournaments."))


def check_maker(identity: Identity, terms: TournamentTerms) -> None:
    """Raise ForbiddenError `needs_account` or `not_an_organiser`, FieldError `bad_max_players`.

    Everybody with an account may make casual tournaments for some players; organisers may make all.
    """
    with_account(identity)
    if terms.rated and not is_organiser(identity):
        raise ForbiddenError(
            "not_an_organiser", _("Only organisers can make rated tournaments. Make a casual one.")
        )
    if terms.max_players > (most := most_players(identity)):
        raise FieldError(
            "max_players",
            "bad_max_players",
            ngettext(
                "Only organisers can make tournaments for more than %(count)s player.",
                "Only organisers can make tournaments for more than %(count)s players.",
                most,
            ),
        )


def most_players(identity: Identity) -> int:
    """Return the most players of a tournament that an account may make."""
    return max(MOST_PLAYERS.values()) if is_organiser(identity) else _MOST_PLAYERS_OF_OTHERS


def most_of(kind: TournamentKind, identity: Identity) -> int:
    """Return the most players of a tournament of a kind that an account may make."""
    return min(most_players(identity), MOST_PLAYERS[kind])


def is_organiser(identity: Identity) -> bool:
    """Return whether an account may make rated and large tournaments."""
    return ORGANISER in identity.rights


def answers_for(tournament: Tournament, account_id: int, member: TeamMember | None) -> bool:
    """Return whether an account may end a tournament; `member` is its membership of the tournament's team.

    One that was made in the name of a team is ended by the leader and the officers, and by who made it for as
    long as they belong to the team; any other one by who made it.
    """
    is_own = tournament.organiser_id == account_id
    if tournament.team_id is None:
        return is_own
    return member is not None and (is_own or Role(member.role).may_admit)


def may_say_why(tournament: Tournament | TournamentInfo, identity: Identity) -> bool:
    """Return whether the reason of an account that cancels a tournament is shown.

    All words of a tournament are its organiser's, for reports and erasing: nobody else puts in theirs, but
    for moderators.
    """
    return identity.is_moderator or tournament.organiser_id == identity.id


def not_yours() -> ForbiddenError:
    """Return the error that a tournament belongs to others."""
    return ForbiddenError("not_yours", _("Only the organiser of the tournament can do that."))


def check_not_over(tournament: Tournament | TournamentInfo) -> None:
    """Raise ConflictError `tournament_over`."""
    if tournament.status not in OPEN:
        raise ConflictError("tournament_over", _("This tournament is over."))


def check_not_started(tournament: Tournament | TournamentInfo) -> None:
    """Raise ConflictError `tournament_over` or `tournament_started`."""
    check_not_over(tournament)
    if tournament.status == "started":
        raise ConflictError("tournament_started", _("This tournament has begun."))


def check_room(terms: TournamentTerms, players: int) -> None:
    """Raise FieldError `bad_max_players` if more players have joined than the terms allow."""
    if terms.max_players < players:
        raise FieldError(
            "max_players", "bad_max_players", _("Leave room for the players who have joined already.")
        )


def check_open(tournament: Tournament, player: TournamentPlayer | None, now: datetime) -> None:
    """Raise ConflictError `tournament_over`, `tournament_started` or `tournament_full` if nobody may join."""
    is_closed = closed_to_others if player is None else closed
    if (error := is_closed(tournament, terms_of(tournament), now)) is not None:
        raise error


def closed(
    tournament: Tournament | TournamentInfo, terms: TournamentTerms, now: datetime
) -> ConflictError | None:
    """Return why players may not come back to a tournament, as an error, or None: Swiss and arenas go on."""
    if tournament.status not in OPEN or (tournament.ends_at is not None and now >= tournament.ends_at):
        return ConflictError("tournament_over", _("This tournament is over."))
    has_begun = tournament.status == "started"
    if has_begun and terms.kind not in (TournamentKind.ARENA, TournamentKind.SWISS):
        return ConflictError("tournament_started", _("This tournament has begun. Join the next one."))
    return None


def closed_to_others(
    tournament: Tournament | TournamentInfo, terms: TournamentTerms, now: datetime
) -> ConflictError | None:
    """Return why nobody else may join a tournament, as an error, or None.

    Arenas can be joined until they end, Swiss tournaments until half of the rounds have begun.
    """
    if (error := closed(tournament, terms, now)) is not None:
        return error
    if terms.kind is TournamentKind.SWISS and 2 * tournament.round > terms.plan.rounds:
        return ConflictError("tournament_started", _("This tournament has begun. Join the next one."))
    if tournament.size >= terms.max_players:
        return ConflictError("tournament_full", _("This tournament is full."))
    return None


def is_host(tournament: Tournament, account_id: int) -> bool:
    """Return whether an account is the host of a simul, against whom everybody plays."""
    return tournament.kind == TournamentKind.SIMUL and account_id == tournament.organiser_id


def check_leaving(tournament: Tournament, player: TournamentPlayer | None) -> TournamentPlayer:
    """Return the player. Raise ConflictError `not_joined`, `tournament_over`, or `host` of a simul."""
    check_not_over(tournament)
    if player is None or player.status == "withdrawn":
        raise ConflictError("not_joined", _("You do not take part in this tournament."))
    if is_host(tournament, player.account_id):
        raise ConflictError("host", _("Everybody plays against you. Cancel the tournament instead."))
    return player


def is_eliminated(
    kind: str, number: int, player: TournamentPlayer | StandingShown, *, is_playing: bool, has_final: bool
) -> bool:
    """Return whether a player has lost a match of a knock-out, or is not in the final after groups.

    `number` is the round that is played; `is_playing` says whether the player has a pairing without outcome.
    """
    if kind == TournamentKind.KNOCK_OUT:
        return player.points < number and not is_playing
    return has_final and not player.stage


def check_pause(tournament: Tournament) -> None:
    """Raise ConflictError `no_pause` unless the games of a player may be left out."""
    if tournament.kind not in (TournamentKind.ARENA, TournamentKind.SWISS):
        raise ConflictError("no_pause", _("There are no pauses in this tournament. You can withdraw."))
