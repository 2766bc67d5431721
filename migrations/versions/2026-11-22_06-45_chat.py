"""Keep what is said beside games."""

import sqlalchemy as sa
from alembic import op

revision = "f0a6b2d9c815"
down_revision = "5b1f0c93d7aa"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chat_messages",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("greeting", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("room IN ('players', 'spectators')", name=op.f("ck_chat_messages_room")),
        sa.CheckConstraint("(text IS NULL) <> (greeting IS NULL)", name=op.f("ck_chat_messages_words")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_chat_messages_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_chat_messages_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_messages")),
    )
    op.create_index("ix_chat_messages_account_id", "chat_messages", ["account_id"])
    op.create_index("ix_chat_messages_game_id_room_id", "chat_messages", ["game_id", "room", "id"])


def downgrade() -> None:
    op.drop_table("chat_messages")
