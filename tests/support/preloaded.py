"""What a process does before it becomes a server: it imports the application, and makes what is made once."""

import app.database.migrate
import app.server
import app.worker_processes
from app.i18n.catalogue import catalogue
from app.i18n.languages import LANGUAGES

for language in LANGUAGES:
    catalogue(language)
app.server.load_app()  # last: it spares all of this from garbage collections
