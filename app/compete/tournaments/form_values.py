"""The fields of the form of a tournament: as they are proposed, and of one that is changed."""

from collections.abc import Mapping

from app.compete.tournaments.terms import Terms, TournamentKind
from app.play.lobby.forms import blank
from engine.clock import Byoyomi, Correspondence, DaysBank, PerMove, Realtime, TimeControl

_BLANK: Mapping[str, str] = {
    "name": "",
    "description": "",
    "clock": "realtime",
    "minutes": "5",
    "increment": "3",
    "rated": "",
    "starts_at": "",
    "max_players": "",
    "length": "60",
    "late_games": "count",
    "swiss_rounds": "5",
    "pause": "15",
    "groups": "1",
    "promoted": "0",
    "is_double": "",
    "at_once": "0",
    "best_of": "1",
    "min_games": "0",
    "team": "",
    "computers": "",
    "chat": "yes",
    "password": "",
}


def proposed(kind: TournamentKind, game: str, team_id: str = "") -> dict[str, str]:
    """Return the fields of a new tournament of a kind, at a game or at the first one if it is unknown."""
    return {**blank(game), **_BLANK, "kind": kind, "team": team_id}


def entered(values: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a form that was sent, which leaves out the boxes that are not ticked."""
    kind = next((kind for kind in TournamentKind if kind == values.get("kind")), TournamentKind.ARENA)
    boxes = dict.fromkeys(("is_double", "computers", "chat"), "")
    return {**proposed(kind, values.get("game", "")), **boxes, **values, "kind": kind}


def values_of(terms: Terms) -> dict[str, str]:
    """Return the fields with the terms of a tournament."""
    plan = terms.plan
    return {
        **proposed(terms.kind, terms.game),
        **{name: str(value) for name, value in terms.options.items()},
        **_clock_values(terms.control),
        "name": terms.name,
        "description": terms.description,
        "rated": _yes(is_so=terms.rated),
        "starts_at": terms.starts_at.strftime("%Y-%m-%dT%H:%M") if terms.starts_at else "",
        "max_players": str(terms.max_players),
        "length": str(plan.minutes),
        "late_games": plan.late_games,
        "swiss_rounds": str(plan.rounds),
        "pause": str(plan.pause),
        "groups": str(plan.groups),
        "promoted": str(plan.promoted),
        "is_double": _yes(is_so=plan.is_double),
        "at_once": str(plan.at_once),
        "best_of": str(plan.best_of),
        "rating_min": "" if terms.rating_min is None else str(terms.rating_min),
        "rating_max": "" if terms.rating_max is None else str(terms.rating_max),
        "min_games": str(terms.min_games),
        "team": terms.team_id or "",
        "computers": _yes(is_so=terms.computers),
        "chat": _yes(is_so=terms.chat),
    }


def _yes(*, is_so: bool) -> str:
    return "yes" if is_so else ""


def _clock_values(control: TimeControl | None) -> dict[str, str]:
    values: dict[str, object] = {}
    match control:
        case Realtime(limit, increment):
            values = {"clock": "realtime", "minutes": f"{limit / 60:g}", "increment": increment}
        case Byoyomi(limit, periods, period):
            values = {"clock": "byoyomi", "main": f"{limit / 60:g}", "periods": periods, "period": period}
        case PerMove(seconds):
            values = {"clock": "per_move", "seconds": seconds}
        case Correspondence(days, weekends_off):
            values = {"clock": "correspondence", "days": days, "weekends_off": _yes(is_so=weekends_off)}
        case DaysBank(days, increment, most, weekends_off):
            weekends = _yes(is_so=weekends_off)
            values = {"clock": "days_bank", "start": days, "bonus": increment, "most": most}
            values["weekends_off"] = weekends
    return {name: str(value) for name, value in values.items()}
