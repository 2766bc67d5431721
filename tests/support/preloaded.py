"""What a process does before it becomes a server: it imports the application, and makes what is made once."""

import app.core.database.migrate
import app.server.serve
from app.core.i18n.catalogue import catalogue
from app.core.i18n.languages import LANGUAGES
from app.core.web.render import _environment

for language in LANGUAGES:
    catalogue(language)
templates = _environment("en")
for name in templates.list_templates():  # each server would compile those that it draws
    templates.get_template(name)
app.server.serve.load_app()  # last: it spares all of this from garbage collections
