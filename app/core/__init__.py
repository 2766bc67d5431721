"""What every wing stands on: settings, the database, events, jobs, languages, and the web."""
