"""Background work on PgQueuer: jobs that `gorrion worker` processes do, and schedules."""
