"""A manifest's code for the App's credentials.

https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest
"""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from app.errors import OperatorError, UserError
from app.settings import AppFile

__all__ = ["convert"]

_CODE = re.compile(r"[A-Za-z0-9_-]{1,200}", re.ASCII)
_TIMEOUT_S = 20.0


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: int = Field(gt=0)
    slug: str = ""
    pem: SecretStr = Field(min_length=1)
    webhook_secret: SecretStr | None = None
    html_url: str = ""


async def convert(api_url: str, code: str) -> AppFile:
    """Once for each code. Raises UserError for a code that GitHub does not know, OperatorError else."""
    import httpx

    if not _CODE.fullmatch(code):
        raise UserError("this is no code of GitHub's", place="/setup", remedy="begin again at /setup")
    address = f"{api_url}/app-manifests/{code}/conversions"
    headers = {"accept": "application/vnd.github+json", "x-github-api-version": "2022-11-28"}
    try:
        async with httpx.AsyncClient(timeout=_TIMEOUT_S, follow_redirects=False) as client:
            answer = await client.post(address, headers=headers)
    except httpx.HTTPError as error:
        raise _failed(f"GitHub does not answer ({type(error).__name__})", api_url) from error
    if answer.status_code in (404, 422):
        raise UserError(
            "GitHub does not know this code: it was used, or is older than an hour",
            place="/setup",
            remedy="delete the App that GitHub created, if there is one, and begin again at /setup",
        )
    if answer.status_code != 201:
        raise _failed(f"GitHub answered {answer.status_code}", api_url)
    try:
        read = _Answer.model_validate_json(answer.content)
    except ValidationError:
        raise _failed("GitHub's answer holds no App", api_url) from None
    return AppFile(read.id, read.slug, read.pem, read.webhook_secret, read.html_url)


def _failed(reason: str, api_url: str) -> OperatorError:
    return OperatorError(
        reason, place=api_url, remedy="see that BRAT_GITHUB_API_URL is right and reachable, then begin again"
    )
