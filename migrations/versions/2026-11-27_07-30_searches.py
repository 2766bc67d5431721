"""Add the searches of players for any of several games."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.core.database.migrate import create_functions

revision = "5a9d20c7e1b8"
down_revision = "8c1f3e62b7d4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "searches",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("wanted", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("rated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("casual_with_guests", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("rating_min", sa.BigInteger(), nullable=True),
        sa.Column("rating_max", sa.BigInteger(), nullable=True),
        sa.Column("began_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_searches_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_searches_game_id_games")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_searches")),
    )
    op.create_index(op.f("ix_searches_until"), "searches", ["until"])
    op.create_index(op.f("ix_searches_game_id"), "searches", ["game_id"])
    create_functions()
    op.execute(
        "CREATE TRIGGER games_end_searches AFTER INSERT ON games FOR EACH ROW EXECUTE FUNCTION end_searches()"
    )


def downgrade() -> None:
    op.execute("DROP TRIGGER games_end_searches ON games")
    op.drop_table("searches")
