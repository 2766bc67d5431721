"""Two more computer players: levels 9 and 10."""

from alembic import op

revision = "8c1f3e62b7d4"
down_revision = "b7d3f16c84e9"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        INSERT INTO accounts (username, password_hash, is_computer, computer_level)
        SELECT 'Gorrion-' || level, '!', true, level FROM generate_series(9, 10) level
        ON CONFLICT (lower(username)) DO UPDATE SET computer_level = excluded.computer_level
        """
    )


def downgrade() -> None:
    # Their games stay, and then the accounts do.
    op.execute(
        """
        DELETE FROM accounts WHERE computer_level IN (9, 10)
        AND NOT EXISTS (SELECT FROM games WHERE accounts.id IN (first_player, second_player))
        """
    )
    op.execute("UPDATE accounts SET computer_level = NULL WHERE computer_level IN (9, 10)")
    op.execute("SELECT setval(pg_get_serial_sequence('accounts', 'id'), (SELECT max(id) FROM accounts))")
