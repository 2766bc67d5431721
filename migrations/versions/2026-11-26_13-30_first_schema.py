"""The schema of Gorrion 0.1.0: the functions in SQL, and the tables of the file beside this one."""

from pathlib import Path

from alembic import op
from alembic.util import CommandError

from app.core.database.migrate import create_functions

revision = "b2d81f6a9c37"
down_revision = None
branch_labels = None
depends_on = None

# The migrations before 0.1.0. The last of them had this revision and made the same: such a database goes on.
replaces = """
57ba41168263 5a67d6bf2a65 8fcd4c808e4b 8faea11b938d c97eb7400b10 b3f0a6c2d914 3b1f0c6a9d52 e0d4a7c81f36
d2a6c0f4b7e1 7c1d9e52a8f4 7d21c0f5a8e4 a94e1b7d3c60 b7c1e90d4a35 c4e8a1d7f052 d9f3b6a2c418 3b8e5d91c7a2
e1a7c4f90b26 4e8b1f7730ac 9a06d3c5e2b1 c3d7520be94f 7d20e6b1f8c3 b5c19a04e7d2 b58e02c4d7a1 e91c7a36f052
c41d8e07b3a6 3c8e51f7a902 84d1f0b6c3e7 d27f40c9b158 a4c81e96d2b7 5b1f0c93d7aa f0a6b2d9c815 e7a1d05c2b94
5c1e9d70b2a4 5c1e9d70b2a5 e60d2b7f4c15 7d02c9e4b318 7d02c9e4b319 9be7430d61fa f2b7d09c4e18 c51e8a07d2f4
a93d60e7b1c8 3c1f5a8e0b27 d4e1f7a2960b e7b03c59d1a4 5b7de1c09f42 5e8d20b7c4f1 3b9d41e6a7f0 d80a6f3e1c57
51f7c2d9ae04 d4a6f1b83e20 3d6f64272634 b8c2d75e9f01 6a1f93c8d25e 5b0e8c47d913 c41f7a90d2e8 b6d2f80c41a7
c3e81b5d09f4 d4f09a6c17e8 e8b35d7f20a6 f1c94e6a83d2 0c7b2e94d15f 5e9a3c71d8b4 c41d8f0b6e27 7d0c5b92e6a1
8b1f27c6d9e4 b8d21f6c3e90 e4a7905c1b2d 7b1e90c4d2a6 e3a5c8d17f42 f6c09b3a7d15 a7d41e9c5b20 a4d7e9c1b360
"""


def upgrade() -> None:
    create_functions()
    tables = Path(__file__).with_suffix(".sql").read_text()
    op.get_bind().connection.dbapi_connection.run_async(lambda connection: connection.execute(tables))


def downgrade() -> None:
    raise CommandError("Nothing is older than this schema: drop the database instead.")
