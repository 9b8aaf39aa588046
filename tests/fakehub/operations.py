"""Every operation of GitHub that the stand-in knows, with what an App needs to call it.

The permission is `name:level`; `-` needs any installation token, `jwt` the App itself, `open` nothing.
https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps
"""

from __future__ import annotations

__all__ = ["OPERATIONS"]

_TABLE = """
GET /app jwt
GET /app/installations jwt
GET /app/installations/{installation_id} jwt
POST /app/installations/{installation_id}/access_tokens jwt
GET /app/hook/deliveries jwt
GET /app/hook/deliveries/{delivery_id} jwt
POST /app/hook/deliveries/{delivery_id}/attempts jwt
GET /app/hook/config jwt
PATCH /app/hook/config jwt
POST /app-manifests/{code}/conversions open
GET /installation/repositories -
DELETE /installation/token -
GET /rate_limit -
GET /users/{username} -
GET /user/{account_id} -
GET /repos/{owner}/{repo}/installation jwt
GET /repos/{owner}/{repo} metadata:read
GET /repos/{owner}/{repo}/branches contents:read
GET /repos/{owner}/{repo}/branches/{branch} contents:read
GET /repos/{owner}/{repo}/rules/branches/{branch} metadata:read
GET /repos/{owner}/{repo}/collaborators/{username}/permission metadata:read
GET /repos/{owner}/{repo}/commits contents:read
GET /repos/{owner}/{repo}/commits/{ref} contents:read
GET /repos/{owner}/{repo}/compare/{basehead} contents:read
GET /repos/{owner}/{repo}/contents/{path} contents:read
GET /repos/{owner}/{repo}/git/trees/{tree_sha} contents:read
GET /repos/{owner}/{repo}/git/commits/{commit_sha} contents:read
GET /repos/{owner}/{repo}/git/blobs/{file_sha} contents:read
GET /repos/{owner}/{repo}/git/ref/{ref} contents:read
GET /repos/{owner}/{repo}/git/matching-refs/{ref} contents:read
POST /repos/{owner}/{repo}/git/refs contents:write
PATCH /repos/{owner}/{repo}/git/refs/{ref} contents:write
DELETE /repos/{owner}/{repo}/git/refs/{ref} contents:write
GET /repos/{owner}/{repo}/issues issues:read
POST /repos/{owner}/{repo}/issues issues:write
GET /repos/{owner}/{repo}/issues/comments issues:read
GET /repos/{owner}/{repo}/issues/comments/{comment_id} issues:read
PATCH /repos/{owner}/{repo}/issues/comments/{comment_id} issues:write
DELETE /repos/{owner}/{repo}/issues/comments/{comment_id} issues:write
GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions issues:read
POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions issues:write
DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id} issues:write
GET /repos/{owner}/{repo}/issues/events issues:read
GET /repos/{owner}/{repo}/issues/{issue_number} issues:read
PATCH /repos/{owner}/{repo}/issues/{issue_number} issues:write
GET /repos/{owner}/{repo}/issues/{issue_number}/comments issues:read
POST /repos/{owner}/{repo}/issues/{issue_number}/comments issues:write
GET /repos/{owner}/{repo}/issues/{issue_number}/events issues:read
GET /repos/{owner}/{repo}/issues/{issue_number}/labels issues:read
POST /repos/{owner}/{repo}/issues/{issue_number}/labels issues:write
PUT /repos/{owner}/{repo}/issues/{issue_number}/labels issues:write
DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name} issues:write
POST /repos/{owner}/{repo}/issues/{issue_number}/reactions issues:write
GET /repos/{owner}/{repo}/issues/{issue_number}/timeline issues:read
GET /repos/{owner}/{repo}/labels issues:read
POST /repos/{owner}/{repo}/labels issues:write
GET /repos/{owner}/{repo}/labels/{name} issues:read
GET /repos/{owner}/{repo}/pulls pull_requests:read
POST /repos/{owner}/{repo}/pulls pull_requests:write
GET /repos/{owner}/{repo}/pulls/{pull_number} pull_requests:read
PATCH /repos/{owner}/{repo}/pulls/{pull_number} pull_requests:write
GET /repos/{owner}/{repo}/pulls/{pull_number}/files pull_requests:read
GET /repos/{owner}/{repo}/pulls/{pull_number}/commits pull_requests:read
GET /repos/{owner}/{repo}/pulls/{pull_number}/merge contents:read
PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge contents:write
PUT /repos/{owner}/{repo}/pulls/{pull_number}/update-branch pull_requests:write
GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews pull_requests:read
POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews pull_requests:write
GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments pull_requests:read
GET /repos/{owner}/{repo}/pulls/{pull_number}/comments pull_requests:read
GET /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers pull_requests:read
POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers pull_requests:write
DELETE /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers pull_requests:write
POST /repos/{owner}/{repo}/check-runs checks:write
GET /repos/{owner}/{repo}/check-runs/{check_run_id} checks:read
PATCH /repos/{owner}/{repo}/check-runs/{check_run_id} checks:write
GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations checks:read
POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest checks:write
GET /repos/{owner}/{repo}/check-suites/{check_suite_id} checks:read
GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs checks:read
POST /repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest checks:write
GET /repos/{owner}/{repo}/commits/{ref}/check-runs checks:read
GET /repos/{owner}/{repo}/commits/{ref}/check-suites checks:read
GET /repos/{owner}/{repo}/commits/{ref}/status statuses:read
GET /repos/{owner}/{repo}/commits/{ref}/statuses statuses:read
POST /repos/{owner}/{repo}/statuses/{sha} statuses:write
GET /repos/{owner}/{repo}/actions/runs actions:read
GET /repos/{owner}/{repo}/actions/runs/{run_id} actions:read
GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs actions:read
POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs actions:write
GET /repos/{owner}/{repo}/actions/jobs/{job_id} actions:read
GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs actions:read
POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun actions:write
"""

OPERATIONS: dict[str, str] = dict(line.rsplit(" ", 1) for line in _TABLE.strip().splitlines())
