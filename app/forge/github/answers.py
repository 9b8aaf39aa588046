"""GitHub's answers, read tolerantly: only the fields that are used, whatever else is there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

__all__ = [
    "Account",
    "Answer",
    "AppAnswer",
    "BranchAnswer",
    "CommentAnswer",
    "DeliveryAnswer",
    "EventAnswer",
    "InstallationAnswer",
    "IssueAnswer",
    "Ms",
    "PermissionAnswer",
    "PullListed",
    "RepositoryAnswer",
    "RuleAnswer",
    "Text",
    "TokenAnswer",
    "read",
    "read_all",
]


def _ms(value: Any) -> Any:
    """ISO times to ms; null and absent are 0."""
    if value is None:
        return 0
    if isinstance(value, str):
        when = datetime.fromisoformat(value)
        return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1000)
    return value


Ms = Annotated[int, BeforeValidator(_ms)]
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


class Answer(BaseModel):
    """Something that GitHub says."""

    model_config = ConfigDict(extra="ignore", frozen=True)


M = TypeVar("M", bound=Answer)


def read(model: type[M], data: object) -> M | None:
    """The answer, or None where it is not what it should be: then it is unknown."""
    try:
        return model.model_validate(data)
    except (ValidationError, ValueError):
        return None


def read_all(model: type[M], data: object) -> tuple[M, ...]:
    """Each item that can be read; one that cannot is left out."""
    items = data if isinstance(data, list) else []
    return tuple(each for each in (read(model, item) for item in items) if each is not None)


class Account(Answer):
    """A user, bot or organisation."""

    id: int = 0
    login: str = "ghost"
    type: Text = "User"


class TokenAnswer(Answer):
    token: str
    expires_at: Ms
    permissions: dict[str, str] = {}


class AppAnswer(Answer):
    id: int
    slug: str
    name: Text = ""


class InstallationAnswer(Answer):
    id: int
    account: Account | None = None
    permissions: dict[str, str] = {}
    suspended_at: Text = ""
    repository_selection: Text = ""


class RepositoryAnswer(Answer):
    id: int
    full_name: str
    private: bool
    default_branch: str
    clone_url: str
    node_id: Text = ""
    archived: bool = False


class DeliveryAnswer(Answer):
    id: int
    guid: str
    delivered_at: Ms = 0
    status_code: int = 0
    redelivery: bool = False
    event: Text = ""
    action: Text = ""
    installation_id: int | None = None
    repository_id: int | None = None


class _Label(Answer):
    name: str


class IssueAnswer(Answer):
    """`pull_request` is there on pull requests, which are issues too."""

    number: int
    html_url: Text = ""
    title: Text = ""
    body: Text = ""
    state: str
    user: Account | None = None
    labels: list[_Label | str] = []
    closed_by: Account | None = None
    closed_at: Ms = 0
    updated_at: Ms = 0
    comments: int = 0
    pull_request: dict[str, Any] | None = None

    @property
    def label_names(self) -> frozenset[str]:
        return frozenset(each if isinstance(each, str) else each.name for each in self.labels)


class _Renamed(Answer):
    to: Text = ""


class EventAnswer(Answer):
    """An issue event. `id` is what counts as the label's key."""

    id: int
    event: str
    actor: Account | None = None
    created_at: Ms = 0
    label: _Label | None = None
    rename: _Renamed | None = None


class _MadeBy(Answer):
    id: int


class CommentAnswer(Answer):
    """`performed_via_github_app` is set on what an App wrote."""

    id: int
    body: Text = ""
    user: Account | None = None
    created_at: Ms = 0
    updated_at: Ms = 0
    html_url: Text = ""
    issue_url: Text = ""
    performed_via_github_app: _MadeBy | None = None

    @property
    def number(self) -> int:
        """The issue's or pull request's number; 0 where the address does not end in one."""
        tail = self.issue_url.rpartition("/")[2]
        return int(tail) if tail.isdigit() else 0


class PermissionAnswer(Answer):
    permission: Text = ""
    role_name: Text = ""
    user: Account | None = None


class _Repo(Answer):
    id: int


class _Head(Answer):
    ref: str
    sha: str
    repo: _Repo | None = None


class PullListed(Answer):
    number: int
    head: _Head
    base: _Head
    updated_at: Ms = 0

    @property
    def from_here(self) -> bool:
        """Its head is in this very repository: a fork's branch may have any name."""
        return self.head.repo is not None and self.head.repo == self.base.repo


class _RequiredContext(Answer):
    context: str
    app_id: int | None = None


class _RequiredContexts(Answer):
    enforcement_level: Text = ""
    contexts: list[str] = []
    checks: list[_RequiredContext] = []


class _Protection(Answer):
    enabled: bool | None = None
    required_status_checks: _RequiredContexts | None = None


class BranchAnswer(Answer):
    """What everybody may see of classic protection."""

    protected: bool = False
    protection: _Protection | None = None


class RuleAnswer(Answer):
    """A rule of a ruleset that applies to a branch."""

    type: str
    parameters: dict[str, Any] = {}
