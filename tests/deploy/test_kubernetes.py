"""The manifests match the schemas of Kubernetes, the image and the code."""

import base64
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from deploy.files import VARIABLES, documents, env_of, image_environment, prepared, words_of

from palatine_server.settings import Settings
from palatine_server.web.app import create_app

FILES = "palatine.yaml", "redis.yaml", "secret.example.yaml"
MANIFESTS = [document for name in FILES for document in documents(f"kubernetes/{name}")]
PATHS = {getattr(route, "path", "") for route in create_app(Settings()).routes}
VERSION = "1.34"  # the first in which `preStop: sleep` is there for good


def the(kind: str, name: str = "palatine") -> Any:
    return next(each for each in MANIFESTS if each["kind"] == kind and each["metadata"]["name"] == name)


POD = the("Deployment")["spec"]["template"]["spec"]
(NODE,) = POD["containers"]
REDIS_POD = the("StatefulSet", "palatine-redis")["spec"]["template"]["spec"]
(REDIS,) = REDIS_POD["containers"]


@pytest.mark.parametrize(
    "manifest", MANIFESTS, ids=lambda manifest: f"{manifest['kind']} {manifest['metadata']['name']}"
)
def test_it_is_a_manifest(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, VERSION, strict=True)


def test_selectors_find_the_pods() -> None:
    for kind, owner in (("Deployment", "palatine"), ("StatefulSet", "palatine-redis")):
        spec = the(kind, owner)["spec"]
        labels = spec["template"]["metadata"]["labels"]
        assert spec["selector"]["matchLabels"] == labels
        assert the("Service", owner)["spec"]["selector"] == labels
    assert the("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == the("Service")["spec"]["selector"]


def test_ports_are_those_of_the_image() -> None:
    environment = image_environment()
    ports = {port["name"]: str(port["containerPort"]) for port in NODE["ports"]}
    assert ports == {"http": environment["PALATINE_PORT"], "metrics": environment["PALATINE_METRICS_PORT"]}
    annotations = the("Deployment")["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == ports["metrics"]
    assert the("Service")["spec"]["ports"][0]["targetPort"] in ports
    backend = the("Ingress")["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert (backend["name"], backend["port"]["name"]) == ("palatine", the("Service")["spec"]["ports"][0]["name"])


def test_probes_ask_what_the_server_answers() -> None:
    probes = {name: NODE[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {probe["path"] for probe in probes.values()} == {"/healthz", "/readyz"} <= PATHS
    assert probes["readinessProbe"]["path"] == "/readyz"
    assert all(probe["port"] == "http" for probe in probes.values())


def test_variables_and_arguments_are_those_the_server_reads() -> None:
    assert {variable["name"] for variable in NODE["env"]} <= VARIABLES
    assert NODE["args"] == ["serve"]
    assert POD["enableServiceLinks"] is False  # a service called palatine would set PALATINE_PORT=tcp://…


def test_secrets_are_in_the_secret() -> None:
    secret = the("Secret")
    keys = {*secret["stringData"], *secret["data"]}
    references = [variable["valueFrom"]["secretKeyRef"] for variable in NODE["env"] if "valueFrom" in variable]
    assert {reference["key"] for reference in references} == {"PALATINE_SECRET", "PALATINE_STORE"} <= keys
    sources = REDIS_POD["volumes"][0]["projected"]["sources"]
    assert {item["key"] for source in sources if "secret" in source for item in source["secret"]["items"]} <= keys


def test_prepare_fills_the_secret(tmp_path: Path) -> None:
    deploy = prepared(tmp_path)
    env = env_of(deploy)
    secret = yaml.safe_load((deploy / "kubernetes" / "secret.yaml").read_text())
    kubernetes_validate.validate(secret, VERSION, strict=True)
    assert secret["stringData"]["PALATINE_SECRET"] == env["PALATINE_SECRET"]
    assert secret["stringData"]["PALATINE_STORE"] == f"redis://palatine:{env['REDIS_PASSWORD']}@palatine-redis:6379"
    assert base64.b64decode(secret["data"]["users.acl"]) == (deploy / "users.acl").read_bytes()


def test_a_pod_has_time_for_its_notice_and_its_goodbyes() -> None:
    notice = NODE["lifecycle"]["preStop"]["sleep"]["seconds"]
    readiness = NODE["readinessProbe"]
    assert notice >= readiness["periodSeconds"] * readiness["failureThreshold"]
    assert POD["terminationGracePeriodSeconds"] > notice + Settings().drain + 10


def test_one_node_is_always_there() -> None:
    deployment = the("Deployment")["spec"]
    assert deployment["replicas"] > the("PodDisruptionBudget")["spec"]["minAvailable"] >= 1
    assert deployment["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}


@pytest.mark.parametrize(("pod", "container"), [(POD, NODE), (REDIS_POD, REDIS)], ids=["palatine", "redis"])
def test_pods_may_do_little(pod: dict[str, Any], container: dict[str, Any]) -> None:
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    own = container["securityContext"]
    assert (own["readOnlyRootFilesystem"], own["allowPrivilegeEscalation"]) == (True, False)
    assert own["capabilities"] == {"drop": ["ALL"]}
    assert container["resources"]["limits"]["memory"]


def test_the_user_is_that_of_the_image() -> None:
    (user,) = words_of("USER")
    context = POD["securityContext"]
    assert user == f"{context['runAsUser']}:{context['runAsGroup']}"


def test_redis_is_started_as_in_compose() -> None:
    (compose,) = documents("compose.yaml")
    service = compose["services"]["redis"]
    assert REDIS["image"] == service["image"]
    assert REDIS["command"] == service["command"]
    assert ["CMD", *REDIS["readinessProbe"]["exec"]["command"]] == service["healthcheck"]["test"]
