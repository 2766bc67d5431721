"""The environment variables that are settings, and those with a similar name that are not."""

import re
from typing import Any

from pydantic_settings import EnvSettingsSource

from app.core.moments import CLOCK_FILE

PREFIX = "GORRION_"

_OF_OTHER_PROGRAMS = frozenset(
    {
        CLOCK_FILE,
        PREFIX + "CHROMIUM",  # of the tests, as the next one
        PREFIX + "LONG_FAULTS",
        PREFIX + "TOKEN",  # of programs that play
        PREFIX + "BACKUPS_KEPT",  # of docker-compose.yml, as the next five
        PREFIX + "BACKUP_EVERY",
        PREFIX + "DB_PASSWORD",
        PREFIX + "DOMAIN",
        PREFIX + "GRAFANA_PASSWORD",
        PREFIX + "WEB",  # of the proxies in deploy/, as the next two
        PREFIX + "WEB1",
        PREFIX + "WEB2",
    }
)
# What Kubernetes tells each container about a service with a name such as `gorrion`.
_OF_KUBERNETES = re.compile(
    PREFIX + r"(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)"
)


class Environment(EnvSettingsSource):
    """The environment with the names that are no settings, so that these are refused."""

    def __call__(self) -> dict[str, Any]:
        """Return the values by the names of the settings."""
        prefix = PREFIX.lower()
        known = {prefix + name for name in self.settings_cls.model_fields}
        unknown = {
            name.removeprefix(prefix): value
            for name, value in self.env_vars.items()
            if name.startswith(prefix) and name not in known and not _is_of_others(name.upper(), value or "")
        }
        return {**super().__call__(), **unknown}


def _is_of_others(name: str, value: str) -> bool:
    is_of_kubernetes = _OF_KUBERNETES.fullmatch(name) and (not name.endswith("_PORT") or "://" in value)
    return name in _OF_OTHER_PROGRAMS or bool(is_of_kubernetes)
