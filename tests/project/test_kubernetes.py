"""The manifests for Kubernetes are valid, and run what the images and the compose file have."""

import re
import tomllib

import pytest
import yaml
from kubernetes_validate import latest_version, validate

from app.core.settings import ROOT, Settings
from app.main import create_app
from tests.project.files import read

FOLDER = ROOT / "deploy" / "kubernetes"
MANIFESTS = [each for file in sorted(FOLDER.glob("*.yaml")) for each in yaml.safe_load_all(file.read_text())]
BY_NAME = {(each["kind"], each["metadata"]["name"]): each for each in MANIFESTS}
PARTS = {
    part: BY_NAME["Deployment", f"gorrion-{part}"]["spec"]["template"]["spec"] for part in ("web", "worker")
}
SERVICES = yaml.safe_load(read("docker-compose.yml"))["services"]
MANUAL = read("docs", "operations.md")


def container_of(part):
    [container] = PARTS[part]["containers"]
    return container


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda each: f"{each['kind']} {each['metadata']['name']}")
def test_the_manifests_are_valid(manifest):
    validate(manifest, latest_version(), strict=True)


def test_the_settings_exist_and_the_secret_is_made_by_the_manual():
    settings = BY_NAME["ConfigMap", "gorrion"]["data"]
    [name, secret] = re.search(r"create secret generic (\w+) ((?:\\\n|.)*)", MANUAL).groups()
    secrets = dict(re.findall(r"--from-literal=GORRION_(\w+)='([^']*)'", secret))
    Settings(**{key.lower(): value for key, value in secrets.items()})
    Settings(**{key.removeprefix("GORRION_").lower(): value for key, value in settings.items()})
    for spec in PARTS.values():
        for container in (*spec["initContainers"], *spec["containers"]):
            assert container["envFrom"] == [
                {"configMapRef": {"name": "gorrion"}},
                {"secretRef": {"name": name}},
            ]
    assert not [key for key in settings if "PASSWORD" in key or "DATABASE" in key]


@pytest.mark.parametrize("part", PARTS)
def test_the_parts_are_the_images_and_commands_of_docker(part):
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    container, [migrate] = container_of(part), PARTS[part]["initContainers"]
    assert container["command"] == SERVICES[part]["command"]
    assert migrate["command"] == SERVICES["migrate"]["command"]
    assert {container["image"], migrate["image"]} == {f"gorrion-{part}:{version}"}
    assert f"AS {part}\n" in read("Dockerfile")
    assert '--tag "gorrion-$target:$version"' in read(".ci", "release")
    user = int(re.search(r"--uid (\d+)", read("Dockerfile"))[1])
    assert PARTS[part]["securityContext"]["runAsUser"] == PARTS[part]["securityContext"]["fsGroup"] == user
    for each in (container, migrate):
        assert each["securityContext"]["readOnlyRootFilesystem"]
        assert each["securityContext"]["capabilities"] == {"drop": SERVICES[part]["cap_drop"]}
    volumes = {volume["name"] for volume in PARTS[part]["volumes"]}
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes


def test_the_ports_and_probes_are_those_of_the_server():
    web, metrics = (
        {each["name"]: each["containerPort"] for each in container_of(part)["ports"]} for part in PARTS
    )
    settings = BY_NAME["ConfigMap", "gorrion"]["data"]
    assert web["http"] == int(re.search(r"EXPOSE (\d+)", read("Dockerfile"))[1])
    assert web["metrics"] == metrics["metrics"] == int(settings["GORRION_METRICS_PORT"])
    probes = {
        name: container_of("web")[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")
    }
    assert {probe["port"] for probe in probes.values()} == {"http"}
    served = {getattr(route, "path", None) for route in create_app(Settings()).routes}
    assert probes["liveness"]["path"] in served & set(re.findall(r"/health/\w+", read("Dockerfile")))
    assert probes["startup"] == probes["liveness"]
    assert probes["readiness"]["path"] in served
    assert f"{probes['readiness']['path']}'" in SERVICES["web"]["healthcheck"]["test"][-1]
    assert ["CMD", *container_of("worker")["readinessProbe"]["exec"]["command"]] == SERVICES["worker"][
        "healthcheck"
    ]["test"]


def test_pods_have_the_time_to_end_that_the_manual_asks_for():
    drain = int(BY_NAME["ConfigMap", "gorrion"]["data"]["GORRION_DRAIN"])
    ready = container_of("web")["readinessProbe"]
    assert drain > ready["periodSeconds"] * ready["failureThreshold"]
    for spec in PARTS.values():
        assert spec["terminationGracePeriodSeconds"] >= drain + 10


def test_selectors_find_the_pods():
    for part in PARTS:
        deployment = BY_NAME["Deployment", f"gorrion-{part}"]["spec"]
        assert deployment["selector"]["matchLabels"] == deployment["template"]["metadata"]["labels"]
    labels = BY_NAME["Deployment", "gorrion-web"]["spec"]["selector"]["matchLabels"]
    assert BY_NAME["Service", "gorrion"]["spec"]["selector"] == labels
    assert BY_NAME["PodDisruptionBudget", "gorrion-web"]["spec"]["selector"]["matchLabels"] == labels
    least = BY_NAME["PodDisruptionBudget", "gorrion-web"]["spec"]["minAvailable"]
    assert least < BY_NAME["Deployment", "gorrion-web"]["spec"]["replicas"]
