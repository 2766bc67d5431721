"""Keep teams, their members, and who wants to join them."""

import sqlalchemy as sa
from alembic import op

revision = "c51e8a07d2f4"
down_revision = "f2b7d09c4e18"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "teams",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("leader_id", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["leader_id"], ["accounts.id"], name=op.f("fk_teams_leader_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
    )
    op.create_index(op.f("ix_teams_leader_id"), "teams", ["leader_id"])
    is_active = sa.text("closed_at IS NULL")
    op.create_index(
        "uq_teams_name_lower", "teams", [sa.text("lower(name)")], unique=True, postgresql_where=is_active
    )
    op.create_index("ix_teams_size_id", "teams", [sa.text("size DESC"), "id"], postgresql_where=is_active)
    op.create_table(
        "team_members",
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("role IN ('leader', 'officer', 'member')", name=op.f("ck_team_members_role")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_team_members_team_id_teams")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_team_members_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("team_id", "account_id", name=op.f("pk_team_members")),
    )
    op.create_index("ix_team_members_account_id", "team_members", ["account_id"])
    op.create_table(
        "team_requests",
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("refused_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_team_requests_team_id_teams")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_team_requests_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("team_id", "account_id", name=op.f("pk_team_requests")),
    )
    op.create_index("ix_team_requests_account_id", "team_requests", ["account_id"])


def downgrade() -> None:
    op.drop_table("team_requests")
    op.drop_table("team_members")
    op.drop_table("teams")
