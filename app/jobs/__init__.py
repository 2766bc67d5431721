"""Work for `gorrion worker` processes: the queue in PostgreSQL, and what takes from it."""
