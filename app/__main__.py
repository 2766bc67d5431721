"""The `gorrion` command as `python -m app`."""

from app.server.cli import main

if __name__ == "__main__":  # and not when a process of a pool imports it
    main()
