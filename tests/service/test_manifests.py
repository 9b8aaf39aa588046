"""What is handed to GitHub, compose and Kubernetes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.forge.github import NEEDED
from app.service.manifest import PERMISSIONS
from app.service.reference import written
from app.settings import SERVICE_VARIABLES, load_settings
from app.webhooks import EVENTS

ROOT = Path(__file__).parents[2]
KUBERNETES = ROOT / "manifests/kubernetes"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "manifests/compose.yaml").read_text())
NAMES = {each.name for each in SERVICE_VARIABLES}
SECRET = {each.name for each in SERVICE_VARIABLES if each.secret}


def objects() -> Iterator[dict[str, Any]]:
    for file in sorted(KUBERNETES.glob("*.yaml")):
        yield from yaml.safe_load_all(file.read_text())


def pods() -> list[dict[str, Any]]:
    return [each["spec"]["template"]["spec"] for each in objects() if "template" in each.get("spec", {})]


def containers() -> list[dict[str, Any]]:
    return [container for pod in pods() for container in pod["containers"]]


def variables(container: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each for each in container.get("env", [])}


@pytest.mark.parametrize("file", written(ROOT), ids=lambda file: file.name)
def test_generated_files_are_those_of_the_code(file: Path) -> None:
    assert file.read_text("utf-8") == written(ROOT)[file], "run: python -m app.service.reference"


def test_app_asks_for_the_least_rights() -> None:
    told = json.loads((ROOT / "manifests/github-app.json").read_text())
    assert told["default_permissions"] == PERMISSIONS
    assert not {"administration", "workflows", "secrets", "members"} & set(PERMISSIONS)
    assert set(told["default_events"]) | {"installation", "installation_repositories"} == set(EVENTS)
    assert (told["public"], told["hook_attributes"]["active"]) == (False, False)


@pytest.mark.parametrize(("permission", "level"), NEEDED)
def test_app_asks_for_all_that_an_installation_is_said_to_lack(permission: str, level: str) -> None:
    enough = {"read": {"read", "write"}, "write": {"write"}}
    assert PERMISSIONS.get(permission) in enough[level]


def test_services_of_compose_can_write_nowhere_and_gain_nothing() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["read_only"] is True, name
        assert service["user"].split(":")[0] not in ("", "0", "root"), name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["healthcheck"]["test"], name
        assert not any("docker.sock" in each for each in service.get("volumes", [])), name


def test_redis_of_compose_is_open_to_the_services_only_and_the_web_to_this_machine() -> None:
    assert "ports" not in COMPOSE["services"]["redis"]
    assert COMPOSE["services"]["serve"]["ports"] == ["${BRAT_LISTEN:-127.0.0.1:8470}:8470"]


def test_containers_of_kubernetes_can_write_nowhere_and_gain_nothing() -> None:
    assert len(containers()) == 3
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["automountServiceAccountToken"] is False
        assert not any("hostPath" in each for each in pod["volumes"])
    for each in containers():
        context = each["securityContext"]
        assert (context["allowPrivilegeEscalation"], context["readOnlyRootFilesystem"]) == (False, True)
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert "livenessProbe" in each
        assert each["resources"]["limits"]["memory"]


def test_secrets_come_by_reference_and_the_web_process_has_no_private_key() -> None:
    for each in containers():
        for name, variable in variables(each).items():
            assert name in NAMES
            assert name not in SECRET or "secretKeyRef" in variable["valueFrom"]
    serve = next(each for each in containers() if each["name"] == "serve")
    assert not any("PRIVATE_KEY" in name for name in variables(serve))
    for service in COMPOSE["services"].values():
        assert not SECRET & set(service.get("environment", {})) - {"BRAT_REDIS_URL"}


def test_settings_of_the_manifests_are_settings() -> None:
    kustomization = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
    literals = kustomization["configMapGenerator"][0]["literals"]
    assert {each.partition("=")[0] for each in literals} <= NAMES
    assert set(COMPOSE["services"]["serve"]["environment"]) <= NAMES
    operator = {"BRAT_CONFIG": str(KUBERNETES / "operator.toml")}
    assert load_settings(operator, Path("/nowhere")).sandbox.isolation == "bwrap"


def test_images_have_plain_names_without_a_registry() -> None:
    kustomization = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
    plain = {each["name"] for each in kustomization["images"]}
    assert {each["image"] for each in containers()} == plain == {"brat", "redis"}
    for service in COMPOSE["services"].values():
        assert re.fullmatch(r"\$\{BRAT_(REDIS_)?IMAGE:-(brat|redis)\}", service["image"])


def test_every_file_of_kubernetes_is_listed_and_there() -> None:
    kustomization = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
    there = {each.name for each in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(kustomization["resources"]) == there


def test_time_to_stop_is_longer_than_a_pass() -> None:
    from app.service.passes import PASS_S

    assert int(COMPOSE["services"]["worker"]["stop_grace_period"].rstrip("s")) > PASS_S
    worker = next(pod for pod in pods() if pod["containers"][0]["name"] == "worker")
    assert worker["terminationGracePeriodSeconds"] > PASS_S
