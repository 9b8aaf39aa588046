"""The real client in front."""

from __future__ import annotations

import pytest
from githubkit import AppAuthStrategy, AppInstallationAuthStrategy, GitHub
from githubkit.cache import MemCacheStrategy
from githubkit.exception import RequestFailed

from tests.fakehub.conftest import Client


@pytest.fixture
def github(client: Client) -> GitHub[AppInstallationAuthStrategy]:
    """With a token cache of its own: the default one is shared by the whole process, and ids come again."""
    auth = AppAuthStrategy(str(client.app.id), client.hub.keys[client.app.id])
    installed = auth.as_installation(client.installation.id)
    return GitHub(installed, base_url=client.hub.api, auto_retry=False, cache_strategy=MemCacheStrategy())


def test_githubkit_signs_in_reads_and_writes(
    client: Client, github: GitHub[AppInstallationAuthStrategy]
) -> None:
    client.repo.issue(title="JWT")
    made = github.rest.issues.create_comment("ada", "demo", 1, body="hello")
    assert made.parsed_data.body == "hello"
    told = github.graphql('{repository(owner:"ada",name:"demo"){issue(number:1){title}}}')
    assert told["repository"]["issue"]["title"] == "JWT"


def test_githubkit_passes_refusals_on(client: Client, github: GitHub[AppInstallationAuthStrategy]) -> None:
    with pytest.raises(RequestFailed) as refused:
        github.rest.pulls.create("ada", "demo", head="none", base="main", title="t")
    assert refused.value.response.status_code == 422
