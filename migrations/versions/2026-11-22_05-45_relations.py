"""Let players follow, mute and block each other."""

import sqlalchemy as sa
from alembic import op

revision = "c41d8e07b3a6"
down_revision = "e91c7a36f052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "relations",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("other_id", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("relation IN ('follow', 'mute', 'block')", name=op.f("ck_relations_relation")),
        sa.CheckConstraint("account_id <> other_id", name=op.f("ck_relations_other")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_relations_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["other_id"], ["accounts.id"], name=op.f("fk_relations_other_id_accounts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "relation", "other_id", name=op.f("pk_relations")),
    )
    op.create_index("ix_relations_other_id_relation", "relations", ["other_id", "relation"])


def downgrade() -> None:
    op.drop_table("relations")
