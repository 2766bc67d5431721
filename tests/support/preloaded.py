"""What a process does before it becomes a server: it imports the application, and makes what is made once."""

import gc

from sqlalchemy.orm import configure_mappers

import app.database.migrate
import app.server
import app.worker_processes
from app.i18n.catalogue import catalogue
from app.i18n.languages import LANGUAGES

app.server.load_app()
configure_mappers()
for language in LANGUAGES:
    catalogue(language)
gc.freeze()  # so that no server looks through it again
