"""The compose files run what the project has, hardened."""

import json
import re

import pytest
import yaml
from compose_spec import PyCompose

from app.core.settings import ROOT, Settings
from tests.project.files import read


def compose_file(name):
    """Return a compose file, with its defaults, after checking it against the specification."""
    compose = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", read(name)))
    PyCompose.from_json(json.dumps(compose)).validate()
    return compose


@pytest.mark.parametrize("name", ["docker-compose.yml", "compose.observability.yml", "compose.replica.yml"])
def test_the_services_are_hardened_and_their_health_is_checked(name):
    compose = compose_file(name)
    for service, definition in compose["services"].items():
        assert definition["read_only"], service
        assert definition["cap_drop"] == ["ALL"], service
        assert definition["security_opt"] == ["no-new-privileges:true"], service
        assert service == "migrate" or definition["healthcheck"]["test"][0] == "CMD", service
        for volume in definition.get("volumes", []):
            source = volume.split(":")[0]
            assert (ROOT / source).exists() if source.startswith(".") else source in compose["volumes"]
    assert not re.search(r"\$\{GORRION_\w*PASSWORD:-[^}]", read(name)), "a secret has a default"


def test_the_compose_file_runs_what_the_project_has():
    services = compose_file("docker-compose.yml")["services"]
    assert services["migrate"]["command"] == ["gorrion", "migrate"]
    assert services["web"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    assert services["web"]["deploy"]["replicas"] == 2
    assert services["worker"]["command"] == ["gorrion", "worker"]
    assert set(services["web"]["environment"]) <= {
        f"GORRION_{name.upper()}" for name in Settings.model_fields
    }
    assert services["web"]["environment"]["GORRION_VALKEY_URL"] == "valkey://valkey:6379"
    taken = set(re.findall(r"^    (GORRION_\w+): \$\{\1:-\}$", read("docker-compose.yml"), re.MULTILINE))
    [settable] = re.findall(r"^`\.env` can also have ([^;]*);", read("docs", "operations.md"), re.MULTILINE)
    of_mail = {f"GORRION_{name.upper()}" for name in Settings.model_fields if name.startswith("mail_")}
    assert taken - {"GORRION_DATABASE_REPLICA_URL"} == {*re.findall(r"GORRION_\w+", settable), *of_mail}
    assert "valkey" in services
    targets = re.findall(r"^FROM \S+ AS (\S+)$", read("Dockerfile"), re.MULTILINE)
    for service, target in (("web", "web"), ("migrate", "web"), ("worker", "worker")):
        assert services[service]["build"]["target"] == target
        assert target in targets
    assert services["worker"]["image"] != services["web"]["image"]
    assert services["web"]["init"] is services["migrate"]["init"] is True
    for line in read("Dockerfile").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            *sources, _ = line.split()[1:]
            for source in sources:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in read(".dockerignore"), source
