"""Add the chat of teams."""

import sqlalchemy as sa
from alembic import op

revision = "e41b7c92d350"
down_revision = "c95e02b7d418"
branch_labels = None
depends_on = None

_TABLE = "chat_messages"
_ROOMS = "room IN ('players', 'spectators', 'tournament'{})"
_OF_TOURNAMENT = "(tournament_id IS NULL) = (room <> 'tournament')"
_PLACE_BEFORE = f"(game_id IS NULL) = (room = 'tournament') AND {_OF_TOURNAMENT}"
_PLACE = (
    f"(game_id IS NULL) = (room IN ('tournament', 'team')) AND {_OF_TOURNAMENT} "
    "AND (team_id IS NULL) = (room <> 'team')"
)


def upgrade() -> None:
    op.add_column(_TABLE, sa.Column("team_id", sa.Text(), nullable=True))
    op.create_foreign_key("fk_chat_messages_team_id_teams", _TABLE, "teams", ["team_id"], ["id"])
    op.create_index(
        "ix_chat_messages_team_id", _TABLE, ["team_id", "id"], postgresql_where=sa.text("team_id IS NOT NULL")
    )
    _check(_ROOMS.format(", 'team'"), _PLACE)


def downgrade() -> None:
    op.execute("DELETE FROM chat_messages WHERE room = 'team'")
    _check(_ROOMS.format(""), _PLACE_BEFORE)
    op.drop_column(_TABLE, "team_id")


def _check(rooms: str, place: str) -> None:
    for name, condition in (("room", rooms), ("place", place)):
        op.drop_constraint(op.f(f"ck_chat_messages_{name}"), _TABLE, type_="check")
        op.create_check_constraint(op.f(f"ck_chat_messages_{name}"), _TABLE, condition)
