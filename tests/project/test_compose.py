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


class Replica:
    """The container of a replica: its folders, and what each start of it did."""

    def __init__(self, folder):
        self.data, self.copy = folder / "18" / "docker", folder / "18" / "docker.part"
        self._folder, self._log = folder, folder / "log"
        self.program("psql")
        self.program("pg_basebackup", 'mkdir -p "$2" && touch "$2/PG_VERSION" "$2/standby.signal"')
        self.program("postgres")

    def program(self, name, does="true"):
        file = self._folder / name
        file.write_text(f'#!/bin/sh\necho "{name}|$*" >> {self._log}\n{does}\n')
        file.chmod(0o755)

    def start(self):
        """Start the container; return whether PostgreSQL runs, and what was called for that."""
        replica = compose_file("compose.replica.yml")["services"]["replica"]
        start = [*replica["entrypoint"], replica["command"][0].replace("$$", "$")]
        environment = {"PATH": f"{self._folder}:{os.environ['PATH']}", "PGDATA": str(self.data)}
        self._log.write_text("")
        status = subprocess.run(start, env=environment, check=False).returncode
        return status == 0, self._log.read_text().splitlines()


@pytest.fixture
def replica(tmp_path):
    return Replica(tmp_path)


def test_a_replica_is_copied_once_with_a_slot_for_which_the_primary_keeps_some_of_its_log(replica):
    primary = compose_file("docker-compose.yml")["services"]["database"]["command"]
    assert any(each.startswith("max_slot_wal_keep_size=") for each in primary)
    _, (begun, copied, ran) = replica.start()
    assert begun.startswith("psql|")
    assert begun.endswith("FROM pg_replication_slots WHERE slot_name = 'replica'")
    assert "--create-slot --slot replica --write-recovery-conf" in copied
    assert (replica.data / "standby.signal").exists()
    assert replica.start() == (True, [ran])


def test_a_copy_that_was_interrupted_is_made_anew_once_the_primary_answers(replica):
    begin = 'mkdir -p "$2" && touch "$2/PG_VERSION" "$2/some"; '
    replica.program("pg_basebackup", begin + "exit 1")
    assert not replica.start()[0]
    assert (replica.copy / "some").exists()
    assert not replica.data.exists()
    replica.program("psql", "exit 1")
    assert not replica.start()[0]
    assert (replica.copy / "some").exists()
    replica.program("psql")
    replica.program("pg_basebackup", 'test ! -e "$2" && mkdir -p "$2" && touch "$2/PG_VERSION"')
    assert replica.start()[0]
    assert not replica.copy.exists()
    assert (replica.data / "PG_VERSION").exists()


@pytest.mark.parametrize("answer", ["true", "exit 1"])
@pytest.mark.parametrize("left", [["PG_VERSION"], ["PG_VERSION", "standby.signal"], ["base"]])
def test_no_start_deletes_anything_of_a_database(replica, left, answer):
    """A replica that was promoted has no standby.signal any more."""
    replica.data.mkdir(parents=True)
    for name in left:
        (replica.data / name).write_text("a database")
    replica.program("psql", answer)
    for _ in range(2):
        runs, _ = replica.start()
        assert runs == ("PG_VERSION" in left)
        assert sorted(path.name for path in replica.data.iterdir()) == sorted(left)
        assert {path.read_text() for path in replica.data.iterdir()} == {"a database"}


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
