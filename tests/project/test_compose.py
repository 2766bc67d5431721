"""The compose files run what the project has, hardened."""

import json
import os
import re
import subprocess
from ipaddress import ip_network

import pytest
import yaml
from compose_spec import PyCompose

from app.core.settings import ROOT, Settings
from tests.project.files import read

COMPOSE_FILES = sorted(file.name for file in ROOT.glob("*compose*.yml"))


def compose_file(name):
    """Return a compose file, with its defaults, after checking it against the specification."""
    compose = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", read(name)))
    PyCompose.from_json(json.dumps(compose)).validate()
    return compose


@pytest.mark.parametrize("name", COMPOSE_FILES)
def test_what_every_container_logs_has_a_largest_size(name):
    for service, definition in compose_file(name)["services"].items():
        assert definition["logging"]["driver"] == "local", service
        assert re.fullmatch(r"\d+m", definition["logging"]["options"]["max-size"]), service
        assert int(definition["logging"]["options"]["max-file"]) > 1, service


@pytest.mark.parametrize("name", COMPOSE_FILES)
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


def test_the_address_of_every_player_reaches_the_server():
    compose = compose_file("docker-compose.yml")
    services, networks = compose["services"], compose["networks"]
    trusted = Settings(trusted_proxies=services["web"]["environment"]["GORRION_TRUSTED_PROXIES"])
    for definition in services.values():
        for name in definition["networks"] if "ports" in definition else ():
            # Ports are open by IPv4 and IPv6, and Docker keeps addresses only of what the network has.
            assert networks[name]["enable_ipv6"]
            subnets = [ip_network(each["subnet"]) for each in networks[name]["ipam"]["config"]]
            assert {subnet.version for subnet in subnets} == {4, 6}
            assert set(subnets) <= set(trusted.trusted_proxies)
    listens_on = services["web"]["command"][services["web"]["command"].index("--host") + 1]
    assert listens_on == "0.0.0.0"
    assert "versions ipv4" in read("deploy", "Caddyfile")


def test_a_replica_is_copied_once_with_a_slot_for_which_the_primary_keeps_some_of_its_log(tmp_path):
    primary = compose_file("docker-compose.yml")["services"]["database"]["command"]
    assert any(each.startswith("max_slot_wal_keep_size=") for each in primary)
    replica = compose_file("compose.replica.yml")["services"]["replica"]
    data, log = tmp_path / "data", tmp_path / "log"
    for program in ("psql", "pg_basebackup", "postgres"):
        (tmp_path / program).write_text(f'#!/bin/sh\necho "${{0##*/}}|$*" >> {log}\n')
        (tmp_path / program).chmod(0o755)
    start = [*replica["entrypoint"], replica["command"][0].replace("$$", "$")]
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PGDATA": str(data)}
    subprocess.run(start, env=environment, check=True)
    begun, copied, ran = log.read_text().splitlines()
    assert begun.startswith("psql|")
    assert begun.endswith("FROM pg_replication_slots WHERE slot_name = 'replica'")
    assert "--create-slot --slot replica --write-recovery-conf" in copied
    data.mkdir()
    (data / "standby.signal").touch()
    subprocess.run(start, env=environment, check=True)
    assert log.read_text().splitlines()[3:] == [ran]


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
    [settable] = re.findall(r"`\.env`\s+can\s+also\s+have\s([^;]*);", read("docs", "operations.md"))
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
