"""Writing a migration: `python -m tests.support.migration "Add greetings"`.

It compares the models with a new database that has all migrations.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from app.core.database.embedded import EmbeddedPostgres
from app.core.settings import ROOT

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        postgres = EmbeddedPostgres(Path(folder) / "data")
        os.environ["GORRION_DATABASE_URL"] = postgres.start()
        alembic = [sys.executable, "-m", "alembic"]
        try:
            subprocess.run([*alembic, "upgrade", "head"], cwd=ROOT, check=True)
            subprocess.run([*alembic, "revision", "--autogenerate", "-m", sys.argv[1]], cwd=ROOT, check=True)
        finally:
            postgres.stop()
