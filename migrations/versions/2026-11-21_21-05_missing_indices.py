"""Index the references to accounts and games that are looked up from their other end."""

from alembic import op

revision = "e0d4a7c81f36"
down_revision = "3b1f0c6a9d52"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_challenges_game_id"), "challenges", ["game_id"], unique=False)
    op.create_index(op.f("ix_nugget_standings_account_id"), "nugget_standings", ["account_id"], unique=False)
    op.create_index(op.f("ix_races_maker_id"), "races", ["maker_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_races_maker_id"), table_name="races")
    op.drop_index(op.f("ix_nugget_standings_account_id"), table_name="nugget_standings")
    op.drop_index(op.f("ix_challenges_game_id"), table_name="challenges")
