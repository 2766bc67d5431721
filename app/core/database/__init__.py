"""PostgreSQL: connections, the embedded server, migrations."""
