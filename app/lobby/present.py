"""Challenges and lists of games as pages show them."""

from app.accounts.service import Identity
from app.games.service import GameSummary
from app.games.views import GameCard
from app.lobby.service import RANDOM, ChallengeInfo
from app.lobby.views import ChallengeView
from engine.registry import GAMES


def challenge_view(challenge: ChallengeInfo, viewer: Identity | None) -> ChallengeView:
    """Give a challenge as one viewer sees it."""
    viewer_id = viewer.id if viewer else None
    rules = GAMES[challenge.game]
    others = [side for side in rules.sides if side != challenge.side]
    return ChallengeView(
        id=challenge.id,
        title=rules.title,
        size=challenge.options["size"],
        maker=challenge.maker.username,
        maker_is_guest=challenge.maker.is_guest,
        opponent=challenge.opponent.username if challenge.opponent else None,
        kind=challenge.kind,
        side=RANDOM if challenge.side == RANDOM else others[0],
        status=challenge.status,
        game_id=challenge.game_id,
        created_at=challenge.created_at,
        is_mine=viewer_id == challenge.maker.id,
        may_accept=challenge.may_accept(viewer_id),
        may_decline=challenge.opponent is not None and challenge.may_accept(viewer_id),
    )


def game_card(game: GameSummary) -> GameCard:
    """Give one line of a list of games."""
    return GameCard(
        id=game.id,
        title=GAMES[game.game].title,
        size=game.options["size"],
        opponent=game.opponent or "",
        your_turn=game.side_to_move == game.side,
        ply=game.ply,
        updated_at=game.updated_at,
    )
