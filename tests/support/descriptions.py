"""Write the descriptions of the API to a folder: `python -m tests.support.descriptions FOLDER`."""

import json
import sys
from pathlib import Path

from app.core.web.channels import asyncapi
from app.server.channels import CHANNELS
from tests.support.application import application

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    openapi = application().openapi()
    described = asyncapi(openapi["info"], "https://play.example", CHANNELS)
    (folder / "openapi.json").write_text(json.dumps(openapi))
    (folder / "asyncapi.json").write_text(json.dumps(described))
