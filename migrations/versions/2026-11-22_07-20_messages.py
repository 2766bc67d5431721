"""Keep messages between players."""

import sqlalchemy as sa
from alembic import op

revision = "9be7430d61fa"
down_revision = "7d02c9e4b319"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "messages",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("reader_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("author_id <> reader_id", name=op.f("ck_messages_reader")),
        sa.ForeignKeyConstraint(["author_id"], ["accounts.id"], name=op.f("fk_messages_author_id_accounts")),
        sa.ForeignKeyConstraint(["reader_id"], ["accounts.id"], name=op.f("fk_messages_reader_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index("ix_messages_author_id_reader_id_id", "messages", ["author_id", "reader_id", "id"])
    op.create_index("ix_messages_reader_id", "messages", ["reader_id"])
    op.create_table(
        "message_threads",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("other_id", sa.BigInteger(), nullable=False),
        sa.Column("last_id", sa.BigInteger(), nullable=False),
        sa.Column("unread", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("is_own", sa.Boolean(), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_message_threads_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["other_id"], ["accounts.id"], name=op.f("fk_message_threads_other_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["last_id"], ["messages.id"], name=op.f("fk_message_threads_last_id_messages")
        ),
        sa.PrimaryKeyConstraint("account_id", "other_id", name=op.f("pk_message_threads")),
    )
    op.create_index("ix_message_threads_other_id", "message_threads", ["other_id"])
    op.create_index("ix_message_threads_last_id", "message_threads", ["last_id"])
    op.create_index("ix_message_threads_account_id_last_id", "message_threads", ["account_id", "last_id"])


def downgrade() -> None:
    op.drop_table("message_threads")
    op.drop_table("messages")
