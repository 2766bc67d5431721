"""Keep what is said in tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "5b0e8c47d913"
down_revision = "6a1f93c8d25e"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("chat_messages", sa.Column("tournament_id", sa.Text(), nullable=True))
    op.alter_column("chat_messages", "game_id", nullable=True)
    op.create_foreign_key(
        op.f("fk_chat_messages_tournament_id_tournaments"),
        "chat_messages",
        "tournaments",
        ["tournament_id"],
        ["id"],
        ondelete="CASCADE",
    )
    op.drop_constraint(op.f("ck_chat_messages_room"), "chat_messages", type_="check")
    op.create_check_constraint(
        op.f("ck_chat_messages_room"), "chat_messages", "room IN ('players', 'spectators', 'tournament')"
    )
    op.create_check_constraint(
        op.f("ck_chat_messages_place"),
        "chat_messages",
        "(game_id IS NULL) = (room = 'tournament') AND (tournament_id IS NULL) = (room <> 'tournament')",
    )
    op.create_index(
        "ix_chat_messages_tournament_id",
        "chat_messages",
        ["tournament_id", "id"],
        postgresql_where=sa.text("tournament_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.execute("DELETE FROM chat_messages WHERE room = 'tournament'")
    op.drop_index("ix_chat_messages_tournament_id", "chat_messages")
    op.drop_constraint(op.f("ck_chat_messages_place"), "chat_messages", type_="check")
    op.drop_constraint(op.f("ck_chat_messages_room"), "chat_messages", type_="check")
    op.create_check_constraint(
        op.f("ck_chat_messages_room"), "chat_messages", "room IN ('players', 'spectators')"
    )
    op.alter_column("chat_messages", "game_id", nullable=False)
    op.drop_column("chat_messages", "tournament_id")
