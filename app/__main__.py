"""The `gorrion` command as `python -m app`."""

from app.cli import main

main()
