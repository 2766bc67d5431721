"""What is imported only when it is needed is not there when a web process starts."""

import json
import re
import subprocess
import sys

from app.core.settings import ROOT

_STARTED = """
import json, sys
from app.main import create_app
create_app()
json.dump(list(sys.modules), sys.stdout)
"""


def test_a_web_process_starts_without_what_it_needs_later():
    texts = [path.read_text() for path in (ROOT / "app").rglob("*.py")]
    later = {name for text in texts for name in re.findall(r'Later\("([\w.]+)"\)', text)}
    started = subprocess.run([sys.executable, "-c", _STARTED], cwd=ROOT, check=True, capture_output=True)
    assert {"webauthn", "aiohttp"} <= later
    assert later.isdisjoint(json.loads(started.stdout))


def test_what_starts_web_processes_has_not_what_only_they_need():
    code = (
        "import json, sys, app.server.cli.server, app.server.serve; json.dump(list(sys.modules), sys.stdout)"
    )
    started = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    assert {"fastapi", "jinja2", "asyncpg", "websockets", "app.live.http"}.isdisjoint(
        json.loads(started.stdout)
    )


_TABLES = """
from app.server.serve import load_app
load_app()
from app.core.i18n.catalogue import catalogue
from app.core.i18n.languages import LANGUAGES
from app.core.web.look_alikes import _prototypes
print([table.cache_info().currsize for table in (catalogue, _prototypes)] == [len(LANGUAGES), 1])
"""


def test_a_web_process_starts_with_the_tables_for_which_visitors_would_wait():
    started = subprocess.run([sys.executable, "-c", _TABLES], cwd=ROOT, check=True, capture_output=True)
    assert started.stdout.split() == [b"True"]
